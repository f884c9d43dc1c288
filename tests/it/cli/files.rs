//! The files of a root in a person's hands: configured, read, copied, damaged, and left whole by a
//! program that dies.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it handles files as a person would"
)]

use super::sandbox::{DEADLINE, Sandbox, answer, last_message, names, state_in, worker};
use crate::peer::{Gate, Peer, Step};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn parsed(text: &str, path: &Path) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", path.display()))
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Every file below `data` is JSON that can be read, and what the program writes for people is laid
/// out for them. Only the last line of the newest segment may be cut, and only after a kill.
fn assert_whole(sandbox: &Sandbox, killed: bool) {
    let newest = names(&sandbox.path("data/journal"));
    let newest = newest.into_iter().rfind(|name| ending(name) == "jsonl");
    for (path, bytes) in sandbox.snapshot() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = String::from_utf8(bytes).unwrap();
        if name.starts_with('.') {
            continue;
        }
        if ending(&name) == "jsonl" {
            let cut = killed && newest.as_ref() == Some(&name) && !text.ends_with('\n');
            let lines: Vec<&str> = text.lines().collect();
            for line in &lines[..lines.len() - usize::from(cut)] {
                parsed(line, &path);
            }
        } else if ending(&name) == "json" {
            let value = parsed(&text, &path);
            let note = path.parent().unwrap().ends_with("notes");
            if note || name == "agent-kv-store.json" {
                let laid_out = format!("{value:#}\n");
                assert_eq!(text.lines().count(), laid_out.lines().count(), "{text}");
                assert_eq!(text.len(), laid_out.len(), "{text}");
            }
        }
    }
}

#[test]
fn two_json_files_decide_what_is_asked() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["once", "--task", "first"]).ended(0);
    sandbox.configure(
        &peer.base_url(),
        &json!({
            "provider": {"model": "another"},
            "memory": {"kv_store_path": "./data/mind.json"},
        }),
    );
    let mut config = parsed(&sandbox.read("data/config.json"), Path::new("config"));
    config["prompt_path"] = json!("./data/other.json");
    sandbox.write("data/config.json", &config.to_string());
    let mut prompt = parsed(&sandbox.read("data/agent-prompt.json"), Path::new("prompt"));
    for segment in prompt["segments"].as_array_mut().unwrap() {
        segment["prompt"] = json!("X");
    }
    prompt["examples"] = json!([]);
    prompt["foo"] = json!(1);
    sandbox.write("data/other.json", &prompt.to_string());
    // No other file has a say.
    for file in ["agent-prompt.json", "rules.json", "small-model"] {
        std::fs::remove_file(sandbox.path("data").join(file)).unwrap();
    }
    let before = sandbox.read("data/agent-kv-store.json");
    peer.push_models(Step::json(
        &json!({"data": [{"id": "peer-model"}, {"id": "another"}]}),
    ));
    let done = sandbox.cli(&["once"]).ended(0);
    assert_eq!(done.stderr.matches(": foo: ").count(), 1, "{done:?}");

    let requests = peer.requests();
    let (first, second) = (requests[0].json(), requests[1].json());
    assert_eq!(
        (&first["model"], &second["model"]),
        (&json!("peer-model"), &json!("another"))
    );
    let messages = second["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{second:#}");
    let system = messages[0]["content"].as_str().unwrap();
    assert!(system.lines().all(|line| line == "X"), "{system}");
    let last = last_message(&requests[1]);
    let data = last.trim_start_matches("X\n");
    assert!(
        data.starts_with("<time>") && data.ends_with("</state>"),
        "{last}"
    );

    let kv = parsed(&sandbox.read("data/mind.json"), Path::new("mind"));
    assert_eq!(kv["think_log"], json!("executing 1"));
    assert_eq!(sandbox.read("data/agent-kv-store.json"), before);
}

