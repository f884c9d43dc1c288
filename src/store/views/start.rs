//! The check of the views after a start.
//! With the journal's help, it distinguishes missing, stale and edited files; nothing is guessed.
//! The notes' files are read once, later than the others.

use super::deferred::DeferredView;
use super::files::SwappedOut;
use super::{View, ViewContext, Views, kv};
use crate::core::journal::event::ViewRestored;
use crate::core::journal::{Event, Hash};
use crate::core::notes::{Note, packed};
use crate::ids::NoteId;
use crate::limits::{DEFERRED_FILE_BYTES_MAX, KV_FILE_BYTES_MAX, NOTE_VALUE_BYTES_MAX};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use crate::store::quarantine::{self, FileContent};
use crate::store::queries::state::histories;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A size that no note's file exceeds, in bytes: each byte of text is at most six in JSON.
pub(crate) const NOTE_FILE_BYTES_MAX: usize = NOTE_VALUE_BYTES_MAX * 8;

/// The reason why a note's file is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileSuspicion {
    /// A person removed the file.
    Missing,
    /// A stop left it behind: it is older than the journal, or incomplete.
    Stale,
    /// A person wrote it, as far as is known.
    Edited,
}

/// The result of reading the notes' files.
#[derive(Debug, Default)]
pub(crate) struct ReadNotes {
    /// The notes that the state did not have.
    pub notes: Vec<Arc<Note>>,
    in_doubt: BTreeMap<NoteId, FileSuspicion>,
    present: BTreeSet<NoteId>,
}

