//! Computes the single change of a line, if the request and the text show it.
//! No model is asked.

use super::check::{is_telling, stands_in};
use super::counts::exchanged_count;
use super::evidence::{CONTRAST_MARKS, contrasted, label_and_value, label_of, without_denial};
use super::plan_correction::with_capital;
use super::spans::{
    bare_words, contradicted_run, denied_run, exchange_of, exchanged, form_of, has_digit,
    in_place_of, numbers_of, of_same_kind, recounted, replaced, spans_of,
};
use crate::core::notes::Terms;

/// The minimum length of a code, in characters.
const CODE_CHARS_MIN: usize = 5;

/// Returns the line with its single difference replaced, if that can be computed.
/// It may be a box, a number that the text recounts, a number or word that the text contradicts, a
/// name, a code, or the only number that differs. A day of the week changes with the date behind it.
pub(super) fn computed(line: &str, text: &str, request: &str, known: &Terms) -> Option<String> {
    let new = difference(line, text, request, known)?;
    Some(with_name_beside(line, &new, text).unwrap_or(new))
}

/// Returns a changed line with another name of the same kind beside the word that changed, if the
/// text has the new name beside the new word: `Monday 26 January` becomes `Thursday 22 January`.
fn with_name_beside(line: &str, new: &str, text: &str) -> Option<String> {
    let parts = text.rsplit_once(CONTRAST_MARKS);
    // Not every comma stands before what is no longer so: `The dentist rang, it is on Thursday 8 May`.
    let is_now = |now: &str| numbers_of(now).iter().any(|number| !line.contains(number));
    let text = parts.map_or(text, |(now, _)| if is_now(now) { now } else { text });
    let (was, is): (Vec<&str>, Vec<&str>) = (bare_words(line).collect(), bare_words(new).collect());
    let mut differing = was.iter().zip(&is).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (_, come)) = differing.next().filter(|_| was.len() == is.len())?;
    let said: Vec<&str> = bare_words(text).collect();
    let place = said
        .iter()
        .position(|word| numbers_of(word) == numbers_of(come))?;
    // An article may stand between the two: `Friday the 13th`.
    let around = |words: &[&str], at: usize| {
        let mut before = words.get(..at).unwrap_or_default().iter().rev().take(2);
        let before = before.find(|word| is_telling(word) && !has_digit(word));
        let beside: Vec<&str> = before
            .into_iter()
            .chain(words.get(at + 1))
            .copied()
            .collect();
        beside.join(" ")
    };
    // The rest of the text may have the old name, too: `not on Tuesday`.
    let (old_beside, new_beside) = (around(&was, at), around(&said, place));
    let names = of_same_kind(&old_beside, &new_beside).or_else(|| {
        let (one, other) = (
            was.get(at.checked_sub(1)?)?,
            said.get(place.checked_sub(1)?)?,
        );
        let is_same_behind = was.get(at + 1) == said.get(place + 1);
        (is_same_behind && end_alike(one, other)).then_some((*one, *other))
    });
    let (old_name, new_name) = names?;
    let is_capital = old_name.starts_with(char::is_uppercase);
    let new_name = if is_capital {
        with_capital(new_name)
    } else {
        new_name.to_owned()
    };
    let is_one = differing.next().is_none() && has_digit(come);
    is_one.then(|| replaced(new, old_name, &new_name))?
}

/// The number of equal last letters of days before dates, such as `dinsdag` and `donderdag`.
const DAY_ENDING_CHARS: usize = 3;

/// Returns whether two different words end in the same letters.
fn end_alike(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let letters = one.chars().rev().zip(other.chars().rev());
    let shared = letters.take_while(|(a, b)| a == b && a.is_alphabetic());
    one != other && shared.count() >= DAY_ENDING_CHARS
}

