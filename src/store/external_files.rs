//! A person's files outside the data folder: imports, exports, and the text for an editor.
//! Never touches anything under the data folder, and never follows a link inside a folder.

use super::disk::{Disk as _, FileKind, RealDisk, rename_to_free};
use super::layout;
use crate::failure::{Code, Failure};
use crate::limits::{IMPORT_DEPTH_MAX, IMPORT_FILES_MAX};
use rustix::fs::FileType;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Returns whether an open file is the one of a name `device:inode`, the form that systemd uses.
pub fn is_file(file: &impl rustix::fd::AsFd, name: &str) -> bool {
    let found = rustix::fs::fstat(file);
    found.is_ok_and(|stat| format!("{}:{}", stat.st_dev, stat.st_ino) == name.trim())
}

/// Returns whether an open file is a socket, like the journal of systemd.
pub fn is_socket(file: &impl rustix::fd::AsFd) -> bool {
    let found = rustix::fs::fstat(file);
    found.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Socket)
}

/// The files to read, found at one path.
#[derive(Debug)]
pub struct SourceFiles {
    disk: RealDisk,
    /// The folder of the files, as a path without links.
    folder: PathBuf,
    /// The paths of the files, relative to the folder, sorted.
    pub files: Vec<PathBuf>,
    /// The paths that cannot be read, each with the reason.
    pub odd: Vec<(PathBuf, String)>,
}

