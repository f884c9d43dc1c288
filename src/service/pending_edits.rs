//! Warns that an answer is older than a person's edit in a file.
//!
//! Verbs that only read take no edits in. While a process holds the folder there is nothing to warn
//! of: it takes edits in at once.

use super::holder::holder;
use super::session::Session;
use crate::config::Config;
use crate::core::journal::State;
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::daemon::store_options;
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::plain_text::count;
use crate::store::disk::RealDisk;
use crate::store::{has_pending_ram_edit, layout, notes_with_pending_edits};

/// The most notes whose files are named; of more, the number is given.
const NAMED_MAX: usize = 3;

/// The end of a warning: when the edit is taken in.
const NEXT: &str = "the next daemon, run or changing verb takes it in";

/// Warns of notes that are shown and whose files differ from them.
pub(super) fn warn_of_notes<'a>(
    session: &Session,
    notes: impl Iterator<Item = &'a Note>,
) -> Result<(), Failure> {
    let Some(mut disk) = free(session)? else {
        return Ok(());
    };
    notes_edited(&mut disk, notes)?
        .iter()
        .for_each(|warning| session.warn(warning));
    Ok(())
}

/// Like [`warn_of_notes`], but by the ids of the notes; those without a note are left out.
pub(super) fn warn_of_ids(
    session: &Session,
    state: &State,
    ids: impl Iterator<Item = NoteId>,
) -> Result<(), Failure> {
    warn_of_notes(session, ids.filter_map(|id| state.notes.get(id)))
}

/// Warns of a KV file that differs from the RAM that is shown.
pub(super) fn warn_of_ram(session: &Session, config: &Config, ram: &Ram) -> Result<(), Failure> {
    let Some(mut disk) = free(session)? else {
        return Ok(());
    };
    ram_edited(&mut disk, config, ram)?
        .iter()
        .for_each(|warning| session.warn(warning));
    Ok(())
}

/// Returns the disk, unless a process holds the folder.
fn free(session: &Session) -> Result<Option<RealDisk>, Failure> {
    let mut disk = session.disk()?;
    Ok(holder(&mut disk).is_none().then_some(disk))
}

/// Returns the warnings of notes, a line each, where nobody holds the folder.
pub(super) fn notes_edited<'a>(
    disk: &mut RealDisk,
    notes: impl Iterator<Item = &'a Note>,
) -> Result<Vec<String>, Failure> {
    let edited = notes_with_pending_edits(disk, notes)?;
    if edited.len() > NAMED_MAX {
        let files = count(edited.len(), "file");
        return Ok(vec![format!(
            "{files} in {} were edited by hand and are not taken in yet; {NEXT}",
            layout::NOTES
        )]);
    }
    let line = |id| was_edited(&layout::note_path(id).display().to_string());
    Ok(edited.into_iter().map(line).collect())
}

/// Returns the warning of the KV file, where nobody holds the folder.
pub(super) fn ram_edited(
    disk: &mut RealDisk,
    config: &Config,
    ram: &Ram,
) -> Result<Option<String>, Failure> {
    let path = store_options(config).kv_path;
    let is_untaken = has_pending_ram_edit(disk, &path, ram)?;
    Ok(is_untaken.then(|| was_edited(&path.display().to_string())))
}

fn was_edited(file: &str) -> String {
    format!("{file} was edited by hand and is not taken in yet; {NEXT}")
}
