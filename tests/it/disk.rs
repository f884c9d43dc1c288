//! The disk: one table of behaviour for the real one, the simulated one and the one in memory, and what only a real
//! file system can show.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::sim_disk::SimDisk;
use kjxlkj_agent::store::disk::{
    AppendError, Disk, FileKind, FolderLock, MemoryDisk, RealDisk, is_full, sync_failed,
};
use rustix::fs::{CWD, FileType, Mode};
use rustix::process::{Resource, getrlimit};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;
use tempfile::TempDir;

pub(crate) const ENOUGH: usize = 1 << 20;

pub(crate) fn path(text: &str) -> &Path {
    Path::new(text)
}

/// A folder, and the disk that it is on.
pub(crate) fn real() -> (TempDir, RealDisk) {
    let folder = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(folder.path(), false).unwrap();
    (folder, disk)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: io::Result<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

// ---- what all disks do ----

fn check_disk(disk: &mut dyn Disk) {
    check_folders(disk);
    check_append(disk);
    check_create_and_names(disk);
    check_paths(disk);
    disk.check_root().unwrap();
    assert!(disk.free_bytes().unwrap() > 0);
}

fn check_folders(disk: &mut dyn Disk) {
    assert_eq!(disk.list(path("a/b")).unwrap(), [""; 0]);
    assert_eq!(disk.stat(path("a/b")).unwrap(), None);
    disk.create_folder(path("a/b")).unwrap();
    disk.create_folder(path("a/b")).unwrap();
    disk.create_folder(path("")).unwrap();
    disk.create(path("a/z"), b"").unwrap();
    assert_eq!(disk.list(path("a")).unwrap(), ["b", "z"]);
    assert_eq!(disk.list(path("")).unwrap(), ["a"]);
    for folder in ["", "a", "a/b"] {
        let stat = disk.stat(path(folder)).unwrap().unwrap();
        assert_eq!(stat.kind, FileKind::Folder);
        disk.sync_folder(path(folder)).unwrap();
    }
    refused(disk.create_folder(path("a/z")), ErrorKind::NotADirectory);
    refused(disk.create_folder(path("a/z/y")), ErrorKind::NotADirectory);
    refused(disk.list(path("a/z")), ErrorKind::NotADirectory);
    refused(disk.sync_folder(path("a/z")), ErrorKind::NotADirectory);
    refused(disk.sync_folder(path("none")), ErrorKind::NotFound);
    refused(disk.read(path("a/b"), ENOUGH), ErrorKind::InvalidInput);
    refused(disk.remove(path("a/b")), ErrorKind::IsADirectory);
}

fn check_append(disk: &mut dyn Disk) {
    let log = path("a/b/log");
    refused(disk.sync(log), ErrorKind::NotFound);
    refused(disk.truncate(log, 0), ErrorKind::NotFound);
    let error = disk.append(path("none/log"), b"x").unwrap_err();
    assert_eq!(
        (error.written, error.source.kind()),
        (0, ErrorKind::NotFound)
    );
    disk.append(log, b"one\n").unwrap();
    disk.append(log, b"").unwrap();
    disk.append(log, b"two\n").unwrap();
    disk.sync(log).unwrap();
    let stat = disk.stat(log).unwrap().unwrap();
    assert_eq!((stat.kind, stat.bytes), (FileKind::File, 8));
    assert_eq!(disk.read(log, 8).unwrap(), b"one\ntwo\n");
    refused(disk.read(log, 7), ErrorKind::FileTooLarge);
    for (offset, bytes_max, expected) in [
        (0, 3, "one"),
        (4, ENOUGH, "two\n"),
        (7, 1, "\n"),
        (8, ENOUGH, ""),
        (99, ENOUGH, ""),
    ] {
        let bytes = disk.read_at(log, offset, bytes_max).unwrap();
        assert_eq!(bytes, expected.as_bytes(), "from {offset}");
    }
    disk.truncate(log, 5).unwrap();
    refused(disk.truncate(log, 6), ErrorKind::InvalidInput);
    disk.append(log, b"new").unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"one\ntnew");
    // More files than are kept open: each still gets its own bytes.
    for round in 0..2 {
        for number in 0..9 {
            let name = format!("a/b/many-{number}");
            disk.append(path(&name), format!("{number}{round} ").as_bytes())
                .unwrap();
        }
    }
    assert_eq!(disk.read(path("a/b/many-8"), ENOUGH).unwrap(), b"80 81 ");
    assert_eq!(disk.read(path("a/b/many-0"), ENOUGH).unwrap(), b"00 01 ");
}

