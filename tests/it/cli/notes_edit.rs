//! `notes edit` in a person's editor, which is a script here, on a terminal of the test's own.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it handles files as a person would"
)]

use super::notes_files::add;
use super::sandbox::{Done, Sandbox, finished, names, terminal, worker};
use crate::peer::NOBODY;
use crate::script::script as write_script;
use rustix::process::Signal;
use serde_json::json;
use std::path::PathBuf;
use std::process::Stdio;

/// A desk with a folder for temporary files and an editor.
struct ChangeContext {
    sandbox: Sandbox,
    temporary: PathBuf,
}

impl ChangeContext {
    fn new() -> Self {
        let sandbox = Sandbox::quiet();
        let temporary = sandbox.path("temporary");
        std::fs::create_dir(&temporary).unwrap();
        add(&sandbox, "Tea", "one");
        Self { sandbox, temporary }
    }

    /// Edits the note with a script that is given the file's name as its last argument.
    fn edit(&self, script: &str) -> Done {
        let editor = self.sandbox.path("an editor.sh");
        write_script(&editor, &format!("for file; do :; done\n{script}"));
        self.edit_by(&format!("'{}' --wait", editor.display()))
    }

    fn edit_by(&self, editor: &str) -> Done {
        let (_ours, theirs) = terminal();
        let mut command = self
            .sandbox
            .command(&["notes", "edit", "Tea", "--format", "json"]);
        command
            .env("EDITOR", editor)
            .env("TMPDIR", &self.temporary)
            .stdin(Stdio::from(theirs));
        finished(command)
    }

    fn version(&self) -> u64 {
        self.sandbox.json(&["notes", "show", "Tea"])["version"]
            .as_u64()
            .unwrap()
    }

    /// The texts that are still kept.
    fn kept(&self) -> Vec<String> {
        let folders = names(&self.temporary).into_iter();
        folders
            .flat_map(|folder| names(&self.temporary.join(folder)))
            .collect()
    }
}

#[test]
fn what_the_editor_leaves_is_one_change() {
    let cx = ChangeContext::new();
    let script = "[ \"$1\" = --wait ] && sed -i -e 's/^one$/two/' -e 's/^keywords: .*/tags: [a, b]/' \"$file\"";
    let note = cx.edit(script).ended(0).json();
    assert_eq!(
        (&note["value"], &note["version"]),
        (&"two".into(), &2.into())
    );
    assert_eq!(note["keywords"], json!(["a", "b"]));
    assert_eq!(note["title"], "Tea");
    assert_eq!(
        names(&cx.temporary),
        Vec::<String>::new(),
        "nothing is left"
    );
    // The editor sees the note as an export has it, where nobody else can look.
    let seen = cx.sandbox.path("seen");
    let script = format!(
        "cp \"$file\" '{0}'; stat -c %a \"$file\" \"$(dirname \"$file\")\" > '{0}.modes'",
        seen.display()
    );
    cx.edit(&script).ended(0);
    let exported = cx.sandbox.cli(&["notes", "export", "Tea"]).stdout;
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), exported);
    assert_eq!(cx.sandbox.read("seen.modes"), "600\n700\n");
    assert_eq!(cx.version(), 2, "an unchanged text changes nothing");
    assert_eq!(names(&cx.temporary), Vec::<String>::new());
    // What a person cannot change stays: only the text is taken.
    let script = "sed -i -e 's/^id: .*/id: 00000000-0000-0000-0000-000000000001/' -e 's/^version: .*/version: 77/' -e 's/^two$/three/' \"$file\"";
    let after = cx.edit(script).ended(0).json();
    assert_eq!((&after["id"], &after["version"]), (&note["id"], &3.into()));
    assert_eq!(after["value"], "three");
}

