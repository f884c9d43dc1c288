//! What guards protect, as it stands: RAM, notes, `/storage` and proposals. What the loop writes for itself
//! is left out, so that a reply that changes nothing leaves the same footprint.

use crate::core::journal::{Hash, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS, THINK_LOG};
use crate::core::notes::Note;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that guards protect, as it stands; what the loop writes for itself is left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Footprint {
    pub(super) ram: BTreeMap<String, Value>,
    pub(super) storage: Value,
    pub(super) notes: Vec<Note>,
    pub(super) proposals: usize,
}

impl Footprint {
    /// That of a state.
    pub(super) fn of(state: &State) -> Self {
        let own = [STATE, THINK_LOG, CONTEXT, STEPS];
        let ram = state.ram.entries().filter(|(key, _)| !own.contains(key));
        Self {
            ram: ram
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect(),
            storage: serde_json::from_slice(&state.storage.to_file()).unwrap_or_default(),
            notes: state.notes.iter().cloned().collect(),
            proposals: state.proposals.pending().len(),
        }
    }

    /// Notes that there are or that are proposed.
    pub(super) fn note_count(&self) -> usize {
        self.notes.len() + self.proposals
    }

    /// SHA-256 over it.
    pub(super) fn digest(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        Hash::of(&bytes).to_string()
    }
}
