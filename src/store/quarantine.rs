//! Bytes put aside: nothing is deleted because it looks damaged.

use super::disk::Disk;
use super::error::Error;
use super::layout;
use crate::core::journal::Hash;
use crate::time::Timestamp;
use std::io;
use std::path::{Path, PathBuf};

/// A moment as it stands in file names: `20261121T094200Z`.
pub(super) fn stamp(now: Timestamp) -> String {
    now.to_utc().format("%Y%m%dT%H%M%SZ").to_string()
}

/// Keeps bytes under `data/quarantine` and makes them safe; gives the path. The same bytes of the
/// same file in the same second are kept once.
pub(super) fn keep(
    disk: &mut dyn Disk,
    name: &str,
    bytes: &[u8],
    now: Timestamp,
) -> Result<PathBuf, Error> {
    let folder = Path::new(layout::QUARANTINE);
    let digest = Hash::of(bytes).to_string();
    let short = digest.get(..8).unwrap_or_default();
    let path = folder.join(format!("{name}.{}.{short}", stamp(now)));
    let failed = |error| Error::file("keep", &path, error);
    disk.create_folder(folder).map_err(failed)?;
    match disk.create(&path, bytes) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(path),
        other => other.map_err(failed)?,
    }
    disk.sync(&path).map_err(failed)?;
    disk.sync_folder(folder).map_err(failed)?;
    Ok(path)
}

/// Keeps an unreadable edit beside its file, as `<file>.broken-<UTC>`, and makes it safe.
pub(super) fn keep_beside(
    disk: &mut dyn Disk,
    path: &Path,
    bytes: &[u8],
    now: Timestamp,
) -> Result<PathBuf, Error> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut attempt = 0_u32;
    loop {
        let suffix = if attempt == 0 {
            String::new()
        } else {
            format!("-{attempt}")
        };
        let kept = path.with_file_name(format!("{name}.broken-{}{suffix}", stamp(now)));
        let failed = |error| Error::file("keep", &kept, error);
        match disk.create(&kept, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
            other => {
                other.map_err(failed)?;
                disk.sync(&kept).map_err(failed)?;
                let folder = kept.parent().unwrap_or(&kept);
                disk.sync_folder(folder).map_err(failed)?;
                return Ok(kept);
            }
        }
    }
}
