//! The disk as the store sees it: the operations whose outcome after a power cut is known.
//! It never interprets a file and never decides what an error means for the program.
//!
//! What the operations promise, and no more: bytes are safe after [`Disk::sync`] of their file,
//! names after [`Disk::sync_folder`] of every folder that they appeared in or vanished from.
//! Everything else may be lost, or kept out of order, when the power goes.

mod fail_stop;
mod listing;
mod lock;
mod memory;
mod real;
mod root;

use std::io;
use std::path::{Component, Path};

pub(in crate::store) use fail_stop::FailStop;
pub use listing::{Ignored, Listing};
pub use lock::FolderLock;
pub use memory::MemoryDisk;
pub use real::RealDisk;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, a pipe, a socket or a device: never opened by the store.
    Other,
}

/// What can be learnt about a file without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// What the name stands for.
    pub kind: FileKind,
    /// Length in bytes.
    pub bytes: u64,
    /// Last change of the content, in nanoseconds since the Unix epoch.
    pub modified_ns: i64,
    /// The file's number on its file system: it changes when a name is given another file.
    pub inode: u64,
}

/// An append that did not get all its bytes in.
#[derive(Debug, thiserror::Error)]
#[error("{written} bytes got in, then: {source}")]
pub struct AppendError {
    /// Bytes that are in the file now and have to be cut off again. Zero: nothing to cut.
    pub written: usize,
    /// Why it stopped.
    pub source: io::Error,
}

impl AppendError {
    /// An append that failed before its first byte.
    pub fn before_writing(source: impl Into<io::Error>) -> Self {
        Self {
            written: 0,
            source: source.into(),
        }
    }
}

/// The file operations of the store.
///
/// A path is relative to the disk's root and made of plain names; the empty path is the root
/// itself, where a folder is meant. Any other form is [`io::ErrorKind::InvalidInput`]. A link is
/// refused wherever it stands in a path. Interrupted calls are repeated inside, up to a bound.
pub trait Disk: std::fmt::Debug {
    /// The whole content of a regular file. More than `bytes_max` bytes are
    /// [`io::ErrorKind::FileTooLarge`]; anything but a regular file is
    /// [`io::ErrorKind::InvalidInput`] and is never waited for.
    fn read(&mut self, path: &Path, bytes_max: usize) -> io::Result<Vec<u8>>;

    /// What a regular file holds from `offset` on, at most `bytes_max` bytes of it; nothing behind
    /// its end.
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>>;

    /// What is known about a name; `None` when there is no such name.
    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>>;

    /// The names in a folder, sorted; none when there is no such folder. Names that are not UTF-8
    /// are left out: the store gives no such name and takes in no such file.
    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>>;

    /// The same names, with what is ignored beside them, in one look.
    fn list_all(&mut self, folder: &Path) -> io::Result<Listing> {
        let names = self.list(folder)?;
        Ok(Listing {
            names,
            ignored: Vec::new(),
        })
    }

    /// Makes a folder and its parents, mode 0700, and syncs each name into its parent, also one
    /// that was there before: whoever made it may have died before the sync.
    fn create_folder(&mut self, folder: &Path) -> io::Result<()>;

    /// Adds bytes to the end of a file, which is created with mode 0600 where it is absent, and
    /// keeps it open for the next time. The name of a new file still needs its folder synced.
    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError>;

    /// Makes the content of a file safe. After an error nobody knows what the disk holds: the
    /// kernel forgets what it could not write, so a second call that succeeds proves nothing.
    fn sync(&mut self, path: &Path) -> io::Result<()>;

    /// Like [`Disk::sync`], for a file that a person may put another in place of at any moment.
    /// `false`: that happened, or it is gone; what was synced is not what the name stands for.
    fn sync_unless_replaced(&mut self, path: &Path) -> io::Result<bool> {
        match self.sync(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            outcome => outcome.map(|()| true),
        }
    }

    /// Makes everything safe at once that was written to the file system of a folder, contents and names:
    /// for many files, since it waits once and not once for each; it may also have to wait for what
    /// others wrote. `false`: nothing was done, because the system would not tell of a failure.
    fn sync_all(&mut self, _folder: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Lets go of what the system remembers of a synced file from `offset` on, so that the next read
    /// tells what the device holds: after a sync that failed, the system may go on showing what it
    /// could not write. Where the system keeps files in memory alone, nothing happens.
    fn forget(&mut self, path: &Path, offset: u64) -> io::Result<()>;

    /// Makes the names in a folder safe.
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;

    /// Cuts a file to its first `bytes` bytes. It never lengthens one:
    /// [`io::ErrorKind::InvalidInput`]. The cut is safe after [`Disk::sync`].
    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()>;

    /// Writes a new file, mode 0600, without a sync. An existing name is
    /// [`io::ErrorKind::AlreadyExists`]; after any other error the file is gone again.
    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Lets two names change places at one instant. [`io::ErrorKind::Unsupported`] where the file
    /// system cannot.
    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()>;

    /// Gives a file another name, in place of whatever file had it.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a name that is free, else [`io::ErrorKind::AlreadyExists`].
    /// [`io::ErrorKind::Unsupported`] where the file system cannot promise that.
    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file's name.
    fn remove(&mut self, path: &Path) -> io::Result<()>;

    /// Bytes that the file system still gives to this user.
    fn free_bytes(&mut self) -> io::Result<u64>;

    /// Whether nobody but this program can reach its files, so that nobody's edits have to be looked for.
    fn is_private(&self) -> bool {
        false
    }

    /// Checks that the root's path still leads to the folder that was opened, and the paths of
    /// what was anchored to theirs. One that was moved away or unmounted is
    /// [`io::ErrorKind::NotFound`]: going on would write where nobody looks.
    fn check_root(&mut self) -> io::Result<()>;

    /// Has a folder checked, from now on, whenever the root is. Nothing can be moved in memory.
    fn anchor(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)
    }

    /// Checks, before something is added to a file, that it is `bytes` long, zero also where there is
    /// none: else somebody has cut it or added to it, [`io::ErrorKind::InvalidData`]. Of a file that is kept
    /// open, checks that its path still leads to it; of any other, that the root is in place. Also
    /// checks that the folder's lock is in place, if this disk has it. Like [`Disk::check_root`]
    /// otherwise.
    fn check_place(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        let found = self.stat(path)?.map_or(0, |stat| stat.bytes);
        check_length(path, found, bytes)
    }
}

/// Whether the error says that there is no room: the one kind that a program may wait out, if what
/// it had begun to write can be cut back.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// A sync that failed, said so that nobody takes it for a matter of room: a second attempt proves
/// nothing.
pub fn sync_failed(error: io::Error) -> io::Error {
    if is_full(&error) {
        io::Error::other(error)
    } else {
        error
    }
}

/// Refuses a file of another length than was written to it.
pub(super) fn check_length(path: &Path, found: u64, expected: u64) -> io::Result<()> {
    if found == expected {
        return Ok(());
    }
    let message = format!(
        "{} is {found} bytes long where {expected} were written: another program has changed it",
        path.display()
    );
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

/// Refuses a path that is absolute or holds anything but plain names. The empty path passes.
pub fn check_path(path: &Path) -> io::Result<()> {
    if path
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        Ok(())
    } else {
        Err(invalid("a path must be relative and made of plain names"))
    }
}

/// The error for a call that no file system could answer.
pub fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
