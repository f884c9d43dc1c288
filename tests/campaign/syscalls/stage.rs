//! Where the faults happen: roots with a past of each sort, of which each fault gets a fresh copy, and a
//! scripted model that orders writes with numbers of their own.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the machine and the model"
)]

use crate::kill::largest;
use crate::peer::{Peer, Request, Step};
use crate::store_lab::{KV, by_agent, create, note_id, options, set, storage_set};
use kjxlkj_agent::config::{SHIPPED_EXTENDED_PROMPT, init_with};
use kjxlkj_agent::core::journal::{CommitDraft, State};
use kjxlkj_agent::daemon::{Clock as _, SystemClock};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{Options, Store, read_state};
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Notes that are there from the beginning.
const KEPT_NOTES: u64 = 6;

/// Notes that a run of the past and an import write again.
pub(crate) const REWRITTEN: u64 = 4;

/// Notes that an import brings.
pub(crate) const IMPORTED: u64 = 8;

/// The smallest size of a segment: the journal of such a past is longer.
const SMALL_SEGMENT: u64 = 4096;

/// The sort of a root's past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// Nothing but what a person writes.
    Fresh,
    /// Notes, RAM, a tree and a run, and a stop in good order.
    Clean,
    /// The same, then a process that died in the middle of a write.
    Died,
    /// The same in small segments: the next commit begins another.
    Full,
    /// The same behind segments that are past their age.
    Old,
}

/// A root that is copied for each fault.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) root: PathBuf,
    /// The state; of a fresh root an empty one.
    pub(crate) state: State,
}

/// What the model has said, and what it was shown.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Calls so far.
    pub(crate) calls: AtomicU64,
    /// The number in the last reply that has one.
    pub(crate) number: AtomicU64,
    /// The largest number that stood in a prompt: its commit was acknowledged.
    pub(crate) shown: AtomicU64,
}

/// One place to work in, with a model of its own.
pub(crate) struct Stage {
    folder: TempDir,
    peer: Peer,
    pub(crate) said: Arc<Said>,
    templates: BTreeMap<Origin, Template>,
    /// The state before the run that is taken back.
    pub(crate) before_run: State,
    /// That run.
    pub(crate) run_id: String,
}

/// One reply: a new note, some notes written again, RAM and the tree.
fn answer(said: &Said, request: &Request) -> Step {
    let prompt = String::from_utf8_lossy(&request.body).into_owned();
    let shown = largest(&prompt, "number-");
    said.shown.fetch_max(shown, Ordering::SeqCst);
    said.calls.fetch_add(1, Ordering::SeqCst);
    // What is written has to be shown before a run may end.
    let state = prompt.rsplit("<state>").next().unwrap_or_default();
    if state.starts_with("evaluating") {
        return Step::reply("<ram_add><key>think_log</key><value>Done.</value></ram_add>");
    }
    let number = said.number.fetch_add(1, Ordering::SeqCst) + 1;
    let again: Vec<String> = (0..REWRITTEN)
        .map(|note| {
            format!(
                "<record_update><key>kept-{note}</key><value>x{note}, {number}</value></record_update>\n"
            )
        })
        .collect();
    Step::reply(&format!(
        "<ram_add><key>count</key><value>number-{number}</value></ram_add>\n\
         <record_add><title>note-{number}</title><keywords>k{number}</keywords>\
         <value>n{number}</value></record_add>\n{}\
         <actions><action><kind>set</kind><target_path>/storage/mark</target_path>\
         <content>{number}</content></action></actions>",
        again.concat()
    ))
}

