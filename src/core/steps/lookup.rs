//! Answers to questions: the lines that a question is answered from, and the sources of an answer.

use super::check::{contains, is_telling, may_be_from, stands_in};
use super::effects::Effect;
use super::evidence::{has_own_word, terms_of, text_of, title_words_in};
use super::evident_line::{
    evident_answer, evident_elsewhere, line_asked_for, line_in_question, line_meant, line_missed,
    line_with_more_words, without_invention,
};
use super::lines::{ListMark, lines_of};
use super::meant_line::nearest_lines;
use super::request_questions::is_question;
use super::spans::{bare_words, numbers_of};
use super::step_question::{Replies, StepQuestion, is_no, is_yes_or_no};
use super::target::Target;
use super::term_weights::Weights;
use crate::core::notes::{Note, Terms, is_unspaced};
use crate::ids::NoteId;
use std::cmp::Reverse;

/// The maximum length of all lines that a question is answered from, in characters.
/// That is about 600 tokens.
const SHOWN_CHARS_MAX: usize = 2400;

/// The number of lines up to which a note is shown as a whole.
const SHOWN_LINES_MAX: usize = 24;

/// The share of the best note's score from which another note is shown, too, in percent.
const SCORE_SHARE_MIN: usize = 25;

/// The maximum length of a note in an overview that is an answer, in characters.
pub(super) const OVERVIEW_CHARS_MAX: usize = 200;

/// The share of an answer's words in one line from which it repeats that line, in percent.
const REPEATED_SHARE_MIN: usize = 70;

/// The maximum number of lines of a note by which an answer is confirmed.
const CONFIRMED_LINES_MAX: usize = 8;

/// The number of lines up to which a short note is an answer as it is.
const SHORT_LINES_MAX: usize = 2;

/// The number of items from which an answer of items alone means the list.
const LIST_ITEMS_MIN: usize = 2;

/// The reply of a model if the lines do not answer the question.
const NO_ANSWER: &str = "-";

/// Answers a question from the notes.
///
/// # Errors
/// The question to the model, if it has no reply yet.
pub(super) fn answer(
    title: Option<&str>,
    question: &str,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    let meant = title.and_then(|title| target.titled(title));
    let meant = meant.filter(|_| is_question(target.request));
    let title = title.filter(|_| meant.is_none());
    let meant = match meant {
        Some(note) => Some(note),
        None => target.chosen_for(question, replies)?,
    };
    let shown = shown_for(question, meant, target);
    if shown.is_empty() {
        return Ok(vec![unanswered(question, Vec::new(), true)]);
    }
    let looked_in = || shown.iter().map(|(note, _)| note.id).collect();
    let parts = named_apart(question, &shown, target);
    let found = if parts.is_empty() {
        found_in(question, target.request, &shown, replies)?
    } else {
        found_in_each(question, target.request, &parts, replies)?
    };
    let (reply, mut text) = match found {
        Found::Text { reply, text } if parts.is_empty() => {
            (reply, with_others(text, question, &shown))
        }
        Found::Text { reply, text } => (reply, text),
        Found::Nothing { is_final } => {
            return Ok(vec![unanswered(question, looked_in(), is_final)]);
        }
    };
    let mut sources = sources_of(&text, question, &shown);
    // What stands in the notes may be the answer to another question.
    let confirmed = replies.to(|| StepQuestion::Confirm {
        question: question.to_owned(),
        lines: lines_behind(&text, &sources, &shown),
    })?;
    // A question for yes or no has its own answer there.
    if is_no(confirmed) && !is_yes_or_no(&reply) {
        let Some(evident) = evident_answer(&reply, question, &shown) else {
            return Ok(vec![unanswered(question, looked_in(), true)]);
        };
        text = with_others(evident, question, &shown);
        sources = sources_of(&text, question, &shown);
    }
    let mut effects = Vec::new();
    effects.extend(title.map(|title| Effect::Create {
        title: title.to_owned(),
        text: text.clone(),
    }));
    effects.push(Effect::Answer {
        sources,
        text,
        question: question.to_owned(),
    });
    Ok(effects)
}

