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

    /// Runs a read, also after an error.
    fn look<T>(&mut self, act: impl FnOnce(&mut dyn Disk) -> io::Result<T>) -> io::Result<T> {
        act(self.disk.as_mut())
    }

    /// Runs a write.
    /// Errors that leave the disk as it was stop nothing: no room, names that exist or not, and
    /// missing permissions.
    fn write<T>(&mut self, act: impl FnOnce(&mut dyn Disk) -> io::Result<T>) -> io::Result<T> {
        self.run(act, |error| is_full(error) || is_answer(error))
    }

    /// Runs a sync or a cut, after whose error the content of the disk is unknown.
    fn secure<T>(&mut self, act: impl FnOnce(&mut dyn Disk) -> io::Result<T>) -> io::Result<T> {
        self.run(act, |_| false)
    }

    fn run<T>(
        &mut self,
        act: impl FnOnce(&mut dyn Disk) -> io::Result<T>,
        is_harmless: impl FnOnce(&io::Error) -> bool,
    ) -> io::Result<T> {
        self.check()?;
        let outcome = act(self.disk.as_mut());
        if let Err(error) = &outcome
            && !is_harmless(error)
        {
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

/// Defines operations of a disk that run in one of the three ways above.
macro_rules! run_as {
    ($($way:ident $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $name(&mut self, $($argument: $type),*) -> io::Result<$result> {
            self.$way(|disk| disk.$name($($argument),*))
        })*
    };
}

impl Disk for FailStop {
    run_as! {
        look read_at(path: &Path, offset: u64, bytes_max: usize) -> Vec<u8>;
        look stat(path: &Path) -> Option<FileStat>;
        look list(folder: &Path) -> Vec<String>;
        look list_all(folder: &Path) -> Listing;
        look forget(path: &Path, offset: u64) -> ();
        look free_bytes() -> u64;
        look check_root() -> ();
        look anchor(folder: &Path) -> ();
        write create_folder(folder: &Path) -> ();
        write create(path: &Path, bytes: &[u8]) -> ();
        write exchange(a: &Path, b: &Path) -> ();
        write rename(from: &Path, to: &Path) -> ();
        write rename_new(from: &Path, to: &Path) -> ();
        write remove(path: &Path) -> ();
        secure sync(path: &Path) -> ();
        secure sync_unless_replaced(path: &Path) -> bool;
        secure sync_all(folder: &Path) -> bool;
        secure sync_folder(folder: &Path) -> ();
        secure truncate(path: &Path, bytes: u64) -> ();
        secure check_place(path: &Path, bytes: u64) -> ();
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

    fn is_private(&self) -> bool {
        self.disk.is_private()
    }
}
