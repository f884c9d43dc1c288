//! The base of `/storage` at a start.
//! No checkpoint holds the tree, so it is read from its view, and the tail of the journal is
//! applied. If no commit named the content of the file, the tree is rebuilt from the whole kept
//! journal.

use super::deferred::DeferredView;
use crate::core::journal::{Hash, State};
use crate::core::memory::Storage;
use crate::limits::DEFERRED_FILE_BYTES_MAX;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::checkpoint::First;
use crate::store::journal::scan;
use crate::store::quarantine::{self, Found};
use std::collections::BTreeSet;

/// The tree in its file, as a start finds it.
pub(crate) struct Base {
    pub storage: Storage,
    /// The digest of the file; absent if it was not needed, or cannot be read.
    digest: Option<Hash>,
    /// Whether the tree was empty at the checkpoint, or there is no checkpoint.
    is_certain: bool,
}

impl Base {
    /// Reads the base of a replay; `wanted` is the checkpoint's digest of the file.
    pub(crate) fn read(disk: &mut dyn Disk, wanted: Option<Hash>) -> Result<Self, Error> {
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

    /// Returns whether the file is one from the checkpoint or later.
    /// Applying the tail to a later one makes no difference, since each event replaces the value of
    /// its path.
    pub(crate) fn is_known(&self, known: &BTreeSet<Hash>) -> bool {
        self.is_certain || self.digest.is_some_and(|digest| known.contains(&digest))
    }
}

/// Rebuilds the tree from the kept journal alone.
pub(crate) fn replayed_storage(disk: &mut dyn Disk, first: First) -> Result<Storage, Error> {
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
