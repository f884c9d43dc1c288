//! One commit: append and sync, add it to the state, put the changed views in place. Nothing is acknowledged
//! before all of that; what fails behind the sync undoes nothing and ends all writing.

use super::Store;
use super::edits::own_draft;
use super::error::Error;
use super::journal::retire::carried;
use super::journal::{Head, Log};
use super::views::{Rendered, View};
use crate::core::automation::match_rules;
use crate::core::journal::event::{NoteWritten, ViewsWritten};
use crate::core::journal::{Cause, Change, Draft, Event};
use crate::core::notes::Note;
use crate::limits::CHECKPOINT_EVERY_BYTES;
use crate::time::{DAY_MS, Timestamp};
use std::collections::BTreeMap;

impl Store {
    /// Makes a draft durable, adds it to the state and swaps the changed views in.
    ///
    /// # Errors
    /// [`Error::Full`]: nothing was committed, try again later. [`Error::TooLarge`]: nothing was
    /// committed, and never will be. [`Error::AfterCommit`]: the commit stands, and nothing is written
    /// any more. Any other error: what the disk holds is unknown, and nothing is written any more. If
    /// only the views found no room, the commit stands and [`Store::settle`] writes them later.
    pub fn commit(&mut self, mut draft: Draft) -> Result<Head, Error> {
        self.try_commit(&mut draft)
    }

    /// Like [`Store::commit`], and the draft can be tried again after [`Error::Full`].
    pub fn try_commit(&mut self, draft: &mut Draft) -> Result<Head, Error> {
        let head = self.write(draft, false)?;
        if self.journal.since_checkpoint() >= CHECKPOINT_EVERY_BYTES {
            match self.write_checkpoint(false, draft.ts) {
                // The commit stands, and the next one tries again.
                Err(Error::Full(error)) => tracing::warn!(%error, "no room for a checkpoint yet"),
                Err(error) => return Err(self.failed_after(head, error)),
                Ok(_) => {}
            }
        }
        Ok(head)
    }

    /// Commits a draft, and with it the stale deferred views if the loop `rests`.
    pub(super) fn write(&mut self, draft: &mut Draft, rests: bool) -> Result<Head, Error> {
        let mut planned = self.plan_views(draft);
        planned.extend(self.plan_deferred(draft, rests));
        let facts = draft.events.len();
        let followed = match_rules(&self.options.rules, draft, &self.state);
        draft.events.extend(followed);
        if !planned.is_empty() {
            let files = planned.iter().map(|(view, new)| {
                let digest = new.as_ref().map(|new| new.digest.to_string());
                (self.views.path(*view).display().to_string(), digest)
            });
            draft.events.push(Event::ViewsWritten(ViewsWritten {
                files: files.collect(),
            }));
        }
        let log: &mut dyn Log = &mut self.journal;
        let expected = log.end().head.seq + 1;
        let appended = log.append(self.disk.as_mut(), draft, expected);
        if appended.is_err() {
            draft.events.truncate(facts);
        }
        let head = appended?;
        self.state.apply_draft(draft);
        for event in &draft.events {
            if let (Some(indexes), Event::Change(change)) = (&mut self.index, event) {
                indexes.touch(change.get());
            }
        }
        let views: Vec<View> = planned.keys().copied().collect();
        self.note_deferred(&draft.events, &views);
        // Whichever of them fails, none is taken for written.
        self.views.owe(&views);
        let put = self.put_planned(planned, &draft.events);
        put.map_err(|error| self.failed_after(head, error))?;
        Ok(head)
    }

    /// Puts the views of a commit in place, and what is kept beside them.
    fn put_planned(
        &mut self,
        planned: BTreeMap<View, Option<Rendered>>,
        events: &[Event],
    ) -> Result<(), Error> {
        for (view, new) in planned {
            self.put_or_owe(view, new)?;
        }
        self.keep_conversations(events)
    }

