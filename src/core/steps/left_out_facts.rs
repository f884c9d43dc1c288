//! Facts that a plan of one new text leaves out, in the words of the request.
//! A small model that reads what is missing repeats that list.

use super::check::{contains, is_telling};
use super::evidence::{clauses_of, label_of};
use super::lines::lines_of;
use super::plan::Step;
use super::plan_correction::with_capital;
use super::spans::{bare_words, has_digit, numbers_of};
use super::target::Target;
use crate::core::notes::{Terms, is_hiragana, is_unspaced, phrase_stands_in};

/// The maximum number of facts that are added; a plan that lacks more has missed the request.
const FACTS_MAX: usize = 2;

/// The number of telling words inside a text from which too much is left out.
const LEFT_OUT_MIN: usize = 2;

/// The maximum number of words before a text among which its missing facts stand.
const LEAD_WORDS_MAX: usize = 5;

/// The number of labels from which each item of a list has one.
const LABELS_MIN: usize = 2;

/// The maximum number of words between an amount and its item, as in `2 tins of sardines`.
const UNIT_WORDS_MAX: usize = 2;

/// Returns a plan of one new text or one addition with the facts that it lacks.
/// A name becomes the label in a list of names; else the parts of the request with the facts are
/// added. `None` if that does not add them all.
pub fn completed(steps: &[Step], missing: &[String], target: &Target<'_>) -> Option<Step> {
    let ([step], 1..=FACTS_MAX) = (steps, missing.len()) else {
        return None;
    };
    let with_all = |text: &str| {
        let text = labelled(step, text, missing, target)
            .or_else(|| {
                let [number] = missing else {
                    return None;
                };
                with_amount(step, number, target.request)
            })
            .or_else(|| with_lead(text, missing, target.request))
            .or_else(|| with_parts(step, missing, target))?;
        let is_all = missing.iter().all(|fact| contains(&text, fact));
        is_all.then_some(text)
    };
    if let Step::Add { note, text } = step {
        let note = note.clone();
        with_all(text).map(|text| Step::Add { note, text })
    } else if let Step::New { title, text } = step {
        let title = title.clone();
        with_all(text).map(|text| Step::New { title, text })
    } else {
        None
    }
}

/// Returns a plan of one new note with the words of the request that its text leaves out inside.
/// A small model shortens what is dictated. The words before and behind the text may say how it is
/// asked for. `None` if little is left out, or if the text has other words or another order.
pub fn unabridged(steps: &[Step], request: &str) -> Option<Step> {
    let [Step::New { title, text }] = steps else {
        return None;
    };
    let asked: Vec<&str> = request.split_whitespace().collect();
    let bare: Vec<String> = bare_words(request).map(str::to_lowercase).collect();
    let said = bare_words(text).map(str::to_lowercase);
    let said = said.filter(|word| !word.is_empty());
    let mut places = Vec::new();
    let mut next = 0;
    for word in said {
        let rest = bare.get(next..)?;
        let at = next + rest.iter().position(|other| *other == word)?;
        places.push(at);
        next = at + 1;
    }
    // The same words may stand before what is dictated, too: `the dentist rang, note that the`.
    let mut end = bare.len();
    for place in places.iter_mut().rev() {
        let word = bare.get(*place)?;
        *place = bare.get(..end)?.iter().rposition(|other| other == word)?;
        end = *place;
    }
    let (first, last) = (*places.first()?, *places.last()?);
    // `What I want to keep is this:` is an order, although it stands inside, and so is `Can you note it?`
    let left_out = (first..last).filter(|at| !places.contains(at));
    let heads = |at: usize| asked.get(at).is_some_and(|word| word.ends_with([':', '?']));
    if left_out.clone().any(heads) {
        return None;
    }
    let left_out: Vec<&String> = left_out.filter_map(|at| bare.get(at)).collect();
    let has_digit = left_out.iter().any(|word| has_digit(word));
    let telling = left_out.iter().filter(|word| is_telling(word)).count();
    // A number that is left out may be one that the request takes back.
    if telling < LEFT_OUT_MIN || has_digit || request.contains('\n') {
        return None;
    }
    let whole = asked.get(first..=last)?.join(" ");
    Some(Step::New {
        title: title.clone(),
        text: with_capital(whole.trim_end_matches([',', ';'])),
    })
}

