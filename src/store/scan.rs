//! Reading the journal from a place on: each line verified and handed over in order.
//! Tells a torn last append from damage; changes nothing.

use super::disk::Disk;
use super::error::Error;
use super::journal::{Head, LastLine};
use super::layout;
use crate::core::journal::commit::{self, Commit, LineError};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use std::io;
use std::path::Path;

/// A place to read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The segment.
    pub segment: u32,
    /// The byte in it at which the next line begins.
    pub offset: u64,
    /// The commit before that line.
    pub head: Head,
}

/// Where the good lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Where the next line goes.
    pub place: Place,
    /// The last line that was read, if one was.
    pub last: Option<LastLine>,
    /// Good bytes that were read.
    pub read_bytes: u64,
    /// Bytes after the good ones: a torn append.
    pub torn_bytes: u64,
}

/// The numbers of the segments that are there, in order.
pub(super) fn segments(disk: &mut dyn Disk) -> Result<Vec<u32>, Error> {
    let journal = Path::new(layout::JOURNAL);
    let names = disk
        .list(journal)
        .map_err(|error| Error::file("list", journal, error))?;
    Ok(names
        .iter()
        .filter_map(|name| layout::segment_number(name))
        .collect())
}

/// Checks that no segment is missing from `first` to the last one that is there.
pub(super) fn check_whole(present: &[u32], first: u32) -> Result<(), Error> {
    let last = present.last().copied().unwrap_or(first);
    match (first..=last).find(|number| !present.contains(number)) {
        Some(missing) => Err(Error::Incomplete(format!(
            "the journal's segment {} is missing",
            layout::segment_name(missing)
        ))),
        None => Ok(()),
    }
}

/// Reads every commit after `from`, in order, and hands each to `take` with its segment.
///
/// A bad end of the very last line is a torn append and is only reported. Everything else that is
/// not a valid successor is [`Error::Damaged`]; a missing segment is [`Error::Incomplete`].
pub(super) fn scan(
    disk: &mut dyn Disk,
    from: Place,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<End, Error> {
    let present = segments(disk)?;
    let mut end = End {
        place: from,
        last: None,
        read_bytes: 0,
        torn_bytes: 0,
    };
    if present.is_empty() && from.head == Head::START {
        return Ok(end);
    }
    check_whole(&present, from.segment)?;
    let last = present.last().copied().unwrap_or(from.segment);
    for number in from.segment..=last {
        if number != from.segment {
            end.place.segment = number;
            end.place.offset = 0;
        }
        let offset = end.place.offset;
        let bytes = read_segment(disk, number, offset)?;
        let Err((lines, reason)) = read_lines(&bytes, number == last, &mut end, take) else {
            continue;
        };
        let before = usize::try_from(offset).unwrap_or(usize::MAX);
        let before = read_at(disk, number, 0, before)?;
        return Err(Error::Damaged {
            segment: layout::segment_name(number),
            line: lines_in(&before) + lines + 1,
            seq: end.place.head.seq + 1,
            reason,
        });
    }
    Ok(end)
}

/// A segment from `offset` on.
pub(super) fn read_segment(
    disk: &mut dyn Disk,
    number: u32,
    offset: u64,
) -> Result<Vec<u8>, Error> {
    read_at(disk, number, offset, usize::MAX)
}

fn read_at(
    disk: &mut dyn Disk,
    number: u32,
    offset: u64,
    bytes_max: usize,
) -> Result<Vec<u8>, Error> {
    let path = layout::segment_path(number);
    disk.read_at(&path, offset, bytes_max)
        .map_err(|error| Error::file("read", path, error))
}

/// Reads lines as long as they are good. A bad one comes back with the number of those before it.
fn read_lines(
    bytes: &[u8],
    is_last: bool,
    end: &mut End,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<(), (u64, LineError)> {
    let segment = end.place.segment;
    let mut rest = bytes;
    while !rest.is_empty() {
        match read_line(rest, end.place.head) {
            Ok((commit, taken)) => {
                let bytes = u64::try_from(taken).unwrap_or(u64::MAX);
                end.last = Some(LastLine {
                    segment,
                    offset: end.place.offset,
                    bytes,
                });
                end.place.offset += bytes;
                end.read_bytes += bytes;
                end.place.head = Head {
                    seq: commit.seq,
                    hash: commit.hash,
                };
                take(&commit, segment);
                rest = rest.get(taken..).unwrap_or_default();
            }
            Err(reason) if is_last && is_torn(rest, &reason) => {
                end.torn_bytes = u64::try_from(rest.len()).unwrap_or(u64::MAX);
                break;
            }
            Err(reason) => {
                let good = bytes.len() - rest.len();
                let before = bytes.get(..good).unwrap_or_default();
                return Err((lines_in(before), reason));
            }
        }
    }
    Ok(())
}

/// The commit at the beginning of some bytes, and how many of them it takes.
fn read_line(bytes: &[u8], head: Head) -> Result<(Commit, usize), LineError> {
    let malformed = |what: &str| Err(LineError::Malformed(what.to_owned()));
    // Reading from memory cannot fail, and takes long steps.
    let taken = io::BufRead::skip_until(&mut &*bytes, b'\n').unwrap_or_default();
    let Some(line) = bytes.get(..taken).and_then(|it| it.strip_suffix(b"\n")) else {
        return malformed("it has no end");
    };
    if line.len() >= JOURNAL_LINE_BYTES_MAX {
        return malformed("it is longer than any commit");
    }
    Ok((commit::decode(line, head.seq + 1, head.hash)?, taken))
}

/// How many lines end in some bytes.
fn lines_in(bytes: &[u8]) -> u64 {
    let lines = bytes.split(|byte| *byte == b'\n').count() - 1;
    u64::try_from(lines).unwrap_or(u64::MAX)
}

/// A torn append is one line that did not get all its bytes: nothing stands after it. A whole line
/// that is bound to another place, or written by a newer version, was never torn.
fn is_torn(rest: &[u8], reason: &LineError) -> bool {
    let inner = rest.strip_suffix(b"\n").unwrap_or(rest);
    let alone = !inner.contains(&b'\n');
    let torn = matches!(reason, LineError::Malformed(_) | LineError::Digest(_));
    alone && torn && rest.len() <= JOURNAL_LINE_BYTES_MAX
}
