//! What a person does to the files by hand: taken in as the person's, or kept beside the file and
//! said, never just overwritten. Each case while the program runs, after a stop in good order, and
//! after one that was not.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

use crate::sim_disk::{Fault, SimDisk};
use crate::store_lab::{
    CHECKPOINT, KV, at, by_agent, check_views, create, delete, journal_lines, note_id, note_path,
    options, path, set, try_open, update,
};
use kjxlkj_agent::core::guard::EditedItems;
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::journal::{ActorType, State};
use kjxlkj_agent::core::memory::Ram;
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::NoteId;
use kjxlkj_agent::limits::{
    FILE_NAME_BYTES_MAX, JSON_DEPTH_MAX, KV_FILE_BYTES_MAX, NOTE_VALUE_BYTES_MAX,
};
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use kjxlkj_agent::store::{AuditEntry, Store, audit_entries, read_state};
use kjxlkj_agent::strict_json;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LATER: i64 = 1_800_000_000_000;

/// When a person edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Running,
    AfterCleanStop,
    AfterUncleanStop,
}

const EVERY_TIME: [When; 3] = [When::Running, When::AfterCleanStop, When::AfterUncleanStop];

fn first_note() -> PathBuf {
    note_path(note_id(1))
}

/// A root with a past: a checkpoint, then more of everything.
fn past(disk: &SimDisk) -> Store {
    let (mut store, _) = try_open(disk, &options(), at(LATER)).unwrap();
    store.read_notes(at(LATER)).unwrap();
    store.take_edits(at(LATER)).unwrap();
    let first = [
        set("mine", "one"),
        set("steps", json!(["a"])),
        set("context", json!({"topic": "tea"})),
        set("plan", "drink"),
        create(note_id(1), "Tea", "green"),
        create(note_id(2), "Milk", "white"),
    ];
    store.commit(by_agent(first.into())).unwrap();
    store.checkpoint(false, at(LATER)).unwrap();
    let note = store.state().notes.get(note_id(1)).cloned().unwrap();
    let second = [set("mine", "two"), set("late", "x"), update(&note, "black")];
    store.commit(by_agent(second.into())).unwrap();
    let note = store.state().notes.get(note_id(1)).cloned().unwrap();
    let third = [set("mine", "three"), update(&note, "red")];
    store.commit(by_agent(third.into())).unwrap();
    store
}

/// What became of what a person did.
struct Judged {
    disk: SimDisk,
    store: Store,
    before: State,
    /// What was said.
    said: String,
    edited: EditedItems,
    /// What the audit holds since.
    entries: Vec<AuditEntry>,
}

/// Lets a person do something, and the program look at it.
fn judge(when: When, act: &dyn Fn(&SimDisk)) -> Judged {
    let disk = SimDisk::new(3);
    let mut store = past(&disk);
    let before = store.state().clone();
    let head = store.head().seq;
    if when == When::AfterCleanStop {
        store.checkpoint(true, at(LATER)).unwrap();
    }
    act(&disk);
    let mut said = Vec::new();
    if when != When::Running {
        drop(store);
        let (opened, notices) = try_open(&disk, &options(), at(LATER)).unwrap();
        store = opened;
        said.extend(notices.into_iter().map(|notice| notice.message));
        said.extend(store.read_notes(at(LATER)).unwrap());
    }
    let mut edited = EditedItems::default();
    for later in [0, 500, 1000] {
        let report = store.take_edits(at(LATER + later)).unwrap();
        assert!(!report.waiting || later == 0);
        said.extend(report.taken);
        said.extend(report.notices);
        edited.ram_keys.extend(report.edited.ram_keys);
        edited.notes.extend(report.edited.notes);
    }
    let entries = audit_entries(&mut disk.clone()).unwrap().into_iter();
    Judged {
        entries: entries.filter(|entry| entry.seq > head).collect(),
        disk,
        store,
        before,
        said: said.join("\n"),
        edited,
    }
}

impl Judged {
    /// Whatever was done: the files are as the state says, everything is once in the journal, and
    /// the next start sees nothing to judge.
    fn check_rest(mut self, what: &str) {
        check_views(&self.disk, self.store.state()).unwrap_or_else(|it| panic!("{what}: {it}"));
        self.store.checkpoint(true, at(LATER)).unwrap();
        let (state, head) = (self.store.state().clone(), self.store.head());
        drop(self.store);
        let (mut store, notices) = try_open(&self.disk, &options(), at(LATER)).unwrap();
        let said = store.read_notes(at(LATER)).unwrap();
        let report = store.take_edits(at(LATER)).unwrap();
        assert!(
            notices.is_empty() && said.is_empty(),
            "{what}: {notices:?} {said:?}"
        );
        assert!(report.notices.is_empty(), "{what}: {report:?}");
        assert_eq!((store.state(), store.head()), (&state, head), "{what}");
        journal_lines(&self.disk).unwrap_or_else(|it| panic!("{what}: {it}"));
        self.disk.uproot(path(CHECKPOINT));
        let replayed = read_state(&mut self.disk, path(KV)).unwrap();
        assert_eq!(replayed, state, "{what}: replayed");
    }

    /// The files beside this one that hold what could not be taken in.
    fn broken(&self, name: &Path) -> Vec<Vec<u8>> {
        let start = format!("{}.broken-", name.display());
        let files = self.disk.files().into_iter();
        let kept = files.filter(|(path, _)| path.to_str().unwrap().starts_with(&start));
        kept.map(|(_, bytes)| bytes).collect()
    }
}

/// What a person did to one file, and what must become of it.
struct Case {
    name: &'static str,
    act: fn(&SimDisk),
    expected: Expected,
    /// Where a stop that was not in good order makes a difference.
    unclean: Option<Expected>,
}

enum Expected {
    /// Taken in: what changes, and which keys or notes the report names.
    Taken(fn(&mut Wanted)),
    /// Kept beside the file; this is said.
    Refused(&'static str),
    /// Written again; this is said.
    Restored,
    /// Put right without a word: nothing in it is a person's.
    Nothing,
}

/// The part of a state that a person can edit, and what was edited in it.
struct Wanted {
    ram: Ram,
    notes: BTreeMap<NoteId, Note>,
    keys: BTreeSet<String>,
}

impl Wanted {
    fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.ram.set(key.to_owned(), value.into());
        self.keys.insert(key.to_owned());
    }

    fn delete(&mut self, key: &str) {
        self.ram.delete(key);
        self.keys.insert(key.to_owned());
    }

    fn note(&mut self) -> &mut Note {
        let note = self.notes.get_mut(&note_id(1)).unwrap();
        note.version += 1;
        note.updated_at = at(LATER);
        note
    }
}

