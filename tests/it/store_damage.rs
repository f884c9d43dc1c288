//! What a start makes of a damaged journal. A torn last append is put aside, a broken view or
//! checkpoint is made anew; everything else is refused with its place, and then no byte on the disk
//! has changed. Never is changed content taken for what was written.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

use crate::journal_format::samples;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    CHECKPOINT, KV, at, by_agent, create, note_id, note_path, options, path, set, try_open, update,
    workspace,
};
use kjxlkj_agent::core::journal::commit::{decode, encode};
use kjxlkj_agent::core::journal::event::RootCreated;
use kjxlkj_agent::core::journal::{Commit, Event, Hash, LineError, State};
use kjxlkj_agent::core::run::{Run, RunState, Trigger};
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::limits::JOURNAL_LINE_BYTES_MAX;
use kjxlkj_agent::store::{Error, Options, Store, layout, read_state, verify};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

const LATER: i64 = 1_800_000_000_000;

/// One line of a journal: where it stands.
#[derive(Clone, Debug)]
struct Place {
    segment: PathBuf,
    /// The line in its segment, from 1.
    line: u64,
    /// Where it begins in its segment, and where it ends, the newline included.
    from: usize,
    to: usize,
}

impl Place {
    fn name(&self) -> String {
        self.segment
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    }
}

/// A root with a past.
struct Root {
    disk: SimDisk,
    options: Options,
    /// The state after each commit, by number.
    states: Vec<State>,
    /// Where each commit stands; the first has index 0.
    places: Vec<Place>,
    /// The last commit that the checkpoint covers; 0 without one.
    covered: u64,
}

impl Root {
    /// A past in which everything happens, one event a commit, in several segments; the checkpoint
    /// in the middle of a segment.
    fn new(segment_bytes: u64, events: Vec<Event>) -> Self {
        let mut options = options();
        options.segment_bytes = segment_bytes;
        let disk = SimDisk::new(1);
        let (mut store, _) = try_open(&disk, &options, at(LATER)).unwrap();
        store.read_notes(at(LATER)).unwrap();
        store.take_edits(at(LATER)).unwrap();
        let mut states = vec![State::empty(), store.state().clone()];
        let half = events.len() / 2;
        for (index, event) in events.into_iter().enumerate() {
            if index == half {
                store.checkpoint(false, at(LATER)).unwrap();
                // The files that are written at rest have a commit of their own, which changes nothing.
                let head = usize::try_from(store.head().seq).unwrap();
                assert!(head <= states.len(), "one commit at the most");
                states.resize(head + 1, store.state().clone());
            }
            store.commit(by_agent(vec![event])).unwrap();
            states.push(store.state().clone());
        }
        let places = places(&disk);
        assert_eq!(places.len() + 1, states.len());
        let checkpoint: Value = serde_json::from_slice(&disk.files()[path(CHECKPOINT)]).unwrap();
        Self {
            covered: checkpoint["head"]["seq"].as_u64().unwrap(),
            disk,
            options,
            states,
            places,
        }
    }

    /// Everything that can happen.
    fn full() -> Self {
        let root = |event: &Event| matches!(event, Event::RootCreated(_));
        let events = samples().into_iter().filter(|event| !root(event));
        Self::new(2700, events.collect())
    }

    /// A few short lines.
    fn small() -> Self {
        let events = [
            set("a", "1"),
            create(note_id(1), "T", "v"),
            set("b", "2"),
            set("a", "3"),
            create(note_id(2), "U", "w"),
        ];
        Self::new(1200, events.into())
    }

    /// The same past without a checkpoint.
    fn without_checkpoint(&self) -> Self {
        let disk = self.disk.process_crash();
        disk.uproot(path(CHECKPOINT));
        Self {
            disk,
            options: self.options.clone(),
            states: self.states.clone(),
            places: self.places.clone(),
            covered: 0,
        }
    }

    fn last(&self) -> u64 {
        self.places.len() as u64
    }

    fn place(&self, seq: u64) -> &Place {
        &self.places[usize::try_from(seq).unwrap() - 1]
    }

    fn state(&self, seq: u64) -> &State {
        &self.states[usize::try_from(seq).unwrap()]
    }

    fn bytes(&self, segment: &std::path::Path) -> Vec<u8> {
        self.disk.files()[segment].clone()
    }

    /// The bytes of a commit's line, its newline included.
    fn line(&self, seq: u64) -> Vec<u8> {
        let place = self.place(seq);
        self.bytes(&place.segment)[place.from..place.to].to_vec()
    }

