//! Checks of the data folder: whether this user can write what the program writes, its owner, its
//! disk and the free space.
//!
//! A file of its own is written and removed in each folder, and the files that are kept are opened.

use super::Check;
use crate::failure::Failure;
use crate::limits::INDEX_ENTRIES_MIN;
use crate::plain_text::count;
use crate::store::disk::{Disk as _, FileKind, RealDisk};
use crate::store::{Error, IndexCoverage, ignored_files, index_covers, layout};
use std::io;
use std::path::{Path, PathBuf};

/// The free space below which there is a warning, in bytes: a year of a busy journal.
const FREE_BYTES_WARN: u64 = 256 * 1024 * 1024;

/// The free space below which the check fails, in bytes: two of the largest commits.
const FREE_BYTES_MIN: u64 = 64 * 1024 * 1024;

/// The file systems that do not keep data, or leave it to another machine, by Linux's numbers.
const FILE_SYSTEMS: [(u64, &str); 8] = [
    (0x0102_1994, "in memory (tmpfs); it is gone after a restart"),
    (0x8584_58F6, "in memory (ramfs); it is gone after a restart"),
    (0x6969, "on another machine (NFS)"),
    (0xFF53_4D42, "on another machine (CIFS)"),
    (0xFE53_4D42, "on another machine (SMB)"),
    (0x0102_1997, "on another machine (9p)"),
    (0x6573_5546, "behind a program (FUSE)"),
    (0x4D44, "on FAT, which keeps neither owners nor modes"),
];

/// Checks the folder, which has `notes` notes, if that is known.
pub(super) fn checks(disk: &mut RealDisk, notes: Option<usize>) -> Vec<Check> {
    let folder = folder(disk);
    let is_there = !matches!(disk.stat(Path::new(layout::DATA)), Ok(None));
    let mut checks = vec![folder];
    if is_there {
        checks.extend(writable(disk));
        checks.push(ignored(disk));
    }
    checks.push(match foreign(disk) {
        Ok(foreign) => owner(&foreign, rustix::process::geteuid().as_raw()),
        Err(error) => Check::failed("owner", Error::file("look at", layout::DATA, error).into()),
    });
    checks.push(match disk.file_system() {
        Ok(number) => file_system(number),
        Err(error) => Check::warn("disk", format!("unknown: {error}"), LOCAL_HINT),
    });
    checks.push(match disk.free_bytes() {
        Ok(bytes) => space(bytes),
        Err(error) => Check::warn("space", format!("unknown: {error}"), SPACE_HINT),
    });
    let second = RealDisk::open(disk.path(), false);
    checks.push(index(second.ok().and_then(index_covers), notes));
    checks
}

/// Checks for files in a person's folders that are never taken in.
fn ignored(disk: &mut RealDisk) -> Check {
    match ignored_files(disk) {
        Err(error) => Check::failed("ignored", error.into()),
        Ok(names) if names.is_empty() => Check::ok(
            "ignored",
            "no link, pipe or strange name in notes and inbox",
        ),
        Ok(names) => {
            let hint = "Put a regular file there, under a name of UTF-8, or remove it.";
            Check::warn("ignored", names.join("; "), hint)
        }
    }
}

/// Checks the search index. Only the time of a search depends on it.
fn index(covers: Option<IndexCoverage>, notes: Option<usize>) -> Check {
    if let Some(IndexCoverage { entries, seq, .. }) = covers {
        let entries = count(entries, "note");
        return Check::ok("index", format!("covers {entries} as of commit {seq}"));
    }
    if let Some(notes) = notes.filter(|notes| *notes >= INDEX_ENTRIES_MIN) {
        let notes = count(notes, "note");
        let message = format!("missing; each search reads all of {notes}");
        return Check::warn("index", message, INDEX_HINT);
    }
    let message = format!("none; there is one from {INDEX_ENTRIES_MIN} notes on");
    Check::ok("index", message)
}

const INDEX_HINT: &str =
    "Start a daemon: it builds one, and one that runs does so within a minute.";

const LOCAL_HINT: &str =
    "Keep the root on a local disk: durability is only as good as its fdatasync.";

const SPACE_HINT: &str = "Free some space, or move the root to another disk.";

/// Checks whether the data folder takes a file, and only its owner may change it.
fn folder(disk: &mut RealDisk) -> Check {
    let data = Path::new(layout::DATA);
    match disk.stat(data) {
        Ok(Some(_)) => {}
        Ok(None) => return Check::fail("folder", "there is no `data` folder", "Run `init`."),
        Err(error) => return Check::failed("folder", Error::file("look at", data, error).into()),
    }
    if let Err(error) = probe(disk, data) {
        return refused(data, error).named("folder");
    }
    match disk.check_owner(data) {
        Ok(()) => Check::ok("folder", "writable"),
        Err(error) => {
            let hint = "Make the folder yours and writable for you alone: chmod 700 data.";
            Check::warn("folder", error.to_string(), hint)
        }
    }
}

