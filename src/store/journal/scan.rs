//! The scan of the journal from a place on: each line is verified and passed on in order.
//! It distinguishes a torn last append from damage; changes nothing.

use super::{Head, LastLine};
use crate::core::journal::commit::{self, Commit, LineError};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The number of bytes read at once: one more than the longest line.
/// It bounds the memory for damaged files.
const WINDOW_BYTES: usize = JOURNAL_LINE_BYTES_MAX + 1;

/// The reason for a line that is longer than any commit.
const TOO_LONG: &str = "it is longer than any commit";

/// The number of bytes read at once when only lines are counted.
const COUNTED_BYTES: usize = 1024 * 1024;

/// A place in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalPosition {
    pub segment: u32,
    /// The offset of the next line in it, in bytes.
    /// A checkpoint names the beginnings of segments only.
    #[serde(skip)]
    pub offset: u64,
    /// The commit before that line.
    pub head: Head,
}

impl JournalPosition {
    /// The beginning of a journal without retired segments.
    pub(crate) const START: Self = Self {
        segment: 1,
        offset: 0,
        head: Head::START,
    };
}

/// The end of the valid lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JournalEnd {
    /// The place of the next line.
    pub place: JournalPosition,
    /// The last line that was read, if one was.
    pub last: Option<LastLine>,
    /// The number of valid bytes that were read.
    pub read_bytes: u64,
    /// The number of bytes behind the valid ones: a torn append.
    pub torn_bytes: u64,
}

impl JournalEnd {
    /// Returns an end at which nothing was read yet.
    pub(crate) const fn at(place: JournalPosition) -> Self {
        Self {
            place,
            last: None,
            read_bytes: 0,
            torn_bytes: 0,
        }
    }
}

/// Returns the numbers of the existing segments, in order.
pub(crate) fn segments(disk: &mut dyn Disk) -> Result<Vec<u32>, Error> {
    let names = disk.names_in(Path::new(layout::JOURNAL))?;
    let numbers = names.iter().filter_map(|name| layout::segment_number(name));
    Ok(numbers.collect())
}

/// Checks that no segment is missing from `first` to the last existing one.
pub(crate) fn check_contiguous(present: &[u32], first: u32) -> Result<(), Error> {
    let last = present.last().copied().unwrap_or(first);
    match (first..=last).find(|number| !present.contains(number)) {
        Some(missing) => Err(Error::Incomplete(format!(
            "the journal's segment {} is missing",
            layout::segment_name(missing)
        ))),
        None => Ok(()),
    }
}

