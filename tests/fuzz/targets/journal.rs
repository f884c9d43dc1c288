//! Lines of the journal: as they stand, and once more with digests, hashes and numbers put right, since
//! no change of a byte would ever get past those. Nothing is read that was not written.

use crate::sim_disk::SimDisk;
use crate::store_lab::KV;
use kjxlkj_agent::core::journal::Hash;
use kjxlkj_agent::core::journal::commit::{Commit, decode, encode, place_of};
use kjxlkj_agent::store::disk::Disk as _;
use kjxlkj_agent::store::layout::{self, segment_path};
use kjxlkj_agent::store::{read_state, verify};
use serde_json::value::RawValue;
use std::path::Path;

/// Lines of one input that are looked at.
const LINES_MAX: usize = 8;

pub(super) fn run(input: &[u8]) {
    let lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').take(LINES_MAX).collect();
    for line in &lines {
        as_it_stands(line);
    }
    let (mut journal, mut good) = (Vec::new(), 0);
    let (mut seq, mut prev, mut whole) = (0, Hash::ZERO, true);
    for line in &lines {
        let Some(line) = std::str::from_utf8(line)
            .ok()
            .and_then(|line| mended(line, seq + 1, prev))
        else {
            continue;
        };
        let read = decode(line.as_bytes(), seq + 1, prev);
        if let Ok(commit) = &read {
            comes_back(&line, commit, prev);
        }
        journal.extend_from_slice(line.as_bytes());
        journal.push(b'\n');
        match read {
            Ok(commit) if whole => {
                (seq, prev) = (commit.seq, commit.hash);
                good += 1;
            }
            Ok(_) => {}
            Err(_) => whole = false,
        }
    }
    // What has no end, or is no line at all, stands behind the good ones.
    is_read(&journal, Some(good));
    is_read(input, None);
}

/// A line is taken only for what its own bytes say.
fn as_it_stands(line: &[u8]) {
    let Some((seq, prev, hash)) = place_of(line) else {
        assert!(decode(line, 1, Hash::ZERO).is_err());
        return;
    };
    match decode(line, seq, prev) {
        Ok(commit) => assert_eq!((commit.seq, commit.hash), (seq, hash)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let elsewhere = decode(line, seq.wrapping_add(1), prev);
    assert!(elsewhere.is_err(), "it is taken for the line behind it");
}

/// A commit that was read is written and read as the same.
fn comes_back(line: &str, commit: &Commit, prev: Hash) {
    assert_eq!(
        place_of(line.as_bytes()),
        Some((commit.seq, prev, commit.hash)),
        "{line}"
    );
    let (written, hash) = encode(&commit.draft, commit.seq, prev).unwrap();
    let (end, body) = written.split_last().unwrap();
    assert!(*end == b'\n' && !body.contains(&b'\n'));
    let again = decode(body, commit.seq, prev);
    let same = Commit {
        hash,
        ..commit.clone()
    };
    assert_eq!(again, Ok(same), "{line}");
    let (twice, _) = encode(&commit.draft, commit.seq, prev).unwrap();
    assert_eq!(twice, written);
}

/// A line with the number and the predecessor that it should have, and the digests and the hash that its
/// bytes have. `None` where there is nothing to put right.
fn mended(line: &str, seq: u64, prev: Hash) -> Option<String> {
    let (head, rest) = line.split_once(",\"hash\":\"")?;
    let (_, data) = rest.split_once("\"data\":")?;
    let data = data.strip_suffix('}')?;
    let payloads: Vec<&RawValue> = serde_json::from_str(data).ok()?;
    let head = replaced(head, "\"prev\":\"", |_| prev.to_string());
    let mut payloads = payloads.iter();
    let head = replaced(&head, "\"digest\":\"", |known| match payloads.next() {
        Some(payload) => Hash::of(payload.get().as_bytes()).to_string(),
        None => known.to_owned(),
    });
    let (before, after) = head.split_once("\"seq\":")?;
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let head = format!("{before}\"seq\":{seq}{after}");
    let hash = Hash::of(head.as_bytes());
    Some(format!("{head},\"hash\":\"{hash}\",\"data\":{data}}}"))
}

/// A text with the 64 letters behind every mark replaced.
fn replaced(text: &str, mark: &str, mut put: impl FnMut(&str) -> String) -> String {
    let mut parts = text.split(mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(mark);
        match part.split_at_checked(64) {
            Some((known, behind)) => out.extend([&put(known), behind]),
            None => out.push_str(part),
        }
    }
    out
}

/// A journal of these bytes is read by every reader, with as many good commits as there are.
fn is_read(bytes: &[u8], good: Option<u64>) {
    let mut disk = SimDisk::new(1);
    for folder in [layout::DATA, layout::JOURNAL] {
        disk.create_folder(Path::new(folder)).unwrap();
    }
    disk.plant(&segment_path(1), bytes);
    let verified = verify(&mut disk).unwrap();
    if let Some(good) = good {
        assert_eq!(verified.commits, good, "{verified:?}");
    }
    assert_eq!(verified.head.seq, verified.commits);
    assert_eq!(verified.ok, verified.first_bad.is_none());
    let read = read_state(&mut disk, Path::new(KV));
    if read.is_ok() {
        assert!(verified.ok, "a state of a journal that does not hold");
    }
}
