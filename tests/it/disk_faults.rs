//! The simulated disk punishes every mistake of a careless store, and none of a careful one.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::disk::{ENOUGH, path};
use crate::sim_disk::{Fault, SimDisk};
use kjxlkj_agent::store::disk::{Disk, is_full};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

const CUTS: u64 = 200;

/// Everything that power cuts at this instant may leave of a file; `None` when its name is gone.
fn after_cuts(disk: &SimDisk, name: &Path) -> BTreeSet<Option<Vec<u8>>> {
    (0..CUTS)
        .map(|seed| disk.power_cut(seed).read(name, ENOUGH).ok())
        .collect()
}

/// A disk with one safe file that holds `one\n`.
fn with_safe_log() -> SimDisk {
    let mut disk = SimDisk::new(7);
    disk.create_folder(path("data")).unwrap();
    disk.append(path("data/log"), b"one\n").unwrap();
    disk.sync(path("data/log")).unwrap();
    disk.sync_folder(path("data")).unwrap();
    disk
}

#[test]
fn an_append_without_a_sync_may_be_lost_or_torn() {
    let log = path("data/log");
    let mut disk = with_safe_log();
    let safe = BTreeSet::from([Some(b"one\n".to_vec())]);
    assert_eq!(after_cuts(&disk, log), safe);
    let long = [b'x'; 2000];
    disk.append(log, &long).unwrap();
    let left = after_cuts(&disk, log);
    let whole = [b"one\n".as_slice(), &long].concat();
    assert!(left.contains(&Some(b"one\n".to_vec())), "lost");
    assert!(left.contains(&Some(whole.clone())), "kept");
    let bytes: Vec<_> = left.iter().map(|it| it.as_ref().unwrap()).collect();
    assert!(bytes.iter().all(|it| it.starts_with(b"one\n")));
    let is_cut = |it: &[u8]| it.len() < whole.len() && it[4..].iter().all(|&byte| byte == b'x');
    assert!(bytes.iter().any(|it| it.len() > 4 && is_cut(it)), "cut");
    let empty = |it: &[u8]| it.len() == whole.len() && it[4..].iter().all(|&byte| byte == 0);
    assert!(
        bytes.iter().any(|it| empty(it)),
        "right length, only zeroes"
    );
    let torn = |it: &[u8]| it[4..].contains(&0) && it[4..].contains(&b'x');
    assert!(bytes.iter().any(|it| torn(it)), "torn between sectors");

    disk.sync(log).unwrap();
    assert_eq!(after_cuts(&disk, log), BTreeSet::from([Some(whole)]));
}

#[test]
fn a_file_whose_folder_was_not_synced_may_vanish() {
    let (log, name) = (path("data/log"), path("data/new"));
    let mut disk = with_safe_log();
    disk.append(name, b"new").unwrap();
    disk.sync(name).unwrap();
    let either = BTreeSet::from([None, Some(b"new".to_vec())]);
    assert_eq!(after_cuts(&disk, name), either);
    disk.sync_folder(path("data")).unwrap();
    let safe = BTreeSet::from([Some(b"new".to_vec())]);
    assert_eq!(after_cuts(&disk, name), safe);
    // A removal is no safer than a creation.
    disk.remove(log).unwrap();
    let either = BTreeSet::from([None, Some(b"one\n".to_vec())]);
    assert_eq!(after_cuts(&disk, log), either);
}

#[test]
fn a_rename_between_folders_is_safe_when_both_are_synced() {
    let (from, to) = (path("data/log"), path("data/old/log"));
    let mut disk = with_safe_log();
    disk.create_folder(path("data/old")).unwrap();
    disk.rename_new(from, to).unwrap();
    let either = BTreeSet::from([None, Some(b"one\n".to_vec())]);
    disk.sync_folder(path("data/old")).unwrap();
    assert_eq!(after_cuts(&disk, to), either);
    for seed in 0..CUTS {
        let mut cut = disk.power_cut(seed);
        let names = [from, to].map(|it| cut.stat(it).unwrap().is_some());
        assert_ne!(names[0], names[1], "a rename happens whole or not at all");
    }
    disk.sync_folder(path("data")).unwrap();
    let safe = BTreeSet::from([Some(b"one\n".to_vec())]);
    assert_eq!(after_cuts(&disk, to), safe);
}