/// Returns the text with a name as its label, if it is added to a list whose items have labels.
fn labelled(step: &Step, text: &str, missing: &[String], target: &Target<'_>) -> Option<String> {
    let [name] = missing else {
        return None;
    };
    let note = target.titled(step.note()?)?;
    let lines = lines_of(&note.value);
    let is_list = lines.len() >= LABELS_MIN && lines.iter().all(|it| label_of(it.text).is_some());
    let is_name = name.starts_with(char::is_uppercase);
    (is_list && is_name && label_of(text).is_none()).then(|| format!("{name}: {text}"))
}

/// Returns a plan with the numbers that it leaves out in front of the items of its additions.
/// `amount_words` are numbers as words, in lower case.
pub fn with_amounts(mut steps: Vec<Step>, request: &str, amount_words: &[String]) -> Vec<Step> {
    let is_amount = |word: &&str| amount_words.contains(&word.to_lowercase());
    let words = request.split_whitespace().filter(is_amount);
    for number in numbers_of(request).into_iter().chain(words) {
        if steps.iter().any(|step| contains(step.clause(), number)) {
            continue;
        }
        let mut found = steps.iter_mut().filter_map(|step| {
            let with = with_amount(step, number, request)?;
            Some((step, with))
        });
        if let (Some((Step::Add { text, .. }, with)), None) = (found.next(), found.next()) {
            *text = with;
        }
    }
    for step in &mut steps {
        if let Step::Add { text, .. } = step {
            *text = with_unspaced_amounts(text, request, amount_words);
        }
    }
    steps
}

/// Returns a list of items with the amount that the request has right behind one of them, in a script
/// without spaces: `紙コップ二十個` for `紙コップ`.
fn with_unspaced_amounts(text: &str, request: &str, amount_words: &[String]) -> String {
    let is_amount =
        |it: char| it.is_numeric() || amount_words.iter().any(|word| word.chars().eq([it]));
    let mut completed = text.to_owned();
    let items = text.split(['\n', ',', '\u{3001}']).map(str::trim);
    for item in items.filter(|item| item.contains(is_unspaced)) {
        let behind = request.split_once(item).map_or("", |(_, behind)| behind);
        let rest = behind.trim_start_matches(is_amount);
        let number = behind.strip_suffix(rest).unwrap_or_default();
        let counter = rest.chars().next();
        let counter = counter.filter(|it| is_unspaced(*it) && !is_hiragana(*it));
        if let Some(counter) = counter.filter(|_| !number.is_empty()) {
            completed = completed.replacen(item, &format!("{item}{number}{counter}"), 1);
        }
    }
    completed
}

/// Returns an addition with the missing number in front of one of its items, as the request has it:
/// `2 tins of sardines` for `sardines`.
fn with_amount(step: &Step, number: &str, request: &str) -> Option<String> {
    let Step::Add { text, .. } = step else {
        return None;
    };
    let asked: Vec<&str> = request.split_whitespace().collect();
    let at = asked.iter().position(|word| *word == number)?;
    let behind = asked.get(at + 1..)?;
    let mut items = text.split(['\n', ',']).map(str::trim);
    items.find_map(|item| {
        let words: Vec<&str> = item.split_whitespace().collect();
        let own = Terms::of(item);
        if own.is_empty() {
            return None;
        }
        let (unit, place) = (0..=UNIT_WORDS_MAX).find_map(|before| {
            let (unit, rest) = behind.split_at_checked(before)?;
            let place = rest.get(..words.len())?;
            (Terms::of(&place.join(" ")) == own).then_some((unit, place))
        })?;
        if unit.iter().any(|word| word.ends_with([',', ';', '.'])) {
            return None;
        }
        let whole = [&[number], unit, place].concat().join(" ");
        let whole = whole.trim_end_matches([',', ';', '.']);
        Some(text.replacen(item, whole, 1))
    })
}

