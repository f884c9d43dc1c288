//! How an agent rests where it is told of changed files, and where it is not; and what the system's own
//! watch tells.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and plays the person's hand"
)]

use crate::agent::ram_add;
use crate::lab::{Lab, Seen as SeenEvent, live, read, write};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::daemon::{Agent, FileEvents, Halt};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::NoteId;
use kjxlkj_agent::provider::CallFuture;
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use kjxlkj_agent::store::{FileChanges, FileWatch};
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Tells what a test says.
#[derive(Clone, Debug, Default)]
struct Told(Arc<Mutex<VecDeque<io::Result<FileChanges>>>>);

impl Told {
    fn tell(&self, seen: io::Result<FileChanges>) {
        self.0.lock().unwrap().push_back(seen);
    }
}

impl FileEvents for Told {
    fn changed(&mut self) -> CallFuture<'_, ()> {
        if self.0.lock().unwrap().is_empty() {
            return Box::pin(std::future::pending());
        }
        Box::pin(std::future::ready(()))
    }

    fn take(&mut self) -> io::Result<FileChanges> {
        self.0
            .lock()
            .unwrap()
            .pop_front()
            .unwrap_or_else(|| Ok(FileChanges::default()))
    }
}

/// An agent that has run once and rests, with many notes.
async fn resting(notes: usize) -> (Lab, Agent, Told) {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }));
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    lab.run("x").await;
    for number in 0..notes {
        lab.write(
            &format!("data/notes/n{number}.json"),
            "{\"value\": \"one\"}",
        );
    }
    let mut agent = lab.start();
    let told = Told::default();
    agent.watch_by(Box::new(told.clone()));
    (lab, agent, told)
}

#[tokio::test]
async fn a_rest_that_is_told_of_changes_lasts_a_minute_and_else_a_second() {
    let (mut lab, mut agent, told) = resting(0).await;
    let begun = lab.clock.slept_ms().len();
    let stop = lab.stopper();
    lab.clock.at_wait(begun + 5, move || stop.stop());
    live(&mut agent).await;
    let slept = lab.clock.slept_ms();
    assert!(
        slept[begun + 1..].iter().all(|wait| *wait == 60_000),
        "{slept:?}"
    );
    agent.close().unwrap();
    let mut agent = lab.start();
    agent.watch_by(Box::new(told.clone()));
    told.tell(Err(io::Error::other("no more watches")));
    let begun = lab.clock.slept_ms().len();
    let stop = lab.stopper();
    lab.clock.at_wait(begun + 5, move || stop.stop());
    live(&mut agent).await;
    let slept = lab.clock.slept_ms();
    assert!(slept[begun..].iter().all(|wait| *wait == 1000), "{slept:?}");
    let said = lab.eyes.notices().into_iter();
    assert_eq!(said.filter(|it| it.contains("no more watches")).count(), 1);
}

/// Nobody tells of a journal that another program changes, so it is looked at with the files.
#[tokio::test]
async fn a_journal_that_another_program_changes_ends_a_rest_within_a_minute() {
    for is_cut in [true, false] {
        let (lab, mut agent, _told) = resting(0).await;
        let segment = lab.path("data/journal/00000001.jsonl");
        let begun = lab.clock.slept_ms().len();
        let path = segment.clone();
        lab.clock.at_wait(begun + 3, move || {
            let file = std::fs::File::options().append(true).open(&path).unwrap();
            let length = file.metadata().unwrap().len();
            file.set_len(if is_cut { length - 1 } else { length + 1 })
                .unwrap();
        });
        let ended = agent.live().await;
        assert!(
            matches!(&ended, Err(Halt::Failed(failure)) if failure.code == Code::JournalWriteFailed),
            "{ended:?}"
        );
        let slept = lab.clock.slept_ms();
        assert!(slept.len() <= begun + 5, "{slept:?}");
    }
}

#[tokio::test]
async fn a_note_that_was_told_of_is_looked_at_before_its_turn() {
    for by_name in [true, false] {
        let (lab, mut agent, told) = resting(600).await;
        let stop = lab.stopper();
        lab.eyes.react(move |seen| {
            let is_taken = |message: &String| message.starts_with("taken in from");
            if matches!(seen, SeenEvent::Notice(message) if is_taken(message)) {
                stop.stop();
            }
        });
        let begun = lab.clock.slept_ms().len() + 4;
        let folder = lab.path("data/notes");
        lab.clock.at_wait(begun, move || {
            let mut names: Vec<String> = std::fs::read_dir(&folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort_unstable();
            let path = folder.join(names.last().unwrap());
            let mut note: Value = serde_json::from_str(&read(&path)).unwrap();
            note["value"] = "two".into();
            let id: NoteId = serde_json::from_value(note["id"].clone()).unwrap();
            write(&path, &note.to_string());
            told.tell(Ok(FileChanges {
                notes: if by_name {
                    BTreeSet::from([id])
                } else {
                    BTreeSet::new()
                },
                everything: !by_name,
                ..FileChanges::default()
            }));
        });
        live(&mut agent).await;
        let waits = lab.clock.slept_ms().len() - begun;
        assert!(waits <= 1, "{waits} waits");
    }
}

/// A root with the folders that are watched.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for folder in ["data/notes", "data/inbox", "data/journal", "kv"] {
        std::fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    root
}

