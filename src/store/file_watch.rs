//! Notifications of the system about changed files: the KV file, the notes, the inbox, and folders.
//! They only tell where to look; the reader of a file finds out what changed. Opens no file.

use super::layout;
use super::views::deferred::DeferredView;
use crate::ids::NoteId;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The size of the buffer for the events of one read, in bytes: some hundred events.
const EVENTS_BYTES: usize = 16 * 1024;

/// The watched events of a folder: files written and closed, and names added or removed.
const NAMES: WatchFlags = WatchFlags::CLOSE_WRITE
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::DONT_FOLLOW)
    .union(WatchFlags::EXCL_UNLINK);

/// The events of a watched folder itself.
const ITSELF: ReadFlags = ReadFlags::DELETE_SELF
    .union(ReadFlags::MOVE_SELF)
    .union(ReadFlags::IGNORED)
    .union(ReadFlags::UNMOUNT);

/// The changes that the system reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChanges {
    /// The notes whose files were touched, by the program itself or by others.
    pub notes: BTreeSet<NoteId>,
    /// Whether a file in the notes folder changed that is not the file of a note.
    pub stranger: bool,
    /// Whether the KV file, another view or the inbox changed.
    pub other: bool,
    /// Whether the changes are unknown, so that every file must be checked.
    pub everything: bool,
}

impl FileChanges {
    pub fn add(&mut self, mut later: Self) {
        self.notes.append(&mut later.notes);
        self.stranger |= later.stranger;
        self.other |= later.other;
        self.everything |= later.everything;
    }

    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A watch of the files of a root.
#[derive(Debug)]
pub struct FileWatch {
    descriptor: OwnedFd,
    root: PathBuf,
    /// The watched folders, each with the number of its watch; `None` while there is no such folder.
    folders: Vec<(PathBuf, Option<i32>)>,
    /// The views that are files of their own.
    files: Vec<PathBuf>,
    /// Whether a watched folder changed, so that the watches must be set again.
    is_stale: bool,
}

impl FileWatch {
    /// Watches the root at an absolute path; `kv_path` is relative to it.
    ///
    /// # Errors
    /// The system has no such service, or no room for one more watch.
    pub fn open(root: &Path, kv_path: &Path) -> io::Result<Self> {
        let kv_folder = kv_path.parent().unwrap_or_else(|| Path::new(""));
        let own = [layout::DATA, layout::NOTES, layout::INBOX].map(Path::new);
        let folders: BTreeSet<&Path> = kv_folder.ancestors().chain(own).collect();
        let views = DeferredView::ALL.map(DeferredView::path).into_iter();
        let mut watch = Self {
            descriptor: inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?,
            root: root.to_path_buf(),
            folders: folders
                .into_iter()
                .map(|folder| (folder.to_path_buf(), None))
                .collect(),
            files: views.chain([kv_path]).map(Path::to_path_buf).collect(),
            is_stale: false,
        };
        watch.set()?;
        Ok(watch)
    }

    /// Returns the changes since the last call. Never waits.
    ///
    /// # Errors
    /// The watch cannot be kept up and is of no more use.
    pub fn take(&mut self) -> io::Result<FileChanges> {
        let mut seen = FileChanges::default();
        self.read(&mut seen)?;
        if std::mem::take(&mut self.is_stale) {
            self.set()?;
            // Changes before the new watches were set are unknown.
            seen.everything = true;
        }
        Ok(seen)
    }

    fn read(&mut self, seen: &mut FileChanges) -> io::Result<()> {
        let mut room = [MaybeUninit::uninit(); EVENTS_BYTES];
        let mut reader = Reader::new(&self.descriptor, &mut room);
        loop {
            match reader.next() {
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(event) => {
                    let name = event
                        .file_name()
                        .map(|name| OsStr::from_bytes(name.to_bytes()));
                    let is_stale = self.record(event.wd(), event.events(), name, seen);
                    self.is_stale |= is_stale;
                }
            }
        }
    }

    /// Sets a watch on each existing folder, and removes the watches of moved folders.
    fn set(&mut self) -> io::Result<()> {
        for (folder, known) in &mut self.folders {
            let path = self.root.join(folder);
            let number = match inotify::add_watch(&self.descriptor, path, NAMES) {
                Ok(number) => Some(number),
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => None,
                Err(error) => return Err(error.into()),
            };
            if let Some(before) = known.filter(|before| number != Some(*before)) {
                // It may have ended with its folder.
                match inotify::remove_watch(&self.descriptor, before) {
                    Ok(()) | Err(Errno::INVAL) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            *known = number;
        }
        Ok(())
    }

    /// Records an event, and returns whether the watches must be set again.
    fn record(
        &self,
        number: i32,
        events: ReadFlags,
        name: Option<&OsStr>,
        seen: &mut FileChanges,
    ) -> bool {
        if events.contains(ReadFlags::QUEUE_OVERFLOW) {
            seen.everything = true;
            return false;
        }
        let mut folders = self.folders.iter();
        let Some((folder, _)) = folders.find(|(_, it)| *it == Some(number)) else {
            return false;
        };
        let Some(name) = name else {
            return events.intersects(ITSELF);
        };
        let path = folder.join(name);
        if folder == Path::new(layout::NOTES) {
            match name.to_str().and_then(layout::note_of) {
                Some(id) => drop(seen.notes.insert(id)),
                None => seen.stranger |= !is_hidden(name),
            }
        } else if folder == Path::new(layout::INBOX) {
            seen.other |= !is_hidden(name);
        } else {
            seen.other |= self.files.contains(&path);
        }
        // The journal's folder is written to, though nobody edits it.
        path == Path::new(layout::JOURNAL) || self.folders.iter().any(|(it, _)| *it == path)
    }
}

/// Returns whether a name begins with a dot. Such names belong to the program or are temporary.
fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".")
}

impl AsRawFd for FileWatch {
    fn as_raw_fd(&self) -> RawFd {
        self.descriptor.as_raw_fd()
    }
}