    /// A copy of the disk on which some lines, from number `from` on, are others. Each stays in the
    /// segment of the line that it stands for; what is more goes to the last.
    fn with_lines(&self, from: u64, lines: &[Vec<u8>]) -> SimDisk {
        let disk = self.disk.process_crash();
        let mut segments: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
        for place in &self.places {
            segments.entry(place.segment.clone()).or_default();
        }
        for seq in 1..from {
            let segment = segments.get_mut(&self.place(seq).segment).unwrap();
            segment.extend(self.line(seq));
        }
        for (seq, line) in (from..).zip(lines) {
            let place = self.place(seq.min(self.last()));
            segments.get_mut(&place.segment).unwrap().extend(line);
        }
        for (name, bytes) in segments {
            disk.plant(&name, &bytes);
        }
        disk
    }

    /// The lines from number `from` on.
    fn lines(&self, from: u64) -> Vec<Vec<u8>> {
        (from..=self.last()).map(|seq| self.line(seq)).collect()
    }

    /// The commits from number `from` on.
    fn commits(&self, from: u64) -> Vec<Commit> {
        let mut prev = Hash::ZERO;
        let mut commits = Vec::new();
        for seq in 1..=self.last() {
            let line = self.line(seq);
            let commit = decode(line.strip_suffix(b"\n").unwrap(), seq, prev).unwrap();
            prev = commit.hash;
            commits.push(commit);
        }
        commits.split_off(usize::try_from(from).unwrap() - 1)
    }

    fn hash_before(&self, seq: u64) -> Hash {
        let before = self.commits(1).into_iter().find(|it| it.seq + 1 == seq);
        before.map_or(Hash::ZERO, |it| it.hash)
    }
}

fn places(disk: &SimDisk) -> Vec<Place> {
    let mut places = Vec::new();
    for (segment, bytes) in disk.files() {
        let name = segment.to_str().unwrap();
        if !name.starts_with("data/journal/0") {
            continue;
        }
        let (mut from, mut line) = (0, 0);
        for text in bytes.split_inclusive(|byte| *byte == b'\n') {
            line += 1;
            places.push(Place {
                segment: segment.clone(),
                line,
                from,
                to: from + text.len(),
            });
            from += text.len();
        }
    }
    places
}

/// What a start came to.
#[derive(Debug)]
enum Came {
    Opened { store: Box<Store>, said: String },
    Refused(Error),
}

/// Starts on an image; a refusal must not have changed a byte.
fn start(image: &SimDisk, options: &Options) -> Came {
    let before = image.files();
    let opened = try_open(image, options, at(LATER)).and_then(|(mut store, notices)| {
        let mut said: Vec<String> = notices.into_iter().map(|it| it.message).collect();
        said.extend(store.read_notes(at(LATER))?);
        Ok((store, said.join("; ")))
    });
    match opened {
        Ok((store, said)) => Came::Opened {
            store: Box::new(store),
            said,
        },
        Err(error) => {
            assert_eq!(image.files(), before, "{error}");
            Came::Refused(error)
        }
    }
}

/// The segment and line that a refusal names.
fn named(error: &Error) -> Option<(String, u64)> {
    let Error::Damaged { segment, line, .. } = error else {
        return None;
    };
    Some((segment.clone(), *line))
}

/// The segment and line of what reading on finds. Nothing is changed by it.
fn found_later(store: &mut Store) -> Option<(String, u64)> {
    let covered = store.take_unverified_prefix()?;
    let error = store.verify_prefix(covered).err()?;
    let place = named(&error).unwrap_or_else(|| panic!("{error}"));
    assert_eq!(Failure::from(error).exit().number(), 65);
    Some(place)
}

/// Bytes that were put aside.
fn quarantined(disk: &SimDisk) -> Vec<Vec<u8>> {
    let files = disk.files().into_iter();
    files
        .filter(|(name, _)| name.starts_with("data/quarantine"))
        .map(|(_, bytes)| bytes)
        .collect()
}

/// What a damage must lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The state of all commits, nothing said, and nothing found by reading on.
    Whole,
    /// The same, but reading what the start left unread finds the place of this commit.
    Later(u64),
    /// The state as of a commit; what follows it is in quarantine, and it is said.
    Torn(u64),
    /// The state as of a commit: nobody can see that there was more.
    Shorter(u64),
    /// Refused, with the place of this commit.
    Refused(u64),
}

