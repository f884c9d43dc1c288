//! Checks whether the changes show what was asked for.
//! It compares the request with the texts before and after, in terms that hold in any language. The
//! statements of the model do not count.

use super::checkboxes::has_box;
use super::evidence::{clauses_of, is_contrasted, is_spelt, parts_of, text_of, title_words_in};
use super::lines::lines_of;
use super::plan::Step;
use super::spans::{form_of, has_digit, numbers_of};
use crate::core::notes::{Note, Terms, is_unspaced};

/// The number of letters from which a word is telling.
const TELLING_CHARS: usize = 4;

/// The share of a word by which its forms are recognised, in percent.
const STEM_SHARE: usize = 70;

/// The share of a request's telling words that a plan may leave out, in percent.
const MISSING_SHARE_MAX: usize = 45;

/// The minimum share of a planned text's words in the request or the notes, in percent.
const OWN_WORDS_SHARE_MIN: usize = 50;

/// The share of capitalized words up to which these are names, in percent.
const CAPITALS_SHARE_MAX: usize = 35;

/// The minimum share of an answer's telling words in its sources, in percent.
const ANSWER_SHARE_MIN: usize = 80;

/// The minimum share of an answer's words beyond the question in the lines, in percent.
const OWN_SHARE_MIN: usize = 60;

/// Pairs of double quotation marks.
const DOUBLE_QUOTES: [(char, char); 4] = [
    ('"', '"'),
    ('\u{201c}', '\u{201d}'),
    ('\u{201e}', '\u{201c}'),
    ('\u{300c}', '\u{300d}'),
];

/// Pairs of single quotation marks, some of which are also apostrophes.
const SINGLE_QUOTES: [(char, char); 2] = [('\'', '\''), ('\u{2018}', '\u{2019}')];

/// The changes that were made for a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownTexts {
    /// The titles and texts that are new.
    pub created: Vec<String>,
    /// The texts before and after a change.
    pub rewritten: Vec<(String, String)>,
    /// The titles and texts that are gone.
    pub deleted: Vec<String>,
    /// The titles of the notes that were changed, or that were meant.
    pub titles: Vec<String>,
}

/// Returns the facts of a request that the changes do not show, in the order of the request.
/// Facts are numbers, quoted texts, addresses and names. A fact is shown if it stands in a new text
/// or in the title of a note that was meant. It is also shown if it stood before and is gone, as in
/// a correction.
pub fn not_shown(request: &str, shown: &ShownTexts) -> Vec<String> {
    let facts = facts_of(request).into_iter();
    let is_missing = |fact: &String| !is_shown(fact, shown) || still_stands(fact, request, shown);
    facts.filter(is_missing).collect()
}

/// Returns whether a number or code that a request corrects still stands beside the new one.
/// A line that had it has both now.
pub fn still_stands(fact: &str, request: &str, shown: &ShownTexts) -> bool {
    let facts = facts_of(request);
    let numbers = numbers_of(request).into_iter();
    let others = numbers.chain(facts.iter().map(String::as_str));
    let others = others.filter(|it| *it != fact && has_digit(it) && form_of(it) == form_of(fact));
    let others: Vec<&str> = others.collect();
    let has_both =
        |line: &str| contains(line, fact) && others.iter().any(|other| contains(line, other));
    // A fact that is no longer true, and stands in as many lines as before. Another one takes its place.
    let is_wrong = has_digit(fact) && !others.is_empty() && is_contrasted(fact, request);
    let count = |text: &str| {
        let lines = lines_of(text).into_iter();
        lines.filter(|line| contains(line.text, fact)).count()
    };
    shown.rewritten.iter().any(|(before, after)| {
        let was_there = before.lines().any(has_both);
        let is_joined = !was_there && after.lines().any(has_both);
        contains(before, fact) && (is_joined || is_wrong && count(after) >= count(before))
    })
}

/// Returns whether the changes show a fact; see [`not_shown`].
pub fn is_shown(fact: &str, shown: &ShownTexts) -> bool {
    let has = |text: &String| contains(text, fact);
    let is_gone =
        |(before, after): &(String, String)| contains(before, fact) && !contains(after, fact);
    shown.created.iter().any(has)
        || shown
            .rewritten
            .iter()
            .any(|(_, after)| contains(after, fact))
        || shown.rewritten.iter().any(is_gone)
        || shown.deleted.iter().any(has)
        || shown.titles.iter().any(has)
}