fn difference(line: &str, text: &str, request: &str, known: &Terms) -> Option<String> {
    let said = text.trim_start_matches(['-', '*', ' ']);
    for (is, was) in [("[x]", "[ ]"), ("[ ]", "[x]")] {
        if said.starts_with(is) && line.contains(was) {
            return replaced(line, was, is);
        }
    }
    if let Some((old, new)) = exchanged_count(line, text) {
        return Some(line.replacen(&old, &new, 1));
    }
    let moment = exchanged_dates(line, text).or_else(|| exchanged_hours(line, text));
    if let Some((old, new)) = moment {
        return replaced(line, &old, &new);
    }
    if let Some((old, new)) = exchanged_number(line, text, request) {
        return replaced(line, old, new);
    }
    if let Some(new) = recounted(line, text) {
        let said = Terms::of(&[&new, " ", request].concat()).with(known);
        return Terms::of(text).are_in(&said).then_some(new);
    }
    let (gone, come) = exchanged(line, text);
    if let Some(new) = behind_same_label(line, text) {
        return Some(new);
    }
    if let ([old], [new]) = (codes_of(line).as_slice(), codes_of(text).as_slice())
        && old != new
    {
        return replaced(line, old, new);
    }
    if let Some(new) = with_other_words(line, text, request, known) {
        return Some(new);
    }
    let telling_rest = |new: &str| {
        let rest = Terms::of(&text.replace(new, "")).without(&Terms::of(line));
        let mut telling = rest.iter().filter(|term| is_telling(term));
        telling.all(|term| known.has(term))
    };
    // The only number of the same form, such as a day of the month for another one.
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
    if let ([], Some((old, new))) = (come.as_slice(), denied_of_same_kind(line, text))
        && telling_rest(new)
    {
        let is_plural = old.ends_with('s');
        let new = new.strip_suffix('s').filter(|_| !is_plural).unwrap_or(new);
        return replaced(line, old, new);
    }
    if let Some((old, new)) = exchanged_run(line, text, request) {
        return Some(line.replacen(&old, &new, 1));
    }
    if let Some((old, new)) = contradicted(line, text) {
        return replaced(line, old, new);
    }
    corrected(line, text, (&gone, &come), request, known)
}

/// Returns a line with another name behind its label, without the part of the text that denies the old one:
/// `Trainer: Iwona, not Bartek`.
fn behind_same_label(line: &str, text: &str) -> Option<String> {
    let is_same = Terms::of(label_of(line)?) == Terms::of(label_of(text)?);
    let is_name = is_same && !has_digit(line) && !has_digit(text);
    let now = || without_denial(text, &Terms::of(line));
    is_name.then(|| now().trim_end_matches('.').to_owned())
}

/// Returns a word of a line and one of a text of the same kind, see [`of_same_kind`]. If the text denies
/// something of the line, that is what goes: `in the bakery, not at Nadia's` leaves `Every Tuesday` alone.
fn denied_of_same_kind<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let denied = contrasted(text);
    let is_any_denied = denied.shared(&Terms::of(line)) > 0;
    let is_denied = |word: &str| !is_any_denied || Terms::of(word).shared(&denied) > 0;
    of_same_kind(line, text).filter(|(old, _)| is_denied(old))
}

/// Returns the line with its words replaced that a text denies, renames or spells in another way.
fn with_other_words(line: &str, text: &str, request: &str, known: &Terms) -> Option<String> {
    if let Some((old, new)) = swapped(line, text, request, known) {
        return replaced(line, old, new);
    }
    if let Some((old, new)) = reframed(line, text) {
        return replaced(line, &old, &new);
    }
    let pair = framed(line, text).or_else(|| renamed(line, text, known));
    let (old, new) = pair.or_else(|| respelt(line, text))?;
    replaced(line, old, new)
}

/// Returns the words of letters and digits in a text that begin with a letter, such as passwords.
fn codes_of(text: &str) -> Vec<&str> {
    let is_long = |word: &str| word.len() >= CODE_CHARS_MIN;
    let is_mixed = |word: &str| word.starts_with(char::is_alphabetic) && has_digit(word);
    bare_words(text)
        .filter(|word| is_long(word) && is_mixed(word))
        .collect()
}