#[test]
fn the_shipped_files_and_a_server_are_enough() {
    // The second question is never answered: however late the signal comes, one iteration is done.
    let gate = Gate::default();
    let peer = Peer::answering(move |request, index| {
        let step = Step::reply(&answer(&state_in(request), index));
        // Two short questions find out what the server keeps answers to.
        if index < 3 { step } else { step.behind(&gate) }
    });
    let sandbox = Sandbox::empty();
    std::fs::create_dir(sandbox.path("data")).unwrap();
    // As they stand in the repository; only the address is where this test's server listens.
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for file in [
        "config.json",
        "agent-prompt.json",
        "rules.json",
        "small-model",
    ] {
        let text = std::fs::read_to_string(shipped.join(file)).unwrap();
        let text = text.replace("http://127.0.0.1:1234/v1", &peer.base_url());
        sandbox.write(&format!("data/{file}"), &text);
    }
    let daemon = sandbox.start(&[]);
    daemon.wait_for("planning", 1);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0));
    // The server has another model than the shipped file names: that one is asked, and said.
    assert!(said.contains("`peer-model` is asked instead"), "{said}");
    assert_eq!(peer.requests()[0].json()["model"], json!("peer-model"));
    let runs = sandbox.json(&["runs", "list"]);
    assert_eq!(runs["items"][0]["model"], json!("peer-model"));
    let provider = sandbox.json(&["status"])["provider"].clone();
    assert_eq!(provider["asked_instead"], json!("peer-model"));
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(text.contains("; the last run asked peer-model"), "{text}");
    assert_eq!(sandbox.kv()["think_log"], json!("planning 2"));
    assert_eq!(sandbox.kv()["state"], json!("executing"));
}

#[test]
fn a_kill_at_any_moment_leaves_every_file_whole() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"loop": {"max_iterations": -1}}));
    let mut asked = 0;
    for round in 0..12 {
        let daemon = sandbox.start(&["daemon"]);
        asked += 1 + round * 5 % 7;
        peer.wait_for_requests(asked, DEADLINE);
        // Wherever it is by now: asking, writing, or between two files.
        assert_eq!(daemon.end_by(Signal::KILL).0.code(), None, "killed");
        asked = peer.request_count();
        assert_whole(&sandbox, true);
    }
    sandbox.cli(&["once"]).ended(0);
    assert_whole(&sandbox, false);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

/// What a person can see of a root.
fn seen(sandbox: &Sandbox) -> [Value; 4] {
    [
        &["ram", "list"],
        &["notes", "list"],
        &["runs", "list"],
        &["audit", "list"],
    ]
    .map(|verb| sandbox.json(verb))
}

#[test]
fn files_copied_away_and_back_restore_the_agent() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["run", "--task", "first"]).ended(0);
    let (copy, before) = (sandbox.snapshot(), seen(&sandbox));
    sandbox.cli(&["run", "--task", "second"]).ended(0);
    assert_ne!(seen(&sandbox), before);
    std::fs::remove_dir_all(sandbox.path("data")).unwrap();
    put_back(&copy);
    assert_eq!(seen(&sandbox), before);
    sandbox.cli(&["run", "--task", "third"]).ended(0);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    let runs = sandbox.json(&["runs", "list"]);
    let requests = runs["items"].as_array().unwrap().iter();
    let requests: Vec<&Value> = requests.map(|run| &run["request"]).collect();
    assert_eq!(requests, [&json!("third"), &json!("first")]);
}