/// Returns the facts of a request that a plan leaves out.
/// They stand in no line of it, and in no title or text of a note that may be meant. A name beside an
/// order for an overview only says why it is made.
pub fn left_out_facts(request: &str, plan: &[Step], notes: &[&Note]) -> Vec<String> {
    let lines: Vec<String> = plan.iter().map(Step::to_string).collect();
    let stands = |fact: &String| {
        lines.iter().any(|line| contains(line, fact))
            || notes
                .iter()
                .any(|note| contains(&note.title, fact) || contains(&note.value, fact))
    };
    let gathers = |step: &Step| matches!(step, Step::Overview { .. });
    let is_overview = !plan.is_empty() && plan.iter().all(gathers);
    let facts = facts_of(request).into_iter();
    let facts = facts.filter(|fact| !is_overview || has_digit(fact));
    facts.filter(|fact| !stands(fact)).collect()
}

/// Returns the parts of a request that a plan does not cover.
/// Empty if none of them has a word of a note's title.
pub fn uncovered_parts<'a>(request: &'a str, plan: &[Step], notes: &[&Note]) -> Vec<&'a str> {
    // A person who asks something may first say why.
    // So may a person who has something ticked or unticked.
    let ticks = |step: &Step| matches!(step, Step::Change { text, .. } if has_box(text));
    if plan.iter().any(Step::is_lookup) || plan.iter().all(ticks) {
        return Vec::new();
    }
    // The reason for an edit repeats what the note says.
    let edits = |note: &&&Note| plan.iter().any(|step| step.note() == Some(&note.title));
    let texts = notes.iter().filter(edits).map(|note| text_of(note));
    let lines: Vec<String> = plan.iter().map(Step::to_string).chain(texts).collect();
    let said = Terms::of(&lines.join("\n"));
    let is_unsaid = |part: &&str| {
        let own = Terms::of(part);
        let mut telling = own.iter().filter(|term| is_telling(term)).peekable();
        telling.peek().is_some()
            && !telling.any(|term| is_spelt(term, &said) || stands_in(term, &said))
    };
    let speaks_of_note = |part: &&str| {
        let own = Terms::of(part);
        notes.iter().any(|note| title_words_in(note, &own) > 0)
    };
    let parts = parts_of(request);
    let unsaid: Vec<&str> = parts.iter().copied().filter(is_unsaid).collect();
    // Scripts without spaces have no words to compare by.
    let is_known = !request.contains(is_unspaced) && unsaid.iter().any(speaks_of_note);
    if is_known && unsaid.len() < parts.len() {
        unsaid
    } else {
        Vec::new()
    }
}

/// Returns the telling words of a request that a plan of new texts leaves out.
/// Empty unless they are too many.
/// `fillers` are words that say how something is asked for, not what.
pub fn missing_words(
    request: &str,
    plan: &[Step],
    titles: &[&Note],
    fillers: &Terms,
) -> Vec<String> {
    let is_new = |step: &Step| matches!(step, Step::New { .. } | Step::Add { .. } | Step::Nothing);
    // Scripts without spaces have no words to count.
    if !plan.iter().all(is_new) || request.contains(is_unspaced) {
        return Vec::new();
    }
    let lines = plan.iter().map(Step::to_string);
    // If all is new, the titles of notes do not count.
    let is_added = plan.iter().any(|step| matches!(step, Step::Add { .. }));
    let titles = titles
        .iter()
        .filter(|_| is_added)
        .map(|note| note.title.clone());
    let said = Terms::of(&lines.chain(titles).collect::<Vec<_>>().join("\n"));
    let asked = Terms::of(request);
    let is_telling = |term: &&str| {
        let is_long = !term.is_ascii() || term.len() >= TELLING_CHARS;
        is_long && !fillers.has(term)
    };
    if plan.iter().all(|step| matches!(step, Step::Add { .. })) {
        let behind = words_behind(request, &said);
        let own = Terms::of(behind);
        let telling = own.iter().filter(|term| self::is_telling(term));
        let new: Vec<&str> = telling.filter(|term| !is_spelt(term, &said)).collect();
        if new.len() >= OUTER_WORDS_MIN && !new.iter().all(|term| fillers.has(term)) {
            return vec![behind.trim().to_owned()];
        }
        return uncovered_clauses(request, &said, |term| is_telling(&term));
    }
    let telling: Vec<&str> = asked.iter().filter(is_telling).collect();
    let missing = telling.iter().filter(|term| !is_spelt(term, &said));
    let missing: Vec<String> = missing.map(|&term| term.to_owned()).collect();
    if missing.len() * 100 > telling.len() * MISSING_SHARE_MAX {
        missing
    } else {
        Vec::new()
    }
}

