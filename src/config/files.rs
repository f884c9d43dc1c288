//! The one module outside `store` that touches the disk: it reads files that a person wrote,
//! creates missing ones, and replaces one on a person's command. Never removes a file.

use crate::failure::{Code, Failure};
use crate::interrupted::retry_interrupted;
use crate::time::Timestamp;
use rustix::fs::{CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{DirBuilder, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

const FOLDER_MODE: u32 = 0o700;

const FILE_MODE: u32 = 0o600;

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileProblem {
    /// The file does not exist.
    Missing,
    /// It is a folder, a pipe, a device or a socket.
    NotAFile,
    /// It is a folder, where any other readable file is accepted.
    Folder,
    /// It is larger than the bound, in bytes.
    TooLarge(usize),
    /// The system refused because of names or permissions, in its own words.
    Refused(String),
    /// The disk failed, or the system lacks a resource, in its own words.
    Failed(String),
}

impl FileProblem {
    /// Returns the failure for a file that a person wrote.
    /// Its code is `otherwise` where the person can correct the cause.
    pub fn failure(&self, otherwise: Code, message: String) -> Failure {
        let failure = Failure::new(self.code(otherwise), message);
        if matches!(self, Self::Failed(_)) {
            failure.retry_later()
        } else {
            failure
        }
    }

    /// Returns the code of the problem; `otherwise` where a person can correct the cause.
    pub(super) const fn code(&self, otherwise: Code) -> Code {
        if matches!(self, Self::Failed(_)) {
            Code::DiskError
        } else {
            otherwise
        }
    }
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("the file does not exist"),
            Self::NotAFile => f.write_str("this is not a regular file"),
            Self::Folder => f.write_str("this is a folder"),
            Self::TooLarge(bytes_max) => write!(f, "the file is larger than {bytes_max} bytes"),
            Self::Refused(reason) | Self::Failed(reason) => {
                write!(f, "the file cannot be read: {reason}")
            }
        }
    }
}

impl From<std::io::Error> for FileProblem {
    /// Converts an error of the system.
    // Names and permissions are set by a person; any other error may pass without a change of a
    // file.
    fn from(error: std::io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(Errno::NOENT) => Self::Missing,
            // A socket cannot be opened at all.
            Some(Errno::NXIO) => Self::NotAFile,
            Some(
                Errno::ACCESS
                | Errno::PERM
                | Errno::NOTDIR
                | Errno::ISDIR
                | Errno::LOOP
                | Errno::NAMETOOLONG
                | Errno::ILSEQ,
            ) => Self::Refused(error.to_string()),
            Some(_) | None => Self::Failed(error.to_string()),
        }
    }
}

impl From<Errno> for FileProblem {
    fn from(errno: Errno) -> Self {
        std::io::Error::from(errno).into()
    }
}

/// Returns whether the path may exist: where the system cannot say, the read gives the reason.
pub(super) fn exists(path: &Path) -> bool {
    !matches!(rustix::fs::lstat(path), Err(Errno::NOENT | Errno::NOTDIR))
}

/// Returns whether a file was written or renamed after `ts`; `false` for an unreadable one.
pub fn changed_since(path: &Path, ts: Timestamp) -> bool {
    let Ok(stat) = rustix::fs::stat(path) else {
        return false;
    };
    // This time also changes with a rename, and cannot be set.
    let millis = i128::from(stat.st_ctime) * 1000 + i128::from(stat.st_ctime_nsec) / 1_000_000;
    millis > i128::from(ts.millis)
}

/// Returns whether the path exists and belongs to the user of this process.
pub(super) fn is_own(path: &Path) -> bool {
    let owner = rustix::fs::stat(path).map(|stat| stat.st_uid);
    owner == Ok(rustix::process::geteuid().as_raw())
}

/// Checks that the path is a folder; anything else is [`FileProblem::Missing`].
pub(super) fn check_folder(path: &Path) -> Result<(), FileProblem> {
    let stat = rustix::fs::stat(path)?;
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        Ok(())
    } else {
        Err(FileProblem::Missing)
    }
}

/// Returns the target of a link, canonical where possible; `None` where the path is no link.
pub(super) fn link_target(path: &Path) -> Option<PathBuf> {
    let target = rustix::fs::readlink(path, Vec::new()).ok()?;
    let beside = path.with_file_name(OsStr::from_bytes(target.as_bytes()));
    Some(std::fs::canonicalize(path).unwrap_or(beside))
}