/// Starts, and reads what the start left unread. `verify` must say the same of the same damage.
fn check(root: &Root, image: &SimDisk, expected: &[Expected], what: &str) {
    let verified = verify(&mut image.clone()).unwrap();
    let code = verified.first_bad.as_ref().map(|bad| bad.code);
    let place = verified.first_bad.map(|bad| (bad.segment, bad.line));
    let commit_at = |named: &(String, u64)| {
        let seq = (1..=root.last()).find(|seq| {
            let place = root.place(*seq);
            (place.name(), place.line) == *named
        });
        seq.unwrap_or_else(|| root.last() + 1)
    };
    let came = start(image, &root.options);
    let met = match came {
        Came::Refused(error) => {
            let named = named(&error).unwrap_or_else(|| panic!("{what}: {error}"));
            let failure = Failure::from(error);
            assert_eq!(failure.exit().number(), 65, "{what}: {failure}");
            assert_eq!(code, Some(failure.code), "{what}: one damage, two codes");
            assert_eq!(
                place,
                Some(named.clone()),
                "{what}: verify and start differ"
            );
            assert_eq!(verified.torn_bytes, 0, "{what}");
            Expected::Refused(commit_at(&named))
        }
        Came::Opened { mut store, said } => {
            let found = (0..=root.last())
                .rev()
                .find(|seq| store.state() == root.state(*seq));
            let found = found.unwrap_or_else(|| panic!("{what}: a state that never was"));
            let torn = !quarantined(image).is_empty();
            assert_eq!(torn, said.contains("torn write"), "{what}: {said}");
            let bytes: usize = quarantined(image).iter().map(Vec::len).sum();
            if place.is_none() {
                assert_eq!(verified.torn_bytes, bytes as u64, "{what}");
            }
            let later = found_later(&mut store);
            assert_eq!(place, later, "{what}: verify and reading on differ");
            match (later, torn, found == root.last()) {
                (Some(named), ..) => Expected::Later(commit_at(&named)),
                (None, true, _) => Expected::Torn(found),
                (None, false, true) => Expected::Whole,
                (None, false, false) => Expected::Shorter(found),
            }
        }
    };
    assert!(expected.contains(&met), "{what}: {met:?}, not {expected:?}");
}

fn check_flips(root: &Root) {
    let last = root.last();
    for seq in 1..=last {
        let place = root.place(seq);
        let expected: &[Expected] = match seq {
            _ if seq < root.covered => &[Expected::Later(seq)],
            _ if seq == last && seq > root.covered => {
                &[Expected::Torn(last - 1), Expected::Refused(last)]
            }
            _ => &[Expected::Refused(seq)],
        };
        for byte in place.from..place.to {
            let image = root.disk.process_crash();
            let mut bytes = root.bytes(&place.segment);
            let bit = byte % 8;
            bytes[byte] ^= 1 << bit;
            image.rewrite(&place.segment, &bytes);
            let what = format!("commit {seq}, byte {byte}, bit {bit}");
            check(root, &image, expected, &what);
        }
    }
}

/// Reading is all or nothing: no line with any one bit turned is accepted.
#[test]
fn no_line_with_one_bit_turned_is_read() {
    let root = Root::full();
    let mut prev = Hash::ZERO;
    for seq in 1..=root.last() {
        let line = root.line(seq);
        let line = line.strip_suffix(b"\n").unwrap();
        for byte in 0..line.len() {
            for bit in 0..8 {
                let mut turned = line.to_vec();
                turned[byte] ^= 1 << bit;
                let read = decode(&turned, seq, prev);
                assert!(read.is_err(), "commit {seq}, byte {byte}, bit {bit}");
            }
        }
        prev = decode(line, seq, prev).unwrap().hash;
    }
}

#[test]
fn every_byte_turned_is_a_torn_end_or_refused_or_not_read() {
    let root = Root::small();
    assert!(root.covered > 1 && root.covered < root.last() - 1);
    assert!(root.place(1).segment != root.place(root.last()).segment);
    check_flips(&root);
    check_flips(&root.without_checkpoint());
}

fn check_truncations(root: &Root) {
    let last_segment = &root.place(root.last()).segment;
    let covered_segment = (root.covered > 0).then(|| &root.place(root.covered).segment);
    for (index, place) in root.places.iter().enumerate() {
        let seq = index as u64 + 1;
        for length in place.from..place.to {
            let image = root.disk.process_crash();
            let bytes = root.bytes(&place.segment);
            image.rewrite(&place.segment, &bytes[..length]);
            let whole = length == place.from;
            // Cut at a line's end, a segment is followed by what does not follow it.
            let next = (seq..=root.last()).find(|it| root.place(*it).segment != place.segment);
            let bad = if whole { next.unwrap_or(seq) } else { seq };
            let is_last = place.segment == *last_segment;
            let unread = covered_segment.is_some_and(|it| *it > place.segment);
            let expected = match (seq > root.covered, whole) {
                _ if unread => Expected::Later(bad),
                (true, true) if is_last => Expected::Shorter(seq - 1),
                (true, false) if is_last => Expected::Torn(seq - 1),
                _ => Expected::Refused(bad),
            };
            let what = format!("commit {seq} cut at {length}");
            check(root, &image, &[expected], &what);
        }
    }
}