/// Returns the line with its only number replaced that the text changes or the request corrects.
fn corrected(
    line: &str,
    text: &str,
    (gone, come): (&[&str], &[&str]),
    request: &str,
    known: &Terms,
) -> Option<String> {
    let asked = numbers_of(request);
    let wrong: Vec<&str> = gone
        .iter()
        .copied()
        .filter(|it| asked.contains(it))
        .collect();
    let (gone, come) = match (wrong.as_slice(), gone, come) {
        ([wrong], _, [come]) => (*wrong, *come),
        ([], [gone], [come]) => (*gone, *come),
        _ => return None,
    };
    // Anything else that is new would be lost.
    let rest = Terms::of(&text.replace(come, "")).without(&Terms::of(line));
    let is_told = !wrong.is_empty();
    let is_said = |term: &str| known.has(term) || is_told && !is_telling(term);
    let is_all = rest.iter().all(is_said);
    let come = in_place_of(gone, come)?;
    replaced(line, gone, &come).filter(|_| is_all && (is_told || rest.is_empty()))
}

/// Returns the characters of a line that a request denies, and those in their place; for scripts without spaces.
fn exchanged_run(line: &str, text: &str, request: &str) -> Option<(String, String)> {
    let denied = denied_run(line, request).filter(|(_, new)| text.contains(new));
    let denied = denied.map(|(old, new)| (old.to_owned(), new.to_owned()));
    denied.or_else(|| contradicted_run(line, text, request))
}

/// Returns the number of a line that a text puts another one in the place of, and that one.
fn exchanged_number<'a>(line: &'a str, text: &'a str, request: &str) -> Option<(&'a str, &'a str)> {
    contrasted_number(line, text)
        .or_else(|| exchanged_beside(line, text))
        .or_else(|| put_off(line, text, request))
        .or_else(|| exchanged_under_label(line, text))
}

/// Returns the only number of a line beside that of its label which a text has, too, and the only new one of
/// the text: `16 crates for round 52, that should say 26`.
fn exchanged_under_label<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let (label, value) = label_and_value(line)?;
    let (label, old, said) = (numbers_of(label), numbers_of(value), numbers_of(text));
    let is_meant = !label.is_empty() && label.iter().all(|it| said.contains(it));
    let is_new = |it: &&str, gone: &&str| {
        !old.contains(it) && !label.contains(it) && form_of(it) == form_of(gone)
    };
    let (gone, come) = exchange_of(&old, &said, is_new).filter(|_| is_meant)?;
    Some((gone, come))
}

/// Returns the number of a line that a text negates, and the only new one of its form before it.
/// An example is `on the 20th, not the 13th`.
fn contrasted_number<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let (now, before) = text.rsplit_once(CONTRAST_MARKS)?;
    let old = numbers_of(line);
    let mut gone = numbers_of(before).into_iter().filter(|it| old.contains(it));
    let gone = gone.next().filter(|_| gone.next().is_none())?;
    let come = numbers_of(now).into_iter();
    // Days and hours have one digit or two: `on the 11th, not the 4th`.
    let is_small = |it: &str| it.len() <= 2 && it.bytes().all(|it| it.is_ascii_digit());
    let is_alike = |it: &str| form_of(it) == form_of(gone) || is_small(it) && is_small(gone);
    let mut come = come.filter(|it| !old.contains(it) && is_alike(it));
    let come = come.next().filter(|_| come.next().is_none())?;
    Some((gone, come))
}