/// Returns a text that is a piece of a sentence, with the missing facts that stand right before it:
/// `By 5 May Ida has to have the key` for `Ida has to have the key`.
pub fn with_lead(text: &str, missing: &[String], request: &str) -> Option<String> {
    let asked: Vec<&str> = request.split_whitespace().collect();
    let bare: Vec<String> = bare_words(request).map(str::to_lowercase).collect();
    let said: Vec<String> = bare_words(text).map(str::to_lowercase).collect();
    let at = bare.windows(said.len().max(1)).position(|it| it == said)?;
    let lead = asked.get(at.saturating_sub(LEAD_WORDS_MAX)..at)?;
    let ends = |word: &&str| word.ends_with(['.', '!', '?', ':', ';', ',']);
    let start = lead.iter().rposition(ends).map_or(0, |it| it + 1);
    let lead = lead.get(start..)?;
    let has_fact = |word: &&str| missing.iter().any(|fact| contains(word, fact));
    let first = lead.iter().position(has_fact)?;
    // The word before a date or an amount belongs to it, as in `by 5 May`.
    let is_number = lead.get(first).is_some_and(|word| has_digit(word));
    let lead = lead.get(first.saturating_sub(usize::from(is_number))..)?;
    let lead = lead.join(" ");
    let behind = asked.get(at..at + said.len())?.join(" ");
    let is_mark = |it: char| matches!(it, ',' | ';');
    Some(with_capital(
        format!("{lead} {behind}").trim_end_matches(is_mark),
    ))
}

