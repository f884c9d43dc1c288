//! The evidence in a request for where something belongs.
//! It is the sentence of a clause, the words around it, and the lines of notes about the same
//! matter.

use super::check::{is_telling, stands_in};
use super::lines::{ListMark, lines_of};
use crate::core::notes::{Note, Terms};

/// The number of shared terms from which a line is the one that a request mentions.
const SHARED_MIN: usize = 2;

/// Returns the sentence of a request that shares most terms with a clause.
/// The whole request if no sentence shares any, or several share as many.
pub fn sentence_of<'a>(request: &'a str, clause: &str) -> &'a str {
    let clause = Terms::of(clause);
    let sentences = sentences_of(request);
    let shared = |sentence: &&str| Terms::of(sentence).shared(&clause);
    let best = sentences.iter().map(shared).max().unwrap_or(0);
    let mut found = sentences.iter().filter(|it| shared(it) == best);
    match (found.next(), found.next()) {
        (Some(only), None) if best > 0 => only,
        _ => request,
    }
}

/// The number of telling words from which a part beside a comma may be a request of its own.
const PART_WORDS_MIN: usize = 3;

/// Returns the sentences of a request; those with several requests are split at their commas.
pub fn parts_of(request: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for sentence in sentences_of(request) {
        let clauses: Vec<&str> = sentence.split(", ").collect();
        let says_much = |clause: &&str| {
            let terms = Terms::of(clause);
            terms.iter().filter(|term| is_telling(term)).count() >= PART_WORDS_MIN
        };
        if clauses.len() > 1 && clauses.iter().all(says_much) {
            parts.extend(clauses);
        } else {
            parts.push(sentence.trim());
        }
    }
    parts
}

/// Returns the sentences of a request, with or without capitals.
/// A full stop behind a number and before a capital may be that of an ordinal.
pub(super) fn sentences_of(request: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, mark) in request.char_indices() {
        let behind = request.get(at + mark.len_utf8()..).unwrap_or_default();
        let next = behind.trim_start().chars().next();
        let head = request.get(start..at).unwrap_or_default();
        let last = head.rsplit(' ').next().unwrap_or_default();
        // An initial: `Leo R.`.
        let is_initial = last.chars().count() == 1 && last.chars().all(char::is_alphabetic);
        let is_ordinal =
            is_initial || before.is_ascii_digit() && next.is_some_and(char::is_uppercase);
        let is_end = match mark {
            '\n' | '\u{3002}' => true,
            '.' => behind.starts_with(' ') && !is_ordinal,
            '!' | '?' | ';' => behind.starts_with(' '),
            _ => false,
        };
        if is_end {
            sentences.extend(request.get(start..at));
            start = at + mark.len_utf8();
        }
        before = mark;
    }
    sentences.extend(request.get(start..));
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// The marks before the part of a text that says what is no longer true.
pub(super) const CONTRAST_MARKS: [char; 3] = [',', '\u{3001}', '\u{ff0c}'];

/// The minimum length of a word that may be no longer true, in letters.
const CONTRAST_CHARS_MIN: usize = 3;

/// Returns the terms that a text says are no longer true.
/// They stand behind its last comma and nowhere before it, as `gym` in
/// `in the hall, not in the gym`.
pub(super) fn contrasted(text: &str) -> Terms {
    let Some((now, before)) = text.rsplit_once(CONTRAST_MARKS) else {
        return Terms::default();
    };
    let gone = Terms::of(before).without(&Terms::of(now));
    let is_short =
        |term: &&str| term.is_ascii() && term.len() < CONTRAST_CHARS_MIN && !is_number(term);
    let short: Vec<&str> = gone.iter().filter(is_short).collect();
    let short = Terms::of(&short.join(" "));
    gone.without(&short)
}

/// Returns a text without the part behind its last comma, if that has one of the terms that are no longer true.
pub(super) fn without_denial<'a>(text: &'a str, wrong: &Terms) -> &'a str {
    let parts = text.rsplit_once(CONTRAST_MARKS);
    let parts = parts.filter(|(_, denial)| Terms::of(denial).shared(wrong) > 0);
    parts.map_or(text, |(now, _)| now)
}

/// Returns whether a part of a request says that a term is no longer true.
pub fn is_contrasted(term: &str, request: &str) -> bool {
    contrasted_in(request).has(term)
}