/// What is said, reported, audited and kept of an edit.
fn check_told(
    judged: &Judged,
    expected: &Expected,
    wanted: &Wanted,
    file: &Path,
    typed: Option<Vec<u8>>,
    what: &str,
) {
    let entries = &judged.entries;
    let ops: Vec<&str> = entries.iter().map(|entry| entry.op.as_str()).collect();
    let named = judged.said.contains(file.to_str().unwrap());
    match expected {
        Expected::Taken(_) => {
            assert!(named, "{what}: {}", judged.said);
            assert_eq!(judged.edited.ram_keys, wanted.keys, "{what}");
            let seqs: BTreeSet<u64> = entries.iter().map(|entry| entry.seq).collect();
            assert_eq!(seqs.len(), 1, "{what}: one commit");
            assert!(
                entries.iter().all(|it| it.actor_type == ActorType::User),
                "{what}"
            );
            assert_eq!(ops.len(), wanted.keys.len().max(1), "{what}: {ops:?}");
        }
        Expected::Refused(reason) => {
            assert!(
                named && judged.said.contains(reason),
                "{what}: {}",
                judged.said
            );
            assert_eq!(ops, ["edit.refused"], "{what}");
            let entry = &entries[0];
            assert_eq!(
                (entry.outcome, entry.code),
                (InstructionOutcome::Rejected, Some(Code::EditInvalid))
            );
            assert_eq!(judged.broken(file), [typed.unwrap()], "{what}");
        }
        Expected::Restored => {
            assert!(
                named && judged.said.contains("was missing"),
                "{what}: {}",
                judged.said
            );
            assert_eq!(ops, ["view.restored"], "{what}");
        }
        Expected::Nothing => {
            assert_eq!((judged.said.as_str(), entries.len()), ("", 0), "{what}");
        }
    }
}

fn check_case(case: &Case, file: &Path, when: When) {
    let what = format!("{} {when:?}", case.name);
    let typed = std::cell::RefCell::new(None);
    let judged = judge(when, &|disk| {
        (case.act)(disk);
        *typed.borrow_mut() = disk.files().get(file).cloned();
    });
    let typed = typed.into_inner();
    let expected = match &case.unclean {
        Some(expected) if when == When::AfterUncleanStop => expected,
        _ => &case.expected,
    };
    let notes = judged.before.notes.iter();
    let mut wanted = Wanted {
        ram: judged.before.main.ram.clone(),
        notes: notes.map(|note| (note.id, note.clone())).collect(),
        keys: BTreeSet::new(),
    };
    if let Expected::Taken(edit) = expected {
        edit(&mut wanted);
    }
    let state = judged.store.state();
    let notes: BTreeMap<_, _> = state.notes.iter().map(|it| (it.id, it.clone())).collect();
    assert_eq!(
        (&state.main.ram, &notes),
        (&wanted.ram, &wanted.notes),
        "{what}"
    );
    check_told(&judged, expected, &wanted, file, typed, &what);
    if !matches!(expected, Expected::Taken(_)) {
        assert_eq!(judged.edited, EditedItems::default(), "{what}");
    }
    if !matches!(expected, Expected::Refused(_)) {
        assert_eq!(judged.broken(file), Vec::<Vec<u8>>::new(), "{what}");
    }
    judged.check_rest(&what);
}

/// Edits a file's members as an editor does that replaces the file by a new one.
fn with_members(disk: &SimDisk, name: &Path, edit: impl FnOnce(&mut Map<String, Value>)) {
    let mut members: Map<String, Value> = serde_json::from_slice(&disk.files()[name]).unwrap();
    edit(&mut members);
    let mut bytes = serde_json::to_vec_pretty(&members).unwrap();
    bytes.push(b'\n');
    disk.plant(name, &bytes);
}

fn kv(disk: &SimDisk, edit: impl FnOnce(&mut Map<String, Value>)) {
    with_members(disk, path(KV), edit);
}

fn note(disk: &SimDisk, edit: impl FnOnce(&mut Map<String, Value>)) {
    with_members(disk, &first_note(), edit);
}

/// Edits a file's text.
fn with_text(disk: &SimDisk, name: &Path, edit: impl FnOnce(String) -> String) {
    let text = String::from_utf8(disk.files()[name].clone()).unwrap();
    disk.plant(name, edit(text).as_bytes());
}

fn put(members: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    members.insert(key.to_owned(), value.into());
}

fn owned(words: &str) -> String {
    words.to_owned()
}

/// A value nested that deep.
fn nested(depth: usize) -> Value {
    (1..depth).fold(json!([]), |inner, _| json!([inner]))
}

const fn case(name: &'static str, act: fn(&SimDisk), expected: Expected) -> Case {
    Case {
        name,
        act,
        expected,
        unclean: None,
    }
}

/// A case in which a stop that was not in good order may have left the same behind.
const fn stale(name: &'static str, act: fn(&SimDisk), expected: Expected) -> Case {
    Case {
        name,
        act,
        expected,
        unclean: Some(Expected::Nothing),
    }
}

