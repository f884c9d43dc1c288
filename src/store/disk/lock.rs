//! The lock that makes one process the writer of a data folder.
//! A file and the journal's folder are locked while the process lives. The file names the holder,
//! and a person may remove it; the folder cannot be removed while it holds a journal. The program
//! never removes the file: the next process would lock a new one.

use super::{Disk as _, RealDisk};
use crate::failure::{Code, Failure};
use crate::store::layout;
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

/// The longest text that is read from the lock file, in bytes; a process id has at most ten digits.
const OWNER_BYTES_MAX: usize = 32;

/// The lock of a data folder, released when it is dropped or the process ends.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
    /// The journal's folder; `None` if the file system cannot lock folders.
    journal: Option<File>,
}

impl FolderLock {
    /// Locks the file at `path` and the journal's folder, or fails at once and names the holder.
    /// From then on, the disk checks before each commit that the file is still at its path.
    ///
    /// # Errors
    /// `DATA_LOCKED` if another holder has the lock, in this process or another; at most an empty
    /// file was created then. `DISK_ERROR` if the file cannot be opened, locked or written, or has
    /// a second name: a lock under one name would not protect access through the other.
    pub fn take(disk: &mut RealDisk, path: &Path) -> Result<Self, Failure> {
        let opened = match open_lock(disk, path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or_else(|| Path::new(""));
                disk.create_folder(folder)
                    .and_then(|()| open_lock(disk, path))
            }
            opened => opened,
        };
        let file = opened.map_err(|error| failed(disk, path, "open", &error))?;
        let found = file.metadata();
        let found = found.map_err(|error| failed(disk, path, "look at", &error))?;
        if found.nlink() > 1 {
            let error = io::Error::other("the file has several names (hard links)");
            return Err(failed(disk, path, "use", &error));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(disk, &file)),
            Err(TryLockError::Error(error)) => return Err(failed(disk, path, "lock", &error)),
        }
        let journal = lock_journal(disk, &file)?;
        write_owner(&file).map_err(|error| failed(disk, path, "write", &error))?;
        disk.lock = Some((path.to_path_buf(), (found.dev(), found.ino())));
        Ok(Self { file, journal })
    }

    /// Writes or removes one line behind the process id, which says what the holder waits for.
    /// It is information only, written in place so that it fits on a full disk.
    pub fn remark(&self, line: Option<&str>) -> io::Result<()> {
        write_text(&self.file, line)
    }
}

impl Drop for FolderLock {
    /// Unlocks explicitly, since a starting child process may still share the open file.
    fn drop(&mut self) {
        for file in self.journal.iter().chain([&self.file]) {
            if let Err(error) = file.unlock() {
                tracing::debug!(%error, "the folder's lock ends with its file");
            }
        }
    }
}

/// Opens the lock file, mode 0600; creates it if it is absent, and never changes its content.
fn open_lock(disk: &mut RealDisk, path: &Path) -> io::Result<File> {
    disk.open_regular(path, OFlags::RDWR | OFlags::CREATE)
}

/// Locks the journal's folder, if the file system can lock folders.
/// NFS cannot: it requires a file that is open for writing (`man 2 flock`). There the lock file is
/// the only lock.
fn lock_journal(disk: &mut RealDisk, file: &File) -> Result<Option<File>, Failure> {
    let path = Path::new(layout::JOURNAL);
    let folder = disk.create_folder(path).and_then(|()| {
        let folder = disk.open_folder(path, OFlags::RDONLY)?;
        Ok(File::from(rustix::io::dup(&*folder)?))
    });
    let folder = folder.map_err(|error| failed(disk, path, "open", &error))?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => Err(locked(disk, file)),
        Err(TryLockError::Error(error)) if locks_no_folders(&error) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(disk, path, "lock", &error)),
    }
}

fn locks_no_folders(error: &io::Error) -> bool {
    let number = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(
        number,
        Some(Errno::BADF | Errno::INVAL | Errno::NOLCK | Errno::NOSYS | Errno::OPNOTSUPP)
    )
}

/// Writes the id of this process.
/// It is information only, so a full disk does not stop a start; but then the id of another process
/// must not remain.
fn write_owner(file: &File) -> io::Result<()> {
    match write_text(file, None) {
        Err(error) if super::is_full(&error) => file.set_len(0),
        outcome => outcome,
    }
}

/// Writes the id of this process, and a line below it.
/// The cut comes last: readers use the first line and so never meet an empty file.
fn write_text(file: &File, line: Option<&str>) -> io::Result<()> {
    let mut text = format!("{}\n", std::process::id());
    text.extend(line.into_iter().flat_map(|line| [line, "\n"]));
    file.write_all_at(text.as_bytes(), 0)?;
    file.set_len(u64::try_from(text.len()).unwrap_or(0))
}

/// Reads the process id in the lock file, which needs no lock.
fn owner(file: &File) -> Option<u32> {
    let mut bytes = [0; OWNER_BYTES_MAX];
    let count = file.read_at(&mut bytes, 0).ok()?;
    // The text below the first line may be cut anywhere, also inside a character.
    let line = bytes.get(..count)?.split(|byte| *byte == b'\n').next()?;
    std::str::from_utf8(line).ok()?.trim().parse().ok()
}

fn locked(disk: &RealDisk, file: &File) -> Failure {
    let holder = owner(file).map_or_else(
        || "another process".to_owned(),
        |process| format!("process {process}"),
    );
    Failure::new(
        Code::DataLocked,
        format!(
            "{holder} holds the data folder under {}",
            disk.path().display()
        ),
    )
}

fn failed(disk: &RealDisk, path: &Path, action: &str, error: &io::Error) -> Failure {
    let path = disk.path().join(path);
    Failure::new(
        Code::DiskError,
        format!("cannot {action} the lock {}: {error}", path.display()),
    )
}
