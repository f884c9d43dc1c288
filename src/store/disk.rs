//! The disk as the store sees it: operations whose outcome after a power cut is known.
//! It never interprets a file and never decides what an error means for the program.
//!
//! The guarantees are: bytes are safe after [`Disk::sync`] of their file, names after
//! [`Disk::sync_folder`] of every folder that they were added to or removed from. Everything else
//! may be lost, or kept out of order, in a power cut.

mod fail_stop;
mod lock;
mod memory;
mod real;
mod root;

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path};

pub(in crate::store) use fail_stop::FailStop;
pub use lock::FolderLock;
pub use memory::MemoryDisk;
pub use real::RealDisk;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    Folder,
    /// A link, a pipe, a socket or a device: never opened by the store.
    Other,
}

/// The facts about a file that need no access to its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    pub kind: FileKind,
    pub bytes: u64,
    /// The time of the last change of the content, in nanoseconds since the Unix epoch.
    pub modified_ns: i64,
    /// The inode number, which changes when the name gets another file.
    pub inode: u64,
}

/// The content of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The names, as `Disk::list` gives them.
    pub names: Vec<String>,
    /// The ignored names, sorted. Hidden names are left out.
    pub ignored: Vec<Ignored>,
}

/// A name in a folder that the program does not take in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ignored {
    /// The name, which may not be UTF-8.
    pub name: OsString,
    /// The reason, as the end of a sentence.
    pub why: &'static str,
}

/// An append that wrote only a part of its bytes.
#[derive(Debug, thiserror::Error)]
#[error("{written} bytes got in, then: {source}")]
pub struct AppendError {
    /// The number of bytes that were written and must be cut off again.
    pub written: usize,
    /// The reason why it stopped.
    pub source: io::Error,
}

impl AppendError {
    /// Returns the error of an append that failed before its first byte.
    pub fn before_writing(source: impl Into<io::Error>) -> Self {
        Self {
            written: 0,
            source: source.into(),
        }
    }
}

/// The file operations of the store.
///
/// A path is relative to the disk's root and consists of plain names; the empty path means the root
/// where a folder is expected. Any other form is [`io::ErrorKind::InvalidInput`]. A link is refused
/// anywhere in a path. Interrupted calls are repeated, up to a bound.
pub trait Disk: std::fmt::Debug {
    /// Reads the whole content of a regular file.
    /// More than `bytes_max` bytes are [`io::ErrorKind::FileTooLarge`]; anything but a regular file
    /// is [`io::ErrorKind::InvalidInput`] and is never waited for.
    fn read(&mut self, path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
        let bytes = self.read_at(path, 0, bytes_max.saturating_add(1))?;
        if bytes.len() > bytes_max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// Reads at most `bytes_max` bytes of a regular file from `offset` on; none behind its end.
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>>;

    /// Returns the facts about a name; `None` if there is no such name.
    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>>;

    /// Returns the names in a folder, sorted; none if there is no such folder.
    /// Names that are not UTF-8 are left out: the store never creates or reads such files.
    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>>;

    /// Returns the names like [`Disk::list`], together with the ignored ones.
    fn list_all(&mut self, folder: &Path) -> io::Result<Listing> {
        Ok(Listing {
            names: self.list(folder)?,
            ignored: Vec::new(),
        })
    }

    /// Creates a folder and its parents, mode 0700, and syncs each name into its parent.
    /// An existing name is synced, too: its creator may have died before the sync.
    fn create_folder(&mut self, folder: &Path) -> io::Result<()>;

    /// Appends bytes to a file and keeps it open for the next time.
    /// An absent file is created with mode 0600; its folder must still be synced.
    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError>;

    /// Makes the content of a file durable.
    /// After an error the content of the disk is unknown: the kernel forgets what it could not
    /// write, so a second call that succeeds proves nothing.
    fn sync(&mut self, path: &Path) -> io::Result<()>;

    /// Syncs like [`Disk::sync`] a file that a person may replace at any moment.
    /// Returns `false` if the file was replaced or removed, so that the synced file is not the one
    /// of the name.
    fn sync_unless_replaced(&mut self, path: &Path) -> io::Result<bool> {
        match self.sync(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            outcome => outcome.map(|()| true),
        }
    }

    /// Syncs everything that was written to the file system of a folder, contents and names.
    /// This is for many files, since it waits only once; it may also wait for writes of other
    /// programs. Returns `false` if it did nothing, because the system would not report a failure.
    fn sync_all(&mut self, _folder: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Drops the cached content of a synced file from `offset` on.
    /// The next read then shows the content of the device. After a failed sync, the system may go
    /// on showing content that it could not write. Where the system keeps files in memory alone,
    /// nothing happens.
    fn forget(&mut self, path: &Path, offset: u64) -> io::Result<()>;

    /// Makes the names in a folder durable.
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;

    /// Cuts a file to its first `bytes` bytes.
    /// A longer length is [`io::ErrorKind::InvalidInput`]. The cut is safe after [`Disk::sync`].
    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()>;

    /// Writes a new file, mode 0600, without a sync.
    /// An existing name is [`io::ErrorKind::AlreadyExists`]; after any other error the file is
    /// removed again.
    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Exchanges two names atomically. [`io::ErrorKind::Unsupported`] if the file system cannot.
    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()>;

    /// Renames a file, replacing a file of that name.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file to a free name, else [`io::ErrorKind::AlreadyExists`].
    /// [`io::ErrorKind::Unsupported`] if the file system cannot guarantee that.
    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes the name of a file.
    fn remove(&mut self, path: &Path) -> io::Result<()>;

    /// Returns the free bytes of the file system for this user.
    fn free_bytes(&mut self) -> io::Result<u64>;

    /// Returns whether only this program can reach its files, so that nobody can edit them.
    fn is_private(&self) -> bool {
        false
    }

    /// Checks that the paths of the root and of anchored folders lead to the opened folders.
    /// A folder that was moved or unmounted is [`io::ErrorKind::NotFound`]: the program would write
    /// where nobody looks.
    /// In memory nothing can be moved.
    fn check_root(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Anchors a folder: from now on it is checked whenever the root is.
    fn anchor(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)
    }

    /// Checks that a file has `bytes` bytes, before an append; an absent file counts as empty.
    /// Another length is [`io::ErrorKind::InvalidData`]: another program changed the file. If the
    /// file is kept open, its path must still lead to it; otherwise the root must be in place. The
    /// folder's lock must be in place, if this disk has it. Other errors are those of
    /// [`Disk::check_root`].
    fn check_place(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        let found = self.stat(path)?.map_or(0, |stat| stat.bytes);
        check_length(path, found, bytes)
    }
}

/// Renames a file to a free name, else [`io::ErrorKind::AlreadyExists`].
/// Where the file system cannot guarantee that, another program may take the name in between.
pub(super) fn rename_to_free(disk: &mut dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    match disk.rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            if disk.stat(to)?.is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            disk.rename(from, to)
        }
        moved => moved,
    }
}

/// Returns whether an error means that there is no room.
/// It is the one kind of error that a program may wait out, if a partial write can be cut back.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// Converts the error of a sync, so that it never counts as a lack of room.
/// A second attempt would prove nothing.
pub fn sync_failed(error: io::Error) -> io::Error {
    if is_full(&error) {
        io::Error::other(error)
    } else {
        error
    }
}

/// Refuses a file whose length differs from the written one.
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

/// Returns the error for a call that no file system could serve.
pub fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
