//! The checkpoint: the journal's head with a snapshot of everything but the notes' texts, so that
//! a start replays the tail alone. `audit head` prints its head. Written whole or not at all.

use super::disk::Disk;
use super::error::Error;
use super::journal::{Head, LastLine, Segments};
use super::layout;
use super::scan::Place;
use crate::core::agent::ActionResult;
use crate::core::journal::event::Cycle;
use crate::core::journal::{Hash, State};
use crate::core::memory::Ram;
use crate::core::notes::Notes;
use crate::core::run::Runs;
use crate::ids::NoteId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// The version of the checkpoint's format.
const VERSION: u32 = 1;

/// Larger than any checkpoint, in bytes: 100,000 notes make about 12 MB.
const BYTES_MAX: usize = 256 * 1024 * 1024;

const DIGEST_MARK: &[u8] = b",\"digest\":\"";

/// Where the kept journal begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct First {
    /// The first kept segment.
    pub segment: u32,
    /// The commit before its first line.
    pub head: Head,
}

impl First {
    /// A journal that nothing was ever retired from.
    pub(super) const START: Self = Self {
        segment: 1,
        head: Head::START,
    };

    /// Where its first line stands.
    pub(super) const fn place(self) -> Place {
        Place {
            segment: self.segment,
            offset: 0,
            head: self.head,
        }
    }
}

/// A checkpoint as it is read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    v: u32,
    /// When it was written.
    pub ts: Timestamp,
    /// Whether the program stopped after it in good order.
    pub clean: bool,
    /// The last commit that it covers.
    pub head: Head,
    /// Where that commit's line stands; absent before the first.
    pub last: Option<LastLine>,
    /// Where the kept journal begins.
    pub first: First,
    /// The digest of the KV file.
    pub kv: Hash,
    ram: BTreeMap<String, Value>,
    runs: Runs,
    cycle: Cycle,
    results: Vec<ActionResult>,
    seen: BTreeMap<NoteId, u64>,
    notes: Box<RawValue>,
}

/// What a checkpoint is made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// The state.
    pub state: &'a State,
    /// The journal.
    pub segments: &'a Segments,
    /// Where the kept journal begins.
    pub first: First,
    /// The digest of the KV file.
    pub kv: Hash,
    /// The digests of the notes' files.
    pub notes: &'a BTreeMap<NoteId, Hash>,
    /// Whether this is the last one of a stop in good order.
    pub clean: bool,
    /// Now.
    pub now: Timestamp,
}

impl Checkpoint {
    /// The state without its notes, which stand in their files.
    pub(super) fn state(&mut self) -> State {
        State {
            ram: Ram::from_entries(std::mem::take(&mut self.ram)),
            notes: Notes::default(),
            runs: std::mem::take(&mut self.runs),
            cycle: self.cycle,
            results: std::mem::take(&mut self.results),
            seen: std::mem::take(&mut self.seen),
        }
    }

    /// The digests of the notes' files. Read apart, since a start does not need them at once.
    pub(super) fn notes(&self) -> Result<BTreeMap<NoteId, Hash>, serde_json::Error> {
        serde_json::from_str(self.notes.get())
    }
}

/// Reads the checkpoint. `Ok(Err(bytes))` hands back one that is damaged; `Ok(Ok(None))` is none.
pub(super) fn read(disk: &mut dyn Disk) -> Result<Result<Option<Checkpoint>, Vec<u8>>, Error> {
    let path = Path::new(layout::CHECKPOINT);
    let failed = |error| Error::file("read", path, error);
    if disk.stat(path).map_err(failed)?.is_none() {
        return Ok(Ok(None));
    }
    let bytes = disk.read(path, BYTES_MAX).map_err(failed)?;
    Ok(parse(&bytes).map(Some).ok_or(bytes))
}

fn parse(bytes: &[u8]) -> Option<Checkpoint> {
    let at = bytes
        .windows(DIGEST_MARK.len())
        .rposition(|window| window == DIGEST_MARK)?;
    let (body, rest) = bytes.split_at(at);
    let hex = rest.get(DIGEST_MARK.len()..DIGEST_MARK.len() + 64)?;
    let digest = Hash::parse(std::str::from_utf8(hex).ok()?)?;
    let checkpoint: Checkpoint = serde_json::from_slice(bytes).ok()?;
    (Hash::of(body) == digest && checkpoint.v == VERSION).then_some(checkpoint)
}

/// Writes a checkpoint: under a temporary name, synced, then renamed, then the name synced.
pub(super) fn write(disk: &mut dyn Disk, source: &Source<'_>) -> Result<(), Error> {
    let Source {
        state, segments, ..
    } = *source;
    let ram = state
        .ram
        .entries()
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    let checkpoint = Checkpoint {
        v: VERSION,
        ts: source.now,
        clean: source.clean,
        head: segments.head,
        last: segments.last,
        first: source.first,
        kv: source.kv,
        ram,
        runs: state.runs.clone(),
        cycle: state.cycle,
        results: state.results.clone(),
        seen: state.seen.clone(),
        notes: serde_json::value::to_raw_value(source.notes)?,
    };
    let mut bytes = serde_json::to_vec(&checkpoint)?;
    bytes.pop(); // The brace comes back behind the digest.
    let digest = Hash::of(&bytes);
    bytes.extend_from_slice(DIGEST_MARK);
    writeln!(bytes, "{digest}\"}}").map_err(serde_json::Error::io)?;
    replace_synced(disk, Path::new(layout::CHECKPOINT), &bytes)
}

/// Replaces a file so that after a power cut it is the old one or the new one, never anything
/// else. Costs two syncs; views do not need it.
fn replace_synced(disk: &mut dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let temporary = layout::temporary_path(path);
    let failed = |error| Error::file("write", path, error);
    if disk.stat(&temporary).map_err(failed)?.is_some() {
        disk.remove(&temporary).map_err(failed)?;
    }
    disk.create(&temporary, bytes).map_err(failed)?;
    disk.sync(&temporary)
        .map_err(|error| Error::sync(path, error))?;
    disk.rename(&temporary, path).map_err(failed)?;
    let folder = path.parent().unwrap_or(path);
    disk.sync_folder(folder)
        .map_err(|error| Error::sync(folder, error))
}
