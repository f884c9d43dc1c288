//! The checkpoint: the journal's head with a snapshot of the state except the notes and `/storage`.
//! With it, a start replays only the tail. `audit head` prints its head. It is written atomically.

use super::scan::Place;
use super::{Head, Journal, LastLine};
use crate::core::agent::{ActionLog, ActionResult, ResultLog};
use crate::core::automation::ScheduleCursor;
use crate::core::journal::event::{Cycle, ViewRestored};
use crate::core::journal::{Hash, State};
use crate::core::memory::{KeyDirectory, Ram, Storage};
use crate::core::notes::{Notes, Organizing};
use crate::core::prompt::Calibrations;
use crate::core::review::Proposals;
use crate::core::route::Spending;
use crate::core::run::Runs;
use crate::ids::NoteId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::views::deferred::DeferredView;
use crate::store::views::digests::NoteDigests;
use crate::store::{layout, quarantine};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// The version of the checkpoint's format.
const VERSION: u32 = 1;

/// A size that no checkpoint exceeds, in bytes: 100,000 notes make about 12 MB.
const BYTES_MAX: usize = 256 * 1024 * 1024;

const DIGEST_MARK: &str = ",\"digest\":\"";

const NOTES_MARK: &str = ",\"notes\":";

/// The beginning of the kept journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct First {
    /// The number of the first kept segment.
    pub segment: u32,
    /// The commit before its first line.
    pub head: Head,
}

impl First {
    /// The beginning of a journal without retired segments.
    pub(crate) const START: Self = Self {
        segment: 1,
        head: Head::START,
    };

    /// Returns the place of its first line.
    pub(crate) const fn place(self) -> Place {
        Place {
            segment: self.segment,
            offset: 0,
            head: self.head,
        }
    }
}

/// A checkpoint in the form that is read.
#[derive(Debug, Deserialize)]
pub(crate) struct Checkpoint {
    v: u32,
    /// Whether the program stopped in good order after it.
    pub clean: bool,
    /// The last commit that it covers.
    pub head: Head,
    /// The location of that commit's line; absent before the first commit.
    pub last: Option<LastLine>,
    /// The beginning of the kept journal.
    pub first: First,
    /// The digest of the KV file.
    pub kv: Hash,
    /// The digests of the deferred views.
    #[serde(rename = "at_rest", default)]
    pub view_digests: BTreeMap<DeferredView, Hash>,
    ram: Ram,
    #[serde(default)]
    keys: Option<KeyDirectory>,
    /// The time at which it was written.
    ts: Timestamp,
    runs: Runs,
    cycle: Cycle,
    results: Vec<ActionResult>,
    #[serde(default)]
    result_log: ResultLog,
    #[serde(default)]
    log: ActionLog,
    seen: BTreeMap<NoteId, u64>,
    #[serde(default)]
    organizing: Organizing,
    #[serde(default)]
    calibrations: Calibrations,
    #[serde(default)]
    spending: Spending,
    #[serde(rename = "awaited", default)]
    schedule_cursor: ScheduleCursor,
    #[serde(default)]
    proposals: Proposals,
    /// The digests of the notes' files.
    #[serde(skip)]
    pub notes: NoteDigests,
    /// The rest of the checkpoint, as it was written.
    #[serde(skip)]
    pub text: String,
}

/// A checkpoint in the form that is written. The notes come last.
#[derive(Serialize)]
struct Written<'a> {
    v: u32,
    /// The time at which it was written.
    ts: Timestamp,
    clean: bool,
    head: Head,
    last: Option<LastLine>,
    first: First,
    kv: Hash,
    #[serde(rename = "at_rest")]
    view_digests: &'a BTreeMap<DeferredView, Hash>,
    ram: &'a Ram,
    keys: &'a KeyDirectory,
    runs: &'a Runs,
    cycle: Cycle,
    results: &'a [ActionResult],
    result_log: &'a ResultLog,
    log: &'a ActionLog,
    seen: &'a BTreeMap<NoteId, u64>,
    #[serde(skip_serializing_if = "Organizing::is_empty")]
    organizing: &'a Organizing,
    calibrations: &'a Calibrations,
    #[serde(skip_serializing_if = "Spending::is_empty")]
    spending: Spending,
    #[serde(rename = "awaited", skip_serializing_if = "ScheduleCursor::is_empty")]
    schedule_cursor: &'a ScheduleCursor,
    #[serde(skip_serializing_if = "Proposals::is_empty")]
    proposals: &'a Proposals,
    notes: &'a BTreeMap<NoteId, Hash>,
}

/// The content of a checkpoint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The state.
    pub state: &'a State,
    /// The journal.
    pub journal: &'a Journal,
    /// The digest of the KV file.
    pub kv: Hash,
    /// The digests of the deferred views.
    pub view_digests: &'a BTreeMap<DeferredView, Hash>,
    /// The digests of the notes' files.
    pub notes: &'a BTreeMap<NoteId, Hash>,
    /// Whether this is the last checkpoint of a stop in good order.
    pub clean: bool,
    /// The present time.
    pub now: Timestamp,
}

