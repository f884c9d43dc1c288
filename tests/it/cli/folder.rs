//! What is told of the data folder: a `data` that is a link.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and plays the person's hand"
)]

use super::sandbox::{Done, Sandbox, names};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

fn failures(done: &Done) -> Vec<(String, String, String)> {
    let report = done.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let checks = report["checks"].as_array().unwrap().iter();
    let failed = checks.filter(|one| one["status"] == "fail" && one["name"] != "provider");
    failed
        .map(|one| {
            (
                text(&one["name"]),
                text(&one["message"]),
                text(&one["hint"]),
            )
        })
        .collect()
}

/// Every verb that needs the folder says the same of one that is a link, and what to do.
#[test]
fn a_data_folder_that_is_a_link_is_refused_everywhere_with_what_to_do() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    std::fs::create_dir(sandbox.path("real")).unwrap();
    std::fs::rename(sandbox.path("data"), sandbox.path("real/data")).unwrap();
    symlink("real/data", sandbox.path("data")).unwrap();
    let before = sandbox.snapshot();
    let real = sandbox.path("real").canonicalize().unwrap();
    let words = format!("data: this is a link to {}/data", real.display());
    let hint = format!(
        "hint: Name the root that it belongs to: --root {}.",
        real.display()
    );
    for verb in [
        &["daemon"][..],
        &["init"],
        &["once"],
        &["run", "--task", "x"],
        &["ask", "x"],
        &["status"],
        &["config", "show"],
        &["notes", "list"],
        &["notes", "add", "x"],
        &["ram", "set", "a", "1"],
        &["rules", "list"],
        &["runs", "list"],
        &["audit", "head"],
        &["audit", "verify"],
        &["undo", "--since", "1h"],
        &["prompt"],
    ] {
        let done = sandbox.cli(verb).ended(78);
        assert!(
            done.stderr.contains("error[DATA_FOLDER_LINKED]"),
            "{done:?}"
        );
        assert!(done.stderr.contains(&words), "{done:?}");
        assert!(done.stderr.contains(&hint), "{done:?}");
    }
    let checked = sandbox.cli(&["config", "check", "--format", "json"]);
    let problem = checked.ended(78).json()["problems"][0].take();
    assert_eq!(problem["code"], json!("DATA_FOLDER_LINKED"));
    let failed = failures(&sandbox.cli(&["doctor", "--format", "json"]).ended(1));
    assert!(
        failed.iter().any(|(name, message, _)| name == "folder"
            && message.starts_with("DATA_FOLDER_LINKED")),
        "{failed:?}"
    );
    assert_eq!(sandbox.snapshot(), before, "nothing was written");
    sandbox.cli(&["--root", "real", "status"]).ended(0);
    sandbox.cli(&["explain", "DATA_FOLDER_LINKED"]).ended(0);
}

#[test]
fn init_writes_nothing_through_a_link() {
    let sandbox = Sandbox::empty();
    std::fs::create_dir(sandbox.path("elsewhere")).unwrap();
    for target in ["elsewhere", "nowhere"] {
        symlink(target, sandbox.path("data")).unwrap();
        let done = sandbox.cli(&["init"]).ended(78);
        assert!(
            done.stderr.contains("error[DATA_FOLDER_LINKED]"),
            "{done:?}"
        );
        assert!(done.stderr.contains("mount --bind"), "{done:?}");
        std::fs::remove_file(sandbox.path("data")).unwrap();
    }
    assert_eq!(names(&sandbox.path("elsewhere")), Vec::<String>::new());
    assert!(!sandbox.path("nowhere").exists());
}
