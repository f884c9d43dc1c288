//! One writer for a data folder: a file that is locked for as long as the process lives.
//! The file is never removed: whoever unlinks a lock lets the next two processes hold one each.

use super::{Disk as _, RealDisk};
use crate::failure::{Code, Failure};
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Longest text looked at in the lock file, in bytes; a process id has at most ten digits.
const OWNER_BYTES_MAX: usize = 32;

/// The right to write in a data folder, given back when it is dropped or the process ends.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

impl FolderLock {
    /// Takes the lock, or says at once who has it.
    ///
    /// # Errors
    /// `DATA_LOCKED` when another holder has it, in this process or another; nothing was changed
    /// then. `DISK_ERROR` when the file cannot be opened, locked or written.
    pub fn take(disk: &mut RealDisk, path: &Path) -> Result<Self, Failure> {
        let file = match disk.open_lock(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or_else(|| Path::new(""));
                disk.create_folder(folder)
                    .and_then(|()| disk.open_lock(path))
            }
            opened => opened,
        }
        .map_err(|error| failed(disk, path, "open", &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(disk, &file)),
            Err(TryLockError::Error(error)) => return Err(failed(disk, path, "lock", &error)),
        }
        write_owner(&file).map_err(|error| failed(disk, path, "write", &error))?;
        Ok(Self { file })
    }

    /// Leaves one line for readers behind the process id, or takes it away: what the holder waits
    /// for. Information only, written in place so that it fits where the disk is full.
    pub fn remark(&self, line: Option<&str>) -> io::Result<()> {
        let mut text = format!("{}\n", std::process::id());
        if let Some(line) = line {
            text.push_str(line);
            text.push('\n');
        }
        self.file.write_all_at(text.as_bytes(), 0)?;
        self.file.set_len(u64::try_from(text.len()).unwrap_or(0))
    }
}

impl Drop for FolderLock {
    /// The lock belongs to the open file, which a child process that is just being started may
    /// still have for an instant: it is given back by name.
    fn drop(&mut self) {
        if let Err(error) = self.file.unlock() {
            tracing::debug!(%error, "the folder's lock ends with its file");
        }
    }
}

/// Writes this process' id. It is information only, so a full disk does not stop a start; but then
/// no other process' id may stand there either.
fn write_owner(file: &File) -> io::Result<()> {
    let text = format!("{}\n", std::process::id());
    match file.write_all_at(text.as_bytes(), 0) {
        // Cut last: a reader takes the first line and so never meets an empty file.
        Ok(()) => file.set_len(u64::try_from(text.len()).unwrap_or(0)),
        Err(error) if super::is_full(&error) => file.set_len(0),
        Err(error) => Err(error),
    }
}

/// The process id in the lock file; reading it needs no lock.
fn owner(file: &File) -> Option<u32> {
    let mut bytes = [0; OWNER_BYTES_MAX];
    let count = file.read_at(&mut bytes, 0).ok()?;
    // What stands below the first line may be cut anywhere, also inside a character.
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
