//! The real disk, with one or two system calls for each operation.
//! It never resolves a path by itself, and never repeats a failed sync.

use super::root::{
    Anchor, FILE_FLAGS, FILE_MODE, FOLDER_MODE, Folder, Identity, check_same, file_length,
    file_stat, identity, names_in, reports_failures,
};
use super::{
    AppendError, Disk, FileStat, Ignored, Listing, check_length, check_path, invalid, sync_failed,
};
use crate::interrupted::{INTERRUPTIONS_MAX, retry_interrupted};
use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FileType, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The number of files kept open for appending: the journal's segment and a few others.
const KEPT_MAX: usize = 4;

/// The largest size of a page in a system's file cache, in bytes.
const PAGE_BYTES_MAX: u64 = 64 * 1024;

/// A folder of a file system with everything below it.
#[derive(Debug)]
pub struct RealDisk {
    pub(super) path: PathBuf,
    /// The open root.
    pub(super) handle: Folder,
    /// The facts about the root at its opening, to detect that it was moved away.
    pub(super) opened: fs::Stat,
    /// Whether the kernel resolves a whole path beneath a folder (`openat2`, Linux 5.6).
    /// Older kernels and some sandboxes refuse the call, and then each name is opened by itself.
    pub(super) resolves_full_paths: bool,
    /// The recently used folders.
    /// Each is resolved again after every check of the root, so that a replaced folder is not
    /// written to for long.
    pub(super) folders: Vec<(PathBuf, Folder)>,
    /// The folders that must stay in place, as they were when they were anchored.
    pub(super) anchors: Vec<Anchor>,
    /// The path and the identity of the lock file, whose place is checked before each append.
    pub(super) lock: Option<(PathBuf, Identity)>,
    /// The files open for appending, oldest first.
    pub(super) kept: Vec<OpenFile>,
}

/// A file that is kept open.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) identity: Identity,
}

impl RealDisk {
    /// Syncs everything that was written to the file system of the root.
    pub fn sync_root(&self) -> io::Result<()> {
        Ok(retry_interrupted(|| fs::syncfs(&self.handle))?)
    }

    /// Returns the number of the kind of file system under the root, as Linux defines it.
    pub fn file_system(&self) -> io::Result<u64> {
        let found = retry_interrupted(|| fs::fstatfs(&self.handle))?;
        // Some have their highest bit set, and the type of the field is signed on some machines
        // only.
        let number = i128::from(found.f_type) & i128::from(u32::MAX);
        Ok(u64::try_from(number).unwrap_or_default())
    }

    /// Checks that a file may be written to. Changes nothing.
    pub fn check_writable(&mut self, path: &Path) -> io::Result<()> {
        self.open_regular(path, OFlags::WRONLY).map(drop)
    }

    /// Calls `act` with the file that is kept open, else with one opened for this call.
    fn with_file<T>(
        &mut self,
        path: &Path,
        access: OFlags,
        act: impl FnOnce(&File) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.kept.iter().find(|kept| is_same(&kept.path, path)) {
            Some(kept) => act(&kept.file),
            None => act(&self.open_regular(path, access)?),
        }
    }

    fn keep_open(&mut self, path: &Path) -> io::Result<&File> {
        let at = if let Some(at) = self.kept.iter().position(|kept| is_same(&kept.path, path)) {
            at
        } else {
            let access = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
            let file = self.open_regular(path, access)?;
            if self.kept.len() == KEPT_MAX {
                // The system reports a write error to the open handle; it must not be lost with it.
                // A removed file does not matter here, since no caller waits for it.
                let oldest = self.kept.remove(0);
                let synced = retry_interrupted(|| fs::fdatasync(&oldest.file));
                synced.map_err(|error| sync_failed(error.into()))?;
            }
            self.kept.push(OpenFile {
                path: path.to_path_buf(),
                identity: identity(&fs::fstat(&file)?),
                file,
            });
            self.kept.len() - 1
        };
        Ok(&self.kept[at].file)
    }

    /// Closes a kept file whose name is about to get another file.
    fn let_go(&mut self, path: &Path) {
        self.kept.retain(|kept| !is_same(&kept.path, path));
    }

    fn rename_with(&mut self, from: &Path, to: &Path, flags: RenameFlags) -> io::Result<()> {
        let (old_folder, old_name) = self.place(from)?;
        let (new_folder, new_name) = self.place(to)?;
        retry_interrupted(|| {
            fs::renameat_with(&old_folder, old_name, &new_folder, new_name, flags)
        })
        .map_err(|error| match error {
            Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP if !flags.is_empty() => {
                io::ErrorKind::Unsupported.into()
            }
            other => io::Error::from(other),
        })?;
        self.let_go(from);
        self.let_go(to);
        Ok(())
    }
}

