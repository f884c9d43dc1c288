//! Lists as a person reads them: as wide as the terminal, the name first, short ids that every verb
//! takes, and colours on a terminal alone.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at once, and waits in real time"
)]

use super::sandbox::{Done, Sandbox, finished, terminal, worker};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value;
use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

/// Every list, with a column that none of them may lose.
const LISTS: &[(&[&str], &str)] = &[
    (&["notes", "list"], "TITLE"),
    (&["notes", "search", "tea"], "TITLE"),
    (&["notes", "history", "Green tea"], "TITLE"),
    (&["runs", "list"], "REQUEST"),
    (&["rules", "list"], "TRIGGER"),
    (&["audit", "list"], "TARGET"),
    (&["ram", "list"], "KEY"),
    (&["explain"], "CODE"),
];

/// A root with a few of everything.
fn lived_in() -> Sandbox {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox
        .cli(&[
            "run",
            "--task",
            "Remember which tea the harbour master likes best",
        ])
        .ended(0);
    let long = "Everything that was ever said about green tea in the harbour, in order";
    for title in ["Green tea", long] {
        let words = [
            "notes",
            "add",
            "tea",
            "--title",
            title,
            "--keywords",
            "tea,harbour,green",
        ];
        sandbox.cli(&words).ended(0);
    }
    let rule = r#"{"trigger": "automation_schedule.cron",
                   "condition_json": {"cron": "0 9 * * 1-5", "timezone": "Europe/Berlin"}}"#;
    sandbox.cli(&["rules", "add", rule]).ended(0);
    sandbox
}

fn of_width(sandbox: &Sandbox, words: &[&str], width: &str) -> Done {
    let mut command = sandbox.command(words);
    command.env("COLUMNS", width);
    finished(command).ended(0)
}

#[test]
fn lists_fit_the_width_and_begin_with_the_name() {
    let sandbox = lived_in();
    for (words, first) in LISTS {
        for (width, columns) in [("80", 80), ("60", 60), ("40", 40)] {
            let text = of_width(&sandbox, words, width).stdout;
            assert!(text.starts_with(first), "{words:?}: {text}");
            assert!(text.lines().count() > 1, "{words:?}: {text}");
            for line in text.lines() {
                assert!(
                    line.chars().count() <= columns,
                    "{words:?}, {width}: {line}"
                );
                assert!(!line.contains(['\t', '\u{1b}']), "{line}");
            }
        }
        let whole = sandbox.cli(words).ended(0).stdout;
        assert!(!whole.contains('\u{1b}'), "{whole}");
    }
    let whole = sandbox.cli(&["notes", "list"]).ended(0).stdout;
    assert!(
        whole.lines().any(|line| line.chars().count() > 80),
        "{whole}"
    );
    assert!(whole.contains("just now"), "{whole}");
}

/// What a list shows as an id, found by the full one.
fn short_of(text: &str, id: &Value) -> String {
    let id = id.as_str().unwrap();
    let mut words = text.split_whitespace();
    let short = words.find(|word| word.len() >= 8 && id.starts_with(word));
    short
        .unwrap_or_else(|| unreachable!("{id} in {text}"))
        .to_owned()
}

#[test]
fn every_verb_takes_the_short_ids_that_lists_show() {
    let sandbox = lived_in();
    let notes = sandbox.json(&["notes", "list"]);
    let text = sandbox.cli(&["notes", "list"]).ended(0).stdout;
    for note in notes["items"].as_array().unwrap() {
        let short = short_of(&text, &note["id"]);
        for words in [["notes", "show"], ["notes", "history"], ["notes", "edit"]] {
            let more: &[&str] = if words[1] == "edit" {
                &["--kind", "note"]
            } else {
                &[]
            };
            let found = sandbox.json(&[&words[..], &[short.as_str()], more].concat());
            let found = found["items"][0]["note"]["id"]
                .as_str()
                .or_else(|| found["id"].as_str());
            assert_eq!(found, note["id"].as_str(), "{words:?}");
        }
        let why = sandbox.json(&["why", &short]);
        assert_eq!(why["note_id"], note["id"]);
    }
    let runs = sandbox.json(&["runs", "list"]);
    let text = sandbox.cli(&["runs", "list"]).ended(0).stdout;
    let run = &runs["items"][0]["run_id"];
    let short = short_of(&text, run);
    for words in [&["runs", "show"][..], &["trace"]] {
        let shown = sandbox.json(&[words, &[short.as_str()]].concat());
        assert_eq!(&shown["run_id"], run, "{words:?}");
    }
    let entries = sandbox.json(&["audit", "list", "--run", &short]);
    assert!(
        entries["items"]
            .as_array()
            .unwrap()
            .iter()
            .all(|entry| &entry["run_id"] == run)
    );
    sandbox.cli(&["runs", "undo", &short, "--dry-run"]).ended(0);
    // What a trail names by its id can be looked up; the model's own it names by the title.
    let trail = sandbox.cli(&["audit", "list"]).ended(0).stdout;
    let added = notes["items"].as_array().unwrap().iter();
    for note in added.filter(|note| note["title"] != "Tea 1") {
        let short = short_of(&trail, &note["id"]);
        assert!(short.len() < 36, "{trail}");
        assert_eq!(sandbox.json(&["notes", "show", &short])["id"], note["id"]);
    }
    let rules = sandbox.json(&["rules", "list"]);
    let text = sandbox.cli(&["rules", "list"]).ended(0).stdout;
    let rule = &rules["items"][0]["rule_id"];
    let short = short_of(&text, rule);
    for verb in ["show", "disable", "enable", "remove"] {
        let shown = sandbox.json(&["rules", verb, &short]);
        assert_eq!(&shown["rule_id"], rule, "{verb}");
    }
}

