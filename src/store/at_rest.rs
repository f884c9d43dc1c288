//! The views that are written when the loop comes to rest: with the commit that ends a run, with a
//! person's own change, before a checkpoint and at a stop, and not at each commit. Whatever is put in
//! place is named by a commit before. Only the program writes these files: an edit of one is kept
//! beside it, said, and the good content put back.
//!
//! `storage.json` is more than a view: no checkpoint holds the tree, so a start reads it from there and
//! adds the tail of the journal. If the file is none that a commit named, the tree is made again from
//! the whole kept journal.

use super::checkpoint::First;
use super::disk::Disk;
use super::edits::own_draft;
use super::error::Error;
use super::quarantine::{self, Found};
use super::views::{Displaced, Rendered, View};
use super::{Store, layout, scan};
use crate::core::agent::ActionLog;
use crate::core::journal::event::{RamDeleted, RamSet, ViewRestored};
use crate::core::journal::{ActorType, Cause, Change, Draft, Event, Hash, State};
use crate::core::memory::Storage;
use crate::core::memory::directory::is_own;
use crate::limits::AT_REST_FILE_BYTES_MAX;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a person is told who edited one of these files.
const READ_ONLY: &str = "only the program writes this file; there are verbs for what it holds";

/// A view that is written at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AtRest {
    /// The `/storage` tree.
    Storage,
    /// The directory of keys.
    ContextKeys,
    /// The newest tool calls.
    Log,
}

impl AtRest {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Storage, Self::ContextKeys, Self::Log];

    /// The file.
    pub(super) fn path(self) -> &'static Path {
        Path::new(match self {
            Self::Storage => layout::STORAGE,
            Self::ContextKeys => layout::CONTEXT_KEYS,
            Self::Log => layout::LOG,
        })
    }

    /// The view that is kept in a file.
    pub(super) fn at(path: &Path) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.path() == path)
    }

    /// Whether an event changes what the file should hold, or tells what it should hold where nothing
    /// else does: without a checkpoint a carried place may be all that the journal says of the tree.
    fn is_changed_by(self, event: &Event) -> bool {
        if self == Self::Log {
            return ActionLog::is_about(event);
        }
        if matches!(event, Event::StorageCarried(_)) {
            return self == Self::Storage;
        }
        let Event::Change(change) = event else {
            return self == Self::ContextKeys && matches!(event, Event::KeysNoted(_));
        };
        match change.get() {
            Change::StorageSet(_) | Change::StorageDeleted(_) => true,
            Change::RamSet(RamSet { key, .. }) | Change::RamDeleted(RamDeleted { key }) => {
                self == Self::ContextKeys && !is_own(key)
            }
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => false,
        }
    }

    pub(super) fn render(self, state: &State) -> Rendered {
        Rendered::new(match self {
            Self::Storage => state.storage.to_file(),
            Self::ContextKeys => state.keys.to_file(),
            Self::Log => state.log.to_file(),
        })
    }
}

/// What is known about the files.
#[derive(Clone, Debug, Default)]
pub(super) struct Resting {
    /// The digest of what each file holds; absent before the first writing.
    pub digests: BTreeMap<AtRest, Hash>,
    /// Those that are behind the state.
    pub lagging: BTreeSet<AtRest>,
}

impl Resting {
    /// Notes what some events change.
    pub(super) fn note_changes(&mut self, events: &[Event]) {
        let changed = |view: &AtRest| events.iter().any(|event| view.is_changed_by(event));
        self.lagging.extend(AtRest::ALL.into_iter().filter(changed));
    }

    /// Notes that a commit names what a file holds from now on.
    pub(super) fn note_written(&mut self, view: AtRest, digest: Hash) {
        self.digests.insert(view, digest);
        self.lagging.remove(&view);
    }
}

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
        let path = AtRest::Storage.path();
        if !base.is_certain
            && let Found::Bytes(bytes) = quarantine::find(disk, path, AT_REST_FILE_BYTES_MAX)?
            && let Some(storage) = Storage::from_file(&bytes)
        {
            base.digest = Some(Hash::of(&bytes));
            base.storage = storage;
        }
        Ok(base)
    }

    /// Whether the file is one that stood there at the checkpoint or since. Adding the tail to a later
    /// one makes no difference: what the events say of a place is absolute.
    pub(super) fn is_known(digest: Option<Hash>, is_certain: bool, known: &BTreeSet<Hash>) -> bool {
        is_certain || digest.is_some_and(|digest| known.contains(&digest))
    }

    /// What of it is needed once the tree is taken.
    pub(super) fn into_parts(self) -> (Storage, Option<Hash>, bool) {
        (self.storage, self.digest, self.is_certain)
    }
}

/// The tree as the kept journal alone tells it.
pub(super) fn replayed_storage(disk: &mut dyn Disk, first: First) -> Result<Storage, Error> {
    let mut state = State::default();
    scan::scan(disk, first.place(), &mut |commit, _| {
        for event in &commit.draft.events {
            if AtRest::Storage.is_changed_by(event) {
                state.apply(event, commit.draft.actor.actor_type, commit.draft.ts);
            }
        }
    })?;
    Ok(state.storage)
}

impl Store {
    /// The files that a draft writes: those that lag behind once it is committed, if it brings the
    /// loop to rest.
    pub(super) fn plan_at_rest(&self, draft: &Draft, rests: bool) -> Vec<(View, Option<Rendered>)> {
        let ends_a_run = |event: &Event| matches!(event, Event::RunEnded(_));
        let by_a_person = draft.actor.actor_type == ActorType::User;
        if !rests && !by_a_person && !draft.events.iter().any(ends_a_run) {
            return Vec::new();
        }
        let mut resting = self.views.resting.clone();
        resting.note_changes(&draft.events);
        if resting.lagging.is_empty() {
            return Vec::new();
        }
        let state = self.state.at_rest_after(draft);
        let lagging = resting.lagging.into_iter();
        lagging
            .map(|view| (View::AtRest(view), Some(view.render(&state))))
            .collect()
    }

