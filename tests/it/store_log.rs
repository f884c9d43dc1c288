//! What every log of commits keeps to, whatever it is made of: the journal in files, on a disk that loses its
//! power, and a log in memory.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::sim_disk::SimDisk;
use crate::store_lab::{by_agent, path, set};
use kjxlkj_agent::core::journal::commit::{decode, encode};
use kjxlkj_agent::core::journal::{Commit, Draft, Event};
use kjxlkj_agent::store::Error;
use kjxlkj_agent::store::disk::Disk;
use kjxlkj_agent::store::journal::{Head, Journal, Log, Place};

/// Every commit needs a new segment.
const SMALL: u64 = 1;

/// A log without files.
#[derive(Debug, Default)]
struct MemoryLog(Vec<Commit>);

impl MemoryLog {
    fn place(&self, offset: usize) -> Place {
        let last = offset.checked_sub(1).and_then(|last| self.0.get(last));
        let head = last.map_or(Head::START, |last| Head {
            seq: last.seq,
            hash: last.hash,
        });
        let offset = u64::try_from(offset).unwrap();
        Place {
            segment: 1,
            offset,
            head,
        }
    }
}

impl Log for MemoryLog {
    fn end(&self) -> Place {
        self.place(self.0.len())
    }

    fn claim(&mut self, _: &mut dyn Disk) -> Result<(), Error> {
        Ok(())
    }

    fn append(&mut self, _: &mut dyn Disk, draft: &Draft, expected: u64) -> Result<Head, Error> {
        let Head { seq, hash } = self.end().head;
        if expected != seq + 1 {
            let found = seq + 1;
            return Err(Error::Sequence { expected, found });
        }
        let (line, _) = encode(draft, expected, hash)?;
        let line = line.strip_suffix(b"\n").unwrap();
        self.0.push(decode(line, expected, hash).unwrap());
        Ok(self.end().head)
    }

    fn read_from(
        &self,
        _: &mut dyn Disk,
        from: Place,
        take: &mut dyn FnMut(&Commit),
    ) -> Result<Place, Error> {
        let skipped = usize::try_from(from.offset).unwrap();
        self.0.iter().skip(skipped).for_each(take);
        Ok(self.end())
    }
}

fn draft(number: u64) -> Draft {
    by_agent(vec![set("number", number)])
}

/// The events of all commits behind a place, and where they end.
fn read(log: &dyn Log, disk: &mut SimDisk, from: Place) -> (Vec<Event>, Place) {
    let mut events = Vec::new();
    let take = &mut |commit: &Commit| events.extend(commit.draft.events.iter().cloned());
    let end = log.read_from(disk, from, take).unwrap();
    (events, end)
}

fn facts(numbers: impl IntoIterator<Item = u64>) -> Vec<Event> {
    let drafts = numbers.into_iter().map(draft);
    drafts.flat_map(|draft| draft.events).collect()
}

fn keeps_to_the_contract(log: &mut dyn Log, disk: &mut SimDisk) {
    let start = log.end();
    assert_eq!(start.head, Head::START);
    assert!(read(log, disk, start).0.is_empty());
    let mut places = vec![start];
    for number in 1..=4 {
        log.claim(disk).unwrap();
        let head = log.append(disk, &draft(number), number).unwrap();
        assert_eq!((head.seq, head), (number, log.end().head));
        places.push(log.end());
    }
    // A number that is taken or too far off changes nothing.
    for expected in [0, 1, 4, 6] {
        let refused = log.append(disk, &draft(9), expected);
        assert!(matches!(refused, Err(Error::Sequence { found: 5, .. })));
    }
    for (from, place) in (1..).zip(places) {
        let (events, end) = read(log, disk, place);
        assert_eq!((events, end), (facts(from..=4), log.end()));
    }
}

#[test]
fn every_log_keeps_to_the_contract() {
    for segment_bytes in [SMALL, 600, u64::MAX] {
        let mut disk = SimDisk::new(1);
        disk.create_folder(path("data/journal")).unwrap();
        let mut journal = Journal::open(&mut disk, segment_bytes).unwrap();
        keeps_to_the_contract(&mut journal, &mut disk);
    }
    keeps_to_the_contract(&mut MemoryLog::default(), &mut SimDisk::new(1));
}

#[test]
fn an_acknowledged_commit_outlives_a_power_cut() {
    for segment_bytes in [SMALL, u64::MAX] {
        for call in 1..20 {
            let mut disk = SimDisk::new(call);
            disk.create_folder(path("data/journal")).unwrap();
            let mut journal = Journal::open(&mut disk, segment_bytes).unwrap();
            disk.crash_at_call(disk.calls() + call);
            let numbers = 1..=5;
            let acknowledged = numbers.take_while(|number| {
                let appended = journal.append(&mut disk, &draft(*number), *number);
                appended.is_ok()
            });
            let acknowledged = acknowledged.count();
            for seed in 0..4 {
                let mut disk = disk.power_cut(seed);
                let journal = Journal::open(&mut disk, segment_bytes).unwrap();
                let start = Place {
                    segment: 1,
                    offset: 0,
                    head: Head::START,
                };
                let (events, _) = read(&journal, &mut disk, start);
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
    let mut first = Journal::open(&mut disk, u64::MAX).unwrap();
    first.append(&mut disk, &draft(1), 1).unwrap();
    let mut second = Journal::open(&mut disk, u64::MAX).unwrap();
    second.claim(&mut disk).unwrap();
    second.append(&mut disk, &draft(2), 2).unwrap();
    assert!(matches!(first.claim(&mut disk), Err(Error::Journal(_))));
    let appended = first.append(&mut disk, &draft(2), 2);
    assert!(matches!(appended, Err(Error::Journal(_))));
    second.claim(&mut disk).unwrap();
}