const KV_CASES: &[Case] = &[
    case(
        "a changed value",
        |disk| kv(disk, |it| put(it, "mine", "edited")),
        Expected::Taken(|wanted| wanted.set("mine", "edited")),
    ),
    case(
        "a changed value, the file written in place",
        |disk| {
            let text = String::from_utf8(disk.files()[path(KV)].clone()).unwrap();
            disk.rewrite(path(KV), text.replace("three", "edited").as_bytes());
        },
        Expected::Taken(|wanted| wanted.set("mine", "edited")),
    ),
    case(
        "an added key",
        |disk| kv(disk, |it| put(it, "new", json!({"a": [1, null]}))),
        Expected::Taken(|wanted| wanted.set("new", json!({"a": [1, null]}))),
    ),
    case(
        "numbers of all kinds",
        |disk| {
            kv(disk, |it| {
                put(it, "n", json!([0.1, 1e300, u64::MAX, -1, 5e-324]));
            });
        },
        Expected::Taken(|wanted| wanted.set("n", json!([0.1, 1e300, u64::MAX, -1, 5e-324]))),
    ),
    case(
        "a number that no program holds exactly",
        |disk| {
            with_text(disk, path(KV), |text| {
                text.replacen('{', "{\"n\": 3.14159265358979323846264338327950288,", 1)
            });
        },
        Expected::Refused("the number 3.14159265358979323846264338327950288 would lose digits"),
    ),
    case(
        "a removed key",
        |disk| kv(disk, |it| drop(it.remove("mine"))),
        Expected::Taken(|wanted| wanted.delete("mine")),
    ),
    case(
        "a removed key that always exists",
        |disk| kv(disk, |it| drop(it.remove("steps"))),
        Expected::Taken(|wanted| wanted.delete("steps")),
    ),
    case(
        "several keys at once",
        |disk| {
            kv(disk, |it| {
                put(it, "mine", "edited");
                put(it, "new", 1);
                it.remove("plan");
            });
        },
        Expected::Taken(|wanted| {
            wanted.set("mine", "edited");
            wanted.set("new", 1);
            wanted.delete("plan");
        }),
    ),
    case(
        "steps as text",
        |disk| kv(disk, |it| put(it, "steps", "1. buy\n2. brew")),
        Expected::Taken(|wanted| wanted.set("steps", json!(["buy", "brew"]))),
    ),
    case(
        "context as a list",
        |disk| kv(disk, |it| put(it, "context", json!([1]))),
        Expected::Taken(|wanted| wanted.set("context", json!({"text": "1"}))),
    ),
    case(
        "a state that does not exist",
        |disk| kv(disk, |it| put(it, "state", "dreaming")),
        Expected::Taken(|wanted| wanted.set("state", "dreaming")),
    ),
    case(
        "a state that is no text",
        |disk| kv(disk, |it| put(it, "state", 7)),
        Expected::Taken(|wanted| wanted.set("state", "7")),
    ),
    case(
        "a plan that is null",
        |disk| kv(disk, |it| put(it, "plan", Value::Null)),
        Expected::Taken(|wanted| wanted.set("plan", "")),
    ),
    case(
        "a byte order mark and the line ends of another system",
        |disk| {
            with_text(disk, path(KV), |text| {
                let text = text.replace("three", "edited").replace('\n', "\r\n");
                format!("\u{feff}{text}")
            });
        },
        Expected::Taken(|wanted| wanted.set("mine", "edited")),
    ),
    case(
        "another form of the same",
        |disk| {
            with_text(disk, path(KV), |text| {
                text.replace("\n  ", "\r\n\t") + "\n\n"
            });
        },
        Expected::Nothing,
    ),
    stale(
        "a key that came after the checkpoint is gone",
        |disk| kv(disk, |it| drop(it.remove("late"))),
        Expected::Taken(|wanted| wanted.delete("late")),
    ),
    stale(
        "the whole file of the commit before",
        |disk| kv(disk, |it| put(it, "mine", "two")),
        Expected::Taken(|wanted| wanted.set("mine", "two")),
    ),
    stale(
        "a value of the checkpoint in a file of no time",
        |disk| {
            kv(disk, |it| {
                put(it, "mine", "one");
                it.remove("late");
                put(it, "late", "x");
            });
        },
        Expected::Taken(|wanted| wanted.set("mine", "one")),
    ),
    Case {
        name: "an edit of a file that a stop left behind",
        act: |disk| {
            kv(disk, |it| {
                put(it, "mine", "two");
                put(it, "plan", "edited");
            });
        },
        expected: Expected::Taken(|wanted| {
            wanted.set("mine", "two");
            wanted.set("plan", "edited");
        }),
        unclean: Some(Expected::Taken(|wanted| wanted.set("plan", "edited"))),
    },
    case(
        "broken JSON",
        |disk| with_text(disk, path(KV), |text| text.replace("\"three\"", "three")),
        Expected::Refused("line"),
    ),
    case(
        "something after the end",
        |disk| with_text(disk, path(KV), |text| text + "}"),
        Expected::Refused("trailing"),
    ),
    stale(
        "half of the file",
        |disk| with_text(disk, path(KV), |text| text[..text.len() / 2].to_owned()),
        Expected::Refused("line"),
    ),
    case(
        "a key that stands twice",
        |disk| {
            with_text(disk, path(KV), |text| {
                text.replacen('{', "{\"mine\": 1,", 1)
            });
        },
        Expected::Refused("stands twice"),
    ),
    case(
        "a list",
        |disk| disk.plant(path(KV), b"[1]"),
        Expected::Refused("not a JSON object"),
    ),
    stale(
        "an empty file",
        |disk| disk.plant(path(KV), b""),
        Expected::Refused("empty"),
    ),
    stale(
        "zeros",
        |disk| disk.plant(path(KV), &[0; 300]),
        Expected::Refused("line 1"),
    ),
    case(
        "bytes that are not UTF-8",
        |disk| disk.plant(path(KV), b"{\"mine\": \"\xff\"}"),
        Expected::Refused("UTF-8"),
    ),
    case(
        "a file beyond the limit",
        |disk| disk.plant(path(KV), &vec![b' '; KV_FILE_BYTES_MAX + 1]),
        Expected::Refused("larger than"),
    ),
    case(
        "a value beyond the limit",
        |disk| kv(disk, |it| put(it, "mine", "x".repeat(17 * 1024))),
        Expected::Refused("at most"),
    ),
    case(
        "nesting at the limit",
        |disk| kv(disk, |it| put(it, "deep", nested(JSON_DEPTH_MAX))),
        Expected::Taken(|wanted| wanted.set("deep", nested(JSON_DEPTH_MAX))),
    ),
    case(
        "nesting beyond the limit",
        |disk| kv(disk, |it| put(it, "deep", nested(JSON_DEPTH_MAX + 1))),
        Expected::Refused("nested deeper"),
    ),
    case(
        "nesting beyond anything",
        |disk| {
            let deep = format!("{{\"deep\": {}{}}}", "[".repeat(5000), "]".repeat(5000));
            disk.plant(path(KV), deep.as_bytes());
        },
        Expected::Refused("recursion"),
    ),
    case(
        "a key that climbs",
        |disk| kv(disk, |it| put(it, "a/../b", 1)),
        Expected::Refused("`..`"),
    ),
    case(
        "a key that the program keeps",
        |disk| kv(disk, |it| put(it, "archived", "mine")),
        Expected::Refused("`archived` is written by the program alone"),
    ),
    case(
        "a key without a name",
        |disk| kv(disk, |it| put(it, " ", 1)),
        Expected::Refused("is empty"),
    ),
    stale(
        "a removed file",
        |disk| disk.uproot(path(KV)),
        Expected::Restored,
    ),
];

#[test]
fn what_a_person_does_to_the_kv_file() {
    for when in EVERY_TIME {
        for case in KV_CASES {
            check_case(case, path(KV), when);
        }
    }
}

