//! The store: the only code that touches the run-time files under the data folder.
//!
//! [`Store`] consists of the [`State`], the [`journal`] of all commits, the `views` that show the
//! state and take in a person's edits, and the search `index`. It opens and changes them together,
//! in one order: see [`Store::commit`]. Recovery reads the checkpoint and replays the tail. The
//! store never decides what may change: it receives drafts of approved changes. `queries` serve
//! callers that only read.

pub mod disk;

pub mod journal;

pub mod layout;

pub mod inbox;

mod commit;
mod control_socket;
mod error;
pub mod external_files;
mod file_watch;
mod ignored;
mod index;
mod open;
mod quarantine;
mod queries;
pub mod scratch;
mod time_ordered_ids;
mod views;

use crate::core::automation::Rule;
use crate::core::guard::Scope;
use crate::core::journal::State;
use crate::core::memory::MemoryLayout;
use crate::core::notes::{NoIndex, PreparedIndex, SearchIndex};
use crate::core::run::Run;
use crate::ids::RunId;
use crate::time::Timestamp;
use disk::{Disk as _, FailStop, RealDisk};
use inbox::Inbox;
use index::Indexes;
use journal::reader::SegmentReader;
use journal::{Head, Journal as _, SegmentJournal, Segments};
use queries::runs::run_of;
use std::path::PathBuf;
use std::sync::Arc;
use views::{ViewContext, Views};

pub(crate) use commit::own_draft;
pub use control_socket::{ControlSocket, connect};
pub use error::Error;
pub use file_watch::{FileChanges, FileWatch};
pub use ignored::ignored_files;
pub use index::{IndexCoverage, index_covers, notes_worth_a_look};
pub use journal::reader::each_commit;
pub use journal::verify::{JournalDefect, UnverifiedPrefix, VerifyReport, verify};
pub use open::Notice;
pub use queries::audit::{AuditEntry, Feed, FeedCommit, audit_entries};
pub use queries::runs::{
    AuditedRun, RetainedRun, RunPage, RunQuery, each_iteration, reconcile, retained_runs, run_ids,
    run_with_audit, runs_page,
};
pub use queries::state::{
    ChangedNote, NoteOutcome, NoteVersion, changed_notes, deleted_notes, each_version,
    has_pending_ram_edit, head_of, note_history, notes_with_pending_edits, read_state,
};
pub use queries::trace::{
    InstructionResult, Iteration, RunOpening, RunTrace, TraceEffect, TraceEnd, TraceStep, trace_of,
};
pub use queries::undo::{UndoHistory, UndoScope, past_of};
pub use queries::why::{Appearance, OriginRun, VersionOrigin, VersionOrigins, why_of};
pub use time_ordered_ids::TimeOrderedIds;
pub use views::edits::EditReport;

/// The configuration of the store.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path of the KV file, relative to the root.
    pub kv_path: PathBuf,
    /// The scope, since a person's edits pass the guard too.
    pub scope: Scope,
    /// The size at which a new segment begins, in bytes.
    pub segment_bytes: u64,
    /// The age at which a complete segment may be retired, in days.
    pub retention_days: u32,
    /// The number of tool calls that the log shows.
    pub log_entries_max: usize,
    /// The files that hold the memory.
    pub layout: MemoryLayout,
    /// The rules. A match is recorded in the commit that changes the notes.
    pub rules: Arc<[Rule]>,
}

/// A root that is open for writing. The caller holds the lock of the folder.
#[derive(Debug)]
pub struct Store {
    disk: FailStop,
    options: Options,
    /// The state that all commits add up to.
    state: State,
    /// The segments of the journal of all commits.
    segments: Segments,
    /// The files that show the state, and the edits in them.
    views: Views,
    /// The search indexes of notes and leaves; a disk in memory has none.
    index: Option<Indexes>,
}

impl Store {
    /// Returns the state after the last commit.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the last commit.
    pub const fn head(&self) -> Head {
        self.segments.head()
    }

    /// Replaces the options, except the path of the KV file, which is fixed while the program runs.
    pub fn set_options(&mut self, options: Options) {
        let kv_path = std::mem::take(&mut self.options.kv_path);
        self.segments.segment_bytes = options.segment_bytes;
        self.state.main.log.keep(options.log_entries_max);
        self.views.files.deferred.set_layout(options.layout);
        self.options = Options { kv_path, ..options };
    }

