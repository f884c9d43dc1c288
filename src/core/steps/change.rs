//! Changes of a line of a note.
//! The new line is computed if the request says both the old and the new value. Else the model
//! chooses among the words of the line.

use super::addition::add;
use super::assignment::assigned;
use super::check::{is_telling, stands_in};
use super::checkboxes::{has_box, unboxed};
use super::compose::{appended, with_line};
use super::computed_change::computed;
use super::count_change::CountChange;
use super::counts::exchanged_count;
use super::effects::{Effect, missed, rewrite};
use super::evidence::{
    CONTRAST_MARKS, contrasted, contrasted_in, is_short, label_and_value, label_of, labelled_line,
    sentence_of, without_denial, words_around,
};
use super::lines::{Line, lines_of};
use super::meant_line::line;
use super::plan::Step;
use super::spans::{
    bare_words, form_of, has_digit, in_place_of, numbers_of, recounted, recounted_beside, replaced,
    spans_of,
};
use super::step_question::{Replies, StepQuestion};
use crate::core::notes::{Note, Terms};

/// The number of words from which a replacement is a sentence of its own.
const SENTENCE_WORDS_MIN: usize = 5;

/// The maximum number of replacements in one reply.
const REPLACEMENTS_MAX: usize = 3;

/// Changes the line of a note that a text means, so that it says what the text says.
///
/// # Errors
/// The question to the model, if it has no reply yet.
pub(super) fn change(
    note: &Note,
    text: &str,
    request: &str,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    if let Some(shift) = CountChange::of(text).filter(|shift| !shift.stands_in(request)) {
        // A number that the request does not say is a guess.
        if !numbers_of(request).contains(&shift.number().as_str()) {
            return Ok(missed(text));
        }
        return Ok(match shift.counted(note, text) {
            Some((index, line)) => vec![rewrite(note, with_line(&note.value, index, &line))],
            None => shift
                .as_addition(text)
                .map_or_else(|| missed(text), |text| add(note, &text, request)),
        });
    }
    if let Some((index, line)) = assigned(note, text, request) {
        return Ok(vec![rewrite(note, with_line(&note.value, index, &line))]);
    }
    let lines = lines_of(&note.value);
    let around = words_around(request, text).without(&Terms::of(&note.title));
    let label = labelled_line(&note.value, &around).filter(|_| label_of(text).is_none());
    let index = match label.or_else(|| denied_line(&lines, text)) {
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
    // Only an item with a box can be ticked.
    let text = if has_box(old) { text } else { unboxed(text) };
    let is_said = Terms::of(text).are_in(&Terms::of(&[&note.title, " ", old].concat()));
    if is_said && !has_box(text) {
        return Ok(vec![Effect::Present { note: note.id }]);
    }
    let known = Terms::of(&[&note.title, " ", request].concat());
    let computed =
        computed(old, text, request, &known).or_else(|| with_number_alone(note, old, text));
    let new = match computed {
        Some(new) => new,
        None => match chosen(note, old, (text, request), replies)? {
            Chosen::Line(new) => new,
            Chosen::Addition => return Ok(vec![rewrite(note, appended(&note.value, text))]),
            Chosen::Nothing => return Ok(missed(text)),
        },
    };
    Ok(vec![rewrite(note, with_line(&note.value, index, &new))])
}

/// Returns the index of the only line with the last word that a text says is no longer true: `Falkenhütte`
/// in `nicht in der Falkenhütte`. The words before it may be those of the denial.
fn denied_line(lines: &[Line<'_>], text: &str) -> Option<usize> {
    let (_, denial) = text.rsplit_once(CONTRAST_MARKS)?;
    let gone = contrasted(text);
    let words = bare_words(denial).map(Terms::of);
    let last = words.filter(|word| !word.is_empty()).last()?;
    let is_denied = last.are_in(&gone) && last.iter().any(is_telling);
    let has_last = |at: &usize| {
        let line = lines.get(*at);
        line.is_some_and(|line| last.are_in(&Terms::of(line.text)))
    };
    let mut found = (0..lines.len()).filter(has_last);
    found.next().filter(|_| is_denied && found.next().is_none())
}

/// Returns the line with the number that stands behind the same word as the new one of a text.
/// The text has no other telling word that would be lost.
fn with_number_alone(note: &Note, line: &str, text: &str) -> Option<String> {
    let matter = Terms::of(&[&note.title, " ", line].concat());
    let said = Terms::of(text);
    let mut telling = said.iter().filter(|term| is_telling(term));
    recounted_beside(line, text).filter(|_| telling.all(|term| stands_in(term, &matter)))
}

/// Returns whether a text corrects a number in a line of a note.
/// Both have a telling word in common, and both numbers count the same.
pub(super) fn corrects(note: &Note, text: &str) -> bool {
    lines_of(&note.value).iter().any(|line| {
        let matter = Terms::of(&[&note.title, " ", line.text].concat());
        let said = Terms::of(text);
        let mut telling = said.iter().filter(|term| is_telling(term));
        telling.any(|term| matter.has(term)) && recounted(line.text, text).is_some()
    }) || only_corrects(note, text)
}

/// Returns whether a text corrects the number of a line of a note and adds nothing else.
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

/// Returns whether a text has another number of the same form for a labelled line of a note.
/// Examples of such lines are `Bus: 8:10` and `Ida: 555-0104`.
pub(super) fn relabels(note: &Note, text: &str) -> bool {
    let said = Terms::of(text);
    let new = numbers_of(text);
    lines_of(&note.value).iter().any(|line| {
        let Some((label, value)) = label_and_value(line.text) else {
            return false;
        };
        let (label, old) = (Terms::of(label), numbers_of(value));
        let is_other = matches!(
            (old.as_slice(), new.as_slice()),
            ([old], [new]) if old != new && form_of(old) == form_of(new)
        );
        is_other && !label.is_empty() && label.are_in(&said)
    })
}

/// The outcome of a model's replacements.
enum Chosen {
    /// The changed line.
    Line(String),
    /// The text is no change of the line, but an addition beside it.
    Addition,
    /// No replacement that fits the line.
    Nothing,
}

/// Returns the only word with a digit in a replacement for a number.
/// `The pool closes at 19h` gives `19h`.
fn value_in<'a>(by: &'a str, old: &str) -> &'a str {
    let begins = old.trim().starts_with(|it: char| it.is_ascii_digit());
    if !begins || old.trim().contains(' ') {
        return by;
    }
    let mut values = by.split_whitespace().filter(|word| has_digit(word));
    let value = values.next().filter(|_| values.next().is_none());
    value.map_or(by, |value| value.trim_end_matches(['.', ',', '!']))
}

