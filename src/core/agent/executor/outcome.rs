//! The outcome of one instruction in the executor: a request for a state, done, or refused.

use crate::core::agent::ResultItem;
use crate::core::agent::transition::StateRequest;
use crate::core::guard::Refusal;
use crate::core::notes::Note;
use crate::core::prompt::TextPage;
use crate::ids::NoteId;

/// The message for a change that makes no difference.
const UNCHANGED: &str = "that changes nothing: the note says just that already";

/// The outcome of an instruction that was not refused.
pub(super) enum Accepted {
    /// A request for a state, which is settled after the reply.
    StateRequest(StateRequest),
    Done(Box<Done>),
}

impl From<Done> for Accepted {
    fn from(done: Done) -> Self {
        Self::Done(Box::new(done))
    }
}

/// The outcome of an applied instruction.
#[derive(Default)]
pub(super) struct Done {
    /// The feedback in the next prompt; `None` if the effect shows by itself.
    pub(super) feedback: Option<(String, Vec<ResultItem>)>,
    /// The part of a text that the message ends with, if it shows one.
    pub(super) page: Option<TextPage>,
    /// The changed note before the change.
    pub(super) base: Option<Note>,
    /// Whether there was nothing to do.
    pub(super) is_ignored: bool,
}

impl Done {
    /// Returns an outcome with a message for the next prompt, if any.
    pub(super) fn feedback(message: Option<String>) -> Self {
        Self {
            feedback: message.map(|message| (message, Vec::new())),
            ..Self::default()
        }
    }

    /// Returns the outcome of a change that leaves a note as it is.
    pub(super) fn unchanged(item: ResultItem) -> Self {
        Self {
            feedback: Some((UNCHANGED.to_owned(), vec![item])),
            ..Self::ignored()
        }
    }

    /// Returns the outcome of an instruction that did nothing.
    /// Either this run did it before, or the program writes the value itself, and a model that
    /// copies it does no harm.
    pub(super) fn ignored() -> Self {
        Self {
            is_ignored: true,
            ..Self::default()
        }
    }
}

/// The refusal of an instruction, with the notes that help to correct it.
pub(super) struct Refused {
    pub(super) refusal: Refusal,
    pub(super) items: Vec<ResultItem>,
    /// The existing note that already says the same.
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
