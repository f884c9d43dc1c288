//! The files of the views.
//! A view is written beside its target and then exchanged with it atomically, so that readers
//! always see a complete file. The replaced file is checked before it is removed: if it is not the
//! last written one, it is a person's edit, and waits under a hidden name until it is judged.

use super::View;
use super::deferred::{DeferredView, DeferredViews};
use crate::core::journal::event::{EditRefused, ViewRestored};
use crate::core::journal::{Commit, Event, Hash};
use crate::ids::NoteId;
use crate::store::disk::{Disk, FileKind, FileStat, is_full, rename_to_free};
use crate::store::error::Error;
use crate::store::layout;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// The number of views from which on the file system is synced as a whole.
/// A sync of a single file waits for the device. A sync of the whole file system may also wait for
/// writes of other programs, so it is for imports and not for every checkpoint.
const SYNCED_SINGLY_MAX: usize = 256;

/// The new content of a view.
#[derive(Clone, Debug)]
pub(crate) struct RenderedView {
    pub bytes: Vec<u8>,
    pub digest: Hash,
}

impl RenderedView {
    /// Returns bytes with their digest.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let digest = Hash::of(&bytes);
        Self { bytes, digest }
    }
}

/// The files of the views: their last written content, and the pending ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViewFiles {
    /// The path of the KV file, relative to the root.
    pub kv_path: PathBuf,
    /// The content of the KV file: the last written one, or a person's edit that was taken in.
    pub kv_bytes: Vec<u8>,
    /// The digest that each note's file should have.
    pub notes: NoteDigests,
    pub deferred: DeferredViews,
    /// The facts about each view's file when it was written, or last found in order.
    pub stats: BTreeMap<View, FileStat>,
    /// The views that could not be written for lack of room.
    pub stale: BTreeSet<View>,
    /// The views that changed since the last checkpoint and are not synced yet.
    pub unsynced: BTreeSet<View>,
    /// The replaced files that the program did not write, until they are judged.
    pub swapped_out: Vec<SwappedOut>,
}

/// The digest that each note's file should have.
/// A start does not need them before its first call, so those of the checkpoint are parsed on demand.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteDigests {
    /// The checkpoint's list as JSON until it is parsed. Its own digest was verified.
    unread: Option<String>,
    known: BTreeMap<NoteId, Hash>,
}

impl NoteDigests {
    /// Returns a list that is not parsed yet.
    pub(crate) const fn unread(json: String) -> Self {
        Self {
            unread: Some(json),
            known: BTreeMap::new(),
        }
    }

    /// Returns all digests; parses the list on the first call.
    pub(crate) fn read(&mut self) -> Result<&mut BTreeMap<NoteId, Hash>, Error> {
        if let Some(json) = &self.unread {
            // The text is dropped only after it was parsed: an empty list in its place would lose
            // notes.
            self.known = serde_json::from_str(json)?;
            self.unread = None;
        }
        Ok(&mut self.known)
    }
}

/// A file that an exchange replaced, or that an earlier process left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwappedOut {
    pub view: View,
    /// The path at which the file waits.
    pub path: PathBuf,
    /// The content before the edit, if it is known.
    /// `None` for a note, whose file names its version.
    pub base: Option<Vec<u8>>,
    /// Whether it may also be a view, or a part of one, that a stop left behind.
    pub leftover: bool,
}

impl ViewFiles {
    pub(crate) fn path(&self, view: View) -> PathBuf {
        match view {
            View::Kv => self.kv_path.clone(),
            View::Note(id) => layout::note_path(id),
            View::Deferred(view) => view.path().to_path_buf(),
        }
    }

    /// Records the facts about a file that needs no judgement; ignores a missing file.
    pub(crate) fn remember(&mut self, view: View, stat: Option<FileStat>) {
        self.stats.extend(stat.map(|stat| (view, stat)));
    }

    /// Returns whether a file is unchanged since it was written.
    pub(crate) fn is_ours(&self, view: View, stat: Option<&FileStat>) -> bool {
        stat.is_some() && self.stats.get(&view) == stat
    }

    /// Records the digests of views in a commit, and in `known` also the earlier digests.
    pub(crate) fn note_commit(
        &mut self,
        commit: &Commit,
        known: &mut BTreeSet<Hash>,
    ) -> Result<(), Error> {
        self.deferred.note_changes(&commit.draft.events);
        for event in &commit.draft.events {
            if let Event::NoteCarried(carried) = event {
                let digest = Hash::of(&carried.note.to_file());
                known.insert(digest);
                self.notes.read()?.insert(carried.note.id, digest);
            }
            // A restored view is as unsafe as a changed one.
            if let Event::EditRefused(EditRefused { path, .. })
            | Event::ViewRestored(ViewRestored { path, .. }) = event
            {
                self.unsynced
                    .extend(note_at(Path::new(path)).map(View::Note));
            }
            if let Event::ViewsWritten(written) = event {
                for (path, digest) in &written.files {
                    let digest = digest.as_deref().and_then(Hash::parse);
                    self.note_written(Path::new(path), digest, known)?;
                }
            }
        }
        Ok(())
    }

