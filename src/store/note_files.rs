//! Reading the notes' files once after a start, against the digests that they should have.
//! What is missing, stale or edited is told apart with the journal's help; nothing is guessed.

use super::disk::{Disk, FileStat};
use super::edits::own_draft;
use super::error::Error;
use super::note_edits::was_missing;
use super::quarantine::{self, Found};
use super::queries::notes::{NoteVersion, histories};
use super::views::{SwappedOut, View};
use super::{Store, layout};
use crate::core::journal::event::ViewRestored;
use crate::core::journal::{Cause, Event, Hash};
use crate::core::notes::{Note, packed};
use crate::ids::NoteId;
use crate::limits::NOTE_VALUE_BYTES_MAX;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Larger than any note's file, in bytes: each byte of text is at most six in JSON.
pub(super) const NOTE_FILE_BYTES_MAX: usize = NOTE_VALUE_BYTES_MAX * 8;

/// What a file is that does not hold the note as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// A person removed it.
    Missing,
    /// A stop left it behind: it is older than the journal, or was never finished.
    Stale,
    /// A person wrote it, as far as can be told so far.
    Edited,
}

/// What reading the folder came to.
#[derive(Debug, Default)]
struct Read {
    notes: Vec<Arc<Note>>,
    in_doubt: BTreeMap<NoteId, Doubt>,
    /// Every note that has a file.
    present: BTreeSet<NoteId>,
}

/// Refuses a root whose notes tell of a journal that is not there. Taken for a stranger's files they
/// would lose what only the journal knows, and what it would restore.
pub(super) fn check_no_earlier_life(disk: &mut dyn Disk) -> Result<(), Error> {
    let folder = Path::new(layout::NOTES);
    let failed = |error| Error::file("list", folder, error);
    for name in disk.list(folder).map_err(failed)? {
        let Some(id) = layout::note_of(&name) else {
            continue;
        };
        let Found::Bytes(bytes) = quarantine::find(disk, &folder.join(&name), NOTE_FILE_BYTES_MAX)?
        else {
            continue;
        };
        let note = serde_json::from_slice::<Note>(&bytes).ok();
        let written_here = |note: &Note| {
            let by_a_run = note.created_by.run_id.is_some();
            note.id == id && (by_a_run || note.version > 1 || !note.issues.is_empty())
        };
        if note.as_ref().is_some_and(written_here) {
            return Err(Error::Incomplete(format!(
                "{} is a note with a history, but data/journal, which held it, is empty",
                folder.join(name).display()
            )));
        }
    }
    Ok(())
}

/// The note in a file, if it is the one with this digest.
pub(super) fn read_good(disk: &mut dyn Disk, id: NoteId, digest: Hash) -> Option<Note> {
    let bytes = disk
        .read(&layout::note_path(id), NOTE_FILE_BYTES_MAX)
        .ok()?;
    let is_good = Hash::of(&bytes) == digest;
    is_good.then(|| serde_json::from_slice(&bytes).ok())?
}

impl Store {
    /// Whether the notes have been read since the start.
    pub const fn notes_are_read(&self) -> bool {
        self.edits.compared
    }

    /// Reads the notes, if that has not been done yet. Gives what a person should hear.
    ///
    /// # Errors
    /// After [`Error::Full`] it can be repeated.
    pub fn read_notes(&mut self, now: Timestamp) -> Result<Vec<String>, Error> {
        if self.edits.compared {
            return Ok(Vec::new());
        }
        let folder = Path::new(layout::NOTES);
        let failed = |error| Error::file("list", folder, error);
        let names = self.disk.list(folder).map_err(failed)?;
        let mut read = Read::default();
        for name in &names {
            self.read_name(name, &mut read)?;
        }
        let missing: Vec<NoteId> = self
            .views
            .notes
            .read()?
            .keys()
            .filter(|id| !read.present.contains(id))
            .copied()
            .collect();
        for id in missing {
            // What was written since the checkpoint was not safe yet when the power went.
            let unsafe_yet = self.views.unsynced.contains(&View::Note(id));
            let doubt = if unsafe_yet && !self.edits.since.clean {
                Doubt::Stale
            } else {
                Doubt::Missing
            };
            read.in_doubt.insert(id, doubt);
        }
        self.complete_notes(&mut read)?;
        let notices = self.settle_doubts(&read.in_doubt, now)?;
        self.edits.compared = true;
        Ok(notices)
    }

