//! Writes the deferred views, which are not written at each commit but when the loop comes to rest: with
//! the commit that ends a run, with a person's own change, before a checkpoint and at a stop. Whatever is put
//! in place is named by a commit before. Only the program writes these files: an edit of one is kept
//! beside it, said, and the good content put back.
//!
//! `storage.json` is more than a view: no checkpoint holds the tree, so a start reads it from there and
//! adds the tail of the journal. If the file is none that a commit named, the tree is made again from
//! the whole kept journal.

use super::Store;
use super::deferred_views::DeferredView;
use super::disk::Disk;
use super::edits::own_draft;
use super::error::Error;
use super::journal::checkpoint::First;
use super::journal::scan;
use super::quarantine::{self, Found};
use super::views::{Rendered, SwappedOut, View};
use crate::core::journal::event::ViewRestored;
use crate::core::journal::{ActorType, Cause, Draft, Event, Hash, State};
use crate::core::memory::Storage;
use crate::limits::DEFERRED_FILE_BYTES_MAX;
use crate::time::Timestamp;
use std::collections::BTreeSet;

/// What a person is told who edited one of these files.
const READ_ONLY: &str = "only the program writes this file; there are verbs for what it holds";

/// The tree as a start finds it in its file.
pub(super) struct Base {
    pub storage: Storage,
    /// The digest of the file; absent where it was not needed, or cannot be read.
    digest: Option<Hash>,
    /// Whether the tree was empty when the checkpoint was written, or there is none.
    is_certain: bool,
}

impl Base {
    /// The base of a replay from a checkpoint that has this digest of the file.
    pub(super) fn read(disk: &mut dyn Disk, wanted: Option<Hash>) -> Result<Self, Error> {
        let mut base = Self {
            storage: Storage::default(),
            digest: None,
            is_certain: wanted.is_none(),
        };
        let path = DeferredView::Storage.path();
        if !base.is_certain
            && let Found::Bytes(bytes) = quarantine::find(disk, path, DEFERRED_FILE_BYTES_MAX)?
            && let Some(storage) = Storage::from_file(&bytes)
        {
            base.digest = Some(Hash::of(&bytes));
            base.storage = storage;
        }
        Ok(base)
    }

    /// Whether the file is one that stood there at the checkpoint or since. Adding the tail to a later
    /// one makes no difference: what the events say of a place is absolute.
    pub(super) fn is_known(&self, known: &BTreeSet<Hash>) -> bool {
        self.is_certain || self.digest.is_some_and(|digest| known.contains(&digest))
    }
}

/// The tree as the kept journal alone tells it.
pub(super) fn replayed_storage(disk: &mut dyn Disk, first: First) -> Result<Storage, Error> {
    let mut state = State::default();
    scan::scan(disk, first.place(), &mut |commit, _| {
        for event in &commit.draft.events {
            if DeferredView::Storage.is_changed_by(event) {
                state.apply(event, commit.draft.actor.actor_type, commit.draft.ts);
            }
        }
    })?;
    Ok(state.storage)
}

impl Store {
    /// The files that a draft writes: those that lag behind once it is committed, if it brings the
    /// loop to rest.
    pub(super) fn plan_deferred(
        &self,
        draft: &Draft,
        rests: bool,
    ) -> Vec<(View, Option<Rendered>)> {
        let ends_a_run = |event: &Event| matches!(event, Event::RunEnded(_));
        let by_a_person = draft.actor.actor_type == ActorType::User;
        if !rests && !by_a_person && !draft.events.iter().any(ends_a_run) {
            return Vec::new();
        }
        let mut deferred = self.views.deferred.clone();
        deferred.note_changes(&draft.events);
        let mut due = deferred.due().peekable();
        if due.peek().is_none() {
            return Vec::new();
        }
        let state = self.state.deferred_after(draft);
        due.map(|view| (View::AtRest(view), Some(view.render(&state))))
            .collect()
    }

    /// Writes the stale deferred views.
    pub(super) fn write_deferred(&mut self, now: Timestamp) -> Result<(), Error> {
        if self.views.deferred.due().next().is_some() {
            let mut draft = own_draft(Cause::plain("rest"), Vec::new(), now);
            self.write(&mut draft, true)?;
        }
        self.settle()
    }

    /// Notes what committed events change: what was pending of it is not what it should hold any more.
    pub(super) fn note_deferred(&mut self, events: &[Event], planned: &[View]) {
        self.views.deferred.note_changes(events);
        for view in &self.views.deferred.stale {
            self.views.stale.remove(&View::AtRest(*view));
        }
        for view in planned {
            if let View::AtRest(view) = view {
                self.views.deferred.stale.remove(view);
            }
        }
    }

    /// Puts a file in place that a commit named. Without room it stays pending as long as the state does
    /// not change it.
    pub(super) fn put_deferred(&mut self, view: DeferredView, new: &Rendered) -> Result<(), Error> {
        let before = self.views.deferred.digests.get(&view).copied();
        let disk = self.disk.as_mut();
        self.views.put(disk, View::AtRest(view), new, before)?;
        self.views.deferred.note_written(view, new.digest);
        Ok(())
    }

