//! The links of a note in both directions, and the notes that are similar to a new one.

use super::find::is_same_title;
use crate::core::notes::{Link, Note, Notes, similar_to};
use crate::ids::NoteId;
use crate::limits::SIMILAR_SHOWN_MAX;
use crate::plain_text::{joined, one_line};
use serde::Serialize;

const TITLE_CHARACTERS_MAX: usize = 40;

/// A note with its links.
#[derive(Debug, Serialize)]
pub struct LinkedNote {
    #[serde(flatten)]
    pub note: Note,
    /// The targets of its links, missing ones included.
    pub linked_to: Vec<LinkEnd>,
    pub linked_from: Vec<LinkEnd>,
}

/// One end of a link.
#[derive(Debug, Serialize)]
pub struct LinkEnd {
    /// The id of the note, where one is meant.
    pub id: Option<NoteId>,
    pub title: Option<String>,
    /// Whether there is no such note, or more than one.
    pub missing: bool,
}

impl LinkedNote {
    pub(super) fn of(notes: &Notes, note: &Note) -> Self {
        let to_note = |id: NoteId| LinkEnd {
            id: Some(id),
            title: notes.get(id).map(|note| note.title.clone()),
            missing: notes.get(id).is_none(),
        };
        let to = |link| match link {
            Link::To(id) | Link::GoneNote(id) => to_note(id),
            Link::NoSuchTitle(title) => LinkEnd {
                id: None,
                title: Some(title),
                missing: true,
            },
        };
        Self {
            note: note.clone(),
            linked_to: notes.links_of(note).into_iter().map(to).collect(),
            linked_from: notes.linked_from(note).into_iter().map(to_note).collect(),
        }
    }
}

/// Returns hints at notes with the title of a new one, and at its near-duplicates.
pub(super) fn similar_hints(notes: &Notes, new: &Note, threshold: f64) -> Vec<String> {
    let is_here = |note: &Note| note.workspace_id == new.workspace_id && note.id != new.id;
    let has_title = |note: &&Note| is_here(note) && is_same_title(&note.title, &new.title);
    let titled: Vec<&Note> = notes
        .iter()
        .filter(has_title)
        .take(SIMILAR_SHOWN_MAX)
        .collect();
    let is_near = |note: &Note| is_here(note) && !is_same_title(&note.title, &new.title);
    let similar = similar_to(new, notes, threshold, SIMILAR_SHOWN_MAX, is_near).notes;
    let similar: Vec<&Note> = similar.into_iter().map(|(_, note)| note).collect();
    let title = named(&titled).map(|named| {
        format!("hint: a note of the same title is there already: {named}; `notes edit` changes it")
    });
    let text = named(&similar).map(|named| format!("hint: much the same is said by {named}"));
    title.into_iter().chain(text).collect()
}

/// Returns titles and ids of notes in a line; `None` if there are none.
fn named(notes: &[&Note]) -> Option<String> {
    let titles = notes.iter().map(|note| {
        let title = one_line(&note.title, TITLE_CHARACTERS_MAX);
        format!("{title} ({})", note.id)
    });
    (!notes.is_empty()).then(|| joined(titles, "; "))
}