    fn note_written(
        &mut self,
        path: &Path,
        digest: Option<Hash>,
        known: &mut BTreeSet<Hash>,
    ) -> Result<(), Error> {
        known.extend(digest);
        if path == self.kv_path {
            self.unsynced.insert(View::Kv);
            return Ok(());
        }
        if let (Some(view), Some(digest)) = (DeferredView::at(path), digest) {
            self.unsynced.insert(View::Deferred(view));
            self.deferred.note_written(view, digest);
            return Ok(());
        }
        let Some(id) = note_at(path) else {
            return Ok(());
        };
        self.unsynced.insert(View::Note(id));
        let notes = self.notes.read()?;
        known.extend(match digest {
            Some(digest) => notes.insert(id, digest),
            None => notes.remove(&id),
        });
        Ok(())
    }

    /// Writes a view.
    /// `before` is the digest of the last written content; of the KV file the bytes themselves are
    /// known.
    pub(crate) fn put(
        &mut self,
        disk: &mut dyn Disk,
        view: View,
        new: &RenderedView,
        before: Option<Hash>,
    ) -> Result<(), Error> {
        let path = self.path(view);
        let failed = |error| Error::file("write", &path, error);
        // The view is pending until it is written.
        self.stale.insert(view);
        self.unsynced.insert(view);
        let temporary = layout::temporary_path(&path);
        self.write_temporary(disk, view, &temporary, &new.bytes)?;
        if view == View::Deferred(DeferredView::Storage) {
            // A start reads the tree from this file, so it must be complete after a power cut.
            disk.secure(&temporary)?;
        }
        // The facts are read before the exchange: a later change is not the program's.
        let ours = disk.stat(&temporary).map_err(failed)?;
        let known = self.stats.get(&view).copied();
        match swap(disk, &temporary, &path, known) {
            Ok(None) => {}
            Ok(Some(out)) if known == Some(out.stat) => {
                disk.remove(&out.place).map_err(failed)?;
            }
            Ok(Some(out)) => {
                self.look_at_swapped_out(disk, view, &out, &[Some(new.digest), before])?;
            }
            Err(error) => {
                if is_full(&error) {
                    // The exchange did not happen, and the temporary file would be in the way.
                    disk.remove(&temporary).map_err(failed)?;
                }
                return Err(failed(error));
            }
        }
        self.remember(view, ours);
        self.stale.remove(&view);
        Ok(())
    }

    /// Removes a note's file. A person's edit in it is kept to be judged.
    pub(crate) fn remove_note(
        &mut self,
        disk: &mut dyn Disk,
        id: NoteId,
        before: Option<Hash>,
    ) -> Result<(), Error> {
        let view = View::Note(id);
        let path = layout::note_path(id);
        let failed = |error| Error::file("remove", &path, error);
        self.stale.insert(view);
        self.unsynced.insert(view);
        let known = self.stats.get(&view).copied();
        if let Some(stat) = disk.stat(&path).map_err(failed)? {
            let aside = layout::aside_path(&path, stat.inode);
            disk.rename(&path, &aside).map_err(failed)?;
            match disk.stat(&aside).map_err(failed)? {
                Some(stat) if known != Some(stat) => {
                    let out = DisplacedFile { place: aside, stat };
                    self.look_at_swapped_out(disk, view, &out, &[before])?;
                }
                Some(_) | None => disk.remove(&aside).map_err(failed)?,
            }
        }
        self.stats.remove(&view);
        self.stale.remove(&view);
        Ok(())
    }