/// A note and those of its lines that a question is answered from.
pub(super) type NoteLines<'a> = (&'a Note, Vec<&'a str>);

/// The outcome of a model's answer.
enum Found {
    /// What the model said, and the answer that the lines show.
    Text { reply: String, text: String },
    /// No answer; `is_final` unless the model can be asked once more.
    Nothing { is_final: bool },
}

/// Asks for the answer to a question, and returns what of it stands in the lines.
///
/// # Errors
/// The question to the model, if it has no reply yet.
fn found_in(
    question: &str,
    request: &str,
    shown: &[NoteLines<'_>],
    replies: &mut Replies<'_>,
) -> Result<Found, StepQuestion> {
    let mut lines = Vec::new();
    for (note, own) in shown {
        lines.push(format!("# {}", note.title));
        lines.extend(own.iter().map(|&line| line.to_owned()));
    }
    let ask = || StepQuestion::Answer {
        question: question.to_owned(),
        lines: lines.clone(),
    };
    let reply = replies.to(ask)?.trim();
    if reply == NO_ANSWER {
        return Ok(Found::Nothing { is_final: true });
    }
    let is_beside = !speaks_to(reply, question, shown);
    // A number that stands nowhere is computed or made up.
    let is_of_lines = |reply: &str| {
        let is_there = |number: &&str| lines.iter().any(|line| contains(line, number));
        numbers_of(reply).iter().all(is_there)
    };
    let text = if let Some(line) = line_in_question(question, shown).filter(|_| is_yes_or_no(reply))
    {
        line.to_owned()
    } else if let Some(line) = line_missed(reply, question, shown) {
        line.to_owned()
    } else if let Some(line) = evident_elsewhere(reply, question, shown) {
        line.to_owned()
    } else if let Some(line) = line_with_more_words(reply, question, request, shown) {
        line.to_owned()
    } else if !is_beside && may_be_from(reply, &lines, question) {
        let lines: Vec<&str> = reply.split('\n').map(str::trim).collect();
        // One line is no list.
        let text = match lines.as_slice() {
            [only] => ListMark::text_of(only).to_owned(),
            lines => lines.join("\n"),
        };
        completed_answer(&without_invention(&text, shown), question, shown)
    } else if let Some(line) = line_meant(reply, question, shown).filter(|_| !is_beside) {
        line.to_owned()
    } else if let Some(line) = line_asked_for(question, shown).filter(|_| is_of_lines(reply)) {
        line.to_owned()
    } else if let Some(evident) = evident_answer(reply, question, shown) {
        evident
    } else {
        return Ok(Found::Nothing { is_final: false });
    };
    Ok(Found::Text {
        reply: reply.to_owned(),
        text,
    })
}

/// Finds the answer in each of several notes: a small model that reads all of them mixes them up.
/// A short note is the answer as it is.
///
/// # Errors
/// The question to the model, if it has no reply yet.
fn found_in_each(
    question: &str,
    request: &str,
    parts: &[NoteLines<'_>],
    replies: &mut Replies<'_>,
) -> Result<Found, StepQuestion> {
    let mut answers = Vec::new();
    let mut said = Vec::new();
    for part in parts {
        let (note, lines) = part;
        let whole: Vec<&str> = lines.iter().map(|line| ListMark::text_of(line)).collect();
        let whole = whole.join(" ");
        if whole.chars().count() <= OVERVIEW_CHARS_MAX && lines.len() <= SHORT_LINES_MAX {
            answers.push(format!("{}: {whole}", note.title));
            continue;
        }
        match found_in(question, request, std::slice::from_ref(part), replies)? {
            Found::Text { reply, text } => {
                answers.push(format!("{}: {}", note.title, text.replace('\n', " ")));
                said.push(reply);
            }
            Found::Nothing { is_final: true } => {}
            other @ Found::Nothing { is_final: false } => return Ok(other),
        }
    }
    Ok(if answers.is_empty() {
        Found::Nothing { is_final: true }
    } else {
        Found::Text {
            reply: said.join("\n"),
            text: answers.join("\n"),
        }
    })
}

/// Returns the notes whose titles stand in a question, also with their words apart:
/// `the gap for the fridge` is the note `Fridge gap`.
fn notes_named<'a>(question: &str, target: &Target<'a>) -> Vec<&'a Note> {
    let asked = Terms::of(question);
    let whole = target.named_in(question);
    let has_all_words = |note: &&&Note| {
        let title = Terms::of(&note.title);
        let is_whole = whole.iter().any(|it| it.id == note.id);
        // One word of a sentence may be any word, unless it is a name.
        let mut words = bare_words(question);
        let is_name = note.title.starts_with(char::is_uppercase)
            && words.any(|word| word.starts_with(note.title.as_str()));
        is_whole || (title.len() > 1 || is_name) && title.are_in(&asked)
    };
    target.notes.iter().filter(has_all_words).copied().collect()
}

