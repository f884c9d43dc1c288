//! The commits of the store: drafts, edits, and state carried over from retired segments.
//! An error after the sync of a commit undoes nothing and ends all writing.

use super::disk::{Disk as _, FailStop};
use super::error::Error;
use super::journal::checkpoint;
use super::journal::retire::carried;
use super::journal::{Head, Journal as _};
use super::views::View;
use super::views::edits::{Difference, Edit, EditReport};
use super::{Store, layout, quarantine};
use crate::core::automation::match_rules;
use crate::core::journal::event::{EditRefused, ViewRestored};
use crate::core::journal::{Actor, ActorType, Cause, CommitDraft, Event};
use crate::limits::CHECKPOINT_EVERY_BYTES;
use crate::time::{DAY_MS, Timestamp};
use std::path::Path;

impl Store {
    /// Makes a draft durable, applies it to the state and writes the changed views.
    /// Nothing is acknowledged before all of that. These are the stages, with their guarantees:
    ///
    /// 1. *Plan*: the rules and the views add their facts to the draft. Nothing is touched, and
    ///    after an error nothing has changed.
    /// 2. *Append and sync*: the commit is one line of the journal. From here on it stands,
    ///    whatever follows.
    /// 3. *Apply*: the state and the index take over the changes.
    /// 4. *Mark stale*: before the first view is touched, all of them count as neither written nor
    ///    safe, so that none counts as written if a later one fails.
    /// 5. *Write views*: a view without room stays stale, and [`Store::settle`] writes it. Any
    ///    other error stops all writing: memory and disk may differ, and a checkpoint would make
    ///    that permanent.
    /// 6. *Checkpoint*, now and then: views are synced before it, since it names them. Without room
    ///    the next commit tries again.
    ///
    /// # Errors
    /// [`Error::Full`]: nothing was committed, try again later. [`Error::TooLarge`]: nothing was
    /// committed, and never will be. [`Error::AfterCommit`]: the commit stands, and nothing is
    /// written any more. Any other error: the content of the disk is unknown, and nothing is
    /// written any more.
    pub fn commit(&mut self, mut draft: CommitDraft) -> Result<Head, Error> {
        self.try_commit(&mut draft)
    }

    /// Commits a draft like [`Store::commit`], and keeps it for another try after [`Error::Full`].
    pub fn try_commit(&mut self, draft: &mut CommitDraft) -> Result<Head, Error> {
        let head = self.write(draft, false)?;
        if self.segments.since_checkpoint >= CHECKPOINT_EVERY_BYTES {
            match self.write_checkpoint(false, draft.ts) {
                // The commit stands, and the next one tries again.
                Err(Error::Full(error)) => tracing::warn!(%error, "no room for a checkpoint yet"),
                Err(error) => return Err(stop_after(&mut self.disk, head, error)),
                Ok(_) => {}
            }
        }
        Ok(head)
    }

    /// Commits a draft, with the stale deferred views if the loop `rests`: stages 1 to 5.
    pub(super) fn write(&mut self, draft: &mut CommitDraft, rests: bool) -> Result<Head, Error> {
        let planned = self.views.plan(draft, &self.state, rests);
        let facts = draft.events.len();
        let matched = match_rules(&self.options.rules, draft, &self.state);
        draft.events.extend(matched);
        draft.events.extend(self.views.named(&planned));
        let appended = self.journal().append(draft);
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
        self.views.mark_stale(&draft.events, &planned);
        let disk = self.disk.as_mut();
        let put = self.views.put_planned(disk, planned, &draft.events);
        put.map_err(|error| stop_after(&mut self.disk, head, error))?;
        Ok(head)
    }

    /// Writes the views that found no room before.
    pub fn settle(&mut self) -> Result<(), Error> {
        self.views.settle(self.disk.as_mut(), &self.state)
    }

    /// Writes the stale deferred views.
    fn write_deferred(&mut self, now: Timestamp) -> Result<(), Error> {
        if self.views.files.deferred.due().next().is_some() {
            let mut draft = own_draft(Cause::plain("rest"), Vec::new(), now);
            self.write(&mut draft, true)?;
        }
        self.settle()
    }

    /// Writes a checkpoint after a sync of the changed views. `clean` means that nothing follows.
    ///
    /// Pending edits are judged first. While files that a stop left behind are unread, there is no
    /// checkpoint: the older one is needed to identify a person's edits in them.
    pub fn checkpoint(&mut self, clean: bool, now: Timestamp) -> Result<(), Error> {
        self.settle()?;
        self.take_swapped_out(now)?;
        self.commit_refused(now)?;
        self.write_checkpoint(clean, now).map(drop)
    }