    /// Stops all writing after an error behind a commit: what is in memory and on the disk may differ,
    /// and a checkpoint would make that last. The next start has the journal and an older checkpoint.
    fn failed_after(&mut self, head: Head, error: Error) -> Error {
        self.disk.stop(&error);
        error.after_commit(head.seq)
    }

    /// The views that a draft changes, each with its new content; `None` removes the file.
    fn plan_views(&self, draft: &Draft) -> BTreeMap<View, Option<Rendered>> {
        let mut planned = BTreeMap::new();
        let mut ram = Vec::new();
        for event in &draft.events {
            let Event::Change(change) = event else {
                continue;
            };
            match change.get() {
                Change::RamSet(set) => ram.push((set.key.as_str(), Some(&set.value))),
                Change::RamDeleted(deleted) => ram.push((deleted.key.as_str(), None)),
                Change::StorageSet(_) | Change::StorageDeleted(_) => {}
                Change::NoteCreated(NoteWritten { note })
                | Change::NoteUpdated(NoteWritten { note }) => {
                    planned.insert(View::Note(note.id), Some(note));
                }
                Change::NoteDeleted(NoteWritten { note }) => {
                    planned.insert(View::Note(note.id), None);
                }
            }
        }
        let render = |note: &Note| Rendered::new(note.to_file());
        let mut planned: BTreeMap<_, _> = planned
            .into_iter()
            .map(|(view, note)| (view, note.map(render)))
            .collect();
        if !ram.is_empty() {
            let bytes = self.state.ram.to_file_after(ram);
            if bytes != self.views.kv_bytes {
                planned.insert(View::Kv, Some(Rendered::new(bytes)));
            }
        }
        planned
    }

    /// Retires segments whose last commit is older than the retention. Gives how many, or `None`
    /// while that is not possible yet. A gap of years between two commits, or before now, makes nothing
    /// older: it is told by a clock that may be wrong.
    ///
    /// Nothing is retired while files wait to be judged, or before the notes are read: the journal
    /// may be needed for that.
    ///
    /// # Errors
    /// After [`Error::Full`] nothing was retired. Each attempt journals anew what has to live on, so
    /// one should let some time pass before the next.
    pub fn retire(&mut self, now: Timestamp) -> Result<Option<u32>, Error> {
        let in_doubt = self.edits.is_in_doubt() || !self.views.swapped_out.is_empty();
        if in_doubt || !self.state.notes.is_complete() {
            return Ok(None);
        }
        self.check_journal()?;
        self.journal.remove_retired(self.disk.as_mut())?;
        let age_ms = i64::from(self.options.retention_days).saturating_mul(DAY_MS);
        let disk = self.disk.as_mut();
        let Some(plan) = self.journal.plan_retirement(disk, age_ms, now)? else {
            return Ok(Some(0));
        };
        let retired = plan.first.segment - self.journal.first().segment;
        for events in carried(&self.state, &plan) {
            match self.commit(own_draft(Cause::plain("retention"), events, now)) {
                Err(error @ Error::TooLarge { .. }) => {
                    // Growing is better than stopping: RAM and runs fit one line as a rule.
                    tracing::warn!(%error, "old journal segments are kept");
                    return Ok(Some(0));
                }
                other => drop(other?),
            }
        }
        let before = self.journal.begin_at(plan.first);
        // The checkpoint states where the kept journal begins, so it goes first: segments that a
        // stop leaves behind after it are not read any more, and removed later.
        let written = self.write_checkpoint(false, now);
        if !matches!(written, Ok(true)) {
            self.journal.begin_at(before);
            return written.map(|_| Some(0));
        }
        if self.edits.since.from.segment < plan.first.segment {
            // Nothing that a stop left behind waits any more, so nobody asks for what was before.
            self.edits
                .since
                .begin_at(self.journal.end(), &self.state.ram)?;
        }
        self.journal.remove_retired(self.disk.as_mut())?;
        Ok(Some(retired))
    }
}
