//! The verbs that change something by a person's hand, the dry run of the parser, and the command
//! line itself.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test may stop at once, and it edits files as a person would"
)]

use super::sandbox::{Done, Sandbox, answer, finished, until, worker};
use crate::peer::{Peer, Step};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

#[track_caller]
fn refused(done: Done, exit: i32, code: &str) {
    let done = done.ended(exit);
    assert!(done.stderr.contains(&format!("error[{code}]")), "{done:?}");
    assert_eq!(done.stdout, "");
}

#[test]
fn init_writes_what_is_missing_and_never_overwrites() {
    let sandbox = Sandbox::empty();
    let made = sandbox.json(&["init", "--offline"]);
    let workspace = made["workspace_id"].as_str().unwrap().to_owned();
    let files = [
        "data/config.json",
        "data/agent-prompt.json",
        "data/prompts/extended.json",
        "data/rules.json",
        "data/agents/librarian.yaml",
        "data/small-model",
    ];
    for (file, shown) in files.iter().zip(made["files"].as_array().unwrap()) {
        assert_eq!(shown, &json!({"path": file, "written": true}));
        let mode = std::fs::metadata(sandbox.path(file)).unwrap().permissions();
        assert_eq!(mode.mode() & 0o077, 0, "{file} is private");
    }
    assert!(sandbox.read("data/config.json").contains(&workspace));
    sandbox.cli(&["config", "check"]).ended(0);

    sandbox.write("data/rules.json", "[ ]");
    std::fs::remove_file(sandbox.path("data/small-model")).unwrap();
    let again = sandbox.json(&["init", "--offline"]);
    assert_eq!(again["workspace_id"], json!(null));
    let written = again["files"].as_array().unwrap().iter();
    let written: Vec<bool> = written
        .map(|file| file["written"].as_bool().unwrap())
        .collect();
    assert_eq!(written, [false, false, false, false, false, true]);
    assert_eq!(sandbox.read("data/rules.json"), "[ ]");
    let text = sandbox.cli(&["init", "--offline"]).ended(0);
    assert!(text.stdout.contains("kept "), "{text:?}");

    sandbox.cli(&["init", "new/place", "--offline"]).ended(0);
    assert!(sandbox.path("new/place/data/config.json").exists());
    sandbox.cli(&["--root", "new/place", "status"]).ended(0);
}

#[test]
fn ram_is_read_and_changed_by_a_person() {
    let sandbox = Sandbox::quiet();
    sandbox
        .cli(&["ram", "set", "mood", "calm\nand warm"])
        .ended(0);
    assert_eq!(
        sandbox.cli(&["ram", "get", "mood"]).ended(0).stdout,
        "calm\nand warm\n"
    );
    assert_eq!(
        sandbox.json(&["ram", "get", "mood"]),
        json!({"key": "mood", "value": "calm\nand warm"})
    );
    sandbox
        .cli(&["ram", "set", "box", "{\"a\": [1, 2]}"])
        .ended(0);
    sandbox.cli(&["ram", "set", "steps", "one\ntwo"]).ended(0);
    sandbox.cli(&["ram", "set", "cold", "-5"]).ended(0);
    let done = sandbox.cli_reading(&["ram", "set", "long", "-"], "from a pipe".as_bytes());
    done.ended(0);
    let kv = sandbox.kv();
    assert_eq!(kv["box"], json!({"a": [1, 2]}));
    assert_eq!(kv["steps"], json!(["one", "two"]));
    assert_eq!(kv["cold"], json!("-5"));
    assert_eq!(kv["long"], json!("from a pipe"));
    let list = sandbox.json(&["ram", "list", "--limit", "3"]);
    let keys = list["items"].as_array().unwrap().iter();
    let keys: Vec<&str> = keys.map(|item| item["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["box", "cold", "context"]);
    assert_eq!(
        list["pagination"],
        json!({"total": 9, "limit": 3, "offset": 0, "hasMore": true})
    );

    sandbox.cli(&["ram", "delete", "mood"]).ended(0);
    refused(sandbox.cli(&["ram", "get", "mood"]), 1, "KEY_NOT_FOUND");
    refused(sandbox.cli(&["ram", "delete", "mood"]), 1, "KEY_NOT_FOUND");
    for key in ["archived", "metrics"] {
        let set = sandbox.cli(&["ram", "set", key, "mine"]);
        refused(set, 1, "PATH_INVALID");
        let delete = sandbox.cli(&["ram", "delete", key]);
        refused(delete, 1, "KEY_NOT_FOUND");
    }
    refused(
        sandbox.cli(&["ram", "set", "a/../b", "x"]),
        1,
        "PATH_INVALID",
    );
    let large = "x".repeat(20_000);
    refused(
        sandbox.cli(&["ram", "set", "a", &large]),
        1,
        "LIMIT_EXCEEDED",
    );

    // A person did it, and the trail says so.
    let audit = sandbox.json(&["audit", "list"]);
    let last = audit["items"].as_array().unwrap().last().unwrap();
    assert_eq!(last["actor_type"], json!("user"));
    assert_eq!(last["op"], json!("ram.deleted"));
    assert_eq!(last["target"], json!("mood"));
    sandbox.cli(&["audit", "verify"]).ended(0);
}

/// The same document in both layouts, whichever files there are.
#[test]
fn both_layers_are_printed_as_one_document() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "mood", "calm"]).ended(0);
    let exported = sandbox.cli(&["ram", "export"]).ended(0).stdout;
    let both: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(both, json!({"working": sandbox.kv(), "storage": {}}));
    assert_eq!(sandbox.json(&["ram", "export"]), both);
    assert!(!sandbox.path("data/memory.json").exists());
    let config = sandbox.read("data/config.json");
    let mut config: Value = serde_json::from_str(&config).unwrap();
    config["memory"]["layout"] = json!("unified");
    sandbox.write("data/config.json", &config.to_string());
    sandbox.cli(&["ram", "set", "mood", "warm"]).ended(0);
    let exported = sandbox.cli(&["ram", "export"]).ended(0).stdout;
    assert_eq!(sandbox.read("data/memory.json"), exported);
    assert!(exported.contains("\"mood\": \"warm\""), "{exported}");
}