#[test]
fn a_rename_before_the_sync_of_the_data_may_leave_an_empty_file() {
    let (view, temporary) = (path("data/log"), path("data/.new"));
    for synced in [false, true] {
        let mut disk = with_safe_log();
        disk.create(temporary, b"two\n").unwrap();
        if synced {
            disk.sync(temporary).unwrap();
        }
        disk.rename(temporary, view).unwrap();
        disk.sync_folder(path("data")).unwrap();
        let left = after_cuts(&disk, view);
        assert_eq!(left.contains(&Some(Vec::new())), !synced);
        assert_eq!(left.contains(&Some(vec![0; 4])), !synced);
        assert!(left.contains(&Some(b"two\n".to_vec())));
    }
}

#[test]
fn changes_of_names_may_be_kept_out_of_order() {
    let mut disk = with_safe_log();
    disk.create(path("data/a"), b"").unwrap();
    disk.create(path("data/b"), b"").unwrap();
    let left: BTreeSet<_> = (0..CUTS)
        .map(|seed| disk.power_cut(seed).list(path("data")).unwrap())
        .collect();
    for expected in [
        vec!["log"],
        vec!["a", "log"],
        vec!["b", "log"],
        vec!["a", "b", "log"],
    ] {
        assert!(left.iter().any(|it| *it == expected), "{expected:?}");
    }
}

#[test]
fn what_a_failed_sync_did_not_write_is_gone() {
    let log = path("data/log");
    let mut disk = with_safe_log();
    disk.append(log, b"two\n").unwrap();
    disk.fail_call(disk.calls() + 1, Fault::Broken, false);
    let error = disk.sync(log).unwrap_err();
    assert!(error.raw_os_error() == Some(5) && !is_full(&error));
    // The second sync "succeeds", and the process goes on seeing what is not there.
    disk.sync(log).unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"one\ntwo\n");
    let left = after_cuts(&disk, log);
    assert_eq!(left, BTreeSet::from([Some(b"one\n\0\0\0\0".to_vec())]));

    disk.create(path("data/new"), b"").unwrap();
    disk.fail_call(disk.calls() + 1, Fault::Broken, false);
    disk.sync_folder(path("data")).unwrap_err();
    disk.sync_folder(path("data")).unwrap();
    assert!(after_cuts(&disk, path("data/new")).contains(&None));
}

#[test]
fn a_full_disk_takes_part_of_an_append_and_lets_it_be_cut_off() {
    let log = path("data/log");
    let mut disk = with_safe_log();
    let next = disk.calls() + 1;
    disk.fail_call(next, Fault::FullAfter(2), false);
    disk.fail_call(next, Fault::Full, true);
    let error = disk.append(log, b"two\n").unwrap_err();
    assert!(error.written == 2 && is_full(&error.source), "{error}");
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"one\ntw");
    disk.truncate(log, 4).unwrap();
    disk.sync(log).unwrap();
    let error = disk.append(log, b"two\n").unwrap_err();
    assert_eq!(error.written, 0);
    assert!(is_full(&disk.create(path("data/new"), b"x").unwrap_err()));
    assert_eq!(disk.stat(path("data/new")).unwrap(), None);
    disk.heal();
    disk.append(log, b"two\n").unwrap();
    assert_eq!(disk.read(log, ENOUGH).unwrap(), b"one\ntwo\n");
}