/// A link by title is kept by id, so that it leads both ways also when its target is renamed.
#[test]
fn a_title_that_is_named_in_the_editor_is_linked_by_its_id() {
    let cx = ChangeContext::new();
    add(&cx.sandbox, "Kitchen", "pots");
    let kitchen = cx.sandbox.json(&["notes", "show", "Kitchen"])["id"].clone();
    let note = cx.edit("sed -i 's/^one$/[[kitchen]]/' \"$file\"");
    let note = note.ended(0).json();
    assert_eq!(note["links"], json!([kitchen]));
    let sandbox = &cx.sandbox;
    sandbox
        .cli(&["notes", "edit", "Kitchen", "--title", "Galley"])
        .ended(0);
    let back = &sandbox.json(&["notes", "show", "Galley"])["linked_from"];
    assert_eq!(back[0]["id"], note["id"]);
    // What is not named any more is not linked any more.
    let note = cx
        .edit("sed -i 's/kitchen/galley/' \"$file\"")
        .ended(0)
        .json();
    assert_eq!(note["links"], json!([kitchen]));
    let note = cx
        .edit("sed -i 's/^\\[\\[galley.*/two/' \"$file\"")
        .ended(0)
        .json();
    assert_eq!(
        (&note["value"], &note["links"]),
        (&"two".into(), &json!([]))
    );
}

#[test]
fn a_text_that_cannot_be_taken_in_is_kept_and_its_place_told() {
    let cx = ChangeContext::new();
    let agent = env!("CARGO_BIN_EXE_kjxlkj-agent");
    let meanwhile =
        format!("'{agent}' notes edit Tea --value meanwhile >&2; sed -i 's/^one$/mine/' \"$file\"");
    let cases = [
        ("sed -i 's/^one$/mine/' \"$file\"; exit 3".to_owned(), "EDITOR_FAILED", "mine"),
        ("sed -i 's/^title: .*/title: [mine/' \"$file\"".to_owned(), "IMPORT_INVALID", "mine"),
        ("printf 'mine\\377' > \"$file\"".to_owned(), "IMPORT_INVALID", "mine"),
        ("sed -i '$d' \"$file\"; head -c 300000 /dev/zero | tr '\\0' m >> \"$file\"; echo mine >> \"$file\"".to_owned(), "LIMIT_EXCEEDED", "mine"),
        (meanwhile, "VERSION_CONFLICT", "mine"),
    ];
    let mut version = 1;
    for (index, (script, code, words)) in cases.iter().enumerate() {
        let done = cx.edit(script).ended(1);
        let error = done.error();
        assert_eq!(error["code"], *code, "{done:?}");
        let hints = error["hints"].as_array().unwrap().iter();
        let mut hints =
            hints.filter_map(|hint| hint.as_str()?.strip_prefix("Your text is kept as "));
        let kept = hints.next().unwrap().trim_end_matches('.');
        let text = String::from_utf8_lossy(&std::fs::read(kept).unwrap()).into_owned();
        assert!(text.contains(words), "{text}");
        assert_eq!(cx.kept().len(), index + 1);
        version += u64::from(*code == "VERSION_CONFLICT");
        assert_eq!(cx.version(), version);
    }
    let empty = cx.edit(": > \"$file\"").ended(1);
    assert_eq!(empty.error()["code"], "IMPORT_INVALID");
}

#[test]
fn an_editor_that_removes_the_file_leaves_nothing_and_that_is_said() {
    let cx = ChangeContext::new();
    for (script, code) in [
        ("rm \"$file\"", "IMPORT_INVALID"),
        ("rm \"$file\"; exit 3", "EDITOR_FAILED"),
    ] {
        let done = cx.edit(script).ended(1);
        assert_eq!(done.error()["code"], code, "{done:?}");
        assert!(!done.stderr.contains("kept as"), "{done:?}");
        assert_eq!(names(&cx.temporary), Vec::<String>::new(), "{script}");
        assert_eq!(cx.version(), 1);
    }
    let done = cx.edit("rm \"$file\"").ended(1);
    assert!(done.stderr.contains("nothing of it is kept"), "{done:?}");
}

#[test]
fn without_an_editor_or_a_terminal_nothing_happens() {
    let cx = ChangeContext::new();
    for editor in ["", "/nowhere/at/all", "'unclosed", "/bin/false"] {
        let done = cx.edit_by(editor).ended(1);
        assert_eq!(done.error()["code"], "EDITOR_FAILED", "{editor}");
        assert_eq!(names(&cx.temporary), Vec::<String>::new(), "{editor}");
    }
    let done = cx.sandbox.cli(&["notes", "edit", "Tea"]);
    assert!(done.ended(2).stderr.contains("--value"));
    let (_ours, theirs) = terminal();
    let mut command = cx.sandbox.command(&["notes", "edit", "nobody"]);
    command.env("EDITOR", "true").stdin(Stdio::from(theirs));
    assert!(
        finished(command)
            .ended(1)
            .stderr
            .contains("RECORD_NOT_FOUND")
    );
    assert_eq!(cx.version(), 1);
}

