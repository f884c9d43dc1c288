//! The listing of a folder, and which of its names are ignored.
//! The folder itself reports the kind of each name, so that no file is opened.

use super::RealDisk;
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FileType, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

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

/// Lists a folder, see `Disk::list_all`.
pub(super) fn list(disk: &RealDisk, folder: &Path) -> io::Result<Listing> {
    let handle = match disk.open_folder(folder, OFlags::RDONLY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::default()),
        handle => handle?,
    };
    let mut listing = Listing::default();
    for entry in fs::Dir::read_from(&handle)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        if !name.as_bytes().starts_with(b".")
            && let Some(why) = why_ignored(&handle, name, entry.file_type())?
        {
            let name = name.to_owned();
            listing.ignored.push(Ignored { name, why });
        }
        listing.names.extend(name.to_str().map(str::to_owned));
    }
    listing.names.sort_unstable();
    listing.ignored.sort_unstable();
    Ok(listing)
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
