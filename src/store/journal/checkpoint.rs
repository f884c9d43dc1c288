//! The checkpoint: the journal's head with a snapshot of the state except the notes and `/storage`.
//! With it, a start replays only the tail. `audit head` prints its head. It is written atomically.

use super::scan::JournalPosition;
use super::{Head, LastLine, Segments};
use crate::core::journal::event::ViewRestored;
use crate::core::journal::{Hash, State};
use crate::ids::NoteId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::views::deferred::DeferredView;
use crate::store::views::files::{NoteDigests, ViewFiles};
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

/// The facts of a checkpoint beside the state.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    v: u32,
    ts: Timestamp,
    /// Whether the program stopped in good order after it.
    pub clean: bool,
    /// The last commit that it covers.
    pub head: Head,
    /// The location of that commit's line; absent before the first commit.
    pub last: Option<LastLine>,
    /// The beginning of the kept journal.
    pub first: JournalPosition,
    /// The digest of the KV file.
    pub kv: Hash,
    #[serde(rename = "at_rest", default)]
    pub view_digests: BTreeMap<DeferredView, Hash>,
}

/// A checkpoint as it is read.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    /// The facts beside the state.
    pub facts: Facts,
    /// The state without notes and `/storage`, which have their own files.
    pub state: State,
    pub notes: NoteDigests,
}

/// A checkpoint as it is written. The notes come last.
#[derive(Serialize)]
struct CheckpointRecord<'a> {
    #[serde(flatten)]
    facts: Facts,
    #[serde(flatten)]
    state: &'a State,
    notes: &'a BTreeMap<NoteId, Hash>,
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
    disk.remove_file(path)?;
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
    let facts: Facts = serde_json::from_str(&text).ok()?;
    let mut state: State = serde_json::from_str(&text).ok()?;
    // An older checkpoint has no directory of keys.
    state.main.keys.take_in(&state.main.ram, facts.ts);
    (facts.v == VERSION).then(|| Checkpoint {
        facts,
        state,
        notes: NoteDigests::unread(notes.to_owned()),
    })
}

/// Writes a checkpoint under a temporary name, syncs and renames it, and syncs the folder.
/// It is `clean` if the program stops in good order behind it.
pub(crate) fn write(
    disk: &mut dyn Disk,
    state: &State,
    segments: &Segments,
    files: &mut ViewFiles,
    clean: bool,
    now: Timestamp,
) -> Result<(), Error> {
    let checkpoint = CheckpointRecord {
        facts: Facts {
            v: VERSION,
            ts: now,
            clean,
            head: segments.end.head,
            last: segments.last,
            first: segments.first,
            kv: Hash::of(&files.kv_bytes),
            view_digests: files.deferred.digests.clone(),
        },
        state,
        notes: files.notes.read()?,
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
    disk.secure_name(path)
}