impl Stage {
    /// Makes every root. In memory where that can be had: faults come from strace and not from a device.
    pub(crate) fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        let said = Arc::new(Said::default());
        let peer = Peer::answering({
            let said = Arc::clone(&said);
            move |request, _| answer(&said, request)
        });
        let mut stage = Self {
            folder: folder.unwrap(),
            peer,
            said,
            templates: BTreeMap::new(),
            before_run: State::empty(),
            run_id: String::new(),
        };
        stage.write_fresh();
        stage.write_clean();
        stage.write_died();
        stage.write_full();
        stage.write_old();
        stage.write_import();
        stage
    }

    /// The root that the faults happen in.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// A file or folder beside it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn template(&self, origin: Origin) -> &Template {
        &self.templates[&origin]
    }

    /// Puts a fresh copy of a root in place.
    pub(crate) fn reset(&self, origin: Origin) {
        drop(std::fs::remove_dir_all(self.root()));
        copy_tree(&self.template(origin).root, &self.root());
    }

    /// Leaves everything where it is, for somebody to look at.
    pub(crate) fn keep_copy(&self) -> PathBuf {
        let kept = tempfile::tempdir().unwrap().keep();
        copy_tree(self.folder.path(), &kept);
        kept
    }

    /// The program, untraced, on that root.
    pub(crate) fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"));
        command.arg("--root").arg(self.root());
        command.stdin(Stdio::null()).current_dir("/");
        command
    }

    fn take(&mut self, origin: Origin) {
        let root = self.beside(&format!("{origin:?}"));
        copy_tree(&self.root(), &root);
        let state = read(&root).unwrap();
        self.templates.insert(origin, Template { root, state });
    }

    fn write_fresh(&mut self) {
        let root = self.root();
        let changes = json!({
            "prompt_path": "./data/prompts/extended.json",
            "provider": {"provider_kind": "openai", "base_url": self.peer.base_url(), "model": "peer-model"},
            "loop": {"loop_delay_ms": 0, "max_iterations": 10, "idle_profile": "sleep", "protocol": "xml"},
            "memory": {"working_memory_character_max": 50_000},
            "journal": {"retention_days": 1},
            "scope": {"max_notes_per_loop": 50, "max_edits_per_loop": 50},
            "log": {"level": "warn"},
        });
        init_with(&root, &changes).unwrap();
        self.change_config(|config| {
            config["scope"]["workspace_id"] = json!(options().scope.workspace_id);
        });
        let prompt: Value = serde_json::from_str(SHIPPED_EXTENDED_PROMPT).unwrap();
        assert!(prompt["allowed_tags"].to_string().contains("actions"));
        self.take(Origin::Fresh);
    }

    fn write_clean(&mut self) {
        let now = SystemClock.now();
        let mut store = open(&self.root(), options(), now);
        let notes = (0..KEPT_NOTES).map(|number| {
            let text = format!("The first text of {number}.");
            create(note_id(number), &format!("kept-{number}"), &text)
        });
        store.commit(at(now, notes.collect())).unwrap();
        let rest = vec![set("tea", "green"), storage_set("/storage/tin", "red")];
        store.commit(at(now, rest)).unwrap();
        store.checkpoint(true, now).unwrap();
        drop(store);
        self.before_run = read(&self.root()).unwrap();
        let mut command = self.program();
        let ran = command.args(["run", "--task", "write it down", "--format", "json"]);
        let ran = ran.output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        let record: Value = serde_json::from_slice(&ran.stdout).unwrap();
        record["run_id"]
            .as_str()
            .unwrap()
            .clone_into(&mut self.run_id);
        self.take(Origin::Clean);
        let after = &self.template(Origin::Clean).state;
        assert!(after.notes.len() > self.before_run.notes.len());
        assert_ne!(after.storage, self.before_run.storage);
    }

    /// What a process leaves that dies in the middle of a write: a tail without a checkpoint, a torn
    /// line, half of a view.
    fn write_died(&mut self) {
        self.reset(Origin::Clean);
        let now = SystemClock.now();
        let mut store = open(&self.root(), options(), now);
        store.read_notes(now).unwrap();
        for number in 0..3 {
            let note = create(note_id(100 + number), &format!("late-{number}"), "late");
            let place = format!("/storage/late{number}");
            let events = vec![note, set("late", number), storage_set(&place, number)];
            store.commit(at(now, events)).unwrap();
        }
        drop(store);
        let segment = self.root().join("data/journal/00000001.jsonl");
        let mut segment = std::fs::File::options().append(true).open(segment).unwrap();
        segment.write_all(b"{\"v\":1,\"seq\":").unwrap();
        let view = std::fs::read(self.root().join(KV)).unwrap();
        let half = self.root().join("data/.agent-kv-store.json.tmp");
        std::fs::write(half, &view[..view.len() / 2]).unwrap();
        self.take(Origin::Died);
    }

    fn write_full(&mut self) {
        self.reset(Origin::Clean);
        self.change_config(|config| {
            config["journal"]["segment_bytes"] = json!(SMALL_SEGMENT);
        });
        self.take(Origin::Full);
    }

    /// The same past, told in small segments of days ago.
    fn write_old(&mut self) {
        self.reset(Origin::Fresh);
        let now = SystemClock.now();
        let days_ago = |hours: i64| now.plus_millis(-(100 - hours) * 60 * 60 * 1000);
        let small = Options {
            segment_bytes: 2000,
            ..options()
        };
        let mut store = open(&self.root(), small, days_ago(0));
        for number in 0..KEPT_NOTES {
            let hour = i64::try_from(number).unwrap();
            let note = create(note_id(number), &format!("kept-{number}"), "of days ago");
            let place = format!("/storage/old{number}");
            let events = vec![note, set("tea", number), storage_set(&place, number)];
            store.commit(at(days_ago(hour), events)).unwrap();
        }
        store.checkpoint(true, days_ago(50)).unwrap();
        drop(store);
        // A look at a file's age spares the reading of what is young.
        for segment in std::fs::read_dir(self.root().join("data/journal")).unwrap() {
            let file = std::fs::File::options()
                .write(true)
                .open(segment.unwrap().path());
            let age = Duration::from_hours(50);
            file.unwrap().set_modified(SystemTime::now() - age).unwrap();
        }
        self.take(Origin::Old);
    }

    fn change_config(&self, change: impl FnOnce(&mut Value)) {
        let path = self.root().join("data/config.json");
        let mut config: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        change(&mut config);
        std::fs::write(path, config.to_string()).unwrap();
    }

    /// New notes and some that are there, as Markdown.
    fn write_import(&self) {
        let folder = self.beside("import");
        std::fs::create_dir(&folder).unwrap();
        for number in 0..IMPORTED {
            let title = imported_title(number);
            let id = if number < REWRITTEN {
                note_id(number)
            } else {
                note_id(200 + number)
            };
            let text = format!(
                "---\nid: {id}\ntitle: {title}\nversion: 50\n---\n{}\n",
                imported(number)
            );
            std::fs::write(folder.join(format!("{number}.md")), text).unwrap();
        }
    }
}