/// Returns the target of a link as it is written; `None` where the path is no link, or not text.
pub(super) fn target_of(path: &Path) -> Option<String> {
    let target = rustix::fs::readlink(path, Vec::new()).ok()?;
    target.into_string().ok()
}

/// Returns the names in a folder, sorted; names that are not text are left out.
pub(super) fn names_in(path: &Path) -> Result<Vec<String>, FileProblem> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

/// Reads a whole regular file of at most `bytes_max` bytes. Never blocks on a pipe.
pub fn read_file(path: &Path, bytes_max: usize) -> Result<Vec<u8>, FileProblem> {
    // Without NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(FileProblem::NotAFile);
    }
    let bound = u64::try_from(bytes_max).unwrap_or(u64::MAX);
    if about.len() > bound {
        return Err(FileProblem::TooLarge(bytes_max));
    }
    let room = usize::try_from(about.len()).unwrap_or(0) + 1;
    read_bounded(file, bytes_max, room)
}

/// Reads a file, a pipe or a terminal to its end, at most `bytes_max` bytes.
/// Waits for the writer of a pipe.
pub fn read_to_end(path: &Path, bytes_max: usize) -> Result<Vec<u8>, FileProblem> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_dir() {
        return Err(FileProblem::Folder);
    }
    read_bounded(file, bytes_max, 0)
}

/// Reads to the end, with `room` bytes allocated in advance.
fn read_bounded(file: File, bytes_max: usize, room: usize) -> Result<Vec<u8>, FileProblem> {
    let mut bytes = Vec::with_capacity(room);
    let bound = u64::try_from(bytes_max).unwrap_or(u64::MAX);
    // One byte more than the bound, so that a file that grows meanwhile is noticed.
    file.take(bound.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > bytes_max {
        return Err(FileProblem::TooLarge(bytes_max));
    }
    Ok(bytes)
}

/// Creates a folder and its parents, readable by the owner only, and syncs their names to the disk.
pub(super) fn create_folder(path: &Path) -> Result<(), Failure> {
    let above = path.ancestors().filter(|it| !it.as_os_str().is_empty());
    let missing: Vec<&Path> = above.take_while(|it| !it.exists()).collect();
    let created = DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(path);
    let mut missing = missing.into_iter();
    created
        .and_then(|()| missing.try_for_each(sync_name))
        .map_err(|error| disk_failure("cannot create the folder", path, &error))
}

// Without it a power cut loses the name of a new file or folder.
fn sync_name(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(
        folder.unwrap_or_else(|| Path::new(".")),
        flags,
        Mode::empty(),
    )?;
    Ok(retry_interrupted(|| rustix::fs::fsync(&folder))?)
}

/// Creates a file atomically and durably; an existing one stays.
/// Returns whether the file is new. `unique` makes the name of the temporary file unique.
pub(super) fn create_file(
    path: &Path,
    bytes: &[u8],
    mode: Mode,
    unique: &str,
) -> Result<bool, Failure> {
    if rustix::fs::lstat(path).is_ok() {
        return Ok(false);
    }
    match write(path, bytes, mode, unique, put_in_place) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(disk_failure("cannot write", path, &error)),
        Ok(()) => Ok(true),
    }
}

/// Replaces a file atomically and durably, readable by its owner only.
pub(super) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mode = Mode::from_raw_mode(FILE_MODE);
    let unique = std::process::id().to_string();
    let put = |draft: &Path, path: &Path| Ok(rustix::fs::rename(draft, path)?);
    let outcome = write(path, bytes, mode, &unique, put);
    outcome.map_err(|error| disk_failure("cannot write", path, &error))
}

/// Writes a draft beside `path`, which `put` then puts in its place.
fn write(
    path: &Path,
    bytes: &[u8],
    mode: Mode,
    unique: &str,
    put: impl FnOnce(&Path, &Path) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.{unique}.tmp"));
    write_draft(&draft, bytes, mode)
        .and_then(|()| put(&draft, path))
        .and_then(|()| sync_name(path))
        // The draft is now useless. A failure to remove it changes nothing.
        .inspect_err(|_| rustix::fs::unlink(&draft).unwrap_or_default())
}

fn write_draft(draft: &Path, bytes: &[u8], mode: Mode) -> std::io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let file = rustix::fs::open(draft, flags, mode)?;
    // The standard library would retry for ever where a call is interrupted each time.
    let mut rest = bytes;
    while !rest.is_empty() {
        let written = retry_interrupted(|| rustix::io::write(&file, rest))?;
        if written == 0 {
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        rest = rest.get(written..).unwrap_or_default();
    }
    Ok(retry_interrupted(|| rustix::fs::fsync(&file))?)
}

