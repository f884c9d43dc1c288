//! What one instruction came to in the executor: a wish, done, or refused. Decides none of them.

use crate::core::agent::ResultItem;
use crate::core::agent::transition::Wish;
use crate::core::guard::Refusal;
use crate::core::notes::Note;
use crate::core::prompt::Page;
use crate::ids::NoteId;

/// What is said of a change that changes nothing.
const UNCHANGED: &str = "that changes nothing: the note says just that already";

/// What an instruction came to that was not refused.
pub(super) enum Acted {
    /// A wish for a state, which is settled after the reply.
    Wish(Wish),
    Done(Box<Done>),
}

impl From<Done> for Acted {
    fn from(done: Done) -> Self {
        Self::Done(Box::new(done))
    }
}

/// What an applied instruction came to.
#[derive(Default)]
pub(super) struct Done {
    /// What the next prompt says of it; nothing where the effect shows by itself.
    pub(super) feedback: Option<(String, Vec<ResultItem>)>,
    /// Which part of a text that message ends with, where it shows one.
    pub(super) page: Option<Page>,
    /// The note that was changed, as it was before.
    pub(super) base: Option<Note>,
    /// Whether there was nothing to do.
    pub(super) is_ignored: bool,
}

impl Done {
    /// Done, and what the next prompt says of it, if anything.
    pub(super) fn feedback(message: Option<String>) -> Self {
        Self {
            feedback: message.map(|message| (message, Vec::new())),
            ..Self::default()
        }
    }

    /// A change that leaves a note as it is, which is no change.
    pub(super) fn unchanged(item: ResultItem) -> Self {
        Self {
            feedback: Some((UNCHANGED.to_owned(), vec![item])),
            ..Self::ignored()
        }
    }

    /// Nothing was done: this run did it before, or the program writes it itself and a model that copies
    /// what it reads does no harm.
    pub(super) fn ignored() -> Self {
        Self {
            is_ignored: true,
            ..Self::default()
        }
    }
}

/// Why an instruction was refused, and the notes that help to do better.
pub(super) struct Refused {
    pub(super) refusal: Refusal,
    pub(super) items: Vec<ResultItem>,
    /// The note that says the same already.
    pub(super) instead: Option<NoteId>,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self {
            refusal,
            items: Vec::new(),
            instead: None,
        }
    }
}