impl Checkpoint {
    /// Returns the state without notes and `/storage`, which have their own files.
    pub(crate) fn state(&mut self) -> State {
        let ram = std::mem::take(&mut self.ram);
        // An older checkpoint has no directory of keys.
        let mut keys = self.keys.take().unwrap_or_default();
        keys.take_in(&ram, self.ts);
        State {
            ram,
            keys,
            storage: Storage::default(),
            notes: Notes::default(),
            runs: std::mem::take(&mut self.runs),
            cycle: self.cycle,
            results: std::mem::take(&mut self.results),
            result_log: std::mem::take(&mut self.result_log),
            log: std::mem::take(&mut self.log),
            seen: std::mem::take(&mut self.seen),
            organizing: std::mem::take(&mut self.organizing),
            calibrations: std::mem::take(&mut self.calibrations),
            spending: self.spending,
            schedule_cursor: std::mem::take(&mut self.schedule_cursor),
            proposals: std::mem::take(&mut self.proposals),
        }
    }
}

/// Reads the checkpoint.
/// `Ok(Err(bytes))` returns the bytes of a damaged one; `Ok(Ok(None))` means that there is none.
pub(crate) fn read(disk: &mut dyn Disk) -> Result<Result<Option<Checkpoint>, Vec<u8>>, Error> {
    let path = Path::new(layout::CHECKPOINT);
    let failed = |error| Error::file("read", path, error);
    if disk.stat(path).map_err(failed)?.is_none() {
        return Ok(Ok(None));
    }
    let bytes = disk.read(path, BYTES_MAX).map_err(failed)?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Ok(Err(error.into_bytes())),
    };
    Ok(parse(&text).map(Some).ok_or_else(|| text.into_bytes()))
}

/// Moves the bytes of a damaged checkpoint to quarantine.
pub(crate) fn put_aside(
    disk: &mut dyn Disk,
    bytes: &[u8],
    now: Timestamp,
) -> Result<ViewRestored, Error> {
    let path = Path::new(layout::CHECKPOINT);
    let kept = quarantine::keep(disk, "checkpoint.json", bytes, now)?;
    disk.remove(path)
        .map_err(|error| Error::file("remove", path, error))?;
    Ok(ViewRestored {
        path: path.display().to_string(),
        reason: "it was damaged".to_owned(),
        kept_as: Some(kept.display().to_string()),
    })
}

fn parse(text: &str) -> Option<Checkpoint> {
    let (body, rest) = text.split_at(text.rfind(DIGEST_MARK)?);
    let (hex, end) = rest.get(DIGEST_MARK.len()..)?.split_at_checked(64)?;
    if end.trim_end() != "\"}" || Hash::of(body.as_bytes()) != Hash::parse(hex)? {
        return None;
    }
    // The list of the notes contains no brace.
    let (head, notes) = body.split_at(body.rfind('{')?);
    let text = format!("{}}}", head.strip_suffix(NOTES_MARK)?);
    let checkpoint: Checkpoint = serde_json::from_str(&text).ok()?;
    (checkpoint.v == VERSION).then(|| Checkpoint {
        notes: NoteDigests::unread(notes.to_owned()),
        text,
        ..checkpoint
    })
}

/// Writes a checkpoint under a temporary name, syncs and renames it, and syncs the folder.
pub(crate) fn write(disk: &mut dyn Disk, source: &Source<'_>) -> Result<(), Error> {
    let Source { state, journal, .. } = *source;
    let checkpoint = Written {
        v: VERSION,
        ts: source.now,
        clean: source.clean,
        head: journal.end.head,
        last: journal.last,
        first: journal.first,
        kv: source.kv,
        view_digests: source.view_digests,
        ram: &state.ram,
        keys: &state.keys,
        runs: &state.runs,
        cycle: state.cycle,
        results: &state.results,
        result_log: &state.result_log,
        log: &state.log,
        seen: &state.seen,
        organizing: &state.organizing,
        calibrations: &state.calibrations,
        spending: state.spending,
        schedule_cursor: &state.schedule_cursor,
        proposals: &state.proposals,
        notes: source.notes,
    };
    let mut bytes = serde_json::to_vec(&checkpoint)?;
    bytes.pop(); // The brace comes back behind the digest.
    let digest = Hash::of(&bytes);
    bytes.extend_from_slice(DIGEST_MARK.as_bytes());
    writeln!(bytes, "{digest}\"}}").map_err(serde_json::Error::io)?;
    replace_synced(disk, Path::new(layout::CHECKPOINT), &bytes)
}

/// Replaces a file so that after a power cut it is either the old one or the new one.
/// This costs two syncs; views do not need it.
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
