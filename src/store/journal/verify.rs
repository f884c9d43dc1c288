//! The checks of the whole journal: all lines, and whether the checkpoint agrees with them.
//! A start reads only the checkpoint and the lines behind it, so a checkpoint that differs would
//! replace acknowledged state. For processes that do not hold the root, and for the background of
//! one that does. Never writes, and sees only complete commits, even while a daemon writes.

use super::checkpoint::{self, Checkpoint, Facts};
use super::reader::first_of;
use super::recover;
use super::scan::{self, JournalPosition};
use super::{Head, LastLine};
use crate::core::journal::{Commit, Hash, State};
use crate::core::notes::Note;
use crate::core::run::{Run, Runs};
use crate::failure::Code;
use crate::ids::{NoteId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use crate::store::views::deferred::DeferredView;
use crate::store::views::files::ViewFiles;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a check of the whole journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// Whether the journal is intact.
    pub ok: bool,
    /// The number of commits that were read.
    pub commits: u64,
    /// The last good commit.
    pub head: Head,
    /// The first bad place.
    pub first_bad: Option<JournalDefect>,
    /// The number of bytes of a torn append behind the last good commit.
    /// The next start moves them to quarantine.
    pub torn_bytes: u64,
}

/// A bad place in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JournalDefect {
    /// The number that the commit there should have.
    pub seq: u64,
    /// The name of the segment; empty if no single one is bad.
    pub segment: String,
    /// The number of the line in it, from 1.
    pub line: u64,
    pub reason: String,
    /// The code of the error with which a start refuses this journal.
    pub code: Code,
}

/// Checks every line of the kept journal: form, chain and digests.
/// The checkpoint's commit must be among them, and the checkpoint must agree with the journal. An
/// empty journal must have no traces of a past.
pub fn verify(disk: &mut dyn Disk) -> Result<VerifyReport, Error> {
    let before = first_of(disk)?;
    let verified = verify_once(disk);
    if verified.as_ref().is_ok_and(|verified| verified.ok) || first_of(disk)? == before {
        return verified;
    }
    // A daemon retired segments meanwhile.
    verify_once(disk)
}