#[test]
fn a_hand_edit_goes_before_a_verb_and_is_kept() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "a", "1"]).ended(0);
    let mut kv = sandbox.kv();
    kv["by_hand"] = json!("yes");
    kv["state"] = json!("executing");
    sandbox.write("data/agent-kv-store.json", &kv.to_string());
    sandbox.cli(&["ram", "set", "b", "2"]).ended(0);
    let after = sandbox.kv();
    assert_eq!(after["by_hand"], json!("yes"));
    assert_eq!(after["state"], json!("executing"));
    assert_eq!((&after["a"], &after["b"]), (&json!("1"), &json!("2")));

    let mut kv = sandbox.kv();
    kv.as_object_mut().unwrap().remove("state");
    sandbox.write("data/agent-kv-store.json", &kv.to_string());
    sandbox.cli(&["ram", "delete", "a"]).ended(0);
    assert_eq!(sandbox.json(&["prompt"])["state"], json!("planning"));
}

#[test]
fn notes_are_added_and_found_by_a_person() {
    let sandbox = Sandbox::quiet();
    let arguments = [
        "notes",
        "add",
        "Buy tea.",
        "--title",
        "Tea",
        "--keywords",
        "tea, shop,tea",
    ];
    let note = sandbox.json(&arguments);
    let id = note["id"].as_str().unwrap().to_owned();
    assert_eq!(note["keywords"], json!(["tea", "shop"]));
    assert_eq!(note["version"], json!(1));
    assert_eq!(
        note["created_by"],
        json!({"actor_type": "user", "run_id": null})
    );
    let file: Value =
        serde_json::from_str(&sandbox.read(&format!("data/notes/{id}.json"))).unwrap();
    assert_eq!(file, note);
    let coffee = sandbox.cli_reading(&["notes", "add", "-"], "Coffee, [[x]]".as_bytes());
    assert!(coffee.ended(0).stdout.contains("Coffee, [[x]]"));

    for key in [id.as_str(), "Tea", "shop, tea"] {
        assert_eq!(
            sandbox.json(&["notes", "show", key])["id"],
            json!(id),
            "{key}"
        );
    }
    let text = sandbox.cli(&["notes", "show", &id]).ended(0).stdout;
    assert!(
        text.contains("title") && text.ends_with("\n\nBuy tea.\n"),
        "{text}"
    );
}

#[test]
fn notes_are_changed_listed_and_searched_by_a_person() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Coffee"]).ended(0);
    let arguments = [
        "notes",
        "add",
        "Buy tea.",
        "--title",
        "Tea",
        "--keywords",
        "tea,shop",
    ];
    let note = sandbox.json(&arguments);
    let id = note["id"].as_str().unwrap().to_owned();
    let arguments = [
        "notes",
        "edit",
        "Tea",
        "--value",
        "- Buy green tea.",
        "--title",
        "Green tea",
    ];
    let edited = sandbox.json(&arguments);
    assert_eq!(edited["version"], json!(2));
    assert_eq!(
        edited["keywords"],
        json!(["tea", "shop"]),
        "absent fields stay"
    );
    refused(sandbox.cli(&["notes", "edit", &id]), 2, "USAGE");
    refused(
        sandbox.cli(&["notes", "edit", "Tea", "--title", "x"]),
        1,
        "RECORD_NOT_FOUND",
    );

    let list = sandbox.json(&["notes", "list"]);
    assert_eq!(list["pagination"]["total"], json!(2));
    assert_eq!(
        list["items"][0]["title"],
        json!("Green tea"),
        "last changed first"
    );
    assert_eq!(list["items"][0]["preview"], json!("- Buy green tea."));
    let hits = sandbox.json(&["notes", "search", "\"green tea\" buy"]);
    assert_eq!(hits["pagination"]["total"], json!(1));
    assert_eq!(
        sandbox.json(&["notes", "search", "milk"])["items"],
        json!([])
    );
    let text = sandbox.cli(&["notes", "list"]).ended(0).stdout;
    assert!(
        text.contains("Green tea") && text.contains(&id[..8]),
        "{text}"
    );
}