const NOTE_CASES: &[Case] = &[
    case(
        "title",
        |disk| note(disk, |it| put(it, "title", " Edited ")),
        Expected::Taken(|wanted| wanted.note().title = owned("Edited")),
    ),
    case(
        "keywords",
        |disk| note(disk, |it| put(it, "keywords", json!(["a", "b"]))),
        Expected::Taken(|wanted| wanted.note().keywords = vec!["a".to_owned(), "b".to_owned()]),
    ),
    case(
        "keywords as text",
        |disk| note(disk, |it| put(it, "keywords", "a, b")),
        Expected::Taken(|wanted| wanted.note().keywords = vec!["a".to_owned(), "b".to_owned()]),
    ),
    case(
        "text, with a link in it",
        |disk| {
            let text = format!("see [[{}]]", note_id(2));
            note(disk, |it| put(it, "value", text));
        },
        Expected::Taken(|wanted| {
            let note = wanted.note();
            note.value = format!("see [[{}]]", note_id(2));
            note.links = vec![note_id(2)];
        }),
    ),
    case(
        "text emptied",
        |disk| note(disk, |it| put(it, "value", "")),
        Expected::Taken(|wanted| wanted.note().value = String::new()),
    ),
    case(
        "a kind that the agent may not write",
        |disk| note(disk, |it| put(it, "note_kind", "diary")),
        Expected::Taken(|wanted| wanted.note().note_kind = owned("diary")),
    ),
    case(
        "links",
        |disk| note(disk, |it| put(it, "links", json!([note_id(2)]))),
        Expected::Taken(|wanted| wanted.note().links = vec![note_id(2)]),
    ),
    case(
        "everything at once, in another form",
        |disk| {
            let body = json!({"title": "Edited", "value": "v", "note_kind": "template"});
            disk.plant(&first_note(), format!("\u{feff}{body}\r\n").as_bytes());
        },
        Expected::Taken(|wanted| {
            let note = wanted.note();
            note.title = owned("Edited");
            note.value = owned("v");
            note.note_kind = owned("template");
        }),
    ),
    case(
        "what is not a person's to write is put back",
        |disk| {
            note(disk, |it| {
                put(it, "id", note_id(9).to_string());
                put(it, "workspace_id", "11111111-1111-4111-8111-111111111111");
                put(it, "issues", json!([{"text": "mine"}]));
                put(it, "version", 77);
                put(it, "created_at", "2001-01-01T00:00:00.000Z");
                put(it, "updated_at", "never");
                put(
                    it,
                    "created_by",
                    json!({"actor_type": "user", "run_id": null}),
                );
                put(it, "deleted_at", "2001-01-01T00:00:00.000Z");
                put(it, "mood", "new");
            });
        },
        Expected::Nothing,
    ),
    case(
        "absent fields are put back",
        |disk| {
            note(disk, |it| {
                for field in ["title", "note_kind", "value", "keywords", "links"] {
                    it.remove(field);
                }
            });
        },
        Expected::Nothing,
    ),
    case(
        "a blank title",
        |disk| note(disk, |it| put(it, "title", " ")),
        Expected::Refused("`title` must not be empty"),
    ),
    case(
        "a text that is null",
        |disk| note(disk, |it| put(it, "value", Value::Null)),
        Expected::Refused("`value` must not be null"),
    ),
    stale(
        "the whole file of the version before",
        |disk| {
            note(disk, |it| put(it, "value", "black"));
            with_text(disk, &first_note(), |text| {
                text.replace("\"version\": 3", "\"version\": 2")
            });
        },
        Expected::Taken(|wanted| wanted.note().value = owned("black")),
    ),
    case(
        "a title, typed over an older version",
        |disk| {
            note(disk, |it| {
                put(it, "title", "Edited");
                put(it, "value", "green");
                put(it, "version", 1);
            });
        },
        Expected::Taken(|wanted| wanted.note().title = owned("Edited")),
    ),
    case(
        "a text that no file of text can hold",
        |disk| note(disk, |it| put(it, "value", "a\u{0}b")),
        Expected::Refused("NUL"),
    ),
    case(
        "a title that is no text",
        |disk| note(disk, |it| put(it, "title", 5)),
        Expected::Refused("`title` must be text"),
    ),
    case(
        "keywords that are no words",
        |disk| note(disk, |it| put(it, "keywords", json!([1]))),
        Expected::Refused("`keywords` must be"),
    ),
    case(
        "links that are no ids",
        |disk| note(disk, |it| put(it, "links", json!(["Tea"]))),
        Expected::Refused("`links` must be note ids"),
    ),
    case(
        "a title beyond the limit",
        |disk| note(disk, |it| put(it, "title", "x".repeat(600))),
        Expected::Refused("title is longer"),
    ),
    case(
        "a text beyond the limit",
        |disk| {
            note(disk, |it| {
                put(it, "value", "x".repeat(NOTE_VALUE_BYTES_MAX + 1));
            });
        },
        Expected::Refused("text is longer"),
    ),
    case(
        "broken JSON",
        |disk| with_text(disk, &first_note(), |text| text.replace("\"red\"", "red")),
        Expected::Refused("line"),
    ),
    case(
        "a list",
        |disk| disk.plant(&first_note(), b"[]"),
        Expected::Refused("not a JSON object"),
    ),
    stale(
        "an empty file",
        |disk| disk.plant(&first_note(), b""),
        Expected::Refused("empty"),
    ),
    stale(
        "zeros",
        |disk| disk.plant(&first_note(), &[0; 300]),
        Expected::Refused("line 1"),
    ),
    case(
        "a file beyond the limit",
        |disk| disk.plant(&first_note(), &vec![b' '; NOTE_VALUE_BYTES_MAX * 8 + 1]),
        Expected::Refused("larger than"),
    ),
    stale(
        "a removed file",
        |disk| disk.uproot(&first_note()),
        Expected::Restored,
    ),
];

#[test]
fn what_a_person_does_to_a_note() {
    for when in EVERY_TIME {
        for case in NOTE_CASES {
            check_case(case, &first_note(), when);
        }
    }
}

#[test]
fn a_note_s_field_that_is_emptied_by_hand_is_told_like_a_wrong_type() {
    let told = [
        ("title", json!(null), "`title` must not be null"),
        ("title", json!(""), "`title` must not be empty"),
        ("title", json!(" \n"), "`title` must not be empty"),
        ("value", json!(null), "`value` must not be null"),
        ("note_kind", json!(null), "`note_kind` must not be null"),
        ("note_kind", json!(""), "`note_kind` must not be empty"),
        ("keywords", json!(null), "`keywords` must not be null"),
        ("links", json!(null), "`links` must not be null"),
    ];
    for (number, (field, value, reason)) in told.into_iter().enumerate() {
        let when = EVERY_TIME[number % 3];
        let judged = judge(when, &|disk| {
            let mut file: Value = serde_json::from_slice(&disk.files()[&first_note()]).unwrap();
            file[field] = value.clone();
            disk.rewrite(&first_note(), file.to_string().as_bytes());
        });
        let what = format!("{when:?} {field} {value}: {}", judged.said);
        assert!(judged.said.contains(reason), "{what}");
        assert_eq!(judged.broken(&first_note()).len(), 1, "{what}");
        assert_eq!(judged.store.state().notes, judged.before.notes, "{what}");
    }
    let judged = judge(When::Running, &|disk| {
        let mut file: Value = serde_json::from_slice(&disk.files()[&first_note()]).unwrap();
        file["value"] = json!("");
        file.as_object_mut().unwrap().remove("title");
        disk.rewrite(&first_note(), file.to_string().as_bytes());
    });
    let note = judged.store.state().notes.get(note_id(1)).unwrap();
    assert_eq!((note.title.as_str(), note.value.as_str()), ("Tea", ""));
}

#[test]
fn a_number_that_would_lose_digits_is_an_edit_that_is_refused() {
    let long = br#"{
  "mine": 1,
  "top": 98765432109876543210987
}"#;
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| disk.rewrite(path(KV), long));
        assert_eq!(judged.broken(path(KV)), [long], "{when:?}");
        assert_eq!(
            judged.store.state().main.ram,
            judged.before.main.ram,
            "{when:?}"
        );
        let told = "line 3, column 10: the number 98765432109876543210987 would lose digits; write it in quotes";
        assert!(judged.said.contains(told), "{when:?} {}", judged.said);
        let files = judged.disk.files();
        assert_eq!(
            files[path(KV)],
            judged.before.main.ram.to_file(),
            "{when:?}"
        );
        let quoted = br#"{"mine": 1.10, "top": "98765432109876543210987", "far": 1e3}"#;
        let judged = judge(when, &|disk| disk.rewrite(path(KV), quoted));
        let ram = &judged.store.state().main.ram;
        assert_eq!(ram.get("top"), Some(&json!("98765432109876543210987")));
        assert_eq!(ram.get("mine"), Some(&json!(1.1)));
        assert!(judged.broken(path(KV)).is_empty(), "{when:?}");
    }
}

