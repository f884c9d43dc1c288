//! Noticing what a person did to the views: a file is left alone until it lies still, then either
//! taken in as one commit by the user, or put beside the file with the reason. Nothing that was
//! edited is ever just overwritten.

use super::disk::{Disk as _, FileStat};
use super::error::Error;
use super::journal::Log as _;
use super::journal::recover::Since;
use super::note_edits::FILES_PER_LOOK;
use super::quarantine::{self, Found};
use super::queries::notes::histories;
use super::views::{SwappedOut, View};
use super::{Store, kv_edits, layout};
use crate::core::guard::{Approved, Edited};
use crate::core::journal::event::{Change, EditRefused};
use crate::core::journal::{Actor, ActorType, Cause, Draft, Event, Hash};
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::{DEFERRED_FILE_BYTES_MAX, EDIT_SETTLE_MS, KV_FILE_BYTES_MAX};
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What looking for edits came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReport {
    /// What a person changed: these are committed now.
    pub edited: Edited,
    /// An edit is being written; look again soon.
    pub waiting: bool,
    /// What was taken in, a line each.
    pub taken: Vec<String>,
    /// What a person should hear.
    pub notices: Vec<String>,
}

/// Edits that were seen and are not judged yet, and what is needed to judge them.
#[derive(Debug)]
pub(super) struct Watch {
    candidates: BTreeMap<View, Candidate>,
    /// Those that an exchange brought out while somebody had them open, by where they wait.
    swapped_out: BTreeMap<PathBuf, Candidate>,
    /// Strangers' files in the notes folder, by name.
    pub(super) strangers: BTreeMap<String, Candidate>,
    /// What lies there and is nobody's note.
    pub(super) ignored: super::ignored::ReportedNames,
    /// The time since the checkpoint that the start found.
    pub(super) since: Since,
    /// Whether the KV file has not been judged since a stop that was not in good order.
    pub(super) kv_suspect: bool,
    /// Where the slow look over the notes goes on.
    pub(super) next_note: Option<NoteId>,
    /// Notes to be looked at before any other: somebody told of a change.
    pub(super) touched: BTreeSet<NoteId>,
    /// How many notes the next look takes.
    pub(super) notes_per_look: usize,
    /// How the notes folder looked when it was last listed.
    pub(super) folder: Option<FileStat>,
    /// Whether the note files were compared with what they should hold.
    pub(super) compared: bool,
    /// The versions since the checkpoint of notes whose files are not understood after a stop that
    /// was not in good order: what a file has in common with one of these is not an edit.
    pub(super) versions: BTreeMap<NoteId, Vec<Note>>,
    /// Refused edits that are kept beside their files and not journaled yet, for want of room.
    pub(super) refused: Vec<EditRefused>,
    /// What was found and not yet reported.
    pub(super) report: EditReport,
}

/// The values, or absences, that each key had in some time.
pub(super) type KnownValues = BTreeMap<String, Vec<Option<Value>>>;

/// A file that is not as it was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    stat: Option<FileStat>,
    since: Timestamp,
}