/// Returns the notes that a question names beside each other, in the order of the question: by whole
/// titles, as in `where are the batteries and where the tablecloths`, also with their words apart, or
/// by the words in which titles like `Greek class` and `Polish class` differ. Empty unless there are
/// several.
fn named_apart<'a>(
    question: &str,
    shown: &[NoteLines<'a>],
    target: &Target<'_>,
) -> Vec<NoteLines<'a>> {
    let asked = Terms::of(question);
    let named = notes_named(question, target);
    let is_named = |note: &Note| named.iter().any(|it| it.id == note.id);
    let is_told_apart = |note: &Note| {
        let title = Terms::of(&note.title);
        let others = shown.iter().filter(|(other, _)| other.id != note.id);
        let others = others.map(|(other, _)| Terms::of(&other.title));
        let others: Vec<Terms> = others.collect();
        let is_sibling = others.iter().any(|other| other.shared(&title) > 0);
        is_sibling && has_own_word(&title, &others.iter().collect::<Vec<_>>(), &asked)
    };
    let several = |is_named: &dyn Fn(&Note) -> bool| {
        let named = shown.iter().filter(|(note, _)| is_named(note));
        let named: Vec<NoteLines<'a>> = named.cloned().collect();
        Some(named).filter(|named| named.len() > 1)
    };
    let named = several(&is_named).or_else(|| several(&is_told_apart));
    let mut named = named.unwrap_or_default();
    let lower = question.to_lowercase();
    let place = |note: &Note| {
        let title = Terms::of(&note.title);
        let places = title.iter().filter_map(|word| lower.find(word));
        places.max().unwrap_or(usize::MAX)
    };
    named.sort_by_key(|(note, _)| place(note));
    named
}

pub(super) fn unanswered(question: &str, looked_in: Vec<NoteId>, is_final: bool) -> Effect {
    Effect::Unanswered {
        question: question.to_owned(),
        looked_in,
        is_final,
    }
}