/// Returns the terms that the parts of a request say are no longer true.
pub(super) fn contrasted_in(request: &str) -> Terms {
    let parts = parts_of(request).into_iter().map(contrasted);
    parts.fold(Terms::default(), |all, part| all.with(&part))
}

/// Returns the title and the text of a note, joined.
pub fn text_of(note: &Note) -> String {
    [&note.title, " ", &note.value].concat()
}

/// Returns the terms of the title and the text of a note.
pub fn terms_of(note: &Note) -> Terms {
    Terms::of(&text_of(note))
}

/// Returns whether a note has one of the telling words, in any form.
pub fn tells_of(note: &Note, words: &Terms) -> bool {
    has_telling_word_of(&terms_of(note), words)
}

/// Returns whether a text has one of the telling words, in any form.
pub fn has_telling_word_of(text: &Terms, words: &Terms) -> bool {
    let mut telling = words.iter().filter(|term| is_telling(term));
    telling.any(|term| stands_in(term, text))
}

/// Returns whether a text speaks of a topic: it has one of its telling words, or, where none is
/// telling, as in `bees`, all of its words.
pub fn speaks_of(text: &Terms, topic: &Terms) -> bool {
    let has_telling = topic.iter().any(is_telling);
    if has_telling {
        has_telling_word_of(text, topic)
    } else {
        topic.are_in(text)
    }
}

/// Returns the terms of a sentence that a clause does not have.
pub(super) fn words_around(sentence: &str, clause: &str) -> Terms {
    Terms::of(sentence).without(&Terms::of(clause))
}

/// The number of letters of a word for each typing error that it may have.
const CHARS_PER_SLIP: usize = 5;

/// Returns whether a word stands among terms; a long one may have typing errors.
pub fn is_spelt(word: &str, terms: &Terms) -> bool {
    let slips_max = word.chars().count() / CHARS_PER_SLIP;
    terms.has(word)
        || slips_max > 0
            && terms
                .iter()
                .any(|term| strsim::osa_distance(word, term) <= slips_max)
}

/// Returns the number of telling title words among terms, in any form and with typing errors.
pub fn title_words_in(note: &Note, terms: &Terms) -> usize {
    let title = Terms::of(&note.title);
    let words = title.iter().filter(|word| is_telling(word));
    words
        .filter(|word| is_spelt(word, terms) || begins_alike(word, terms))
        .count()
}

/// Returns whether a word begins a telling term, or the other way round: `shop` and `shopping`.
pub(super) fn begins_alike(word: &str, terms: &Terms) -> bool {
    let mut terms = terms.iter().filter(|term| is_telling(term));
    terms.any(|term| term.starts_with(word) || word.starts_with(term))
}

/// Returns whether a title has a name that the request lacks: `Birthday of Pablo` for Inés.
/// A title in which every word begins with a capital shows no names by that.
pub(super) fn names_another(note: &Note, request: &str) -> bool {
    let asked = Terms::of(request);
    let words: Vec<&str> = note.title.split_whitespace().collect();
    let is_capital = |word: &&&str| word.starts_with(char::is_uppercase);
    let behind = words.get(1..).unwrap_or_default();
    let has_small = behind
        .iter()
        .any(|word| word.starts_with(char::is_lowercase));
    let mut names = behind.iter().filter(is_capital);
    let is_absent = |word: &&str| Terms::of(word).iter().all(|term| !is_spelt(term, &asked));
    has_small && names.any(is_absent)
}

/// Returns the only note whose best line shares most telling words and numbers with a request.
/// It shares at least two; the words of the titles do not count.
pub(super) fn note_by_line<'a>(notes: &[&'a Note], request: &str) -> Option<&'a Note> {
    let asked = Terms::of(request);
    let scored = notes
        .iter()
        .map(|note| (shared_by_line(note, &asked), *note));
    let scored: Vec<(usize, &Note)> = scored.collect();
    let best = scored.iter().map(|(count, _)| *count).max()?;
    let mut found = scored.iter().filter(|(count, _)| *count == best);
    match (found.next(), found.next()) {
        (Some((_, only)), None) if best >= SHARED_MIN => Some(only),
        _ => None,
    }
}