#[test]
fn a_deleted_note_leaves_the_folder_and_keeps_its_history() {
    let sandbox = Sandbox::quiet();
    let note = sandbox.json(&["notes", "add", "Buy tea."]);
    let id = note["id"].as_str().unwrap().to_owned();
    sandbox
        .cli(&["notes", "edit", &id, "--keywords", "tea"])
        .ended(0);
    sandbox.cli(&["notes", "delete", &id]).ended(0);
    refused(sandbox.cli(&["notes", "show", &id]), 1, "RECORD_NOT_FOUND");
    refused(
        sandbox.cli(&["notes", "delete", &id]),
        1,
        "RECORD_NOT_FOUND",
    );
    assert!(!sandbox.path(&format!("data/notes/{id}.json")).exists());
    let history = sandbox.json(&["notes", "history", &id]);
    let versions = history["items"].as_array().unwrap().iter();
    let versions: Vec<&Value> = versions
        .map(|version| &version["note"]["version"])
        .collect();
    assert_eq!(versions, [&json!(1), &json!(2), &json!(3)]);
    assert!(history["items"][2]["note"]["deleted_at"].is_string());
    let text = sandbox.cli(&["notes", "history", &id]).ended(0).stdout;
    assert!(text.contains("deleted"), "{text}");
    let nobody = "0190b5a0-0000-7000-8000-000000000000";
    refused(
        sandbox.cli(&["notes", "history", nobody]),
        1,
        "RECORD_NOT_FOUND",
    );
}

#[test]
fn an_ambiguous_note_is_not_guessed() {
    let sandbox = Sandbox::quiet();
    for _ in 0..2 {
        sandbox
            .cli(&["notes", "add", "x", "--title", "Same"])
            .ended(0);
    }
    let shown = sandbox.cli(&["notes", "show", "Same"]);
    for note in sandbox.json(&["notes", "list"])["items"]
        .as_array()
        .unwrap()
    {
        assert!(
            shown.stderr.contains(note["id"].as_str().unwrap()),
            "{shown:?}"
        );
    }
    refused(shown, 1, "RECORD_KEY_AMBIGUOUS");
    refused(
        sandbox.cli(&["notes", "delete", "Same"]),
        1,
        "RECORD_KEY_AMBIGUOUS",
    );
    assert_eq!(
        sandbox.json(&["notes", "list"])["pagination"]["total"],
        json!(2)
    );
}

#[test]
fn issues_of_the_model_are_listed() {
    use crate::peer::{Peer, Step};
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    sandbox
        .cli(&["notes", "add", "x", "--title", "Tea"])
        .ended(0);
    peer.push(Step::reply(
        "<record_issue><key>Tea</key><value>too short</value><metadata>{\"a\": 1}</metadata></record_issue>",
    ));
    sandbox.cli(&["once", "--task", "look"]).ended(0);
    let issues = sandbox.json(&["notes", "issues"]);
    assert_eq!(issues["items"][0]["title"], json!("Tea"));
    assert_eq!(issues["items"][0]["text"], json!("too short"));
    assert_eq!(issues["items"][0]["metadata"], json!({"a": 1}));
    assert_eq!(issues["items"][0]["open"], json!(true));
    let text = sandbox.cli(&["notes", "issues"]).ended(0).stdout;
    assert!(text.contains("too short"), "{text}");
}

