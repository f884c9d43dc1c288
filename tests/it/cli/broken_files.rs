//! Files that a person writes and that cannot be read: by whose fault that is, and that reading what the
//! journal holds never depends on them.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and breaks files as a person or a disk would"
)]

use super::sandbox::{Done, RULE_ID, Sandbox, finished, worker};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

const CONFIG: &str = "data/config.json";
const PROMPT: &str = "data/agent-prompt.json";
const RULES: &str = "data/rules.json";

/// Where RAM is kept in these roots: not at the usual place.
const KV_PATH: &str = "./data/elsewhere.json";

/// A file that can be opened and then not be read: the system says EIO.
const UNREADABLE: &str = "/proc/self/mem";

#[track_caller]
fn is_disk_error(done: Done, file: &str) {
    let done = done.ended(74);
    let error = done.error();
    assert_eq!(error["code"], json!("DISK_ERROR"), "{error}");
    assert_eq!(error["retryable"], json!(true), "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(file), "{error}");
    assert!(message.contains("os error 5"), "{error}");
}

#[test]
fn a_file_that_the_disk_does_not_give_is_a_disk_error_and_no_mistake() {
    for file in [CONFIG, PROMPT, RULES] {
        let sandbox = Sandbox::quiet();
        // The person's own mistake beside it does not hide it.
        sandbox.write(PROMPT, "{}");
        drop(std::fs::remove_file(sandbox.path(file)));
        symlink(UNREADABLE, sandbox.path(file)).unwrap();
        for verb in ["daemon", "once", "run"] {
            is_disk_error(sandbox.cli(&[verb, "--format", "json"]), file);
        }
        let changes: [&[&str]; 2] = [
            &["ram", "set", "key", "value"],
            &["rules", "add", r#"{"trigger": "manual"}"#],
        ];
        for words in changes {
            let words = [words, &["--format", "json"]].concat();
            is_disk_error(sandbox.cli(&words), file);
        }
    }
}

#[test]
fn a_file_that_cannot_be_opened_or_looked_at_is_a_disk_error_too() {
    let sandbox = Sandbox::quiet();
    for file in [CONFIG, PROMPT, RULES] {
        let path = sandbox.path(file);
        let path = path.to_str().unwrap();
        let options = ["-P", path, "-e", "inject=openat,newfstatat,statx:error=EIO"];
        let Some(command) = sandbox.traced(&options, &["daemon", "--format", "json"]) else {
            return;
        };
        is_disk_error(finished(command), file);
    }
    let root = sandbox.root().display().to_string();
    let options = ["-P", &root, "-e", "inject=newfstatat,statx:error=ESTALE"];
    let command = sandbox
        .traced(&options, &["--root", &root, "once"])
        .unwrap();
    let done = finished(command).ended(74);
    assert!(done.stderr.contains("DISK_ERROR"), "{done:?}");
}

/// What was broken, in which file, and how.
type Breakage = (&'static str, &'static str, fn(&Sandbox));

fn set(sandbox: &Sandbox, file: &str, change: impl Fn(&mut Value)) {
    let mut value = serde_json::from_str(&sandbox.read(file)).unwrap();
    change(&mut value);
    sandbox.write(file, &value.to_string());
}

fn remove(sandbox: &Sandbox, file: &str) {
    std::fs::remove_file(sandbox.path(file)).unwrap();
}

fn unreadable(sandbox: &Sandbox, file: &str) {
    remove(sandbox, file);
    symlink(UNREADABLE, sandbox.path(file)).unwrap();
}

const BREAKAGES: [Breakage; 14] = [
    ("config is missing", CONFIG, |it| remove(it, CONFIG)),
    ("config is no JSON", CONFIG, |it| it.write(CONFIG, "{")),
    ("config is empty", CONFIG, |it| it.write(CONFIG, "")),
    ("config is a list", CONFIG, |it| it.write(CONFIG, "[1]")),
    ("config is unreadable", CONFIG, |it| unreadable(it, CONFIG)),
    ("a wrong value", CONFIG, |it| {
        set(it, CONFIG, |config| config["loop"]["max_stay"] = json!(-1));
    }),
    ("a wrong path", CONFIG, |it| {
        set(it, CONFIG, |config| {
            config["memory"]["kv_store_path"] = json!("../../etc/passwd");
            config["scope"]["workspace_id"] = json!(7);
            config["prompt_path"] = json!([]);
            config["providers"] = json!([{"name": 1}]);
        });
    }),
    ("prompt is missing", PROMPT, |it| remove(it, PROMPT)),
    ("prompt is no JSON", PROMPT, |it| it.write(PROMPT, "{")),
    ("prompt is nothing", PROMPT, |it| it.write(PROMPT, "{}")),
    ("prompt is unreadable", PROMPT, |it| unreadable(it, PROMPT)),
    ("rules are no JSON", RULES, |it| it.write(RULES, "[{")),
    ("rules are an object", RULES, |it| it.write(RULES, "{}")),
    ("a rule is wrong", RULES, |it| {
        set(it, RULES, |rules| rules[0]["trigger"] = json!("never"));
    }),
];

/// A root with a bit of everything, and the verbs that read it.
fn filled() -> (Sandbox, Vec<Vec<String>>) {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    set(&sandbox, CONFIG, |config| {
        config["memory"]["kv_store_path"] = json!(KV_PATH);
    });
    let rule = json!({"rule_id": RULE_ID, "action_json": {"kind": "kjxlkj_agent"}});
    sandbox.cli(&["rules", "add", &rule.to_string()]).ended(0);
    let run = sandbox.json(&["run", "--task", "Remember tea"]);
    let run_id = run["run_id"].as_str().unwrap();
    sandbox.cli(&["ram", "set", "key", "value"]).ended(0);
    set(&sandbox, CONFIG, |config| {
        config["mode"] = json!("reviewed");
    });
    sandbox
        .cli(&["run", "--task", "Remember more tea"])
        .ended(0);
    let notes = sandbox.json(&["notes", "list"]);
    let note = notes["items"][0]["id"].as_str().unwrap();
    let add = ["notes", "add", "--title"];
    let edited = sandbox.json(&[&add[..], &["Milk", "one"]].concat());
    let edited = edited["id"].as_str().unwrap();
    sandbox
        .cli(&["notes", "edit", edited, "--value", "two"])
        .ended(0);
    let deleted = sandbox.json(&[&add[..], &["Salt", "gone"]].concat());
    let deleted = deleted["id"].as_str().unwrap();
    sandbox.cli(&["notes", "delete", deleted]).ended(0);
    let proposals = sandbox.json(&["review", "list"]);
    let proposal = proposals["items"][0]["number"].to_string();
    let lines = [
        "status".to_owned(),
        "ram list".to_owned(),
        "ram get key".to_owned(),
        "ram export".to_owned(),
        "notes list".to_owned(),
        format!("notes show {note}"),
        format!("notes show {note} --version 1"),
        "notes list --deleted".to_owned(),
        format!("notes diff {edited}"),
        "notes search tea".to_owned(),
        format!("notes history {note}"),
        "notes issues".to_owned(),
        "notes export --json".to_owned(),
        "rules list".to_owned(),
        format!("rules show {RULE_ID}"),
        "rules reconcile".to_owned(),
        "runs list".to_owned(),
        format!("runs show {run_id}"),
        format!("runs watch {run_id}"),
        format!("runs undo {run_id} --dry-run"),
        "undo --since 2020-01-01T00:00:00Z --dry-run".to_owned(),
        "prompt".to_owned(),
        "review list".to_owned(),
        format!("review show {proposal}"),
        "audit list".to_owned(),
        "audit verify".to_owned(),
        "audit head".to_owned(),
        format!("trace {run_id}"),
        format!("why {note}"),
        "explain DISK_ERROR".to_owned(),
    ];
    let words = lines.map(|line| line.split(' ').map(str::to_owned).collect());
    (sandbox, words.to_vec())
}

#[test]
fn reading_verbs_work_whatever_a_person_has_broken_and_name_the_file() {
    let (sandbox, verbs) = filled();
    let json_of = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        sandbox.cli(&[&words[..], &["--format", "json"]].concat())
    };
    let good: Vec<Done> = verbs.iter().map(|it| json_of(it).ended(0)).collect();
    let kept = [CONFIG, PROMPT, RULES].map(|file| (file, sandbox.read(file)));
    for (what, file, breaks) in BREAKAGES {
        breaks(&sandbox);
        for (words, good) in verbs.iter().zip(&good) {
            let done = json_of(words);
            if words.starts_with(&["rules".to_owned(), "show".to_owned()]) && rules_are_lost(what) {
                // Nobody knows whether it stands there.
                assert!(matches!(done.code, Some(74 | 78)), "{what}: {done:#?}");
                continue;
            }
            assert_eq!(done.code, Some(0), "{what}: {words:?}: {done:#?}");
            let verb = words[0].as_str();
            // These need none of the files.
            if matches!(verb, "explain" | "why") {
                assert_eq!(done.stderr, "", "{what}: {words:?}");
                assert_eq!(done.stdout, good.stdout, "{what}: {words:?}");
                continue;
            }
            let warnings: Vec<&str> = done.stderr.lines().collect();
            assert_eq!(warnings.len(), 1, "{what}: {words:?}: {done:#?}");
            let is_named = warnings[0].starts_with("{\"warning\":") && warnings[0].contains(file);
            assert!(is_named, "{what}: {words:?}: {warnings:?}");
            match verb {
                "status" => check_status(&done, good, file),
                "rules" => {}
                // What the model would be told follows from the files.
                "prompt" => drop(done.json()),
                // One note a line.
                "notes" if words[1] == "export" => {
                    assert_eq!(done.stdout, good.stdout, "{what}: {words:?}");
                }
                _ => assert_eq!(done.json(), good.json(), "{what}: {words:?}"),
            }
        }
        let rules = json_of(&["rules".to_owned(), "list".to_owned()]).json();
        let listed = i32::from(!rules_are_lost(what));
        assert_eq!(rules["pagination"]["total"], listed, "{what}: {rules}");
        let doctor = json_of(&["doctor".to_owned()]).ended(1);
        assert_eq!(doctor.json()["ok"], json!(false), "{what}");
        // What would change something, or ask a model, is as strict as ever.
        let run_id = run_of(&verbs);
        for words in [
            &["ram", "set", "a", "b"][..],
            &["once"],
            &["config", "show"],
            &["runs", "undo", run_id],
            &["undo", "--since", "2020-01-01T00:00:00Z"],
            // These judge by the files themselves.
            &["rehearse"],
            &["replay", run_id],
        ] {
            let code = sandbox.cli(words).code;
            let is_refused = matches!(code, Some(74 | 78));
            assert!(is_refused, "{what}: {words:?}: {code:?}");
        }
        for (file, text) in &kept {
            drop(std::fs::remove_file(sandbox.path(file)));
            sandbox.write(file, text);
        }
    }
    let done = json_of(&verbs[0]).ended(0);
    assert_eq!(done.stderr, "");
}

/// The run that the verbs name.
fn run_of(verbs: &[Vec<String>]) -> &str {
    let mut shown = verbs.iter().filter(|words| words[0] == "trace");
    &shown.next().unwrap()[1]
}

fn rules_are_lost(what: &str) -> bool {
    matches!(what, "rules are no JSON" | "rules are an object")
}

/// It says that something is broken, and tells the rest as it is.
#[track_caller]
fn check_status(done: &Done, good: &Done, file: &str) {
    let (told, good) = (done.json(), good.json());
    let warnings = told["warnings"].as_array().unwrap();
    let names_it = |warning: &Value| warning.as_str().unwrap().contains(file);
    assert!(warnings.iter().any(names_it), "{told:#}");
    for key in ["state", "request", "notes", "proposals", "head"] {
        assert_eq!(told[key], good[key], "{key}");
    }
    assert_eq!(told["ram"]["keys"], good["ram"]["keys"]);
    assert_eq!(told["runs"]["usage"], good["runs"]["usage"]);
}

#[test]
fn where_ram_is_kept_is_still_known_beside_a_wrong_value() {
    let sandbox = Sandbox::quiet();
    set(&sandbox, CONFIG, |config| {
        config["memory"]["kv_store_path"] = json!(KV_PATH);
    });
    sandbox.cli(&["ram", "set", "key", "value"]).ended(0);
    // Something else at the usual place is nobody's edit.
    sandbox.write("data/agent-kv-store.json", "{\"key\": \"no\"}");
    set(&sandbox, CONFIG, |config| {
        config["loop"]["max_stay"] = json!(-1);
    });
    let done = sandbox.cli(&["ram", "get", "key"]).ended(0);
    assert_eq!(done.stdout, "value\n");
    assert_eq!(done.stderr.lines().count(), 1, "{done:?}");
    // A person's edit of the right file is still told of.
    let kv = sandbox.read(KV_PATH).replace("value", "edited");
    sandbox.write(KV_PATH, &kv);
    let done = sandbox.cli(&["ram", "get", "key"]).ended(0);
    assert_eq!(done.stderr.lines().count(), 2, "{done:?}");
}

#[test]
fn a_folder_that_was_never_a_root_is_still_told_apart() {
    let sandbox = Sandbox::empty();
    std::fs::create_dir(sandbox.path("data")).unwrap();
    let done = sandbox.cli(&["notes", "list"]).ended(78);
    assert!(done.stderr.contains("CONFIG_JSON_INVALID"), "{done:?}");
}