/// Returns the number of a line that a request has right before a new one, with a short word between them,
/// and the new one: `put off from 5 to 12 September`. The text says the latter, and the line has no such
/// pair.
fn put_off<'a>(line: &'a str, text: &'a str, request: &str) -> Option<(&'a str, &'a str)> {
    let (old, said) = (numbers_of(line), numbers_of(text));
    let pairs = pairs_of_numbers(request);
    let found = pairs.iter().filter_map(|(gone, come)| {
        let gone = old.iter().find(|it| *it == gone)?;
        let come = said.iter().find(|it| *it == come && !old.contains(it))?;
        Some((*gone, *come))
    });
    let mut found = found.filter(|_| pairs_of_numbers(line).is_empty());
    found.next().filter(|_| found.next().is_none())
}

/// Returns the pairs of numbers of a text that only a short word separates.
fn pairs_of_numbers(text: &str) -> Vec<(&str, &str)> {
    let words: Vec<&str> = bare_words(text).collect();
    let is_number = |word: &str| numbers_of(word).as_slice() == [word];
    let pairs = words.windows(3).filter_map(|words| match words {
        [one, between, other] if is_number(one) && is_number(other) => {
            (!is_telling(between)).then_some((*one, *other))
        }
        _ => None,
    });
    pairs.collect()
}

/// Returns the number and the word behind it in a line, which a text has, too, and the only other ones of
/// that form in the text: `24 June` and `1 July` in `not on 24 June but on 1 July`. The text may leave out the
/// former if the line has no other date.
fn exchanged_dates(line: &str, text: &str) -> Option<(String, String)> {
    let (old, said) = (dates_of(line), dates_of(text));
    let is_new = |date: &(&str, &str), _: &_| !line.contains(date.0) && !line.contains(date.1);
    let only = || match (old.as_slice(), said.as_slice()) {
        ([gone], [come]) if is_new(come, gone) => Some((gone, come)),
        _ => None,
    };
    let (gone, come) = exchange_of(&old, &said, is_new).or_else(only)?;
    Some((
        format!("{} {}", gone.0, gone.1),
        format!("{} {}", come.0, come.1),
    ))
}

/// Returns the word of digits and letters that a line has and a text repeats, and the only other one of the
/// text with the same letters: `19h` and `18h30` in `à 18h30, pas à 19h`.
fn exchanged_hours(line: &str, text: &str) -> Option<(String, String)> {
    fn hours(text: &str) -> Vec<&str> {
        let is_hour = |word: &&str| {
            word.starts_with(|it: char| it.is_ascii_digit()) && word.contains(char::is_alphabetic)
        };
        bare_words(text).filter(is_hour).collect()
    }
    let letters = |word: &str| -> String { word.chars().filter(|it| it.is_alphabetic()).collect() };
    let (old, said) = (hours(line), hours(text));
    let is_new = |word: &&str, gone: &&str| !old.contains(word) && letters(word) == letters(gone);
    let (gone, come) = exchange_of(&old, &said, is_new)?;
    Some(((*gone).to_owned(), (*come).to_owned()))
}

/// Returns the whole numbers with a capitalized word behind them.
fn dates_of(text: &str) -> Vec<(&str, &str)> {
    let words: Vec<&str> = bare_words(text).collect();
    let dates = words.windows(2).filter_map(|pair| match pair {
        [number, word] => {
            let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
            let is_name = word.starts_with(char::is_uppercase);
            (is_number && is_name).then_some((*number, *word))
        }
        _ => None,
    });
    dates.collect()
}

/// Returns the number of a line that a text has behind a word, and the other one that the text has
/// behind that word: `room 12 and no longer room 7`. The line has only the first.
fn exchanged_beside<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let old = numbers_of(line);
    let words: Vec<&str> = bare_words(text).collect();
    let behind: Vec<(String, &str)> = words
        .windows(2)
        .filter_map(|pair| match pair {
            [word, number] if !has_digit(word) && numbers_of(number).as_slice() == [*number] => {
                Some((word.to_lowercase(), *number))
            }
            _ => None,
        })
        .collect();
    let is_in = |number: &str| old.contains(&number);
    let pairs = behind.iter().flat_map(|(word, gone)| {
        let same = behind.iter().filter(move |(other, _)| other == word);
        same.map(|(_, come)| (*gone, *come))
    });
    let mut pairs = pairs.filter(|(gone, come)| is_in(gone) && !is_in(come));
    pairs.next().filter(|_| pairs.next().is_none())
}

