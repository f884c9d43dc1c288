//! Reading the journal from a place on: each line verified and handed over in order.
//! Tells a torn last append from damage; changes nothing.

use super::disk::Disk;
use super::error::Error;
use super::journal::Head;
use super::layout;
use crate::core::journal::commit::{self, Commit, LineError};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
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
    /// The last segment.
    pub segment: u32,
    /// Its good bytes.
    pub bytes: u64,
    /// Where its last line begins.
    pub last_line: u64,
    /// The last commit.
    pub head: Head,
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
    let last = present
        .last()
        .copied()
        .unwrap_or(from.segment)
        .max(from.segment);
    let mut end = End {
        segment: from.segment,
        bytes: from.offset,
        last_line: from.offset,
        head: from.head,
        torn_bytes: 0,
    };
    for number in from.segment..=last {
        if !present.contains(&number) {
            let name = layout::segment_name(number);
            return Err(Error::Incomplete(format!(
                "the journal's segment {name} is missing"
            )));
        }
        let offset = if number == from.segment {
            from.offset
        } else {
            0
        };
        let bytes = read_segment(disk, number, offset)?;
        end = read_lines(&bytes, number, offset, number == last, end.head, take)?;
    }
    Ok(end)
}

/// A segment from `offset` on.
pub(super) fn read_segment(
    disk: &mut dyn Disk,
    number: u32,
    offset: u64,
) -> Result<Vec<u8>, Error> {
    let path = layout::segment_path(number);
    let bytes_max = usize::MAX;
    disk.read_at(&path, offset, bytes_max)
        .map_err(|error| Error::file("read", path, error))
}

fn read_lines(
    bytes: &[u8],
    segment: u32,
    offset: u64,
    is_last: bool,
    head: Head,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<End, Error> {
    let mut end = End {
        segment,
        bytes: offset,
        last_line: offset,
        head,
        torn_bytes: 0,
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let newline = rest.iter().position(|byte| *byte == b'\n');
        let line = rest
            .get(..newline.unwrap_or(rest.len()))
            .unwrap_or_default();
        let read = match newline {
            Some(_) if line.len() <= JOURNAL_LINE_BYTES_MAX => {
                commit::decode(line, end.head.seq + 1, end.head.hash)
            }
            Some(_) => Err(LineError::Malformed("longer than any commit".to_owned())),
            None => Err(LineError::Malformed("it has no end".to_owned())),
        };
        match read {
            Ok(commit) => {
                let taken = line.len() + 1;
                end.last_line = end.bytes;
                end.bytes += u64::try_from(taken).unwrap_or(u64::MAX);
                end.head = Head {
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
                let lines = bytes.len() - rest.len();
                let before = bytes.get(..lines).unwrap_or_default();
                let line = before.split(|byte| *byte == b'\n').count();
                return Err(Error::Damaged {
                    segment: layout::segment_name(segment),
                    line: u64::try_from(line).unwrap_or(u64::MAX),
                    seq: end.head.seq + 1,
                    reason,
                });
            }
        }
    }
    Ok(end)
}

/// A torn append is one line that did not get all its bytes: nothing stands after it. A whole line
/// that is bound to another place, or written by a newer version, was never torn.
fn is_torn(rest: &[u8], reason: &LineError) -> bool {
    let inner = rest.strip_suffix(b"\n").unwrap_or(rest);
    let alone = !inner.contains(&b'\n');
    let torn = matches!(reason, LineError::Malformed(_) | LineError::Digest(_));
    alone && torn && rest.len() <= JOURNAL_LINE_BYTES_MAX
}