/// Every byte of a file turned by a clumsy hand: what is JSON is taken in or refused with a copy, what
/// is none is refused with a copy, and nothing else ever changes.
#[test]
fn every_byte_turned_by_hand_is_taken_in_or_kept() {
    let disk = SimDisk::new(3);
    drop(past(&disk));
    for name in [PathBuf::from(KV), first_note()] {
        let good = disk.files()[&name].clone();
        for byte in 0..good.len() {
            let mut typed = good.clone();
            typed[byte] ^= 1 << (byte % 7);
            let when = EVERY_TIME[byte % 3];
            let what = format!("{} {when:?}, byte {byte}", name.display());
            let judged = judge(when, &|disk| disk.rewrite(&name, &typed));
            let kept = judged.broken(&name);
            let state = judged.store.state();
            let was = &judged.before;
            match strict_json::parse(&typed) {
                Ok(Value::Object(members)) if kept.is_empty() => {
                    let taken = if name == path(KV) {
                        let mut typed = Ram::from_entries(members);
                        if when == When::AfterUncleanStop && typed.get("late").is_none() {
                            // It may be gone because the file is from before it came.
                            typed.set(owned("late"), json!("x"));
                        }
                        state.main.ram == typed && state.notes == was.notes
                    } else {
                        let note = state.notes.get(note_id(1)).unwrap();
                        let told = |field: &str, value: Value| {
                            let typed = members.get(field).is_some_and(|it| !blank(it));
                            !typed || members[field] == value
                        };
                        state.main.ram == was.main.ram
                            && told("title", json!(note.title))
                            && told("value", json!(note.value))
                            && told("note_kind", json!(note.note_kind))
                            && told("keywords", json!(note.keywords))
                    };
                    assert!(taken, "{what}");
                }
                _ => {
                    assert_eq!(kept, [typed], "{what}");
                    assert_eq!(state, was, "{what}");
                }
            }
            judged.check_rest(&what);
        }
    }
}

fn blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A removed note that was safe at the checkpoint is said to be missing also after a bad stop.
#[test]
fn a_note_that_was_safe_is_missed_aloud() {
    let name = note_path(note_id(2));
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| disk.uproot(&name));
        assert!(
            judged.said.contains("was missing"),
            "{when:?}: {}",
            judged.said
        );
        let ops: Vec<&str> = judged.entries.iter().map(|it| it.op.as_str()).collect();
        assert_eq!(ops, ["view.restored"], "{when:?}");
        judged.check_rest(&format!("{when:?}"));
    }
}

#[test]
fn edits_of_two_notes_are_two_commits() {
    let second = note_path(note_id(2));
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| {
            note(disk, |it| put(it, "title", "Edited"));
            with_members(disk, &second, |it| put(it, "title", "Edited too"));
        });
        let made: Vec<(u64, &str)> = judged
            .entries
            .iter()
            .map(|it| (it.seq, it.op.as_str()))
            .collect();
        let first = made[0].0;
        assert_eq!(made, [(first, "note.updated"), (first + 1, "note.updated")]);
        let both = BTreeSet::from([note_id(1), note_id(2)]);
        assert_eq!(judged.edited.notes, both, "{when:?}");
        judged.check_rest(&format!("{when:?}"));
    }
}

/// A file in the notes' folder that is nobody's: its name, its text, and the note that it becomes.
#[test]
fn a_strangers_file_becomes_a_note() {
    let free = note_id(50).to_string();
    let random = "6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38";
    let names = [
        "shopping list.json",
        &format!("{free}.json"),
        &format!("{random}.json"),
    ];
    let body = json!({"title": "List", "value": "milk", "keywords": "a, b", "note_kind": "diary",
                      "id": note_id(1), "version": 9, "created_at": "2001-01-01T00:00:00.000Z"});
    for when in EVERY_TIME {
        for name in names {
            let what = format!("{name} {when:?}");
            let file = path("data/notes").join(name);
            let judged = judge(when, &|disk| disk.plant(&file, body.to_string().as_bytes()));
            let before: BTreeSet<NoteId> = judged.before.notes.iter().map(|it| it.id).collect();
            let made: Vec<&Note> = judged
                .store
                .state()
                .notes
                .iter()
                .filter(|note| !before.contains(&note.id))
                .collect();
            let [made] = made[..] else {
                panic!("{what}: {made:?}");
            };
            assert_eq!((made.title.as_str(), made.value.as_str()), ("List", "milk"));
            assert_eq!((made.note_kind.as_str(), made.version), ("diary", 1));
            assert_eq!(made.keywords, ["a", "b"]);
            assert_eq!(made.id.to_string() == free, name.contains(&free), "{what}");
            assert_eq!(made.id.0.get_version_num(), 7, "{what}");
            let files = judged.disk.files();
            assert!(name.contains(&free) || !files.contains_key(&file), "{what}");
            assert_eq!(files[&note_path(made.id)], made.to_file(), "{what}");
            assert_eq!(judged.entries.len(), 1, "{what}");
            assert_eq!(judged.entries[0].actor_type, ActorType::User, "{what}");
            assert!(
                judged.said.contains("became the note"),
                "{what}: {}",
                judged.said
            );
            judged.check_rest(&what);
        }
    }
}

/// A title in double brackets is linked by its id, whoever wrote the file.
#[test]
fn what_a_text_names_by_hand_is_linked() {
    let body = json!({"title": "List", "value": "[[tea]], [[nothing]]", "links": [note_id(2)]});
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| {
            note(disk, |it| put(it, "value", "with [[milk]]"));
            disk.plant(path("data/notes/list.json"), body.to_string().as_bytes());
        });
        let notes = &judged.store.state().notes;
        assert_eq!(
            notes.get(note_id(1)).unwrap().links,
            [note_id(2)],
            "{when:?}"
        );
        let list = notes.all_titled("List").next().unwrap();
        assert_eq!(list.links, [note_id(2), note_id(1)], "{when:?}");
        judged.check_rest(&format!("{when:?}"));
    }
}

/// A spelling of a key means that key, also in a file that a person wrote.
#[test]
fn a_hand_edit_takes_the_key_that_a_spelling_means() {
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| {
            kv(disk, |it| put(it, "plan,next", "look into the oven"));
        });
        let ram = &judged.store.state().main.ram;
        assert_eq!(ram.get("next"), Some(&json!("look into the oven")));
        assert_eq!(ram.get("plan,next"), None, "{when:?}");
        judged.check_rest(&format!("{when:?}"));
    }
}

/// The file of a deleted note that somebody puts back goes on with the life that it had.
#[test]
fn a_deleted_note_whose_file_comes_back_goes_on_in_its_history() {
    let disk = SimDisk::new(3);
    let mut store = past(&disk);
    let note = store.state().notes.get(note_id(1)).cloned().unwrap();
    let mut file: Value = serde_json::from_slice(&note.to_file()).unwrap();
    store.commit(by_agent(vec![delete(&note)])).unwrap();
    file["value"] = json!("as it was, and more");
    disk.plant(&first_note(), file.to_string().as_bytes());
    for later in [0, 500, 1000, 1500] {
        store.take_edits(at(LATER + later)).unwrap();
    }
    let back = store.state().notes.get(note_id(1)).unwrap();
    assert_eq!(back.version, note.version + 2);
    assert_eq!(back.value, "as it was, and more");
    let kept = (back.created_at, &back.created_by, &back.issues);
    assert_eq!(kept, (note.created_at, &note.created_by, &note.issues));
    assert_eq!(back.deleted_at, None);
}