    /// Writes a view under its temporary name.
    /// A file there may be a person's edit that an earlier exchange replaced, so it is only moved
    /// away.
    fn write_temporary(
        &mut self,
        disk: &mut dyn Disk,
        view: View,
        temporary: &Path,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let failed = |error| Error::file("write", temporary, error);
        match disk.create(temporary, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let inode = disk.stat(temporary).map_err(failed)?.map(|stat| stat.inode);
                let aside = layout::aside_path(&self.path(view), inode.unwrap_or_default());
                disk.rename(temporary, &aside).map_err(failed)?;
                self.swapped_out.push(SwappedOut {
                    view,
                    path: aside,
                    base: None,
                    leftover: true,
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = temporary.parent().unwrap_or(temporary);
                disk.create_folder(folder).map_err(failed)?;
            }
            other => return other.map_err(failed),
        }
        disk.create(temporary, bytes).map_err(failed)
    }

    /// Removes a replaced file if its content is one of `ours`, else keeps it to be judged.
    fn look_at_swapped_out(
        &mut self,
        disk: &mut dyn Disk,
        view: View,
        out: &DisplacedFile,
        ours: &[Option<Hash>],
    ) -> Result<(), Error> {
        let DisplacedFile { place, stat } = out;
        let failed = |error| Error::file("look at", place, error);
        if stat.kind == FileKind::File {
            // An unreadable file is judged later, and reported.
            let bytes_max = usize::try_from(stat.bytes).unwrap_or(usize::MAX);
            let bytes = disk.read(place, bytes_max).ok();
            let is_ours = |bytes: &Vec<u8>| {
                view == View::Kv && *bytes == self.kv_bytes || ours.contains(&Some(Hash::of(bytes)))
            };
            if bytes.as_ref().is_some_and(is_ours) {
                return disk.remove(place).map_err(failed);
            }
        }
        let aside = layout::aside_path(&self.path(view), stat.inode);
        if aside != *place {
            disk.rename(place, &aside).map_err(failed)?;
        }
        // The next view uses the old name; the new name of this file must be durable until it is
        // judged.
        disk.secure_name(&aside)?;
        let base = (view == View::Kv).then(|| self.kv_bytes.clone());
        self.swapped_out.push(SwappedOut {
            view,
            path: aside,
            base,
            leftover: false,
        });
        Ok(())
    }

    /// Syncs every view that changed since the last checkpoint.
    /// A view that a person replaces meanwhile is judged later, and then synced.
    pub(crate) fn sync(&mut self, disk: &mut dyn Disk) -> Result<(), Error> {
        if self.unsynced.len() >= SYNCED_SINGLY_MAX {
            let folder = Path::new(layout::NOTES);
            let synced = disk.sync_all(folder);
            if synced.map_err(|error| Error::sync(folder, error))? {
                // The others may be on another file system.
                self.unsynced.retain(|view| !matches!(view, View::Note(_)));
            }
        }
        let mut folders = BTreeSet::new();
        let mut replaced = BTreeSet::new();
        for view in &self.unsynced {
            let path = self.path(*view);
            let stat = disk.look_at(&path)?;
            if stat.is_some_and(|stat| stat.kind == FileKind::File)
                && !disk.secure_unless_replaced(&path)?
            {
                replaced.insert(*view);
            }
            folders.insert(path.parent().map(Path::to_path_buf).unwrap_or_default());
        }
        for folder in folders {
            disk.secure_folder(&folder)?;
        }
        self.unsynced = replaced;
        Ok(())
    }
}

/// A file that was in a view's place, with its present path.
struct DisplacedFile {
    place: PathBuf,
    stat: FileStat,
}

/// Puts the file at `temporary` in the place of the one at `path`, and returns the replaced file.
fn swap(
    disk: &mut dyn Disk,
    temporary: &Path,
    path: &Path,
    known: Option<FileStat>,
) -> io::Result<Option<DisplacedFile>> {
    if known.is_none() && disk.stat(path)?.is_none() {
        return rename_to_free(disk, temporary, path).map(|()| None);
    }
    match disk.exchange(temporary, path) {
        Ok(()) => {
            let place = temporary.to_path_buf();
            Ok(disk
                .stat(temporary)?
                .map(|stat| DisplacedFile { place, stat }))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            rename_to_free(disk, temporary, path).map(|()| None)
        }
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            replace(disk, temporary, path, known)
        }
        Err(error) => Err(error),
    }
}

/// Replaces a file on a file system that cannot exchange names.
/// A known file is replaced directly; only an edit between the two calls would be lost. Any other
/// file is moved away first, so that the name is free for a moment.
fn replace(
    disk: &mut dyn Disk,
    temporary: &Path,
    path: &Path,
    known: Option<FileStat>,
) -> io::Result<Option<DisplacedFile>> {
    let stat = disk.stat(path)?.filter(|stat| known != Some(*stat));
    if let Some(stat) = stat {
        let place = layout::aside_path(path, stat.inode);
        disk.rename(path, &place)?;
        disk.sync_folder(path.parent().unwrap_or(path))?;
        disk.rename(temporary, path)?;
        return Ok(Some(DisplacedFile { place, stat }));
    }
    disk.rename(temporary, path)?;
    Ok(None)
}

/// Returns the note whose file has this path.
fn note_at(path: &Path) -> Option<NoteId> {
    let name = path.file_name()?.to_str()?;
    layout::note_of(name).filter(|_| path.starts_with(layout::NOTES))
}

#[cfg(test)]
mod tests {
    use super::NoteDigests;

    #[test]
    fn a_list_that_cannot_be_read_is_never_an_empty_one() {
        let mut digests = NoteDigests::unread("{".to_owned());
        assert!(digests.read().is_err());
        assert!(digests.read().is_err());
    }
}