#[test]
fn parse_shows_what_a_reply_means() {
    let sandbox = Sandbox::empty();
    let reply = "<ram_add><key>think_log</key><value>I look.</value></ram_add>\n\
                 <record_search><query>meeting notes</query></record_search>";
    let done = sandbox.cli_reading(&["parse", "--format", "json"], reply.as_bytes());
    let parsed = done.ended(0).json();
    assert_eq!(parsed["ok"], json!(true));
    assert_eq!(
        parsed["instructions"],
        json!([
            {"op": "ram_add", "key": "think_log", "value": "I look."},
            {"op": "record_search", "query": "meeting notes"},
        ])
    );
    assert_eq!(parsed["diagnostics"], json!([]));
    assert_eq!(parsed["reasoning"], json!(null));
    assert_eq!(parsed["parser_version"], json!("xml_attrless/1.0.0"));
    let text = sandbox
        .cli_reading(&["parse"], reply.as_bytes())
        .ended(0)
        .stdout;
    assert!(
        text.contains("record_search  query: meeting notes"),
        "{text}"
    );
    assert!(
        text.ends_with("ok: 2 instructions, 0 diagnostics\n"),
        "{text}"
    );

    // From a file, with prose around: repaired, or refused in strict mode.
    sandbox.write("reply.txt", &format!("Sure!\n{reply}"));
    let parsed = sandbox.json(&["parse", "reply.txt"]);
    assert_eq!(parsed["instructions"].as_array().unwrap().len(), 2);
    assert_eq!(parsed["diagnostics"][0]["repaired"], json!(true));
    let strict = sandbox
        .cli(&["parse", "reply.txt", "--strict", "--format", "json"])
        .ended(1);
    assert_eq!(strict.json()["ok"], json!(false));
    assert_eq!(
        strict.json()["diagnostics"][0]["code"],
        json!("XML_PARSE_ERROR")
    );
    assert_eq!(strict.json()["diagnostics"][0]["line"], json!(1));

    // A reply that the server cut loses what was open.
    let cut = &reply[..reply.len() - "</record_search>".len()];
    let whole = sandbox.cli_reading(&["parse", "--format", "json"], cut.as_bytes());
    assert_eq!(
        whole.ended(0).json()["instructions"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let arguments = ["parse", "--truncated", "--format", "json"];
    let cut = sandbox
        .cli_reading(&arguments, cut.as_bytes())
        .ended(0)
        .json();
    assert_eq!(cut["instructions"].as_array().unwrap().len(), 1);

    for nothing in ["", "no instruction at all", "<a b=\"c\">"] {
        sandbox.cli_reading(&["parse"], nothing.as_bytes()).ended(1);
    }
    refused(
        sandbox.cli_reading(&["parse"], b"\xff\xfe"),
        1,
        "XML_PARSE_ERROR",
    );
    refused(sandbox.cli(&["parse", "missing.txt"]), 2, "USAGE");
}

#[test]
fn there_is_no_instruction_that_reads_ram() {
    let sandbox = Sandbox::quiet();
    let reply = "<ram_get><key>plan</key></ram_get><ram_delete><key>a</key></ram_delete>";
    let parsed = sandbox.cli_reading(&["parse", "--format", "json"], reply.as_bytes());
    let parsed = parsed.ended(0).json();
    assert_eq!(
        parsed["instructions"],
        json!([{"op": "ram_delete", "key": "a"}])
    );
    assert_eq!(
        parsed["diagnostics"][0]["code"],
        json!("INSTRUCTION_INVALID")
    );
    assert_eq!(parsed["diagnostics"][0]["dropped"], json!("ram_get"));
}

#[test]
fn the_prompt_file_of_the_root_says_which_tags_parse_knows() {
    let sandbox = Sandbox::quiet();
    let prompt = sandbox.read("data/agent-prompt.json");
    let mut prompt: Value = serde_json::from_str(&prompt).unwrap();
    prompt["allowed_tags"] = json!(["ram_add"]);
    sandbox.write("data/agent-prompt.json", &prompt.to_string());
    let reply = "<ram_delete><key>a</key></ram_delete>";
    sandbox.cli_reading(&["parse"], reply.as_bytes()).ended(1);
    sandbox.write("data/agent-prompt.json", "{");
    // While it is broken, the shipped ones are known, and that is said.
    let done = sandbox.cli_reading(&["parse"], reply.as_bytes()).ended(0);
    assert!(
        done.stderr
            .contains("read with the shipped tags; data/agent-prompt.json:1:"),
        "{done:?}"
    );
}

#[test]
fn a_command_line_that_is_wrong_is_usage() {
    let sandbox = Sandbox::quiet();
    let cases: [&[&str]; 9] = [
        &["fly"],
        &["ask"],
        &["ram"],
        &["ram", "set", "a"],
        &["status", "--colour"],
        &["--format", "yaml", "status"],
        &["run", "--max-iterations", "0"],
        &["notes", "list", "--limit", "many"],
        &["rules", "fly"],
    ];
    for arguments in cases {
        let done = sandbox.cli(arguments);
        assert!(done.stderr.contains("hint: "), "{arguments:?}: {done:?}");
        refused(done, 2, "USAGE");
    }
    let done = sandbox
        .cli(&["ram", "set", "a", "--format", "json"])
        .ended(2);
    assert_eq!(done.error()["code"], json!("USAGE"));
    assert_eq!(done.error()["retryable"], json!(false));
    assert!(
        done.error()["message"]
            .as_str()
            .unwrap()
            .contains("<VALUE>"),
        "{done:?}"
    );
    let done = sandbox.cli(&["statsu"]).ended(2);
    assert!(
        done.stderr.contains("status"),
        "the nearest is named: {done:?}"
    );
}

#[test]
fn help_and_version_are_data() {
    let sandbox = Sandbox::empty();
    let version = sandbox.cli(&["-V"]).ended(0).stdout;
    assert_eq!(
        version,
        format!("kjxlkj-agent {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = sandbox.cli(&["--help"]).ended(0);
    assert_eq!(help.stderr, "");
    for verb in [
        "daemon",
        "init",
        "once",
        "run",
        "ask",
        "demo",
        "status",
        "doctor",
        "config",
        "ram",
        "notes",
        "rules",
        "runs",
        "audit",
        "parse",
        "prompt",
        "explain",
        "review",
        "trace",
        "why",
        "undo",
        "replay",
        "service",
        "completions",
        "man",
        "help",
    ] {
        assert!(
            help.stdout.contains(&format!("\n  {verb} ")),
            "{verb}: {}",
            help.stdout
        );
        let own = sandbox.cli(&[verb, "-h"]).ended(0).stdout;
        assert!(own.contains("Usage: kjxlkj-agent"), "{own}");
    }
}

#[test]
fn a_reader_that_goes_away_is_a_quiet_success() {
    let sandbox = Sandbox::empty();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = sandbox.command(&["explain"]);
    command.stdout(writer);
    let done = finished(command).ended(0);
    assert_eq!(done.stderr, "");
}

#[test]
fn what_a_model_wrote_cannot_steer_the_terminal() {
    let hostile = "red \u{1b}[31m \u{9b}2J \u{7f}\u{202e} title";
    let title = hostile.to_owned();
    let peer = Peer::answering(move |request, index| {
        let note = format!(
            "<record_add><keywords>{title}</keywords><value>beep \u{7} {title}</value>\
             <title>{title}</title></record_add><ram_add><key>{title}</key><value>{title}</value>\
             </ram_add><{title}>x</{title}><state_add><state>{title}</state></state_add>"
        );
        let text = answer(&super::sandbox::state_in(request), index);
        Step::reply(&if index == 0 {
            title.clone()
        } else {
            text + &note
        })
    });
    let sandbox = Sandbox::with(&peer);
    std::fs::create_dir_all(sandbox.path("data/inbox")).unwrap();
    sandbox.write(&format!("data/inbox/{hostile}.json"), "no JSON");
    let daemon = sandbox.start(&["daemon", "-vvvv"]);
    sandbox.cli(&["ask", hostile]).ended(0);
    daemon.wait_for("run ended", 2);
    let steers = |c: char| kjxlkj_agent::plain_text::steers(c) && !matches!(c, '\n' | '\t');
    let (_, said) = daemon.end_by(Signal::TERM);
    assert!(said.contains("the request in red "), "{said}");
    assert!(!said.contains(steers), "{said:?}");

    let run = sandbox.json(&["runs", "list"])["items"][0]["run_id"].clone();
    let run = run.as_str().unwrap();
    let note = sandbox.json(&["notes", "list"])["items"][0]["id"].clone();
    let note = note.as_str().unwrap();
    sandbox.cli(&["ram", "set", "mood", hostile]).ended(0);
    for arguments in [
        &["notes", "list"][..],
        &["notes", "show", note],
        &["notes", "history", note],
        &["notes", "search", "red"],
        &["notes", "show", hostile],
        &["ram", "list"],
        &["ram", "get", "mood"],
        &["runs", "list"],
        &["runs", "show", run],
        &["runs", "show", hostile],
        &["status"],
        &["prompt"],
        &["audit", "list"],
        &["explain", hostile],
        &["config", "show", "--root", hostile],
        &[hostile],
        &["run", "--task", hostile],
    ] {
        for format in ["text", "json"] {
            let done = sandbox.cli(&[arguments, &["--format", format]].concat());
            assert!(!done.stdout.contains(steers), "{arguments:?}: {done:?}");
            assert!(!done.stderr.contains(steers), "{arguments:?}: {done:?}");
        }
    }
    let shown = sandbox.json(&["ram", "get", "mood"]);
    assert_eq!(shown["value"], json!(hostile), "JSON keeps the value");
    let shown = sandbox.cli(&["ram", "get", "mood"]).ended(0).stdout;
    assert!(shown.contains("\\u{1b}[31m \\u{9b}2J"), "{shown}");
}

#[test]
fn the_log_follows_the_configuration_and_the_switches() {
    let text = logged("text", &["daemon"], &[]);
    assert!(text.contains("INFO") && !text.contains("DEBUG"), "{text}");
    let lines = logged("auto", &["daemon", "-v"], &[]);
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["message"], json!("started"));
    assert_eq!(lines[0]["model"], json!("peer-model"));
    assert!(lines.iter().any(|line| line["level"] == "DEBUG"));
    assert_eq!(logged("text", &["-qq"], &[]), "");
    let all = logged("json", &["-vvvv"], &[]);
    assert!(!all.contains("Buy tea"), "no note text in the log: {all}");
    // The older flat key stands for the level.
    let text = logged("debug mode", &["daemon"], &[]);
    assert!(text.contains("DEBUG"), "{text}");
}

#[test]
fn each_phase_has_its_sign_in_the_log_that_people_read() {
    let signs = [
        "\u{1F680} run",
        "\u{1F9ED} planning",
        "\u{1F528} executing",
        "\u{1F50D} evaluating",
    ];
    let text = logged("text", &["daemon"], &[]);
    for sign in signs {
        assert!(text.contains(sign), "{sign}: {text}");
    }
    for (format, variables) in [("text", &[("NO_COLOR", "1")][..]), ("json", &[])] {
        let plain = logged(format, &["daemon"], variables);
        assert!(plain.is_ascii() && plain.contains("planning"), "{plain}");
    }
}

#[test]
fn what_was_not_applied_is_a_warning_in_the_log() {
    use crate::peer::{Peer, Step};
    let peer = Peer::answering(|_, _| {
        Step::reply(
            "<launch><code>Buy tea</code></launch><ram_delete><key>a</key></ram_delete>\
             <record_update><key>Buy tea</key><value>x</value></record_update>",
        )
    });
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"loop": {"max_iterations": 1}}));
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("run ended", 1);
    let (_, said) = daemon.end_by(Signal::TERM);
    for (op, code) in [
        ("launch", "INSTRUCTION_INVALID"),
        ("record_update", "RECORD_NOT_FOUND"),
    ] {
        let line = said.lines().find(|line| line.contains(op)).unwrap();
        assert!(line.contains("WARN") && line.contains(code), "{line}");
        assert!(line.contains("iteration=1"), "{line}");
    }
    assert!(!said.contains("Buy tea"), "{said}");
}