#[test]
fn every_length_cut_is_a_torn_end_or_refused_or_not_read() {
    let root = Root::small();
    check_truncations(&root);
    check_truncations(&root.without_checkpoint());
}

/// One damage: its name, what it leaves of a root, and what a start makes of it without and with a
/// checkpoint in the middle. `N` is the last commit, `C` the covered one.
struct Damage {
    name: &'static str,
    image: fn(&Root) -> SimDisk,
    without: fn(&Root) -> Expected,
    with: fn(&Root) -> Expected,
}

/// The number of a commit after the covered one and before the last two.
fn late(root: &Root) -> u64 {
    let covered = root.covered.max(root.last() / 2);
    covered + 2
}

fn edited(root: &Root, seq: u64, edit: impl Fn(String) -> String) -> SimDisk {
    let mut lines = root.lines(seq);
    lines[0] = edit(String::from_utf8(lines[0].clone()).unwrap()).into_bytes();
    root.with_lines(seq, &lines)
}

/// The line with the payload of its first event changed.
fn other_payload(line: &str) -> String {
    let (head, data) = line.split_once("\"data\":[{").unwrap();
    format!("{head}\"data\":[{{\"x\":0,{data}")
}

/// A line of this draft's commit that follows the one before it, its JSON changed before it was
/// hashed: only a newer version writes such a thing.
fn newer(root: &Root, seq: u64, from: &str, to: &str) -> Vec<u8> {
    let commits = root.commits(seq);
    let prev = root.hash_before(seq);
    let (line, _) = encode(&commits[0].draft, seq, prev).unwrap();
    let line = String::from_utf8(line).unwrap().replacen(from, to, 1);
    let (head, rest) = line.split_once(",\"hash\":\"").unwrap();
    let hash = Hash::of(head.as_bytes());
    format!("{head},\"hash\":\"{hash}{}", &rest[64..]).into_bytes()
}

/// The history from a commit on, written anew with other content, all hashes in order.
fn rewritten(root: &Root, seq: u64) -> SimDisk {
    let mut prev = root.hash_before(seq);
    let mut lines = Vec::new();
    for mut commit in root.commits(seq) {
        // The time from which schedules count is part of the state.
        let is_timed = |event: &Event| matches!(event, Event::SchedulesTaken(_));
        if !commit.draft.events.iter().any(is_timed) {
            commit.draft.ts = at(1);
        }
        let (line, hash) = encode(&commit.draft, commit.seq, prev).unwrap();
        prev = hash;
        lines.push(line);
    }
    root.with_lines(seq, &lines)
}

fn with_tail(root: &Root, tail: &[u8]) -> SimDisk {
    let mut lines = root.lines(root.last());
    lines[0].extend_from_slice(tail);
    root.with_lines(root.last(), &lines)
}

fn whole(root: &Root) -> Expected {
    let _ = root;
    Expected::Whole
}

fn at_late(root: &Root) -> Expected {
    Expected::Refused(late(root))
}

/// What follows a gap moves up, unless it stands in the next segment.
fn at_gap(root: &Root) -> Expected {
    let seq = late(root);
    let moves = root.place(seq).segment == root.place(seq + 1).segment;
    Expected::Refused(if moves { seq } else { seq + 1 })
}

fn before_last(root: &Root) -> Expected {
    Expected::Torn(root.last() - 1)
}

fn after_last(root: &Root) -> Expected {
    Expected::Refused(root.last() + 1)
}

fn all_and_torn(root: &Root) -> Expected {
    Expected::Torn(root.last())
}

fn at_second(_: &Root) -> Expected {
    Expected::Refused(2)
}

