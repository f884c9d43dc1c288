//! Putting a view in place: written beside its target, then exchanged with it at one instant, so
//! that whoever reads the file always reads a whole one. What comes out is looked at before it is
//! removed: if it is not what was put in last, it is a person's edit and is handed back.

use super::disk::{Disk, FileKind, FileStat};
use super::error::Error;
use super::layout;
use crate::core::journal::Hash;
use crate::ids::NoteId;
use crate::limits::KV_FILE_BYTES_MAX;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// One view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum View {
    /// The KV file.
    Kv,
    /// A note's file.
    Note(NoteId),
}

/// What is known about the views: what was put where, and what is still owed.
#[derive(Clone, Debug, Default)]
pub(super) struct Views {
    /// The KV file's path under the root.
    pub kv_path: PathBuf,
    /// What was put there last.
    pub kv_bytes: Vec<u8>,
    /// Its digest, if it was ever put.
    pub kv_digest: Option<Hash>,
    /// The digest that each note's file should have.
    pub notes: BTreeMap<NoteId, Hash>,
    /// How each view looked right after it was put, or when it was last found in order.
    pub stats: BTreeMap<View, FileStat>,
    /// Views that could not be written for want of room.
    pub stale: BTreeSet<View>,
    /// Changed since the last checkpoint, and so not synced yet.
    pub unsynced: BTreeSet<View>,
    /// What came out of an exchange and was not ours, with what had been put in before it.
    pub displaced: Vec<Displaced>,
}

/// A person's file that an exchange brought out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Displaced {
    /// The view.
    pub view: View,
    /// What the person wrote.
    pub bytes: Vec<u8>,
    /// What had been put there before.
    pub base: Vec<u8>,
}

impl Views {
    /// The path of a view.
    pub(super) fn path(&self, view: View) -> PathBuf {
        match view {
            View::Kv => self.kv_path.clone(),
            View::Note(id) => layout::note_path(id),
        }
    }

    /// Whether a file still looks as it did when it was put.
    pub(super) fn is_ours(&self, view: View, stat: Option<&FileStat>) -> bool {
        stat.is_some() && self.stats.get(&view) == stat
    }

    /// Puts bytes in place. `base` is what was put there before, for an edit that comes out.
    pub(super) fn put(
        &mut self,
        disk: &mut dyn Disk,
        view: View,
        bytes: &[u8],
        base: &[u8],
    ) -> Result<(), Error> {
        let path = self.path(view);
        self.stale.insert(view);
        let known = self.stats.get(&view).copied();
        let came_out = swap(disk, &path, bytes, known.as_ref())?;
        if let Some(came_out) = came_out.filter(|came_out| came_out != base && came_out != bytes) {
            self.displaced.push(Displaced {
                view,
                bytes: came_out,
                base: base.to_vec(),
            });
        }
        let stat = disk
            .stat(&path)
            .map_err(|error| Error::file("look at", &path, error))?;
        if let Some(stat) = stat {
            self.stats.insert(view, stat);
        }
        self.stale.remove(&view);
        self.unsynced.insert(view);
        Ok(())
    }

    /// Takes a note's file away. What a person wrote into it meanwhile is handed back.
    pub(super) fn remove_note(&mut self, disk: &mut dyn Disk, id: NoteId) -> Result<(), Error> {
        let view = View::Note(id);
        let path = layout::note_path(id);
        let failed = |error| Error::file("remove", &path, error);
        let stat = disk.stat(&path).map_err(failed)?;
        if stat.is_some() {
            disk.remove(&path).map_err(failed)?;
        }
        self.stats.remove(&view);
        self.stale.remove(&view);
        self.unsynced.insert(view);
        Ok(())
    }

    /// Makes every view safe that changed since the last checkpoint.
    pub(super) fn sync(&mut self, disk: &mut dyn Disk) -> Result<(), Error> {
        let mut folders = BTreeSet::new();
        for view in std::mem::take(&mut self.unsynced) {
            let path = self.path(view);
            let failed = |error| Error::file("sync", &path, error);
            if disk
                .stat(&path)
                .map_err(failed)?
                .is_some_and(|stat| stat.kind == FileKind::File)
            {
                disk.sync(&path).map_err(failed)?;
            }
            folders.insert(path.parent().map(Path::to_path_buf).unwrap_or_default());
        }
        for folder in folders {
            disk.sync_folder(&folder)
                .map_err(|error| Error::file("sync", &folder, error))?;
        }
        Ok(())
    }
}

/// Exchanges new bytes with the file at `path`. Hands back what came out unless it looks exactly
/// like `known`.
fn swap(
    disk: &mut dyn Disk,
    path: &Path,
    bytes: &[u8],
    known: Option<&FileStat>,
) -> Result<Option<Vec<u8>>, Error> {
    let temporary = layout::temporary_path(path);
    let failed = |error| Error::file("write", path, error);
    match disk.create(&temporary, bytes) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // Left behind by an attempt that found no room for its last step.
            disk.remove(&temporary).map_err(failed)?;
            disk.create(&temporary, bytes).map_err(failed)?;
        }
        other => other.map_err(failed)?,
    }
    if known.is_none() && disk.stat(path).map_err(failed)?.is_none() {
        match disk.rename_new(&temporary, path) {
            Ok(()) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return disk.rename(&temporary, path).map(|()| None).map_err(failed);
            }
            Err(error) => return Err(failed(error)),
        }
    }
    match disk.exchange(&temporary, path) {
        Ok(()) => {}
        // Gone, or a file system without exchange: what stands there is read first, so that an
        // edit is lost only if it is made between the two calls.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::Unsupported | io::ErrorKind::NotFound
            ) =>
        {
            let before = match disk.read(path, KV_FILE_BYTES_MAX) {
                Ok(before) => Some(before),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(failed(error)),
            };
            return disk
                .rename(&temporary, path)
                .map(|()| before)
                .map_err(failed);
        }
        Err(error) => return Err(failed(error)),
    }
    let out = disk.stat(&temporary).map_err(failed)?;
    let came_out = match out {
        Some(stat) if known == Some(&stat) => None,
        Some(stat) if stat.kind == FileKind::File => {
            Some(disk.read(&temporary, KV_FILE_BYTES_MAX).map_err(failed)?)
        }
        Some(_) | None => None,
    };
    disk.remove(&temporary).map_err(failed)?;
    Ok(came_out)
}
