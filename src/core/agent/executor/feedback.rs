//! The bounded feedback on one reply for the next prompt.
//! A window of a few thousand tokens must hold it beside everything else. Each omission is marked.

use crate::core::agent::{ActionResult, ResultItem};
use crate::core::notes::{Note, Notes};
use crate::core::prompt::{KEY_NAMED_BYTES, TextPage, shorten_more, with_not_shown};
use crate::limits::{RESULT_ITEMS_MAX, RESULT_TEXT_CHARS_MAX};

/// The number of characters shown of a text that was asked for by id or exact key.
pub(super) const FULL_TEXT_CHARS: usize = 2000;

/// The number of characters of a message that always fit.
const MESSAGE_CHARS: usize = 300;

/// The hint for notes that a result left out for lack of room.
const ALONE: &str = ", ask for it alone";

/// The results of one reply, within the bounds.
#[derive(Debug)]
pub(super) struct Feedback {
    pub(super) results: Vec<ActionResult>,
    items_left: usize,
    chars_left: usize,
}

impl Default for Feedback {
    fn default() -> Self {
        Self {
            results: Vec::new(),
            items_left: RESULT_ITEMS_MAX,
            chars_left: RESULT_TEXT_CHARS_MAX,
        }
    }
}

impl Feedback {
    /// Adds a result with as many of its notes as fit.
    /// A result that is there already is not added again: a small model that reads the same line
    /// many times goes on writing it.
    pub(super) fn add(&mut self, mut result: ActionResult) {
        if self.results.contains(&result) {
            return;
        }
        let left_out = result.items.len().saturating_sub(self.items_left);
        if left_out > 0 {
            result.items.truncate(self.items_left);
            result.message = with_not_shown(&result.message, left_out, ALONE);
        }
        let chars = result.message.chars().count();
        if chars > MESSAGE_CHARS {
            let room = self.chars_left.max(MESSAGE_CHARS);
            if chars > room {
                cut(&mut result.message, &mut result.page, room);
            }
            self.chars_left = self.chars_left.saturating_sub(chars);
        }
        self.items_left -= result.items.len();
        for item in &mut result.items {
            let of_page = item.page.as_ref().map(|page| page.shown);
            let chars = of_page.unwrap_or_else(|| item.text.chars().count());
            if chars > self.chars_left {
                cut(&mut item.text, &mut item.page, self.chars_left);
            }
            self.chars_left = self.chars_left.saturating_sub(chars);
        }
        self.results.push(result);
    }
}

/// Cuts a text to about `chars` characters.
/// It keeps the mark that says what is left out and how to get it.
fn cut(text: &mut String, page: &mut Option<TextPage>, chars: usize) {
    let Some(whole) = page.as_ref() else {
        *text = shorten_more(text, chars);
        return;
    };
    if let Some((smaller, cut)) = whole.shorter(text, chars, |_| true) {
        *text = cut;
        *page = Some(smaller);
    }
}

/// Returns a note as a result item, with `chars` characters of its text.
pub(in crate::core::agent) fn item(note: &Note, notes: &Notes, chars: usize) -> ResultItem {
    part(note, notes, 0, chars)
}

/// Returns a note as a result item, with `chars` characters of its text after the first `from`.
pub(super) fn part(note: &Note, notes: &Notes, from: usize, chars: usize) -> ResultItem {
    let (page, text) = TextPage::of(&note.value, &name_of(note, notes), from, chars);
    ResultItem {
        text,
        page: Some(page),
        ..bare_item(note)
    }
}

/// Returns a note as a result item without its text.
pub(super) fn bare_item(note: &Note) -> ResultItem {
    ResultItem {
        id: note.id,
        version: note.version,
        title: note.title.clone(),
        text: String::new(),
        links: Vec::new(),
        page: None,
    }
}

/// Returns the name of a note in a mark: its title if that is short and unique, else its id.
/// A small model copies a title more reliably than an id.
pub(super) fn name_of(note: &Note, notes: &Notes) -> String {
    name_where(note.title.trim().len() <= KEY_NAMED_BYTES, note, notes)
}

/// Returns the title of a note if it is short and unique, else its id.
pub(super) fn name_where(is_short: bool, note: &Note, notes: &Notes) -> String {
    let title = note.title.trim();
    let mut others = notes.all_titled(title).filter(|other| other.id != note.id);
    if is_short && !title.is_empty() && others.next().is_none() {
        title.to_owned()
    } else {
        note.id.to_string()
    }
}
