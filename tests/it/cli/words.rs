//! What a person who does not know the program yet is told: refusals that say what would do, hints
//! that fit where they stand, and lists that show what there is.

#![expect(
    clippy::disallowed_methods,
    reason = "a test writes into a pipe, and clears up what the demonstration left"
)]

use super::sandbox::{Done, Sandbox, answer, finished, names, state_in};
use crate::peer::{NOBODY, Peer, Step};
use serde_json::json;

/// The lines of a refusal that are hints.
fn hints(done: &Done) -> Vec<&str> {
    let lines = done.stderr.lines();
    lines
        .filter_map(|line| line.strip_prefix("hint: "))
        .collect()
}

#[test]
fn a_root_that_is_not_one_is_named_with_one_hint() {
    let sandbox = Sandbox::empty();
    let root = sandbox.root().canonicalize().unwrap();
    for (arguments, named) in [
        (&["status"][..], root.to_str().unwrap()),
        (&["--root", "/nowhere/at/all", "status"], "/nowhere/at/all"),
        (&["--root", "/dev/null", "notes", "list"], "/dev/null"),
    ] {
        let done = sandbox.cli(arguments).ended(78);
        assert!(done.stderr.contains("CONFIG_JSON_INVALID"), "{done:?}");
        assert!(done.stderr.contains(named), "{named}: {done:?}");
        assert_eq!(hints(&done).len(), 1, "{done:?}");
    }
    let mut command = sandbox.command(&["status"]);
    command.env("KJXLKJ_ROOT", "/nowhere/at/all");
    let done = finished(command).ended(78);
    assert!(done.stderr.contains("/nowhere/at/all"), "{done:?}");
}

#[test]
fn ram_list_shows_lists_and_objects_as_json() {
    let sandbox = Sandbox::quiet();
    sandbox
        .cli(&["ram", "set", "steps", "[\"a\", \"b\"]"])
        .ended(0);
    sandbox.cli(&["ram", "set", "none", "[]"]).ended(0);
    sandbox.cli(&["ram", "set", "plain", "two words"]).ended(0);
    let text = sandbox.cli(&["ram", "list"]).ended(0).stdout;
    for (key, value) in [
        ("context", "{}"),
        ("none", "[]"),
        ("plain", "two words"),
        ("steps", "[\"a\",\"b\"]"),
    ] {
        let line = text.lines().find(|line| line.starts_with(key));
        let shown = line.and_then(|line| line.strip_prefix(key));
        assert_eq!(shown.map(str::trim), Some(value), "{key}: {text}");
    }
}

#[test]
fn the_hint_about_keys_is_what_the_guard_accepts() {
    let sandbox = Sandbox::quiet();
    for key in ["a b", "/working_memory/a", "tea,green", "\u{8a9e}"] {
        sandbox.cli(&["ram", "set", key, "x"]).ended(0);
        sandbox.cli(&["ram", "get", key]).ended(0);
    }
    let done = sandbox.cli(&["ram", "set", "a/../b", "x"]).ended(1);
    assert!(hints(&done)[0].contains("between slashes"), "{done:?}");
    assert!(!done.stderr.contains("Use letters"), "{done:?}");
}

#[test]
fn what_says_nothing_is_refused_and_changes_nothing() {
    let sandbox = Sandbox::quiet();
    sandbox
        .cli(&["notes", "add", "Buy tea.", "--title", "Tea"])
        .ended(0);
    let before = sandbox.json(&["audit", "head"]);
    let cases: &[(&[&str], &str)] = &[
        (&["ram", "set", "state", "foo"], "record_organizing"),
        (&["ram", "set", "state", ""], "planning, "),
        (&["notes", "edit", "Tea", "--title", ""], "--title is empty"),
        (&["notes", "edit", "Tea", "--kind", " "], "--kind is empty"),
        (&["notes", "add", ""], "the note is empty"),
        (&["notes", "add", " \n"], "the note is empty"),
        (&["notes", "search", ""], "`notes list`"),
    ];
    for (arguments, told) in cases {
        let done = sandbox.cli(arguments).ended(2);
        assert!(done.stderr.contains("error[USAGE]"), "{done:?}");
        assert!(done.stderr.contains(told), "{told}: {done:?}");
    }
    assert_eq!(sandbox.json(&["audit", "head"]), before);
    for state in ["executing", "thinking"] {
        sandbox.cli(&["ram", "set", "state", state]).ended(0);
    }
}