/// Returns the text with the parts of the request that have the missing facts.
/// A part that has all of an addition replaces it; for a new note, the part may say how it is asked
/// for.
fn with_parts(step: &Step, missing: &[String], target: &Target<'_>) -> Option<String> {
    let is_addition = matches!(step, Step::Add { .. });
    let mut text = step.clause().trim().to_owned();
    let parts: Vec<&str> = clauses_of(target.request).collect();
    for fact in missing {
        if contains(&text, fact) {
            continue;
        }
        let part = parts.iter().find(|part| contains(part, fact))?;
        let part = part.trim_end_matches(['.', '!']);
        // A part that names its note says where it goes, not what.
        if target
            .notes
            .iter()
            .any(|note| phrase_stands_in(&note.title, part))
        {
            return None;
        }
        let (own, said) = (Terms::of(part), Terms::of(&text));
        let mut telling = own.iter().filter(|term| is_telling(term));
        let is_within = said.are_in(&own);
        if is_within && is_addition {
            part.clone_into(&mut text);
        } else if !is_within && !telling.any(|term| said.has(term)) {
            text = format!("{}, {part}", text.trim_end_matches('.'));
        } else {
            return None;
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Step, parse};
    use super::super::sample_note;
    use super::super::sample_target;
    use super::super::step_correction::corrected_steps;
    use super::{completed, unabridged, with_amounts};

    #[test]
    fn an_amount_goes_to_its_item_in_one_of_several_additions() {
        let list = sample_note(1, "Safari packing", "- 3 khaki shirts\n- binoculars");
        let notes = [&list];
        for amount in ["2", "two"] {
            let request =
                format!("pls ad mosqiuto spray adn {amount} sarongs to teh safari packing list");
            let target = sample_target(&notes, &request);
            for plan in [
                "add Safari packing: Mosquito spray\nadd Safari packing: sarongs",
                "add Safari packing: Mosquito spray, sarongs",
            ] {
                let steps = corrected_steps(parse(plan), &target);
                let all = with_amounts(steps, &request, &["two".to_owned()]);
                let whole = format!("{amount} sarongs");
                assert!(all.iter().any(|it| it.clause().contains(&whole)), "{all:?}");
            }
        }
    }

    #[test]
    fn an_amount_behind_its_item_needs_no_spaces() {
        let words = ["\u{4e8c}", "\u{5341}"].map(str::to_owned);
        let request = "リストに炭と紙コップ二十個と電池8本も入れて";
        let steps = parse("add 買い出し: 炭\nadd 買い出し: 紙コップ\nadd 買い出し: 電池");
        let all = with_amounts(steps, request, &words);
        let texts: Vec<&str> = all.iter().map(Step::clause).collect();
        assert_eq!(texts, ["炭", "紙コップ二十個", "電池8本"]);
    }

    #[test]
    fn what_a_text_leaves_out_inside_comes_from_the_request() {
        for (request, text, expected) in [
            (
                "lovely people. What I'd like you to keep from it is this: Mika does it on 21 May",
                "Lovely people. Mika does it on 21 May.",
                None,
            ),
            (
                "ok jot this down.. the tyres have 5 mm left so they'll do one more season, \
                 and theyre stored on shelf C17. cheers",
                "5 mm left, stored on shelf C17.",
                Some("5 mm left so they'll do one more season, and theyre stored on shelf C17."),
            ),
            (
                "can you note that the boiler man comes on Tuesday",
                "The boiler man comes on Tuesday.",
                None,
            ),
            (
                "the meeting is at 5, sorry, I wanted to say at 6 in room B",
                "The meeting is at 6 in room B.",
                None,
            ),
            ("the meeting is in room B", "Room B it is.", None),
        ] {
            let steps = [Step::New {
                title: None,
                text: text.to_owned(),
            }];
            let found = unabridged(&steps, request).map(|step| step.clause().to_owned());
            assert_eq!(found.as_deref(), expected, "{request}");
        }
    }

    #[test]
    fn what_is_missing_comes_from_the_request() {
        let food = sample_note(1, "Fair food", "- Anneke: two quiches\n- Bram: bread");
        let tools = sample_note(2, "Tools", "The vice is loose.");
        let notes = [&food, &tools];
        for (request, plan, missing, expected) in [
            (
                "Yusuf's bringing a potato salad to the fair",
                "add Fair food: potato salad",
                "Yusuf",
                Some("add Fair food: Yusuf: potato salad"),
            ),
            (
                "nadia has the saw, the small one, she brings it back on the 20th",
                "new Saw: Nadia has the saw.",
                "20",
                Some("new Saw: Nadia has the saw, she brings it back on the 20th"),
            ),
            (
                "Yusuf has the saw",
                "add Tools: the saw",
                "Yusuf",
                Some("add Tools: Yusuf has the saw"),
            ),
            (
                "can you add 2 tins of sardines and oats to the tools",
                "add Tools: sardines, oats",
                "2",
                Some("add Tools: 2 tins of sardines, oats"),
            ),
            (
                "put on the Tools list 2 saws, oats",
                "add Tools: oats",
                "2",
                None,
            ),
            // The part says more than the text, but not all of it; or it says where the text goes.
            (
                "Yusuf has a small saw",
                "add Tools: the small plane",
                "Yusuf",
                None,
            ),
            (
                "two saws, to Tools of shed 4",
                "add Tools: two saws",
                "4",
                None,
            ),
            (
                "note that Yusuf has the saw",
                "new Saw: the saw",
                "Yusuf",
                Some("new Saw: Yusuf has the saw"),
            ),
            (
                "note this. By 5 May Yusuf has to have the saw",
                "new Saw: Yusuf has to have the saw.",
                "5",
                Some("new Saw: By 5 May Yusuf has to have the saw"),
            ),
            ("Yusuf has the saw", "change Tools: saw", "Yusuf", None),
        ] {
            let target = sample_target(&notes, request);
            let step = completed(&parse(plan), &[missing.to_owned()], &target);
            let step = step.map(|step| step.to_string());
            assert_eq!(step.as_deref(), expected, "{request}");
        }
    }
}
