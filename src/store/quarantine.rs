//! The quarantine: damaged or unreadable content is kept, never deleted.

use super::disk::{Disk, FileKind, rename_to_free};
use super::error::Error;
use super::layout;
use crate::core::journal::Hash;
use crate::time::Timestamp;
use std::io;
use std::path::{Path, PathBuf};

/// Returns a time as it is written in file names: `20261121T094200Z`.
pub(super) fn stamp(now: Timestamp) -> String {
    now.to_utc().format("%Y%m%dT%H%M%SZ").to_string()
}

/// Writes bytes under `data/quarantine`, syncs them and returns the path.
/// Equal bytes of a file in the same second are kept once.
pub(super) fn keep(
    disk: &mut dyn Disk,
    name: &str,
    bytes: &[u8],
    now: Timestamp,
) -> Result<PathBuf, Error> {
    let folder = Path::new(layout::QUARANTINE);
    disk.make_folder(folder)?;
    let digest = Hash::of(bytes).to_string();
    let short = digest.get(..8).unwrap_or_default();
    let path = folder.join(format!("{name}.{}.{short}", stamp(now)));
    create_safe(disk, bytes, &|attempt| match attempt {
        0 => path.clone(),
        _ => path.with_extension(format!("{short}-{attempt}")),
    })
}

/// Writes and syncs an unreadable edit beside its file, as `<file>.broken-<UTC>`.
pub(super) fn keep_beside(
    disk: &mut dyn Disk,
    path: &Path,
    bytes: &[u8],
    now: Timestamp,
) -> Result<PathBuf, Error> {
    let stamp = stamp(now);
    create_safe(disk, bytes, &|attempt| {
        layout::broken_path(path, &stamp, attempt)
    })
}

/// Writes and syncs bytes under the first free name of some names.
/// A name that holds these bytes already since an earlier attempt also counts as free.
fn create_safe(
    disk: &mut dyn Disk,
    bytes: &[u8],
    name: &dyn Fn(u32) -> PathBuf,
) -> Result<PathBuf, Error> {
    let mut attempt = 0;
    let path = loop {
        let path = name(attempt);
        match disk.create(&path, bytes) {
            Ok(()) => break path,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let there = disk.read(&path, bytes.len());
                if there.is_ok_and(|there| there == bytes) {
                    break path;
                }
                attempt += 1;
            }
            Err(error) => return Err(Error::file("keep", path, error)),
        }
    };
    disk.secure(&path)?;
    disk.secure_name(&path)?;
    Ok(path)
}

/// Renames the file at `place` to that of a broken edit of `path`, without opening it.
pub(super) fn move_beside(
    disk: &mut dyn Disk,
    place: &Path,
    path: &Path,
    now: Timestamp,
) -> Result<PathBuf, Error> {
    let stamp = stamp(now);
    move_to_free(disk, place, &|attempt| {
        layout::broken_path(path, &stamp, attempt)
    })
}

/// Renames the file at `place` to the first free name of some names, without opening it.
pub(super) fn move_to_free(
    disk: &mut dyn Disk,
    place: &Path,
    name: &dyn Fn(u32) -> PathBuf,
) -> Result<PathBuf, Error> {
    let mut attempt = 0;
    loop {
        let kept = name(attempt);
        match rename_to_free(disk, place, &kept) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
            Err(error) => return Err(Error::file("move", place, error)),
            Ok(()) => return Ok(kept),
        }
    }
}

/// The content of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FileContent {
    /// A file with these bytes.
    Bytes(Vec<u8>),
    /// The name does not exist.
    Nothing,
    /// An unreadable file, and the reason.
    Odd(String),
}

/// Reads a file that a person may have written, or replaced by anything else.
pub(super) fn find(
    disk: &mut dyn Disk,
    path: &Path,
    bytes_max: usize,
) -> Result<FileContent, Error> {
    let odd = |reason: &str| Ok(FileContent::Odd(reason.to_owned()));
    let failed = |error| Error::file("read", path, error);
    match disk.stat(path).map_err(failed)? {
        None => return Ok(FileContent::Nothing),
        Some(stat) if stat.kind != FileKind::File => return odd("it is not a regular file"),
        Some(_) => {}
    }
    let error = match disk.read(path, bytes_max) {
        Ok(bytes) => return Ok(FileContent::Bytes(bytes)),
        Err(error) => error,
    };
    let kind = error.kind();
    if kind == io::ErrorKind::NotFound {
        Ok(FileContent::Nothing)
    } else if kind == io::ErrorKind::FileTooLarge {
        odd(&format!("it is larger than {bytes_max} bytes"))
    } else if kind == io::ErrorKind::PermissionDenied {
        odd("it may not be read")
    } else if kind == io::ErrorKind::InvalidInput {
        odd("it is not a regular file")
    } else {
        Err(failed(error))
    }
}