/// Returns the only name of a line and the only name of a text, which replaces it.
/// A name is a run of adjacent capitalized words of which the other text has none. The rest of the
/// text is about the matter of the line.
fn renamed<'a>(line: &'a str, text: &'a str, known: &Terms) -> Option<(&'a str, &'a str)> {
    let (of_line, of_text) = (Terms::of(line), Terms::of(text));
    let only = |names: Vec<&'a str>, other: &Terms| match names.as_slice() {
        [name] if Terms::of(name).shared(other) == 0 => Some(*name),
        _ => None,
    };
    let old = only(names_of(line), &of_text)?;
    let new = only(names_of(text), &of_line)?;
    let rest = of_text.without(&Terms::of(new));
    let mut telling = rest.iter().filter(|term| is_telling(term)).peekable();
    let is_same = rest.shared(&of_line) > 0 && telling.peek().is_some();
    let is_known = |term: &str| stands_in(term, &of_line) || known.has(term);
    // The matter may be named by another word.
    let unknown = telling.filter(|term| !is_known(term)).count();
    (is_same && unknown <= UNKNOWN_WORDS_MAX).then_some((old, new))
}

/// The maximum number of words about a name that neither the line nor the request has.
const UNKNOWN_WORDS_MAX: usize = 1;

/// The minimum number of words of a name that begins a sentence.
/// A single word there may be capitalized for its position alone.
const FIRST_NAME_WORDS_MIN: usize = 2;

/// Returns the runs of adjacent capitalized words, without a single word that begins a sentence.
fn names_of(text: &str) -> Vec<&str> {
    let is_name = |span: &&str| {
        let mut words = span.split(' ');
        words.all(|word| {
            word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic)
        })
    };
    let mut names: Vec<&str> = spans_of(text).into_iter().filter(is_name).collect();
    let all = names.clone();
    let is_part = |name: &str| {
        all.iter()
            .any(|it| it.len() > name.len() && it.contains(name))
    };
    let is_first = |name: &str| {
        let before = text.split(name).next().unwrap_or_default().trim_end();
        before.is_empty() || before.ends_with(['.', ':', '-'])
    };
    names.retain(|name| {
        let words = name.split(' ').count();
        !is_part(name) && (words >= FIRST_NAME_WORDS_MIN || !is_first(name))
    });
    names
}

/// Returns the number of a line that a text contradicts, and the new one.
/// Both stand in the text, the new one first, as in `8:40, not 8:25` or `40 euros instead of 36`.
fn contradicted<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let (old, said) = (numbers_of(line), numbers_of(text));
    let mut come = said.iter().copied().filter(|it| !old.contains(it));
    let new = come.next().filter(|_| come.next().is_none())?;
    // A number that the text does not repeat is the one that the new one replaces.
    let is_gone = |it: &&str| !said.contains(it) && form_of(it) == form_of(new);
    if old.iter().any(is_gone) {
        return None;
    }
    let behind = said.iter().skip_while(|it| **it != new);
    let mut wrong = behind.filter(|it| old.contains(it) && form_of(it) == form_of(new));
    let wrong = *wrong.next().filter(|_| wrong.next().is_none())?;
    Some((wrong, new))
}

/// Returns the telling word of a line that a text replaces, and its replacement.
/// The request names the replaced word, and the text does not.
/// An example is `in the shed now, not in the cellar`.
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
    // Words that the line and the text share show that the matter is the same.
    let is_same = of_line.shared(&said) > 0 && said.are_in(&of_line.clone().with(known));
    pair.filter(|_| old.next().is_none() && new.next().is_none() && is_same)
}

