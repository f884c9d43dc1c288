//! The check of the whole journal, for processes that do not hold the root.
//! Never writes, and sees only complete commits, even while a daemon writes.

use super::Head;
use super::agreement::Agreement;
use super::checkpoint::{self, First};
use super::reader::first_of;
use super::recover;
use super::scan::{self, End};
use crate::failure::Code;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use serde::Serialize;

/// The result of a check of the whole journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Whether the journal is intact.
    pub ok: bool,
    /// The number of commits that were read.
    pub commits: u64,
    /// The last good commit.
    pub head: Head,
    /// The first bad place.
    pub first_bad: Option<FirstBad>,
    /// The number of bytes of a torn append behind the last good commit.
    /// The next start moves them to quarantine.
    pub torn_bytes: u64,
}

/// A bad place in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstBad {
    /// The number that the commit there should have.
    pub seq: u64,
    /// The name of the segment; empty if no single one is bad.
    pub segment: String,
    /// The number of the line in it, from 1.
    pub line: u64,
    /// The problem.
    pub reason: String,
    /// The code of the error with which a start refuses this journal.
    pub code: Code,
}

/// Checks every line of the kept journal: form, chain and digests.
/// The checkpoint's commit must be among them, and the checkpoint must agree with the journal. An
/// empty journal must have no traces of a past.
pub fn verify(disk: &mut dyn Disk) -> Result<Verified, Error> {
    let before = first_of(disk)?;
    let verified = verify_once(disk);
    if verified.as_ref().is_ok_and(|verified| verified.ok) || first_of(disk)? == before {
        return verified;
    }
    // A daemon retired segments meanwhile.
    verify_once(disk)
}

fn verify_once(disk: &mut dyn Disk) -> Result<Verified, Error> {
    let (checkpoint, is_bad) = match checkpoint::read(disk)? {
        Ok(checkpoint) => (checkpoint, false),
        Err(_) => (None, true),
    };
    let first = match &checkpoint {
        Some(checkpoint) => checkpoint.first,
        None => recover::first_in_range(disk)?,
    };
    let mut commits = 0;
    let mut head = first.head;
    // A checkpoint states where the kept journal begins; without one, the carried state does.
    let stated = checkpoint.as_ref().map_or(First::START, |it| it.first);
    let mut carried = stated.segment;
    let unverified_prefix = checkpoint.as_ref().map(|checkpoint| checkpoint.head);
    let mut agreement = checkpoint.map(Agreement::of);
    let scanned = scan::scan_prefix(disk, first.place(), unverified_prefix, &mut |commit, _| {
        commits += 1;
        head = Head {
            seq: commit.seq,
            hash: commit.hash,
        };
        carried = carried.max(recover::carried_by(commit));
        if let Some(agreement) = &mut agreement {
            agreement.take(commit);
        }
    });
    let scanned = scanned.and_then(|end| {
        if end.place.head == Head::START {
            recover::check_beginning(disk, is_bad)?;
        }
        Ok(end)
    });
    let torn_bytes = scanned.as_ref().map_or(0, |end| end.torn_bytes);
    let mut first_bad = match scanned {
        Ok(_) if carried < first.segment => Some(never_carried(first)),
        scanned => bad_of(scanned, head)?,
    };
    if first_bad.is_none()
        && let Some(agreement) = agreement
    {
        first_bad = agreement.difference()?.map(|reason| FirstBad {
            seq: unverified_prefix.unwrap_or(head).seq,
            segment: "checkpoint.json".to_owned(),
            line: 1,
            reason,
            code: Code::DataCorrupt,
        });
    }
    Ok(Verified {
        ok: first_bad.is_none(),
        commits,
        head,
        first_bad,
        torn_bytes,
    })
}

fn never_carried(first: First) -> FirstBad {
    let reason = "the journal begins here, but what came before was never carried over";
    FirstBad {
        seq: first.head.seq + 1,
        segment: layout::segment_name(first.segment),
        line: 1,
        reason: reason.to_owned(),
        code: Code::DataCorrupt,
    }
}

/// Returns the damage that ended the reading behind `head`, if the error is damage.
fn bad_of(scanned: Result<End, Error>, head: Head) -> Result<Option<FirstBad>, Error> {
    let Err(error) = scanned else {
        return Ok(None);
    };
    let code = error.code();
    let (segment, line, seq, reason) = if let Error::Damaged {
        segment,
        line,
        seq,
        reason,
    } = error
    {
        (segment, line, seq, reason.to_string())
    } else if let Error::Incomplete(reason) = error {
        (String::new(), 0, head.seq + 1, reason)
    } else {
        return Err(error);
    };
    Ok(Some(FirstBad {
        seq,
        segment,
        line,
        reason,
        code,
    }))
}