/// What a power cut may leave of the file of a note that was deleted just before.
#[test]
fn what_a_power_cut_leaves_of_a_deleted_note_is_no_persons() {
    let past_file = past(&SimDisk::new(3))
        .state()
        .notes
        .get(note_id(1))
        .cloned();
    let file = past_file.unwrap().to_file();
    let torn = file.strip_suffix(b"\n").unwrap();
    assert!(
        serde_json::from_slice::<Value>(torn).is_ok(),
        "half of it is whole JSON"
    );
    for left in [&file[..], torn, &vec![0; file.len()], b""] {
        let disk = SimDisk::new(3);
        let mut store = past(&disk);
        assert_eq!(disk.files()[&first_note()], file);
        let note = store.state().notes.get(note_id(1)).cloned().unwrap();
        store.commit(by_agent(vec![delete(&note)])).unwrap();
        let before = store.state().clone();
        drop(store);
        disk.plant(&first_note(), left);
        let (mut store, _) = try_open(&disk, &options(), at(LATER)).unwrap();
        store.read_notes(at(LATER)).unwrap();
        for later in [0, 500, 1000] {
            store.take_edits(at(LATER + later)).unwrap();
        }
        assert_eq!(store.state().notes, before.notes, "{} bytes", left.len());
        assert!(!disk.files().contains_key(&first_note()));
    }
}

#[test]
fn a_strangers_file_that_is_no_note_is_set_aside() {
    let file = path("data/notes/odd.json");
    let huge = vec![b'x'; NOTE_VALUE_BYTES_MAX * 8 + 1];
    let cases: [(&[u8], &str); 6] = [
        (b"words", "line 1"),
        (b"{\"title\": \"T\"}", "it has no `value`"),
        (b"{\"value\": 1}", "`value` must be text"),
        (b"", "empty"),
        (b"\xff", "UTF-8"),
        (&huge, "larger than"),
    ];
    for when in EVERY_TIME {
        for (bytes, reason) in cases {
            let judged = judge(when, &|disk| disk.plant(file, bytes));
            assert!(judged.said.contains(reason), "{when:?}: {}", judged.said);
            assert_eq!(judged.broken(file), [bytes], "{when:?} {reason}");
            let ops: Vec<&str> = judged.entries.iter().map(|it| it.op.as_str()).collect();
            assert_eq!(ops, ["edit.refused"], "{when:?} {reason}");
            judged.check_rest(reason);
        }
    }
}

/// A name that leaves no room for an ending, also where its middle is no border of a character, and
/// where two of them begin alike.
#[test]
fn what_has_the_longest_name_is_set_aside_like_any_other() {
    let letters = "\u{3042}".repeat(83);
    let names = [
        format!("{letters}.json"),
        format!("{letters}x.json"),
        format!("{}.json", "n".repeat(250)),
    ];
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| {
            for name in &names {
                disk.plant(&path("data/notes").join(name), name.as_bytes());
            }
        });
        let files = judged.disk.files();
        let kept = files.iter().filter(|(path, _)| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.contains(".broken-") && name.len() <= FILE_NAME_BYTES_MAX
        });
        let texts: Vec<&[u8]> = kept.map(|(_, bytes)| bytes.as_slice()).collect();
        let mut texts: Vec<&str> = texts.iter().map(|it| str::from_utf8(it).unwrap()).collect();
        texts.sort_by_key(|text| (text.starts_with('n'), text.len()));
        assert_eq!(texts, names, "{when:?}");
        judged.check_rest(&format!("{when:?}"));
    }
}

/// What editors leave beside a file, and what is no file, is nobody's edit.
#[test]
fn what_editors_leave_lying_about_is_left_alone() {
    let names = [
        "data/notes/a.json~",
        "data/notes/.a.json.swp",
        "data/notes/4913",
        "data/notes/a.txt",
        "data/agent-kv-store.json~",
        "data/.agent-kv-store.json.swp",
    ];
    for when in EVERY_TIME {
        let judged = judge(when, &|disk| {
            for name in names {
                disk.plant(path(name), b"words");
            }
            disk.clone()
                .create_folder(path("data/notes/folder.json"))
                .unwrap();
        });
        assert_eq!(
            (judged.said.as_str(), judged.entries.len()),
            ("", 0),
            "{when:?}"
        );
        for name in names {
            assert_eq!(judged.disk.files()[path(name)], b"words", "{name}");
        }
    }
}

/// The time of the last change of a file, in milliseconds.
fn changed_ms(disk: &SimDisk) -> i64 {
    let stat = disk.clone().stat(path(KV)).unwrap().unwrap();
    stat.modified_ns / 1_000_000
}

#[test]
fn two_edits_within_half_a_second_are_judged_once() {
    let disk = SimDisk::new(3);
    let mut store = past(&disk);
    let head = store.head().seq;
    kv(&disk, |it| put(it, "mine", "half-typed"));
    let begun = changed_ms(&disk);
    assert!(store.take_edits(at(begun)).unwrap().waiting);
    assert!(store.take_edits(at(begun + 499)).unwrap().waiting);
    kv(&disk, |it| put(it, "mine", "typed"));
    for later in [499, 998] {
        let report = store.take_edits(at(begun + later)).unwrap();
        assert!(report.waiting && report.notices.is_empty(), "{report:?}");
    }
    let report = store.take_edits(at(begun + 999)).unwrap();
    assert!(!report.waiting);
    assert_eq!(store.head().seq, head + 1);
    assert_eq!(store.state().main.ram.get("mine"), Some(&json!("typed")));
    let lines = journal_lines(&disk).unwrap();
    let told = format!("{lines:?}");
    assert!(told.contains("typed") && !told.contains("half-typed"));
}

/// What the program keeps for itself is put back, with a copy of what was written there; what else the same
/// edit changes is taken in.
#[test]
fn what_the_program_keeps_is_put_back_and_the_rest_is_taken_in() {
    let disk = SimDisk::new(3);
    let mut store = past(&disk);
    kv(&disk, |it| {
        put(it, "archived", "precious");
        put(it, "mine", "typed");
    });
    let begun = changed_ms(&disk);
    store.take_edits(at(begun)).unwrap();
    let report = store.take_edits(at(begun + 500)).unwrap();
    assert_eq!(
        (report.taken.len(), report.notices.len()),
        (1, 1),
        "{report:?}"
    );
    let ram = &store.state().main.ram;
    assert_eq!(
        (ram.get("mine"), ram.get("archived")),
        (Some(&json!("typed")), None)
    );
    let files = disk.files();
    assert_eq!(files[path(KV)], ram.to_file());
    let is_copy = |name: &Path| name.to_str().unwrap().contains(".json.broken-");
    let copy = files.iter().find(|(name, _)| is_copy(name)).unwrap().1;
    assert!(String::from_utf8_lossy(copy).contains("precious"));
}

/// An hour put back on the clock makes nobody wait for an hour.
#[test]
fn an_edit_is_judged_although_the_clock_was_put_back() {
    const HOUR_MS: i64 = 3_600_000;
    let disk = SimDisk::new(3);
    let mut store = past(&disk);
    disk.set_clock_ms(LATER);
    disk.plant(path("data/notes/list.json"), b"{\"value\": \"milk\"}");
    note(&disk, |it| put(it, "title", "Edited"));
    kv(&disk, |it| put(it, "mine", "typed"));
    let begun = changed_ms(&disk);
    for now in [begun, begun - HOUR_MS, begun - HOUR_MS + 499] {
        let report = store.take_edits(at(now)).unwrap();
        assert!(report.waiting && report.notices.is_empty(), "{report:?}");
    }
    let report = store.take_edits(at(begun - HOUR_MS + 500)).unwrap();
    assert!(!report.waiting, "{report:?}");
    assert_eq!(store.state().main.ram.get("mine"), Some(&json!("typed")));
    let notes = &store.state().notes;
    assert_eq!(notes.get(note_id(1)).unwrap().title, "Edited");
    assert!(notes.iter().any(|note| note.value == "milk"));
}