#[test]
fn the_watch_tells_of_a_persons_files_and_of_no_others() {
    let root = root();
    let mut watch = FileWatch::open(root.path(), Path::new("kv/ram.json")).unwrap();
    let id = "0192f0c4-7a11-7c9e-8000-000000000001";
    let own = format!("data/notes/{id}.json");
    let nothing = FileChanges::default();
    let note = FileChanges {
        notes: BTreeSet::from([id.parse().unwrap()]),
        ..FileChanges::default()
    };
    let stranger = FileChanges {
        stranger: true,
        ..FileChanges::default()
    };
    let other = FileChanges {
        other: true,
        ..FileChanges::default()
    };
    for (path, expected) in [
        (own.as_str(), &note),
        ("data/notes/mine.json", &stranger),
        ("data/notes/.x.json.tmp", &nothing),
        ("kv/ram.json", &other),
        ("data/storage.json", &other),
        ("kv/other.json", &nothing),
        ("data/inbox/a.txt", &other),
        ("data/inbox/.a.tmp", &nothing),
        ("data/agent-kv-store.json", &nothing),
        ("data/journal/00000001.jsonl", &nothing),
        ("elsewhere.txt", &nothing),
    ] {
        std::fs::write(root.path().join(path), "x").unwrap();
        assert_eq!(watch.take().unwrap(), *expected, "{path}");
        assert_eq!(watch.take().unwrap(), nothing, "{path}");
    }
    // A folder that goes and one that comes: everything is looked at, and the new one is watched.
    let inbox = root.path().join("data/inbox");
    for step in ["gone", "new"] {
        if step == "gone" {
            std::fs::rename(&inbox, root.path().join("data/old")).unwrap();
        } else {
            std::fs::create_dir(&inbox).unwrap();
        }
        assert!(watch.take().unwrap().everything, "{step}");
    }
    watch.take().unwrap();
    std::fs::write(root.path().join("data/old/b.txt"), "x").unwrap();
    assert_eq!(watch.take().unwrap(), nothing);
    std::fs::write(inbox.join("b.txt"), "x").unwrap();
    assert_eq!(watch.take().unwrap(), other);
}

#[test]
fn more_changes_than_the_system_remembers_mean_everything() {
    let root = root();
    let mut watch = FileWatch::open(root.path(), Path::new("kv/ram.json")).unwrap();
    let most = read(Path::new("/proc/sys/fs/inotify/max_queued_events"));
    let most: usize = most.trim().parse().unwrap();
    let (a, b) = (
        root.path().join("data/notes/a"),
        root.path().join("data/notes/b"),
    );
    std::fs::write(&a, "x").unwrap();
    for _ in 0..=most / 4 {
        std::fs::rename(&a, &b).unwrap();
        std::fs::rename(&b, &a).unwrap();
    }
    assert!(watch.take().unwrap().everything);
    assert!(watch.take().unwrap().is_nothing());
}

#[test]
fn a_file_or_folder_that_was_moved_is_not_added_to() {
    let root = root();
    let mut disk = RealDisk::open(root.path(), false).unwrap();
    let path = Path::new("data/journal/1.jsonl");
    disk.append(path, b"a\n").unwrap();
    disk.anchor(Path::new("data")).unwrap();
    disk.check_place(path, 2).unwrap();
    disk.check_root().unwrap();
    let (journal, old) = (
        root.path().join("data/journal"),
        root.path().join("data/old"),
    );
    std::fs::rename(&journal, &old).unwrap();
    let missing = |outcome: io::Result<()>| outcome.unwrap_err().kind() == io::ErrorKind::NotFound;
    assert!(missing(disk.check_place(path, 2)));
    disk.check_root().unwrap();
    // A copy in its place is another file.
    std::fs::create_dir(&journal).unwrap();
    std::fs::copy(old.join("1.jsonl"), journal.join("1.jsonl")).unwrap();
    assert!(missing(disk.check_place(path, 2)));
    std::fs::rename(root.path().join("data"), root.path().join("data.old")).unwrap();
    assert!(missing(disk.check_root()));
    assert!(missing(
        disk.check_place(Path::new("data/journal/2.jsonl"), 0)
    ));
}