/// What a daemon says while it does its first run, with a log of that format.
fn logged(format: &str, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let log = match format {
        "debug mode" => {
            let mut config: Value =
                serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
            config["system_debug_mode"] = json!(true);
            config["log"] = json!({"format": "text"});
            config.to_string()
        }
        format => {
            sandbox.configure(&peer.base_url(), &json!({"log": {"format": format}}));
            sandbox.read("data/config.json")
        }
    };
    sandbox.write("data/config.json", &log);
    let mut command = sandbox.command(arguments);
    command.envs(variables.iter().copied());
    sandbox.give_work();
    let daemon = super::sandbox::started(command);
    peer.wait_for_requests(3, super::sandbox::DEADLINE);
    until("rest", || (sandbox.kv()["state"] == "idle").then_some(()));
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    said
}

#[test]
fn undo_takes_a_run_back_says_so_before_and_can_itself_be_undone() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let record = sandbox.json(&["run", "--task", "Remember tea"]);
    let run_id = record["run_id"].as_str().unwrap();
    let (files, kv) = (sandbox.json(&["notes", "list"]), sandbox.kv());
    assert_eq!(files["pagination"]["total"], 1);
    // Not even a hand edit that lies there is taken in.
    let mut edited = sandbox.kv();
    edited["mood"] = json!("calm");
    let unedited = sandbox.read("data/agent-kv-store.json");
    sandbox.write("data/agent-kv-store.json", &edited.to_string());
    let before = sandbox.snapshot();
    let rehearsed = sandbox.json(&["runs", "undo", run_id, "--dry-run"]);
    assert_eq!(rehearsed["dry_run"], true);
    assert!(!rehearsed["changes"].as_array().unwrap().is_empty());
    assert!(sandbox.snapshot() == before, "a rehearsal writes nothing");
    sandbox.write("data/agent-kv-store.json", &unedited);
    assert_eq!(sandbox.json(&["notes", "list"]), files);
    let done = sandbox.cli(&["runs", "undo", run_id]).ended(0);
    assert!(done.stdout.starts_with("took back "), "{done:?}");
    assert!(done.stdout.contains("-> note.deleted "), "{done:?}");
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 0);
    let fresh = Sandbox::quiet();
    fresh.cli(&["ram", "set", "mood", "x"]).ended(0);
    fresh.cli(&["ram", "delete", "mood"]).ended(0);
    let mut before = fresh.kv();
    before["state"] = json!("idle");
    assert_eq!(sandbox.kv(), before, "as before the first run, but at rest");
    let trace = sandbox.cli(&["trace", run_id]).ended(0).stdout;
    assert!(trace.contains("undo by user"), "{trace}");
    let done = sandbox.cli(&["runs", "undo", run_id]).ended(0);
    assert!(done.stdout.contains("nothing to take back"), "{done:?}");
    let undone = sandbox.json(&["trace", run_id]);
    let steps = undone["steps"].as_array().unwrap();
    let at = steps.last().unwrap()["ts"].as_str().unwrap();
    sandbox.cli(&["undo", "--since", at]).ended(0);
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 1);
    assert_eq!(sandbox.kv(), kv);
    sandbox
        .cli(&["notes", "edit", "Tea 1", "--value", "mine"])
        .ended(0);
    let done = sandbox.cli(&["runs", "undo", run_id]).ended(1);
    for part in ["VERSION_CONFLICT", "--- would be again:\n(no note)", "mine"] {
        assert!(done.stdout.contains(part), "{part}: {done:?}");
    }
    sandbox.cli(&["undo", "--since", "never"]).ended(2);
    sandbox
        .cli(&["undo", "--since", "2999-01-01T00:00:00Z"])
        .ended(2);
    let done = sandbox.cli(&["runs", "undo", "none"]).ended(1);
    assert!(done.stderr.contains("RUN_NOT_FOUND"), "{done:?}");
}

