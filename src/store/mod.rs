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
mod checkpoint;
mod conversations;
mod drawn_ids;
mod edits;
mod error;
mod note_edits;
mod note_files;
mod quarantine;
mod reader;
mod retire;
mod scan;
mod views;

use crate::core::guard::Scope;
use crate::core::journal::event::{NoteWritten, ViewsWritten};
use crate::core::journal::{Change, Draft, Event, Hash, State};
use crate::ids::NoteId;
use crate::limits::CHECKPOINT_EVERY_BYTES;
use crate::time::Timestamp;
use checkpoint::First;
use disk::Disk;
use journal::{Head, Log as _, Segments};
use std::collections::BTreeMap;
use std::path::PathBuf;
use views::{View, Views};

pub use boot::Notice;
pub use drawn_ids::DrawnIds;
pub use edits::EditReport;
pub use error::Error;
pub use reader::{
    AuditEntry, NoteVersion, Verified, audit_entries, head_of, note_history, read_state, verify,
};

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

    /// Makes a draft durable, adds it to the state and swaps the changed views in.
    ///
    /// # Errors
    /// [`Error::Full`]: nothing was committed, try again later. Any other error: what the disk
    /// holds is unknown, stop. If only the views found no room, the commit stands and
    /// [`Store::settle`] reports it.
    pub fn commit(&mut self, mut draft: Draft) -> Result<Head, Error> {
        self.try_commit(&mut draft)
    }

    /// Like [`Store::commit`], and the draft can be tried again after [`Error::Full`].
    pub fn try_commit(&mut self, draft: &mut Draft) -> Result<Head, Error> {
        let planned = self.plan_views(draft);
        let facts = draft.events.len();
        if !planned.is_empty() {
            let files = planned.iter().map(|(view, bytes)| {
                let digest = bytes.as_deref().map(|bytes| Hash::of(bytes).to_string());
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
        for event in &draft.events {
            self.state.apply(event, draft.actor.actor_type);
        }
        self.put_views(planned)?;
        self.keep_conversations(&draft.events)?;
        if self.segments.since_checkpoint >= CHECKPOINT_EVERY_BYTES {
            self.checkpoint(false, draft.ts)?;
        }
        Ok(head)
    }

    /// Writes what is owed: views that found no room.
    pub fn settle(&mut self) -> Result<(), Error> {
        for view in self.views.stale.clone() {
            let bytes = match view {
                View::Kv => Some(self.state.ram.to_file()),
                View::Note(id) => self
                    .state
                    .notes
                    .get(id)
                    .map(crate::core::notes::Note::to_file),
            };
            self.put_view(view, bytes)?;
        }
        self.settle_conversations()
    }

    /// Writes a checkpoint, the changed views synced first. `clean` says that nothing follows.
    pub fn checkpoint(&mut self, clean: bool, now: Timestamp) -> Result<(), Error> {
        self.settle()?;
        self.views.sync(self.disk.as_mut())?;
        self.sync_conversations()?;
        let source = checkpoint::Source {
            state: &self.state,
            segments: &self.segments,
            first: self.first,
            kv: self.views.kv_digest,
            notes: &self.views.notes,
            clean,
            now,
        };
        checkpoint::write(self.disk.as_mut(), &source)?;
        self.segments.since_checkpoint = 0;
        Ok(())
    }

    /// The views that a draft changes, each with its new bytes; `None` removes the file.
    fn plan_views(&self, draft: &Draft) -> BTreeMap<View, Option<Vec<u8>>> {
        let mut planned = BTreeMap::new();
        let mut ram = None;
        for event in &draft.events {
            let Event::Change(change) = event else {
                continue;
            };
            match change.get() {
                Change::RamSet(set) => {
                    let ram = ram.get_or_insert_with(|| self.state.ram.clone());
                    ram.set(set.key.clone(), set.value.clone());
                }
                Change::RamDeleted(deleted) => {
                    ram.get_or_insert_with(|| self.state.ram.clone())
                        .delete(&deleted.key);
                }
                Change::NoteCreated(NoteWritten { note })
                | Change::NoteUpdated(NoteWritten { note }) => {
                    planned.insert(View::Note(note.id), Some(note.to_file()));
                }
                Change::NoteDeleted(NoteWritten { note }) => {
                    planned.insert(View::Note(note.id), None);
                }
            }
        }
        let kv = ram.map(|ram| ram.to_file());
        if let Some(bytes) = kv.filter(|bytes| *bytes != self.views.kv_bytes) {
            planned.insert(View::Kv, Some(bytes));
        }
        planned
    }

    fn put_views(&mut self, planned: BTreeMap<View, Option<Vec<u8>>>) -> Result<(), Error> {
        for (view, bytes) in planned {
            match self.put_view(view, bytes) {
                // The commit stands; what is owed is written by `settle`.
                Err(Error::Full(error)) => tracing::warn!(%error, ?view, "no room for a view yet"),
                other => other?,
            }
        }
        Ok(())
    }

    fn put_view(&mut self, view: View, bytes: Option<Vec<u8>>) -> Result<(), Error> {
        let disk = self.disk.as_mut();
        match (view, bytes) {
            (View::Kv, bytes) => {
                let bytes = bytes.unwrap_or_default();
                let base = std::mem::replace(&mut self.views.kv_bytes, bytes);
                let bytes = self.views.kv_bytes.clone();
                self.views.kv_digest = Some(Hash::of(&bytes));
                self.views.put(disk, view, &bytes, &base)
            }
            (View::Note(id), Some(bytes)) => {
                self.views.notes.insert(id, Hash::of(&bytes));
                // A note's base is the version before; the journal has it if it is ever needed.
                self.views.put(disk, view, &bytes, &[])
            }
            (View::Note(id), None) => {
                self.views.notes.remove(&id);
                self.views.remove_note(disk, id)
            }
        }
    }

    /// The note's present file, as far as it is known to be in order.
    fn expects_note(&self, id: NoteId) -> bool {
        self.views.notes.contains_key(&id)
    }
}
