//! A part of a longer text as a prompt shows it. Owns the numbers of the marks around it, so that a part
//! which is cut once more still tells truly how much is left out, and how to ask on. Must never guess
//! them from the text: whoever wrote that may have written marks of their own.

use super::cut::{cut_behind, mark, mark_before, passage_start};
use crate::limits::RAM_KEY_BYTES_MAX;
use serde::{Deserialize, Serialize};

/// Longest name that a mark repeats, in bytes: whatever is a key. A longer path is left to the reader.
const NAMED_BYTES_MAX: usize = RAM_KEY_BYTES_MAX;

/// Which part of a text is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// What a search finds the text by: a key, a path, a title or an id.
    pub asked: String,
    /// Characters of the text before the part.
    pub from: usize,
    /// Characters of the part.
    pub shown: usize,
    /// Characters of the whole text.
    pub total: usize,
}

impl Page {
    /// At most `chars` characters of a text from some character on, with the marks around them.
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

    /// A text that is shown whole, so far.
    pub(super) fn complete(text: &str, asked: &str) -> Self {
        let total = text.chars().count();
        Self {
            asked: asked.to_owned(),
            from: 0,
            shown: total,
            total,
        }
    }

    /// The same around the place where most words of a search stand; see `passage`.
    pub fn around(
        text: &str,
        asked: &str,
        places: &[(usize, usize)],
        chars: usize,
    ) -> (Self, String) {
        Self::of(text, asked, passage_start(text, places, chars), chars)
    }

    /// As much of the part as `fits` grants, and no more than `chars_max` characters, with marks that
    /// are right again. `text` ends as this page was shown; what stands in front stays. `None` when there
    /// is nothing to cut, or not even the marks fit.
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

    /// What stands behind the part.
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