/// Of a run that is taken back in part nothing is asked for again, by no daemon that lives, and it is said so.
#[test]
fn a_living_daemon_does_not_work_again_on_what_is_taken_back() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(
        &peer.base_url(),
        &json!({"loop": {"idle_profile": "sleep", "loop_delay_ms": 20}}),
    );
    let record = sandbox.json(&["run", "--task", "Remember tea"]);
    let run_id = record["run_id"].as_str().unwrap();
    let audit = sandbox.json(&["audit", "list"]);
    let mut entries = audit["items"].as_array().unwrap().iter();
    let inside = entries.find(|entry| entry["iteration"] == json!(2));
    let since = inside.unwrap()["ts"].as_str().unwrap();
    let daemon = sandbox.daemon();
    let done = sandbox.cli(&["undo", "--since", since]).ended(0);
    assert!(done.stdout.contains("note.deleted"), "{done:?}");
    assert!(
        done.stdout
            .contains(&format!("run {run_id} is taken back in part")),
        "{done:?}"
    );
    let kv = sandbox.kv();
    assert_eq!((&kv["state"], &kv["steps"]), (&json!("idle"), &json!([])));
    assert_eq!(kv["context"], json!({}));
    // Whatever the undo had opened would come first.
    sandbox.cli(&["ask", "Remember bread"]).ended(0);
    let runs = until("the next request", || {
        let runs = sandbox.json(&["runs", "list"])["items"].clone();
        let is_done = |run: &Value| {
            run["request"] == json!("Remember bread") && run["state"] == json!("Succeeded")
        };
        runs.as_array().unwrap().iter().any(is_done).then_some(runs)
    });
    assert_eq!(runs.as_array().unwrap().len(), 2, "{runs:#}");
    assert_eq!(peer.request_count(), 6);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

