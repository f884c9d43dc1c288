//! What was seen of a person's edits and is not judged yet: a file is left alone until it lies still.

use super::View;
use super::edits::EditReport;
use crate::core::journal::Hash;
use crate::core::journal::event::EditRefused;
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::EDIT_SETTLE_MS;
use crate::store::disk::FileStat;
use crate::store::file_watch::Seen;
use crate::store::ignored::ReportedNames;
use crate::store::journal::recover::Since;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Notes looked at in one go. At one go a second this sees every one of 10,000 notes in 40 s.
const FILES_PER_LOOK: usize = 256;

/// Edits that were seen and are not judged yet, and what is needed to judge them.
#[derive(Debug)]
pub(crate) struct Watch {
    candidates: BTreeMap<View, Candidate>,
    /// Those that an exchange brought out while somebody had them open, by where they wait.
    swapped_out: BTreeMap<PathBuf, Candidate>,
    /// Strangers' files in the notes folder, by name.
    pub(crate) strangers: BTreeMap<String, Candidate>,
    /// What lies there and is nobody's note.
    pub(crate) ignored: ReportedNames,
    /// The time since the checkpoint that the start found.
    pub(crate) since: Since,
    /// Whether the KV file has not been judged since a stop that was not in good order.
    pub(crate) kv_suspect: bool,
    /// Where the slow look over the notes goes on.
    next_note: Option<NoteId>,
    /// Notes to be looked at before any other: somebody told of a change.
    touched: BTreeSet<NoteId>,
    /// How many notes the next look takes.
    notes_per_look: usize,
    /// How the notes folder looked when it was last listed.
    pub(crate) folder: Option<FileStat>,
    /// Whether the note files were compared with what they should hold.
    pub(crate) compared: bool,
    /// The versions since the checkpoint of notes whose files are not understood after a stop that
    /// was not in good order: what a file has in common with one of these is not an edit.
    pub(crate) versions: BTreeMap<NoteId, Vec<Note>>,
    /// Refused edits that are kept beside their files and not journaled yet, for want of room.
    pub(crate) refused: Vec<EditRefused>,
    /// What was found and not yet reported.
    pub(crate) report: EditReport,
}

/// A file that is not as it was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    stat: Option<FileStat>,
    since: Timestamp,
}

impl Candidate {
    /// Whether the file has lain still for long enough; starts again when it changed.
    pub(crate) fn lies_still(
        slot: &mut Option<Self>,
        stat: Option<FileStat>,
        now: Timestamp,
        settle_ms: u64,
    ) -> bool {
        let settle_ms = i64::try_from(settle_ms).unwrap_or(i64::MAX);
        match slot {
            // Where the clock was put back, it would lie there until the old time comes again.
            Some(candidate) if candidate.stat == stat && candidate.since <= now => {
                now.millis.saturating_sub(candidate.since.millis) >= settle_ms
            }
            _ => {
                *slot = Some(Self { stat, since: now });
                // A file whose last change is long past was finished before we looked.
                let changed_ms = stat.map_or(now.millis, |stat| stat.modified_ns / 1_000_000);
                now.millis.saturating_sub(changed_ms) >= settle_ms
            }
        }
    }
}

impl Watch {
    /// What to make of files that differ, after a start.
    pub(crate) fn after_start(since: Since) -> Self {
        Self {
            candidates: BTreeMap::new(),
            swapped_out: BTreeMap::new(),
            strangers: BTreeMap::new(),
            ignored: ReportedNames::default(),
            kv_suspect: !since.clean,
            since,
            next_note: None,
            touched: BTreeSet::new(),
            notes_per_look: FILES_PER_LOOK,
            folder: None,
            compared: false,
            versions: BTreeMap::new(),
            refused: Vec::new(),
            report: EditReport::default(),
        }
    }

    /// Takes down what somebody saw change, so that the next look finds it.
    pub(crate) fn note_seen(&mut self, seen: &Seen) {
        self.touched.extend(&seen.notes);
        if seen.stranger || seen.everything {
            // Its time may be the same although its names are not.
            self.folder = None;
        }
        if seen.everything {
            self.next_note = None;
            self.look_at_notes_next(usize::MAX);
        }
    }