impl Disk for RealDisk {
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
        let file = self.open_regular(path, OFlags::RDONLY)?;
        read_from(&file, offset, bytes_max)
    }

    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>> {
        let stat = if path.as_os_str().is_empty() {
            Ok(fs::fstat(&self.handle)?)
        } else {
            self.place(path).and_then(|(folder, name)| {
                Ok(fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?)
            })
        };
        match stat {
            Ok(stat) => Ok(Some(file_stat(&stat))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(self.list_all(folder)?.names)
    }

    fn list_all(&mut self, folder: &Path) -> io::Result<Listing> {
        let handle = match self.open_folder(folder, OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::default()),
            handle => handle?,
        };
        let mut listing = Listing::default();
        for entry in names_in(&handle)? {
            let (name, kind) = entry?;
            if !name.as_encoded_bytes().starts_with(b".")
                && let Some(why) = why_ignored(&handle, &name, kind)?
            {
                let name = name.clone();
                listing.ignored.push(Ignored { name, why });
            }
            listing.names.extend(name.into_string().ok());
        }
        listing.names.sort_unstable();
        listing.ignored.sort_unstable();
        Ok(listing)
    }

    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)?;
        // A kept folder may be one that was removed.
        self.folders.clear();
        let mut parent = PathBuf::new();
        for name in folder {
            let handle = self.open_folder(&parent, OFlags::RDONLY)?;
            match fs::mkdirat(&handle, name, FOLDER_MODE) {
                Ok(()) | Err(Errno::EXIST) => {
                    let synced = retry_interrupted(|| fs::fsync(&handle));
                    synced.map_err(|error| sync_failed(error.into()))?;
                }
                Err(error) => return Err(error.into()),
            }
            parent.push(name);
        }
        // This refuses a file or a link in the place of the last name.
        self.open_folder(&parent, OFlags::PATH).map(drop)
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        let file = self.keep_open(path).map_err(AppendError::before_writing)?;
        write_all_or_truncate(file, bytes)
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        // Reading is enough to sync: a person's file may be write-protected.
        self.with_file(path, OFlags::RDONLY, sync_file)
    }

    fn sync_all(&mut self, folder: &Path) -> io::Result<bool> {
        // This needs an anchored folder of that file system.
        let (file_system, _) = identity(&fs::fstat(self.open_folder(folder, OFlags::PATH)?)?);
        let mut anchors = self.anchors.iter();
        let anchor = anchors.find(|it| it.identity.0 == file_system);
        let Some(anchor) = anchor.filter(|_| reports_failures()) else {
            return Ok(false);
        };
        retry_interrupted(|| fs::syncfs(&anchor.handle))?;
        Ok(true)
    }

    fn forget(&mut self, path: &Path, offset: u64) -> io::Result<()> {
        // The system drops whole pages only.
        let from = offset - offset % PAGE_BYTES_MAX;
        self.with_file(path, OFlags::RDONLY, |file| {
            Ok(fs::fadvise(file, from, None, fs::Advice::DontNeed)?)
        })
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        let handle = self.open_folder(folder, OFlags::RDONLY)?;
        Ok(retry_interrupted(|| fs::fsync(&handle))?)
    }

    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        self.with_file(path, OFlags::WRONLY, |file| {
            if file_length(fs::fstat(file)?.st_size) < bytes {
                return Err(invalid("a cut cannot lengthen a file"));
            }
            Ok(retry_interrupted(|| fs::ftruncate(file, bytes))?)
        })
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | FILE_FLAGS;
        let file = File::from(retry_interrupted(|| {
            fs::openat(&folder, name, flags, FILE_MODE)
        })?);
        let Err(AppendError { source, .. }) = write_all_or_truncate(&file, bytes) else {
            return Ok(());
        };
        match fs::unlinkat(&folder, name, AtFlags::empty()) {
            Ok(()) => Err(source),
            Err(second) => Err(io::Error::other(format!(
                "{source}; and what was begun could not be removed: {second}"
            ))),
        }
    }

    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        self.rename_with(a, b, RenameFlags::EXCHANGE)
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.rename_with(from, to, RenameFlags::empty())
    }

    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.rename_with(from, to, RenameFlags::NOREPLACE)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        retry_interrupted(|| fs::unlinkat(&folder, name, AtFlags::empty()))?;
        self.let_go(path);
        Ok(())
    }

    fn free_bytes(&mut self) -> io::Result<u64> {
        let file_system = retry_interrupted(|| fs::fstatvfs(&self.handle))?;
        Ok(file_system.f_bavail.saturating_mul(file_system.f_frsize))
    }

    fn check_root(&mut self) -> io::Result<()> {
        self.folders.clear();
        check_same(&self.path, fs::stat(&self.path), identity(&self.opened))?;
        for anchor in &self.anchors {
            self.check_identity(&anchor.path, anchor.identity)?;
        }
        Ok(())
    }

    fn anchor(&mut self, folder: &Path) -> io::Result<()> {
        let handle = self.open_folder(folder, OFlags::RDONLY)?;
        self.anchors.retain(|known| known.path != folder);
        self.anchors.push(Anchor {
            path: folder.to_path_buf(),
            identity: identity(&fs::fstat(&handle)?),
            handle,
        });
        Ok(())
    }

    fn check_place(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        // If the lock's path leads elsewhere, another process could lock a new file of that name.
        if let Some((path, expected)) = &self.lock {
            self.check_identity(path, *expected)?;
        }
        let mut kept = self.kept.iter();
        let found = if let Some(kept) = kept.find(|kept| is_same(&kept.path, path)) {
            self.check_identity(path, kept.identity)?.bytes
        } else {
            self.check_root()?;
            match fs::statat(&self.handle, path, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(found) => file_length(found.st_size),
                Err(Errno::NOENT) => 0,
                Err(error) => return Err(error.into()),
            }
        };
        check_length(path, found, bytes)
    }
}