/// The title of an imported note.
pub(crate) fn imported_title(number: u64) -> String {
    let name = if number < REWRITTEN {
        "kept"
    } else {
        "brought"
    };
    format!("{name}-{number}")
}

/// The text of an imported note.
pub(crate) fn imported(number: u64) -> String {
    format!("What the import says of {number}.")
}

/// The state that a root has.
pub(crate) fn read(root: &Path) -> Result<State, String> {
    let mut disk = RealDisk::open(root, false).map_err(|error| error.to_string())?;
    read_state(&mut disk, Path::new(KV)).map_err(|error| error.to_string())
}

fn open(root: &Path, options: Options, now: Timestamp) -> Store {
    let disk = Box::new(RealDisk::open(root, true).unwrap());
    let (mut store, _) = Store::open(disk, options, now).unwrap();
    store.read_notes(now).unwrap();
    store
}

fn at(now: Timestamp, events: Vec<kjxlkj_agent::core::journal::Event>) -> CommitDraft {
    CommitDraft {
        ts: now,
        ..by_agent(events)
    }
}

/// Copies folders and files with the times of their last change; sockets are left out.
pub(crate) fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, target) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&entry.path(), &target);
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &target).unwrap();
            let modified = entry.metadata().unwrap().modified().unwrap();
            let file = std::fs::File::options().append(true).open(&target).unwrap();
            file.set_modified(modified).unwrap();
        }
    }
}
