//! What the next prompt tells about this reply, bounded: a window of a few thousand tokens has to
//! hold it beside everything else. What does not fit is left out visibly, never silently.

use crate::core::agent::{ActionResult, ResultItem};
use crate::core::notes::Note;
use crate::limits::{RESULT_ITEMS_MAX, RESULT_TEXT_CHARS_MAX};

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
pub(super) fn item(note: &Note, chars: usize) -> ResultItem {
    ResultItem {
        id: note.id,
        version: note.version,
        title: note.title.clone(),
        text: shorten(&note.value, chars),
    }
}

/// The first `chars` characters, with a mark that says how many are left out; nothing for none.
pub(super) fn shorten(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some(_) if chars == 0 => String::new(),
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}... ({} more characters)", rest.chars().count())
        }
    }
}
