//! The paths of a real disk: how they are resolved beneath its root, and whether they are in place.
//! No link is followed. Opens and inspects files, and never changes their content.

use super::real::{RealDisk, is_same};
use super::{FileKind, FileStat, check_path, invalid};
use crate::interrupted::retry_interrupted;
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::system::uname;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);
pub(super) const FOLDER_MODE: Mode = Mode::RWXU;

/// The flags for opening a file without following a link or waiting for a pipe or device.
pub(super) const FILE_FLAGS: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// The number of folders kept open: data, notes, the journal, and those of the inbox.
const KEPT_MAX: usize = 8;

/// A folder that must stay in place.
#[derive(Debug)]
pub(super) struct Anchor {
    pub(super) path: PathBuf,
    pub(super) identity: Identity,
    /// The open folder.
    /// The system reports to each handle the writes that failed since it was opened.
    pub(super) handle: Folder,
}

/// The identity of a file: the number of its file system, and its inode number there.
pub(super) type Identity = (u64, u64);

/// An open folder: the root, or one beneath it.
pub(in crate::store) type Folder = Arc<OwnedFd>;

impl RealDisk {
    /// Opens a folder as the root of a disk.
    /// The path itself may contain links, since a person chose it. With `create`, missing folders
    /// are created with mode 0700 and synced.
    pub fn open(path: &Path, create: bool) -> io::Result<Self> {
        if create {
            create_root(path)?;
        }
        let handle = open_outside(path)?;
        let beneath = fs::openat2(
            &handle,
            ".",
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS,
        );
        Ok(Self {
            path: path.to_path_buf(),
            opened: fs::fstat(&handle)?,
            resolves_full_paths: beneath.is_ok(),
            handle: Arc::new(handle),
            folders: Vec::new(),
            anchors: Vec::new(),
            lock: None,
            kept: Vec::new(),
        })
    }

    /// Returns the path with which the disk was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that no other user may change the names in a folder.
    /// Another owner, or write permission for the group or everybody, is
    /// [`io::ErrorKind::PermissionDenied`]. The administrator may work in anybody's folder.
    pub fn check_owner(&self, folder: &Path) -> io::Result<()> {
        let stat = fs::fstat(self.open_folder(folder, OFlags::PATH)?)?;
        let user = rustix::process::geteuid();
        let why = if !user.is_root() && stat.st_uid != user.as_raw() {
            "the folder belongs to another user"
        } else if Mode::from_raw_mode(stat.st_mode).intersects(Mode::WGRP | Mode::WOTH) {
            "other users may write in the folder"
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
    }

    /// Checks that a path still leads to its file, and returns the present facts about that file.
    pub(super) fn check_identity(&self, path: &Path, expected: Identity) -> io::Result<FileStat> {
        let found = fs::statat(&self.handle, path, AtFlags::SYMLINK_NOFOLLOW);
        check_same(path, found, expected)
    }

    /// Returns every name in a folder with its kind, sorted, including names that are not UTF-8.
    pub fn entries(&self, folder: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        let stats = self.stats(folder)?.into_iter();
        let kinds = stats.map(|(name, stat)| (name, file_kind(&stat)));
        Ok(kinds.collect())
    }

    /// Returns every name in a folder with the facts about its file, sorted.
    fn stats(&self, folder: &Path) -> io::Result<Vec<(OsString, fs::Stat)>> {
        let handle = self.open_folder(folder, OFlags::RDONLY)?;
        let mut stats = Vec::new();
        for entry in names_in(&handle)? {
            let (name, _) = entry?;
            match fs::statat(&handle, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stats.push((name, stat)),
                // The file was removed meanwhile.
                Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        stats.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(stats)
    }

    /// Returns the names in a folder that belong to another user, each with its owner's id.
    /// There are none if there is no such folder.
    pub fn foreign_names(&self, folder: &Path) -> io::Result<Vec<(String, u32)>> {
        let stats = match self.stats(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            stats => stats?,
        };
        let user = rustix::process::geteuid().as_raw();
        let foreign = stats.into_iter().filter(|(_, stat)| stat.st_uid != user);
        let named =
            |(name, stat): (OsString, fs::Stat)| (name.to_string_lossy().into_owned(), stat.st_uid);
        Ok(foreign.map(named).collect())
    }

    /// Opens a folder beneath the root, or the root for the empty path.
    pub(super) fn open_folder(&self, path: &Path, access: OFlags) -> io::Result<Folder> {
        check_path(path)?;
        if path.as_os_str().is_empty() {
            return Ok(Arc::clone(&self.handle));
        }
        let flags = access | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        if self.resolves_full_paths {
            let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            let open = || fs::openat2(&self.handle, path, flags, Mode::empty(), inside);
            return Ok(Arc::new(retry_interrupted(open)?));
        }
        let mut folder = Arc::clone(&self.handle);
        for name in path {
            let open = || fs::openat(&folder, name, flags, Mode::empty());
            folder = Arc::new(retry_interrupted(open)?);
        }
        Ok(folder)
    }

    /// Returns a folder for access to its names, and keeps it open for the next time.
    fn folder(&mut self, path: &Path) -> io::Result<Folder> {
        let mut folders = self.folders.iter();
        if let Some((_, folder)) = folders.find(|(kept, _)| is_same(kept, path)) {
            return Ok(Arc::clone(folder));
        }
        let folder = self.open_folder(path, OFlags::PATH)?;
        if self.folders.len() == KEPT_MAX {
            self.folders.remove(0);
        }
        self.folders.push((path.to_path_buf(), Arc::clone(&folder)));
        Ok(folder)
    }

    /// Returns the open folder of a path, and the name in it.
    pub(in crate::store) fn place<'path>(
        &mut self,
        path: &'path Path,
    ) -> io::Result<(Folder, &'path OsStr)> {
        check_path(path)?;
        let name = path
            .file_name()
            .ok_or_else(|| invalid("a name is needed"))?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Ok((self.folder(folder)?, name))
    }

    /// Opens a regular file and nothing else, without waiting.
    pub(in crate::store) fn open_regular(
        &mut self,
        path: &Path,
        access: OFlags,
    ) -> io::Result<File> {
        let (folder, name) = self.place(path)?;
        let flags = access | FILE_FLAGS;
        let handle = retry_interrupted(|| fs::openat(&folder, name, flags, FILE_MODE))?;
        match file_kind(&fs::fstat(&handle)?) {
            FileKind::File => Ok(File::from(handle)),
            FileKind::Folder | FileKind::Other => Err(invalid("not a regular file")),
        }
    }
}

/// Returns the names in a folder, each with its kind as the folder reports it.
pub(super) fn names_in(
    folder: &OwnedFd,
) -> io::Result<impl Iterator<Item = io::Result<(OsString, FileType)>>> {
    Ok(fs::Dir::read_from(folder)?.filter_map(|entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error.into())),
        };
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        (name != "." && name != "..").then(|| Ok((name.to_owned(), entry.file_type())))
    }))
}