const DAMAGES: &[Damage] = &[
    Damage {
        name: "nothing at all",
        image: |root| root.disk.process_crash(),
        without: whole,
        with: whole,
    },
    Damage {
        name: "a bad line in the middle",
        image: |root| edited(root, late(root), |_| "rubbish\n".to_owned()),
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "a bad line in what the checkpoint covers",
        image: |root| edited(root, 2, |_| "rubbish\n".to_owned()),
        without: at_second,
        with: |_| Expected::Later(2),
    },
    Damage {
        name: "an edited payload in what the checkpoint covers",
        image: |root| edited(root, 2, |line| other_payload(&line)),
        without: at_second,
        with: |_| Expected::Later(2),
    },
    Damage {
        name: "a gap",
        image: |root| edited(root, late(root), |_| String::new()),
        without: at_gap,
        with: at_gap,
    },
    Damage {
        name: "two lines changed places",
        image: |root| {
            let mut lines = root.lines(late(root));
            lines.swap(0, 1);
            root.with_lines(late(root), &lines)
        },
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "the last line stands twice",
        image: |root| with_tail(root, &root.line(root.last())),
        without: after_last,
        with: after_last,
    },
    Damage {
        name: "an edited payload",
        image: |root| edited(root, late(root), |line| other_payload(&line)),
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "an edited payload in the last line",
        image: |root| edited(root, root.last(), |line| other_payload(&line)),
        without: before_last,
        with: before_last,
    },
    Damage {
        name: "another type of event",
        image: |root| {
            edited(root, late(root), |line| {
                line.replacen("\"type\":\"", "\"type\":\"x", 1)
            })
        },
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "another actor",
        image: |root| edited(root, late(root), |line| line.replacen("agent", "user", 1)),
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "another hash",
        image: |root| {
            edited(root, late(root), |line| {
                let (head, rest) = line.split_once("\"hash\":\"").unwrap();
                format!("{head}\"hash\":\"{}{}", "0".repeat(64), &rest[64..])
            })
        },
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "another predecessor, all else in order",
        image: |root| {
            let mut lines = root.lines(late(root));
            let prev = format!("\"prev\":\"{}\"", root.hash_before(late(root)));
            let zeros = format!("\"prev\":\"{}\"", Hash::ZERO);
            lines[0] = newer(root, late(root), &prev, &zeros);
            root.with_lines(late(root), &lines)
        },
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "a payload made null: until there is a verb for it, nobody did that on purpose",
        image: |root| {
            edited(root, late(root), |line| {
                let (head, _) = line.split_once("\"data\":[").unwrap();
                let (_, views) = line.rsplit_once(",{\"files\"").unwrap_or(("", ""));
                let views = if views.is_empty() {
                    "]}\n".to_owned()
                } else {
                    format!(",{{\"files\"{views}")
                };
                format!("{head}\"data\":[null{views}")
            })
        },
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "a type of event that a newer version knows",
        image: |root| {
            let line = newer(root, root.last(), "\"type\":\"", "\"type\":\"x");
            root.with_lines(root.last(), &[line])
        },
        without: |root| Expected::Refused(root.last()),
        with: |root| Expected::Refused(root.last()),
    },
    Damage {
        name: "a line of a newer version",
        image: |root| {
            let line = newer(root, root.last(), "{\"v\":1,", "{\"v\":2,");
            root.with_lines(root.last(), &[line])
        },
        without: |root| Expected::Refused(root.last()),
        with: |root| Expected::Refused(root.last()),
    },
    Damage {
        name: "a last line that is not UTF-8",
        image: |root| {
            let mut line = root.line(root.last());
            let middle = line.len() / 2;
            line[middle] = 0xff;
            root.with_lines(root.last(), &[line])
        },
        without: before_last,
        with: before_last,
    },
    Damage {
        name: "a line in the middle that is not UTF-8",
        image: |root| {
            let mut lines = root.lines(late(root));
            lines[0][40] = 0xff;
            root.with_lines(late(root), &lines)
        },
        without: at_late,
        with: at_late,
    },
    Damage {
        name: "the end between the last two lines is gone",
        image: |root| {
            let mut lines = root.lines(root.last() - 1);
            *lines[0].last_mut().unwrap() = b' ';
            root.with_lines(root.last() - 1, &lines)
        },
        without: |root| Expected::Refused(root.last() - 1),
        with: |root| Expected::Refused(root.last() - 1),
    },
    Damage {
        name: "a tail of zeros",
        image: |root| with_tail(root, &[0; 4096]),
        without: all_and_torn,
        with: all_and_torn,
    },
    Damage {
        name: "a tail of zeros with a line's end",
        image: |root| with_tail(root, b"\0\0\0\n"),
        without: all_and_torn,
        with: all_and_torn,
    },
    Damage {
        name: "an empty line at the end",
        image: |root| with_tail(root, b"\n"),
        without: all_and_torn,
        with: all_and_torn,
    },
    Damage {
        name: "two bad lines at the end",
        image: |root| with_tail(root, b"rubbish\nrubbish"),
        without: after_last,
        with: after_last,
    },
    Damage {
        name: "a last line longer than any commit",
        image: |root| with_tail(root, &vec![b'x'; JOURNAL_LINE_BYTES_MAX + 1]),
        without: after_last,
        with: after_last,
    },
    Damage {
        name: "an empty segment at the end",
        image: |root| {
            let image = root.disk.process_crash();
            let last = root.place(root.last()).name();
            let number: u32 = last.split('.').next().unwrap().parse().unwrap();
            image.plant(path(&format!("data/journal/{:08}.jsonl", number + 1)), b"");
            image
        },
        without: whole,
        with: whole,
    },
    Damage {
        name: "a foreign file in the journal's folder",
        image: |root| {
            let image = root.disk.process_crash();
            for name in ["notes.txt", "1.jsonl", "00000001.jsonl~", "00000000.jsonl"] {
                image.plant(&path("data/journal").join(name), b"rubbish");
            }
            image
        },
        without: whole,
        with: whole,
    },
    Damage {
        name: "the history rewritten from the covered commit on, every hash in order",
        image: |root| rewritten(root, root.covered.max(2)),
        // Only a head that is kept elsewhere could tell.
        without: whole,
        with: |root| Expected::Refused(root.covered),
    },
    Damage {
        name: "the journal cut below the checkpoint",
        image: |root| root.with_lines(root.covered.max(2), &[]),
        without: |_| Expected::Shorter(1),
        with: |root| Expected::Refused(root.covered),
    },
];