/// Returns the folders and files that belong to another user, with that user's number.
fn foreign(disk: &RealDisk) -> io::Result<Vec<(String, u32)>> {
    let mut found = Vec::new();
    for folder in [
        "",
        layout::DATA,
        layout::JOURNAL,
        layout::NOTES,
        layout::INBOX,
    ] {
        for (name, owner) in disk.foreign_names(Path::new(folder))? {
            // Beside the data folder, a root may hold anything.
            if !folder.is_empty() || name == layout::DATA {
                found.push((Path::new(folder).join(name).display().to_string(), owner));
            }
        }
    }
    Ok(found)
}

fn owner(foreign: &[(String, u32)], user: u32) -> Check {
    let Some((first, owner)) = foreign.first() else {
        return Check::ok("owner", "everything belongs to this user");
    };
    let files = count(foreign.len(), "file");
    let message = format!(
        "{files} of another user, the first is {first} of user {owner}; this is user {user}"
    );
    let hint = if user == 0 {
        "Run it as the user whom the folder belongs to: what root writes, that user cannot read."
    } else {
        "Make everything yours again: sudo chown -R \"$USER\" data."
    };
    Check::warn("owner", message, hint)
}

fn file_system(number: u64) -> Check {
    let known = FILE_SYSTEMS.iter().find(|(known, _)| *known == number);
    match known {
        Some((_, what)) => Check::warn("disk", format!("the folder is kept {what}"), LOCAL_HINT),
        None => Check::ok("disk", "a local file system"),
    }
}

fn space(bytes: u64) -> Check {
    let message = format!("{} MiB free", bytes / (1024 * 1024));
    if bytes < FREE_BYTES_MIN {
        Check::fail("space", message, SPACE_HINT)
    } else if bytes < FREE_BYTES_WARN {
        Check::warn("space", message, SPACE_HINT)
    } else {
        Check::ok("space", message)
    }
}

const WRITABLE: &str = "writable";

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
fn writable(disk: &mut RealDisk) -> Vec<Check> {
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
            WRITABLE,
            "journal, notes, inbox and lock take what is written",
        ));
    }
    failed
}

/// Writes a file into a folder, syncs it and removes it.
fn probe(disk: &mut RealDisk, folder: &Path) -> io::Result<()> {
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
            return Some(Check::fail(WRITABLE, message, hint));
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

fn refused(place: impl Into<PathBuf>, error: io::Error) -> Check {
    let kind = error.kind();
    let failure = Failure::from(Error::file("write", place, error));
    let failure = if kind == io::ErrorKind::PermissionDenied {
        failure.only_hint(FORBIDDEN_HINT)
    } else if kind == io::ErrorKind::ReadOnlyFilesystem {
        failure.only_hint(READ_ONLY_HINT)
    } else {
        failure
    };
    Check::failed(WRITABLE, failure)
}

#[cfg(test)]
mod tests {
    use super::super::CheckStatus;
    use super::{FREE_BYTES_MIN, FREE_BYTES_WARN, file_system, index, owner, space};

    #[test]
    fn an_index_is_missed_where_there_are_notes_for_one() {
        for (notes, expected) in [
            (None, CheckStatus::Ok),
            (Some(999), CheckStatus::Ok),
            (Some(1000), CheckStatus::Warn),
        ] {
            assert_eq!(index(None, notes).status, expected, "{notes:?}");
        }
    }

    #[test]
    fn room_disk_and_owner_are_judged() {
        let ours: [(String, u32); 0] = [];
        let theirs = [("data/notes/a.json".to_owned(), 7)];
        for (check, expected) in [
            (space(FREE_BYTES_MIN - 1), CheckStatus::Fail),
            (space(FREE_BYTES_WARN - 1), CheckStatus::Warn),
            (space(FREE_BYTES_WARN), CheckStatus::Ok),
            (file_system(0xEF53), CheckStatus::Ok),
            (file_system(0x6969), CheckStatus::Warn),
            (file_system(0x0102_1994), CheckStatus::Warn),
            (owner(&ours, 1000), CheckStatus::Ok),
            (owner(&theirs, 1000), CheckStatus::Warn),
            (owner(&theirs, 0), CheckStatus::Warn),
        ] {
            assert_eq!(check.status, expected, "{check:?}");
        }
    }
}