    /// Looks at the files after a start. What is odd is put aside; gives what a person should hear.
    pub(super) fn check_deferred(
        &mut self,
        rebuilt: bool,
        now: Timestamp,
        events: &mut Vec<Event>,
    ) -> Result<Vec<String>, Error> {
        let mut notices = Vec::new();
        for (view, digest) in self.views.deferred.digests.clone() {
            if !view.is_kept(self.views.deferred.layout) {
                self.let_go(view, digest)?;
                continue;
            }
            let path = view.path();
            let failed = |error| Error::file("look at", path, error);
            let stat = self.disk.stat(path).map_err(failed)?;
            let found = quarantine::find(self.disk.as_mut(), path, DEFERRED_FILE_BYTES_MAX)?;
            if let Found::Bytes(bytes) = &found
                && Hash::of(bytes) == digest
            {
                self.views.remember(View::AtRest(view), stat);
                continue;
            }
            self.views.deferred.stale.insert(view);
            let lost = view == DeferredView::Storage && rebuilt;
            let (reason, kept) = match found {
                Found::Bytes(bytes) if !lost && self.edits.is_stale(&bytes) => {
                    // Known for what it is: nothing of it is kept when it is replaced.
                    self.views.remember(View::AtRest(view), stat);
                    continue;
                }
                Found::Nothing if !lost && !self.edits.since.clean => continue,
                Found::Nothing => (ViewRestored::MISSING.to_owned(), None),
                Found::Bytes(bytes) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let kept = quarantine::keep(self.disk.as_mut(), &name, &bytes, now)?;
                    self.views.remember(View::AtRest(view), stat);
                    ("it is not as it was written".to_owned(), Some(kept))
                }
                Found::Odd(reason) => {
                    let disk = self.disk.as_mut();
                    (
                        reason,
                        Some(quarantine::move_beside(disk, path, path, now)?),
                    )
                }
            };
            let kept_as = kept.map(|kept| kept.display().to_string());
            let path = path.display().to_string();
            let aside = kept_as.as_ref();
            let aside = aside.map_or_else(String::new, |kept| format!(" (kept as {kept})"));
            notices.push(format!(
                "{path} was made again from the journal: {reason}{aside}"
            ));
            events.push(Event::ViewRestored(ViewRestored {
                path,
                reason,
                kept_as,
            }));
        }
        Ok(notices)
    }

    /// Compares the files with what was put there last.
    pub(super) fn look_at_deferred(&mut self, now: Timestamp) -> Result<(), Error> {
        for (deferred, digest) in self.views.deferred.digests.clone() {
            if !deferred.is_kept(self.views.deferred.layout) {
                self.let_go(deferred, digest)?;
                continue;
            }
            let (view, path) = (View::AtRest(deferred), deferred.path());
            let failed = |error| Error::file("look at", path, error);
            let stat = self.disk.stat(path).map_err(failed)?;
            if self.views.is_ours(view, stat.as_ref()) {
                self.edits.forget(view);
                continue;
            }
            if !self.edits.is_settled(view, stat, now) {
                continue;
            }
            match quarantine::find(self.disk.as_mut(), path, DEFERRED_FILE_BYTES_MAX)? {
                Found::Bytes(bytes) if Hash::of(&bytes) == digest => {
                    self.views.remember(view, stat);
                    self.edits.forget(view);
                    continue;
                }
                Found::Bytes(bytes) => {
                    self.views.remember(view, stat);
                    if !self.edits.is_stale(&bytes) {
                        self.refuse_edit(path, &bytes, READ_ONLY, now)?;
                    }
                }
                Found::Odd(reason) => {
                    self.set_odd_aside(path, path, &reason, now)?;
                    self.views.stats.remove(&view);
                }
                Found::Nothing => {
                    let message = format!("{} was missing and was written again", path.display());
                    self.say_missing(view, message, now)?;
                }
            }
            self.views.deferred.stale.insert(deferred);
            self.write_deferred(now)?;
            self.edits.forget(view);
        }
        Ok(())
    }

    /// Removes a file that the layout does not have any more. One that is not ours as it was written
    /// stays where it is.
    fn let_go(&mut self, view: DeferredView, digest: Hash) -> Result<(), Error> {
        let path = view.path();
        let found = quarantine::find(self.disk.as_mut(), path, DEFERRED_FILE_BYTES_MAX)?;
        let is_ours = |bytes: &[u8]| Hash::of(bytes) == digest || self.edits.is_stale(bytes);
        if matches!(&found, Found::Bytes(bytes) if is_ours(bytes)) {
            let removed = self.disk.remove(path);
            removed.map_err(|error| Error::file("remove", path, error))?;
        }
        self.views.deferred.digests.remove(&view);
        self.views.stats.remove(&View::AtRest(view));
        self.views.stale.remove(&View::AtRest(view));
        Ok(())
    }

    /// Judges a file that came out of such a place: ours, half of ours, or a person's.
    pub(super) fn judge_swapped_deferred(
        &mut self,
        view: DeferredView,
        swapped_out: &SwappedOut,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<(), Error> {
        if swapped_out.leftover {
            let good = view.render(&self.state).bytes;
            if self.is_unfinished(bytes, &good, view.path(), now)? {
                return Ok(());
            }
        }
        self.refuse_edit(view.path(), bytes, READ_ONLY, now)
    }
}