impl SourceFiles {
    /// Returns the file at a path, or the wanted files in that folder and below it.
    /// Names that begin with a dot are ignored. The path itself may contain links, since a person
    /// chose it.
    ///
    /// # Errors
    /// `IMPORT_INVALID` if the path cannot be read, `LIMIT_EXCEEDED` for a folder with too many
    /// files.
    pub fn at(path: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Result<Self, Failure> {
        Self::within(path, is_wanted, IMPORT_FILES_MAX)
    }

    /// Finds files like [`SourceFiles::at`], in a folder with at most `files_max` names.
    ///
    /// # Errors
    /// Those of [`SourceFiles::at`].
    pub fn within(
        path: &Path,
        is_wanted: &dyn Fn(&Path) -> bool,
        files_max: usize,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| unreadable(path, &error);
        let full_path = fs::canonicalize(path).map_err(failed)?;
        if fs::metadata(&full_path).map_err(failed)?.is_dir() {
            let mut sources = Self {
                disk: RealDisk::open(&full_path, false).map_err(failed)?,
                folder: full_path,
                files: Vec::new(),
                odd: Vec::new(),
            };
            let is_within = sources.walk(is_wanted, files_max).map_err(failed)?;
            return is_within.then_some(sources).ok_or_else(|| {
                let message = format!("{} holds more than {files_max} files", path.display());
                let failure = Failure::new(Code::LimitExceeded, message);
                failure.only_hint("Name the folders that hold notes.")
            });
        }
        let name = full_path.file_name().unwrap_or_default();
        let folder = full_path.parent().unwrap_or(&full_path);
        Ok(Self {
            disk: RealDisk::open(folder, false).map_err(failed)?,
            folder: folder.to_path_buf(),
            files: vec![PathBuf::from(name)],
            odd: Vec::new(),
        })
    }

    /// Finds the files below the folder; `false` if there are too many.
    fn walk(&mut self, is_wanted: &dyn Fn(&Path) -> bool, files_max: usize) -> io::Result<bool> {
        let mut open = vec![(PathBuf::new(), 0)];
        let mut met = 0;
        while let Some((folder, depth)) = open.pop() {
            if depth > IMPORT_DEPTH_MAX {
                let reason = format!("folders deeper than {IMPORT_DEPTH_MAX} are not looked into");
                self.odd.push((folder, reason));
                continue;
            }
            for (name, kind) in self.disk.entries(&folder)? {
                met += 1;
                if met > files_max {
                    return Ok(false);
                }
                let path = folder.join(&name);
                if name.as_encoded_bytes().starts_with(b".") {
                    continue;
                }
                match kind {
                    FileKind::Folder => open.push((path, depth + 1)),
                    FileKind::File if !is_wanted(&path) => {}
                    FileKind::File if name.to_str().is_none() => {
                        self.odd.push((path, "its name is not UTF-8".to_owned()));
                    }
                    FileKind::File => self.files.push(path),
                    FileKind::Other => {
                        let reason = "it is a link or no regular file; links are not followed";
                        self.odd.push((path, reason.to_owned()));
                    }
                }
            }
        }
        self.files.sort_unstable();
        Ok(true)
    }

    /// Returns the full path of a file, without links, which identifies it.
    pub fn full_path(&self, file: &Path) -> PathBuf {
        self.folder.join(file)
    }

    /// Reads a file of at most `bytes_max` bytes. The error is the reason in words.
    pub fn read(&mut self, file: &Path, bytes_max: usize) -> Result<Vec<u8>, String> {
        let read = self.disk.read(file, bytes_max);
        read.map_err(|error| {
            if error.kind() == io::ErrorKind::FileTooLarge {
                format!("it is larger than {bytes_max} bytes")
            } else {
                error.to_string()
            }
        })
    }
}

/// A folder for exported files.
#[derive(Debug)]
pub struct Target {
    disk: RealDisk,
    folder: PathBuf,
}

impl Target {
    /// Opens the folder at a path; creates it with mode 0700 if it is absent.
    ///
    /// # Errors
    /// `USAGE` for a path in the data folder of `root`, `DISK_ERROR` if the folder cannot be
    /// written.
    pub fn folder(path: &Path, root: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| unwritable(path, &error);
        let full_path = std::path::absolute(path).map_err(failed)?;
        let data = fs::canonicalize(root.join(layout::DATA));
        let refuse_data = |place: &Path| match &data {
            Ok(data) if place.starts_with(data) => {
                let message = format!("{} lies in the data folder", path.display());
                let failure = Failure::new(Code::Usage, message);
                Err(failure.only_hint("Name a folder that is your own."))
            }
            Ok(_) | Err(_) => Ok(()),
        };
        refuse_data(&place_of(&full_path))?;
        let disk = RealDisk::open(&full_path, true).map_err(failed)?;
        // Now that the whole path exists, no `..` in it can lead elsewhere than it seems.
        refuse_data(&fs::canonicalize(&full_path).map_err(failed)?)?;
        Ok(Self {
            disk,
            folder: path.to_path_buf(),
        })
    }

    /// Returns the path of a file, in the spelling of the person.
    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns whether a name exists.
    pub fn has(&mut self, name: &str) -> Result<bool, Failure> {
        let found = self.disk.stat(Path::new(name));
        let found = found.map_err(|error| unwritable(&self.place(name), &error));
        Ok(found?.is_some())
    }

    /// Writes a file atomically. `replace` allows it to replace a file of that name.
    pub fn write(&mut self, name: &str, bytes: &[u8], replace: bool) -> Result<(), Failure> {
        let temporary = PathBuf::from(format!(".{}.tmp", Uuid::new_v4()));
        let path = Path::new(name);
        let mut put = self.disk.create(&temporary, bytes);
        if put.is_ok() {
            put = if replace {
                self.disk.rename(&temporary, path)
            } else {
                rename_to_free(&mut self.disk, &temporary, path)
            };
            if put.is_err() {
                // The first error is the one to report.
                self.disk.remove(&temporary).unwrap_or_default();
            }
        }
        put.map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                exists(&[self.place(name)])
            } else {
                unwritable(&self.place(name), &error)
            }
        })
    }

    /// Syncs everything that was written.
    pub fn finish(&self) -> Result<(), Failure> {
        let synced = self.disk.sync_root();
        synced.map_err(|error| unwritable(&self.folder, &error))
    }
}

