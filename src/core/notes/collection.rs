//! The notes in memory. May be incomplete at first: a start reads the note files only after the
//! first question is under way, and until then holds just what the journal's tail told it.

use super::note::Note;
use crate::ids::NoteId;
use std::collections::{BTreeMap, BTreeSet};

/// Notes by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    map: BTreeMap<NoteId, Note>,
    /// Deleted while the rest was not read yet: their files must not bring them back.
    deleted: BTreeSet<NoteId>,
    complete: bool,
}

impl Notes {
    /// An empty collection that is known to be complete.
    pub fn complete() -> Self {
        Self {
            complete: true,
            ..Self::default()
        }
    }

    /// Whether every note is here.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Adds what the files hold, except where the journal's tail knows better, and marks the
    /// collection complete.
    pub fn fill(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            if !self.deleted.contains(&note.id) {
                self.map.entry(note.id).or_insert(note);
            }
        }
        self.deleted.clear();
        self.complete = true;
    }

    /// A note by id.
    pub fn get(&self, id: NoteId) -> Option<&Note> {
        self.map.get(&id)
    }

    /// Whether the journal's tail has said anything about this note.
    pub fn knows(&self, id: NoteId) -> bool {
        self.map.contains_key(&id) || self.deleted.contains(&id)
    }

    /// Puts a note in, replacing an older version.
    pub fn put(&mut self, note: Note) {
        self.deleted.remove(&note.id);
        self.map.insert(note.id, note);
    }

    /// Takes a note out.
    pub fn remove(&mut self, id: NoteId) {
        self.map.remove(&id);
        if !self.complete {
            self.deleted.insert(id);
        }
    }

    /// All notes, oldest id first.
    pub fn iter(&self) -> impl Iterator<Item = &Note> + Clone {
        self.map.values()
    }

    /// How many notes there are.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}