/// How each surface tells of a run that has proposed a note: of how many proposals that wait, and that the
/// instruction was no more than a proposal.
fn is_told(sandbox: &Sandbox, run_id: &str, waiting: u64, state: &str) {
    let shown = sandbox.json(&["runs", "show", run_id]);
    assert_eq!(shown["stop_reason"], "pending_review", "why it stopped");
    assert_eq!(shown["proposals_waiting"], waiting, "{shown}");
    let add = |entries: &Value| {
        let entries = entries.as_array().unwrap().iter();
        let mut adds = entries.filter(|entry| entry["op"] == "record_add");
        let add = adds.next().unwrap();
        assert_eq!(
            (&add["outcome"], &add["proposed"]),
            (&json!("applied"), &json!(true))
        );
    };
    add(&shown["operations"]);
    add(&sandbox.json(&["audit", "list", "--run", run_id])["items"]);
    let list = sandbox.json(&["runs", "list"]);
    let mut runs = list["items"].as_array().unwrap().iter();
    let listed = runs.find(|run| run["run_id"] == run_id).unwrap();
    assert_eq!(listed["proposals_waiting"], waiting, "{listed}");
    for words in [
        &["runs", "list"][..],
        &["runs", "show", run_id],
        &["trace", run_id],
    ] {
        let text = sandbox.cli(words).ended(0).stdout;
        let is_about = |line: &&str| line.contains(&run_id[..8]) || line.starts_with("state");
        let told: Vec<&str> = text.lines().filter(is_about).collect();
        assert!(
            told.iter().any(|line| line.contains(state)),
            "{words:?}: {told:?}"
        );
    }
    let text = sandbox
        .cli(&["audit", "list", "--run", run_id])
        .ended(0)
        .stdout;
    let add = text.lines().find(|line| line.contains("record_add"));
    assert!(add.unwrap().contains("proposed"), "{text}");
    let first = sandbox.json(&["audit", "list", "--run", run_id])["items"][0].clone();
    assert_eq!(first["proposed"], json!(false), "{first}");
}