#[test]
fn each_damage_is_answered_as_decided() {
    let root = Root::full();
    let bare = root.without_checkpoint();
    for damage in DAMAGES {
        let name = damage.name;
        check(&root, &(damage.image)(&root), &[(damage.with)(&root)], name);
        let name = format!("{name}, without a checkpoint");
        check(
            &bare,
            &(damage.image)(&bare),
            &[(damage.without)(&bare)],
            &name,
        );
    }
}

/// Whether a start on an image refuses with exit 65, and with these words.
fn refuses(image: &SimDisk, root: &Root, words: &str) {
    match start(image, &root.options) {
        Came::Refused(error) => {
            let failure = Failure::from(error);
            assert_eq!(failure.exit().number(), 65, "{failure}");
            assert!(failure.message.contains(words), "{failure}");
        }
        Came::Opened { said, .. } => panic!("opened: {said}; expected {words}"),
    }
}

/// Only our own names count, and what is not ours is never removed as an old segment.
#[test]
fn a_foreign_name_is_no_segment() {
    assert_eq!(layout::segment_number("00000007.jsonl"), Some(7));
    for name in [
        "00000000.jsonl",
        "7.jsonl",
        "0000000x.jsonl",
        "00000007.jsonl~",
        "+0000007.jsonl",
    ] {
        assert_eq!(layout::segment_number(name), None, "{name}");
    }
}

#[test]
fn a_missing_segment_is_refused_by_name() {
    let root = Root::full();
    let bare = root.without_checkpoint();
    let mut names: Vec<String> = root.places.iter().map(Place::name).collect();
    names.dedup();
    assert!(names.len() >= 4);
    for (index, name) in names.iter().enumerate() {
        let is_last = index + 1 == names.len();
        for root in [&root, &bare] {
            let image = root.disk.process_crash();
            image.uproot(&path("data/journal").join(name));
            let verified = verify(&mut image.clone());
            if is_last {
                // Behind the checkpoint nobody can know that there was more.
                assert!(matches!(start(&image, &root.options), Came::Opened { .. }));
                continue;
            }
            let bare = root.covered == 0;
            // Without a checkpoint, what is left begins in the middle.
            let words = if bare {
                "never carried over"
            } else {
                name.as_str()
            };
            refuses(&image, root, words);
            assert!(bare || !verified.unwrap().ok, "{name}");
        }
    }
    let image = root.disk.process_crash();
    for name in &names {
        image.uproot(&path("data/journal").join(name));
    }
    refuses(&image, &root, &names[0]);
}

/// A segment that is retired while it is read is not missed; one that somebody removes is.
#[test]
fn reading_on_tells_a_retired_segment_from_a_lost_one() {
    const YEAR_MS: i64 = 365 * 24 * 60 * 60 * 1000;
    let root = Root::small();
    for is_retired in [true, false] {
        let image = root.disk.process_crash();
        let Came::Opened { mut store, .. } = start(&image, &root.options) else {
            panic!("refused");
        };
        let covered = store.take_unverified_prefix().unwrap();
        assert!(store.take_unverified_prefix().is_none(), "once is enough");
        if is_retired {
            // Less behind the newest line than a clock that is wrong would be.
            let late = at(1_700_000_000_000 + 2 * YEAR_MS);
            store.take_edits(late).unwrap();
            assert!(store.retire(late).unwrap() > Some(0));
        } else {
            image.uproot(&root.place(1).segment);
        }
        assert!(!image.files().contains_key(&root.place(1).segment));
        assert_eq!(store.verify_prefix(covered).is_ok(), is_retired);
    }
}

