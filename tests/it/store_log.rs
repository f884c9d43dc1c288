//! What the journal in files keeps to, on a disk that loses its power.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::sim_disk::SimDisk;
use crate::store_lab::{by_agent, path, set};
use kjxlkj_agent::core::journal::{CommitDraft, Event};
use kjxlkj_agent::store::disk::Disk as _;
use kjxlkj_agent::store::journal::{
    Head, Journal as _, ReadJournal as _, SegmentJournal, Segments,
};
use kjxlkj_agent::store::{Error, Feed, each_commit};

/// Every commit needs a new segment.
const SMALL: u64 = 1;

fn draft(number: u64) -> CommitDraft {
    by_agent(vec![set("number", number)])
}

/// The events of all commits.
fn read(disk: &mut SimDisk) -> Vec<Event> {
    let mut events = Vec::new();
    each_commit(disk, &mut |commit| {
        events.extend(commit.draft.events.iter().cloned());
    })
    .unwrap();
    events
}

/// The numbers of the commits behind one, as a reader gets them that begins there.
fn read_after(disk: &mut SimDisk, after: u64, durable: u64) -> Vec<u64> {
    let (mut feed, _) = Feed::after(disk, after).unwrap();
    let mut seqs: Vec<u64> = Vec::new();
    loop {
        let fed = feed.next(disk, durable).unwrap();
        if fed.is_empty() {
            return seqs;
        }
        seqs.extend(fed.iter().map(|fed| fed.seq));
    }
}

fn facts(numbers: impl IntoIterator<Item = u64>) -> Vec<Event> {
    let drafts = numbers.into_iter().map(draft);
    drafts.flat_map(|draft| draft.events).collect()
}

#[test]
fn commits_are_numbered_and_read_from_any_of_them_on() {
    for segment_bytes in [SMALL, 600, u64::MAX] {
        let mut disk = SimDisk::new(1);
        disk.create_folder(path("data/journal")).unwrap();
        let mut journal = Segments::open(&mut disk, segment_bytes).unwrap();
        assert_eq!(journal.head(), Head::START);
        assert!(read(&mut disk).is_empty());
        for number in 1..=4 {
            SegmentJournal::on(&mut disk, &mut journal).claim().unwrap();
            let head = SegmentJournal::on(&mut disk, &mut journal)
                .append(&draft(number))
                .unwrap();
            assert_eq!((head.seq, head), (number, journal.head()));
            assert_eq!(read(&mut disk), facts(1..=number));
        }
        for after in 0..=4 {
            let expected: Vec<u64> = (after + 1..=4).collect();
            let mut numbers = Vec::new();
            let mut kept = SegmentJournal::on(&mut disk, &mut journal);
            kept.read_from(after, &mut |commit| numbers.push(commit.seq))
                .unwrap();
            assert_eq!(numbers, expected);
            assert!(kept.is_complete());
            assert_eq!(read_after(&mut disk, after, 4), expected);
        }
    }
}

#[test]
fn an_acknowledged_commit_outlives_a_power_cut() {
    for segment_bytes in [SMALL, u64::MAX] {
        for call in 1..20 {
            let mut disk = SimDisk::new(call);
            disk.create_folder(path("data/journal")).unwrap();
            let mut journal = Segments::open(&mut disk, segment_bytes).unwrap();
            disk.crash_at_call(disk.calls() + call);
            let numbers = 1..=5;
            let acknowledged = numbers.take_while(|number| {
                let appended = SegmentJournal::on(&mut disk, &mut journal).append(&draft(*number));
                appended.is_ok()
            });
            let acknowledged = acknowledged.count();
            for seed in 0..4 {
                let mut disk = disk.power_cut(seed);
                Segments::open(&mut disk, segment_bytes).unwrap();
                let events = read(&mut disk);
                let known = u64::try_from(events.len()).unwrap();
                assert_eq!(events, facts(1..=known));
                assert!(events.len() >= acknowledged, "{call}, {seed}");
            }
        }
    }
}

#[test]
fn a_journal_that_another_process_writes_is_not_claimed() {
    let mut disk = SimDisk::new(1);
    disk.create_folder(path("data/journal")).unwrap();
    let mut first = Segments::open(&mut disk, u64::MAX).unwrap();
    SegmentJournal::on(&mut disk, &mut first)
        .append(&draft(1))
        .unwrap();
    let mut second = Segments::open(&mut disk, u64::MAX).unwrap();
    SegmentJournal::on(&mut disk, &mut second).claim().unwrap();
    SegmentJournal::on(&mut disk, &mut second)
        .append(&draft(2))
        .unwrap();
    assert!(matches!(
        SegmentJournal::on(&mut disk, &mut first).claim(),
        Err(Error::Journal(_))
    ));
    let appended = SegmentJournal::on(&mut disk, &mut first).append(&draft(2));
    assert!(matches!(appended, Err(Error::Journal(_))));
    SegmentJournal::on(&mut disk, &mut second).claim().unwrap();
}
