//! What is told of the data folder: places that take no write, and a `data` that is a link.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, plays the person's hand, and says why it is skipped"
)]

use super::sandbox::{Done, Sandbox, finished, names};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt as _, lchown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// The user and group that nobody is.
const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A root with a note, which belongs to an ordinary user.
fn of_an_ordinary_user() -> Sandbox {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    if is_root() {
        set_mode(sandbox.root().parent().unwrap(), 0o755);
        let mut open = vec![sandbox.root()];
        while let Some(path) = open.pop() {
            lchown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).unwrap();
                open.extend(entries.map(|entry| entry.unwrap().path()));
            }
        }
    }
    sandbox
}

/// What `doctor` as an ordinary user fails at, but for the model server: names, messages and hints.
fn failures_of_user(sandbox: &Sandbox) -> Vec<(String, String, String)> {
    let mut command = sandbox.command(&["doctor", "--format", "json"]);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    failures(&finished(command))
}

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

#[test]
fn doctor_fails_at_each_place_that_its_user_may_not_write() {
    let sandbox = of_an_ordinary_user();
    std::fs::create_dir_all(sandbox.path("data/inbox/done")).unwrap();
    if is_root() {
        lchown(sandbox.path("data/inbox/done"), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let before = sandbox.snapshot();
    assert_eq!(failures_of_user(&sandbox), []);
    for (place, mode) in [
        ("data", 0o500),
        ("data/journal", 0o500),
        ("data/notes", 0o500),
        ("data/inbox", 0o500),
        ("data/inbox/done", 0o500),
        ("data/journal/00000001.jsonl", 0o400),
        ("data/daemon.lock", 0o400),
    ] {
        let path = sandbox.path(place);
        let usual = std::fs::metadata(&path).unwrap().permissions();
        set_mode(&path, mode);
        let failed = failures_of_user(&sandbox);
        std::fs::set_permissions(&path, usual).unwrap();
        let [(_, message, hint)] = &failed[..] else {
            panic!("one failure because of {place}: {failed:?}");
        };
        let of = format!("write {place}: Permission denied");
        assert!(message.contains(&of), "{message}");
        assert!(hint.contains("chown"), "{hint}");
    }
    assert_eq!(sandbox.snapshot(), before, "nothing is left behind");
}

#[test]
fn doctor_fails_at_files_that_belong_to_another_user() {
    if !is_root() {
        eprintln!("skipped: only root can give files away");
        return;
    }
    let sandbox = of_an_ordinary_user();
    for place in ["data/daemon.lock", "data/journal/00000001.jsonl"] {
        let path = sandbox.path(place);
        lchown(&path, Some(0), Some(0)).unwrap();
        let failed = failures_of_user(&sandbox);
        lchown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        let of_it = |failed: &&(String, String, String)| failed.1.contains(place);
        assert!(failed.iter().any(|one| of_it(&one)), "{place}: {failed:?}");
    }
    // A folder of another user that takes writes all the same is odd; one that does not is a failure.
    lchown(sandbox.path("data"), Some(0), Some(0)).unwrap();
    let failed = failures_of_user(&sandbox);
    assert!(
        failed.iter().any(|(name, ..)| name == "folder"),
        "{failed:?}"
    );
}

#[test]
fn doctor_fails_at_a_place_that_is_mounted_read_only() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    for place in ["data", "data/notes", "data/inbox", "data/journal"] {
        // In a name space of its own, so that no mount is left behind.
        let line = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || exit 99
                    exec \"$0\" doctor --format json";
        let usual = sandbox.command(&[]);
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", line]);
        command.arg(usual.get_program()).arg(sandbox.path(place));
        command.current_dir(sandbox.root());
        let done = finished(command);
        if done.stdout.is_empty() {
            eprintln!("skipped: nothing can be mounted here: {done:?}");
            return;
        }
        let failed = failures(&done);
        let of = format!("write {place}: Read-only file system");
        let of_it = |(_, message, hint): &(String, String, String)| {
            message.contains(&of) && hint.contains("Mount it for writing")
        };
        assert!(failed.iter().any(of_it), "{place}: {failed:?}");
    }
}

/// Takes the mark away again that lets nobody change a folder.
struct Unmarked<'a>(&'a Path);

impl Drop for Unmarked<'_> {
    fn drop(&mut self) {
        drop(Command::new("chattr").arg("-i").arg(self.0).status());
    }
}

#[test]
fn doctor_fails_at_a_folder_that_nobody_may_change() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    let inbox = sandbox.path("data/inbox");
    let marked = Command::new("chattr").arg("+i").arg(&inbox).status();
    if !marked.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no folder can be protected here (chattr +i)");
        return;
    }
    let _unmarked = Unmarked(&inbox);
    let failed = failures(&sandbox.cli(&["doctor", "--format", "json"]));
    let [(_, message, hint)] = &failed[..] else {
        panic!("one failure: {failed:?}");
    };
    assert!(message.contains("write data/inbox: "), "{message}");
    assert!(hint.contains("chattr -i"), "{hint}");
}

#[test]
fn doctor_says_of_a_linked_folder_that_it_is_one() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    std::fs::rename(sandbox.path("data/notes"), sandbox.path("notes")).unwrap();
    symlink("../notes", sandbox.path("data/notes")).unwrap();
    let failed = failures(&sandbox.cli(&["doctor", "--format", "json"]));
    let of_it = |(_, message, _): &(String, String, String)| {
        message == "data/notes is no folder; a link to one is not followed"
    };
    assert!(failed.iter().any(of_it), "{failed:?}");
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
        &["init", "--offline"],
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
        let done = sandbox.cli(&["init", "--offline"]).ended(78);
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