#[test]
fn a_bad_checkpoint_is_put_aside_and_the_journal_read_from_its_beginning() {
    let root = Root::full();
    let good = root.bytes(path(CHECKPOINT));
    let mut rotten = good.clone();
    rotten[good.len() / 2] ^= 1;
    let bad: [&[u8]; 6] = [
        b"",
        b"{}",
        b"garbage",
        &good[..good.len() - 3],
        &rotten,
        &[0; 64],
    ];
    for bytes in bad {
        let image = root.disk.process_crash();
        image.plant(path(CHECKPOINT), bytes);
        assert_eq!(
            read_state(&mut image.clone(), path(KV)).unwrap(),
            *root.state(root.last())
        );
        let Came::Opened { store, said } = start(&image, &root.options) else {
            panic!("{bytes:?}");
        };
        assert!(
            said.contains("the checkpoint was damaged and is kept as data/quarantine/"),
            "{said}"
        );
        assert_eq!(store.state(), root.state(root.last()));
        assert_eq!(quarantined(&image), [bytes]);
        // Once is enough: the next start has nothing to say.
        drop(store);
        let Came::Opened { said, .. } = start(&image.process_crash(), &root.options) else {
            panic!("{bytes:?}");
        };
        assert_eq!(said, "");
    }
}

/// Every bit of the checkpoint counts.
#[test]
fn a_checkpoint_with_one_bit_turned_is_never_believed() {
    let root = Root::small();
    let good = root.bytes(path(CHECKPOINT));
    for byte in 0..good.len() {
        let image = root.disk.process_crash();
        let mut bytes = good.clone();
        bytes[byte] ^= 1 << (byte % 8);
        image.plant(path(CHECKPOINT), &bytes);
        let Came::Opened { store, said } = start(&image, &root.options) else {
            panic!("byte {byte}");
        };
        assert!(
            said.contains("checkpoint was damaged"),
            "byte {byte}: {said}"
        );
        assert_eq!(store.state(), root.state(root.last()), "byte {byte}");
    }
}

/// A checkpoint with a digest of its own that is right, and one member put in place of another.
fn with_member(checkpoint: &[u8], name: &str, value: Value) -> Vec<u8> {
    let mut all: Value = serde_json::from_slice(checkpoint).unwrap();
    let members = all.as_object_mut().unwrap();
    members.remove("digest");
    // The notes stand last.
    let notes = members.remove("notes").unwrap();
    members.insert(name.to_owned(), value);
    let all = all.to_string();
    let body = format!("{},\"notes\":{notes}", all.strip_suffix('}').unwrap());
    let digest = Hash::of(body.as_bytes());
    format!("{body},\"digest\":\"{digest}\"}}\n").into_bytes()
}

#[test]
fn a_checkpoint_that_says_something_else_than_the_journal_is_found() {
    let root = Root::small();
    let good = root.bytes(path(CHECKPOINT));
    let event = EventId("x".to_owned());
    let run_id = RunId::derive(workspace(), &event);
    let open = Run::queued(run_id, event, Trigger::Manual, at(LATER));
    let ended = Run {
        state: RunState::Succeeded,
        ..open.clone()
    };
    let rule = "55555555-5555-4555-8555-555555555555";
    let spent = json!({"calls": 2, "tokens": 9, "micro_dollars": 35});
    let time = at(LATER).to_string();
    let past = run_id.0.simple().to_string();
    for (name, value, said) in [
        ("clean", json!(false), None),
        (
            "awaited",
            json!({ rule: {"since": time, "recorded_to": time} }),
            Some("what schedules wait for"),
        ),
        (
            "spending",
            json!({"day": 20454, "spent": spent}),
            Some("spending"),
        ),
        (
            "runs",
            json!({"open": [open], "finished": []}),
            Some("run "),
        ),
        (
            "runs",
            json!({"open": [], "finished": [ended]}),
            Some("run "),
        ),
        (
            "runs",
            json!({"open": [], "finished": [], "past": past}),
            Some("the runs of long ago"),
        ),
    ] {
        let image = root.disk.process_crash();
        image.plant(path(CHECKPOINT), &with_member(&good, name, value));
        let bad = verify(&mut image.clone()).unwrap().first_bad;
        let reason = bad.as_ref().map(|bad| bad.reason.as_str());
        assert_eq!(reason.is_some(), said.is_some(), "{name}: {reason:?}");
        assert!(
            said.is_none_or(|said| reason.unwrap_or_default().contains(said)),
            "{name}: {reason:?}"
        );
    }
}

#[test]
fn a_checkpoint_of_another_journal_is_refused() {
    let (root, other) = (Root::full(), Root::small());
    for (mine, theirs) in [(&root, &other), (&other, &root)] {
        let image = mine.disk.process_crash();
        image.plant(path(CHECKPOINT), &theirs.bytes(path(CHECKPOINT)));
        // It names the commit that is another, or the one that is not there.
        let place = mine.place(theirs.covered.min(mine.last()));
        let line = if theirs.covered > mine.last() {
            place.line + 1
        } else {
            place.line
        };
        refuses(&image, mine, &format!("{}, line {line}", place.name()));
        let bad = verify(&mut image.clone()).unwrap().first_bad.unwrap();
        assert_eq!((bad.segment, bad.line), (place.name(), line));
    }
}

