//! A disk that stops all writes after a write or a sync has failed.
//! A second attempt that succeeds would prove nothing: the kernel forgets what it could not write.
//! Reads go on.

use super::{AppendError, Disk, FileStat, Listing, is_full};
use std::io;
use std::path::Path;

/// A wrapper of a disk that stops writes after the first error.
/// A full disk and errors that report a fact, such as an existing name, do not count.
#[derive(Debug)]
pub(in crate::store) struct FailStop {
    disk: Box<dyn Disk>,
    /// The first error.
    failure: Option<String>,
}

impl FailStop {
    pub(in crate::store) fn new(disk: Box<dyn Disk>) -> Self {
        Self {
            disk,
            failure: None,
        }
    }

    /// Refuses every write from now on. The first reason is kept.
    pub(in crate::store) fn stop(&mut self, why: &impl ToString) {
        self.failure.get_or_insert_with(|| why.to_string());
    }

    /// Returns whether writes are refused.
    pub(in crate::store) const fn is_stopped(&self) -> bool {
        self.failure.is_some()
    }

    fn check(&self) -> io::Result<()> {
        self.failure.as_ref().map_or(Ok(()), |failure| {
            let message = format!("nothing is written any more since an earlier error: {failure}");
            Err(io::Error::other(message))
        })
    }

    /// Runs a write.
    /// Errors that leave the disk as it was stop nothing: no room, names that exist or not, and
    /// missing permissions.
    fn write<T>(&mut self, act: impl FnOnce(&mut dyn Disk) -> io::Result<T>) -> io::Result<T> {
        self.check()?;
        let outcome = act(self.disk.as_mut());
        if let Err(error) = &outcome
            && !is_full(error)
            && !is_answer(error)
        {
            self.failure = Some(error.to_string());
        }
        outcome
    }

    /// Runs a sync or a cut, after whose error the content of the disk is unknown.
    fn secure<T>(&mut self, act: impl FnOnce(&mut dyn Disk) -> io::Result<T>) -> io::Result<T> {
        self.check()?;
        let outcome = act(self.disk.as_mut());
        if let Err(error) = &outcome {
            self.failure = Some(error.to_string());
        }
        outcome
    }
}

fn is_answer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::Unsupported
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::ResourceBusy
            | io::ErrorKind::CrossesDevices
    )
}

impl AsMut<dyn Disk> for FailStop {
    fn as_mut(&mut self) -> &mut (dyn Disk + 'static) {
        self
    }
}

impl Disk for FailStop {
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
        self.disk.read_at(path, offset, bytes_max)
    }

    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>> {
        self.disk.stat(path)
    }

    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        self.disk.list(folder)
    }

    fn list_all(&mut self, folder: &Path) -> io::Result<Listing> {
        self.disk.list_all(folder)
    }

    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        self.write(|disk| disk.create_folder(folder))
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        self.check().map_err(AppendError::before_writing)?;
        let outcome = self.disk.append(path, bytes);
        if let Err(error) = &outcome
            && !is_full(&error.source)
        {
            self.failure = Some(error.to_string());
        }
        outcome
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        self.secure(|disk| disk.sync(path))
    }

    fn sync_unless_replaced(&mut self, path: &Path) -> io::Result<bool> {
        self.secure(|disk| disk.sync_unless_replaced(path))
    }

    fn sync_all(&mut self, folder: &Path) -> io::Result<bool> {
        self.secure(|disk| disk.sync_all(folder))
    }

    fn forget(&mut self, path: &Path, offset: u64) -> io::Result<()> {
        self.disk.forget(path, offset)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        self.secure(|disk| disk.sync_folder(folder))
    }

    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        self.secure(|disk| disk.truncate(path, bytes))
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write(|disk| disk.create(path, bytes))
    }

    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        self.write(|disk| disk.exchange(a, b))
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.write(|disk| disk.rename(from, to))
    }

    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.write(|disk| disk.rename_new(from, to))
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.write(|disk| disk.remove(path))
    }

    fn free_bytes(&mut self) -> io::Result<u64> {
        self.disk.free_bytes()
    }

    fn check_root(&mut self) -> io::Result<()> {
        self.disk.check_root()
    }

    fn anchor(&mut self, folder: &Path) -> io::Result<()> {
        self.disk.anchor(folder)
    }

    fn is_private(&self) -> bool {
        self.disk.is_private()
    }

    fn check_place(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        self.secure(|disk| disk.check_place(path, bytes))
    }
}
