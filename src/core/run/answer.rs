//! The answer to a person's question, and the notes that it comes from.

use crate::ids::NoteId;
use serde::{Deserialize, Serialize};

/// An answer from the notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The answer, or a sentence saying that the notes do not contain it.
    pub text: String,
    /// Whether the notes contain the answer.
    pub found: bool,
    /// The notes that it comes from; where nothing was found, the notes that were searched.
    pub sources: Vec<Source>,
}

/// A note that an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The note.
    pub note_id: NoteId,
    /// The title of the note at that time.
    pub title: String,
}

impl Answer {
    /// Adds the answer to one more question of a request.
    /// It goes on a line of its own, and each source is listed once.
    pub fn add_to(known: &mut Option<Self>, answer: &Self) {
        let Some(known) = known else {
            *known = Some(answer.clone());
            return;
        };
        known.text = [known.text.as_str(), answer.text.as_str()].join("\n");
        known.found &= answer.found;
        for source in &answer.sources {
            if !known.sources.iter().any(|it| it.note_id == source.note_id) {
                known.sources.push(source.clone());
            }
        }
    }
}
