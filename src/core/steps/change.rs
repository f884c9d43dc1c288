//! A line of a note that is different now: computed where the request says both what was and what is, else
//! chosen by the model among the words of the line.

use super::ask::{Ask, Replies};
use super::carry::{Effect, missed, rewrite};
use super::check::{is_telling, stands_in};
use super::compose::{appended, with_line};
use super::evidence::{label_of, labelled_line, words_around};
use super::lines::{ListMark, lines_of};
use super::spans::{
    contradicted_run, form_of, numbers_of, of_same_kind, recounted, replaced, spans_of,
};
use super::target::line;
use crate::core::notes::{Note, Terms};

/// Words from which on what takes the place of others is a sentence of its own.
const SENTENCE_WORDS_MIN: usize = 5;

/// Replacements that one reply may ask for.
const REPLACEMENTS_MAX: usize = 3;

/// Changes the line of a note that a text means, so that it says what the text says.
///
/// # Errors
/// The question to the model, where it has no reply yet.
pub(super) fn change(
    note: &Note,
    text: &str,
    request: &str,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, Ask> {
    let lines = lines_of(&note.value);
    let around = words_around(request, text).without(&Terms::of(&note.title));
    let label = labelled_line(&note.value, &around).filter(|_| label_of(text).is_none());
    let index = match label {
        Some(index) => Some(index),
        None => line(&note.value, text, request, replies)?,
    };
    let Some(index) = index else {
        return Ok(missed(text));
    };
    let label = label.and_then(|index| label_of(lines.get(index)?.text));
    let labelled = label.map(|label| format!("{label}: {text}"));
    let text = labelled.as_deref().unwrap_or(text);
    let old = lines.get(index).map_or("", |line| line.text);
    // What can be ticked off has a box.
    let text = if has_box(old) {
        text
    } else {
        text.trim_start_matches("[x] ")
    };
    let is_said = Terms::of(text).are_in(&Terms::of(&[&note.title, " ", old].concat()));
    if is_said && !has_box(text) {
        return Ok(vec![Effect::Present { note: note.id }]);
    }
    let known = Terms::of(&[&note.title, " ", request].concat());
    let new = match computed(old, text, request, &known) {
        Some(new) => new,
        None => match chosen(note, old, text, replies)? {
            Chosen::Line(new) => new,
            Chosen::Addition => return Ok(vec![rewrite(note, appended(&note.value, text))]),
            Chosen::Nothing => return Ok(missed(text)),
        },
    };
    Ok(vec![rewrite(note, with_line(&note.value, index, &new))])
}

/// Returns whether a text says of a line of a note that a number of it is another one now: both speak of the
/// same matter, and the number counts the same thing.
pub(super) fn corrects(note: &Note, text: &str) -> bool {
    lines_of(&note.value).iter().any(|line| {
        let matter = Terms::of(&[&note.title, " ", line.text].concat());
        let said = Terms::of(text);
        let mut telling = said.iter().filter(|term| is_telling(term));
        telling.any(|term| matter.has(term)) && recounted(line.text, text).is_some()
    }) || only_corrects(note, text)
}

/// Returns whether a text says of a line of a note that its number is another one now, and nothing else that
/// the note does not say.
pub(super) fn only_corrects(note: &Note, text: &str) -> bool {
    let new = numbers_of(text);
    lines_of(&note.value).iter().any(|line| {
        let old = numbers_of(line.text);
        let come: Vec<&&str> = new.iter().filter(|it| !old.contains(it)).collect();
        let gone = old.iter().filter(|it| !new.contains(it)).count();
        let [come] = come.as_slice() else {
            return false;
        };
        let matter = Terms::of(&[&note.title, " ", line.text].concat());
        let said = Terms::of(&text.replace(**come, ""));
        let mut telling = said.iter().filter(|term| is_telling(term)).peekable();
        let is_counted = gone == 1 || recounted(line.text, text).is_some();
        is_counted && telling.peek().is_some() && telling.all(|term| stands_in(term, &matter))
    })
}

/// Returns whether a text has another number of the same form for what a line of a note says behind its label:
/// `Bus: 8:10`, `Ida: 555-0104`.
pub(super) fn relabels(note: &Note, text: &str) -> bool {
    let said = Terms::of(text);
    let new = numbers_of(text);
    lines_of(&note.value).iter().any(|line| {
        let Some((label, rest)) = ListMark::text_of(line.text).split_once(": ") else {
            return false;
        };
        let (label, old) = (Terms::of(label), numbers_of(rest));
        let is_other = matches!(
            (old.as_slice(), new.as_slice()),
            ([old], [new]) if old != new && form_of(old) == form_of(new)
        );
        is_other && !label.is_empty() && label.are_in(&said)
    })
}

/// Returns whether a line holds a box that is or can be ticked.
pub(super) fn has_box(line: &str) -> bool {
    ["[ ]", "[x]", "[X]"].iter().any(|it| line.contains(it))
}

/// Returns the line with the one thing replaced that differs, where that can be computed: a ticked box, the
/// number that counts what the new one counts, the one that the request says is wrong, or the only number of the line that the new text has another one
/// for.
fn computed(line: &str, text: &str, request: &str, known: &Terms) -> Option<String> {
    let ticked = |it: &str| it.trim_start_matches(['-', '*', ' ']).starts_with("[x]");
    if ticked(text) && line.contains("[ ]") {
        return replaced(line, "[ ]", "[x]");
    }
    if let Some(new) = recounted(line, text) {
        let said = Terms::of(&[&new, " ", request].concat()).with(known);
        return Terms::of(text).are_in(&said).then_some(new);
    }
    let (old, new, asked) = (numbers_of(line), numbers_of(text), numbers_of(request));
    let gone: Vec<&str> = old.iter().copied().filter(|it| !new.contains(it)).collect();
    let come: Vec<&str> = new.iter().copied().filter(|it| !old.contains(it)).collect();
    // Another name behind the same label.
    let digits = |text: &str| text.contains(|it: char| it.is_ascii_digit());
    if let (Some(label), Some(said)) = (label_of(line), label_of(text))
        && Terms::of(label) == Terms::of(said)
        && !digits(line)
        && !digits(text)
    {
        return Some(text.trim_end_matches('.').to_owned());
    }
    let pair = swapped(line, text, request, known).or_else(|| framed(line, text));
    if let Some((old, new)) = pair.or_else(|| respelt(line, text)) {
        return replaced(line, old, new);
    }
    let telling_rest = |new: &str| {
        let rest = Terms::of(&text.replace(new, "")).without(&Terms::of(line));
        let mut telling = rest.iter().filter(|term| is_telling(term));
        telling.all(|term| known.has(term))
    };
    // The one number of the same form, as a day of the month is one of another month.
    let same_form = |new: &str| {
        let mut alike = gone.iter().filter(|old| form_of(old) == form_of(new));
        alike.next().filter(|_| alike.next().is_none()).copied()
    };
    if let [new] = come.as_slice()
        && let Some(old) = same_form(new)
        && gone.len() > 1
        && telling_rest(new)
    {
        return replaced(line, old, new);
    }
    if let Some((old, new)) = same_form_of(line, text).filter(|(_, new)| telling_rest(new)) {
        return Some(line.replacen(old, new, 1));
    }
    if let ([], Some((old, new))) = (come.as_slice(), of_same_kind(line, text))
        && telling_rest(new)
    {
        let is_plural = old.ends_with('s');
        let new = new.strip_suffix('s').filter(|_| !is_plural).unwrap_or(new);
        return replaced(line, old, new);
    }
    if let Some((old, new)) = contradicted_run(line, text, request) {
        return Some(line.replacen(&old, &new, 1));
    }
    if let Some((old, new)) = contradicted(line, text) {
        return replaced(line, old, new);
    }
    let wrong: Vec<&str> = gone
        .iter()
        .copied()
        .filter(|it| asked.contains(it))
        .collect();
    let (gone, come) = match (wrong.as_slice(), gone.as_slice(), come.as_slice()) {
        ([wrong], _, [come]) => (*wrong, *come),
        ([], [gone], [come]) => (*gone, *come),
        _ => return None,
    };
    // Anything else that is new would be lost.
    let rest = Terms::of(&text.replace(come, "")).without(&Terms::of(line));
    let is_all = rest.are_in(known);
    let is_told = !wrong.is_empty();
    replaced(line, gone, come).filter(|_| is_all && (is_told || rest.is_empty()))
}

/// Returns the number of a line that a text contradicts, and the new one: both stand in the text, the new one
/// first, as in `8:40, not 8:25` or `40 euros instead of 36`.
fn contradicted<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let (old, said) = (numbers_of(line), numbers_of(text));
    let mut come = said.iter().copied().filter(|it| !old.contains(it));
    let new = come.next().filter(|_| come.next().is_none())?;
    // A number that the text does not repeat is the one that the new one takes the place of.
    let is_gone = |it: &&str| !said.contains(it) && form_of(it) == form_of(new);
    if old.iter().any(is_gone) {
        return None;
    }
    let behind = said.iter().skip_while(|it| **it != new);
    let mut wrong = behind.filter(|it| old.contains(it) && form_of(it) == form_of(new));
    let wrong = *wrong.next().filter(|_| wrong.next().is_none())?;
    Some((wrong, new))
}

