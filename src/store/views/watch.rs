//! The edits that were seen and are not judged yet: a file is left alone until it is stable.

use super::View;
use super::edits::EditReport;
use crate::core::journal::Hash;
use crate::core::journal::event::EditRefused;
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::EDIT_SETTLE_MS;
use crate::store::disk::FileStat;
use crate::store::file_watch::FileChanges;
use crate::store::ignored::ReportedNames;
use crate::store::journal::recover::CheckpointTail;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The number of notes read in one look. At one look a second, 10,000 notes take 40 s.
const FILES_PER_LOOK: usize = 256;

/// The edits that were seen and are not judged yet, and the facts needed to judge them.
#[derive(Debug)]
pub(crate) struct EditWatch {
    candidates: BTreeMap<View, PendingFile>,
    /// The replaced files that may still be written to, by their present path.
    swapped_out: BTreeMap<PathBuf, PendingFile>,
    /// The foreign files in the notes folder, by name.
    pub(crate) strangers: BTreeMap<String, PendingFile>,
    /// The reported names in the notes folder that are ignored.
    pub(crate) ignored: ReportedNames,
    /// The facts about the time since the checkpoint that the start found.
    pub(crate) since: CheckpointTail,
    /// Whether the KV file has not been judged since a crash.
    pub(crate) kv_suspect: bool,
    /// The note at which the slow look over all notes continues.
    next_note: Option<NoteId>,
    /// The notes to be read before others, since a change was reported.
    touched: BTreeSet<NoteId>,
    /// The number of notes that the next look reads.
    notes_per_look: usize,
    /// The facts about the notes folder when it was last listed.
    pub(crate) folder: Option<FileStat>,
    /// Whether the note files were compared with the content that they should have.
    pub(crate) compared: bool,
    /// The versions since the checkpoint of notes whose files are unknown after a crash.
    /// A field that equals one of them is not an edit.
    pub(crate) versions: BTreeMap<NoteId, Vec<Note>>,
    /// The refused edits that are kept beside their files and not journaled yet, for lack of room.
    pub(crate) refused: Vec<EditRefused>,
    /// The findings that are not reported yet.
    pub(crate) report: EditReport,
}

/// A file that may still be written to: its facts, and since when it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingFile {
    stat: Option<FileStat>,
    since: Timestamp,
}

/// Returns whether a file has been stable for long enough, and is no candidate any more then.
/// The period restarts if the file changed.
pub(crate) fn is_stable<K: Ord>(
    candidates: &mut BTreeMap<K, PendingFile>,
    file: K,
    stat: Option<FileStat>,
    now: Timestamp,
    settle_ms: u64,
) -> bool {
    let candidate = candidates.remove(&file);
    // After the clock was set back, the file would wait until the old time comes again.
    let known = candidate.filter(|known| known.stat == stat && known.since <= now);
    // A file whose last change is long past was complete before the first look.
    let since_ms = match (known, stat) {
        (Some(known), _) => known.since.millis,
        (None, Some(stat)) => stat.modified_ns / 1_000_000,
        (None, None) => now.millis,
    };
    let settle_ms = i64::try_from(settle_ms).unwrap_or(i64::MAX);
    let is_stable = now.millis.saturating_sub(since_ms) >= settle_ms;
    if !is_stable {
        candidates.insert(file, known.unwrap_or(PendingFile { stat, since: now }));
    }
    is_stable
}