/// Returns the word of a line that a text repeats behind its replacement, and the replacement.
/// An example is `with Ida instead of Ben`, if the line says `with Ben`.
fn framed<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let old: Vec<&str> = bare_words(line).collect();
    let said: Vec<&str> = bare_words(text).collect();
    let is_same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    // Behind a label stands its value, in a sentence a verb.
    let label = label_of(line).and_then(|label| bare_words(label).last());
    let mut found = old.windows(2).filter_map(|pair| {
        let [before, word] = pair else {
            return None;
        };
        if label.is_some_and(|label| is_same(label, before)) {
            return None;
        }
        let gone_at = said.iter().rposition(|it| is_same(it, word))?;
        // Behind two articles stand two words: `The club meets at the weir instead of the mill`.
        let mut frames = said.get(..gone_at)?.windows(2);
        let at = frames.rposition(|other| {
            matches!(other, [own, new] if is_same(own, before)
                && !old.iter().any(|it| is_same(it, new)))
        })?;
        let (new, behind) = (said.get(at + 1)?, said.get(at + 2..)?);
        // The subject of the change stands farther away.
        if gone_at > at + 2 + DENIAL_WORDS_MAX {
            return None;
        }
        // A word that is only put between the two replaces nothing.
        let is_gone = !behind.first().is_some_and(|it| is_same(it, word));
        // Of two words that go, `the youth club`, one alone is not enough.
        let next = said.get(gone_at + 1).filter(|it| is_telling(it));
        let is_gone = is_gone && next.is_none_or(|it| place_of(&old, &[*word, *it]).is_none());
        (is_gone && is_telling(word) && is_telling(new)).then_some((*word, *new))
    });
    found.next().filter(|_| found.next().is_none())
}

/// Returns the place of the first run of words that are those of another one, in any case.
fn place_of(words: &[&str], run: &[&str]) -> Option<usize> {
    let is_same = |(one, other): (&&str, &&str)| one.to_lowercase() == other.to_lowercase();
    let mut runs = words.windows(run.len().max(1));
    runs.position(|words| words.iter().zip(run).all(is_same))
}

/// The maximum number of words between a replacement and the replaced word: `and no longer the`.
const DENIAL_WORDS_MAX: usize = 4;

/// The maximum number of words of a place or person behind a word such as `in`.
const FRAMED_WORDS_MAX: usize = 8;

/// Returns the words of a line that a text denies, and those that stand behind the same first word
/// before: `in the parish hall, not in the gym`.
fn reframed(line: &str, text: &str) -> Option<(String, String)> {
    let (now, denial) = text.rsplit_once(CONTRAST_MARKS)?;
    let gone: Vec<&str> = bare_words(denial).collect();
    let said: Vec<&str> = bare_words(now).collect();
    let own = Terms::of(line);
    // The longest end of the denial that stands in the line: `in the gym` before `the gym`.
    let ends = (0..gone.len().saturating_sub(1)).filter_map(|at| gone.get(at..));
    let mut there = ends.filter(|end| replaced(line, &end.join(" "), "").is_some());
    let old = there.next()?;
    let frame = old.first().filter(|word| !is_telling(word))?;
    // `in the back room of the bakery, not the youth club` takes the place of `in the youth club`.
    let words: Vec<&str> = bare_words(line).collect();
    let before = place_of(&words, old).and_then(|at| words.get(at.checked_sub(1)?));
    let before = before.filter(|word| !is_telling(word) && !has_digit(word));
    let behind = |frame: &str| {
        let is_frame = |word: &&str| word.to_lowercase() == frame.to_lowercase();
        let new = said.get(said.iter().rposition(is_frame)?..)?;
        (2..=FRAMED_WORDS_MAX).contains(&new.len()).then_some(new)
    };
    let longer = before.and_then(|word| Some(([&[*word], old].concat(), behind(word)?)));
    let (old, new) = match longer {
        Some((old, new)) if new.contains(frame) => (old, new),
        _ => (old.to_vec(), behind(frame)?),
    };
    let text = new.join(" ");
    let said = Terms::of(&text);
    let is_new = said.iter().any(|it| is_telling(it) && !own.has(it));
    is_new.then(|| (old.join(" "), text))
}