    /// Writes a checkpoint unless edits wait to be judged, and returns whether it did.
    fn write_checkpoint(&mut self, clean: bool, now: Timestamp) -> Result<bool, Error> {
        self.settle()?;
        if self.views.is_in_doubt() {
            return Ok(false);
        }
        self.write_deferred(now)?;
        if !self.views.files.swapped_out.is_empty() {
            return Ok(false);
        }
        self.views.sync(self.disk.as_mut())?;
        // A checkpoint over a journal that another program has cut would make the root unusable.
        self.check_journal()?;
        let (disk, files) = (self.disk.as_mut(), &mut self.views.files);
        checkpoint::write(disk, &self.state, &self.segments, files, clean, now)?;
        self.segments.since_checkpoint = 0;
        Ok(true)
    }

    /// Retires segments whose last commit is older than the retention.
    /// Returns how many, or `None` while retirement is not possible yet. A gap of years between two
    /// commits, or before now, makes nothing older: the clock may be wrong.
    ///
    /// Nothing is retired while edits wait to be judged, or before the notes are read: the journal
    /// may be needed for that.
    ///
    /// # Errors
    /// After [`Error::Full`] nothing was retired. Each attempt journals the live state again, so
    /// the caller should let some time pass before the next.
    pub fn retire(&mut self, now: Timestamp) -> Result<Option<u32>, Error> {
        if self.views.is_in_doubt() || !self.state.notes.is_complete() {
            return Ok(None);
        }
        self.check_journal()?;
        self.segments.remove_retired(self.disk.as_mut())?;
        let age_ms = i64::from(self.options.retention_days).saturating_mul(DAY_MS);
        let disk = self.disk.as_mut();
        let Some(plan) = self.segments.plan_retirement(disk, age_ms, now)? else {
            return Ok(Some(0));
        };
        let retired = plan.first.segment - self.segments.first.segment;
        for events in carried(&self.state, &plan) {
            match self.commit(own_draft(Cause::plain("retention"), events, now)) {
                Err(error @ Error::TooLarge { .. }) => {
                    // A growing journal is better than a stop: RAM and runs usually fit one line.
                    tracing::warn!(%error, "old journal segments are kept");
                    return Ok(Some(0));
                }
                other => drop(other?),
            }
        }
        let before = std::mem::replace(&mut self.segments.first, plan.first);
        // The checkpoint states where the kept journal begins, so it is written first: segments
        // that a stop leaves behind after it are not read any more, and removed later.
        let written = self.write_checkpoint(false, now);
        if !matches!(written, Ok(true)) {
            self.segments.first = before;
            return written.map(|_| Some(0));
        }
        let since = &mut self.views.watch.since;
        if since.from.segment < plan.first.segment {
            // No files from before a stop wait any more, so earlier states are not needed.
            (since.from, since.ram) = (self.segments.end, self.state.main.ram.clone());
        }
        self.segments.remove_retired(self.disk.as_mut())?;
        Ok(Some(retired))
    }

    /// Takes in a person's edits of the KV file and of note files.
    /// It also writes pending views, so that no file is read before it is in place, and checks that
    /// the root is still in its place. Each file is settled before the next is read.
    ///
    /// # Errors
    /// After [`Error::Full`] nothing is lost: edits that were taken in so far are reported the next
    /// time.
    pub fn take_edits(&mut self, now: Timestamp) -> Result<EditReport, Error> {
        self.disk
            .check_root()
            .map_err(|error| Error::file("look at", layout::DATA, error))?;
        self.views.watch.report.waiting = false;
        self.settle()?;
        self.commit_refused(now)?;
        self.take_swapped_out(now)?;
        if !self.disk.is_private() {
            self.take_edit(View::Kv, now)?;
            let deferred = self.views.files.deferred.digests.keys();
            let deferred: Vec<View> = deferred.copied().map(View::Deferred).collect();
            for view in deferred {
                self.take_edit(view, now)?;
            }
            if self.views.watch.compared {
                self.take_note_edits(now)?;
            }
        }
        self.take_swapped_out(now)?;
        self.commit_refused(now)?;
        Ok(std::mem::take(&mut self.views.watch.report))
    }

    fn take_note_edits(&mut self, now: Timestamp) -> Result<(), Error> {
        if let Some((names, folder)) = self.views.list_strangers(self.disk.as_mut())? {
            for name in names {
                let (views, mut from) = self.parts(now);
                let Some(mut edit) = views.poll_stranger(&name, &mut from)? else {
                    continue;
                };
                if let Err(error) = self.settle_edit(&mut edit, now) {
                    self.views.put_off(edit);
                    return Err(error);
                }
            }
            self.views.watch.folder = folder;
        }
        let views = &mut self.views;
        for id in views.watch.take_due_notes(views.files.notes.read()?) {
            self.take_edit(View::Note(id), now)?;
        }
        Ok(())
    }