    /// Has the next look take in at least so many notes.
    pub(crate) fn look_at_notes_next(&mut self, count: usize) {
        self.notes_per_look = self.notes_per_look.max(count);
    }

    /// Returns the notes that the next look takes, and moves on: some of all, and those seen to change.
    pub(crate) fn take_due_notes(&mut self, all: &BTreeMap<NoteId, Hash>) -> Vec<NoteId> {
        let mut ids = match self.next_note.take() {
            Some(from) => all.range(from..),
            None => all.range(..),
        };
        let count = std::mem::replace(&mut self.notes_per_look, FILES_PER_LOOK);
        let mut due: Vec<NoteId> = ids.by_ref().take(count).map(|it| *it.0).collect();
        self.next_note = ids.next().map(|it| *it.0);
        due.extend(self.take_touched());
        due
    }

    /// Whether bytes are an old view that a stop left behind: empty, all NUL, or known.
    pub(crate) fn is_stale(&self, bytes: &[u8]) -> bool {
        !self.since.clean && self.is_left_over(bytes)
    }

    /// A view ends with a newline, and half of one is valid JSON only if nothing else is missing.
    pub(crate) fn is_left_over(&self, bytes: &[u8]) -> bool {
        let is_known = |bytes: &[u8]| self.since.known.contains(&Hash::of(bytes));
        bytes.iter().all(|byte| *byte == 0)
            || is_known(bytes)
            || !bytes.ends_with(b"\n") && is_known(&[bytes, b"\n"].concat())
    }

    /// Whether files are still to be looked at that a stop may have left behind.
    pub(crate) fn is_in_doubt(&self) -> bool {
        !self.since.clean && (self.kv_suspect || !self.compared || !self.versions.is_empty())
    }

    /// Whether a changed view has lain still for long enough; if not, somebody should look again.
    pub(crate) fn is_settled(
        &mut self,
        view: View,
        stat: Option<FileStat>,
        now: Timestamp,
    ) -> bool {
        let mut slot = self.candidates.remove(&view);
        let settled = Candidate::lies_still(&mut slot, stat, now, EDIT_SETTLE_MS);
        if !settled {
            self.report.waiting = true;
            self.candidates
                .extend(slot.map(|candidate| (view, candidate)));
        }
        settled
    }

    /// Whether nobody writes any more to a file that came out of an exchange.
    pub(crate) fn is_let_go(
        &mut self,
        place: &Path,
        stat: Option<FileStat>,
        now: Timestamp,
    ) -> bool {
        let mut slot = self.swapped_out.remove(place);
        let still = Candidate::lies_still(&mut slot, stat, now, EDIT_SETTLE_MS);
        if !still {
            self.report.waiting = true;
            let slot = slot.map(|candidate| (place.to_path_buf(), candidate));
            self.swapped_out.extend(slot);
        }
        still
    }

    /// Whether something that was seen is not judged or not journaled yet.
    pub(crate) fn is_unfinished(&self) -> bool {
        !self.candidates.is_empty() || !self.strangers.is_empty() || !self.refused.is_empty()
    }

    /// The notes that were seen to change and do not lie still yet, and those that were told of.
    fn take_touched(&mut self) -> BTreeSet<NoteId> {
        let waiting = self.candidates.keys().filter_map(|view| match view {
            View::Note(id) => Some(*id),
            View::Kv | View::AtRest(_) => None,
        });
        let mut touched: BTreeSet<NoteId> = waiting.collect();
        touched.append(&mut self.touched);
        touched
    }

    /// A view is in order: whatever was seen of it before does not count.
    pub(crate) fn forget(&mut self, view: View) {
        self.candidates.remove(&view);
        match view {
            View::Kv => self.kv_suspect = false,
            View::Note(id) => drop(self.versions.remove(&id)),
            View::AtRest(_) => {}
        }
    }
}