#[test]
fn notes_show_tells_who_wrote_it_when_and_what_is_wrong_with_it() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let car = sandbox.json(&["notes", "add", "Level 2.", "--title", "Car"]);
    let id = car["id"].as_str().unwrap_or_default();
    let text = format!("See [[{id}]].");
    sandbox
        .cli(&["notes", "add", &text, "--title", "Tea"])
        .ended(0);
    peer.push(Step::reply(
        "<record_issue><key>Tea</key><value>too short</value><metadata>{}</metadata></record_issue>\
         <record_add><keywords>x</keywords><value>y</value><title>Own</title></record_add>",
    ));
    let run = sandbox.json(&["once", "--task", "look"]);
    let text = sandbox.cli(&["notes", "show", "Tea"]).ended(0).stdout;
    for (name, value) in [("by", "user"), ("links", id), ("open issues", "too short")] {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{name} ")));
        assert!(
            line.is_some_and(|line| line.ends_with(value)),
            "{name}: {text}"
        );
    }
    assert!(text.contains("created  "), "{text}");
    let own = sandbox.cli(&["notes", "show", "Own"]).ended(0).stdout;
    let author = format!("agent, run {}", run["run_id"].as_str().unwrap_or_default());
    assert!(own.contains(&author), "{own}");
}

#[test]
fn help_keeps_a_verbs_own_options_apart_and_is_a_verb_itself() {
    let sandbox = Sandbox::empty();
    let own = sandbox.cli(&["run", "--help"]).ended(0).stdout;
    let (verbs, all) = own.split_once("Global options:").unwrap_or_default();
    assert!(
        verbs.contains("--task") && !verbs.contains("--root"),
        "{own}"
    );
    assert!(all.contains("--root") && all.contains("--format"), "{own}");
    let help = sandbox.cli(&["help", "run"]).ended(0);
    assert!(help.stdout.contains("--max-iterations"), "{help:?}");
    let help = sandbox.cli(&["help"]).ended(0);
    assert!(help.stdout.contains("\n  notes "), "{help:?}");
    let done = sandbox.cli(&["help", "fly"]).ended(2);
    assert!(done.stderr.contains("no verb and no topic"), "{done:?}");
}

#[test]
fn help_prints_topics_and_names_the_nearest() {
    let sandbox = Sandbox::empty();
    let all = sandbox.cli(&["help"]).ended(0).stdout;
    let page = sandbox.cli(&["man"]).ended(0).stdout;
    for topic in kjxlkj_agent::help::TOPICS {
        let told = format!("\n  {} ", topic.name);
        assert!(all.contains(&told), "{}: {all}", topic.name);
        let text = sandbox.cli(&["help", topic.name]).ended(0).stdout;
        let title = topic.text.lines().next().unwrap_or_default();
        assert!(text.lines().any(|line| line == title), "{text}");
        let head = format!("TOPIC {}: ", topic.name);
        assert!(page.contains(&head), "{head}");
        let shown = sandbox.json(&["help", topic.name]);
        assert_eq!(shown["topic"], topic.text, "{}", topic.name);
    }
    // A word that is both a verb and a topic gets both.
    let both = sandbox.cli(&["help", "rules"]).ended(0).stdout;
    assert!(both.contains("Usage: kjxlkj-agent rules") && both.contains("# Rules"));
    let part = sandbox.json(&["help", "notes", "add"]);
    assert!(
        part["verb"]
            .as_str()
            .is_some_and(|it| it.contains("--title"))
    );
    assert_eq!(part.get("topic"), None);
    let list = sandbox.json(&["help"]);
    assert_eq!(list["topics"][0]["name"], "start");
    assert!(list["verbs"].as_array().is_some_and(|it| it.len() > 20));
    let done = sandbox.cli(&["help", "memroy"]).ended(2);
    assert!(
        done.stderr.contains("Did you mean `help memory`?"),
        "{done:?}"
    );
    assert!(sandbox.snapshot().is_empty());
}

#[test]
fn standard_output_that_is_full_has_a_hint_of_its_own() {
    let sandbox = Sandbox::empty();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = sandbox.command(&["explain"]);
    command.stdout(full);
    let done = finished(command).ended(74);
    assert!(done.stderr.contains("error[DISK_FULL]"), "{done:?}");
    assert_eq!(
        hints(&done),
        ["Send it where there is room, and repeat the command."]
    );
}