/// Returns the old value without a leading number that the text repeats and the new value lacks.
/// With the new value `16.4 km`, `31: 14.6 km` becomes `14.6 km`: the line keeps `31:`.
fn behind_kept_number<'a>(old: &'a str, by: &str, text: &str) -> &'a str {
    let (said, come) = (numbers_of(text), numbers_of(by));
    let kept = numbers_of(old);
    let kept = kept
        .into_iter()
        .find(|it| said.contains(it) && !come.contains(it));
    let Some((before, behind)) = kept.and_then(|kept| old.split_once(kept)) else {
        return old;
    };
    let behind = behind.trim_start_matches(|it: char| !it.is_alphanumeric());
    if before.trim().is_empty() && has_digit(behind) {
        behind
    } else {
        old
    }
}

/// Returns the words of an old value that a text says are no longer true, without the words beside
/// them. `Karel Novak` becomes `Karel` with the new value `Karol` and the text `the name is Karol,
/// not Karel`.
fn denied_in<'a>(old: &'a str, by: &str, text: &str) -> &'a str {
    let (wrong, new) = (contrasted(text), Terms::of(by));
    let denied = spans_of(old).into_iter().filter(|span| {
        let words = Terms::of(span);
        !words.is_empty() && words.are_in(&wrong) && !words.are_in(&new)
    });
    let longest = denied.max_by_key(|span| span.len());
    let count = |text: &str| text.split_whitespace().count();
    let is_kept = Terms::of(old).without(&Terms::of(text)).shared(&new) == 0;
    longest
        .filter(|span| is_kept && count(span) == count(by))
        .unwrap_or(old)
}

