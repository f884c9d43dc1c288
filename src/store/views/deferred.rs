//! The deferred views, which are written when the loop rests: their content, and which are stale.
//! They are written with the commit that ends a run, with a person's change, before a checkpoint
//! and at a stop. A commit names each of them before it is written. Only the program writes these
//! files: an edit of one is kept beside it and reported, and the file is restored.

use crate::core::agent::ActionLog;
use crate::core::journal::event::{RamDeleted, RamSet};
use crate::core::journal::{Change, Event, Hash, State};
use crate::core::memory::MemoryLayout;
use crate::core::memory::directory::is_own;
use crate::store::layout;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A view that is written when the loop rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeferredView {
    Storage,
    ContextKeys,
    /// The newest tool calls.
    Log,
    /// Both layers of the memory in one file, only in the unified layout.
    Memory,
}

impl DeferredView {
    /// All deferred views.
    pub(crate) const ALL: [Self; 4] = [Self::Storage, Self::ContextKeys, Self::Log, Self::Memory];

    pub(crate) fn path(self) -> &'static Path {
        Path::new(match self {
            Self::Storage => layout::STORAGE,
            Self::ContextKeys => layout::CONTEXT_KEYS,
            Self::Log => layout::LOG,
            Self::Memory => layout::MEMORY,
        })
    }

    /// Returns whether a layout has the file.
    pub(crate) fn is_kept(self, layout: MemoryLayout) -> bool {
        self != Self::Memory || layout == MemoryLayout::Unified
    }

    pub(crate) fn at(path: &Path) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.path() == path)
    }

    /// Returns whether an event changes the content of the file or gives a part of it.
    /// A carried path counts: without a checkpoint it may be the only source for the tree.
    pub(crate) fn is_changed_by(self, event: &Event) -> bool {
        if self == Self::Log {
            return ActionLog::is_about(event);
        }
        if matches!(event, Event::StorageCarried(_)) {
            return matches!(self, Self::Storage | Self::Memory);
        }
        let Event::Change(change) = event else {
            return self == Self::ContextKeys && matches!(event, Event::KeysNoted(_));
        };
        match change.get() {
            Change::StorageSet(_) | Change::StorageDeleted(_) => true,
            Change::RamSet(RamSet { key, .. }) | Change::RamDeleted(RamDeleted { key }) => {
                self == Self::Memory || self == Self::ContextKeys && !is_own(key)
            }
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => false,
        }
    }

    pub(crate) fn to_file(self, state: &State) -> Vec<u8> {
        match self {
            Self::Storage => state.storage.to_file(),
            Self::ContextKeys => state.main.keys.to_file(),
            Self::Log => state.main.log.to_file(),
            Self::Memory => state.layers().to_file(),
        }
    }
}

/// The digests of the deferred views, and which of them are stale.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeferredViews {
    /// The digest of each file; absent before it is first written.
    pub digests: BTreeMap<DeferredView, Hash>,
    /// The views that are behind the state.
    pub stale: BTreeSet<DeferredView>,
    /// The layout, which decides which files exist.
    pub layout: MemoryLayout,
}

impl DeferredViews {
    /// Marks the views that some events change as stale.
    pub(crate) fn note_changes(&mut self, events: &[Event]) {
        let changed = |view: &DeferredView| events.iter().any(|event| view.is_changed_by(event));
        self.stale
            .extend(DeferredView::ALL.into_iter().filter(changed));
    }

    /// Returns the stale views of the layout, which are to be written at the next rest.
    pub(crate) fn due(&self) -> impl Iterator<Item = DeferredView> {
        let stale = self.stale.iter().copied();
        stale.filter(|view| view.is_kept(self.layout))
    }

    /// Sets the layout.
    /// A new file of the layout is due; a file that it does not have is removed at the next look.
    pub(crate) fn set_layout(&mut self, layout: MemoryLayout) {
        self.layout = layout;
        if !self.digests.contains_key(&DeferredView::Memory) {
            self.stale.insert(DeferredView::Memory);
        }
    }

    /// Records the digest of a file that a commit names.
    pub(crate) fn note_written(&mut self, view: DeferredView, digest: Hash) {
        self.digests.insert(view, digest);
        self.stale.remove(&view);
    }
}
