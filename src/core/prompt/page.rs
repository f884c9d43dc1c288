//! A part of a longer text in a prompt.
//! It holds the numbers of the marks around it, so that a part that is cut again still shows
//! correctly how much is left out and how to continue. It never reads them from the text, which may
//! contain marks of its own.

use super::cut::{cut_behind, mark, mark_before, passage_start};
use crate::limits::RAM_KEY_BYTES_MAX;
use serde::{Deserialize, Serialize};

/// The maximum length of a name that a mark repeats, in bytes.
/// Every key is short enough; a longer path is not repeated.
const NAMED_BYTES_MAX: usize = RAM_KEY_BYTES_MAX;

/// The position of a shown part in its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPage {
    /// The name by which a search finds the text: a key, a path, a title or an id.
    pub asked: String,
    /// The number of characters of the text before the part.
    pub from: usize,
    /// The number of characters of the part.
    pub shown: usize,
    /// The number of characters of the whole text.
    pub total: usize,
}

impl TextPage {
    /// Returns at most `chars` characters of a text from character `from` on, with their marks.
    pub fn of(text: &str, asked: &str, from: usize, chars: usize) -> (Self, String) {
        let total = text.chars().count();
        let page = Self {
            asked: asked.to_owned(),
            from: from.min(total),
            shown: chars.min(total.saturating_sub(from)),
            total,
        };
        let mut rendered = mark_before(page.from);
        rendered.extend(text.chars().skip(page.from).take(page.shown));
        rendered += &page.behind();
        (page, rendered)
    }

    /// Returns the page of a text that is shown whole.
    pub(super) fn complete(text: &str, asked: &str) -> Self {
        let total = text.chars().count();
        Self {
            asked: asked.to_owned(),
            from: 0,
            shown: total,
            total,
        }
    }

    /// Like [`Self::of`], but around the place where most words of a search stand; see `passage`.
    pub fn around(
        text: &str,
        asked: &str,
        places: &[(usize, usize)],
        chars: usize,
    ) -> (Self, String) {
        Self::of(text, asked, passage_start(text, places, chars), chars)
    }

    /// Cuts the part to what `fits` accepts, at most `chars_max` characters, with correct marks.
    /// `text` ends as this page was shown; the text before the part stays. `None` if there is
    /// nothing to cut, or if not even the marks fit.
    pub fn shorter(
        &self,
        text: &str,
        chars_max: usize,
        fits: impl Fn(&str) -> bool,
    ) -> Option<(Self, String)> {
        let text = text.strip_suffix(&self.behind())?;
        let start = self.shown.checked_sub(1)?;
        let (start, _) = text.char_indices().rev().nth(start)?;
        let (before, part) = text.split_at(start);
        let mark = |shown| self.with(shown).behind();
        let (cut, shown) = cut_behind(before, part, chars_max, mark, fits)?;
        Some((self.with(shown), cut))
    }

    fn with(&self, shown: usize) -> Self {
        Self {
            shown,
            ..self.clone()
        }
    }

    /// Returns the mark behind the part.
    fn behind(&self) -> String {
        let next = self.from + self.shown;
        let left_out = self.total.saturating_sub(next);
        if left_out == 0 {
            return String::new();
        }
        let is_named = self.asked.len() <= NAMED_BYTES_MAX;
        let is_named = is_named && !self.asked.contains(char::is_control);
        let way_on = match (is_named, next) {
            (true, 0) => format!("; record_search {} shows it", self.asked),
            (true, _) => format!("; record_search {} {next} goes on", self.asked),
            (false, 0) => "; record_search for it shows it".to_owned(),
            (false, _) => format!("; record_search for it and {next} goes on"),
        };
        mark(left_out, &way_on)
    }
}