#[test]
fn the_simulated_machine_can_be_arranged() {
    let mut disk = with_safe_log();
    disk.set_free_bytes(10);
    assert_eq!(disk.free_bytes().unwrap(), 10);
    disk.create(path("data/other"), b"").unwrap();
    disk.refuse_exchanges();
    let exchanged = disk.exchange(path("data/log"), path("data/other"));
    assert_eq!(exchanged.unwrap_err().kind(), io::ErrorKind::Unsupported);
    let calls = disk.calls();
    disk.plant(path("data/log"), b"by hand");
    assert_eq!(disk.calls(), calls);
    let safe = BTreeSet::from([Some(b"by hand".to_vec())]);
    assert_eq!(after_cuts(&disk, path("data/log")), safe);
}

/// What a store does to keep a line, with or without its two syncs.
#[derive(Clone, Copy)]
struct Habits {
    sync: bool,
    sync_folder: bool,
}

/// Appends three lines, a file each two, and returns how many were acknowledged.
fn keep_lines(disk: &mut dyn Disk, habits: Habits) -> usize {
    let mut acknowledged = 0;
    let mut keep = |number: usize| -> io::Result<()> {
        if number == 0 {
            disk.create_folder(path("journal"))?;
        }
        let name = format!("journal/{}", number / 2);
        let line = format!("line {number}\n");
        disk.append(path(&name), line.as_bytes())
            .map_err(|it| it.source)?;
        if habits.sync {
            disk.sync(path(&name))?;
        }
        if habits.sync_folder && number.is_multiple_of(2) {
            disk.sync_folder(path("journal"))?;
        }
        Ok(())
    };
    while acknowledged < 3 && keep(acknowledged).is_ok() {
        acknowledged += 1;
    }
    acknowledged
}

/// Over every call at which a process can die, and many cuts at each: the acknowledged lines that
/// cuts lost, and those that the death of the process alone lost.
fn losses(habits: Habits) -> (usize, usize) {
    let lost = |mut disk: SimDisk, acknowledged: usize| {
        (0..acknowledged).any(|number| {
            let name = format!("journal/{}", number / 2);
            let text = disk.read(path(&name), ENOUGH).unwrap_or_default();
            let line = format!("line {number}\n");
            !String::from_utf8_lossy(&text).contains(&line)
        })
    };
    let undisturbed = SimDisk::new(0);
    assert_eq!(keep_lines(&mut undisturbed.clone(), habits), 3);
    let (mut by_cuts, mut by_deaths) = (0, 0);
    for call in 1..=undisturbed.calls() + 1 {
        let disk = SimDisk::new(call);
        disk.crash_at_call(call);
        let acknowledged = keep_lines(&mut disk.clone(), habits);
        by_deaths += usize::from(lost(disk.process_crash(), acknowledged));
        by_cuts += (0..CUTS)
            .filter(|&seed| lost(disk.power_cut(seed), acknowledged))
            .count();
    }
    (by_cuts, by_deaths)
}

#[test]
fn only_a_careful_store_loses_nothing() {
    for (sync, sync_folder) in [(true, true), (false, true), (true, false), (false, false)] {
        let (by_cuts, by_deaths) = losses(Habits { sync, sync_folder });
        let careful = sync && sync_folder;
        assert_eq!(by_cuts == 0, careful, "{sync} {sync_folder}: {by_cuts}");
        assert_eq!(by_deaths, 0, "the kernel keeps what a process wrote");
    }
}

#[test]
fn a_crash_in_the_middle_of_a_write_may_leave_any_part_of_it() {
    let lengths: BTreeSet<_> = (0..CUTS)
        .map(|seed| {
            let mut disk = SimDisk::new(seed);
            disk.crash_at_call(1);
            let error = disk.append(path("log"), b"12345").unwrap_err();
            assert_eq!(error.source.to_string(), "simulated crash");
            assert!(disk.append(path("log"), b"more").is_err());
            let left = disk.process_crash().read(path("log"), ENOUGH);
            left.map_or(0, |bytes| bytes.len())
        })
        .collect();
    assert_eq!(lengths, (0..=5).collect());
}
