//! Goal 7: how long it takes after `kill -9` until the store is ready, from the checkpoint and by a full
//! replay that verifies every line, beside plainly reading the same files.

use crate::measure::{Outcome, Pairs, float, now_ns};
use crate::product::{self, Work};
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::core::guard::ram_own;
use kjxlkj_agent::core::journal::{Actor, ActorType, Cause, CommitDraft, Event};
use kjxlkj_agent::daemon::store_options;
use kjxlkj_agent::limits::CHECKPOINT_EVERY_BYTES;
use kjxlkj_agent::store::disk::{AppendError, Disk, FileStat, RealDisk};
use kjxlkj_agent::store::{Options, Store};
use kjxlkj_agent::time::Timestamp;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io;
use std::path::Path;

const CHECKPOINT: Question = Question {
    number: 7,
    what: "kill -9 to ready, 100,000 commits in the journal",
    against: "plain read of the same files",
    unit: "ms",
    goal: Goal::AtMost(4.0),
};

const REBUILD: Question = Question {
    number: 7,
    what: "full rebuild without a checkpoint, every line verified",
    against: "plain read of the same files + one pass of SHA-256",
    unit: "ms",
    goal: Goal::AtMost(4.0),
};

/// A real disk that leaves out the waiting: what is in the files is the same, and nobody pulls a plug.
#[derive(Debug)]
struct Unsynced(RealDisk);

impl Disk for Unsynced {
    fn read(&mut self, path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
        self.0.read(path, bytes_max)
    }
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
        self.0.read_at(path, offset, bytes_max)
    }
    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>> {
        self.0.stat(path)
    }
    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }
    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        self.0.create_folder(folder)
    }
    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        self.0.append(path, bytes)
    }
    fn sync(&mut self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
    fn sync_all(&mut self, _folder: &Path) -> io::Result<bool> {
        Ok(true)
    }
    fn forget(&mut self, path: &Path, offset: u64) -> io::Result<()> {
        self.0.forget(path, offset)
    }
    fn sync_folder(&mut self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }
    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        self.0.truncate(path, bytes)
    }
    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.0.create(path, bytes)
    }
    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        self.0.exchange(a, b)
    }
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)
    }
    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename_new(from, to)
    }
    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.0.remove(path)
    }
    fn free_bytes(&mut self) -> io::Result<u64> {
        self.0.free_bytes()
    }
    fn check_root(&mut self) -> io::Result<()> {
        self.0.check_root()
    }
}

/// Measures both goals.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let commits = if quick { 10_000_u64 } else { 100_000 };
    let folder = product::folder()?;
    let root = folder.path().join("root");
    // The address is never asked.
    product::prepare(&root, "http://127.0.0.1:9/v1", Work::Nothing)?;
    let options = store_options(&product::load(&root)?.0);
    let (commits, tail_bytes) = fill(&root, &options, commits)?;
    let bytes = product::journal_bytes(&root)?;

    let rounds = if quick { 5 } else { 15 };
    let (mut from_checkpoint, mut rebuild) = (Pairs::default(), Pairs::default());
    for round in 0..=rounds {
        let ours = timed(|| open(&root, &options))?;
        let theirs = timed(|| read(&root, false))?;
        if round > 0 {
            from_checkpoint.push(ours, theirs);
        }
    }
    fs::remove_file(root.join("data/journal/checkpoint.json"))?;
    for round in 0..=rounds {
        let ours = timed(|| open(&root, &options))?;
        let theirs = timed(|| read(&root, true))?;
        if round > 0 {
            rebuild.push(ours, theirs);
        }
    }
    let described = |row: Row| row.with("commits", commits).with("journal_bytes", bytes);
    Ok(vec![
        described(Row::of(CHECKPOINT, &from_checkpoint)).with("tail_bytes", tail_bytes),
        described(Row::of(REBUILD, &rebuild)),
    ])
}

/// Commits of one small change each, until the tail behind the last checkpoint is as long as it can
/// get. Gives how many there are, and the length of that tail.
fn fill(root: &Path, options: &Options, commits: u64) -> Outcome<(u64, u64)> {
    let disk = Box::new(Unsynced(RealDisk::open(root, true)?));
    let now = Timestamp::from_millis(1_800_000_000_000);
    let (mut store, _) = Store::open(disk, options.clone(), now)?;
    // No checkpoint is written before the files of the root have been looked at.
    store.read_notes(now)?;
    store.take_edits(now)?;
    let checkpoint = root.join("data/journal/checkpoint.json");
    let mut longest_tail = u64::MAX;
    loop {
        let before = store.head().seq;
        if before >= commits {
            let covered: Value = serde_json::from_slice(&fs::read(&checkpoint)?)?;
            let covered = covered["head"]["seq"]
                .as_u64()
                .ok_or("a checkpoint without its head")?;
            if longest_tail == u64::MAX {
                let line = product::journal_bytes(root)? / before;
                longest_tail = (CHECKPOINT_EVERY_BYTES - CHECKPOINT_EVERY_BYTES / 64) / line;
            }
            if before - covered >= longest_tail {
                let tail = product::journal_bytes(root)? / before * (before - covered);
                return Ok((before, tail));
            }
        }
        // `plan` holds this already, so no view changes and the line is as short as a line can be.
        let change = ram_own("plan", Value::from(""));
        store.commit(CommitDraft {
            ts: now.plus_millis(i64::try_from(before)?),
            actor: Actor {
                actor_type: ActorType::User,
            },
            cause: Cause::plain("verb"),
            events: vec![Event::Change(change)],
        })?;
    }
}

fn open(root: &Path, options: &Options) -> Outcome<()> {
    let disk = Box::new(RealDisk::open(root, false)?);
    let (store, _) = Store::open(
        disk,
        options.clone(),
        Timestamp::from_millis(1_900_000_000_000),
    )?;
    drop(std::hint::black_box(store));
    Ok(())
}

fn read(root: &Path, hashed: bool) -> Outcome<()> {
    let mut hasher = Sha256::new();
    for path in product::segments(root)? {
        let bytes = fs::read(path)?;
        if hashed {
            hasher.update(&bytes);
        }
        std::hint::black_box(bytes);
    }
    std::hint::black_box(hasher.finalize());
    Ok(())
}

/// Milliseconds that something takes.
fn timed(act: impl FnOnce() -> Outcome<()>) -> Outcome<f64> {
    let since = now_ns();
    act()?;
    Ok(float(now_ns() - since) / 1e6)
}