/// Returns the one telling word of a line that the request names and the text does not, and the one that the
/// text has in its place: `in the shed now, not in the cellar`.
fn swapped<'a>(
    line: &'a str,
    text: &'a str,
    request: &str,
    known: &Terms,
) -> Option<(&'a str, &'a str)> {
    let (of_line, said, asked) = (Terms::of(line), Terms::of(text), Terms::of(request));
    let words = |text: &'a str| {
        spans_of(text)
            .into_iter()
            .filter(|span| Terms::of(span).len() == 1)
    };
    let is = |word: &str, holds: &dyn Fn(&str) -> bool| {
        Terms::of(word)
            .iter()
            .any(|term| is_telling(term) && holds(term))
    };
    let mut old = words(line).filter(|word| is(word, &|it| asked.has(it) && !said.has(it)));
    let mut new = words(text).filter(|word| is(word, &|it| !of_line.has(it)));
    let pair = old.next().zip(new.next());
    // Words that the line and the text share say that it is the same matter.
    let is_same = of_line.shared(&said) > 0 && said.are_in(&of_line.clone().with(known));
    pair.filter(|_| old.next().is_none() && new.next().is_none() && is_same)
}

/// Returns the one word of a line that a text repeats behind another one for its place, and that one: `with Ida
/// instead of Ben` where the line says `with Ben`.
fn framed<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let words = |text: &'a str| {
        let words = text.split_whitespace();
        let words = words.map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()));
        words.collect::<Vec<_>>()
    };
    let (old, said) = (words(line), words(text));
    let is_same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    let mut found = old.windows(2).filter_map(|pair| {
        let [before, word] = pair else {
            return None;
        };
        let at = said.windows(2).position(|other| {
            matches!(other, [own, new] if is_same(own, before)
                && !old.iter().any(|it| is_same(it, new)))
        })?;
        let (new, behind) = (said.get(at + 1)?, said.get(at + 2..)?);
        let is_gone = behind.iter().any(|it| is_same(it, word));
        (is_gone && is_telling(word) && is_telling(new)).then_some((*word, *new))
    });
    found.next().filter(|_| found.next().is_none())
}

