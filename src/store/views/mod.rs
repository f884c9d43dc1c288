//! The views: files that show the state and can be made again, and a person's edits of them.
//! Views are planned before a commit, marked as stale before the first is touched, and written
//! behind it. Edits are read and judged here, and committed by the store.

pub(crate) mod conversations;
pub(crate) mod deferred;
pub(crate) mod edits;
pub(crate) mod files;
pub(crate) mod kv;
pub(crate) mod notes;
pub(crate) mod start;
pub(crate) mod watch;

use super::disk::Disk;
use super::error::Error;
use super::journal::reader::SegmentReader;
use super::journal::scan::JournalPosition;
use crate::core::guard::Scope;
use crate::core::journal::event::ViewsWritten;
use crate::core::journal::{ActorType, Change, CommitDraft, Event, State};
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::time::Timestamp;
use conversations::Conversations;
use deferred::DeferredView;
use files::{RenderedView, ViewFiles};
use std::collections::BTreeMap;
use watch::EditWatch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum View {
    Kv,
    Note(NoteId),
    Deferred(DeferredView),
}

impl View {
    /// Returns the file for a state; `None` for a deleted note.
    pub(crate) fn to_file(self, state: &State) -> Option<Vec<u8>> {
        match self {
            Self::Kv => Some(state.main.ram.to_file()),
            Self::Note(id) => state.notes.get(id).map(Note::to_file),
            Self::Deferred(view) => Some(view.to_file(state)),
        }
    }

    /// Returns the file for a state with its digest; `None` for a deleted note.
    pub(crate) fn rendered(self, state: &State) -> Option<RenderedView> {
        self.to_file(state).map(RenderedView::new)
    }
}

/// The views that a commit changes, each with its new content; `None` removes the file.
pub(crate) type ViewPlan = BTreeMap<View, Option<RenderedView>>;

/// The sources that views are made from and compared with.
#[derive(Debug)]
pub(crate) struct ViewContext<'a> {
    pub disk: &'a mut dyn Disk,
    /// The state that the views show.
    pub state: &'a State,
    /// The beginning of the kept journal, which has their past.
    pub first: JournalPosition,
    /// The scope, since a person's edits pass the guard too.
    pub scope: &'a Scope,
    pub now: Timestamp,
}

impl ViewContext<'_> {
    /// Returns a reader of the kept journal.
    fn reader(&mut self) -> SegmentReader<'_> {
        SegmentReader {
            first: self.first,
            disk: self.disk,
        }
    }
}

/// All views of a root.
#[derive(Debug)]
pub(crate) struct Views {
    pub files: ViewFiles,
    /// The conversations that a person chose to keep.
    pub conversations: Conversations,
    /// The edits that were seen and are not settled.
    pub watch: EditWatch,
}

impl Views {
    /// Returns whether files wait to be judged, which needs the journal and the older checkpoint.
    pub(crate) fn is_in_doubt(&self) -> bool {
        !self.files.swapped_out.is_empty() || self.watch.is_in_doubt()
    }

    /// Returns whether something is pending that no notification announces.
    pub(crate) fn is_unfinished(&self) -> bool {
        let files = &self.files;
        !files.stale.is_empty() || !files.swapped_out.is_empty() || self.watch.is_unfinished()
    }

    /// Plans the views that a draft changes, and the stale deferred ones if the loop `rests`.
    /// Touches nothing.
    pub(crate) fn plan(&self, draft: &CommitDraft, state: &State, rests: bool) -> ViewPlan {
        let mut notes = BTreeMap::new();
        let mut ram: Option<Ram> = None;
        for event in &draft.events {
            let Event::Change(change) = event else {
                continue;
            };
            let change = change.get();
            if let Some(note) = change.note() {
                let is_deleted = matches!(change, Change::NoteDeleted(_));
                notes.insert(View::Note(note.id), (!is_deleted).then_some(note));
            } else if let Change::RamSet(set) = change {
                let ram = ram.get_or_insert_with(|| state.main.ram.clone());
                ram.put(&set.key, &set.value);
            } else if let Change::RamDeleted(deleted) = change {
                let ram = ram.get_or_insert_with(|| state.main.ram.clone());
                ram.delete(&deleted.key);
            }
        }
        let render = |note: &Note| RenderedView::new(note.to_file());
        let notes = notes.into_iter();
        let mut planned: ViewPlan = notes.map(|(view, note)| (view, note.map(render))).collect();
        let kv = ram.map(|ram| ram.to_file());
        let kv = kv.filter(|bytes| *bytes != self.files.kv_bytes);
        planned.extend(kv.map(|bytes| (View::Kv, Some(RenderedView::new(bytes)))));
        let due = self.due_after(draft, rests);
        if !due.is_empty() {
            let after = state.deferred_after(draft);
            let due = due.into_iter().map(View::Deferred);
            planned.extend(due.map(|view| (view, view.rendered(&after))));
        }
        planned
    }