/// Returns the number of telling words and numbers that the best line of a note shares with terms.
/// The words of its title do not count.
pub(super) fn shared_by_line(note: &Note, terms: &Terms) -> usize {
    let title = Terms::of(&note.title);
    let shared = |line: &str| {
        let line = Terms::of(line).without(&title);
        let words = line
            .iter()
            .filter(|term| is_telling(term) || is_number(term));
        words.filter(|term| terms.has(term)).count()
    };
    let lines = lines_of(&note.value);
    lines
        .iter()
        .map(|line| shared(line.text))
        .max()
        .unwrap_or(0)
}

fn is_number(term: &str) -> bool {
    term.starts_with(|it: char| it.is_ascii_digit())
}

/// Returns the index of the only line `LABEL: ...` whose label stands in the words around a clause.
pub(super) fn labelled_line(text: &str, around: &Terms) -> Option<usize> {
    let lines = lines_of(text);
    let is_meant = |line: &str| {
        let label = label_of(line).map(Terms::of);
        label.is_some_and(|label| !label.is_empty() && label.iter().all(|it| is_spelt(it, around)))
    };
    let mut found = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_meant(line.text));
    let (index, _) = found.next()?;
    found.next().is_none().then_some(index)
}

/// Returns whether a text has a line `LABEL: ...` whose label stands among terms in some form.
/// An example is `Freitag` and `freitags`.
pub(super) fn has_label_form(text: &str, terms: &Terms) -> bool {
    lines_of(text).iter().any(|line| {
        let label = label_of(line.text).map(Terms::of);
        label.is_some_and(|label| {
            !label.is_empty()
                && label
                    .iter()
                    .all(|it| is_telling(it) && (terms.has(it) || begins_alike(it, terms)))
        })
    })
}

/// Returns the label of a line: the text before its first colon.
pub fn label_of(line: &str) -> Option<&str> {
    label_and_value(line).map(|(label, _)| label)
}

/// Splits a line `LABEL: VALUE`; `None` for a line without a label or a value.
pub(super) fn label_and_value(line: &str) -> Option<(&str, &str)> {
    let (label, value) = ListMark::text_of(line).split_once(": ")?;
    let value = value.trim();
    (!value.is_empty()).then_some((label, value))
}

/// Returns whether a text has a telling word of a title that no other title has: the word by which
/// `Greek class` is told from `Polish class`.
pub(super) fn has_own_word(title: &Terms, others: &[&Terms], text: &Terms) -> bool {
    let is_own = |word: &&str| is_telling(word) && !others.iter().any(|other| other.has(word));
    title.iter().filter(is_own).any(|word| text.has(word))
}

/// Returns the parts of a request between commas, semicolons and line ends; none is empty.
pub(super) fn clauses_of(request: &str) -> impl Iterator<Item = &str> {
    let clauses = request.split([',', ';', '\n']).map(str::trim);
    clauses.filter(|clause| !clause.is_empty())
}

/// Returns the open items that a request reports as done, each with its note and line index.
/// Each telling word of such an item stands in the request, one of them in another form, as in
/// `mow` and `mowed`.
pub(super) fn items_done<'a>(notes: &[&'a Note], request: &str) -> Vec<(&'a Note, usize)> {
    let asked = Terms::of(request);
    let mut found = Vec::new();
    for note in notes {
        for (index, line) in lines_of(&note.value).iter().enumerate() {
            if line.text.contains("[ ]") && is_reported_done(ListMark::text_of(line.text), &asked) {
                found.push((*note, index));
            }
        }
    }
    found
}

fn is_reported_done(item: &str, asked: &Terms) -> bool {
    let item = Terms::of(item);
    let words: Vec<&str> = item
        .iter()
        .filter(|word| word.chars().count() >= FORM_CHARS_MIN)
        .collect();
    let is_said = |word: &&str| {
        // Articles and other short words need not be mentioned.
        let is_small = !is_telling(word) && words.iter().any(|it| is_telling(it));
        is_small && words.len() > 2 || asked.has(word) || has_form(word, asked)
    };
    let is_other = |word: &&str| !asked.has(word) && has_form(word, asked);
    let telling = words.iter().filter(|word| is_telling(word));
    let is_other_told = words.iter().any(is_other) && telling.count() > 0;
    words.len() > 1 && words.iter().all(is_said) && is_other_told
}

/// The minimum length of a word that has other forms, in letters.
const FORM_CHARS_MIN: usize = 3;

/// The lengths of a word from which its last letter, or its last two, may be an ending.
const ENDING_CHARS_MIN: [usize; 2] = [5, 7];