#[test]
fn proposals_are_listed_shown_approved_edited_and_rejected() {
    let peer = worker();
    let sandbox = Sandbox::empty();
    sandbox.configure(&peer.base_url(), &json!({}));
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["mode"] = json!("reviewed");
    sandbox.write("data/config.json", &config.to_string());
    for task in ["one", "two", "three"] {
        let record = sandbox.json(&["run", "--task", task]);
        assert_eq!(record["stop_reason"], "pending_review", "{record}");
        assert_eq!(record["mode"], "reviewed");
    }
    let status = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(status.contains("3 proposals for you"), "{status}");
    assert_eq!(sandbox.json(&["status"])["proposals"], 3);
    let list = sandbox.json(&["review", "list"]);
    assert_eq!(list["pagination"]["total"], 3);
    let run_id = list["items"][0]["run_id"].as_str().unwrap().to_owned();
    let trace = sandbox.cli(&["trace", &run_id]).ended(0).stdout;
    assert!(trace.contains("-> proposal.made 1 \""), "{trace}");
    assert!(trace.contains("proposed record_add"), "{trace}");
    is_told(&sandbox, &run_id, 1, "Succeeded (pending review)");
    assert_eq!(list["items"][0]["wanted"], "create");
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 0);
    let text = sandbox.cli(&["review", "show", "1"]).ended(0).stdout;
    assert!(text.contains("Buy tea"), "{text}");
    sandbox
        .cli(&["review", "edit", "1", "--title", "Mine"])
        .ended(0);
    is_told(&sandbox, &run_id, 0, "Succeeded (reviewed)");
    let trace = sandbox.cli(&["trace", &run_id]).ended(0).stdout;
    assert!(trace.contains("-> proposal.edited 1"), "{trace}");
    let done = sandbox
        .cli(&["review", "reject", "2", "--reason", "no"])
        .ended(0);
    assert!(done.stdout.contains("proposal 2: rejected"), "{done:?}");
    // Named twice, meant once.
    let report = sandbox.json(&["review", "approve", "3", "3"]);
    assert_eq!(report["decided"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["decided"][0]["number"], 3);
    let notes = sandbox.json(&["notes", "list"]);
    assert_eq!(notes["pagination"]["total"], 2);
    sandbox.cli(&["notes", "show", "Mine"]).ended(0);
    assert_eq!(sandbox.json(&["review", "list"])["pagination"]["total"], 0);
    refused(
        sandbox.cli(&["review", "approve", "3"]),
        1,
        "PROPOSAL_NOT_FOUND",
    );
    sandbox.cli(&["review", "approve"]).ended(2);
    let done = sandbox.cli(&["review", "edit", "1"]);
    assert_eq!(done.code, Some(2));
    let trail = sandbox.json(&["audit", "list"]);
    let ops = trail["items"].as_array().unwrap().iter();
    let mut decided: Vec<&str> = ops
        .filter_map(|entry| entry["op"].as_str()?.strip_prefix("proposal."))
        .collect();
    decided.sort_unstable();
    assert_eq!(decided, ["approved", "edited", "rejected"]);
}

#[test]
fn proposals_are_decided_while_a_daemon_runs() {
    let peer = worker();
    let sandbox = Sandbox::empty();
    sandbox.configure(
        &peer.base_url(),
        &json!({"loop": {"idle_profile": "sleep"}}),
    );
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["mode"] = json!("reviewed");
    sandbox.write("data/config.json", &config.to_string());
    for task in ["one", "two", "three"] {
        sandbox.cli(&["run", "--task", task]).ended(0);
    }
    let daemon = sandbox.daemon();
    sandbox.cli(&["review", "approve", "2"]).ended(0);
    let list = sandbox.json(&["review", "list"]);
    assert_eq!(list["pagination"]["total"], 2);
    // One that is gone stands in the way of none before it.
    let done = sandbox.cli(&["review", "reject", "2", "1", "99"]);
    let told = done.ended(1).stdout;
    for part in [
        "proposal 1: rejected",
        "proposal 2 is not decided (PROPOSAL_NOT_FOUND)",
        "proposal 99 is not decided (PROPOSAL_NOT_FOUND)",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let report = sandbox.json(&["review", "approve", "--all"]);
    assert_eq!(report["decided"][0]["number"], 3);
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 2);
    assert!(daemon.end_by(Signal::TERM).0.success());
}
