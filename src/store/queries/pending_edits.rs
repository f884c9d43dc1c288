//! The pending edits of a person, as a reader sees them.
//! Such a file holds neither the present state nor the remains of a stop. Takes nothing in and
//! never writes.

use super::notes::each_version;
use crate::core::journal::Hash;
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::KV_FILE_BYTES_MAX;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader::read_range;
use crate::store::journal::recover;
use crate::store::layout;
use crate::store::views::start::NOTE_FILE_BYTES_MAX;
use std::collections::BTreeMap;
use std::path::Path;

/// Returns those notes whose files a person has changed.
/// Reads only their files, and the journal if a file differs. A missing file is no edit: it is
/// written again.
pub fn notes_with_pending_edits<'a>(
    disk: &mut dyn Disk,
    notes: impl Iterator<Item = &'a Note>,
) -> Result<Vec<NoteId>, Error> {
    let mut odd = BTreeMap::new();
    for note in notes {
        let read = disk.read(&layout::note_path(note.id), NOTE_FILE_BYTES_MAX);
        if let Ok(bytes) = read
            && !is_ours(&bytes, &note.to_file())
        {
            odd.insert(note.id, (Hash::of(&bytes), true));
        }
    }
    if !odd.is_empty() {
        let wanted: Vec<NoteId> = odd.keys().copied().collect();
        // A file that a crash left behind is an older version, not an edit.
        let is_wanted = |id: NoteId| wanted.binary_search(&id).is_ok();
        each_version(disk, &is_wanted, &mut |note| {
            if let Some((digest, is_edit)) = odd.get_mut(&note.id) {
                *is_edit &= Hash::of(&note.to_file()) != *digest;
            }
        })?;
    }
    let edited = odd.into_iter().filter(|(_, (_, is_edit))| *is_edit);
    Ok(edited.map(|(id, _)| id).collect())
}

/// Returns whether a person has changed the KV file.
pub fn has_pending_ram_edit(disk: &mut dyn Disk, kv_path: &Path, ram: &Ram) -> Result<bool, Error> {
    let Ok(bytes) = disk.read(kv_path, KV_FILE_BYTES_MAX) else {
        return Ok(false);
    };
    if is_ours(&bytes, &ram.to_file()) {
        return Ok(false);
    }
    let since = read_range(disk, &mut |disk| recover::replay(disk, kv_path))?.since;
    Ok(since.clean || !since.known.contains(&Hash::of(&bytes)))
}

/// Returns whether a file is as the program wrote it, or as far as the write came.
fn is_ours(bytes: &[u8], good: &[u8]) -> bool {
    good.starts_with(bytes) || bytes.iter().all(|byte| *byte == 0)
}