/// Returns whether another form of a word stands among terms.
/// It has the stem of the word, as `gewechselt` has that of `wechseln`.
fn has_form(word: &str, terms: &Terms) -> bool {
    let count = word.chars().count();
    let ending = ENDING_CHARS_MIN.iter().filter(|min| count >= **min).count();
    let stem: String = word.chars().take(count - ending).collect();
    let is_form = |term: &str| term != word && term.chars().count() + 1 >= count;
    let mut terms = terms.iter().filter(|term| is_form(term));
    terms.any(|term| term.contains(&stem))
}

/// The maximum number of words of a value behind a label.
const VALUE_WORDS_MAX: usize = 4;

/// Returns whether a text is short enough to be the value of a label.
pub(super) fn is_short(text: &str) -> bool {
    text.split_whitespace().count() <= VALUE_WORDS_MAX
}

/// Returns whether a term is a number or a telling word.
pub(super) fn is_telling_term(term: &str) -> bool {
    is_telling(term) || term.starts_with(|it: char| it.is_ascii_digit())
}

pub fn count_telling_words(terms: &Terms) -> usize {
    terms.iter().filter(|term| is_telling(term)).count()
}

/// The number of letters from which a word shows what a text is about.
const TELLING_CHARS: usize = 3;

/// Returns whether two texts have a telling word in common.
pub(super) fn shares(one: &str, other: &str) -> bool {
    let (one, other) = (Terms::of(one), Terms::of(other));
    let is_telling = |term: &&str| !term.is_ascii() || term.len() >= TELLING_CHARS;
    one.iter().filter(is_telling).any(|term| other.has(term))
}

#[cfg(test)]
mod tests {
    use super::super::sample_note as note;
    use super::{
        items_done, labelled_line, names_another, note_by_line, sentence_of, words_around,
    };
    use crate::core::notes::{Note, Terms};

    #[test]
    fn a_clause_stands_in_one_sentence() {
        for (request, clause, expected) in [
            (
                "the hall is in room 2. and note an idea: red lamps",
                "red lamps",
                " and note an idea: red lamps",
            ),
            ("am 3. Mai kommt Ole", "Ole", "am 3. Mai kommt Ole"),
            ("bread; milk", "milk", " milk"),
            ("one two", "three", "one two"),
        ] {
            assert_eq!(sentence_of(request, clause), expected);
        }
    }

    #[test]
    fn a_title_with_a_name_that_nobody_says_is_another() {
        let birthday = note(1, "Birthday of Pablo", "14 July");
        assert!(names_another(&birthday, "the birthday of Rosa is on 2 May"));
        assert!(!names_another(&birthday, "pablos birthday is on 2 May"));
        let capitals = note(1, "Termine Zahnarzt", "");
        assert!(!names_another(&capitals, "der Termin ist am 4."));
    }

    #[test]
    fn the_line_that_is_spoken_of_names_its_note() {
        let shelf: [Note; 2] = [
            note(1, "Attic", "The hatch sticks."),
            note(2, "Crates", "Crate 8: boots, cellar\nCrate 9: maps, cellar"),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let found = note_by_line(&notes, "crate 8 is in the attic, not in the cellar");
        assert_eq!(found.map(|note| note.title.as_str()), Some("Crates"));
        assert!(note_by_line(&notes, "paint the door").is_none());
    }

    #[test]
    fn a_label_among_the_words_around_says_the_line() {
        let around = words_around("a scarf for nils", "a scarf");
        assert_eq!(
            labelled_line("Hanna: teapot\nNils: gloves", &around),
            Some(1)
        );
        assert_eq!(labelled_line("Hanna: teapot", &around), None);
        assert_eq!(labelled_line("no label", &Terms::of("label")), None);
    }

    #[test]
    fn an_item_is_done_where_a_form_of_its_words_says_so() {
        for (item, request, expected) in [
            ("mow the lawn", "I mowed the lawn", true),
            ("Reifen wechseln", "hab die Reifen gewechselt", true),
            ("mow the lawn", "mow the lawn", false),
            ("wash the sails", "the sails: I was there", false),
            ("buy rope", "the rope is here", false),
        ] {
            let jobs = note(1, "Jobs", &format!("- [ ] {item}"));
            let found = items_done(&[&jobs], request);
            assert_eq!(found.len(), usize::from(expected), "{request}");
        }
    }
}