fn check_create_and_names(disk: &mut dyn Disk) {
    let (view, new, free) = (path("a/view"), path("a/new"), path("a/b/free"));
    disk.create(view, b"old").unwrap();
    refused(disk.create(view, b"other"), ErrorKind::AlreadyExists);
    refused(disk.create(path("none/view"), b""), ErrorKind::NotFound);
    disk.create(new, b"new").unwrap();
    let before = disk.stat(view).unwrap().unwrap();
    disk.exchange(new, view).unwrap();
    assert_ne!(disk.stat(view).unwrap().unwrap().inode, before.inode);
    assert_eq!(disk.stat(new).unwrap().unwrap(), before);
    assert_eq!(disk.read(view, ENOUGH).unwrap(), b"new");
    assert_eq!(disk.read(new, ENOUGH).unwrap(), b"old");
    refused(disk.exchange(view, free), ErrorKind::NotFound);

    refused(disk.rename_new(new, view), ErrorKind::AlreadyExists);
    disk.rename_new(new, free).unwrap();
    assert_eq!(disk.stat(new).unwrap(), None);
    disk.rename(free, view).unwrap();
    assert_eq!(disk.read(view, ENOUGH).unwrap(), b"old");
    refused(disk.rename(free, view), ErrorKind::NotFound);
    refused(disk.rename_new(free, new), ErrorKind::NotFound);

    disk.remove(view).unwrap();
    refused(disk.remove(view), ErrorKind::NotFound);
    refused(disk.read(view, ENOUGH), ErrorKind::NotFound);

    // A name that was appended to means another file after each change of names.
    let log = path("a/b/log");
    disk.rename(log, view).unwrap();
    disk.append(log, b"fresh").unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"fresh");
    disk.exchange(log, view).unwrap();
    disk.append(log, b"!").unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"one\ntnew!");
    disk.remove(log).unwrap();
    disk.append(log, b"again").unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"again");
    assert_eq!(disk.read(view, ENOUGH).unwrap(), b"fresh");
}

fn check_paths(disk: &mut dyn Disk) {
    let kind = ErrorKind::InvalidInput;
    for bad in ["/etc/passwd", "..", "../x", "a/../x", "./a/view", "a/b/.."] {
        let bad = path(bad);
        refused(disk.read(bad, ENOUGH), kind);
        refused(disk.read_at(bad, 0, ENOUGH), kind);
        refused(disk.stat(bad), kind);
        refused(disk.list(bad), kind);
        refused(disk.create_folder(bad), kind);
        refused(disk.append(bad, b"").map_err(|it| it.source), kind);
        refused(disk.sync(bad), kind);
        refused(disk.sync_folder(bad), kind);
        refused(disk.truncate(bad, 0), kind);
        refused(disk.create(bad, b""), kind);
        refused(disk.exchange(bad, path("a/view")), kind);
        refused(disk.exchange(path("a/view"), bad), kind);
        refused(disk.rename(bad, path("x")), kind);
        refused(disk.rename(path("a/view"), bad), kind);
        refused(disk.rename_new(path("a/view"), bad), kind);
        refused(disk.remove(bad), kind);
    }
    refused(disk.remove(path("")), kind);
    refused(disk.sync(path("")), kind);
    refused(disk.create(path(""), b""), kind);
}

#[test]
fn the_real_disk_behaves() {
    let (_folder, mut disk) = real();
    check_disk(&mut disk);
}

#[test]
fn the_simulated_disk_behaves() {
    check_disk(&mut SimDisk::new(1));
}

#[test]
fn the_disk_in_memory_behaves_and_has_so_much_room() {
    let mut disk = MemoryDisk::with_room(1 << 20);
    check_disk(&mut disk);
    let mut small = MemoryDisk::with_room(4);
    small.append(path("log"), b"one").unwrap();
    let error = small.append(path("log"), b"two").unwrap_err();
    assert!(error.written == 0 && is_full(&error.source), "{error}");
    assert!(is_full(&small.create(path("more"), b"two").unwrap_err()));
    // What is cut, replaced or removed makes room again.
    small.truncate(path("log"), 1).unwrap();
    small.create(path("more"), b"two").unwrap();
    assert_eq!(small.free_bytes().unwrap(), 0);
    small.rename(path("more"), path("log")).unwrap();
    assert_eq!(small.free_bytes().unwrap(), 1);
    // A handle is the same disk.
    small.clone().remove(path("log")).unwrap();
    assert_eq!(
        (
            small.free_bytes().unwrap(),
            small.stat(path("log")).unwrap()
        ),
        (4, None)
    );
}

// ---- what only a real file system shows ----

