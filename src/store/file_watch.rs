//! Notifications of the system about changed files: the KV file, the notes, the inbox, and folders.
//! They only tell where to look; the reader of a file finds out what changed. Opens no file.

use super::layout;
use super::views::deferred::DeferredView;
use crate::ids::NoteId;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
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
pub struct Seen {
    /// The notes whose files were touched, by the program itself or by others.
    pub notes: BTreeSet<NoteId>,
    /// Whether a file in the notes folder changed that is not the file of a note.
    pub stranger: bool,
    /// Whether the KV file, another view or the inbox changed.
    pub other: bool,
    /// Whether the changes are unknown, so that every file must be checked.
    pub everything: bool,
}

impl Seen {
    /// Adds later changes.
    pub fn add(&mut self, mut later: Self) {
        self.notes.append(&mut later.notes);
        self.stranger |= later.stranger;
        self.other |= later.other;
        self.everything |= later.everything;
    }

    /// Returns whether there are no changes.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The meaning of the names in a watched folder.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meaning {
    /// The files of notes.
    Notes,
    /// The files of requests.
    Inbox,
    /// The folders that are watched or written to, and the views that are files of their own.
    Frame {
        folders: Vec<OsString>,
        files: Vec<OsString>,
    },
}

#[derive(Debug)]
struct Watched {
    path: PathBuf,
    meaning: Meaning,
    /// The number of the watch; `None` while there is no such folder.
    number: Option<i32>,
}

/// A watch of the files of a root.
#[derive(Debug)]
pub struct FileWatch {
    descriptor: OwnedFd,
    folders: Vec<Watched>,
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
        let mut frames = vec![Path::new(""), Path::new(layout::DATA)];
        frames.extend(
            kv_folder
                .ancestors()
                .filter(|it| !it.as_os_str().is_empty()),
        );
        frames.sort_unstable();
        frames.dedup();
        let files = DeferredView::ALL
            .map(DeferredView::path)
            .into_iter()
            .chain([kv_path]);
        let files: Vec<&Path> = files.collect();
        let watched = [layout::NOTES, layout::INBOX, layout::JOURNAL].map(Path::new);
        let mut folders = Vec::new();
        for frame in &frames {
            let names = |paths: &[&Path]| {
                let inside = paths.iter().filter(|it| it.parent() == Some(frame));
                inside
                    .filter_map(|it| Some(it.file_name()?.into()))
                    .collect()
            };
            folders.push(Watched {
                path: root.join(frame),
                meaning: Meaning::Frame {
                    folders: names(&[&watched[..], &frames].concat()),
                    files: names(&files),
                },
                number: None,
            });
        }
        for (place, meaning) in [
            (layout::NOTES, Meaning::Notes),
            (layout::INBOX, Meaning::Inbox),
        ] {
            folders.push(Watched {
                path: root.join(place),
                meaning,
                number: None,
            });
        }
        let mut watch = Self {
            descriptor: inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?,
            folders,
            is_stale: false,
        };
        watch.set()?;
        Ok(watch)
    }

    /// Returns the changes since the last call. Never waits.
    ///
    /// # Errors
    /// The watch cannot be kept up and is of no more use.
    pub fn take(&mut self) -> io::Result<Seen> {
        let mut seen = Seen::default();
        self.read(&mut seen)?;
        if std::mem::take(&mut self.is_stale) {
            self.set()?;
            // Changes before the new watches were set are unknown.
            seen.everything = true;
        }
        Ok(seen)
    }

    fn read(&mut self, seen: &mut Seen) -> io::Result<()> {
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
                    let is_stale =
                        changed_names(&self.folders, event.wd(), event.events(), name, seen);
                    self.is_stale |= is_stale;
                }
            }
        }
    }

    /// Sets a watch on each existing folder, and removes the watches of moved folders.
    fn set(&mut self) -> io::Result<()> {
        for folder in &mut self.folders {
            let number = match inotify::add_watch(&self.descriptor, &folder.path, NAMES) {
                Ok(number) => Some(number),
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => None,
                Err(error) => return Err(error.into()),
            };
            if let Some(before) = folder.number.filter(|before| number != Some(*before)) {
                // It may have ended with its folder.
                match inotify::remove_watch(&self.descriptor, before) {
                    Ok(()) | Err(Errno::INVAL) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            folder.number = number;
        }
        Ok(())
    }
}

/// Records an event, and returns whether the watches must be set again.
fn changed_names(
    folders: &[Watched],
    number: i32,
    events: ReadFlags,
    name: Option<&OsStr>,
    seen: &mut Seen,
) -> bool {
    if events.contains(ReadFlags::QUEUE_OVERFLOW) {
        seen.everything = true;
        return false;
    }
    let Some(folder) = folders.iter().find(|it| it.number == Some(number)) else {
        return false;
    };
    let Some(name) = name else {
        return events.intersects(ITSELF);
    };
    match &folder.meaning {
        Meaning::Notes => match name.to_str().and_then(layout::note_of) {
            Some(id) => drop(seen.notes.insert(id)),
            None => seen.stranger |= !is_hidden(name),
        },
        Meaning::Inbox => seen.other |= !is_hidden(name),
        Meaning::Frame { folders, files } => {
            seen.other |= files.iter().any(|file| file == name);
            return folders.iter().any(|folder| folder == name);
        }
    }
    false
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