/// The number of telling words of an outer part of an enumeration, of which a plan says none, from which
/// they are something to add, too.
const OUTER_WORDS_MIN: usize = 3;

/// Returns the parts of an enumeration that are not covered: the inner ones, and what outer ones say beside
/// how it is asked for.
fn uncovered_clauses(
    request: &str,
    planned: &Terms,
    is_telling: impl Fn(&str) -> bool,
) -> Vec<String> {
    let is_unsaid = |part: &&str| {
        let terms = Terms::of(part);
        !terms.is_empty() && !terms.iter().any(|term| is_spelt(term, planned))
    };
    let parts: Vec<&str> = clauses_of(request).collect();
    // The first and the last part say how it is asked for.
    let is_inner = |at: usize| at > 0 && at + 1 < parts.len();
    let parts = parts.iter().copied().enumerate();
    let says_more = |part: &&str| {
        let terms = Terms::of(part);
        let telling: Vec<&str> = terms.iter().filter(|term| is_telling(term)).collect();
        let unsaid = telling
            .iter()
            .filter(|term| !is_spelt(term, planned))
            .count();
        unsaid >= OUTER_WORDS_MIN && unsaid * 2 > telling.len()
    };
    let unsaid = parts.filter(|(at, part)| {
        if is_inner(*at) {
            is_unsaid(part)
        } else {
            says_more(part)
        }
    });
    unsaid.map(|(_, part)| part.to_owned()).collect()
}

/// Returns what stands behind the last word of a request that a plan has.
fn words_behind<'a>(request: &'a str, planned: &Terms) -> &'a str {
    let mut behind = 0;
    let mut at = 0;
    for word in request.split_inclusive(char::is_whitespace) {
        at += word.len();
        if Terms::of(word)
            .iter()
            .any(|term| is_telling(term) && is_spelt(term, planned))
        {
            behind = at;
        }
    }
    request.get(behind..).unwrap_or_default()
}

/// Returns the first text of a plan that hardly has a word of the request or of the notes.
/// It is a translation, or made up. Empty if there is none.
/// A new note has words of the request alone, unless the plan takes them out of another note.
pub fn made_up_text(request: &str, plan: &[Step], notes: &[&Note]) -> String {
    let known = notes.iter().map(|note| text_of(note));
    let known = known.chain([request.to_owned()]).collect::<Vec<_>>();
    let known = Terms::of(&known.join("\n"));
    let asked = Terms::of(request);
    let takes = |step: &Step| matches!(step, Step::Remove { .. });
    let is_dictated = !request.contains(is_unspaced) && !plan.iter().any(takes);
    let is_foreign = |step: &&Step| {
        let is_new = is_dictated && matches!(step, Step::New { .. });
        let known = if is_new { &asked } else { &known };
        let writes = step.writes() || takes(step);
        let said = Terms::of(step.clause());
        let found = said.iter().filter(|term| stands_in(term, known)).count();
        writes && found * 100 < said.len() * OWN_WORDS_SHARE_MIN
    };
    let found = plan.iter().find(is_foreign);
    found.map_or_else(String::new, |step| step.clause().to_owned())
}

/// Returns whether an answer says only what its lines say.
/// Each number stands in the lines or in the question, and so do nearly all words.
pub fn is_answer_from(answer: &str, lines: &[String], question: &str) -> bool {
    stands_with(answer, lines, question, ANSWER_SHARE_MIN)
}

/// Like [`is_answer_from`], but for an answer that is still to be confirmed.
/// It may have more words of its own.
pub fn may_be_from(answer: &str, lines: &[String], question: &str) -> bool {
    stands_with(answer, lines, question, OWN_SHARE_MIN)
}