#[test]
fn a_tampered_journal_has_a_code_of_its_own() {
    let root = Root::full();
    let image = root.with_lines(root.covered, &[]);
    let Came::Refused(error) = start(&image, &root.options) else {
        panic!("a journal below its checkpoint was opened");
    };
    assert!(matches!(
        &error,
        Error::Damaged {
            reason: LineError::Covered,
            ..
        }
    ));
    assert_eq!(Failure::from(error).code, Code::JournalTampered);
}

/// 100 MB of garbage are read a window at a time: what is asked of the disk at once is bounded.
#[test]
fn garbage_of_any_length_takes_bounded_memory() {
    let root = Root::small();
    let image = with_tail(&root, &vec![b'x'; 100_000_000]);
    refuses(&image, &root, "longer");
    assert!(image.read_bytes_max() <= JOURNAL_LINE_BYTES_MAX + 1);
    // A segment larger than the window is read to its end, and a line that the window cuts is whole.
    let (mut segment, mut prev) = (root.line(1), root.commits(1)[0].hash);
    for seq in 2..5 {
        let long = set("a", "v".repeat(JOURNAL_LINE_BYTES_MAX * 2 / 5));
        let (line, hash) = encode(&by_agent(vec![long]), seq, prev).unwrap();
        segment.extend(line);
        prev = hash;
    }
    let bare = root.without_checkpoint();
    let mut image = bare.with_lines(1, &[segment]);
    for place in &root.places {
        if place.segment != root.place(1).segment {
            image.uproot(&place.segment);
        }
    }
    let verified = verify(&mut image).unwrap();
    assert_eq!(
        (verified.ok, verified.head.seq, verified.head.hash),
        (true, 4, prev)
    );
}

/// What stands in the way of an empty journal: nothing is begun over somebody's data.
#[test]
fn notes_with_a_history_are_never_started_over() {
    let root = Root::small();
    let lose_journal = |root: &Root| {
        let image = root.disk.process_crash();
        for name in image
            .files()
            .keys()
            .filter(|it| it.starts_with("data/journal"))
        {
            image.uproot(name);
        }
        image
    };
    let edited = {
        let events = [create(note_id(1), "T", "v")];
        let root = Root::new(1200, events.into());
        let note = root
            .state(root.last())
            .notes
            .get(note_id(1))
            .cloned()
            .unwrap();
        Root::new(1200, vec![create(note_id(1), "T", "v"), update(&note, "w")])
    };
    for root in [&root, &edited] {
        refuses(&lose_journal(root), root, "is a note with a history");
        // Also when the folder is there, and empty files in it.
        let image = lose_journal(root);
        image.plant(path("data/journal/00000001.jsonl"), b"");
        refuses(&image, root, "is a note with a history");
    }
}

/// A KV file that is older than the journal is not started over either: all of it is taken in.
#[test]
fn a_kv_file_without_a_journal_is_taken_in() {
    let root = Root::small();
    let image = root.disk.process_crash();
    for name in image.files().keys() {
        let note = name.starts_with("data/notes");
        if note || name.starts_with("data/journal") {
            image.uproot(name);
        }
    }
    let Came::Opened { mut store, .. } = start(&image, &root.options) else {
        panic!("refused");
    };
    store.take_edits(at(LATER)).unwrap();
    assert_eq!(store.state().main.ram, root.state(root.last()).main.ram);
}

/// The first line says which format this is.
#[test]
fn a_root_of_a_newer_format_is_refused() {
    let root = Root::small().without_checkpoint();
    let created = Event::RootCreated(RootCreated {
        format: 2,
        workspace_id: workspace(),
    });
    let (line, _) = encode(&by_agent(vec![created]), 1, Hash::ZERO).unwrap();
    let image = root.with_lines(1, &[line]);
    refuses(&image, &root, "format version 2");
}

/// A view that is missing or was never finished is made anew from the journal.
#[test]
fn views_are_rebuilt_from_the_journal() {
    let root = Root::small();
    let views = [
        path(KV).to_path_buf(),
        note_path(note_id(1)),
        note_path(note_id(2)),
    ];
    for view in &views {
        for left in [None, Some(Vec::new()), Some(vec![0; 50])] {
            let image = root.disk.process_crash();
            match &left {
                None => image.uproot(view),
                Some(bytes) => image.plant(view, bytes),
            }
            let Came::Opened { mut store, .. } = start(&image, &root.options) else {
                panic!("{}: {left:?}", view.display());
            };
            store.take_edits(at(LATER)).unwrap();
            assert_eq!(
                image.files()[view],
                root.bytes(view),
                "{}: {left:?}",
                view.display()
            );
            assert_eq!(store.state(), root.state(root.last()));
        }
    }
}
