//! One writer for a data folder, and what a second one is told.

use crate::disk::{ENOUGH, path, real};
use kjxlkj_agent::failure::{Code, Exit};
use kjxlkj_agent::store::disk::{Disk as _, FolderLock, RealDisk};
use std::os::unix::fs::symlink;

#[test]
fn a_second_holder_is_told_who_has_the_lock() {
    let (folder, mut first) = real();
    let lock = path("data/daemon.lock");
    let mut second = RealDisk::open(folder.path(), false).unwrap();
    let held = FolderLock::take(&mut first, lock).unwrap();
    let text = format!("{}\n", std::process::id());
    assert_eq!(second.read(lock, ENOUGH).unwrap(), text.as_bytes());
    let before = second.stat(lock).unwrap();

    for _ in 0..2 {
        let failure = FolderLock::take(&mut second, lock).unwrap_err();
        assert_eq!(failure.code, Code::DataLocked);
        assert_eq!(failure.exit(), Exit::Locked);
        let process = format!("process {} ", std::process::id());
        assert!(failure.message.contains(&process), "{failure}");
    }
    assert_eq!(second.stat(lock).unwrap(), before);

    // A line for readers stands below, and the holder is still found.
    let long = "x".to_owned() + &"\u{e9}".repeat(100);
    for (line, below) in [
        (Some("LLM_UNAVAILABLE away"), "LLM_UNAVAILABLE away\n"),
        (Some("SHORT one"), "SHORT one\n"),
        (Some(&long[1..]), &(long[1..].to_owned() + "\n")),
        (Some(&long), &(long.clone() + "\n")),
        (None, ""),
    ] {
        held.remark(line).unwrap();
        let told = text.clone() + below;
        assert_eq!(second.read(lock, ENOUGH).unwrap(), told.as_bytes());
        let failure = FolderLock::take(&mut second, lock).unwrap_err();
        assert!(failure.message.contains(&std::process::id().to_string()));
    }

    let before = second.stat(lock).unwrap();
    drop(held);
    assert_eq!(second.stat(lock).unwrap(), before, "never unlinked");
    let again = FolderLock::take(&mut second, lock).unwrap();
    assert!(FolderLock::take(&mut first, lock).is_err());
    drop(again);
}

#[test]
fn what_a_dead_holder_left_in_the_lock_is_replaced() {
    for left in ["4294967295\nmore\n", "", "rubbish", "\u{0}\u{0}\u{0}"] {
        let (_folder, mut disk) = real();
        let lock = path("daemon.lock");
        disk.create(lock, left.as_bytes()).unwrap();
        let _held = FolderLock::take(&mut disk, lock).unwrap();
        let text = format!("{}\n", std::process::id());
        assert_eq!(disk.read(lock, ENOUGH).unwrap(), text.as_bytes());
    }
}

#[test]
fn a_lock_behind_a_link_is_refused() {
    let (folder, mut disk) = real();
    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path().join("x"), folder.path().join("daemon.lock")).unwrap();
    let failure = FolderLock::take(&mut disk, path("daemon.lock")).unwrap_err();
    assert_eq!(failure.code, Code::DiskError);
    assert!(!outside.path().join("x").exists());
}

/// Whoever removes the lock's file lets nobody in: the journal's folder is locked as well, and the holder
/// notices before it writes.
#[test]
fn a_lock_whose_file_was_removed_still_holds() {
    let (folder, mut first) = real();
    let lock = path("data/daemon.lock");
    let mut second = RealDisk::open(folder.path(), false).unwrap();
    let held = FolderLock::take(&mut first, lock).unwrap();
    let journal = path("data/journal/00000001.jsonl");
    first.check_place(journal, 0).unwrap();
    second.remove(lock).unwrap();
    assert!(first.check_place(journal, 0).is_err(), "removed");
    let failure = FolderLock::take(&mut second, lock).unwrap_err();
    assert_eq!(failure.code, Code::DataLocked);
    assert!(first.check_place(journal, 0).is_err(), "replaced");
    drop(held);
    drop(FolderLock::take(&mut second, lock).unwrap());
}

#[test]
fn a_lock_with_a_second_name_is_refused() {
    let (folder, mut disk) = real();
    let lock = path("data/daemon.lock");
    drop(FolderLock::take(&mut disk, lock).unwrap());
    let named = folder.path().join(lock);
    std::fs::hard_link(&named, folder.path().join("other.lock")).unwrap();
    let failure = FolderLock::take(&mut disk, lock).unwrap_err();
    assert_eq!(failure.code, Code::DiskError);
    assert!(failure.message.contains("several names"), "{failure}");
}
