//! One commit: append and sync, add it to the state, put the changed views in place. Nothing is acknowledged
//! before all of that; what fails behind the sync undoes nothing and ends all writing.

use super::Store;
use super::error::Error;
use super::journal::{Head, Log as _};
use super::views::{Rendered, View};
use crate::core::automation::match_rules;
use crate::core::journal::event::{NoteWritten, ViewsWritten};
use crate::core::journal::{Change, Draft, Event};
use crate::core::notes::Note;
use crate::limits::CHECKPOINT_EVERY_BYTES;
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
        if self.segments.since_checkpoint >= CHECKPOINT_EVERY_BYTES {
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
        let expected = self.segments.head.seq + 1;
        let appended = self.segments.append(self.disk.as_mut(), draft, expected);
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
}