/// Returns why a name is ignored; `None` for folders and for files that may be taken in.
fn why_ignored(
    folder: &OwnedFd,
    name: &OsStr,
    reported_kind: FileType,
) -> io::Result<Option<&'static str>> {
    let mut kind = reported_kind;
    if kind == FileType::Unknown {
        // Some file systems do not report the kind with the name.
        kind = match fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => FileType::from_raw_mode(stat.st_mode),
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
    }
    Ok(match kind {
        FileType::Directory => None,
        FileType::RegularFile if name.to_str().is_some() => None,
        FileType::RegularFile => Some("its name is not UTF-8; rename it"),
        FileType::Symlink => Some("it is a link, not a regular file"),
        FileType::Fifo => Some("it is a pipe, not a regular file"),
        FileType::Socket => Some("it is a socket, not a regular file"),
        FileType::BlockDevice | FileType::CharacterDevice | FileType::Unknown => {
            Some("it is a device, not a regular file")
        }
    })
}

/// Returns whether two paths are spelled alike, which suffices for names that the store makes.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    a.as_os_str() == b.as_os_str()
}

/// Reads at most `bytes_max` bytes of a file from `offset` on, into memory of just the needed size.
fn read_from(file: &File, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
    let length = file_length(fs::fstat(file)?.st_size).saturating_sub(offset);
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes_max);
    // One more byte of capacity lets the last read find the end.
    let mut bytes = Vec::with_capacity(length.saturating_add(1));
    while bytes.len() < bytes_max {
        bytes.reserve(1);
        let at = offset.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if retry_interrupted(|| rustix::io::pread(file, spare_capacity(&mut bytes), at))? == 0 {
            break;
        }
    }
    bytes.truncate(bytes_max);
    Ok(bytes)
}

/// Syncs a file, and fails if its name was removed, since nobody can open such a file again.
fn sync_file(file: &File) -> io::Result<()> {
    retry_interrupted(|| fs::fdatasync(file))?;
    if fs::fstat(file)?.st_nlink == 0 {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "the file was removed while it was open",
        ));
    }
    Ok(())
}

/// Writes all bytes, continues after a short write, and reports on an error how many were written.
fn write_all_or_truncate(mut file: &File, bytes: &[u8]) -> Result<(), AppendError> {
    let mut written = 0;
    let mut interruptions = 0;
    while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
        match file.write(rest) {
            Ok(0) => {
                let source = io::ErrorKind::WriteZero.into();
                return Err(AppendError { written, source });
            }
            Ok(count) => written += count,
            Err(error) if is_interruption(&error) && interruptions < INTERRUPTIONS_MAX => {
                interruptions += 1;
            }
            Err(source) => return Err(AppendError { written, source }),
        }
    }
    Ok(())
}

fn is_interruption(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Both ways to resolve a path reach the same files and refuse the same links.
    #[test]
    fn links_are_refused_with_and_without_openat2() {
        for whole in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let mut disk = RealDisk::open(folder.path(), false).unwrap();
            if !whole {
                disk.resolves_full_paths = false;
            }
            disk.create_folder(Path::new("a/b")).unwrap();
            disk.create(Path::new("a/b/file"), b"inside").unwrap();
            symlink("a", folder.path().join("link")).unwrap();
            symlink("../b", folder.path().join("a/b/back")).unwrap();
            assert_eq!(disk.read(Path::new("a/b/file"), 10).unwrap(), b"inside");
            for path in ["link/b/file", "a/b/back/file"] {
                assert!(disk.read(Path::new(path), 10).is_err(), "{path} {whole}");
                assert!(disk.append(Path::new(path), b"x").is_err(), "{path}");
                assert!(disk.remove(Path::new(path)).is_err(), "{path}");
            }
            assert!(disk.create_folder(Path::new("link/c")).is_err());
            assert!(disk.create_folder(Path::new("link")).is_err());
            assert_eq!(disk.list(Path::new("a/b")).unwrap(), ["back", "file"]);
        }
    }
}