    /// Writes whatever lags behind.
    pub(super) fn write_at_rest(&mut self, now: Timestamp) -> Result<(), Error> {
        if !self.views.resting.lagging.is_empty() {
            let mut draft = own_draft(Cause::plain("rest"), Vec::new(), now);
            self.write(&mut draft, true)?;
        }
        self.settle()
    }

    /// Notes what committed events change: what was owed of it is not what it should hold any more.
    pub(super) fn note_resting(&mut self, events: &[Event], planned: &[View]) {
        self.views.resting.note_changes(events);
        for view in &self.views.resting.lagging {
            self.views.stale.remove(&View::AtRest(*view));
        }
        for view in planned {
            if let View::AtRest(view) = view {
                self.views.resting.lagging.remove(view);
            }
        }
    }

    /// Puts a file in place that a commit named. Without room it stays owed as long as the state does
    /// not change it.
    pub(super) fn put_at_rest(&mut self, view: AtRest, new: &Rendered) -> Result<(), Error> {
        let before = self.views.resting.digests.get(&view).copied();
        let disk = self.disk.as_mut();
        self.views.put(disk, View::AtRest(view), new, before)?;
        self.views.resting.note_written(view, new.digest);
        Ok(())
    }

    /// Looks at the files after a start. What is odd is put aside; gives what a person should hear.
    pub(super) fn check_at_rest(
        &mut self,
        rebuilt: bool,
        now: Timestamp,
        events: &mut Vec<Event>,
    ) -> Result<Vec<String>, Error> {
        let mut notices = Vec::new();
        for (view, digest) in self.views.resting.digests.clone() {
            let path = view.path();
            let failed = |error| Error::file("look at", path, error);
            let stat = self.disk.stat(path).map_err(failed)?;
            let found = quarantine::find(self.disk.as_mut(), path, AT_REST_FILE_BYTES_MAX)?;
            if let Found::Bytes(bytes) = &found
                && Hash::of(bytes) == digest
            {
                let stat = stat.map(|stat| (View::AtRest(view), stat));
                self.views.stats.extend(stat);
                continue;
            }
            self.views.resting.lagging.insert(view);
            let lost = view == AtRest::Storage && rebuilt;
            let (reason, kept) = match found {
                Found::Bytes(bytes) if !lost && self.edits.is_stale(&bytes) => {
                    // Known for what it is: nothing of it is kept when it is replaced.
                    let stat = stat.map(|stat| (View::AtRest(view), stat));
                    self.views.stats.extend(stat);
                    continue;
                }
                Found::Nothing if !lost && !self.edits.since.clean => continue,
                Found::Nothing => ("it was missing".to_owned(), None),
                Found::Bytes(bytes) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let kept = quarantine::keep(self.disk.as_mut(), &name, &bytes, now)?;
                    let stat = stat.map(|stat| (View::AtRest(view), stat));
                    self.views.stats.extend(stat);
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
    pub(super) fn look_at_rest(&mut self, now: Timestamp) -> Result<(), Error> {
        for (at_rest, digest) in self.views.resting.digests.clone() {
            let (view, path) = (View::AtRest(at_rest), at_rest.path());
            let failed = |error| Error::file("look at", path, error);
            let stat = self.disk.stat(path).map_err(failed)?;
            if self.views.is_ours(view, stat.as_ref()) {
                self.edits.forget(view);
                continue;
            }
            if !self.edits.is_settled(view, stat, now) {
                continue;
            }
            match quarantine::find(self.disk.as_mut(), path, AT_REST_FILE_BYTES_MAX)? {
                Found::Bytes(bytes) if Hash::of(&bytes) == digest => {
                    self.views.stats.extend(stat.map(|stat| (view, stat)));
                    self.edits.forget(view);
                    continue;
                }
                Found::Bytes(bytes) => {
                    self.views.stats.extend(stat.map(|stat| (view, stat)));
                    if !self.edits.is_stale(&bytes) {
                        self.refuse_edit(path, &bytes, READ_ONLY, now)?;
                    }
                }
                Found::Odd(reason) => {
                    self.set_odd_aside(path, path, &reason, now)?;
                    self.views.stats.remove(&view);
                }
                Found::Nothing => self.say_missing(at_rest, now)?,
            }
            self.views.resting.lagging.insert(at_rest);
            self.write_at_rest(now)?;
            self.edits.forget(view);
        }
        Ok(())
    }

    fn say_missing(&mut self, view: AtRest, now: Timestamp) -> Result<(), Error> {
        let path = view.path().display().to_string();
        let message = format!("{path} was missing and was written again");
        let restored = Event::ViewRestored(ViewRestored {
            path,
            reason: "it was missing".to_owned(),
            kept_as: None,
        });
        self.commit(own_draft(Cause::plain("edit"), vec![restored], now))?;
        self.edits.report.notices.push(message);
        self.views.stats.remove(&View::AtRest(view));
        Ok(())
    }

    /// Judges a file that came out of such a place: ours, half of ours, or a person's.
    pub(super) fn judge_displaced_at_rest(
        &mut self,
        view: AtRest,
        displaced: &Displaced,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<(), Error> {
        if displaced.leftover {
            let good = view.render(&self.state).bytes;
            if self.is_unfinished(bytes, &good, view.path(), now)? {
                return Ok(());
            }
        }
        self.refuse_edit(view.path(), bytes, READ_ONLY, now)
    }
}
