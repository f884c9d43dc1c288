//! The notes in memory. May be incomplete at first: a start reads the note files only after the
//! first question is under way, and until then holds just what the journal's tail told it.

use super::likeness::Likeness;
use super::links::LinkGraph;
use super::note::Note;
use crate::ids::NoteId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Notes by id, with what is derived from them.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Each by itself, so that others can hold on to notes while the map goes on.
    map: BTreeMap<NoteId, Arc<Note>>,
    /// Deleted while the rest was not read yet: their files must not bring them back.
    deleted: BTreeSet<NoteId>,
    complete: bool,
    graph: LinkGraph,
    /// Built when it is first wanted.
    likeness: Option<Box<Likeness>>,
}

/// The work of making a collection ready to be compared.
#[derive(Debug)]
pub struct Preparation {
    notes: Vec<Arc<Note>>,
    threshold: f64,
}

/// What it comes to.
#[derive(Debug)]
pub struct Prepared(Box<Likeness>);

impl Preparation {
    /// How many notes it looks at.
    pub const fn len(&self) -> usize {
        self.notes.len()
    }

    /// Whether there is nothing to look at.
    pub const fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Does it.
    pub fn work(self) -> Prepared {
        let notes = self.notes.iter().map(Arc::as_ref);
        Prepared(Box::new(Likeness::build(notes, self.threshold)))
    }
}

/// What is derived says nothing more.
impl PartialEq for Notes {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map && self.deleted == other.deleted && self.complete == other.complete
    }
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
    pub fn fill(&mut self, notes: impl IntoIterator<Item = impl Into<Arc<Note>>>) {
        let deleted = std::mem::take(&mut self.deleted);
        let read = notes.into_iter().map(Into::into);
        let read = read.filter(|note| !deleted.contains(&note.id));
        // Made in one go, the map has no room to spare.
        let known = std::mem::take(&mut self.map);
        self.map = read.map(|note| (note.id, note)).collect();
        self.map.extend(known);
        self.graph = LinkGraph::of(self.map.values().map(Arc::as_ref));
        self.complete = true;
        self.likeness = None;
    }

    /// Makes ready for [`similar_to`] and [`look_over`], unless that was done and still serves. Costs
    /// a look at every word of every note: where there are many, [`Notes::preparation`] is for another
    /// thread.
    ///
    /// [`similar_to`]: super::similar_to
    /// [`look_over`]: super::look_over
    pub fn prepare(&mut self, threshold: f64) {
        if let Some(preparation) = self.preparation(threshold) {
            self.take_prepared(preparation.work());
        }
    }

    /// The work of [`Notes::prepare`], to be done elsewhere; nothing if it is done already.
    pub fn preparation(&self, threshold: f64) -> Option<Preparation> {
        let is_due = self.complete && !self.is_prepared(threshold);
        is_due.then(|| Preparation {
            notes: self.snapshot(),
            threshold,
        })
    }

    /// Takes what a preparation came to. No note may have changed since it was given out.
    pub fn take_prepared(&mut self, prepared: Prepared) {
        self.likeness = Some(prepared.0);
    }

    /// Whether that was done and still serves.
    pub fn is_prepared(&self, threshold: f64) -> bool {
        let ready = |index: &Likeness| index.is_for(threshold) && !index.is_outgrown();
        self.likeness.as_deref().is_some_and(ready)
    }

    pub(super) fn likeness(&self) -> Option<&Likeness> {
        self.likeness.as_deref()
    }

    pub(super) const fn graph(&self) -> &LinkGraph {
        &self.graph
    }

    /// A note by id.
    pub fn get(&self, id: NoteId) -> Option<&Note> {
        self.map.get(&id).map(Arc::as_ref)
    }

    /// Whether the journal's tail has said anything about this note.
    pub fn knows(&self, id: NoteId) -> bool {
        self.map.contains_key(&id) || self.deleted.contains(&id)
    }

    /// Puts a note in, replacing an older version.
    pub fn put(&mut self, note: Note) {
        self.deleted.remove(&note.id);
        let old = self.map.get(&note.id).map(Arc::as_ref);
        if let Some(old) = old {
            self.graph.remove(old);
        }
        self.graph.put(&note);
        if let Some(likeness) = &mut self.likeness {
            likeness.put(old, &note);
        }
        self.map.insert(note.id, packed(note));
    }

    /// Takes a note out.
    pub fn remove(&mut self, id: NoteId) {
        if let Some(old) = self.map.remove(&id) {
            self.graph.remove(&old);
            if let Some(likeness) = &mut self.likeness {
                likeness.remove(&old);
            }
        }
        if !self.complete {
            self.deleted.insert(id);
        }
    }

    /// All notes, oldest id first.
    pub fn iter(&self) -> impl Iterator<Item = &Note> + Clone {
        self.map.values().map(Arc::as_ref)
    }

    /// The notes as they are now, oldest id first, to be kept while the collection goes on.
    pub fn snapshot(&self) -> Vec<Arc<Note>> {
        self.map.values().map(Arc::clone).collect()
    }

    /// The notes from that id on, oldest id first.
    pub fn iter_from(&self, id: NoteId) -> impl Iterator<Item = &Note> {
        self.map.range(id..).map(|(_, note)| note.as_ref())
    }

    /// The notes themselves, oldest id first.
    pub fn into_notes(self) -> Vec<Note> {
        self.map.into_values().map(Arc::unwrap_or_clone).collect()
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

/// A note without room to spare: there may be many, and most never change again.
pub fn packed(mut note: Note) -> Arc<Note> {
    note.keywords.shrink_to_fit();
    for text in [&mut note.title, &mut note.value, &mut note.note_kind] {
        text.shrink_to_fit();
    }
    Arc::new(note)
}