/// Returns the refusal to replace existing files.
pub fn exists(taken: &[PathBuf]) -> Failure {
    let first = taken.first().map(|path| path.display().to_string());
    let first = first.unwrap_or_default();
    let message = match taken.len() {
        0 | 1 => format!("{first} is there already"),
        count => format!("{first} and {} others are there already", count - 1),
    };
    Failure::new(Code::FileExists, message)
}

/// Returns a path without links, as far as it exists.
fn place_of(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    for known in path.ancestors() {
        if let Ok(full_path) = fs::canonicalize(known) {
            return rest
                .iter()
                .rev()
                .fold(full_path, |path, name| path.join(name));
        }
        rest.extend(known.file_name());
    }
    path.to_path_buf()
}

/// The prefix of the temporary folders in which guards are tested.
const SCRATCH_PREFIX: &str = "kjxlkj-prove-";

/// Returns the path of a new temporary root in `place`.
pub fn scratch_root(place: &Path) -> PathBuf {
    place.join(format!("{SCRATCH_PREFIX}{}", Uuid::new_v4().simple()))
}

/// Removes such a root with all its content. Links are removed, never followed.
///
/// # Errors
/// Those of the disk; the rest of the root stays then. Any other folder is refused.
#[expect(
    clippy::disallowed_methods,
    reason = "this program made the folder for itself; nothing in it is a person's"
)]
pub fn remove_scratch(root: &Path) -> io::Result<()> {
    let name = root.file_name().and_then(|name| name.to_str());
    if !name.is_some_and(|name| name.starts_with(SCRATCH_PREFIX)) {
        return Err(super::disk::invalid("not a scratch folder"));
    }
    fs::remove_dir_all(root)
}

/// A text of a person in a folder that other users cannot read.
#[derive(Debug)]
pub struct PrivateText {
    disk: RealDisk,
    folder: PathBuf,
    file: PathBuf,
}

impl PrivateText {
    /// Writes the text under `name` into a new folder in `place`.
    pub fn create(place: &Path, name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let failed = |error: io::Error| unwritable(place, &error);
        let folder = PathBuf::from(format!("{}-{}", env!("CARGO_PKG_NAME"), Uuid::new_v4()));
        let mut disk = RealDisk::open(place, false).map_err(failed)?;
        disk.create_folder(&folder).map_err(failed)?;
        let file = folder.join(name);
        disk.create(&file, bytes).map_err(failed)?;
        Ok(Self { disk, folder, file })
    }

    pub fn path(&self) -> PathBuf {
        self.disk.path().join(&self.file)
    }

    pub fn is_there(&mut self) -> bool {
        !matches!(self.disk.stat(&self.file), Ok(None))
    }

    /// Reads its present content.
    pub fn read(&mut self, bytes_max: usize) -> Result<Vec<u8>, Failure> {
        let read = self.disk.read(&self.file, bytes_max);
        read.map_err(|error| unreadable(&self.path(), &error))
    }

    /// Removes it. Other files in its folder, such as an editor's copy, stay.
    pub fn remove(mut self) {
        let removed = if self.is_there() {
            self.disk.remove(&self.file)
        } else {
            Ok(())
        };
        let folder = self.disk.path().join(&self.folder);
        if let Err(error) = removed.and_then(|()| fs::remove_dir(folder)) {
            tracing::debug!(%error, "the text of the editor stays where it is");
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let message = if error.kind() == io::ErrorKind::FileTooLarge {
        format!("{} is too large for a note", path.display())
    } else {
        format!("{} cannot be read: {error}", path.display())
    };
    Failure::new(Code::ImportInvalid, message)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let code = if super::disk::is_full(error) {
        Code::DiskFull
    } else {
        Code::DiskError
    };
    let message = format!("{} cannot be written: {error}", path.display());
    Failure::new(code, message).only_hint("Look at its folder: is it yours, and is there room?")
}