/// Returns whether a sync of a whole file system reports failed writes.
/// It does since Linux 5.8, see `man 2 syncfs`.
pub(super) fn reports_failures() -> bool {
    let system = uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next()?.parse::<u32>().ok();
    (number(), number()) >= (Some(5), Some(8))
}

pub(super) const fn identity(stat: &fs::Stat) -> Identity {
    (stat.st_dev, stat.st_ino)
}

/// Checks that the file found at a path is the expected one.
pub(super) fn check_same(
    path: &Path,
    found: rustix::io::Result<fs::Stat>,
    expected: Identity,
) -> io::Result<FileStat> {
    match found {
        Ok(now) if identity(&now) == expected => Ok(file_stat(&now)),
        Ok(_) | Err(Errno::NOENT | Errno::NOTDIR) => {
            let message = format!(
                "{} was moved away or replaced while the program ran",
                path.display()
            );
            Err(io::Error::new(io::ErrorKind::NotFound, message))
        }
        Err(error) => Err(error.into()),
    }
}

/// Opens a folder by a path outside of a root, for reading its names and syncing them.
fn open_outside(folder: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(retry_interrupted(|| {
        fs::openat(CWD, folder, flags, Mode::empty())
    })?)
}

fn create_root(root: &Path) -> io::Result<()> {
    let mut missing = Vec::new();
    for folder in root.ancestors().filter(|it| !it.as_os_str().is_empty()) {
        match fs::stat(folder) {
            Ok(_) => break,
            Err(Errno::NOENT) => missing.push(folder),
            Err(error) => return Err(error.into()),
        }
    }
    for folder in missing.into_iter().rev() {
        match fs::mkdirat(CWD, folder, FOLDER_MODE) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let parent = match folder.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let handle = open_outside(parent)?;
        retry_interrupted(|| fs::fsync(&handle))?;
    }
    Ok(())
}

/// Converts the facts about a file to those that the store uses.
pub(super) fn file_stat(stat: &fs::Stat) -> FileStat {
    let nanoseconds = i64::try_from(stat.st_mtime_nsec).unwrap_or(0);
    FileStat {
        kind: file_kind(stat),
        bytes: file_length(stat.st_size),
        modified_ns: stat
            .st_mtime
            .saturating_mul(1_000_000_000)
            .saturating_add(nanoseconds),
        inode: stat.st_ino,
    }
}

fn file_kind(stat: &fs::Stat) -> FileKind {
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind.is_file() {
        FileKind::File
    } else if kind.is_dir() {
        FileKind::Folder
    } else {
        FileKind::Other
    }
}

/// Converts a length of the system, which is never negative.
pub(super) fn file_length(bytes: i64) -> u64 {
    u64::try_from(bytes).unwrap_or(0)
}
