//! The store: the only code that touches the run-time files under the data folder.
//!
//! One commit goes: encode, append, sync, apply to memory, swap the changed views in. Nothing is
//! acknowledged before all of that. Recovery is checkpoint and replay of the tail. The store never
//! decides what may change: it is handed drafts of approved changes.

pub mod disk;

pub mod journal;

pub mod layout;

pub mod inbox;

mod boot;
mod bootstrap;
mod commit;
mod control_socket;
mod conversations;
mod deferred_views;
mod deferred_writes;
mod digests;
mod drawn_ids;
mod edits;
mod error;
mod file_watch;
mod ignored;
mod index;
mod kv_edits;
mod note_edits;
mod note_files;
pub mod outside;
mod quarantine;
mod queries;
mod refusals;
pub mod scratch;
mod views;

use crate::core::automation::Rule;
use crate::core::guard::Scope;
use crate::core::journal::{Hash, State};
use crate::core::memory::MemoryLayout;
use crate::core::notes::{Note, Prepared};
use crate::core::run::Run;
use crate::ids::RunId;
use crate::time::Timestamp;
use disk::{Disk as _, FailStop};
use journal::reader::Reader;
use journal::{Head, Journal, Log as _, checkpoint};
use queries::runs::run_of;
use std::path::PathBuf;
use std::sync::Arc;
use views::{Rendered, View, Views};

pub use boot::Notice;
pub use control_socket::{ControlSocket, connect};
pub use drawn_ids::DrawnIds;
pub use edits::EditReport;
pub(crate) use edits::own_draft;
pub use error::Error;
pub use file_watch::{FileWatch, Seen};
pub use ignored::ignored_files;
pub use index::{Covers, index_covers, notes_worth_a_look};
pub use journal::reader::each_commit;
pub use journal::unverified_prefix::UnverifiedPrefix;
pub use journal::verify::{FirstBad, Verified, verify};
pub use queries::audit::{AuditEntry, audit_entries};
pub use queries::changed_notes::{ChangedNote, NoteFate, changed_notes};
pub use queries::feed::{Fed, Feed};
pub use queries::iterations::each_iteration;
pub use queries::notes::{NoteVersion, deleted_notes, each_version, note_history};
pub use queries::pending_edits::{has_pending_ram_edit, notes_with_pending_edits};
pub use queries::replies::{RetainedRun, retained_runs};
pub use queries::runs::{AuditedRun, RunPage, RunQuery, run_ids, run_with_audit, runs_page};
pub use queries::slots::reconcile;
pub use queries::state::{head_of, read_state};
pub use queries::trace::{Effect, Ended, Iteration, Judged, Queued, RunTrace, Step, trace_of};
pub use queries::undo::{Past, Undone, past_of};
pub use queries::why::{Appearance, Why, WhyRun, WhyVersion, why_of};

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
    disk: FailStop,
    options: Options,
    state: State,
    journal: Journal,
    views: Views,
    edits: edits::Watch,
    conversations: conversations::Conversations,
    /// Finds notes and leaves of `/storage`; there is none on a disk in memory.
    index: Option<index::Indexes>,
}

impl Store {
    /// The state as of the last commit.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The last commit.
    pub fn head(&self) -> Head {
        self.journal.end().head
    }

    /// Takes over options that may change while the program runs: all but the KV file's path.
    pub fn set_options(&mut self, options: Options) {
        let kv_path = std::mem::take(&mut self.options.kv_path);
        self.journal.set_segment_bytes(options.segment_bytes);
        self.state.log.keep(options.log_entries_max);
        self.views.deferred.set_layout(options.layout);
        self.options = Options { kv_path, ..options };
    }

    /// The record of a run, from the journal where the state has no room for it any more.
    pub fn run(&mut self, id: RunId) -> Result<Option<Run>, Error> {
        match self.state.runs.get(id) {
            Some(run) => Ok(Some(run.clone())),
            None if self.state.runs.is_complete() => Ok(None),
            None => run_of(&mut self.reader(), id),
        }
    }

    /// Returns a reader of the kept journal.
    fn reader(&mut self) -> Reader<'_> {
        Reader {
            first: self.journal.first(),
            disk: self.disk.as_mut(),
        }
    }

    /// Hands out what the start left unverified, once.
    pub const fn take_unverified_prefix(&mut self) -> Option<UnverifiedPrefix> {
        self.journal.take_unverified_prefix()
    }

    /// Checks it on the store's own disk.
    pub fn verify_prefix(&mut self, unverified_prefix: UnverifiedPrefix) -> Result<(), Error> {
        unverified_prefix.check(self.disk.as_mut())
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

    /// Whether something is pending, or waits for judgement, that nobody tells of: whoever rests should
    /// look again soon.
    pub fn needs_another_look(&self) -> bool {
        !self.views.stale.is_empty()
            || !self.views.swapped_out.is_empty()
            || self.edits.is_unfinished()
    }

    /// Whether an error has ended all writing.
    pub const fn is_stopped(&self) -> bool {
        self.disk.is_stopped()
    }

    /// Writes what is pending: views that found no room.
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
        self.take_all_swapped_out(now)?;
        self.settle_refused(now)?;
        self.write_checkpoint(clean, now).map(drop)
    }

    /// Checks that the journal is as this program left it, and that the folder's lock is in place.
    ///
    /// # Errors
    /// [`Error::Journal`] where another program has cut the journal or added to it; nothing is written
    /// any more then.
    pub fn check_journal(&mut self) -> Result<(), Error> {
        self.journal.claim(self.disk.as_mut())
    }

    /// Writes a checkpoint unless something waits for judgement, and says whether it did.
    fn write_checkpoint(&mut self, clean: bool, now: Timestamp) -> Result<bool, Error> {
        self.settle()?;
        if !self.views.swapped_out.is_empty() || self.edits.is_in_doubt() {
            return Ok(false);
        }
        self.write_deferred(now)?;
        if !self.views.swapped_out.is_empty() {
            return Ok(false);
        }
        self.views.sync(self.disk.as_mut())?;
        self.sync_conversations()?;
        // A checkpoint over a journal that somebody has cut would make the root unusable.
        self.check_journal()?;
        let source = checkpoint::Source {
            state: &self.state,
            journal: &self.journal,
            kv: Hash::of(&self.views.kv_bytes),
            view_digests: &self.views.deferred.digests,
            notes: self.views.notes.read()?,
            clean,
            now,
        };
        checkpoint::write(self.disk.as_mut(), &source)?;
        self.journal.note_checkpoint();
        Ok(true)
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

    /// Puts a view in place as the state has it; it stays pending while there is no room.
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
                let waiting = self.views.swapped_out.len();
                let put = self.views.put(disk, view, &new, None);
                if self.edits.kv_suspect {
                    for swapped_out in self.views.swapped_out.iter_mut().skip(waiting) {
                        swapped_out.suspect();
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
            (View::AtRest(view), Some(new)) => self.put_deferred(view, &new),
            // RAM is never without its five keys, and a deferred view never goes.
            (View::Kv | View::AtRest(_), None) => Ok(()),
        }
    }
}