fn put_back(copy: &[(PathBuf, Vec<u8>)]) {
    for (path, bytes) in copy {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// A worker that stores a value at a place of the tree as well, on a root whose prompt file lets it.
fn storing(place: &str) -> (Peer, Sandbox) {
    let stores = format!(
        "<actions><action><kind>set</kind><target_path>{place}</target_path>\
         <content>green</content></action></actions>"
    );
    let peer = Peer::answering(move |request, index| {
        let state = state_in(request);
        let more = if state == "planning" { &stores } else { "" };
        Step::reply(&(answer(&state, index) + more))
    });
    let sandbox = Sandbox::with(&peer);
    let mut config = parsed(&sandbox.read("data/config.json"), Path::new("config"));
    config["prompt_path"] = json!("./data/prompts/extended.json");
    sandbox.write("data/config.json", &config.to_string());
    (peer, sandbox)
}

#[test]
fn damaged_files_are_put_aside_with_a_notice_and_the_start_succeeds() {
    for garbage in [
        &b"\x00\xff\xfe not JSON"[..],
        b"[1, 2",
        b"{\"state\": \"idle\"}{}",
    ] {
        let (_peer, sandbox) = storing("/storage/tea");
        sandbox.cli(&["run", "--task", "first"]).ended(0);
        let kv = sandbox.kv();
        let note = names(&sandbox.path("data/notes")).remove(0);
        let note_path = format!("data/notes/{note}");
        let good_note = sandbox.read(&note_path);
        let tree = sandbox.read("data/storage.json");
        assert_eq!(parsed(&tree, Path::new("tree")), json!({"tea": "green"}));
        let damaged = ["data/agent-kv-store.json", "data/storage.json", &note_path];
        for file in damaged {
            std::fs::write(sandbox.path(file), garbage).unwrap();
        }
        let done = sandbox.cli(&["notes", "add", "more"]).ended(0);
        for (folder, file, mark) in [
            ("data", "agent-kv-store.json", "broken-"),
            ("data/notes", note.as_str(), "broken-"),
            ("data/quarantine", "storage.json", ""),
        ] {
            let aside = names(&sandbox.path(folder)).into_iter();
            let aside = aside.filter(|name| name.starts_with(&format!("{file}.{mark}")));
            let aside: Vec<String> = aside.collect();
            assert_eq!(aside.len(), 1, "{done:?}");
            let kept = std::fs::read(sandbox.path(folder).join(&aside[0])).unwrap();
            assert_eq!(kept, garbage);
            assert!(done.stderr.contains(file), "{file} is named: {done:?}");
        }
        assert_eq!(sandbox.kv(), kv);
        assert_eq!(sandbox.read(&note_path), good_note);
        assert_eq!(sandbox.read("data/storage.json"), tree);
    }
}

#[test]
fn ram_get_finds_a_stored_value_by_its_path() {
    let (_peer, sandbox) = storing("/storage/drinks/tea");
    sandbox.cli(&["run", "--task", "first"]).ended(0);
    for path in ["/storage/drinks/tea", "drinks/tea", "drinks/tea/"] {
        let found = sandbox.json(&["ram", "get", path]);
        assert_eq!(found["value"], json!("green"), "{path}");
        assert_eq!(found["layer"], json!("storage"), "{path}");
    }
    for path in [
        "/storage",
        "/storage/tea",
        "drinks/../drinks/tea",
        "/working_memory/drinks/tea",
    ] {
        sandbox.cli(&["ram", "get", path]).ended(1);
    }
}

#[test]
fn ram_delete_removes_what_ram_get_finds() {
    let (_peer, sandbox) = storing("/storage/drinks/tea");
    sandbox.cli(&["run", "--task", "first"]).ended(0);
    let get = |key: &str| sandbox.cli(&["ram", "get", key]);
    for path in ["/storage/drinks/tea", "drinks/tea"] {
        let gone = sandbox.json(&["ram", "delete", path]);
        assert_eq!(
            (&gone["value"], &gone["layer"]),
            (&json!("green"), &json!("storage"))
        );
        get(path).ended(1);
        sandbox.cli(&["ram", "delete", path]).ended(1);
        let audit = sandbox.json(&["audit", "list"])["items"].to_string();
        assert!(audit.contains("storage.deleted"), "{audit}");
        sandbox.cli(&["run", "--task", "once more"]).ended(0);
        get(path).ended(0);
    }
    sandbox.cli(&["ram", "delete", "/storage"]).ended(1);
    sandbox
        .cli(&[
            "ram",
            "set",
            "context",
            "{\"topic\": \"tea\", \"mood\": \"warm\"}",
        ])
        .ended(0);
    sandbox.cli(&["ram", "delete", "context.mood"]).ended(0);
    let context = sandbox.json(&["ram", "get", "context"])["value"].clone();
    assert_eq!(context, json!({"topic": "tea"}));
}

#[test]
fn ram_delete_removes_an_archived_key_and_its_line_in_the_list() {
    let (_peer, sandbox) = storing("/storage/archive/tea");
    sandbox.cli(&["run", "--task", "first"]).ended(0);
    assert_eq!(
        sandbox.json(&["ram", "get", "tea"])["layer"],
        json!("storage")
    );
    let listed = sandbox.json(&["ram", "get", "archived"])["value"].to_string();
    assert!(listed.contains("tea"), "{listed}");
    sandbox.cli(&["ram", "delete", "/storage/archive"]).ended(1);
    sandbox.cli(&["ram", "delete", "tea"]).ended(0);
    sandbox.cli(&["ram", "get", "tea"]).ended(1);
    sandbox.cli(&["ram", "get", "archived"]).ended(1);
    sandbox.cli(&["audit", "verify"]).ended(0);
}

#[test]
fn a_number_that_json_would_shorten_stays_text_and_is_said() {
    let sandbox = Sandbox::quiet();
    let text = "{\"id\": 98765432109876543210987}";
    let done = sandbox.cli(&["ram", "set", "j", text]).ended(0);
    assert!(
        done.stderr
            .contains("stored as text, not as JSON: the number 98765432109876543210987"),
        "{}",
        done.stderr
    );
    assert_eq!(sandbox.json(&["ram", "get", "j"])["value"], json!(text));
    let done = sandbox.cli(&["ram", "set", "j", "{\"id\": 1.10}"]).ended(0);
    assert_eq!(done.stderr, "");
    assert_eq!(
        sandbox.json(&["ram", "get", "j"])["value"],
        json!({"id": 1.1})
    );
}

/// Folders in which a command put a name and did not sync it afterwards, as strace saw it; `None` where
/// there is no strace.
fn left_unsynced(sandbox: &Sandbox, words: &[&str]) -> Option<BTreeSet<PathBuf>> {
    let trace = sandbox.path("trace");
    let ended = Command::new("strace")
        .args([
            "-f",
            "-y",
            "-e",
            "trace=?rename,renameat2,?mkdir,mkdirat,fsync",
            "-o",
        ])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_kjxlkj-agent"))
        .arg("--root")
        .arg(sandbox.root())
        .args(words)
        .output()
        .ok()?;
    assert!(ended.status.success(), "{ended:?}");
    let trace = std::fs::read_to_string(trace).unwrap();
    let mut unsynced = BTreeSet::new();
    for line in trace.lines().filter(|line| line.ends_with("= 0")) {
        if let Some((_, file)) = line.split_once("fsync(") {
            let path = file.split(['<', '>']).nth(1).unwrap();
            unsynced.remove(Path::new(path));
        } else if let [.., before, name, _] = line.split('"').collect::<Vec<_>>()[..] {
            // The folder that the name is relative to stands before it: `mkdirat(5</root>, "data", ...`.
            let folder = before
                .rsplit_once('<')
                .and_then(|(_, it)| it.split('>').next());
            let path = Path::new(folder.unwrap_or_default()).join(name);
            unsynced.extend(path.parent().map(Path::to_path_buf));
        }
    }
    Some(unsynced)
}

#[test]
fn what_init_and_rules_add_have_said_to_be_there_a_power_cut_does_not_take_back() {
    let sandbox = Sandbox::empty();
    let rule = json!({"trigger": "manual"}).to_string();
    for words in [&["init", "--offline"][..], &["rules", "add", &rule]] {
        let Some(unsynced) = left_unsynced(&sandbox, words) else {
            println!("skipped: there is no strace");
            return;
        };
        assert_eq!(unsynced, BTreeSet::new(), "{words:?}");
    }
}