/// Returns whether each number and enough words of an answer stand in lines or question.
/// Most of the words stand in the lines: words of the question alone claim what nobody wrote.
fn stands_with(answer: &str, lines: &[String], question: &str, share_min: usize) -> bool {
    let source = [lines.join("\n"), question.to_owned()].join("\n");
    if !numbers_of(answer)
        .iter()
        .all(|number| contains(&source, number))
    {
        return false;
    }
    let source = Terms::of(&source);
    let own = Terms::of(&lines.join("\n"));
    let words = Terms::of(answer);
    let telling = |term: &&str| !term.is_ascii() || term.chars().count() >= TELLING_CHARS;
    let telling: Vec<&str> = words.iter().filter(telling).collect();
    let share = |terms: &[&str], text: &Terms| {
        let found = terms.iter().filter(|term| stands_in(term, text)).count();
        (found * 100, terms.len())
    };
    let (found, count) = share(&telling, &source);
    if words.is_empty() || found < count * share_min {
        return false;
    }
    // Scripts without spaces have no words to count.
    if answer.contains(is_unspaced) {
        return true;
    }
    // The words of the question alone claim what nobody wrote.
    let asked = Terms::of(question);
    let new: Vec<&str> = words.iter().filter(|term| !asked.has(term)).collect();
    let is_digit = |it: char| it.is_ascii_digit();
    let says_something = |term: &&str| is_telling(term) || term.contains(is_digit);
    let telling: Vec<&str> = new
        .iter()
        .copied()
        .filter(|it| says_something(it))
        .collect();
    let new = if telling.is_empty() { new } else { telling };
    let (found, count) = share(&new, &own);
    found > 0 && found >= count * OWN_SHARE_MIN
}

/// Returns whether a word is telling.
/// Articles and other short words are not, but codes such as `C14` are.
pub fn is_telling(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|it| is(&it));
    let is_code = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    !word.is_ascii() || word.len() >= TELLING_CHARS || is_code
}

/// Returns whether a text has a term or another form of it, which begins in the same way.
pub fn stands_in(term: &str, text: &Terms) -> bool {
    let stem: String = term
        .chars()
        .take((term.chars().count() * STEM_SHARE / 100).max(TELLING_CHARS))
        .collect();
    text.has(term) || text.iter().any(|other| other.starts_with(&stem))
}

/// Returns the facts that the changes for a request must show, each once.
/// They are quoted texts, addresses, numbers and names.
pub fn facts_of(text: &str) -> Vec<String> {
    let mut facts = quoted(text);
    let is_address = |word: &&str| word.contains("://") || word.contains('@') || is_code(word);
    let words = text.split_whitespace().filter(is_address);
    let bare = |word: &str| {
        word.trim_matches(|it: char| !it.is_alphanumeric() && it != '/')
            .to_owned()
    };
    facts.extend(words.map(bare));
    // A number in a quotation is shown with it.
    let is_new = |number: &&str| !facts.iter().any(|fact| contains(fact, number));
    let new: Vec<&str> = numbers_of(text).into_iter().filter(is_new).collect();
    facts.extend(new.into_iter().map(str::to_owned));
    let is_in_fact = |name: &String| facts.iter().any(|fact| contains(fact, name));
    let names: Vec<String> = names_in(text)
        .into_iter()
        .filter(|name| !is_in_fact(name))
        .collect();
    facts.extend(names);
    let mut each: Vec<String> = Vec::new();
    facts.retain(|fact| {
        let is_new = !fact.is_empty() && !each.contains(fact);
        each.push(fact.clone());
        is_new
    });
    facts
}

/// The minimum length of a code of letters and digits, in characters.
const CODE_CHARS_MIN: usize = 4;

/// Returns whether a word belongs to no language.
/// It is an option, a path, a name with an underscore, the name of a file, or made of letters and
/// digits.
fn is_code(word: &str) -> bool {
    let word =
        word.trim_matches(|it: char| matches!(it, ',' | ';' | '!' | '?' | '(' | ')' | '.' | ':'));
    let begins = |mark: char| {
        let rest = word.trim_start_matches(mark);
        rest.len() < word.len() && rest.starts_with(|it: char| it.is_ascii_alphabetic())
    };
    let is_file = word.rsplit_once('.').is_some_and(|(name, ending)| {
        let is_name =
            |part: &str| part.len() > 1 && part.bytes().all(|it| it.is_ascii_alphanumeric());
        let is_word = name.starts_with(|it: char| it.is_ascii_alphabetic());
        is_word
            && is_name(name)
            && is_name(ending)
            && ending.bytes().any(|it| it.is_ascii_alphabetic())
    });
    let is_mixed = word.starts_with(|it: char| it.is_ascii_alphabetic())
        && word.len() >= CODE_CHARS_MIN
        && word.bytes().any(|it| it.is_ascii_digit());
    let is_path = begins('-') || begins('/');
    word.is_ascii() && (is_path || is_mixed || is_file || word.contains('_'))
}

