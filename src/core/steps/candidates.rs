//! The notes that a request may mean, most likely first.
//! The named ones come first, then those that share most telling words with it. It works for
//! thousands of notes, since an index preselects them.

use super::term_weights::Weights;
use crate::core::notes::{Note, Query, SearchIndex, Terms, phrase_stands_in};
use crate::ids::NoteId;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The maximum number of notes that a plan shows, and that a step may mean.
pub const CANDIDATES_MAX: usize = 8;

/// The number of notes up to which each is compared; beyond it, the index preselects.
const LOOKED_AT_MAX: usize = 500;

/// The maximum number of notes that one word may add; a word in more notes says nothing.
const OF_WORD_MAX: usize = 200;

/// The maximum number of words of a text that are looked up, the longest first.
const WORDS_MAX: usize = 24;

/// The number of characters of a note's text that count: its beginning says what it is about.
const TEXT_CHARS_MAX: usize = 20_000;

/// The factor by which a word of the title or the keywords counts more than one of the text.
const TITLE_FACTOR: usize = 3;

/// Returns the notes that a text may mean, at most eight, most likely first.
/// Among equals, the newest comes first. If there are few notes, those that share nothing come
/// last.
pub fn candidates<'a>(text: &str, notes: &[&'a Note], index: &dyn SearchIndex) -> Vec<&'a Note> {
    let pool = pool(text, notes, index);
    let wanted = Terms::of(text);
    let seen: Vec<(Terms, Terms)> = pool.iter().map(|note| terms_of(note)).collect();
    let weights = Weights::of_terms(seen.iter().flat_map(|(title, text)| [title, text]));
    let score = |(title, text): &(Terms, Terms)| {
        TITLE_FACTOR * weights.score(title, &wanted) + weights.score(text, &wanted)
    };
    let mut ranked: Vec<(bool, usize, &Note)> = pool
        .iter()
        .zip(&seen)
        .map(|(note, terms)| (phrase_stands_in(&note.title, text), score(terms), *note))
        .collect();
    ranked.sort_by_key(|(named, score, note)| {
        (
            Reverse(*named),
            Reverse(*score),
            Reverse(note.updated_at),
            note.id,
        )
    });
    ranked.truncate(CANDIDATES_MAX);
    ranked.into_iter().map(|(_, _, note)| note).collect()
}

/// Returns the notes that are compared.
fn pool<'a>(text: &str, notes: &[&'a Note], index: &dyn SearchIndex) -> Vec<&'a Note> {
    if notes.len() <= LOOKED_AT_MAX {
        return notes.to_vec();
    }
    let terms = Terms::of(text);
    let mut words: Vec<&str> = terms.iter().collect();
    words.sort_by_key(|word| Reverse(word.chars().count()));
    words.truncate(WORDS_MAX);
    let mut wanted: BTreeSet<NoteId> = BTreeSet::new();
    for word in words {
        let query = Query::parse(word);
        let Some(found) = index.candidates(&query) else {
            return notes.to_vec();
        };
        let ids: Vec<NoteId> = found.ranked.take(OF_WORD_MAX).map(|it| it.key).collect();
        if ids.len() < OF_WORD_MAX {
            wanted.extend(ids);
        }
        wanted.extend(found.unindexed);
    }
    let is_wanted =
        |note: &&&Note| wanted.contains(&note.id) || phrase_stands_in(&note.title, text);
    notes.iter().filter(is_wanted).copied().collect()
}

fn terms_of(note: &Note) -> (Terms, Terms) {
    let title = [&note.title, " ", &note.keywords.join(" ")].concat();
    let text: String = note.value.chars().take(TEXT_CHARS_MAX).collect();
    (Terms::of(&title), Terms::of(&text))
}

#[cfg(test)]
mod tests {
    use super::super::sample_note as note;
    use super::candidates;
    use crate::core::notes::{NoIndex, Note};

    #[test]
    fn the_note_that_is_meant_comes_first_among_a_thousand() {
        let mut notes: Vec<Note> = (0..1000)
            .map(|number| {
                note(
                    number,
                    &format!("Entry {number}"),
                    &format!("The weather of day {number} was fine, and the list went on."),
                )
            })
            .collect();
        notes.push(note(1001, "Shopping list", "- milk\n- eggs"));
        notes.push(note(
            1002,
            "Printer",
            "The printer needs toner. The list of dealers is on the wall.",
        ));
        let notes: Vec<&Note> = notes.iter().collect();
        for (text, title) in [
            ("Add butter to my shopping list", "Shopping list"),
            ("Which toner do we need?", "Printer"),
            ("What was the weather on day 417?", "Entry 417"),
        ] {
            let found = candidates(text, &notes, &NoIndex);
            assert_eq!(
                found.first().map(|note| note.title.as_str()),
                Some(title),
                "{text}"
            );
        }
    }
}