    fn read_name(&mut self, name: &str, read: &mut Read) -> Result<(), Error> {
        if let Some(id) = layout::leftover_of(name).and_then(layout::note_of) {
            return self.keep_leftover(&Path::new(layout::NOTES).join(name), View::Note(id));
        }
        let Some(id) = layout::note_of(name) else {
            return Ok(());
        };
        let path = layout::note_path(id);
        let failed = |error| Error::file("look at", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        let found = quarantine::find(self.disk.as_mut(), &path, NOTE_FILE_BYTES_MAX)?;
        let stale = matches!(&found, Found::Bytes(bytes) if self.edits.is_stale(bytes));
        let Some(digest) = self.views.notes.read()?.get(&id).copied() else {
            if stale {
                // Deleted, and the stop came before its file was removed.
                self.views.unsynced.insert(View::Note(id));
                self.disk.remove(&path).map_err(failed)?;
            }
            return Ok(());
        };
        if found == Found::Nothing {
            return Ok(());
        }
        read.present.insert(id);
        let note = self.note_in(id, digest, stat, &found);
        match note {
            Some(note) if !self.state.notes.knows(id) => read.notes.push(note),
            Some(_) => {}
            None if stale => {
                // Known for what it is: nothing of it is kept when it is replaced.
                self.views.remember(View::Note(id), stat);
                read.in_doubt.insert(id, Doubt::Stale);
            }
            None => drop(read.in_doubt.insert(id, Doubt::Edited)),
        }
        Ok(())
    }

    /// The note in a file that is as it should be.
    fn note_in(
        &mut self,
        id: NoteId,
        digest: Hash,
        stat: Option<FileStat>,
        found: &Found,
    ) -> Option<Arc<Note>> {
        let Found::Bytes(bytes) = found else {
            return None;
        };
        let note = (Hash::of(bytes) == digest).then(|| serde_json::from_slice::<Note>(bytes));
        let note = note?.ok()?;
        self.views.remember(View::Note(id), stat);
        Some(packed(note))
    }

    /// Puts a hidden file that a stop left behind on the list of what waits for judgement, once.
    pub(super) fn keep_leftover(&mut self, path: &Path, view: View) -> Result<(), Error> {
        let mut path = path.to_path_buf();
        if path == layout::temporary_path(&self.views.path(view)) {
            // The name is needed for the next view.
            let failed = |error| Error::file("move", &path, error);
            let stat = self.disk.stat(&path).map_err(failed)?;
            let inode = stat.map(|stat| stat.inode).unwrap_or_default();
            let aside = layout::aside_path(&self.views.path(view), inode);
            self.disk.rename(&path, &aside).map_err(failed)?;
            self.views.unsynced.insert(view);
            path = aside;
        }
        if self
            .views
            .swapped_out
            .iter()
            .all(|known| known.path != path)
        {
            self.views.swapped_out.push(SwappedOut {
                view,
                path,
                base: None,
                leftover: true,
            });
        }
        Ok(())
    }

    /// Adds the notes that were read, and those in doubt as the journal has them.
    fn complete_notes(&mut self, read: &mut Read) -> Result<(), Error> {
        let unclean = !self.edits.since.clean;
        let wanted: BTreeSet<NoteId> = read
            .in_doubt
            .iter()
            .filter(|(id, doubt)| {
                !self.state.notes.knows(**id) || unclean && **doubt == Doubt::Edited
            })
            .map(|(id, _)| *id)
            .collect();
        let mut found = BTreeMap::new();
        if !wanted.is_empty() {
            // Reads the whole kept journal, and only then.
            found = histories(&mut self.reader(), &|id| wanted.contains(&id))?;
        }
        for id in &wanted {
            let last = found.get(id).and_then(|versions| versions.last());
            let Some(last) = last.filter(|last| last.note.deleted_at.is_none()) else {
                let path = layout::note_path(*id);
                return Err(Error::Incomplete(format!(
                    "{} is not as it was written, and the journal does not hold the note",
                    path.display()
                )));
            };
            read.notes.push(packed(last.note.clone()));
        }
        self.state.notes.fill(std::mem::take(&mut read.notes));
        if unclean {
            self.remember_versions(found, &read.in_doubt);
        }
        Ok(())
    }

    /// Keeps the versions since the checkpoint, and the one before, for judging odd files.
    fn remember_versions(
        &mut self,
        histories: BTreeMap<NoteId, Vec<NoteVersion>>,
        in_doubt: &BTreeMap<NoteId, Doubt>,
    ) {
        let since = self.edits.since.from.head.seq;
        let edited = |id: &NoteId| in_doubt.get(id) == Some(&Doubt::Edited);
        for (id, versions) in histories.into_iter().filter(|(id, _)| edited(id)) {
            let older = versions.iter().filter(|it| it.seq <= since).count();
            let recent = versions.into_iter().skip(older.saturating_sub(1));
            let recent = recent.map(|version| version.note).collect();
            self.edits.versions.insert(id, recent);
        }
    }

    /// Writes again what is missing or stale. What is neither is left for `look_at_notes`.
    fn settle_doubts(
        &mut self,
        in_doubt: &BTreeMap<NoteId, Doubt>,
        now: Timestamp,
    ) -> Result<Vec<String>, Error> {
        let mut notices = Vec::new();
        let mut events = Vec::new();
        let missing = |doubt: &Doubt| *doubt == Doubt::Missing;
        for (id, _) in in_doubt.iter().filter(|(_, doubt)| missing(doubt)) {
            let path = layout::note_path(*id).display().to_string();
            notices.push(was_missing(&path, self.state.notes.get(*id)));
            events.push(Event::ViewRestored(ViewRestored::missing(path)));
        }
        // First the line: a file that is there again is not missed any more.
        if !events.is_empty() {
            let committed = self.commit(own_draft(Cause::plain("recovery"), events, now));
            committed.map_err(Error::before_work)?;
        }
        let written = |doubt: &Doubt| *doubt != Doubt::Edited;
        for (id, _) in in_doubt.iter().filter(|(_, doubt)| written(doubt)) {
            self.put_again(View::Note(*id))?;
        }
        Ok(notices)
    }
}
