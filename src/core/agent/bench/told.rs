//! What the next prompt tells about this reply, bounded: a window of a few thousand tokens has to
//! hold it beside everything else. What does not fit is left out visibly, never silently.

use crate::core::agent::{ActionResult, ResultItem};
use crate::core::notes::{Note, Query};
use crate::core::prompt::{passage, shorten};
use crate::limits::{RESULT_ITEMS_MAX, RESULT_TEXT_CHARS_MAX};

/// Characters of a text that was asked for by id or by its exact key: enough to work on.
pub(super) const FULL_TEXT_CHARS: usize = 2000;

/// Characters of a message that there is always room for.
const MESSAGE_CHARS: usize = 300;

/// The results of one reply.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) results: Vec<ActionResult>,
    items_left: usize,
    chars_left: usize,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            results: Vec::new(),
            items_left: RESULT_ITEMS_MAX,
            chars_left: RESULT_TEXT_CHARS_MAX,
        }
    }
}

impl Told {
    /// Adds a result, as far as there is room for its notes. What was said already is not said
    /// again: a small model that reads the same line many times goes on writing it.
    pub(super) fn add(&mut self, mut result: ActionResult) {
        if self.results.contains(&result) {
            return;
        }
        let left_out = result.items.len().saturating_sub(self.items_left);
        if left_out > 0 {
            result.items.truncate(self.items_left);
            result.message = format!("{}; {left_out} not shown", result.message);
        }
        let chars = result.message.chars().count();
        if chars > MESSAGE_CHARS {
            let room = self.chars_left.max(MESSAGE_CHARS);
            result.message = shorten(&result.message, room);
            self.chars_left = self.chars_left.saturating_sub(chars);
        }
        self.items_left -= result.items.len();
        for item in &mut result.items {
            let chars = item.text.chars().count();
            if chars > self.chars_left {
                item.text = shorten(&item.text, self.chars_left);
            }
            self.chars_left = self.chars_left.saturating_sub(chars);
        }
        self.results.push(result);
    }
}

/// A note as a result shows it, with so many characters of its text.
pub(in crate::core::agent) fn item(note: &Note, chars: usize) -> ResultItem {
    ResultItem {
        id: note.id,
        version: note.version,
        title: note.title.clone(),
        text: shorten(&note.value, chars),
        links: Vec::new(),
    }
}

/// A note that a search found: so many characters of its text around the words that were looked for.
pub(super) fn hit(note: &Note, query: &Query, chars: usize) -> ResultItem {
    ResultItem {
        text: passage(&note.value, &query.places(&note.value), chars),
        ..item(note, 0)
    }
}
