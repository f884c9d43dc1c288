//! The store: the only code that touches the run-time files under the data folder.
//!
//! One commit goes: encode, append, sync, apply to memory, swap the changed views in. Nothing is
//! acknowledged before all of that. Recovery is checkpoint and replay of the tail. The store never
//! decides what may change: it is handed drafts of approved changes.

pub mod disk;

pub mod journal;

pub mod layout;

pub mod inbox;

mod at_rest;
mod boot;
mod checkpoint;
mod control_socket;
mod conversations;
mod covered;
mod digests;
mod drawn_ids;
mod edits;
mod error;
mod feed;
mod file_watch;
mod found;
mod index;
mod iterations;
mod kept;
mod kv_edits;
mod note_edits;
mod note_files;
pub mod outside;
mod quarantine;
mod reader;
mod refusals;
mod replay;
mod resting;
mod retained;
mod retire;
mod run_reader;
mod scan;
pub mod scratch;
mod slot_reader;
mod trace;
mod undo;
mod untaken;
mod views;
mod why;

use crate::core::automation::{Rule, follow};
use crate::core::guard::Scope;
use crate::core::journal::event::{NoteWritten, ViewsWritten};
use crate::core::journal::{Change, Draft, Event, Hash, State};
use crate::core::memory::MemoryLayout;
use crate::core::notes::{Note, Prepared};
use crate::core::run::Run;
use crate::ids::RunId;
use crate::limits::CHECKPOINT_EVERY_BYTES;
use crate::time::Timestamp;
use checkpoint::First;
use disk::Disk;
use journal::{Head, Log as _, Segments};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use views::{Rendered, View, Views};

pub use boot::Notice;
pub use control_socket::{ControlSocket, connect};
pub use covered::Covered;
pub use drawn_ids::DrawnIds;
pub use edits::EditReport;
pub(crate) use edits::own_draft;
pub use error::Error;
pub use feed::{Fed, Feed};
pub use file_watch::{FileWatch, Seen};
pub use index::{Covers, index_covers, notes_worth_a_look};
pub use iterations::each_iteration;
pub use kept::each_commit;
pub use reader::{
    AuditEntry, FirstBad, NoteVersion, Verified, audit_entries, each_version, head_of,
    note_history, read_state, verify,
};
pub use retained::{RetainedRun, retained_runs};
pub use run_reader::{AuditedRun, RunPage, RunQuery, run_with_audit, runs_page};
pub use slot_reader::reconcile;
pub use trace::{Effect, Ended, Iteration, Judged, Queued, RunTrace, Step, trace_of};
pub use undo::{Past, Undone, past_of};
pub use untaken::{is_ram_untaken, untaken_notes};
pub use why::{Appearance, Why, WhyRun, WhyVersion, why_of};

/// What the store needs to know of the configuration.
#[derive(Clone, Debug)]
pub struct Options {
    /// The KV file, relative to the root.
    pub kv_path: PathBuf,
    /// The fence: hand edits pass the guard too.
    pub scope: Scope,
    /// Size at which a new segment is begun, in bytes.
    pub segment_bytes: u64,
    /// Age at which a whole segment may be retired, in days.
    pub retention_days: u32,
    /// Tool calls that the log shows.
    pub log_entries_max: usize,
    /// Which files hold the memory.
    pub layout: MemoryLayout,
    /// The automation rules: what they make of notes stands in the commit that changes these.
    pub rules: Arc<[Rule]>,
}

/// A root, held for writing. The caller holds the folder's lock.
#[derive(Debug)]
pub struct Store {
    disk: Box<dyn Disk>,
    options: Options,
    state: State,
    segments: Segments,
    first: First,
    views: Views,
    edits: edits::Watch,
    conversations: conversations::Conversations,
    /// What the start left unread, until somebody reads it.
    covered: Option<Covered>,
    /// Finds notes and leaves of `/storage`; there is none on a disk in memory.
    index: Option<index::Indexes>,
}

impl Store {
    /// The state as of the last commit.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The last commit.
    pub const fn head(&self) -> Head {
        self.segments.head
    }

    /// Takes over options that may change while the program runs: all but the KV file's path.
    pub fn set_options(&mut self, options: Options) {
        let kv_path = std::mem::take(&mut self.options.kv_path);
        self.segments.segment_bytes = options.segment_bytes;
        self.state.log.keep(options.log_entries_max);
        self.views.resting.set_layout(options.layout);
        self.options = Options { kv_path, ..options };
    }

    /// The record of a run, from the journal where the state has no room for it any more.
    pub fn run(&mut self, id: RunId) -> Result<Option<Run>, Error> {
        match self.state.runs.get(id) {
            Some(run) => Ok(Some(run.clone())),
            None if self.state.runs.is_whole() => Ok(None),
            None => run_reader::run_of(self.disk.as_mut(), id),
        }
    }

    /// Takes in that the notes are ready to be compared, see [`Notes::take_prepared`].
    ///
    /// [`Notes::take_prepared`]: crate::core::notes::Notes::take_prepared
    pub fn take_prepared(&mut self, prepared: Prepared) {
        self.state.notes.take_prepared(prepared);
    }

