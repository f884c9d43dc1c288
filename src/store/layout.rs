//! The paths under the root. Only this module spells these names.

use crate::ids::NoteId;
use crate::limits::FILE_NAME_BYTES_MAX;
use std::path::{Path, PathBuf};

/// The data folder.
pub const DATA: &str = "data";
/// The lock file of the one writer.
pub const LOCK: &str = "data/daemon.lock";
/// The socket of a daemon.
pub const CONTROL_SOCKET: &str = "data/control.sock";
/// The journal.
pub const JOURNAL: &str = "data/journal";
/// The `/storage` tree.
pub const STORAGE: &str = "data/storage.json";
/// The directory of keys.
pub const CONTEXT_KEYS: &str = "data/context_keys.json";
/// Both layers of the memory, if they are wanted in one file.
pub const MEMORY: &str = "data/memory.json";
/// The newest tool calls.
pub const LOG: &str = "data/log.json";
/// The checkpoint.
pub const CHECKPOINT: &str = "data/journal/checkpoint.json";
/// The quarantine of unusable bytes.
pub const QUARANTINE: &str = "data/quarantine";
/// The folder of the notes' files.
pub const NOTES: &str = "data/notes";
/// The inbox.
pub const INBOX: &str = "data/inbox";
/// The requests in progress.
pub const INBOX_TAKEN: &str = "data/inbox/.taken";
/// The requests that were committed.
pub const INBOX_DONE: &str = "data/inbox/done";
/// The requests that could not be read.
pub const INBOX_REJECTED: &str = "data/inbox/rejected";
/// The conversations, if they are retained.
pub const CONVERSATIONS: &str = "data/conversations";
/// The search index over the notes, which is derived and may be deleted.
pub const NOTE_INDEX: &str = "data/index/notes";
/// The search index over the leaves of `/storage`, which is derived and may be deleted.
pub const STORAGE_INDEX: &str = "data/index/storage";
/// The text before the time in the name of a broken file.
const BROKEN: &str = ".broken-";
/// The file with the coverage of an index, which exists only if the index is complete.
pub const INDEX_COVERS: &str = "covers.json";

pub fn segment_name(number: u32) -> String {
    format!("{number:08}.jsonl")
}

/// Returns the number in a journal segment's name; the first is 1.
pub fn segment_number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(".jsonl")?;
    let plain = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| digits.parse().ok()).flatten();
    number.filter(|number| *number > 0)
}

pub fn segment_path(number: u32) -> PathBuf {
    Path::new(JOURNAL).join(segment_name(number))
}

pub fn note_path(id: NoteId) -> PathBuf {
    Path::new(NOTES).join(format!("{id}.json"))
}

/// Returns the note that a file name belongs to.
pub fn note_of(name: &str) -> Option<NoteId> {
    let id = name.strip_suffix(".json")?;
    // Only the canonical spelling is the program's; any other name is a foreign file.
    id.parse::<NoteId>()
        .ok()
        .filter(|parsed| parsed.to_string() == id)
}

/// Returns the hidden name under which a view is written before it replaces its file.
pub fn temporary_path(path: &Path) -> PathBuf {
    path.with_file_name([".", &name_of(path), ".tmp"].concat())
}

/// Returns the hidden name of a file that an exchange replaced and that is not judged yet.
/// The inode number distinguishes two of them.
pub fn aside_path(path: &Path, inode: u64) -> PathBuf {
    path.with_file_name(format!(".{}.{inode}.tmp", name_of(path)))
}

/// Returns the file name to which a hidden name of one of these two forms belongs.
pub fn leftover_of(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('.')?.strip_suffix(".tmp")?;
    Some(match inner.rsplit_once('.') {
        Some((file, inode)) if inode.bytes().all(|byte| byte.is_ascii_digit()) => file,
        _ => inner,
    })
}

/// Returns whether a name has the form of [`broken_path`].
pub fn is_broken(name: &[u8]) -> bool {
    memchr::memmem::find(name, BROKEN.as_bytes()).is_some()
}

/// Returns the name under which a refused file is kept beside its place.
/// A name that is too long for the suffix is cut.
pub fn broken_path(path: &Path, stamp: &str, attempt: u32) -> PathBuf {
    let again = if attempt == 0 {
        String::new()
    } else {
        format!("-{attempt}")
    };
    let ending = format!("{BROKEN}{stamp}{again}");
    let name = name_of(path);
    let room = name.floor_char_boundary(FILE_NAME_BYTES_MAX.saturating_sub(ending.len()));
    path.with_file_name([name.get(..room).unwrap_or(&name), &ending].concat())
}

fn name_of(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}