    /// Returns the deferred views that are stale after a draft, if the loop rests after it.
    fn due_after(&self, draft: &CommitDraft, rests: bool) -> Vec<DeferredView> {
        let ends_a_run = |event: &Event| matches!(event, Event::RunEnded(_));
        let by_a_person = draft.actor.actor_type == ActorType::User;
        if !rests && !by_a_person && !draft.events.iter().any(ends_a_run) {
            return Vec::new();
        }
        let mut deferred = self.files.deferred.clone();
        deferred.note_changes(&draft.events);
        deferred.due().collect()
    }

    /// Returns the event that names the planned views, each with its digest.
    pub(crate) fn named(&self, planned: &ViewPlan) -> Option<Event> {
        let files = planned.iter().map(|(view, new)| {
            let digest = new.as_ref().map(|new| new.digest.to_string());
            (self.files.path(*view).display().to_string(), digest)
        });
        (!planned.is_empty()).then(|| {
            Event::ViewsWritten(ViewsWritten {
                files: files.collect(),
            })
        })
    }

    /// Marks the views of a commit as neither written nor safe, before any of them is touched.
    /// Deferred views that its events change and that it does not write become stale, too: pending
    /// content of them is out of date.
    pub(crate) fn mark_stale(&mut self, events: &[Event], planned: &ViewPlan) {
        let deferred = &mut self.files.deferred;
        deferred.note_changes(events);
        for view in &deferred.stale {
            self.files.stale.remove(&View::Deferred(*view));
        }
        for view in planned.keys() {
            if let View::Deferred(view) = view {
                deferred.stale.remove(view);
            }
        }
        self.files.stale.extend(planned.keys());
        self.files.unsynced.extend(planned.keys());
    }

    /// Writes the views of a commit and its conversations. A file without room stays pending.
    pub(crate) fn put_planned(
        &mut self,
        disk: &mut dyn Disk,
        planned: ViewPlan,
        events: &[Event],
    ) -> Result<(), Error> {
        for (view, new) in planned {
            self.put_or_wait(disk, view, new)?;
        }
        self.conversations
            .keep(disk, conversations::kept_in(events).cloned())
    }

    /// Writes the files that were pending for lack of room.
    pub(crate) fn settle(&mut self, disk: &mut dyn Disk, state: &State) -> Result<(), Error> {
        for view in self.files.stale.clone() {
            self.put(disk, view, view.rendered(state))?;
        }
        self.conversations.settle(disk)
    }

    /// Syncs everything that changed since the last checkpoint.
    pub(crate) fn sync(&mut self, disk: &mut dyn Disk) -> Result<(), Error> {
        self.files.sync(disk)?;
        self.conversations.sync(disk)
    }

    /// Writes a view; it stays pending while there is no room.
    pub(crate) fn put_or_wait(
        &mut self,
        disk: &mut dyn Disk,
        view: View,
        new: Option<RenderedView>,
    ) -> Result<(), Error> {
        match self.put(disk, view, new) {
            Err(Error::Full(error)) => {
                tracing::warn!(%error, ?view, "no room for a view yet");
                Ok(())
            }
            other => other,
        }
    }

    /// Writes a view; `None` removes a note's file.
    pub(crate) fn put(
        &mut self,
        disk: &mut dyn Disk,
        view: View,
        new: Option<RenderedView>,
    ) -> Result<(), Error> {
        let files = &mut self.files;
        match (view, new) {
            (View::Kv, Some(new)) => {
                let waiting = files.swapped_out.len();
                let put = files.put(disk, view, &new, None);
                if self.watch.kv_suspect {
                    for swapped_out in files.swapped_out.iter_mut().skip(waiting) {
                        // It was not checked since a crash.
                        (swapped_out.base, swapped_out.leftover) = (None, true);
                    }
                }
                put?;
                files.kv_bytes = new.bytes;
                Ok(())
            }
            (View::Note(id), Some(new)) => {
                let before = files.notes.read()?.insert(id, new.digest);
                files.put(disk, view, &new, before)
            }
            (View::Note(id), None) => {
                let before = files.notes.read()?.remove(&id);
                files.remove_note(disk, id, before)
            }
            (View::Deferred(view), Some(new)) => {
                let before = files.deferred.digests.get(&view).copied();
                files.put(disk, View::Deferred(view), &new, before)?;
                files.deferred.note_written(view, new.digest);
                Ok(())
            }
            // RAM always has its five keys, and a deferred view is never removed here.
            (View::Kv | View::Deferred(_), None) => Ok(()),
        }
    }
}