    /// Returns the record of a run, from the journal if the state no longer holds it.
    pub fn run(&mut self, id: RunId) -> Result<Option<Run>, Error> {
        match self.state.runs.get(id) {
            Some(run) => Ok(Some(run.clone())),
            None if self.state.runs.is_complete() => Ok(None),
            None => {
                let first = self.segments.first;
                let disk = self.disk.as_mut();
                run_of(&mut SegmentReader { disk, first }, id)
            }
        }
    }

    /// Takes over the index of near-duplicates, see [`Notes::take_prepared`].
    ///
    /// [`Notes::take_prepared`]: crate::core::notes::Notes::take_prepared
    pub fn take_prepared(&mut self, prepared: PreparedIndex) {
        self.state.notes.take_prepared(prepared);
    }

    /// Returns whether only this program can reach the files, so that nobody can edit them.
    pub fn is_private(&self) -> bool {
        self.disk.is_private()
    }

    /// Returns whether an error has ended all writing.
    pub const fn is_stopped(&self) -> bool {
        self.disk.is_stopped()
    }

    /// Checks that the journal is unchanged by others, and that the folder's lock is in place.
    ///
    /// # Errors
    /// [`Error::Journal`] if another program has cut the journal or added to it; nothing is written
    /// any more then.
    pub fn check_journal(&mut self) -> Result<(), Error> {
        self.journal().claim()
    }

    /// Returns the part of the journal that the start left unverified; only the first call does.
    pub const fn take_unverified_prefix(&mut self) -> Option<UnverifiedPrefix> {
        self.segments.unverified_prefix.take()
    }

    /// Verifies an unverified part of the journal on the store's own disk.
    pub fn verify_prefix(&mut self, unverified_prefix: UnverifiedPrefix) -> Result<(), Error> {
        unverified_prefix.check(self.disk.as_mut())
    }

    /// Returns whether another look is needed soon, since something pending will not be announced.
    pub fn needs_another_look(&self) -> bool {
        self.views.is_unfinished()
    }

    /// Records changed files, so that the next look reads them.
    pub fn note_seen(&mut self, seen: &FileChanges) {
        self.views.watch.note_seen(seen);
    }

    /// Makes the next look take in at least `count` notes.
    pub fn look_at_notes_next(&mut self, count: usize) {
        self.views.watch.look_at_notes_next(count);
    }

    /// Returns whether the notes have been read since the start.
    pub const fn notes_are_read(&self) -> bool {
        self.views.watch.compared
    }

    pub fn inbox(&mut self) -> Inbox<'_> {
        Inbox {
            disk: self.disk.as_mut(),
        }
    }

    /// Keeps search indexes from now on, on a disk of their own with the same root.
    pub fn keep_index(&mut self, disk: RealDisk) {
        self.index = Some(Indexes::new(disk));
    }

    /// Returns the search index, or [`NoIndex`] if there is none.
    pub fn search_index(&self) -> &dyn SearchIndex {
        match &self.index {
            Some(indexes) => indexes,
            None => &NoIndex,
        }
    }

    /// Returns whether a thread works on an index, so that its result should be collected soon.
    pub fn awaits_index(&self) -> bool {
        self.index.as_ref().is_some_and(Indexes::is_at_work)
    }

    /// Collects the results of the index threads, and starts new work if there is some.
    /// Never waits. Returns notices for a person.
    pub fn tend_index(&mut self, now: Timestamp) -> Result<Vec<Notice>, Error> {
        let seq = self.head().seq;
        let digests = &mut self.views.files.notes;
        match &mut self.index {
            Some(indexes) => indexes.tend(&self.state, digests, seq, now),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the journal of all commits.
    fn journal(&mut self) -> SegmentJournal<'_> {
        SegmentJournal::on(self.disk.as_mut(), &mut self.segments)
    }

    /// Returns the views, and the sources that they are made from and compared with.
    const fn parts(&mut self, now: Timestamp) -> (&mut Views, ViewContext<'_>) {
        let from = ViewContext {
            disk: &mut self.disk,
            state: &self.state,
            first: self.segments.first,
            scope: &self.options.scope,
            now,
        };
        (&mut self.views, from)
    }
}