#[test]
fn an_id_that_is_too_short_is_refused_with_those_it_may_mean() {
    let sandbox = lived_in();
    let notes = sandbox.json(&["notes", "list"]);
    let ids = notes["items"].as_array().unwrap().iter();
    let ids: Vec<&str> = ids.map(|note| note["id"].as_str().unwrap()).collect();
    // The first digits are those of the time.
    let done = sandbox
        .cli(&["notes", "delete", &ids[0][..6], "--format", "json"])
        .ended(1);
    let error = done.error();
    assert_eq!(error["code"], "RECORD_KEY_AMBIGUOUS");
    let hint = error["hints"][0].as_str().unwrap();
    assert!(ids.iter().all(|id| hint.contains(id)), "{hint}");
    assert!(hint.contains("Green tea"), "{hint}");
    for words in [
        ["runs", "show", "0000"],
        ["notes", "show", "0000"],
        ["rules", "show", "0000"],
    ] {
        let error = sandbox.cli(&words).ended(1).stderr;
        assert!(error.contains("NOT_FOUND"), "{error}");
    }
}

#[test]
fn titles_are_found_in_any_case_and_near_ones_are_named() {
    let sandbox = lived_in();
    let shown = sandbox.json(&["notes", "show", "gREEN Tea"]);
    assert_eq!(shown["title"], "Green tea");
    for slip in ["gren tea", "green teas", "Green te"] {
        let error = sandbox.cli(&["notes", "show", slip]).ended(1).stderr;
        assert!(error.contains("RECORD_NOT_FOUND"), "{error}");
        assert!(error.contains("did you mean: `Green tea`"), "{error}");
    }
    let error = sandbox.cli(&["notes", "show", "Invoices"]).ended(1).stderr;
    assert!(!error.contains("did you mean"), "{error}");
    // An exact title goes before one in another case; several in another case are not guessed.
    for title in ["ANNA", "Anna"] {
        sandbox
            .cli(&["notes", "add", title, "--title", title])
            .ended(0);
    }
    assert_eq!(sandbox.json(&["notes", "show", "Anna"])["value"], "Anna");
    let error = sandbox.cli(&["notes", "show", "anna"]).ended(1).stderr;
    assert!(error.contains("RECORD_KEY_AMBIGUOUS"), "{error}");
}

#[test]
fn an_empty_list_says_so() {
    let sandbox = Sandbox::quiet();
    for words in [
        &["notes", "list"][..],
        &["notes", "search", "tea"],
        &["notes", "issues"],
        &["runs", "list"],
        &["rules", "list"],
        &["review", "list"],
    ] {
        assert_eq!(
            sandbox.cli(words).ended(0).stdout,
            "nothing found\n",
            "{words:?}"
        );
        let list = sandbox.json(words);
        assert_eq!(list["items"], Value::Array(Vec::new()), "{words:?}");
    }
}

/// What a command shows on a terminal of 50 columns.
fn on_terminal(sandbox: &Sandbox, words: &[&str], variables: &[(&str, &str)]) -> String {
    let (ours, theirs) = terminal();
    let size = Winsize {
        ws_row: 24,
        ws_col: 50,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&theirs, size).unwrap();
    let mut command = sandbox.command(words);
    command.envs(variables.iter().copied());
    command.stdout(Stdio::from(theirs.try_clone().unwrap()));
    command.stderr(Stdio::from(theirs));
    let status = command.status().unwrap();
    assert!(status.code().is_some());
    drop(command);
    let mut shown = Vec::new();
    // A terminal whose other end is closed ends with an error.
    let ended = File::from(ours).read_to_end(&mut shown);
    assert!(ended.is_err() || !shown.is_empty());
    String::from_utf8(shown).unwrap()
}

#[test]
fn colours_and_the_width_of_the_screen_are_for_terminals_alone() {
    let sandbox = lived_in();
    let list = ["notes", "list"];
    let shown = on_terminal(&sandbox, &list, &[]);
    assert!(shown.contains("\u{1b}[1mTITLE\u{1b}[0m"), "{shown:?}");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let shown = on_terminal(&sandbox, &list, &[variable]);
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
        let widths = shown.lines().map(|line| line.trim_end().chars().count());
        assert!(widths.max().unwrap() <= 50, "{shown}");
    }
    let shown = on_terminal(&sandbox, &["notes", "list", "--format", "json"], &[]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    let shown = on_terminal(&sandbox, &["notes", "show", "nobody"], &[]);
    assert!(
        shown.contains("\u{1b}[1;31merror[RECORD_NOT_FOUND]\u{1b}[0m"),
        "{shown:?}"
    );
    let shown = on_terminal(&sandbox, &["notes", "show", "nobody"], &[("NO_COLOR", "1")]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
}
