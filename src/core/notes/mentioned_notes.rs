//! The notes that a text names by their titles and keywords, shown before anybody searches.
//! The texts of notes are not read; a search covers those.

use super::note::Note;
use super::words::{Words, is_run, tokens};
use std::cmp::Reverse;

/// The share of a title that must occur in a text, in thousandths of its characters.
/// Of `Bicycle tyres` the bicycle is enough, of `The plan` the article is not. A complete keyword
/// counts as much.
const SHARE_MIN: usize = 500;

/// The number of letters from which on a word is specific enough to name a subject.
const TELLING_CHARS: usize = 4;

/// The number of letters by which two forms of one word may differ, for plurals and cases.
const ENDING_CHARS_MAX: usize = 2;

/// Returns at most `limit` notes that a text names, best first.
/// The largest share of the title comes first, of equal ones the newest.
pub fn named_in<'a>(
    text: &str,
    notes: impl Iterator<Item = &'a Note>,
    limit: usize,
) -> Vec<MentionedNote<'a>> {
    looked_for(text, notes, limit, true)
}

/// Returns the notes that a text names by their titles alone, in the order of [`named_in`].
/// Keywords would mislead where the text is an instruction.
pub fn titled_in<'a>(
    text: &str,
    notes: impl Iterator<Item = &'a Note>,
    limit: usize,
) -> Vec<MentionedNote<'a>> {
    looked_for(text, notes, limit, false)
}

fn looked_for<'a>(
    text: &str,
    notes: impl Iterator<Item = &'a Note>,
    limit: usize,
    by_keywords: bool,
) -> Vec<MentionedNote<'a>> {
    let text = Words::of(text);
    let text = Text {
        form: text.as_str(),
        words: tokens(text.as_str()).collect(),
    };
    let mut form = Words::default();
    let named = notes.filter_map(|note| {
        let share = text.share_of(note, &mut form, by_keywords);
        (share >= SHARE_MIN).then_some(MentionedNote { note, share })
    });
    let mut named: Vec<MentionedNote<'_>> = named.collect();
    named.sort_by_key(|it| (Reverse(it.share), Reverse(it.note.updated_at), it.note.id));
    named.truncate(limit);
    named
}

/// A note that a text names.
#[derive(Clone, Copy, Debug)]
pub struct MentionedNote<'a> {
    /// The note.
    pub note: &'a Note,
    /// The share of its title that occurs in the text, in thousandths.
    pub share: usize,
}

struct Text<'a> {
    form: &'a str,
    words: Vec<&'a str>,
}

impl Text<'_> {
    fn share_of(&self, note: &Note, form: &mut Words, by_keywords: bool) -> usize {
        form.clear();
        // A date says nothing about the subject.
        let title = Some(note.title.as_str()).filter(|it| it.chars().any(char::is_alphabetic));
        form.push(title.unwrap_or_default());
        let (mut all, mut standing) = (0, 0);
        for token in tokens(form.as_str()) {
            let chars = token.chars().count();
            all += chars;
            standing += if self.has(token) { chars } else { 0 };
        }
        let share = (standing * 1000).checked_div(all).unwrap_or_default();
        let is_about = |keyword: &String| {
            form.clear();
            form.push(keyword);
            let mut words = tokens(form.as_str()).peekable();
            let is_telling = |it: &str| is_run(it) || it.chars().count() >= TELLING_CHARS;
            words.peek().is_some_and(|it| is_telling(it)) && words.all(|it| self.has(it))
        };
        if by_keywords && share < SHARE_MIN && note.keywords.iter().any(is_about) {
            SHARE_MIN
        } else {
            share
        }
    }

    /// Returns whether the text has a word or a form of it.
    fn has(&self, token: &str) -> bool {
        if is_run(token) {
            return self.form.contains(token);
        }
        let is_form = |word: &&str| {
            let (short, long) = if word.len() < token.len() {
                (*word, token)
            } else {
                (token, *word)
            };
            let is_telling = short.chars().count() >= TELLING_CHARS;
            let most = if is_telling { ENDING_CHARS_MAX } else { 0 };
            let ending = long.strip_prefix(short);
            ending.is_some_and(|it| it.chars().count() <= most)
        };
        self.words.iter().any(is_form)
    }
}

#[cfg(test)]
mod tests {
    use super::named_in;
    use crate::core::notes::Note;

    fn note(number: u64, title: &str, keywords: &[&str]) -> Note {
        let file = serde_json::json!({
            "id": format!("019aa5c4-0b6e-7f12-8d3a-{number:012}"),
            "workspace_id": "019aa5c4-0b6e-7f12-8d3a-91c7e4a20f56", "note_kind": "note",
            "title": title, "keywords": keywords, "value": "", "links": [], "issues": [],
            "version": 1, "created_at": "2026-11-22T00:00:00Z", "updated_at": "2026-11-22T00:00:00Z",
            "created_by": {"actor_type": "user", "run_id": null}, "deleted_at": null,
        });
        serde_json::from_value(file).unwrap()
    }

    /// A note is named by most of its title, in any form of its words, or by a complete keyword.
    /// An article, a part of a word or a date never names it.
    #[test]
    fn a_text_names_notes_by_titles_and_keywords() {
        let notes = [
            note(1, "Shopping list", &["groceries"]),
            note(2, "Bicycle of Anna", &[]),
            note(3, "Bicycle of Ben", &[]),
            note(4, "The plan", &["art"]),
            note(5, "2026-11-22 09:30", &[]),
            note(6, "歯医者", &[]),
            note(7, "Birthdays", &["anna, family"]),
            note(8, "Café", &[]),
        ];
        let cases: [(&str, &[&str]); 11] = [
            ("Put bread on the shopping list.", &["Shopping list"]),
            ("Who buys the groceries?", &["Shopping list"]),
            (
                "Ben has sold his bicycle.",
                &["Bicycle of Ben", "Bicycle of Anna"],
            ),
            ("The art of the shop", &[]),
            ("On 2026-11-22 at 09:30", &[]),
            ("メモして：歯医者の予約は火曜日です。", &["歯医者"]),
            ("Anna's birthday is on 4 May.", &["Birthdays"]),
            ("a CAFE nearby", &["Café"]),
            ("The plans are old.", &["The plan"]),
            ("", &[]),
            ("...", &[]),
        ];
        for (text, titles) in cases {
            let named = named_in(text, notes.iter(), 3);
            let named: Vec<&str> = named.iter().map(|it| it.note.title.as_str()).collect();
            assert_eq!(named, titles, "{text}");
        }
        assert_eq!(named_in("bicycle of ben", notes.iter(), 1).len(), 1);
    }
}