/// Returns the word of digits and letters of a line, and its replacement of the same form.
/// An example of such a word is `18h15`.
fn same_form_of<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let codes = |text: &'a str| {
        bare_words(text).filter(|word| {
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

/// Returns the word of a line that a text of one word spells differently, and that word.
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

/// The number of letters for each typing error by which a word may differ.
const CHARS_PER_SLIP: usize = 3;

#[cfg(test)]
mod tests {
    use super::super::sample_note as note;
    use super::computed;
    use crate::core::notes::Terms;

    /// A line, the text of its change, the request, and the line that is computed.
    const COMPUTED: &[(&str, &str, &str, &str)] = &[
        (
            "Deadline 30 April at 23:00, upload only.",
            "It closes on 9 May, at the same hour.",
            "It closes on 9 May rather than 30 April, at the same hour.",
            "Deadline 9 May at 23:00, upload only.",
        ),
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
            "Invoice 5533, Ms Quist sees to it.",
            "Mr Adebayo handles our invoice now.",
            "it is Mr Adebayo who sees to our invoice now",
            "Invoice 5533, Mr Adebayo sees to it.",
        ),
        (
            "Monday 26 January at 7:50, in the basement.",
            "MRI scan is on Thursday 22 January, not Monday the 26th.",
            "my mri is on thursday 22 january and no longer on monday the 26th",
            "Thursday 22 January at 7:50, in the basement.",
        ),
        (
            "Thursdays at 19:30, in the gym.",
            "Dance class is in the parish hall, not in the gym.",
            "Dance class isn't in the gym any more but in the parish hall",
            "Thursdays at 19:30, in the parish hall.",
        ),
        (
            "Monday 26 January, the hall opens at 7:50.",
            "It is on 22 January, not on the 26th; on Thursday the hall is shut.",
            "it is on 22 january and not on the 26th, on thursday the hall is shut",
            "Monday 22 January, the hall opens at 7:50.",
        ),
        (
            "13 May from 8:00, our stall is number 31.",
            "The fair is on May 20th, not May 13th.",
            "the fair is a week later, so 20 may and not the 13th",
            "20 May from 8:00, our stall is number 31.",
        ),
        (
            "Dinsdag 6 januari om 15:50, bij mevrouw Terpstra.",
            "De tandarts belde net, Sem moet niet op dinsdag maar op donderdag 8 januari komen.",
            "de tandarts belde net, sem moet niet op dinsdag maar op donderdag 8 januari komen",
            "Donderdag 8 januari om 15:50, bij mevrouw Terpstra.",
        ),
        (
            "Coach on 24 June, 8:20 from the bakery.",
            "The coach doesn't go on 24 June but on 1 July.",
            "the coach doesn't go on 24 June but on 1 July",
            "Coach on 1 July, 8:20 from the bakery.",
        ),
        (
            "Mondays at 8:45 from the sawmill.",
            "The Nordic walking sets off from the weir, not the sawmill.",
            "Nordic walking sets off from the weir now instead of the sawmill",
            "Mondays at 8:45 from the weir.",
        ),
        (
            "Mondays at 8:45 from the sawmill.",
            "The Nordic walking sets off from the weir now instead of the sawmill.",
            "Nordic walking sets off from the weir now instead of the sawmill",
            "Mondays at 8:45 from the weir.",
        ),
        (
            "13 May from 8:00, with Benno at stall 31.",
            "It is with Ida-Marie instead of Benno.",
            "at the fair it is with Ida-Marie instead of Benno",
            "13 May from 8:00, with Ida-Marie at stall 31.",
        ),
        (
            "Mardi à 18h, salle 7.",
            "L'aquarelle a lieu en salle 12, pas en salle 7.",
            "l'aquarelle a lieu en salle 12 maintenant et plus en salle 7",
            "Mardi à 18h, salle 12.",
        ),
        (
            "Thursday 12 March, 17:45 at Gessler's.",
            "the viewings are on Friday the 13th, not Thursday the 12th.",
            "the viewings now on friday 13 march and not on thursday the 12th",
            "Friday 13 March, 17:45 at Gessler's.",
        ),
        (
            "at 4 February at 18:30",
            "the next parents' evening is on the 11th, not the 4th of February",
            "the next parents' evening is on the 11th, not the 4th of February",
            "at 11 February at 18:30",
        ),
        (
            "Thursdays at 18:45 in the youth club.",
            "We meet in the back room of the bakery, not the youth club.",
            "we meet in the back room of the bakery now instead of the youth club",
            "Thursdays at 18:45 in the back room of the bakery.",
        ),
        (
            "Friday 5 September, 15:30 at the site in Mill Lane.",
            "Our topping-out ceremony is on 5 to 12 september.",
            "our topping-out ceremony has been put off from 5 to 12 september, still a friday",
            "Friday 12 September, 15:30 at the site in Mill Lane.",
        ),
        (
            "Friday 5 September, 15:30 at the site in Mill Lane.",
            "The ceremony is on 12 September, still a friday.",
            "our topping-out ceremony has been put off from 5 to 12 september, still a friday",
            "Friday 12 September, 15:30 at the site in Mill Lane.",
        ),
        (
            "Le mercredi à 19h, salle Colbert.",
            "l'atelier mosaïque c'est à 18h30 maintenant, pas à 19h.",
            "l'atelier mosaïque c'est à 18h30 maintenant, pas à 19h, tu peux rectifier ?",
            "Le mercredi à 18h30, salle Colbert.",
        ),
        (
            "毎週木曜日、四時半から。",
            "火曜日、木曜日ではない。",
            "木曜日じゃなくて火曜日になりました",
            "毎週火曜日、四時半から。",
        ),
        (
            "四人で予約した。",
            "四人じゃなくて五人で行くことになった。",
            "旅館、四人じゃなくて五人で行くことになったから、直して",
            "五人で予約した。",
        ),
        (
            "開始：七時",
            "開始は六時半、七時ではない。",
            "合唱の練習、開始が七時じゃなくて六時半になったので、直しておいて",
            "開始：六時半",
        ),
        (
            "Chip: 276 0981 0448 823",
            "Her chip number is 832.",
            "the chip number ends in 832, I've got 823 there",
            "Chip: 276 0981 0448 832",
        ),
        (
            "Teacher: Ms Roth",
            "Teacher: Mr Okoye",
            "we have a new teacher, Mr Okoye",
            "Teacher: Mr Okoye",
        ),
    ];

    #[test]
    fn what_a_text_does_not_deny_stays() {
        let line = "Every first Tuesday at 19:15, at Nadia's.";
        let text = "Our book club meets in the bakery, not at Nadia's.";
        assert_eq!(computed(line, text, text, &Terms::of("book club")), None);
    }

    #[test]
    fn one_of_two_words_is_not_replaced_alone() {
        let line = "Thursdays at 18:45 in the youth club.";
        let text = "We meet in the back room of the bakery now instead of the youth club.";
        assert_eq!(
            computed(line, text, text, &Terms::of("ukulele group")),
            None
        );
    }

    #[test]
    fn one_code_takes_the_place_of_the_other() {
        let line = "Wifi: Heron, password otter41.";
        for (text, expected) in [
            (
                "The password is pike-52.",
                Some("Wifi: Heron, password pike-52."),
            ),
            ("The password is otter41.", None),
            ("It was otter41, it is pike-52.", None),
        ] {
            let found = computed(line, text, text, &Terms::of(text));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_put_between_two_words_takes_no_place() {
        let text = "Ride 34 wasn't round the lake. We went round the pit.";
        assert_eq!(super::framed("Ride 34: round the lake, 52 km.", text), None);
    }

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