/// Returns the names in a text: words that begin with a capital inside a sentence.
/// A text in which many words do, as in German, shows no names by that.
fn names_in(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let begins = |word: &str| word.chars().find(|it| it.is_alphanumeric());
    let is_capital = |word: &str| begins(word).is_some_and(char::is_uppercase);
    let capitals = words.iter().filter(|word| is_capital(word)).count();
    if capitals * 100 > words.len() * CAPITALS_SHARE_MAX {
        return Vec::new();
    }
    let pairs = words.iter().zip(words.iter().skip(1));
    let is_inside =
        |before: &str| before.ends_with(|it: char| it.is_alphanumeric() || matches!(it, ',' | ';'));
    let names = pairs
        .filter(|(before, word)| is_inside(before) && is_capital(word))
        .map(|(_, word)| bare_name(word));
    names.filter(|name| name.chars().count() > 1).collect()
}

/// The minimum length of a first word that may be a name, in letters.
const FIRST_NAME_CHARS_MIN: usize = 3;

/// Returns the first word of a text, without a possessive ending, if it is written like a name.
pub fn first_name(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    let end = word
        .find(['\'', '\u{2019}', ',', ':'])
        .unwrap_or(word.len());
    let name = word.get(..end)?;
    let mut letters = name.chars();
    let is_name = letters.next().is_some_and(char::is_uppercase)
        && letters.all(|it| it.is_lowercase() && !is_unspaced(it));
    (is_name && name.chars().count() >= FIRST_NAME_CHARS_MIN).then_some(name)
}

/// Returns a name without punctuation and without a possessive ending.
fn bare_name(word: &str) -> String {
    let word = word.trim_matches(|it: char| !it.is_alphanumeric());
    let is_joined = |it: char| !it.is_alphanumeric() && it != '-';
    let end = word.find(is_joined).unwrap_or(word.len());
    word.get(..end).unwrap_or(word).to_owned()
}

/// Returns whether a title stands between quotation marks in a text.
pub(super) fn is_quoted(title: &str, text: &str) -> bool {
    let mut marks = DOUBLE_QUOTES.iter().chain(&SINGLE_QUOTES);
    marks.any(|(open, close)| text.contains(&format!("{open}{title}{close}")))
}

/// Returns the texts between double quotation marks.
/// Single ones may be apostrophes.
pub(super) fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in DOUBLE_QUOTES {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(open)
            && let Some((inner, after)) = behind.split_once(close)
        {
            if !inner.trim().is_empty() {
                found.push(inner.trim().to_owned());
            }
            rest = after;
        }
    }
    found
}

/// Returns whether a text has a fact: numbers as whole numbers, everything else in any case.
pub fn contains(text: &str, fact: &str) -> bool {
    if fact.starts_with(|it: char| it.is_ascii_digit()) {
        return numbers_of(text).contains(&fact);
    }
    // A name may stand in another form: `Thursdays` and `Thursday`.
    let is_name = fact.chars().all(char::is_alphanumeric);
    let in_form = || Terms::of(fact).are_in(&Terms::of(text));
    begins_word(&text.to_lowercase(), &fact.to_lowercase()) || is_name && in_form()
}

/// Returns whether a fact stands in a text, and not inside a word: `Ida` is not in `Friday`.
/// Scripts without spaces have no words.
fn begins_word(text: &str, fact: &str) -> bool {
    let is_apart = |at: usize| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        before.is_none_or(|it| !it.is_alphanumeric() || is_unspaced(it))
    };
    let is_word = fact.starts_with(char::is_alphanumeric) && !fact.starts_with(is_unspaced);
    text.match_indices(fact)
        .any(|(at, _)| !is_word || is_apart(at))
}

#[cfg(test)]
mod tests {
    use super::{ShownTexts, contains, is_answer_from, not_shown};

    fn rewritten(before: &str, after: &str) -> ShownTexts {
        ShownTexts {
            rewritten: vec![(before.to_owned(), after.to_owned())],
            ..ShownTexts::default()
        }
    }