    /// Reads the file of a view, settles the edit in it, and restores the file where it is refused.
    fn take_edit(&mut self, view: View, now: Timestamp) -> Result<(), Error> {
        let (views, mut from) = self.parts(now);
        let Some(mut edit) = views.poll(view, &mut from)? else {
            return Ok(());
        };
        if let Err(error) = self.settle_edit(&mut edit, now) {
            self.views.put_off(edit);
            return Err(error);
        }
        let (views, mut from) = self.parts(now);
        views.put_back(view, &edit, &mut from)?;
        if matches!(view, View::Deferred(_)) {
            self.write_deferred(now)?;
        }
        Ok(())
    }

    /// Settles the files that an exchange replaced, once they are stable.
    /// Each stays in its place until its content is committed.
    fn take_swapped_out(&mut self, now: Timestamp) -> Result<(), Error> {
        let mut next = 0;
        while let Some(swapped_out) = self.views.files.swapped_out.get(next).cloned() {
            let (views, mut from) = self.parts(now);
            let Some(mut edit) = views.poll_swapped_out(&swapped_out, &mut from)? else {
                next += 1;
                continue;
            };
            self.settle_edit(&mut edit, now)?;
            let disk = self.disk.as_mut();
            self.views.close_swapped_out(next, &edit, disk)?;
        }
        Ok(())
    }

    /// Commits the changes of an edit, and keeps a refused edit beside its file.
    /// The copy is kept first, then journaled, then reported.
    fn settle_edit(&mut self, edit: &mut Edit, now: Timestamp) -> Result<(), Error> {
        let path = &edit.path;
        match &mut edit.difference {
            Difference::Gone => {}
            // The line comes first: a restored file is not missing any more.
            Difference::Missing(message) => {
                let restored = ViewRestored::missing(path.display().to_string());
                let events = vec![Event::ViewRestored(restored)];
                self.commit(own_draft(Cause::plain("edit"), events, now))?;
                self.views.watch.report.notices.push(message.clone());
            }
            Difference::Odd(reason) => {
                let disk = self.disk.as_mut();
                let kept = quarantine::move_beside(disk, &edit.place, path, now)?;
                self.refuse_edit(path, &kept, reason, now)?;
            }
            Difference::Text(bytes, judgement) => {
                for reason in &judgement.refusals {
                    let disk = self.disk.as_mut();
                    let kept = quarantine::keep_beside(disk, path, bytes, now)?;
                    self.refuse_edit(path, &kept, reason, now)?;
                }
                if !judgement.changes.is_empty() {
                    let changes = std::mem::take(&mut judgement.changes);
                    let events = changes.into_iter().map(Event::Change).collect();
                    self.commit(CommitDraft {
                        actor: Actor {
                            actor_type: ActorType::User,
                        },
                        ..own_draft(Cause::plain("edit"), events, now)
                    })?;
                    let report = &mut self.views.watch.report;
                    report.taken.push(judgement.message.clone());
                    let edited = judgement.edited.clone();
                    report.edited.ram_keys.extend(edited.ram_keys);
                    report.edited.notes.extend(edited.notes);
                }
            }
        }
        Ok(())
    }

    /// Journals that an edit is kept beside its file, or postpones that if there is no room.
    fn refuse_edit(
        &mut self,
        path: &Path,
        kept: &Path,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.views.watch.refused.push(EditRefused {
            path: path.display().to_string(),
            kept_as: kept.display().to_string(),
            reason: reason.to_owned(),
        });
        match self.commit_refused(now) {
            // The copy is kept already: judging the file again would only make a second one.
            Err(Error::Full(error)) => {
                tracing::warn!(%error, "no room to journal a refused edit yet");
                Ok(())
            }
            other => other,
        }
    }

    /// Journals the pending refused edits and reports them.
    fn commit_refused(&mut self, now: Timestamp) -> Result<(), Error> {
        while let Some(refused) = self.views.watch.refused.first().cloned() {
            let name = Path::new(&refused.path).file_name();
            let note_id = name.and_then(|name| layout::note_of(name.to_str()?));
            let note = note_id.and_then(|id| self.state.notes.get(id));
            let title = note.map_or_else(String::new, |note| format!(", `{}`,", note.title));
            let message = format!(
                "the edit of {}{title} could not be taken in ({}); it is kept as {}",
                refused.path, refused.reason, refused.kept_as
            );
            let events = vec![Event::EditRefused(refused)];
            self.commit(own_draft(Cause::plain("edit"), events, now))?;
            self.views.watch.refused.remove(0);
            self.views.watch.report.notices.push(message);
        }
        Ok(())
    }
}

/// Stops all writing after an error behind a commit.
/// Memory and disk may differ, and a checkpoint would make that permanent. The next start has the
/// journal and an older checkpoint.
fn stop_after(disk: &mut FailStop, head: Head, error: Error) -> Error {
    disk.stop(&error);
    error.after_commit(head.seq)
}

/// Returns a commit of the program itself.
pub(crate) const fn own_draft(cause: Cause, events: Vec<Event>, now: Timestamp) -> CommitDraft {
    CommitDraft {
        ts: now,
        actor: Actor {
            actor_type: ActorType::Daemon,
        },
        cause,
        events,
    }
}