/// Returns the one word with digits and letters of a line, such as `18h15`, for which a text has another one of
/// the same form, and that one.
fn same_form_of<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let codes = |text: &'a str| {
        let words = text.split_whitespace();
        let words = words.map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()));
        words.filter(|word| {
            let has = |is: fn(&char) -> bool| word.chars().any(|it| is(&it));
            has(char::is_ascii_digit) && has(|it| it.is_alphabetic())
        })
    };
    let new: Vec<&str> = codes(text).filter(|word| !line.contains(word)).collect();
    let [new] = new.as_slice() else {
        return None;
    };
    let mut alike = codes(line).filter(|old| form_of(old) == form_of(new));
    let old = alike.next()?;
    alike.next().is_none().then_some((old, *new))
}

/// Returns the word of a line that a text of one word spells otherwise, and that word.
fn respelt<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let new = text.trim().trim_end_matches(['.', '!']);
    if new.contains(char::is_whitespace) || !is_telling(new) {
        return None;
    }
    let lower = new.to_lowercase();
    let is_like = |word: &&str| {
        let slips = strsim::osa_distance(&word.to_lowercase(), &lower);
        slips > 0 && slips * CHARS_PER_SLIP <= lower.chars().count()
    };
    let mut words = spans_of(line)
        .into_iter()
        .filter(|span| !span.contains(' '));
    let old = words.by_ref().find(is_like)?;
    words.find(is_like).is_none().then_some((old, new))
}