/// Returns the telling words of a line that a text says are no longer true: `boathouse` in `on the jetty,
/// not in the boathouse`. Behind the comma stands a word that the line lacks, and before it another.
fn denied(line: &str, text: &str) -> Terms {
    let own = Terms::of(line);
    let gone = contrasted(text);
    let (there, denial): (Vec<&str>, Vec<&str>) = gone.iter().partition(|term| own.has(term));
    let telling: Vec<&str> = there.into_iter().filter(|term| is_telling(term)).collect();
    let new = text
        .rsplit_once(CONTRAST_MARKS)
        .map(|(now, _)| Terms::of(now));
    let is_new = new.is_some_and(|new| new.iter().any(|term| is_telling(term) && !own.has(term)));
    if denial.is_empty() || !is_new {
        return Terms::default();
    }
    Terms::of(&telling.join(" "))
}

/// Returns whether a number would replace one of another form and its unit, which the text does not
/// mention: `11:30` is no new value for `180 euros`.
fn takes_other_unit(old: &str, by: &str, text: &str) -> bool {
    let (before, after) = (numbers_of(old), numbers_of(by));
    let mut pairs = before
        .iter()
        .flat_map(|old| after.iter().map(move |new| (*old, *new)));
    let is_other = pairs.all(|(old, new)| form_of(old) != form_of(new));
    let said = Terms::of(&[by, " ", text].concat());
    let unit = Terms::of(old).without(&said);
    !before.is_empty() && !after.is_empty() && is_other && unit.iter().any(is_telling)
}

/// The share of the words of a change from which a replacement is the change itself, in percent.
const REPEATED_SHARE_MIN: usize = 80;

/// Returns whether a replacement has most words of a change: it is a sentence and no new value.
fn repeats_most(by: &str, said: &Terms) -> bool {
    Terms::of(by).shared(said) * 100 >= said.len() * REPEATED_SHARE_MIN
}

/// Returns whether a replacement stands in the line already, beside the words that it would replace.
/// A number may come from the change, too: `from 9 to 10` becomes `from 10 to 10`.
fn stands_beside(old: &str, by: &str, line: &str, text: &str) -> bool {
    let rest = line.replacen(old.trim(), " ", 1);
    let (words, said) = (Terms::of(by), Terms::of(text));
    let is_of_change = has_digit(by) && words.are_in(&said);
    !words.is_empty() && words.are_in(&Terms::of(&rest)) && !is_of_change
}

/// Returns whether a text names the old value behind the new one.
/// An example is `on Thursday instead of Wednesday`. The subject of a change stands before both.
fn stands_behind(old: &str, new: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let place = |words: &str| text.find(&words.trim().to_lowercase());
    matches!((place(new), place(old)), (Some(new), Some(old)) if new < old)
}

/// Returns the words of a line that a text may replace. A number does not become a word, and what is no
/// longer true goes, whatever stands beside it.
fn replaceable<'a>(line: &'a str, text: &str, wrong: &Terms) -> Vec<&'a str> {
    let mut spans = spans_of(line);
    if !has_digit(text) && spans.iter().any(|span| !has_digit(span)) {
        spans.retain(|span| !has_digit(span));
    }
    let is_wrong = |span: &&str| Terms::of(span).shared(wrong) > 0;
    if spans.iter().any(is_wrong) {
        spans.retain(is_wrong);
    }
    spans
}

/// Returns whether words would take the place of a number that the change does not mention.
fn loses_number(old: &str, by: &str, text: &str) -> bool {
    let before = numbers_of(old);
    let speaks_of = |number: &&str| numbers_of(text).contains(number);
    let is_lost = has_digit(text) && numbers_of(by).is_empty() && !before.is_empty();
    is_lost && !before.iter().any(speaks_of)
}

/// Returns whether the replaced words are the subject of a change, which stays. The change may say both
/// what goes and what comes, as in `27 February > 6 March`; the value behind a label is no subject.
fn keeps_subject(old: &str, by: &str, line: &str, text: &str) -> bool {
    let (gone, words, said) = (Terms::of(old), Terms::of(by), Terms::of(text));
    let before = numbers_of(old);
    let is_contrasted = if before.is_empty() {
        let wrong = contrasted(text);
        let mut going = gone.iter().filter(|term| is_telling(term));
        going.all(|term| wrong.has(term)) || stands_behind(old, by, text)
    } else {
        before != numbers_of(by)
    };
    let is_value = label_and_value(line).is_some_and(|(label, value)| {
        value.trim_end_matches('.') == old.trim() && Terms::of(label).are_in(&said)
    });
    gone.are_in(&said) && !(words.are_in(&said) && (is_contrasted || is_value))
}