#[test]
fn beside_a_daemon_the_editor_is_as_good_and_one_that_cannot_be_asked_is_told_first() {
    let cx = ChangeContext::new();
    let daemon = cx.sandbox.daemon();
    let note = cx.edit("sed -i 's/^one$/two/' \"$file\"").ended(0).json();
    assert_eq!(
        (&note["value"], &note["version"]),
        (&"two".into(), &2.into())
    );
    assert_eq!(names(&cx.temporary), Vec::<String>::new());
    let agent = env!("CARGO_BIN_EXE_kjxlkj-agent");
    let meanwhile =
        format!("'{agent}' notes edit Tea --value meanwhile >&2; sed -i 's/^two$/mine/' \"$file\"");
    let error = cx.edit(&meanwhile).ended(1).error();
    assert_eq!(error["code"], "VERSION_CONFLICT", "{error}");
    assert_eq!(cx.kept().len(), 1, "the text is kept");
    assert_eq!(cx.version(), 3);
    // The whole note in one piece, as a script would hand it over.
    let text = cx.sandbox.cli(&["notes", "export", "Tea"]).stdout;
    let text = text.replace("meanwhile", "from a script");
    let edit = |version: &str| {
        let words = [
            "notes",
            "edit",
            "Tea",
            "--version",
            version,
            "--markdown",
            "-",
        ];
        cx.sandbox.cli_reading(&words, text.as_bytes())
    };
    let done = edit("2").ended(1);
    assert!(done.stderr.contains("VERSION_CONFLICT"), "{done:?}");
    assert!(edit("3").ended(0).stdout.contains("from a script"));
    assert_eq!(cx.version(), 4);
    assert!(daemon.end_by(Signal::TERM).0.success());

    // Nobody can hand anything to this one: said before anything is typed.
    let deaf = json!({"api": {"socket": false}});
    cx.sandbox.configure(NOBODY[0], &deaf);
    let daemon = cx.sandbox.start(&["daemon"]);
    daemon.wait_for("started", 1);
    let done = cx.edit("echo typed > \"$file\"").ended(75);
    assert_eq!(done.error()["code"], "DATA_LOCKED");
    assert_eq!(cx.kept().len(), 1);
}

#[test]
fn a_proposal_is_edited_in_the_editor_with_and_without_a_daemon() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let mut config: serde_json::Value =
        serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["mode"] = json!("reviewed");
    sandbox.write("data/config.json", &config.to_string());
    for task in ["one", "two", "three"] {
        sandbox.cli(&["run", "--task", task]).ended(0);
    }
    let edit = |number: &str, script: &str| {
        let (_ours, theirs) = terminal();
        let mut command = sandbox.command(&["review", "edit", number, "--format", "json"]);
        command
            .env("EDITOR", script)
            .env("TMPDIR", sandbox.root())
            .stdin(Stdio::from(theirs));
        finished(command)
    };
    assert_eq!(edit("1", "true").ended(2).error()["code"], "USAGE");
    let decided = edit("1", "sed -i s/Buy/Get/").ended(0).json();
    assert_eq!(decided["decided"][0]["verdict"], "edited", "{decided}");
    let daemon = sandbox.daemon();
    let decided = edit("2", "sed -i s/Buy/Fetch/").ended(0).json();
    assert_eq!(decided["decided"][0]["number"], 2, "{decided}");
    let told = sandbox.json(&["notes", "search", "Fetch"]);
    assert_eq!(told["pagination"]["total"], 1);
    assert_eq!(
        edit("2", "sed -i s/Buy/Bring/").ended(1).error()["code"],
        "PROPOSAL_NOT_FOUND"
    );
    assert_eq!(sandbox.json(&["review", "list"])["pagination"]["total"], 1);
    assert!(daemon.end_by(Signal::TERM).0.success());
}