/// A commit that meets a file somebody is still writing puts it aside as it is. It is judged whole,
/// once it lies still, also by the next process.
#[test]
fn a_half_written_file_that_a_commit_meets_is_not_judged_before_it_lies_still() {
    for stops in [false, true] {
        let disk = SimDisk::new(3);
        let mut store = past(&disk);
        let typed = String::from_utf8(disk.files()[path(KV)].clone()).unwrap();
        let typed = typed.replace("three", "typed");
        disk.set_clock_ms(LATER);
        let (half, _) = typed.split_at(typed.len() / 2);
        disk.rewrite(path(KV), half.as_bytes());
        let begun = changed_ms(&disk);
        assert!(store.take_edits(at(begun)).unwrap().waiting);
        let agents = vec![set("mine", "the agent's"), set("new", 1)];
        store.commit(by_agent(agents)).unwrap();
        assert_eq!(disk.files()[path(KV)], store.state().main.ram.to_file());
        let report = store.take_edits(at(begun + 100)).unwrap();
        assert!(report.waiting && report.notices.is_empty(), "{report:?}");
        let files = disk.files();
        let mut asides = files.iter().filter(|(_, bytes)| *bytes == half.as_bytes());
        let (aside, _) = asides.next().unwrap();
        if stops {
            store.checkpoint(true, at(begun + 100)).unwrap();
        }
        // Whoever writes it has it open.
        disk.rewrite(aside, typed.as_bytes());
        if stops {
            drop(store);
            store = try_open(&disk, &options(), at(begun + 5000)).unwrap().0;
            store.read_notes(at(begun + 5000)).unwrap();
        }
        let report = store.take_edits(at(begun + 5000)).unwrap();
        let keys = &report.edited.ram_keys;
        assert_eq!(*keys, ["mine".to_owned()].into(), "{stops}: {report:?}");
        let ram = &store.state().main.ram;
        assert_eq!(ram.get("mine"), Some(&json!("typed")), "{stops}");
        assert_eq!(ram.get("new"), Some(&json!(1)), "{stops}");
        check_views(&disk, store.state()).unwrap();
        let files = disk.files();
        assert!(!files.contains_key(aside), "{stops}");
        let is_broken = |name: &PathBuf| name.to_str().unwrap().contains(".broken-");
        assert!(!files.keys().any(is_broken), "{stops}");
    }
}

/// What the program commits while an edit lies there unseen brings it out: the edit counts, key by
/// key, also where both wrote the same one, and a broken one is kept.
#[test]
fn an_edit_that_a_commit_meets_is_not_overwritten() {
    let disk = SimDisk::new(3);
    let mut store = past(&disk);
    kv(&disk, |it| {
        put(it, "mine", "the person's");
        put(it, "late", "typed");
    });
    note(&disk, |it| put(it, "title", "Typed"));
    let note = store.state().notes.get(note_id(1)).cloned().unwrap();
    let agents = vec![
        set("mine", "the agent's"),
        set("new", 1),
        update(&note, "agent's"),
    ];
    store.commit(by_agent(agents)).unwrap();
    let report = store.take_edits(at(LATER)).unwrap();
    assert_eq!(
        report.edited.ram_keys,
        ["late", "mine"].map(str::to_owned).into()
    );
    let state = store.state();
    for (key, value) in [
        ("mine", json!("the person's")),
        ("late", json!("typed")),
        ("new", json!(1)),
    ] {
        assert_eq!(state.main.ram.get(key), Some(&value));
    }
    let note = state.notes.get(note_id(1)).unwrap();
    assert_eq!(
        (note.title.as_str(), note.value.as_str(), note.version),
        ("Typed", "agent's", 5)
    );
    check_views(&disk, state).unwrap();

    disk.plant(path(KV), b"{typing");
    disk.plant(&first_note(), b"{typing too");
    let update = update(note, "more");
    store
        .commit(by_agent(vec![set("mine", "agent"), update]))
        .unwrap();
    let report = store.take_edits(at(LATER)).unwrap();
    assert_eq!(report.notices.len(), 2, "{report:?}");
    let files = disk.files();
    for typed in [b"{typing".as_slice(), b"{typing too"] {
        assert!(files.iter().any(|(name, bytes)| {
            name.to_str().unwrap().contains(".broken-") && bytes == typed
        }));
    }
    check_views(&disk, store.state()).unwrap();
}

/// Whenever the disk is full, what was taken in before is still reported, once there is room.
#[test]
fn a_full_disk_loses_nothing_of_the_report() {
    let act = |disk: &SimDisk| {
        kv(disk, |it| put(it, "mine", "edited"));
        note(disk, |it| put(it, "title", "Edited"));
        disk.plant(&note_path(note_id(50)), b"{\"value\": \"new\"}");
        disk.plant(&note_path(note_id(2)), b"broken");
        disk.plant(
            path("data/notes/odd.json"),
            &vec![b' '; NOTE_VALUE_BYTES_MAX * 8 + 1],
        );
    };
    for when in EVERY_TIME {
        for call in 1.. {
            let disk = SimDisk::new(3);
            let mut store = past(&disk);
            let mut head = store.head().seq;
            if when == When::AfterCleanStop {
                store.checkpoint(true, at(LATER)).unwrap();
                head = store.head().seq;
            }
            act(&disk);
            if when != When::Running {
                drop(store);
                store = try_open(&disk, &options(), at(LATER)).unwrap().0;
                store.read_notes(at(LATER)).unwrap();
                head = head.min(store.head().seq);
            }
            let calls = disk.calls();
            disk.fail_call(calls + call, Fault::FullAfter(7), true);
            let mut edited = EditedItems::default();
            let mut said = Vec::new();
            for attempt in 0..4 {
                match store.take_edits(at(LATER + attempt * 1000)) {
                    Ok(report) => {
                        edited.ram_keys.extend(report.edited.ram_keys);
                        edited.notes.extend(report.edited.notes);
                        said.extend(report.taken);
                        said.extend(report.notices);
                    }
                    Err(error) => assert!(error.is_full(), "{error}"),
                }
                if attempt == 1 {
                    disk.heal();
                }
            }
            let what = format!("{when:?}, call {call}");
            assert_eq!(edited.ram_keys, ["mine".to_owned()].into(), "{what}");
            assert_eq!(edited.notes, [note_id(1), note_id(50)].into(), "{what}");
            assert_eq!(said.len(), 5, "{what}: {said:?}");
            assert_eq!(store.head().seq, head + 5, "{what}");
            check_views(&disk, store.state()).unwrap_or_else(|it| panic!("{what}: {it}"));
            let broken = disk.files().into_iter().filter(|(name, bytes)| {
                name.to_str().unwrap().contains(".broken-") && bytes == b"broken"
            });
            assert_eq!(broken.count(), 1, "{what}");
            if disk.calls() < calls + call {
                break;
            }
        }
    }
}