/// Refuses a root with notes of an earlier journal that is missing.
/// As foreign files they would lose all facts that only the journal has.
pub(crate) fn check_no_earlier_life(disk: &mut dyn Disk) -> Result<(), Error> {
    let folder = Path::new(layout::NOTES);
    for name in disk.names_in(folder)? {
        let Some(id) = layout::note_of(&name) else {
            continue;
        };
        let FileContent::Bytes(bytes) =
            quarantine::find(disk, &folder.join(&name), NOTE_FILE_BYTES_MAX)?
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

/// Returns the note in a file, if the file has this digest.
pub(crate) fn read_good(disk: &mut dyn Disk, id: NoteId, digest: Hash) -> Option<Note> {
    let bytes = disk
        .read(&layout::note_path(id), NOTE_FILE_BYTES_MAX)
        .ok()?;
    let is_good = Hash::of(&bytes) == digest;
    is_good.then(|| serde_json::from_slice(&bytes).ok())?
}

impl ReadNotes {
    /// Returns the notes whose files a person removed.
    pub(crate) fn missing(&self) -> impl Iterator<Item = NoteId> {
        self.in_doubt(|why| why == FileSuspicion::Missing)
    }

    /// Returns the notes whose files must be written again.
    /// A person's edit is left for a later look.
    pub(crate) fn unwritten(&self) -> impl Iterator<Item = NoteId> {
        self.in_doubt(|why| why != FileSuspicion::Edited)
    }

    fn in_doubt(&self, is_it: fn(FileSuspicion) -> bool) -> impl Iterator<Item = NoteId> {
        let in_doubt = self.in_doubt.iter();
        in_doubt.filter_map(move |(id, why)| is_it(*why).then_some(*id))
    }
}

impl Views {
    /// Checks the KV file and restores a missing or stale one.
    /// A person's edit is left for a later look. Returns a notice for a person.
    pub(crate) fn check_kv(
        &mut self,
        from: &mut ViewContext<'_>,
        is_new: bool,
        events: &mut Vec<Event>,
    ) -> Result<Option<String>, Error> {
        let path = self.files.kv_path.clone();
        let wanted = from.state.main.ram.to_file();
        let stat = from.disk.look_at(&path)?;
        let bytes_max = KV_FILE_BYTES_MAX.max(wanted.len());
        let found = quarantine::find(from.disk, &path, bytes_max)?;
        self.files.kv_bytes.clone_from(&wanted);
        let is_stale = match &found {
            FileContent::Bytes(bytes) if *bytes == wanted => false,
            FileContent::Bytes(bytes) if self.watch.is_stale(bytes) => true,
            FileContent::Bytes(_) | FileContent::Odd(_) => return Ok(None),
            FileContent::Nothing => true,
        };
        // The file is known: no copy is kept when it is replaced.
        self.files.remember(View::Kv, stat);
        self.watch.forget(View::Kv);
        if is_stale {
            let new = View::Kv.rendered(from.state);
            self.put_or_wait(from.disk, View::Kv, new)?;
        }
        // A file written since the checkpoint was not safe yet in a power cut.
        let is_unsafe = self.files.unsynced.contains(&View::Kv);
        if found != FileContent::Nothing || is_new || is_unsafe && !self.watch.since.clean {
            return Ok(None);
        }
        let path = path.display().to_string();
        let message = kv::was_missing(&path);
        events.push(Event::ViewRestored(ViewRestored::missing(path)));
        Ok(Some(message))
    }

    /// Checks the deferred views.
    /// Unknown content is moved to quarantine. Returns notices for a person.
    pub(crate) fn check_deferred(
        &mut self,
        from: &mut ViewContext<'_>,
        rebuilt: bool,
        events: &mut Vec<Event>,
    ) -> Result<Vec<String>, Error> {
        let mut notices = Vec::new();
        for (view, digest) in self.files.deferred.digests.clone() {
            if self.drop_unless_kept(view, from.disk)? {
                continue;
            }
            let path = view.path();
            let stat = from.disk.look_at(path)?;
            let found = quarantine::find(from.disk, path, DEFERRED_FILE_BYTES_MAX)?;
            if let FileContent::Bytes(bytes) = &found
                && Hash::of(bytes) == digest
            {
                self.files.remember(View::Deferred(view), stat);
                continue;
            }
            self.files.deferred.stale.insert(view);
            let lost = view == DeferredView::Storage && rebuilt;
            let (reason, kept) = match found {
                FileContent::Bytes(bytes) if !lost && self.watch.is_stale(&bytes) => {
                    // The file is known: no copy is kept when it is replaced.
                    self.files.remember(View::Deferred(view), stat);
                    continue;
                }
                FileContent::Nothing if !lost && !self.watch.since.clean => continue,
                FileContent::Nothing => (ViewRestored::MISSING.to_owned(), None),
                FileContent::Bytes(bytes) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let kept = quarantine::keep(from.disk, &name, &bytes, from.now)?;
                    self.files.remember(View::Deferred(view), stat);
                    ("it is not as it was written".to_owned(), Some(kept))
                }
                FileContent::Odd(reason) => {
                    let kept = quarantine::move_beside(from.disk, path, path, from.now)?;
                    (reason, Some(kept))
                }
            };
            let kept_as = kept.map(|kept| kept.display().to_string());
            let path = path.display().to_string();
            let aside = kept_as.as_ref();
            let aside = aside.map_or_else(String::new, |kept| format!(" (kept as {kept})"));
            notices.push(format!(
                "{path} was made again from the journal: {reason}{aside}"
            ));
            events.push(Event::ViewRestored(ViewRestored {
                path,
                reason,
                kept_as,
            }));
        }
        Ok(notices)
    }

    /// Removes a deferred view that the layout no longer has, and returns whether that is so.
    /// A file that the program did not write stays.
    pub(super) fn drop_unless_kept(
        &mut self,
        view: DeferredView,
        disk: &mut dyn Disk,
    ) -> Result<bool, Error> {
        if view.is_kept(self.files.deferred.layout) {
            return Ok(false);
        }
        let path = view.path();
        let digest = self.files.deferred.digests.get(&view).copied();
        let found = quarantine::find(disk, path, DEFERRED_FILE_BYTES_MAX)?;
        let is_ours = |bytes: &[u8]| digest == Some(Hash::of(bytes)) || self.watch.is_stale(bytes);
        if matches!(&found, FileContent::Bytes(bytes) if is_ours(bytes)) {
            disk.remove_file(path)?;
        }
        self.files.deferred.digests.remove(&view);
        self.files.stats.remove(&View::Deferred(view));
        self.files.stale.remove(&View::Deferred(view));
        Ok(true)
    }

    /// Finds the files that a stop left beside the KV file and the deferred views.
    pub(crate) fn find_leftovers(&mut self, disk: &mut dyn Disk) -> Result<(), Error> {
        let deferred = DeferredView::ALL.into_iter().map(View::Deferred);
        let paths: BTreeMap<PathBuf, View> = deferred
            .chain([View::Kv])
            .map(|view| (self.files.path(view), view))
            .collect();
        let folder_of = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
        let folders: BTreeSet<_> = paths.keys().map(|path| folder_of(path)).collect();
        for folder in folders {
            for name in disk.names_in(&folder)? {
                let beside = layout::leftover_of(&name).map(|file| folder.join(file));
                if let Some(view) = beside.and_then(|path| paths.get(&path)) {
                    self.keep_leftover(disk, &folder.join(&name), *view)?;
                }
            }
        }
        Ok(())
    }

    /// Reads the notes from their files, and the doubtful ones from the journal.
    pub(crate) fn read_notes(&mut self, from: &mut ViewContext<'_>) -> Result<ReadNotes, Error> {
        let mut read = ReadNotes::default();
        for name in from.disk.names_in(Path::new(layout::NOTES))? {
            self.read_name(&name, from, &mut read)?;
        }
        let notes = self.files.notes.read()?.keys();
        let missing: Vec<NoteId> = notes
            .filter(|id| !read.present.contains(id))
            .copied()
            .collect();
        for id in missing {
            // A file written since the checkpoint was not safe yet in a power cut.
            let unsafe_yet = self.files.unsynced.contains(&View::Note(id));
            let doubt = if unsafe_yet && !self.watch.since.clean {
                FileSuspicion::Stale
            } else {
                FileSuspicion::Missing
            };
            read.in_doubt.insert(id, doubt);
        }
        self.complete_notes(from, &mut read)?;
        Ok(read)
    }

    fn read_name(
        &mut self,
        name: &str,
        from: &mut ViewContext<'_>,
        read: &mut ReadNotes,
    ) -> Result<(), Error> {
        if let Some(id) = layout::leftover_of(name).and_then(layout::note_of) {
            let path = Path::new(layout::NOTES).join(name);
            return self.keep_leftover(from.disk, &path, View::Note(id));
        }
        let Some(id) = layout::note_of(name) else {
            return Ok(());
        };
        let path = layout::note_path(id);
        let stat = from.disk.look_at(&path)?;
        let found = quarantine::find(from.disk, &path, NOTE_FILE_BYTES_MAX)?;
        let stale = matches!(&found, FileContent::Bytes(bytes) if self.watch.is_stale(bytes));
        let Some(digest) = self.files.notes.read()?.get(&id).copied() else {
            if stale {
                // The note was deleted, but the program stopped before it removed the file.
                self.files.unsynced.insert(View::Note(id));
                from.disk.remove_file(&path)?;
            }
            return Ok(());
        };
        if found == FileContent::Nothing {
            return Ok(());
        }
        read.present.insert(id);
        if let FileContent::Bytes(bytes) = &found
            && Hash::of(bytes) == digest
            && let Ok(note) = serde_json::from_slice(bytes)
        {
            self.files.remember(View::Note(id), stat);
            if !from.state.notes.knows(id) {
                read.notes.push(packed(note));
            }
        } else if stale {
            // The file is known: no copy is kept when it is replaced.
            self.files.remember(View::Note(id), stat);
            read.in_doubt.insert(id, FileSuspicion::Stale);
        } else {
            read.in_doubt.insert(id, FileSuspicion::Edited);
        }
        Ok(())
    }

    /// Adds a hidden file that a stop left behind to the files to be judged, once.
    fn keep_leftover(&mut self, disk: &mut dyn Disk, path: &Path, view: View) -> Result<(), Error> {
        let mut path = path.to_path_buf();
        if path == layout::temporary_path(&self.files.path(view)) {
            // The next view needs the name.
            let failed = |error| Error::file("move", &path, error);
            let stat = disk.stat(&path).map_err(failed)?;
            let inode = stat.map(|stat| stat.inode).unwrap_or_default();
            let aside = layout::aside_path(&self.files.path(view), inode);
            disk.rename(&path, &aside).map_err(failed)?;
            self.files.unsynced.insert(view);
            path = aside;
        }
        let mut known = self.files.swapped_out.iter();
        if known.all(|known| known.path != path) {
            self.files.swapped_out.push(SwappedOut {
                view,
                path,
                base: None,
                leftover: true,
            });
        }
        Ok(())
    }

    /// Adds the doubtful notes from the journal.
    fn complete_notes(
        &mut self,
        from: &mut ViewContext<'_>,
        read: &mut ReadNotes,
    ) -> Result<(), Error> {
        let unclean = !self.watch.since.clean;
        let wanted: BTreeSet<NoteId> = read
            .in_doubt
            .iter()
            .filter(|(id, doubt)| {
                !from.state.notes.knows(**id) || unclean && **doubt == FileSuspicion::Edited
            })
            .map(|(id, _)| *id)
            .collect();
        let mut found = BTreeMap::new();
        if !wanted.is_empty() {
            // This reads the whole kept journal, so it is done only if needed.
            found = histories(&mut from.reader(), &|id| wanted.contains(&id))?;
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
        if unclean {
            // The versions since the checkpoint, and the one before, help to judge edited files.
            let since = self.watch.since.from.head.seq;
            found.retain(|id, _| read.in_doubt.get(id) == Some(&FileSuspicion::Edited));
            for (id, versions) in found {
                let older = versions.iter().filter(|it| it.seq <= since).count();
                let recent = versions.into_iter().skip(older.saturating_sub(1));
                let recent = recent.map(|version| version.note).collect();
                self.watch.versions.insert(id, recent);
            }
        }
        Ok(())
    }
}
