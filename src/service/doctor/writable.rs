//! Checks whether this user can write what the program writes.
//!
//! It writes and removes a file of its own in each folder, and opens the files that are kept.

use super::Check;
use crate::failure::Failure;
use crate::store::disk::{Disk as _, FileKind, RealDisk};
use crate::store::{Error, layout};
use std::io;
use std::path::{Path, PathBuf};

/// The name of these checks.
const NAME: &str = "writable";

/// The name of the file that shows whether a folder can be written.
const PROBE: &str = ".doctor.tmp";

/// The folders that files are written into, except the data folder itself.
const FOLDERS: [&str; 10] = [
    layout::JOURNAL,
    layout::NOTES,
    layout::INBOX,
    layout::INBOX_TAKEN,
    layout::INBOX_DONE,
    layout::INBOX_REJECTED,
    layout::QUARANTINE,
    layout::CONVERSATIONS,
    layout::NOTE_INDEX,
    layout::STORAGE_INDEX,
];

/// The hint where the system does not let this user write.
const FORBIDDEN_HINT: &str = "Make everything yours and writable: sudo chown -R \"$USER\" data && chmod -R \
                              u+rwX data. Where that is refused, too, `lsattr` tells of files that may \
                              not be changed (chattr -i).";

/// The hint about a file system that takes no write.
const READ_ONLY_HINT: &str = "Mount it for writing, or move the root to a disk that is; the system's log \
                              tells whether it was made read-only after an error.";

/// Checks each place, with a failure for one that takes no write.
pub(super) fn checks(disk: &mut RealDisk) -> Vec<Check> {
    let folders = FOLDERS.map(|folder| check_folder(disk, Path::new(folder)));
    let files = kept_files(disk).map(|files| {
        let checked = files.iter().map(|file| check_file(disk, file));
        checked.flatten().collect::<Vec<_>>()
    });
    let mut failed: Vec<Check> = folders.into_iter().flatten().collect();
    match files {
        Ok(checks) => failed.extend(checks),
        // The check of the journal reports what cannot be listed.
        Err(error) => failed.extend((failed.is_empty()).then(|| refused(layout::JOURNAL, error))),
    }
    if failed.is_empty() {
        failed.push(Check::ok(
            NAME,
            "journal, notes, inbox and lock take what is written",
        ));
    }
    failed
}

/// Writes a file into a folder, syncs it and removes it.
pub(super) fn probe(disk: &mut RealDisk, folder: &Path) -> io::Result<()> {
    let path = folder.join(PROBE);
    if disk.stat(&path)?.is_some() {
        // Left behind by a check that was interrupted.
        disk.remove(&path)?;
    }
    disk.create(&path, b"written by `doctor`\n")?;
    let synced = disk.sync(&path);
    disk.remove(&path)?;
    synced
}

/// Checks a folder. A missing one passes: it is made when it is needed.
fn check_folder(disk: &mut RealDisk, folder: &Path) -> Option<Check> {
    let probed = match disk.stat(folder) {
        Ok(None) => return None,
        Ok(Some(stat)) if stat.kind != FileKind::Folder => {
            let message = format!(
                "{} is no folder; a link to one is not followed",
                folder.display()
            );
            let hint = "Put the folder itself there, or mount it there: mount --bind.";
            return Some(Check::fail(NAME, message, hint));
        }
        Ok(Some(_)) => probe(disk, folder),
        Err(error) => Err(error),
    };
    probed.err().map(|error| refused(folder, error))
}

/// Returns the files that are written in place: the lock, and the last segment.
fn kept_files(disk: &mut RealDisk) -> io::Result<Vec<PathBuf>> {
    let names = disk.list(Path::new(layout::JOURNAL))?;
    let segments = names.iter().filter_map(|name| layout::segment_number(name));
    let last = segments.max().map(layout::segment_path);
    let files = [Some(PathBuf::from(layout::LOCK)), last];
    Ok(files.into_iter().flatten().collect())
}

fn check_file(disk: &mut RealDisk, file: &Path) -> Option<Check> {
    match disk.check_writable(file) {
        Ok(()) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(refused(file, error)),
    }
}

/// Makes the check of a place that takes no write.
pub(super) fn refused(place: impl Into<PathBuf>, error: io::Error) -> Check {
    let kind = error.kind();
    let failure = Failure::from(Error::file("write", place, error));
    let failure = if kind == io::ErrorKind::PermissionDenied {
        failure.only_hint(FORBIDDEN_HINT)
    } else if kind == io::ErrorKind::ReadOnlyFilesystem {
        failure.only_hint(READ_ONLY_HINT)
    } else {
        failure
    };
    Check::failed(NAME, failure)
}