/// A file that was missing is missed aloud, however often there is no room for saying so.
#[test]
fn a_full_disk_hides_no_missing_file() {
    for when in [When::Running, When::AfterCleanStop] {
        for call in 1.. {
            let disk = SimDisk::new(3);
            let mut store = past(&disk);
            let mut said = Vec::new();
            let clean = when == When::AfterCleanStop;
            if clean {
                store.checkpoint(true, at(LATER)).unwrap();
                store = try_open(&disk, &options(), at(LATER)).unwrap().0;
            } else {
                disk.uproot(path(KV));
            }
            disk.uproot(&first_note());
            let calls = disk.calls();
            disk.fail_call(calls + call, Fault::FullAfter(7), true);
            for attempt in 0..5 {
                let now = at(LATER + attempt * 1000);
                let read = store.read_notes(now);
                let edits = store.take_edits(now);
                said.extend(read.unwrap_or_default());
                said.extend(edits.map(|report| report.notices).unwrap_or_default());
                if attempt == 2 {
                    disk.heal();
                }
            }
            let what = format!("{when:?}, call {call}: {said:?}");
            assert_eq!(said.len(), if clean { 1 } else { 2 }, "{what}");
            let restored = audit_entries(&mut disk.clone()).unwrap();
            let restored = restored.iter().filter(|it| it.op == "view.restored");
            assert_eq!(restored.count(), said.len(), "{what}");
            check_views(&disk, store.state()).unwrap_or_else(|it| panic!("{what}: {it}"));
            if disk.calls() < calls + call {
                break;
            }
        }
    }
}

// === on a real disk ===

/// What a person may put in a file's place that is no file.
#[derive(Clone, Copy, Debug)]
enum Odd {
    Folder,
    Link,
    Pipe,
}

#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
fn replace_by(root: &Path, name: &Path, odd: Odd) {
    let place = root.join(name);
    std::fs::remove_file(&place).unwrap();
    match odd {
        Odd::Folder => {
            std::fs::create_dir(&place).unwrap();
            std::fs::write(place.join("inside"), "mine").unwrap();
        }
        Odd::Link => {
            std::fs::write(root.join("elsewhere"), "{\"mine\": \"linked\"}").unwrap();
            std::os::unix::fs::symlink(root.join("elsewhere"), &place).unwrap();
        }
        Odd::Pipe => {
            let made = std::process::Command::new("mkfifo").arg(&place).status();
            assert!(made.unwrap().success());
        }
    }
}

fn real_past(root: &Path) -> Store {
    let disk = RealDisk::open(root, true).unwrap();
    let (mut store, _) = Store::open(Box::new(disk), options(), at(LATER)).unwrap();
    store.read_notes(at(LATER)).unwrap();
    store.take_edits(at(LATER)).unwrap();
    let events = [set("mine", "one"), create(note_id(1), "Tea", "green")];
    store.commit(by_agent(events.into())).unwrap();
    store
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test looks at files itself")]
fn what_is_no_file_is_moved_away_and_never_followed() {
    for name in [PathBuf::from(KV), first_note()] {
        for odd in [Odd::Folder, Odd::Link, Odd::Pipe] {
            for when in EVERY_TIME {
                let what = format!("{} {odd:?} {when:?}", name.display());
                let folder = tempfile::tempdir().unwrap();
                let root = folder.path();
                let mut store = real_past(root);
                let good = std::fs::read(root.join(&name)).unwrap();
                if when == When::AfterCleanStop {
                    store.checkpoint(true, at(LATER)).unwrap();
                }
                replace_by(root, &name, odd);
                if when != When::Running {
                    drop(store);
                    let disk = RealDisk::open(root, false).unwrap();
                    store = Store::open(Box::new(disk), options(), at(LATER)).unwrap().0;
                    store.read_notes(at(LATER)).unwrap();
                }
                // An hour on it lies still, whatever the time of the test is.
                let far = at(4_000_000_000_000);
                let report = store.take_edits(far).unwrap();
                assert!(
                    report.notices[0].contains("not a regular file"),
                    "{what}: {report:?}"
                );
                assert_eq!(std::fs::read(root.join(&name)).unwrap(), good, "{what}");
                let kept = std::fs::read_dir(root.join(&name).parent().unwrap()).unwrap();
                let mut kept = kept
                    .map(|entry| entry.unwrap().path())
                    .filter(|path| path.to_str().unwrap().contains(".broken-"));
                let kept = kept.next().unwrap();
                match odd {
                    Odd::Folder => assert_eq!(std::fs::read(kept.join("inside")).unwrap(), b"mine"),
                    Odd::Link => assert!(kept.is_symlink(), "{what}"),
                    Odd::Pipe => assert!(!kept.is_file(), "{what}"),
                }
                // A commit that meets such a thing leaves it whole, too.
                replace_by(root, &name, odd);
                let note = store.state().notes.get(note_id(1)).cloned().unwrap();
                store
                    .commit(by_agent(vec![set("mine", "two"), update(&note, "v")]))
                    .unwrap();
                let report = store.take_edits(far).unwrap();
                assert_eq!(report.notices.len(), 1, "{what}: {report:?}");
                assert_eq!(
                    store.state().main.ram.get("mine"),
                    Some(&json!("two")),
                    "{what}"
                );
                store.checkpoint(true, far).unwrap();
            }
        }
    }
}

/// The notes' folder thrown away whole is a folder of missing files.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
fn a_folder_thrown_away_comes_back() {
    for when in EVERY_TIME {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut store = real_past(root);
        store
            .checkpoint(when == When::AfterCleanStop, at(LATER))
            .unwrap();
        let good = std::fs::read(root.join(first_note())).unwrap();
        std::fs::remove_dir_all(root.join("data/notes")).unwrap();
        let mut said = Vec::new();
        if when != When::Running {
            drop(store);
            let disk = RealDisk::open(root, false).unwrap();
            store = Store::open(Box::new(disk), options(), at(LATER)).unwrap().0;
            said.extend(store.read_notes(at(LATER)).unwrap());
        }
        for later in [0, 500] {
            said.extend(store.take_edits(at(LATER + later)).unwrap().notices);
        }
        assert_eq!(said.len(), 1, "{when:?}: {said:?}");
        assert!(said[0].contains("was missing"), "{when:?}: {said:?}");
        assert_eq!(std::fs::read(root.join(first_note())).unwrap(), good);
        store.checkpoint(true, at(LATER)).unwrap();
    }
}

/// The two ways in which editors write, on a real file system.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
fn editors_that_rename_and_editors_that_rewrite() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut store = real_past(root);
    let far = 4_000_000_000_000;
    for (round, by_rename) in (0..).zip([true, false, true, false]) {
        let value = format!("edit {round}");
        let text = json!({"mine": value, "context": {}, "plan": "", "state": "planning",
                          "steps": [], "think_log": ""});
        let place = root.join(KV);
        if by_rename {
            std::fs::write(root.join("data/4913"), text.to_string()).unwrap();
            std::fs::rename(root.join("data/4913"), &place).unwrap();
        } else {
            std::fs::write(&place, text.to_string()).unwrap();
        }
        let report = store.take_edits(at(far + round)).unwrap();
        assert_eq!(
            report.edited.ram_keys,
            ["mine".to_owned()].into(),
            "{round}"
        );
        assert_eq!(store.state().main.ram.get("mine"), Some(&json!(value)));
        assert_eq!(
            std::fs::read(&place).unwrap(),
            store.state().main.ram.to_file()
        );
    }
    store.checkpoint(true, at(far)).unwrap();
}
