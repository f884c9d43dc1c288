//! The notes in memory.
//! The collection may be incomplete at first: a start reads the note files only after the first
//! call is under way, and until then it holds only the notes of the journal's tail.

use super::links::LinkGraph;
use super::note::Note;
use super::similarity_index::SimilarityIndex;
use crate::ids::NoteId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The notes by id, with the indexes that are derived from them.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The notes by id, shared so that others can keep them while the map changes.
    map: BTreeMap<NoteId, Arc<Note>>,
    /// The notes deleted while the files were unread, so that their files do not bring them back.
    deleted: BTreeSet<NoteId>,
    complete: bool,
    graph: LinkGraph,
    /// The index of near-duplicates, built on first use.
    similarity: Option<Box<SimilarityIndex>>,
}

/// The task of indexing a collection for comparisons.
#[derive(Debug)]
pub struct Preparation {
    notes: Vec<Arc<Note>>,
    threshold: f64,
}

/// The result of a [`Preparation`].
#[derive(Debug)]
pub struct PreparedIndex(Box<SimilarityIndex>);

impl Preparation {
    /// Returns the number of notes to index.
    pub const fn len(&self) -> usize {
        self.notes.len()
    }

    /// Returns whether there are no notes to index.
    pub const fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Builds the index.
    pub fn work(self) -> PreparedIndex {
        let notes = self.notes.iter().map(Arc::as_ref);
        PreparedIndex(Box::new(SimilarityIndex::build(notes, self.threshold)))
    }
}

/// Compares the notes alone, since the indexes follow from them.
impl PartialEq for Notes {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map && self.deleted == other.deleted && self.complete == other.complete
    }
}

impl Notes {
    /// Returns an empty collection that is complete.
    pub fn complete() -> Self {
        Self {
            complete: true,
            ..Self::default()
        }
    }

    /// Returns whether every note is here.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Adds the notes of the files, except those that the journal's tail already gave or deleted.
    /// Marks the collection as complete.
    pub fn fill(&mut self, notes: impl IntoIterator<Item = impl Into<Arc<Note>>>) {
        let deleted = std::mem::take(&mut self.deleted);
        let read = notes.into_iter().map(Into::into);
        let read = read.filter(|note| !deleted.contains(&note.id));
        // Collected at once, the map has no unused capacity.
        let known = std::mem::take(&mut self.map);
        self.map = read.map(|note| (note.id, note)).collect();
        self.map.extend(known);
        self.graph = LinkGraph::of(self.map.values().map(Arc::as_ref));
        self.complete = true;
        self.similarity = None;
    }

    /// Indexes the notes for [`similar_to`] and [`scan_notes`], unless the index still serves.
    /// This reads every word of every note: for large collections, use [`Notes::preparation`] on
    /// another thread.
    ///
    /// [`similar_to`]: super::similar_to
    /// [`scan_notes`]: super::scan_notes
    pub fn prepare(&mut self, threshold: f64) {
        if let Some(preparation) = self.preparation(threshold) {
            self.take_prepared(preparation.work());
        }
    }

    /// Returns the work of [`Notes::prepare`] for another thread; `None` if the index still serves.
    pub fn preparation(&self, threshold: f64) -> Option<Preparation> {
        let is_due = self.complete && !self.is_prepared(threshold);
        is_due.then(|| Preparation {
            notes: self.snapshot(),
            threshold,
        })
    }

    /// Takes over the result of a preparation. No note may have changed since it was given out.
    pub fn take_prepared(&mut self, prepared: PreparedIndex) {
        self.similarity = Some(prepared.0);
    }

    /// Returns whether there is an index for the threshold that still serves.
    pub fn is_prepared(&self, threshold: f64) -> bool {
        let ready = |index: &SimilarityIndex| index.is_for(threshold) && !index.is_outgrown();
        self.similarity.as_deref().is_some_and(ready)
    }

    pub(super) fn similarity(&self) -> Option<&SimilarityIndex> {
        self.similarity.as_deref()
    }

    pub(super) const fn graph(&self) -> &LinkGraph {
        &self.graph
    }

    /// Returns the note of an id.
    pub fn get(&self, id: NoteId) -> Option<&Note> {
        self.map.get(&id).map(Arc::as_ref)
    }

    /// Returns whether the note is here, or was deleted while the files were unread.
    pub fn knows(&self, id: NoteId) -> bool {
        self.map.contains_key(&id) || self.deleted.contains(&id)
    }

    /// Adds a note, replacing an older version.
    pub fn put(&mut self, note: Note) {
        self.deleted.remove(&note.id);
        let old = self.map.get(&note.id).map(Arc::as_ref);
        if let Some(old) = old {
            self.graph.remove(old);
        }
        self.graph.put(&note);
        if let Some(similarity) = &mut self.similarity {
            similarity.put(old, &note);
        }
        self.map.insert(note.id, packed(note));
    }

    /// Removes a note.
    pub fn remove(&mut self, id: NoteId) {
        if let Some(old) = self.map.remove(&id) {
            self.graph.remove(&old);
            if let Some(similarity) = &mut self.similarity {
                similarity.remove(&old);
            }
        }
        if !self.complete {
            self.deleted.insert(id);
        }
    }

    /// Returns all notes, oldest id first.
    pub fn iter(&self) -> impl Iterator<Item = &Note> + Clone {
        self.map.values().map(Arc::as_ref)
    }

    /// Returns the notes as they are now, oldest id first, to be kept while the collection changes.
    pub fn snapshot(&self) -> Vec<Arc<Note>> {
        self.map.values().map(Arc::clone).collect()
    }

    /// Returns the notes from an id on, oldest id first.
    pub fn iter_from(&self, id: NoteId) -> impl Iterator<Item = &Note> {
        self.map.range(id..).map(|(_, note)| note.as_ref())
    }

    /// Returns the owned notes, oldest id first.
    pub fn into_notes(self) -> Vec<Note> {
        self.map.into_values().map(Arc::unwrap_or_clone).collect()
    }

    /// Returns the number of notes.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

/// Returns a shared note without unused capacity, since there may be many and most never change.
pub fn packed(mut note: Note) -> Arc<Note> {
    note.keywords.shrink_to_fit();
    for text in [&mut note.title, &mut note.value, &mut note.note_kind] {
        text.shrink_to_fit();
    }
    Arc::new(note)
}