#[test]
fn files_and_folders_are_the_owners_alone() {
    let (folder, mut disk) = real();
    disk.create_folder(path("a/b")).unwrap();
    disk.create(path("a/new"), b"").unwrap();
    disk.append(path("a/log"), b"").unwrap();
    let root = folder.path().join("x/y");
    RealDisk::open(&root, true).unwrap();
    for (name, mode) in [
        ("a", 0o700),
        ("a/b", 0o700),
        ("a/new", 0o600),
        ("a/log", 0o600),
        ("x", 0o700),
        ("x/y", 0o700),
    ] {
        let stat = std::fs::metadata(folder.path().join(name)).unwrap();
        assert_eq!(stat.mode() & 0o7777, mode, "{name}");
    }
}

#[test]
fn folders_that_others_may_write_in_are_named() {
    let (folder, mut disk) = real();
    disk.create_folder(path("a")).unwrap();
    disk.check_owner(path("a")).unwrap();
    for mode in [Mode::WGRP, Mode::WOTH] {
        let open = Mode::RWXU | mode;
        rustix::fs::chmod(folder.path().join("a"), open).unwrap();
        refused(disk.check_owner(path("a")), ErrorKind::PermissionDenied);
    }
    refused(disk.check_owner(path("none")), ErrorKind::NotFound);
}

#[test]
fn a_root_that_is_absent_is_made_only_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    refused(RealDisk::open(&root, false), ErrorKind::NotFound);
    assert!(!root.exists());
    RealDisk::open(&root, true).unwrap();
    RealDisk::open(&root, true).unwrap();
}

#[test]
fn a_root_that_was_moved_away_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let mut disk = RealDisk::open(&root, true).unwrap();
    disk.append(path("log"), b"x").unwrap();
    disk.check_root().unwrap();
    rustix::fs::rename(&root, folder.path().join("elsewhere")).unwrap();
    refused(disk.check_root(), ErrorKind::NotFound);
    RealDisk::open(&root, true).unwrap();
    refused(disk.check_root(), ErrorKind::NotFound);
}

#[test]
fn a_log_removed_behind_our_back_fails_its_sync() {
    let (folder, mut disk) = real();
    disk.append(path("log"), b"x").unwrap();
    disk.sync(path("log")).unwrap();
    rustix::fs::unlink(folder.path().join("log")).unwrap();
    disk.append(path("log"), b"y").unwrap();
    refused(disk.sync(path("log")), ErrorKind::NotFound);
}

/// The files that are kept open change places, and one that a person removed is no trouble then.
#[test]
fn a_file_removed_behind_our_back_does_not_fail_the_next_one() {
    let (folder, mut disk) = real();
    for name in ["a", "b", "c", "d"] {
        disk.append(path(name), b"x").unwrap();
    }
    rustix::fs::unlink(folder.path().join("a")).unwrap();
    disk.append(path("e"), b"x").unwrap();
    assert_eq!(disk.read(path("e"), 9).unwrap(), b"x");
}

#[test]
fn a_sync_that_fails_is_never_a_matter_of_room() {
    for kind in [
        ErrorKind::StorageFull,
        ErrorKind::QuotaExceeded,
        ErrorKind::FileTooLarge,
    ] {
        assert!(is_full(&kind.into()));
        assert!(!is_full(&sync_failed(kind.into())), "{kind}");
    }
    let other = sync_failed(ErrorKind::NotFound.into());
    assert_eq!(other.kind(), ErrorKind::NotFound);
}

/// Neither a link to a file nor one among the folders of a path leads anywhere, also when it takes
/// the place of something that was used before the last look at the root.
#[test]
fn links_are_refused() {
    let (folder, mut disk) = real();
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    let mut outer = RealDisk::open(outside.path(), false).unwrap();
    outer.create(path("secret"), b"secret").unwrap();
    disk.create_folder(path("notes")).unwrap();
    disk.create(path("notes/secret"), b"ours").unwrap();
    assert_eq!(disk.read(path("notes/secret"), ENOUGH).unwrap(), b"ours");

    let notes = folder.path().join("notes");
    rustix::fs::rename(&notes, folder.path().join("moved")).unwrap();
    symlink(outside.path(), &notes).unwrap();
    symlink(&secret, folder.path().join("link")).unwrap();
    // Until then a kept folder is the one that was opened, and never what the link leads to.
    assert_eq!(disk.read(path("notes/secret"), ENOUGH).unwrap(), b"ours");
    disk.check_root().unwrap();
    for name in ["notes/secret", "link"] {
        let name = path(name);
        assert!(disk.read(name, ENOUGH).is_err());
        assert!(disk.read_at(name, 0, ENOUGH).is_err());
        assert!(disk.append(name, b"x").is_err());
        assert!(disk.truncate(name, 0).is_err());
        assert!(disk.sync(name).is_err());
        assert!(disk.create(name, b"x").is_err());
    }
    assert!(disk.list(path("notes")).is_err());
    assert!(disk.create(path("notes/new"), b"x").is_err());
    assert!(disk.create_folder(path("notes/new")).is_err());
    assert!(disk.remove(path("notes/secret")).is_err());
    assert!(
        disk.rename(path("moved/secret"), path("notes/secret"))
            .is_err()
    );
    assert!(
        disk.exchange(path("moved/secret"), path("notes/secret"))
            .is_err()
    );
    let kind = disk.stat(path("link")).unwrap().unwrap().kind;
    assert_eq!(kind, FileKind::Other);
    assert_eq!(outer.list(path("")).unwrap(), ["secret"]);
    assert_eq!(outer.read(path("secret"), ENOUGH).unwrap(), b"secret");
    // A link may be put aside like any other name; what it leads to stays as it is.
    disk.remove(path("link")).unwrap();
    assert!(secret.exists());
}