/// Renames without ever replacing a file that was created in the meantime.
fn put_in_place(draft: &Path, path: &Path) -> std::io::Result<()> {
    match rustix::fs::renameat_with(CWD, draft, CWD, path, RenameFlags::NOREPLACE) {
        // Some file systems lack the flag. A hard link refuses to replace as well.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            rustix::fs::link(draft, path)?;
            Ok(rustix::fs::unlink(draft)?)
        }
        outcome => Ok(outcome?),
    }
}

fn disk_failure(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    let code = if error.kind() == std::io::ErrorKind::StorageFull {
        Code::DiskFull
    } else {
        Code::DiskError
    };
    Failure::new(code, format!("{what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{FileProblem, create_file, create_folder, read_file};
    use crate::failure::Code;
    use rustix::fs::Mode;
    use rustix::io::Errno;

    #[test]
    fn only_regular_files_within_the_bound_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = Mode::from_raw_mode(0o600);
        assert!(create_file(&at("a"), b"12345", mode, "u").unwrap());
        assert_eq!(read_file(&at("a"), 5).unwrap(), b"12345");
        assert_eq!(read_file(&at("a"), 4), Err(FileProblem::TooLarge(4)));
        assert_eq!(read_file(&at("none"), 5), Err(FileProblem::Missing));
        assert_eq!(read_file(folder.path(), 5), Err(FileProblem::NotAFile));
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), mode).unwrap();
        assert_eq!(read_file(&at("pipe"), 5), Err(FileProblem::NotAFile));
        assert!(matches!(
            read_file(std::path::Path::new("/dev/zero"), 5),
            Err(FileProblem::NotAFile)
        ));
    }

    #[test]
    fn whose_doing_it_is_that_a_file_cannot_be_read_follows_from_what_the_system_says() {
        for (errno, code) in [
            (Errno::ACCESS, Code::ConfigJsonInvalid),
            (Errno::PERM, Code::ConfigJsonInvalid),
            (Errno::NOENT, Code::ConfigJsonInvalid),
            (Errno::NOTDIR, Code::ConfigJsonInvalid),
            (Errno::ISDIR, Code::ConfigJsonInvalid),
            (Errno::LOOP, Code::ConfigJsonInvalid),
            (Errno::NAMETOOLONG, Code::ConfigJsonInvalid),
            (Errno::NXIO, Code::ConfigJsonInvalid),
            (Errno::IO, Code::DiskError),
            (Errno::MFILE, Code::DiskError),
            (Errno::NFILE, Code::DiskError),
            (Errno::NOMEM, Code::DiskError),
            (Errno::TIMEDOUT, Code::DiskError),
            (Errno::STALE, Code::DiskError),
            (Errno::INTR, Code::DiskError),
            (Errno::AGAIN, Code::DiskError),
            (Errno::BUSY, Code::DiskError),
            (Errno::UCLEAN, Code::DiskError),
            (Errno::BADMSG, Code::DiskError),
            (Errno::NOTCONN, Code::DiskError),
            (Errno::HOSTDOWN, Code::DiskError),
            (Errno::REMOTEIO, Code::DiskError),
        ] {
            let problem = FileProblem::from(errno);
            assert_eq!(problem.code(Code::ConfigJsonInvalid), code, "{problem}");
        }
        for problem in [FileProblem::Folder, FileProblem::TooLarge(1)] {
            assert_eq!(problem.code(Code::RulesInvalid), Code::RulesInvalid);
        }
    }

    #[test]
    fn a_file_is_created_once_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        create_folder(&folder.path().join("x/y")).unwrap();
        let path = folder.path().join("x/y/file");
        let mode = Mode::from_raw_mode(0o700);
        assert!(create_file(&path, b"first", mode, "1").unwrap());
        assert!(!create_file(&path, b"second", mode, "2").unwrap());
        assert_eq!(read_file(&path, 10).unwrap(), b"first");
        std::os::unix::fs::symlink("/nowhere", folder.path().join("x/y/link")).unwrap();
        let link = folder.path().join("x/y/link");
        assert!(!create_file(&link, b"text", mode, "3").unwrap());
        let names = rustix::fs::Dir::new(
            rustix::fs::open(
                folder.path().join("x/y"),
                rustix::fs::OFlags::RDONLY,
                Mode::empty(),
            )
            .unwrap(),
        )
        .unwrap()
        .count();
        assert_eq!(names, 4, "two entries, `.` and `..`; no draft is left");
    }
}