/// Returns whether the lines behind an answer have a telling word of the question, or its last one.
/// The answer itself may only repeat the question. True if the question has no words to compare.
fn speaks_to(text: &str, question: &str, shown: &[NoteLines<'_>]) -> bool {
    if question.contains(is_unspaced) || tells_list(text, shown) {
        return true;
    }
    let asked = Terms::of(question);
    let sources = sources_of(text, "", shown);
    let said = Terms::of(&lines_behind(text, &sources, shown).join("\n"));
    let last = bare_words(question)
        .last()
        .map_or_else(Terms::default, Terms::of);
    let mut telling = asked.iter().filter(|term| is_telling(term)).peekable();
    telling.peek().is_none() || last.shared(&said) > 0 || telling.any(|it| stands_in(it, &said))
}

/// Returns whether a text consists of items of one list.
/// `what do I have to buy?` has no word of the list that answers it.
fn tells_list(text: &str, shown: &[NoteLines<'_>]) -> bool {
    let told = text.split([',', '\n', '\u{3001}']).map(Terms::of);
    let told: Vec<Terms> = told.filter(|item| !item.is_empty()).collect();
    let is_list = |lines: &Vec<&str>| {
        let items = lines.iter().filter(|line| ListMark::of(line).is_some());
        let items = items.map(|line| Terms::of(ListMark::text_of(line)));
        let items: Vec<Terms> = items.collect();
        told.len() >= LIST_ITEMS_MIN && told.iter().all(|item| items.contains(item))
    };
    shown.iter().any(|(_, lines)| is_list(lines))
}

/// Returns an answer with what a model left out of it.
/// That is the other items of a list that are as open as the named ones, or the number of the only
/// line that the answer repeats.
fn completed_answer(text: &str, question: &str, shown: &[NoteLines<'_>]) -> String {
    let (said, asked) = (Terms::of(text), Terms::of(question));
    for (_, lines) in shown {
        let open = lines.iter().filter(|line| line.contains("[ ]"));
        let open: Vec<&str> = open.map(|line| ListMark::text_of(line)).collect();
        // A list without boxes is completed, unless the question picks some of its items.
        let is_open = !open.is_empty();
        let marked = lines.iter().filter(|line| ListMark::of(line).is_some());
        let (items, least) = if is_open {
            (open, 1)
        } else {
            let all = marked.map(|line| ListMark::text_of(line));
            (all.collect(), LIST_ITEMS_MIN)
        };
        let terms: Vec<Terms> = items.iter().map(|item| Terms::of(item)).collect();
        let named: Vec<&Terms> = terms.iter().filter(|item| item.are_in(&said)).collect();
        let is_picked = !is_open && named.iter().any(|item| item.shared(&asked) > 0);
        let is_list = named.len() >= least && said.are_in(&Terms::of(&items.join("\n")));
        if is_list && !is_picked && named.len() < items.len() {
            return items.join(", ");
        }
    }
    let mut repeated = shown.iter().flat_map(|(_, lines)| lines).filter(|line| {
        let own = Terms::of(line);
        let numbers = numbers_of(line);
        let lacks = numbers.iter().any(|number| !contains(text, number));
        let is_of_line = numbers_of(text).iter().all(|number| contains(line, number));
        lacks && is_of_line && said.shared(&own) * 100 >= said.len() * REPEATED_SHARE_MIN
    });
    match (repeated.next(), repeated.next()) {
        (Some(line), None) if line.chars().count() <= OVERVIEW_CHARS_MAX => {
            ListMark::text_of(line).to_owned()
        }
        _ => text.to_owned(),
    }
}

/// Returns an answer with a line of each other note that the question names.
/// That line answers the question in the same words.
fn with_others(text: String, question: &str, shown: &[NoteLines<'_>]) -> String {
    let asked = Terms::of(question);
    let ids = sources_of(&text, question, shown);
    let notes = shown.iter().map(|(note, _)| *note);
    let (sources, others): (Vec<&Note>, Vec<&Note>) = notes.partition(|it| ids.contains(&it.id));
    let is_named = |note: &&&Note| title_words_in(note, &asked) > 0;
    if !sources.iter().any(|note| is_named(&note)) {
        return text;
    }
    let all = |terms: Terms, more: Terms| terms.with(&more);
    let named = sources.iter().chain(&others).filter(is_named);
    let titles = named.map(|note| Terms::of(&note.title));
    let titles = titles.fold(Terms::default(), all);
    let behind = sources.iter().map(|note| terms_of(note));
    let behind = behind.fold(Terms::default(), all);
    // An answer may leave out the words of its line that repeat the question.
    let said = Terms::of(&lines_behind(&text, &ids, shown).join("\n"));
    let asked_of_all = asked.clone().without(&titles);
    let in_same_words = |line: &str| {
        let line = Terms::of(line);
        let mut telling = asked_of_all.iter().filter(|term| is_telling(term));
        telling.any(|term| line.has(term) && said.has(term))
    };
    // Its title has a word of the question that the notes of the answer lack.
    let asked_beside = asked.without(&behind);
    let others = others.iter();
    let others = others.filter(|note| title_words_in(note, &asked_beside) > 0);
    let lines = others.filter_map(|note| {
        let lines = nearest_lines(&note.value, question);
        let (_, line) = lines.into_iter().find(|(_, line)| in_same_words(line))?;
        Some(format!("{}: {}", note.title, ListMark::text_of(line)))
    });
    let lines: Vec<String> = lines.collect();
    [vec![text], lines].concat().join("\n")
}

/// Returns the lines that an answer comes from, under the titles of their notes.
/// They are the lines that share words with it, else all that were shown.
fn lines_behind(text: &str, sources: &[NoteId], shown: &[NoteLines<'_>]) -> Vec<String> {
    let said = Terms::of(text);
    let mut behind = Vec::new();
    for (note, lines) in shown.iter().filter(|(note, _)| sources.contains(&note.id)) {
        behind.push(format!("# {}", note.title));
        let mut own: Vec<&str> = lines.clone();
        own.retain(|line| Terms::of(line).shared(&said) > 0);
        // A line that says all of it suffices.
        let says_all = |line: &&str| said.are_in(&Terms::of(line));
        if own.iter().any(says_all) {
            own.retain(says_all);
        }
        let own = if own.is_empty() { lines } else { &own };
        let own = own.iter().take(CONFIRMED_LINES_MAX);
        behind.extend(own.map(|&line| line.to_owned()));
    }
    behind
}

/// Returns the notes that a question is answered from, most likely first, with their shown lines.
/// The note that is `meant` comes before all others.
fn shown_for<'a>(
    question: &str,
    meant: Option<&'a Note>,
    target: &Target<'a>,
) -> Vec<NoteLines<'a>> {
    let wanted = Terms::of(question);
    let named = notes_named(question, target);
    let notes: Vec<&Note> = target
        .notes
        .iter()
        .copied()
        .filter(|note| speaks_of(note, &named) && meant.is_none_or(|meant| meant.id != note.id))
        .collect();
    let joined = notes.clone().into_iter();
    let joined: Vec<&Note> = joined
        .filter(|note| joins_words(&note.title, &wanted))
        .collect();
    let mut scored = nearest(notes, text_of, &wanted, SCORE_SHARE_MIN);
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    scored.retain(|(_, note)| joined.iter().all(|it| it.id != note.id));
    scored.extend(joined.into_iter().map(|note| (best, note)));
    // Of notes that speak alike of a question, those that the rest of the request names are meant.
    let named_before = target.named_in(target.request);
    let is_named_before = |(score, note): &(usize, &Note)| {
        *score == best && named_before.iter().any(|it| it.id == note.id)
    };
    if named.is_empty() && scored.iter().any(is_named_before) {
        scored.retain(is_named_before);
    }
    // Of several notes that are named, each is asked for, however little it shares with the question.
    let lost = |note: &&&Note| named.len() > 1 && scored.iter().all(|(_, it)| it.id != note.id);
    let lost: Vec<(usize, &Note)> = named
        .iter()
        .filter(lost)
        .map(|note| (best, *note))
        .collect();
    scored.extend(lost);
    scored.sort_by_key(|(score, _)| Reverse(*score));
    let looks_alike = |note: &Note| {
        let mut others = scored.iter().map(|(_, other)| other);
        others.any(|other| is_meant_rather(other, note, &wanted))
    };
    let others = scored.iter().map(|(_, note)| *note);
    let is_beside = |note: &Note| named.len() > 1 && named.iter().any(|it| it.id == note.id);
    let others = others.filter(|note| is_beside(note) || !looks_alike(note));
    let notes: Vec<&Note> = meant.into_iter().chain(others).collect();
    let mut shown: Vec<NoteLines<'_>> = Vec::new();
    let mut left = SHOWN_CHARS_MAX;
    for note in notes {
        let lines = lines_of(&note.value).into_iter().map(|line| line.text);
        let is_meant = meant.is_some_and(|meant| meant.id == note.id);
        let is_of_named = is_meant || named.is_empty() || named.iter().any(|it| it.id == note.id);
        let says = |line: &&str| is_of_named || named.iter().any(|it| says_title(line, it));
        let lines: Vec<&str> = lines
            .filter(|line| !line.trim().is_empty())
            .filter(says)
            .collect();
        let chars = |lines: &[&str]| -> usize { lines.iter().map(|it| it.chars().count()).sum() };
        let lines = if lines.len() <= SHOWN_LINES_MAX && chars(&lines) <= left {
            lines
        } else {
            let nearest = nearest_lines(&note.value, question).into_iter();
            nearest.map(|(_, line)| line).filter(says).collect()
        };
        let taken = chars(&lines);
        if lines.is_empty() || taken > left {
            continue;
        }
        left -= taken;
        shown.push((note, lines));
    }
    shown
}

/// Returns whether a word of a title is made of two of the words.
/// An example is `Zeltverleih` of `Zelt` and `Verleih`.
fn joins_words(title: &str, words: &Terms) -> bool {
    let title = Terms::of(title);
    let telling = |word: &&str| is_telling(word) && !title.has(word);
    let mut joined = title.iter();
    joined.any(|long| {
        let begins = words
            .iter()
            .filter(telling)
            .any(|word| long.starts_with(word));
        begins
            && words
                .iter()
                .filter(telling)
                .any(|word| long.ends_with(word))
    })
}

/// Returns the notes whose score is at least `share_min` percent of the best one, with their scores.
/// All of them if none shares a term with `wanted`.
pub(super) fn nearest<'a>(
    notes: Vec<&'a Note>,
    text: impl Fn(&Note) -> String,
    wanted: &Terms,
    share_min: usize,
) -> Vec<(usize, &'a Note)> {
    let texts: Vec<Terms> = notes.iter().map(|note| Terms::of(&text(note))).collect();
    let weights = Weights::of_terms(texts.iter());
    let scores = texts.iter().map(|terms| weights.score(terms, wanted));
    let mut scored: Vec<(usize, &Note)> = scores.zip(notes).collect();
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    scored.retain(|(score, _)| *score * 100 >= best * share_min);
    scored
}

/// Returns whether a question means one note rather than another with a similar title.
/// Only the title of the first has a telling word of the question that the second lacks.
fn is_meant_rather(one: &Note, other: &Note, wanted: &Terms) -> bool {
    let (one, other) = (Terms::of(&one.title), Terms::of(&other.title));
    let said = |own: &Terms, not: &Terms| {
        let mut words = own.iter().filter(|word| is_telling(word));
        words.any(|word| wanted.has(word) && !not.has(word))
    };
    one.shared(&other) > 0 && said(&one, &other) && !said(&other, &one)
}

/// Returns whether a note may answer a question that names notes.
/// It is one of them, or its text has the title of one. Every note may if none is named.
fn speaks_of(note: &Note, named: &[&Note]) -> bool {
    let mut named_ones = named.iter();
    named.is_empty() || named_ones.any(|it| it.id == note.id || says_title(&note.value, it))
}

/// Returns whether a text has the words of a note's title.
fn says_title(text: &str, note: &Note) -> bool {
    Terms::of(&note.title).are_in(&Terms::of(text))
}

/// Returns the notes that an answer comes from.
/// Each one covers most of what the ones before it left of the answer.
fn sources_of(text: &str, question: &str, shown: &[NoteLines<'_>]) -> Vec<NoteId> {
    let asked = Terms::of(question);
    let said = Terms::of(text);
    let new: Vec<&str> = said.iter().filter(|term| !asked.has(term)).collect();
    let mut left: Vec<&str> = if new.is_empty() {
        said.iter().collect()
    } else {
        new
    };
    let notes: Vec<(NoteId, Terms)> = shown
        .iter()
        .map(|(note, lines)| {
            (
                note.id,
                Terms::of(&[&note.title, " ", &lines.join("\n")].concat()),
            )
        })
        .collect();
    let mut sources = Vec::new();
    loop {
        let count = |terms: &Terms| left.iter().filter(|term| terms.has(term)).count();
        let mut best: Option<(usize, NoteId)> = None;
        for (id, terms) in &notes {
            let count = count(terms);
            if count > best.map_or(0, |(most, _)| most) && !sources.contains(id) {
                best = Some((count, *id));
            }
        }
        let Some((_, id)) = best else {
            break;
        };
        sources.push(id);
        if let Some((_, terms)) = notes.iter().find(|(known, _)| *known == id) {
            left.retain(|term| !terms.has(term));
        }
    }
    if sources.is_empty() {
        sources.extend(shown.first().map(|(note, _)| note.id));
    }
    sources
}