/// Opening a pipe that nobody writes to, or reads from, would wait for ever.
#[test]
fn pipes_and_folders_are_not_files() {
    let (folder, mut disk) = real();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let kind = disk.stat(path("pipe")).unwrap().unwrap().kind;
    assert_eq!(kind, FileKind::Other);
    disk.create_folder(path("folder")).unwrap();
    for name in ["pipe", "folder"] {
        let name = path(name);
        refused(disk.read(name, ENOUGH), ErrorKind::InvalidInput);
        assert!(disk.append(name, b"x").is_err());
        assert!(disk.sync(name).is_err());
        assert!(disk.truncate(name, 0).is_err());
    }
    assert!(FolderLock::take(&mut disk, path("pipe")).is_err());
}

/// Plays two parts: without a limit on file sizes it starts itself again under one, with one it
/// checks how an append meets it.
#[test]
fn an_append_beyond_the_size_limit_can_be_cut_back() {
    // A limit that is larger is that of whoever runs the tests.
    let limit = getrlimit(Resource::Fsize).current;
    let Some(limit) = limit.filter(|limit| *limit <= 1 << 16) else {
        let program = std::env::current_exe().unwrap();
        let name = "disk::an_append_beyond_the_size_limit_can_be_cut_back";
        #[expect(
            clippy::disallowed_methods,
            reason = "a limit of the process needs a process of its own"
        )]
        let output = std::process::Command::new("sh")
            .args(["-c", r#"trap "" XFSZ; ulimit -f 8; exec "$0" --exact "$1""#])
            .arg(program)
            .arg(name)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{said}"
        );
        return;
    };
    let limit = usize::try_from(limit).unwrap();
    let (_folder, mut disk) = real();
    let log = path("log");
    disk.append(log, b"kept").unwrap();
    let AppendError { written, source } = disk.append(log, &vec![b'x'; limit]).unwrap_err();
    assert_eq!(written, limit - 4);
    assert!(is_full(&source), "{source}");
    disk.truncate(log, 4).unwrap();
    disk.append(log, b" on").unwrap();
    disk.sync(log).unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"kept on");

    let error = disk.create(path("view"), &vec![b'x'; limit + 1]);
    assert!(is_full(&error.unwrap_err()));
    assert_eq!(disk.stat(path("view")).unwrap(), None);
}

/// A kept folder is believed until the root is looked at, or until it has to be made.
#[test]
fn a_folder_that_was_replaced_is_found_anew() {
    let (folder, mut disk) = real();
    let (root, file) = (folder.path(), path("a/b/file"));
    let mut person = RealDisk::open(root, false).unwrap();
    disk.create_folder(path("a/b")).unwrap();
    disk.create(file, b"old").unwrap();
    rustix::fs::rename(root.join("a"), root.join("gone")).unwrap();
    person.create_folder(path("a/b")).unwrap();
    disk.check_root().unwrap();
    disk.create(file, b"new").unwrap();
    assert_eq!(person.read(path("gone/b/file"), ENOUGH).unwrap(), b"old");
    assert_eq!(person.read(file, ENOUGH).unwrap(), b"new");

    disk.remove(file).unwrap();
    rustix::fs::rmdir(root.join("a/b")).unwrap();
    refused(disk.create(file, b""), ErrorKind::NotFound);
    disk.create_folder(path("a/b")).unwrap();
    disk.create(file, b"again").unwrap();
    assert_eq!(disk.read(file, ENOUGH).unwrap(), b"again");
}