/// Letters of a word for each slip by which it may be spelt otherwise.
const CHARS_PER_SLIP: usize = 3;

/// What a model's replacements come to.
enum Chosen {
    /// The line as it is now.
    Line(String),
    /// The text is no change of the line, but something beside it.
    Addition,
    /// Nothing that stands there.
    Nothing,
}

/// Carries out the replacements that a model chooses in a line of a note.
fn chosen(note: &Note, line: &str, text: &str, replies: &mut Replies<'_>) -> Result<Chosen, Ask> {
    let mut spans = spans_of(line);
    // A number does not become a word.
    let has_digit = |it: &str| it.contains(|it: char| it.is_ascii_digit());
    if !has_digit(text) && spans.iter().any(|span| !has_digit(span)) {
        spans.retain(|span| !has_digit(span));
    }
    let reply = replies.to(|| Ask::Replace {
        line: line.to_owned(),
        change: text.to_owned(),
        spans: spans.iter().map(|span| (*span).to_owned()).collect(),
    })?;
    let (said, title) = (Terms::of(text), Terms::of(&note.title));
    let mut new = line.to_owned();
    for pair in reply.lines().take(REPLACEMENTS_MAX) {
        let Some((old, by)) = pair.split_once(" > ") else {
            continue;
        };
        let words = Terms::of(by);
        if words.len() >= SENTENCE_WORDS_MIN && said.are_in(&words) {
            return Ok(Chosen::Addition);
        }
        // What stands there by now would stand there twice, and the title says nothing new.
        // What the change speaks of is not what goes, unless it says both: `27 February > 6 March`.
        let is_told = Terms::of(old).are_in(&said) && !words.are_in(&said);
        let mut telling = words.iter().filter(|it| is_telling(it)).peekable();
        let is_title =
            telling.peek().is_some() && telling.all(|it| title.has(it)) || words.are_in(&title);
        let is_new = !is_told && !is_title && (new == line || !words.are_in(&Terms::of(&new)));
        if !by.trim().is_empty() && is_new && spans.contains(&old.trim()) {
            new = replaced(&new, old.trim(), by).unwrap_or(new);
        }
    }
    Ok(if new == line {
        Chosen::Nothing
    } else {
        Chosen::Line(new)
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample_note as note;
    use super::computed;
    use crate::core::notes::Terms;

    /// A line, how it is now, the request, and the line that follows without a model.
    const COMPUTED: &[(&str, &str, &str, &str)] = &[
        (
            "The saw hangs in the cellar.",
            "the saw is in the shed",
            "the saw is in the shed now, not in the cellar",
            "The saw hangs in the shed.",
        ),
        (
            "Day 19: in Skagen, the fee was 285 kroner.",
            "In Skagen we paid 258 kroner, not 285.",
            "in Skagen we paid 258 kroner, not 285",
            "Day 19: in Skagen, the fee was 258 kroner.",
        ),
        (
            "Every Tuesday at 18:15.",
            "pottery is on Thursdays",
            "pottery is on Thursdays",
            "Every Thursday at 18:15.",
        ),
        (
            "2 September at 15:30, Dr Lindqvist.",
            "pottery is on the 4th.",
            "pottery is on the 4th now",
            "4 September at 15:30, Dr Lindqvist.",
        ),
        (
            "Sofia Brandl comes at 10.",
            "Sophia",
            "it is Sophia, with ph",
            "Sophia Brandl comes at 10.",
        ),
        (
            "Teacher: Ms Roth",
            "Teacher: Mr Okoye",
            "we have a new teacher, Mr Okoye",
            "Teacher: Mr Okoye",
        ),
    ];

    #[test]
    fn what_a_request_says_of_a_line_is_computed() {
        let pottery = note(1, "Pottery", "");
        for &(line, text, request, expected) in COMPUTED {
            let known = Terms::of(&[&pottery.title, " ", request].concat());
            let new = computed(line, text, request, &known);
            assert_eq!(new.as_deref(), Some(expected), "{text}");
        }
    }
}