/// Returns whether words say no more than a title.
fn is_of_title(words: &Terms, title: &Terms) -> bool {
    let mut telling = words.iter().filter(|it| is_telling(it)).peekable();
    telling.peek().is_some() && telling.all(|it| title.has(it)) || words.are_in(title)
}

/// Carries out the replacements that a model chooses in a line of a note.
fn chosen(
    note: &Note,
    line: &str,
    (text, request): (&str, &str),
    replies: &mut Replies<'_>,
) -> Result<Chosen, StepQuestion> {
    let mut wrong = denied(line, text);
    if wrong.is_empty() {
        wrong = denied(line, sentence_of(request, text));
    }
    let spans = replaceable(line, text, &wrong);
    let reply = replies.to(|| StepQuestion::Replace {
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
        let by = without_denial(by, &wrong);
        let old = denied_in(behind_kept_number(old, by, text), by, text);
        let words = Terms::of(by);
        if words.len() >= SENTENCE_WORDS_MIN {
            if repeats_most(by, &said) {
                return Ok(Chosen::Addition);
            }
            // A word does not become a sentence.
            if !old.trim().contains(' ') {
                continue;
            }
        }
        // A word that the line has by now would stand there twice, and the title says nothing new.
        let is_title = is_of_title(&words, &title);
        let is_there = new != line && words.are_in(&Terms::of(&new));
        let is_refused = loses_number(old, by, text)
            || takes_other_unit(old, by, text)
            || stands_beside(old, by, line, text)
            || keeps_subject(old, by, line, text);
        if by.trim().is_empty() || is_title || is_there || is_refused {
            continue;
        }
        if spans.contains(&old.trim()) {
            // A box stays one.
            let by = in_place_of(old.trim(), value_in(by, old));
            let by = by.filter(|by| !has_box(old) || has_box(by));
            new = by
                .and_then(|by| replaced(&new, old.trim(), &by))
                .unwrap_or(new);
        }
    }
    Ok(if new == line {
        Chosen::Nothing
    } else {
        Chosen::Line(new)
    })
}

/// Returns a change of a note if the text corrects it, else an addition.
pub(super) fn edit_of(note: &Note, request: &str, text: String) -> Step {
    let (old, new, asked) = (
        numbers_of(&note.value),
        numbers_of(&text),
        numbers_of(request),
    );
    let gone = contrasted(&text);
    let is_gone = |number: &str| !new.contains(&number) || gone.has(number);
    let is_corrected = |number: &&str| old.contains(number) && is_gone(number) && !new.is_empty();
    let title = Some(note.title.clone());
    let is_counted = |line: &Line<'_>| is_short(&text) && recounted(line.text, &text).is_some();
    let is_recounted = new.len() == 1 && lines_of(&note.value).iter().any(is_counted);
    let said = Terms::of(&text);
    let told_gone = contrasted_in(request).without(&said);
    let is_contradicted = is_short(&text) && told_gone.shared(&Terms::of(&note.value)) > 0;
    let exchanges = |line: &Line<'_>| exchanged_count(line.text, &text).is_some();
    if asked.iter().any(is_corrected)
        || lines_of(&note.value).iter().any(exchanges)
        || is_recounted
        || is_contradicted
        || only_corrects(note, &text)
    {
        Step::Change { note: title, text }
    } else {
        Step::Add { note: title, text }
    }
}

#[cfg(test)]
mod tests {
    use super::denied_in;

    #[test]
    fn only_the_words_that_are_no_longer_true_go() {
        let name = "the name is Karol, not Karel";
        for (old, by, text, expected) in [
            ("Karel Novak", "Karol", name, "Karel"),
            ("Karel Novak", "Karol Novak", name, "Karel Novak"),
            ("Karel", "Karol", name, "Karel"),
            (
                "at home",
                "at school",
                "It is at school, not at home.",
                "at home",
            ),
            ("at 6:50", "7:20", "The ferry leaves at 7:20.", "at 6:50"),
        ] {
            assert_eq!(denied_in(old, by, text), expected, "{old} > {by}");
        }
    }
}