/// Reads every commit after `from`, in order, and passes each to `take` with its segment.
///
/// A bad end of the last line is a torn append and is only reported. Anything else that is not a
/// valid successor is [`Error::Damaged`]; a missing segment is [`Error::Incomplete`].
pub(crate) fn scan(
    disk: &mut dyn Disk,
    from: JournalPosition,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<JournalEnd, Error> {
    Ok(scan_while(disk, from, None, &|_| true, take)?.0)
}

/// Scans like [`scan`], but stops behind the first segment with a commit.
/// Also returns whether there are more segments.
pub(crate) fn scan_segment(
    disk: &mut dyn Disk,
    from: JournalPosition,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<(JournalEnd, bool), Error> {
    scan_while(disk, from, None, &|end| end.read_bytes == 0, take)
}

/// Scans segments as long as `goes_on`, and returns whether there are more.
/// With `until`, the text behind that line is not read: it may be growing.
fn scan_while(
    disk: &mut dyn Disk,
    from: JournalPosition,
    until: Option<LastLine>,
    goes_on: &dyn Fn(&JournalEnd) -> bool,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<(JournalEnd, bool), Error> {
    let present = segments(disk)?;
    let mut end = JournalEnd::at(from);
    if until.is_none() && present.is_empty() && from.head == Head::START {
        return Ok((end, false));
    }
    check_contiguous(&present, from.segment)?;
    let last = present.last().copied().unwrap_or(from.segment);
    let last = until.map_or(last, |line| line.segment);
    for number in from.segment..=last {
        let until = until.filter(|line| line.segment == number);
        let until = until.map(|line| line.offset.saturating_add(line.bytes));
        if number != end.place.segment {
            (end.place.segment, end.place.offset) = (number, 0);
        }
        let may_be_torn = number == last && until.is_none();
        while read_window(disk, may_be_torn, until.unwrap_or(u64::MAX), &mut end, take)? {}
        if !goes_on(&end) {
            return Ok((end, number < last));
        }
    }
    Ok((end, false))
}

/// Verifies every commit after `from` up to the one in the line `last`, which must be `head`.
pub(crate) fn check_until(
    disk: &mut dyn Disk,
    from: JournalPosition,
    last: LastLine,
    head: Head,
) -> Result<(), Error> {
    let (end, _) = scan_while(disk, from, Some(last), &|_| true, &mut |_, _| {})?;
    if end.place.head == head {
        return Ok(());
    }
    Err(damage_at(disk, end.place, LineError::Covered)?)
}

/// Scans like [`scan`] a journal whose checkpoint covers all up to `unverified_prefix`.
/// The journal is damaged if it does not hold that commit.
pub(crate) fn scan_prefix(
    disk: &mut dyn Disk,
    from: JournalPosition,
    unverified_prefix: Option<Head>,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<JournalEnd, Error> {
    let mut at = (from.segment, 0);
    let mut lost = unverified_prefix.filter(|head| *head != from.head);
    let mut stranger = None;
    let end = scan(disk, from, &mut |commit, segment| {
        if segment != at.0 {
            at = (segment, 0);
        }
        at.1 += 1;
        match lost {
            Some(head) if head == Head::of(commit) => lost = None,
            Some(head) if head.seq == commit.seq => stranger = Some(at),
            Some(_) | None => {}
        }
        take(commit, segment);
    })?;
    let Some(lost) = lost else { return Ok(end) };
    let (segment, line) = stranger.unwrap_or((at.0, at.1 + 1));
    Err(Error::Damaged {
        segment: layout::segment_name(segment),
        line,
        seq: stranger.map_or(end.place.head.seq + 1, |_| lost.seq),
        reason: LineError::Covered,
    })
}

/// Reads the valid lines of one window up to `until`, and returns whether there may be more.
fn read_window(
    disk: &mut dyn Disk,
    may_be_torn: bool,
    until: u64,
    end: &mut JournalEnd,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<bool, Error> {
    let before = end.place;
    let left = usize::try_from(until.saturating_sub(before.offset)).unwrap_or(usize::MAX);
    let wanted = left.min(WINDOW_BYTES);
    let bytes = read_at(disk, before.segment, before.offset, wanted)?;
    let more = bytes.len() == WINDOW_BYTES;
    match read_lines(&bytes, may_be_torn && !more, end, take) {
        Ok(()) => Ok(more),
        // The window may have cut the line: it is read again from its beginning.
        Err(_) if more && end.place.offset > before.offset => Ok(true),
        Err(reason) => Err(damage_at(disk, end.place, reason)?),
    }
}

/// Returns the error about a line that cannot be accepted.
fn damage_at(
    disk: &mut dyn Disk,
    place: JournalPosition,
    reason: LineError,
) -> Result<Error, Error> {
    Ok(Error::Damaged {
        segment: layout::segment_name(place.segment),
        line: lines_before(disk, place.segment, place.offset)? + 1,
        seq: place.head.seq + 1,
        reason,
    })
}

/// Reads bytes of a segment from `offset` on.
pub(crate) fn read_at(
    disk: &mut dyn Disk,
    number: u32,
    offset: u64,
    bytes_max: usize,
) -> Result<Vec<u8>, Error> {
    let path = layout::segment_path(number);
    disk.read_at(&path, offset, bytes_max)
        .map_err(|error| Error::file("read", path, error))
}

/// Reads lines as long as they are valid.
fn read_lines(
    bytes: &[u8],
    may_be_torn: bool,
    end: &mut JournalEnd,
    take: &mut dyn FnMut(&Commit, u32),
) -> Result<(), LineError> {
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
                end.place.head = Head::of(&commit);
                take(&commit, segment);
                rest = rest.get(taken..).unwrap_or_default();
            }
            Err(reason) if may_be_torn && is_torn(rest, &reason) => {
                end.torn_bytes = u64::try_from(rest.len()).unwrap_or(u64::MAX);
                break;
            }
            Err(reason) => return Err(reason),
        }
    }
    Ok(())
}

/// Decodes the commit at the start of some bytes. Returns it with its length in bytes.
fn read_line(bytes: &[u8], head: Head) -> Result<(Commit, usize), LineError> {
    let malformed = |what: &str| Err(LineError::Malformed(what.to_owned()));
    // Reading from memory cannot fail, and `skip_until` is fast.
    let taken = io::BufRead::skip_until(&mut &*bytes, b'\n').unwrap_or_default();
    let Some(line) = bytes.get(..taken).and_then(|it| it.strip_suffix(b"\n")) else {
        return malformed(if bytes.len() > JOURNAL_LINE_BYTES_MAX {
            TOO_LONG
        } else {
            "it has no end"
        });
    };
    if line.len() >= JOURNAL_LINE_BYTES_MAX {
        return malformed(TOO_LONG);
    }
    Ok((commit::decode(line, head.seq + 1, head.hash)?, taken))
}

/// Returns the number of lines of a segment that end before `offset`.
fn lines_before(disk: &mut dyn Disk, segment: u32, offset: u64) -> Result<u64, Error> {
    let (mut lines, mut from) = (0, 0);
    while from < offset {
        let left = usize::try_from(offset - from).unwrap_or(usize::MAX);
        let bytes = read_at(disk, segment, from, left.min(COUNTED_BYTES))?;
        if bytes.is_empty() {
            break;
        }
        from += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let ends = bytes.split(|byte| *byte == b'\n').count() - 1;
        lines += u64::try_from(ends).unwrap_or(u64::MAX);
    }
    Ok(lines)
}

/// Returns whether an invalid rest is a torn append: one incomplete line with no text after it.
/// A complete line that belongs to another place, or that a newer version wrote, is not torn; nor
/// are two lines that lost the end between them.
fn is_torn(rest: &[u8], reason: &LineError) -> bool {
    let inner = rest.strip_suffix(b"\n").unwrap_or(rest);
    let start = commit::LINE_START;
    let mut later = inner.windows(start.len()).skip(1);
    let alone = !inner.contains(&b'\n') && !later.any(|window| window == start);
    let torn = matches!(reason, LineError::Malformed(_) | LineError::Digest(_));
    torn && rest.len() <= JOURNAL_LINE_BYTES_MAX && alone
}