impl Candidate {
    /// Whether the file has lain still for long enough; starts again when it changed.
    pub(super) fn lies_still(
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
    pub(super) fn after_start(since: Since) -> Self {
        Self {
            candidates: BTreeMap::new(),
            swapped_out: BTreeMap::new(),
            strangers: BTreeMap::new(),
            ignored: super::ignored::ReportedNames::default(),
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

    /// Whether bytes are an old view that a stop left behind: empty, all NUL, or known.
    pub(super) fn is_stale(&self, bytes: &[u8]) -> bool {
        !self.since.clean && self.is_left_over(bytes)
    }

    /// A view ends with a newline, and half of one is valid JSON only if nothing else is missing.
    fn is_left_over(&self, bytes: &[u8]) -> bool {
        let is_known = |bytes: &[u8]| self.since.known.contains(&Hash::of(bytes));
        bytes.iter().all(|byte| *byte == 0)
            || is_known(bytes)
            || !bytes.ends_with(b"\n") && is_known(&[bytes, b"\n"].concat())
    }

    /// Whether files are still to be looked at that a stop may have left behind.
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.since.clean && (self.kv_suspect || !self.compared || !self.versions.is_empty())
    }

    /// Whether a changed view has lain still for long enough; if not, somebody should look again.
    pub(super) fn is_settled(
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
    fn is_let_go(&mut self, place: &Path, stat: Option<FileStat>, now: Timestamp) -> bool {
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
    pub(super) fn is_unfinished(&self) -> bool {
        !self.candidates.is_empty() || !self.strangers.is_empty() || !self.refused.is_empty()
    }

    /// The notes that were seen to change and do not lie still yet, and those that were told of.
    pub(super) fn take_touched(&mut self) -> BTreeSet<NoteId> {
        let waiting = self.candidates.keys().filter_map(|view| match view {
            View::Note(id) => Some(*id),
            View::Kv | View::AtRest(_) => None,
        });
        let mut touched: BTreeSet<NoteId> = waiting.collect();
        touched.append(&mut self.touched);
        touched
    }

    /// A view is in order: whatever was seen of it before does not count.
    pub(super) fn forget(&mut self, view: View) {
        self.candidates.remove(&view);
        match view {
            View::Kv => self.kv_suspect = false,
            View::Note(id) => drop(self.versions.remove(&id)),
            View::AtRest(_) => {}
        }
    }
}

impl Store {
    /// Takes in what a person changed in the KV file and in note files. Also writes what is pending,
    /// so that nothing is looked at before it is in place, and checks that the root is still where
    /// it was.
    ///
    /// # Errors
    /// After [`Error::Full`] nothing is lost: what was taken in so far is reported the next time.
    pub fn take_edits(&mut self, now: Timestamp) -> Result<EditReport, Error> {
        self.disk
            .check_root()
            .map_err(|error| Error::file("look at", layout::DATA, error))?;
        self.edits.report.waiting = false;
        self.settle()?;
        self.settle_refused(now)?;
        self.take_all_swapped_out(now)?;
        if !self.disk.is_private() {
            self.look_at_kv(now)?;
            self.look_at_deferred(now)?;
            if self.edits.compared {
                self.look_at_notes(now)?;
            }
        }
        self.take_all_swapped_out(now)?;
        self.settle_refused(now)?;
        Ok(std::mem::take(&mut self.edits.report))
    }

    /// Judges the files that exchanges brought out and that lie still. Each stays where it is until
    /// what it says is committed.
    pub(super) fn take_all_swapped_out(&mut self, now: Timestamp) -> Result<(), Error> {
        let mut next = 0;
        while let Some(swapped_out) = self.views.swapped_out.get(next).cloned() {
            let failed = |error| Error::file("look at", &swapped_out.path, error);
            let stat = self.disk.stat(&swapped_out.path).map_err(failed)?;
            if !self.edits.is_let_go(&swapped_out.path, stat, now) {
                next += 1;
                continue;
            }
            self.take_swapped_out(&swapped_out, now)?;
            // Its name is safely gone only with the next sync of its folder.
            self.views.unsynced.insert(swapped_out.view);
            self.views.swapped_out.remove(next);
        }
        Ok(())
    }

    fn take_swapped_out(&mut self, swapped_out: &SwappedOut, now: Timestamp) -> Result<(), Error> {
        let bytes_max = self.bytes_max(swapped_out.view);
        let bytes = match quarantine::find(self.disk.as_mut(), &swapped_out.path, bytes_max)? {
            Found::Nothing => return Ok(()),
            Found::Odd(reason) => {
                let path = self.views.path(swapped_out.view);
                return self.set_odd_aside(&swapped_out.path, &path, &reason, now);
            }
            Found::Bytes(bytes) => bytes,
        };
        match swapped_out.view {
            View::Kv => self.judge_swapped_kv(swapped_out, &bytes, now)?,
            View::Note(id) => self.judge_swapped_note(id, swapped_out, &bytes, now)?,
            View::AtRest(view) => self.judge_swapped_deferred(view, swapped_out, &bytes, now)?,
        }
        self.disk
            .remove(&swapped_out.path)
            .map_err(|error| Error::file("remove", &swapped_out.path, error))
    }

    fn judge_swapped_kv(
        &mut self,
        swapped_out: &SwappedOut,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<(), Error> {
        if swapped_out.leftover {
            let good = self.state.ram.to_file();
            if self.is_unfinished(bytes, &good, &self.views.kv_path.clone(), now)? {
                return Ok(());
            }
        }
        let base = swapped_out.base.as_deref().and_then(kv_edits::entries_of);
        self.judge_kv(bytes, base.as_ref(), now)
    }

    fn judge_swapped_note(
        &mut self,
        id: NoteId,
        swapped_out: &SwappedOut,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<(), Error> {
        let wanted = |other| other == id;
        let versions = histories(&mut self.reader(), &wanted)?;
        let versions = versions.into_values().flatten().map(|version| version.note);
        let versions: Vec<Note> = versions.collect();
        if versions.iter().any(|note| note.to_file() == bytes) {
            return Ok(());
        }
        if swapped_out.leftover {
            let good = self.rendered(View::Note(id)).map(|new| new.bytes);
            let path = self.views.path(View::Note(id));
            if self.is_unfinished(bytes, &good.unwrap_or_default(), &path, now)? {
                return Ok(());
            }
        }
        self.judge_note(id, bytes, versions, now)
    }

    /// Whether a leftover is a view of ours, or half of one. What cannot be read at all is kept.
    pub(super) fn is_unfinished(
        &mut self,
        bytes: &[u8],
        good: &[u8],
        path: &Path,
        now: Timestamp,
    ) -> Result<bool, Error> {
        if self.edits.is_left_over(bytes) || good.starts_with(bytes) {
            return Ok(true);
        }
        if crate::strict_json::parse(bytes).is_ok() {
            return Ok(false);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let kept = quarantine::keep(self.disk.as_mut(), &name, bytes, now)?;
        self.edits.report.notices.push(format!(
            "a half-written {} was left behind; it is kept as {}",
            path.display(),
            kept.display()
        ));
        Ok(true)
    }

    /// The largest file that is taken in for a view, in bytes; never less than it holds by right.
    pub(super) fn bytes_max(&self, view: View) -> usize {
        match view {
            View::Kv => KV_FILE_BYTES_MAX.max(self.views.kv_bytes.len()),
            View::Note(_) => super::note_files::NOTE_FILE_BYTES_MAX,
            View::AtRest(_) => DEFERRED_FILE_BYTES_MAX,
        }
    }

    /// For each key, every value (or absence) that it had since the checkpoint of the start.
    pub(super) fn values_since(&mut self) -> Result<KnownValues, Error> {
        let mut ram = self.edits.since.ram()?;
        let values = ram.entries();
        let mut known: KnownValues = values
            .map(|(key, value)| (key.to_owned(), vec![Some(value.clone())]))
            .collect();
        let from = self.edits.since.from;
        self.journal
            .read_from(self.disk.as_mut(), from, &mut |commit| {
                for event in &commit.draft.events {
                    let Event::Change(change) = event else {
                        continue;
                    };
                    let key = match change.get() {
                        Change::RamSet(set) => {
                            ram.set(set.key.clone(), set.value.clone());
                            &set.key
                        }
                        Change::RamDeleted(deleted) => {
                            ram.delete(&deleted.key);
                            &deleted.key
                        }
                        Change::StorageSet(_)
                        | Change::StorageDeleted(_)
                        | Change::NoteCreated(_)
                        | Change::NoteUpdated(_)
                        | Change::NoteDeleted(_) => {
                            continue;
                        }
                    };
                    // A key that turns up here was absent before.
                    let values = known.entry(key.clone()).or_insert_with(|| vec![None]);
                    values.push(ram.get(key).cloned());
                }
            })?;
        Ok(known)
    }
}

/// A commit by the person.
pub(super) fn user_draft(changes: Vec<Approved<Change>>, now: Timestamp) -> Draft {
    Draft {
        ts: now,
        actor: Actor {
            actor_type: ActorType::User,
        },
        cause: Cause::plain("edit"),
        events: changes.into_iter().map(Event::Change).collect(),
    }
}

/// A commit that the program makes for itself.
pub(crate) const fn own_draft(cause: Cause, events: Vec<Event>, now: Timestamp) -> Draft {
    Draft {
        ts: now,
        actor: Actor {
            actor_type: ActorType::Daemon,
        },
        cause,
        events,
    }
}