impl EditWatch {
    pub(crate) fn after_start(since: CheckpointTail) -> Self {
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

    /// Records changed files, so that the next look reads them.
    pub(crate) fn note_seen(&mut self, seen: &FileChanges) {
        self.touched.extend(&seen.notes);
        if seen.stranger || seen.everything {
            // The folder's time may be unchanged although its names are not.
            self.folder = None;
        }
        if seen.everything {
            self.next_note = None;
            self.look_at_notes_next(usize::MAX);
        }
    }

    /// Makes the next look read at least `count` notes.
    pub(crate) fn look_at_notes_next(&mut self, count: usize) {
        self.notes_per_look = self.notes_per_look.max(count);
    }

    /// Returns the notes that the next look reads, and moves on.
    /// They are some of all notes, and those with reported changes.
    pub(crate) fn take_due_notes(&mut self, all: &BTreeMap<NoteId, Hash>) -> Vec<NoteId> {
        let mut ids = match self.next_note.take() {
            Some(from) => all.range(from..),
            None => all.range(..),
        };
        let count = std::mem::replace(&mut self.notes_per_look, FILES_PER_LOOK);
        let mut due: Vec<NoteId> = ids.by_ref().take(count).map(|it| *it.0).collect();
        self.next_note = ids.next().map(|it| *it.0);
        // Those that are not stable yet, and those with reported changes, each once.
        let waiting = self.candidates.keys().filter_map(|view| match view {
            View::Note(id) => Some(*id),
            View::Kv | View::Deferred(_) => None,
        });
        self.touched.extend(waiting);
        due.extend(std::mem::take(&mut self.touched));
        due
    }

    /// Returns whether bytes are an old view that a stop left behind: empty, all NUL, or known.
    pub(crate) fn is_stale(&self, bytes: &[u8]) -> bool {
        !self.since.clean && self.is_left_over(bytes)
    }

    /// Returns whether bytes are empty, all NUL, or a known view.
    /// The final newline may be missing: without it, the view is still valid JSON.
    pub(crate) fn is_left_over(&self, bytes: &[u8]) -> bool {
        let is_known = |bytes: &[u8]| self.since.known.contains(&Hash::of(bytes));
        bytes.iter().all(|byte| *byte == 0)
            || is_known(bytes)
            || !bytes.ends_with(b"\n") && is_known(&[bytes, b"\n"].concat())
    }

    /// Returns whether files that a stop may have left behind are still to be read.
    pub(crate) fn is_in_doubt(&self) -> bool {
        !self.since.clean && (self.kv_suspect || !self.compared || !self.versions.is_empty())
    }

    /// Returns whether a changed view has been stable for long enough.
    /// If not, another look is needed.
    pub(crate) fn is_settled(
        &mut self,
        view: View,
        stat: Option<FileStat>,
        now: Timestamp,
    ) -> bool {
        let settled = is_stable(&mut self.candidates, view, stat, now, EDIT_SETTLE_MS);
        self.report.waiting |= !settled;
        settled
    }

    /// Returns whether a replaced file is no longer written to.
    pub(crate) fn is_let_go(
        &mut self,
        place: &Path,
        stat: Option<FileStat>,
        now: Timestamp,
    ) -> bool {
        let place = place.to_path_buf();
        let still = is_stable(&mut self.swapped_out, place, stat, now, EDIT_SETTLE_MS);
        self.report.waiting |= !still;
        still
    }

    /// Returns whether a foreign file in the notes folder is no longer written to.
    pub(crate) fn is_complete(&mut self, name: &str, stat: FileStat, now: Timestamp) -> bool {
        let (name, stat) = (name.to_owned(), Some(stat));
        let complete = is_stable(&mut self.strangers, name, stat, now, EDIT_SETTLE_MS);
        self.report.waiting |= !complete;
        complete
    }

    /// Returns whether an edit that was seen is not judged or not journaled yet.
    pub(crate) fn is_unfinished(&self) -> bool {
        !self.candidates.is_empty() || !self.strangers.is_empty() || !self.refused.is_empty()
    }

    /// Forgets earlier facts about a view that is in order now.
    pub(crate) fn forget(&mut self, view: View) {
        self.candidates.remove(&view);
        match view {
            View::Kv => self.kv_suspect = false,
            View::Note(id) => drop(self.versions.remove(&id)),
            View::Deferred(_) => {}
        }
    }
}