    /// Whether nobody else can reach the files: none of them ever has to be looked at again.
    pub fn is_private(&self) -> bool {
        self.disk.is_private()
    }

    /// Whether something is owed, or waits for judgement, that nobody tells of: whoever rests should
    /// look again soon.
    pub fn needs_another_look(&self) -> bool {
        !self.views.stale.is_empty()
            || !self.views.displaced.is_empty()
            || self.edits.is_unfinished()
    }

    /// Makes a draft durable, adds it to the state and swaps the changed views in.
    ///
    /// # Errors
    /// [`Error::Full`]: nothing was committed, try again later. [`Error::TooLarge`]: nothing was
    /// committed, and never will be. Any other error: what the disk holds is unknown, stop; nothing
    /// is written any more. If only the views found no room, the commit stands and
    /// [`Store::settle`] writes them later.
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
                other => drop(other?),
            }
        }
        Ok(head)
    }

    /// Commits a draft, and with it whatever lags behind if the loop `rests`.
    fn write(&mut self, draft: &mut Draft, rests: bool) -> Result<Head, Error> {
        let mut planned = self.plan_views(draft);
        planned.extend(self.plan_at_rest(draft, rests));
        let facts = draft.events.len();
        let followed = follow(&self.options.rules, draft, &self.state);
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
        self.note_resting(&draft.events, &views);
        for (view, new) in planned {
            self.put_or_owe(view, new)?;
        }
        self.keep_conversations(&draft.events)?;
        Ok(head)
    }

    /// Writes what is owed: views that found no room.
    pub fn settle(&mut self) -> Result<(), Error> {
        for view in self.views.stale.clone() {
            self.put_view(view, self.rendered(view))?;
        }
        self.settle_conversations()
    }

    /// Writes a checkpoint, the changed views synced first. `clean` says that nothing follows.
    ///
    /// Whatever waits for judgement is judged before. As long as files that a stop left behind
    /// have not been looked at, there is no checkpoint: the older one is needed to tell what in
    /// them is a person's.
    pub fn checkpoint(&mut self, clean: bool, now: Timestamp) -> Result<(), Error> {
        self.settle()?;
        self.take_all_displaced(now)?;
        self.settle_refused(now)?;
        self.write_checkpoint(clean, now).map(drop)
    }

    /// Writes a checkpoint unless something waits for judgement, and says whether it did.
    fn write_checkpoint(&mut self, clean: bool, now: Timestamp) -> Result<bool, Error> {
        self.settle()?;
        if !self.views.displaced.is_empty() || self.edits.is_in_doubt() {
            return Ok(false);
        }
        self.write_at_rest(now)?;
        if !self.views.displaced.is_empty() {
            return Ok(false);
        }
        self.views.sync(self.disk.as_mut())?;
        self.sync_conversations()?;
        let source = checkpoint::Source {
            state: &self.state,
            segments: &self.segments,
            first: self.first,
            kv: Hash::of(&self.views.kv_bytes),
            at_rest: &self.views.resting.digests,
            notes: self.views.notes.read()?,
            clean,
            now,
        };
        checkpoint::write(self.disk.as_mut(), &source)?;
        self.segments.since_checkpoint = 0;
        Ok(true)
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

    /// A view as the state has it; `None` for a note that is gone.
    fn rendered(&self, view: View) -> Option<Rendered> {
        let bytes = match view {
            View::Kv => Some(self.state.ram.to_file()),
            View::Note(id) => self.state.notes.get(id).map(Note::to_file),
            View::AtRest(view) => return Some(view.render(&self.state)),
        };
        bytes.map(Rendered::new)
    }

    /// Puts a view in place as the state has it; it stays owed while there is no room.
    fn put_again(&mut self, view: View) -> Result<(), Error> {
        self.put_or_owe(view, self.rendered(view))
    }

    fn put_or_owe(&mut self, view: View, new: Option<Rendered>) -> Result<(), Error> {
        match self.put_view(view, new) {
            Err(Error::Full(error)) => {
                tracing::warn!(%error, ?view, "no room for a view yet");
                Ok(())
            }
            other => other,
        }
    }

    fn put_view(&mut self, view: View, new: Option<Rendered>) -> Result<(), Error> {
        let disk = self.disk.as_mut();
        match (view, new) {
            (View::Kv, Some(new)) => {
                let waiting = self.views.displaced.len();
                let put = self.views.put(disk, view, &new, None);
                if self.edits.kv_suspect {
                    for displaced in self.views.displaced.iter_mut().skip(waiting) {
                        displaced.suspect();
                    }
                }
                put?;
                self.views.kv_bytes = new.bytes;
                Ok(())
            }
            (View::Note(id), Some(new)) => {
                let before = self.views.notes.read()?.insert(id, new.digest);
                self.views.put(disk, view, &new, before)
            }
            (View::Note(id), None) => {
                let before = self.views.notes.read()?.remove(&id);
                self.views.remove_note(disk, id, before)
            }
            (View::AtRest(view), Some(new)) => self.put_at_rest(view, &new),
            // RAM is never without its five keys, and what is written at rest never goes.
            (View::Kv | View::AtRest(_), None) => Ok(()),
        }
    }
}