    #[test]
    fn a_name_does_not_show_inside_another_word() {
        for (text, fact, expected) in [
            ("We meet on Friday.", "Ida", false),
            ("Ida's tent, we meet on Friday.", "Ida", true),
            ("Zelt von Idas Bruder", "Ida", true),
            ("(Ida)", "Ida", true),
            (
                "\u{660e}\u{65e5}\u{306f}\u{6771}\u{4eac}",
                "\u{6771}\u{4eac}",
                true,
            ),
            ("see www.example.org/tent", "example.org", true),
        ] {
            assert_eq!(contains(text, fact), expected, "{text} {fact}");
        }
    }

    #[test]
    fn what_a_request_says_must_stand_in_what_was_done() {
        let bus = rewritten("Line 9 leaves at 8:25.", "Line 9 leaves at 8:40.");
        let none: [&str; 0] = [];
        assert_eq!(not_shown("Line 9 leaves at 8:40, not at 8:25.", &bus), none);
        assert_eq!(not_shown("Linie 9 fährt um 8:45.", &bus), ["8:45"]);
        assert_eq!(not_shown("9 at 8", &bus), ["8"]);
        let same = rewritten("Line 9 leaves at 8:25.", "Line 9 leaves at 8:25.");
        assert_eq!(
            not_shown("It leaves at 8:40 instead of 8:25", &same),
            ["8:40"]
        );
        let both = rewritten(
            "The fee is 285 kroner.",
            "We paid 258 kroner, the fee is 285.",
        );
        assert_eq!(not_shown("it is 258 kroner, not 285", &both), ["285"]);
        let added = rewritten("The fee is 285.", "The fee is 285.\nIn May it was 258.");
        let course = rewritten(
            "From 9:00 to 15:30. Bring a blanket.",
            "From 9:00 to 15:30. Bring a blanket. it goes on until 16:30",
        );
        let request = "the course goes on until 16:30, not 15:30 like it says there";
        assert_eq!(not_shown(request, &course), ["15:30"]);
        let pool = rewritten("Mon: 9\nTue: 9", "Mon: 9\nTue: 10");
        assert_eq!(not_shown("on tuesdays it is at 10, not 9", &pool), none);
        let room = rewritten("Room C14 till ten.", "Room C14 till ten. C17");
        assert_eq!(not_shown("we are in C17 now, not in C14", &room), ["C14"]);
        assert_eq!(not_shown("beside the 285, in May it was 258", &added), none);
        let yoga = rewritten("Every Tuesday.", "Every Thursday.");
        assert_eq!(not_shown("yoga is on Thursdays", &yoga), none);
        let created = ShownTexts {
            created: vec![
                "Toner\nThe printer needs \"TN 2420\"; see https://kite.example/a.".to_owned(),
            ],
            ..ShownTexts::default()
        };
        assert_eq!(
            not_shown(
                "Save \u{201c}tn 2420\u{201d} from https://kite.example/a, please",
                &created
            ),
            none
        );
        assert_eq!(
            not_shown("Mail ivo@kite.example 3 times", &created),
            ["ivo@kite.example", "3"]
        );
        let deleted = ShownTexts {
            deleted: vec!["Trip 2024".to_owned()],
            ..ShownTexts::default()
        };
        assert_eq!(not_shown("Delete the note Trip 2024", &deleted), none);
        assert_eq!(not_shown("Thanks for all", &ShownTexts::default()), none);
    }

    #[test]
    fn an_answer_says_nothing_but_what_its_lines_say() {
        let lines = [
            "Line 9 leaves at 8:25.".to_owned(),
            "The printer needs toner.".to_owned(),
        ];
        for (answer, question, is_from) in [
            ("Line 9 leaves at 8:25.", "When does line 9 leave?", true),
            ("At 8:25.", "When does line 9 leave?", true),
            ("Line 9 leaves at 8:52.", "When does line 9 leave?", false),
            (
                "The capital of France is Paris.",
                "What is the capital of France?",
                false,
            ),
            (
                "Paris is beautiful during spring.",
                "What is the capital?",
                false,
            ),
            ("", "When?", false),
        ] {
            assert_eq!(
                is_answer_from(answer, &lines, question),
                is_from,
                "{answer}"
            );
        }
    }
}