fn verify_once(disk: &mut dyn Disk) -> Result<VerifyReport, Error> {
    let (checkpoint, is_bad) = match checkpoint::read(disk)? {
        Ok(checkpoint) => (checkpoint, false),
        Err(_) => (None, true),
    };
    let first = match &checkpoint {
        Some(checkpoint) => checkpoint.facts.first,
        None => recover::first_in_range(disk)?,
    };
    let mut commits = 0;
    let mut head = first.head;
    // A checkpoint states where the kept journal begins; without one, the carried state does.
    let stated = checkpoint
        .as_ref()
        .map_or(JournalPosition::START, |it| it.facts.first);
    let mut carried = stated.segment;
    let unverified_prefix = checkpoint.as_ref().map(|it| it.facts.head);
    let mut agreement = checkpoint.map(Agreement::of);
    let scanned = scan::scan_prefix(disk, first, unverified_prefix, &mut |commit, _| {
        commits += 1;
        head = Head::of(commit);
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
        Ok(_) if carried < first.segment => {
            let reason = "the journal begins here, but what came before was never carried over";
            Some(JournalDefect {
                seq: first.head.seq + 1,
                segment: layout::segment_name(first.segment),
                line: 1,
                reason: reason.to_owned(),
                code: Code::DataCorrupt,
            })
        }
        Ok(_) => None,
        Err(error) => Some(JournalDefect::of(error, head)?),
    };
    if first_bad.is_none()
        && let Some(agreement) = agreement
    {
        first_bad = agreement.difference()?.map(|reason| JournalDefect {
            seq: unverified_prefix.unwrap_or(head).seq,
            segment: "checkpoint.json".to_owned(),
            line: 1,
            reason,
            code: Code::DataCorrupt,
        });
    }
    Ok(VerifyReport {
        ok: first_bad.is_none(),
        commits,
        head,
        first_bad,
        torn_bytes,
    })
}

impl JournalDefect {
    /// Returns the damage that ended the reading behind `head`; an error of another kind stays one.
    fn of(error: Error, head: Head) -> Result<Self, Error> {
        let code = error.code();
        match error {
            Error::Damaged {
                segment,
                line,
                seq,
                reason,
            } => Ok(Self {
                seq,
                segment,
                line,
                reason: reason.to_string(),
                code,
            }),
            Error::Incomplete(reason) => Ok(Self {
                seq: head.seq + 1,
                segment: String::new(),
                line: 0,
                reason,
                code,
            }),
            Error::Full(_)
            | Error::Journal(_)
            | Error::File { .. }
            | Error::TooLarge { .. }
            | Error::Encode(_)
            | Error::AfterCommit { .. } => Err(error),
        }
    }
}

/// The journal lines that the checkpoint of a start covers. They never change any more.
#[derive(Clone, Copy, Debug)]
pub struct UnverifiedPrefix {
    /// The beginning of the kept journal.
    first: JournalPosition,
    last: LastLine,
    head: Head,
}

impl UnverifiedPrefix {
    /// Returns the prefix that a checkpoint covers, if it covers any commit.
    pub(crate) fn of(checkpoint: &Facts) -> Option<Self> {
        checkpoint.last.map(|last| Self {
            first: checkpoint.first,
            last,
            head: checkpoint.head,
        })
    }

    /// Verifies every line: form, chain and digests.
    /// Old segments may be retired meanwhile, and the journal may grow.
    ///
    /// # Errors
    /// [`Error::Damaged`] and [`Error::Incomplete`], like a start on this journal without its
    /// checkpoint.
    pub fn check(&self, disk: &mut dyn Disk) -> Result<(), Error> {
        let mut first = self.first;
        while first.head.seq < self.head.seq {
            let Err(error) = scan::check_until(disk, first, self.last, self.head) else {
                return Ok(());
            };
            if matches!(error, Error::Damaged { .. }) {
                return Err(error);
            }
            // Before segments are removed, the checkpoint states a later beginning.
            match checkpoint::read(disk)?.ok().flatten() {
                Some(now) if now.facts.first.segment > first.segment => first = now.facts.first,
                Some(_) | None => return Err(error),
            }
        }
        Ok(())
    }
}

/// The number of differences that are named one by one.
const NAMED_MAX: usize = 5;

/// The state of the journal alone, up to the commit that a checkpoint covers.
struct Agreement {
    checkpoint: Checkpoint,
    state: State,
    views: ViewFiles,
    /// The digests of files that the journal names.
    named: BTreeSet<Hash>,
    /// Whether the commit that the checkpoint covers has been read.
    is_read: bool,
    /// The first error of reading a digest of the journal.
    failure: Option<Error>,
}

impl Agreement {
    fn of(checkpoint: Checkpoint) -> Self {
        Self {
            checkpoint,
            state: State::empty(),
            views: ViewFiles::default(),
            named: BTreeSet::new(),
            is_read: false,
            failure: None,
        }
    }

    /// Applies the next commit of the kept journal, unless it is newer than the checkpoint.
    fn take(&mut self, commit: &Commit) {
        if commit.seq > self.checkpoint.facts.head.seq {
            return;
        }
        self.is_read |= commit.seq == self.checkpoint.facts.head.seq;
        self.state.apply_draft(&commit.draft);
        if let Err(error) = self.views.note_commit(commit, &mut self.named) {
            self.failure.get_or_insert(error);
        }
    }

    /// Returns the differences in words; `None` if checkpoint and journal agree.
    /// A journal that does not reach the checkpoint's commit gives `None`, since that is reported
    /// elsewhere.
    fn difference(mut self) -> Result<Option<String>, Error> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if !self.is_read {
            return Ok(None);
        }
        let mut differing = self.notes()?;
        let Checkpoint { facts, state, .. } = &self.checkpoint;
        if state.main.ram != self.state.main.ram {
            differing.push("RAM".to_owned());
        }
        let tree =
            |views: &BTreeMap<DeferredView, Hash>| views.get(&DeferredView::Storage).copied();
        let named = tree(&self.views.deferred.digests);
        if named.is_some() && named != tree(&facts.view_digests) {
            differing.push("/storage".to_owned());
        }
        if state.proposals != self.state.proposals {
            differing.push("proposals".to_owned());
        }
        if state.schedule_cursor != self.state.schedule_cursor {
            differing.push("what schedules wait for".to_owned());
        }
        if state.spending != self.state.spending {
            differing.push("spending".to_owned());
        }
        differing.extend(self.runs());
        Ok(worded(&differing))
    }

    /// Returns the runs that only one of the two has, or whose records differ.
    fn runs(&self) -> Vec<String> {
        let said = &self.checkpoint.state.runs;
        // If old segments are gone, the carried state need not include all remembered runs.
        let is_complete = self.checkpoint.facts.first.head == Head::START;
        let known = |runs: &Runs| -> BTreeMap<RunId, Option<Run>> {
            let runs = runs.newest_first();
            let runs = runs.filter(|run| is_complete || !run.is_finished());
            runs.map(|run| (run.run_id, is_complete.then(|| run.clone())))
                .collect()
        };
        let (records, journaled) = (known(said), known(&self.state.runs));
        let ids: BTreeSet<RunId> = records.keys().chain(journaled.keys()).copied().collect();
        let differing = ids.iter().filter(|id| records.get(id) != journaled.get(id));
        let mut differing: Vec<String> = differing.map(|id| format!("run {id}")).collect();
        if is_complete && said.past() != self.state.runs.past() {
            differing.push("the runs of long ago".to_owned());
        }
        differing
    }

    /// Returns the notes that only one of the two has, or whose files the journal never named.
    fn notes(&mut self) -> Result<Vec<String>, Error> {
        let said: BTreeMap<NoteId, Hash> = self.checkpoint.notes.read()?.clone();
        let journaled: BTreeMap<NoteId, &Note> = self
            .state
            .notes
            .iter()
            .map(|note| (note.id, note))
            .collect();
        let ids: BTreeSet<NoteId> = said.keys().chain(journaled.keys()).copied().collect();
        let agrees = |id: &NoteId| match (said.get(id), journaled.get(id)) {
            (Some(digest), Some(note)) => {
                self.named.contains(digest) || Hash::of(&note.to_file()) == *digest
            }
            _ => false,
        };
        let differing = ids.iter().filter(|id| !agrees(id));
        Ok(differing.map(|id| format!("note {id}")).collect())
    }
}

fn worded(differing: &[String]) -> Option<String> {
    let (named, more) = differing.split_at(differing.len().min(NAMED_MAX));
    let more = match more.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    (!named.is_empty())
        .then(|| format!("it differs from the journal in {}{more}", named.join(", ")))
}