#[test]
fn parse_reads_pipes_and_refuses_folders() {
    let sandbox = Sandbox::empty();
    let reply = "<ram_delete><key>a</key></ram_delete>";
    let done = sandbox.cli_reading(&["parse", "/dev/stdin"], reply.as_bytes());
    assert!(done.ended(0).stdout.contains("ram_delete  key: a"));
    let pipe = sandbox.path("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
    let writer = std::thread::spawn(move || std::fs::write(pipe, reply));
    let done = sandbox.cli(&["parse", "pipe"]).ended(0);
    assert!(done.stdout.contains("ram_delete  key: a"), "{done:?}");
    writer.join().unwrap().unwrap();

    let done = sandbox.cli(&["parse", "."]).ended(2);
    assert!(done.stderr.contains("this is a folder"), "{done:?}");
    let done = sandbox.cli(&["parse", "/dev/zero"]).ended(1);
    assert!(done.stderr.contains("LIMIT_EXCEEDED"), "{done:?}");
    let done = sandbox.cli_reading(&["parse"], b"\xff\xfe").ended(1);
    assert_eq!(hints(&done), ["Save it as UTF-8 and try again."]);
}

#[test]
fn a_run_that_was_refused_points_to_what_was_refused() {
    let wrong = "<record_update><key>Nowhere</key><value>x</value></record_update>";
    let peer = Peer::answering(move |request, index| {
        let said = if index == 0 { wrong } else { "" };
        Step::reply(&(answer(&state_in(request), index) + said))
    });
    let sandbox = Sandbox::with(&peer);
    let done = sandbox.cli(&["run", "--task", "x"]).ended(1);
    assert!(done.stdout.contains("RECORD_NOT_FOUND"), "{done:?}");
    assert!(hints(&done)[0].contains("`runs show ID`"), "{done:?}");
}

#[test]
fn status_speaks_of_an_unknown_window_once() {
    let sandbox = Sandbox::quiet();
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert_eq!(text.matches("window").count(), 1, "{text}");
    sandbox.configure(NOBODY[0], &json!({"provider": {"context_tokens": 8192}}));
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(text.contains("window 8192"), "{text}");
}

#[test]
fn a_recording_is_never_taken_for_a_model() {
    let sandbox = Sandbox::quiet();
    let quiet = sandbox.cli(&["demo", "--recorded", "-q"]).ended(0);
    assert!(quiet.stderr.contains("RECORDING: "), "{quiet:?}");
    let program = env!("CARGO_BIN_EXE_kjxlkj-agent");
    assert!(
        quiet.stdout.contains(&format!("{program} --root /")),
        "{quiet:?}"
    );
    assert!(!quiet.stdout.contains("init && "), "{quiet:?}");
    let data = sandbox.json(&["demo", "--recorded", "-q"]);
    assert_eq!(data["recorded"], json!(true));
    let root = data["root"].as_str().unwrap_or_default();
    assert_eq!(
        names(&std::path::Path::new(root).join("data/notes")).len(),
        2
    );
    std::fs::remove_dir_all(root).unwrap();
    let folder = quiet.stdout.split(" --root ").nth(1).unwrap_or_default();
    let folder = folder.split_whitespace().next().unwrap_or_default();
    std::fs::remove_dir_all(folder).unwrap();
}

/// Links are told both ways, what is missing included, and a new note's like is hinted at.
#[test]
fn notes_show_and_add_tell_of_links_and_of_near_duplicates() {
    let sandbox = Sandbox::quiet();
    let note = |title: &str, text: &str| {
        sandbox
            .cli(&["notes", "add", text, "--title", title])
            .ended(0)
    };
    let first = note("Oven", "Stands in the [[Kitchen]], bought with [[Lamp]].");
    assert_eq!(hints(&first), Vec::<&str>::new());
    note("Kitchen", "The bins go out on Friday.");
    let second = note("Bins", "bins go out on friday, the");
    assert!(
        hints(&second)[0].contains("much the same is said by Kitchen"),
        "{second:?}"
    );
    // The title was written later than the link to it.
    let kitchen = sandbox.json(&["notes", "show", "Kitchen"]);
    assert_eq!(kitchen["linked_from"][0]["title"], "Oven");
    assert_eq!(kitchen["linked_from"][0]["missing"], false);
    let oven = sandbox.json(&["notes", "show", "Oven"]);
    assert_eq!(oven["linked_to"][0]["id"], kitchen["id"]);
    let lamp = serde_json::json!({"id": null, "title": "Lamp", "missing": true});
    assert_eq!(oven["linked_to"][1], lamp);
    // A note that is gone is missing.
    let id = oven["id"].as_str().unwrap_or_default();
    note("List", &format!("[[{id}]]"));
    sandbox.cli(&["notes", "delete", "Oven"]).ended(0);
    let list = sandbox.cli(&["notes", "show", "List"]).ended(0).stdout;
    assert!(list.contains(&format!("{id} (missing)")), "{list}");
    let kitchen = sandbox.json(&["notes", "show", "Kitchen"]);
    assert_eq!(kitchen["linked_from"], serde_json::json!([]));
    let shown = sandbox.cli(&["notes", "show", "Bins"]).ended(0).stdout;
    assert!(!shown.contains("linked from"), "{shown}");
}
