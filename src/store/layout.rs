//! Where things stand under the root. The only place that spells these names.

use crate::ids::NoteId;
use crate::limits::FILE_NAME_BYTES_MAX;
use std::path::{Path, PathBuf};

/// The data folder.
pub const DATA: &str = "data";
/// One writer at a time.
pub const LOCK: &str = "data/daemon.lock";
/// Where a daemon is spoken to.
pub const CONTROL_SOCKET: &str = "data/control.sock";
/// The journal.
pub const JOURNAL: &str = "data/journal";
/// The `/storage` tree.
pub const STORAGE: &str = "data/storage.json";
/// The directory of keys.
pub const CONTEXT_KEYS: &str = "data/context_keys.json";
/// Both layers of the memory, where they are wanted in one file.
pub const MEMORY: &str = "data/memory.json";
/// The newest tool calls.
pub const LOG: &str = "data/log.json";
/// The head of the journal.
pub const CHECKPOINT: &str = "data/journal/checkpoint.json";
/// Bytes put aside.
pub const QUARANTINE: &str = "data/quarantine";
/// The notes.
pub const NOTES: &str = "data/notes";
/// Requests of a person.
pub const INBOX: &str = "data/inbox";
/// Requests being taken.
pub const INBOX_TAKEN: &str = "data/inbox/.taken";
/// Requests that were committed.
pub const INBOX_DONE: &str = "data/inbox/done";
/// Requests that could not be read.
pub const INBOX_REJECTED: &str = "data/inbox/rejected";
/// Conversations, when they are retained.
pub const CONVERSATIONS: &str = "data/conversations";
/// The search index over the notes: derived, may be deleted, as the other.
pub const NOTE_INDEX: &str = "data/index/notes";
/// The one over the leaves of `/storage`.
pub const STORAGE_INDEX: &str = "data/index/storage";
/// What stands in front of the time in the name of something broken.
const BROKEN: &str = ".broken-";
/// What an index covers: there only when it is whole.
pub const INDEX_COVERS: &str = "covers.json";

/// The name of a journal segment.
pub fn segment_name(number: u32) -> String {
    format!("{number:08}.jsonl")
}

/// The number of a journal segment's name; the first is 1.
pub fn segment_number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(".jsonl")?;
    let plain = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| digits.parse().ok()).flatten();
    number.filter(|number| *number > 0)
}

/// The path of a journal segment.
pub fn segment_path(number: u32) -> PathBuf {
    Path::new(JOURNAL).join(segment_name(number))
}

/// The path of a note's file.
pub fn note_path(id: NoteId) -> PathBuf {
    Path::new(NOTES).join(format!("{id}.json"))
}

/// The note that a file name belongs to.
pub fn note_of(name: &str) -> Option<NoteId> {
    let id = name.strip_suffix(".json")?;
    // Only the canonical spelling is ours: any other is a stranger's file.
    id.parse::<NoteId>()
        .ok()
        .filter(|parsed| parsed.to_string() == id)
}

/// The name under which a view is written before it is swapped in: hidden, beside its target.
pub fn temporary_path(path: &Path) -> PathBuf {
    path.with_file_name([".", &name_of(path), ".tmp"].concat())
}

/// The name under which a file waits that an exchange brought out and that nobody has judged yet.
/// The inode keeps two of them apart.
pub fn aside_path(path: &Path, inode: u64) -> PathBuf {
    path.with_file_name(format!(".{}.{inode}.tmp", name_of(path)))
}

/// The file that a hidden name of one of these two forms stands beside.
pub fn leftover_of(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('.')?.strip_suffix(".tmp")?;
    Some(match inner.rsplit_once('.') {
        Some((file, inode)) if inode.bytes().all(|byte| byte.is_ascii_digit()) => file,
        _ => inner,
    })
}

/// Whether a name is one that [`broken_path`] gives.
pub fn is_broken(name: &[u8]) -> bool {
    memchr::memmem::find(name, BROKEN.as_bytes()).is_some()
}

/// The name under which something is kept beside its file that could not be taken in. A name that is
/// too long for an ending loses its own end.
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
