//! Carries a step out: turns a line of a plan into its effects.
//! It asks one question for each choice that cannot be computed. The program composes every text; a
//! model only chooses.

use super::addition::{add, done_in_fact, ticked};
use super::change::{change, corrects};
use super::check::{is_telling, stands_in};
use super::compose::{appended, is_short_item, without};
use super::counts::exchanged_count;
use super::evidence::{contrasted, contrasted_in, label_of, tells_of};
use super::lines::{ListMark, lines_of};
use super::lookup;
use super::overview::overview;
use super::plan::Step;
use super::removal::{delete, remove};
use super::respelling::with_titles_spelt;
use super::spans::{has_digit, has_same_kind, numbers_of};
use super::step_question::{Replies, StepQuestion};
use super::target::Target;
use crate::core::notes::{Note, Terms, phrase_count, phrase_stands_in};
use crate::ids::NoteId;

/// The maximum length of a title that is made from a text, in characters.
const TITLE_CHARS_MAX: usize = 60;

/// The number of items from which an enumeration is a list.
const LIST_ITEMS_MIN: usize = 3;

/// An effect of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A new note.
    Create {
        /// Its title.
        title: String,
        /// Its text.
        text: String,
    },
    /// A new text for a note.
    Rewrite {
        /// The note.
        note: NoteId,
        /// The version that the text is made from.
        version: u64,
        /// The whole new text.
        text: String,
    },
    /// A new title for a note.
    Rename {
        /// The note.
        note: NoteId,
        /// The title.
        title: String,
    },
    /// A note to be deleted.
    Delete {
        /// The note.
        note: NoteId,
    },
    /// A value kept beside the notes that is to be deleted.
    Forget {
        /// Its key.
        key: String,
    },
    /// A possible fault of a note.
    Flag {
        /// The note.
        note: NoteId,
        /// The possible fault.
        text: String,
    },
    /// An answer that says only what the notes say.
    Answer {
        /// The answer.
        text: String,
        /// The notes that it comes from.
        sources: Vec<NoteId>,
        /// The question.
        question: String,
    },
    /// A question that the notes do not answer.
    Unanswered {
        /// The question.
        question: String,
        /// The notes that were searched.
        looked_in: Vec<NoteId>,
        /// Whether another reply of the model would change nothing.
        is_final: bool,
    },
    /// Something that is there already: nothing is to be done.
    Present {
        /// The note that says it.
        note: NoteId,
    },
    /// A step for which nothing was found.
    Missed {
        /// The text that was looked for.
        what: String,
    },
}

/// Carries a step out.
///
/// # Errors
/// The first question that has no reply yet.
pub fn carry_out(
    step: &Step,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    match step {
        Step::New { title, text } => match done_in_fact(text, target, replies)? {
            Some((note, index)) => Ok(vec![rewrite(note, ticked(&note.value, index))]),
            None => Ok(create(title.as_deref(), text, target)),
        },
        Step::Add { note, text } => match target.note(note.as_deref(), text, true, replies)? {
            Some(note) if corrects(note, text) => change(note, text, target.request, replies),
            Some(note) => Ok(add(note, text, target.request)),
            None => Ok(create(None, text, target)),
        },
        Step::Change { note, text } => changed(note.as_deref(), text, target, replies),
        Step::Remove { note, what } => {
            let holding = target.holding(what);
            let requested = target.requested_item().filter(|_| holding.is_empty());
            if let Some((note, index)) = requested {
                return Ok(vec![rewrite(note, without(&note.value, index, what))]);
            }
            let target = target.among(&holding);
            in_note(note.as_deref(), what, &target, replies, |note, replies| {
                remove(note, what, target.request, replies)
            })
        }
        Step::Answer { title, question } => {
            let question = with_titles_spelt(question, target.notes);
            lookup::answer(title.as_deref(), &question, target, replies)
        }
        Step::Overview { title, topic } => overview(title.as_deref(), topic, target, replies),
        Step::Issue { note, text } => Ok(with_one(target, note, |note| Effect::Flag {
            note: note.id,
            text: text.clone(),
        })),
        Step::Link { from, to } => Ok(with_both(target, from, to, link)),
        Step::Merge { from, to } => merge_of(from, to, target, replies),
        Step::Rename { from, to } => Ok(with_one(target, from, |note| Effect::Rename {
            note: note.id,
            title: to.clone(),
        })),
        Step::Delete { title } => delete(title, target, replies),
        Step::Nothing => Ok(Vec::new()),
    }
}

/// Changes the note that a text is about.
fn changed(
    title: Option<&str>,
    text: &str,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    let boxed = target.with_box_for(text);
    let target = &target.among(&boxed);
    let found = target.note(title, text, false, replies)?;
    let fits = |note: &Note| target.is_named(note) && shares_number(note, text);
    let found = if title.is_some() && found.is_some_and(fits) {
        found
    } else {
        let found = target.by_line(found, text).or(found);
        let found = target.by_label(found, text).or(found);
        target.contradicted(text, found).or(found)
    };
    let holding = target.holding(text);
    let is_elsewhere = found.is_some_and(|note| !holding.iter().any(|it| it.id == note.id));
    let found = if is_elsewhere && title.is_none() && !holding.is_empty() {
        target.among(&holding).note(None, text, false, replies)?
    } else {
        found
    };
    match found {
        Some(note) if is_beside(note, text, target.request) => Ok(add(note, text, target.request)),
        Some(note) if title.is_some() || target.is_named(note) || relates(note, text) => {
            change(note, text, target.request, replies)
        }
        // A text that matches no note is new, whatever its verb.
        _ if !is_ticked(text) => Ok(create(None, text, target)),
        _ => Ok(missed(text)),
    }
}

fn create(title: Option<&str>, text: &str, target: &Target<'_>) -> Vec<Effect> {
    if let Some(note) = target.notes.iter().find(|note| says(note, text)) {
        return vec![Effect::Present { note: note.id }];
    }
    // A second note of the same title would separate what belongs together.
    if let Some(note) = title.and_then(|title| target.titled_exactly(title)) {
        return vec![rewrite(note, appended(&note.value, text))];
    }
    let title = title.map_or_else(|| title_of(text), str::to_owned);
    let text = as_list(text).unwrap_or_else(|| text.to_owned());
    vec![Effect::Create { title, text }]
}

/// Applies `act` to the note that a step means.
/// Without such a note, the step missed.
fn in_note(
    title: Option<&str>,
    clause: &str,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
    act: impl FnOnce(&Note, &mut Replies<'_>) -> Result<Vec<Effect>, StepQuestion>,
) -> Result<Vec<Effect>, StepQuestion> {
    match target.note(title, clause, false, replies)? {
        Some(note) => act(note, replies),
        None => Ok(missed(clause)),
    }
}

/// Returns an enumeration of short items as a list, one on a line; `None` for any other text.
fn as_list(text: &str) -> Option<String> {
    let items: Vec<&str> = text.trim_end_matches('.').split(", ").collect();
    let is_list = items.len() >= LIST_ITEMS_MIN && items.iter().all(|it| is_short_item(it));
    let lines = items.iter().map(|item| format!("- {}", item.trim()));
    is_list.then(|| lines.collect::<Vec<_>>().join("\n"))
}

fn link(from: &Note, to: &Note) -> Vec<Effect> {
    if from.links.contains(&to.id) {
        return vec![Effect::Present { note: from.id }];
    }
    vec![rewrite(
        from,
        appended(&from.value, &format!("See [[{}]].", to.title)),
    )]
}

/// Merges one note into another.
/// If the request says the title of the first more often, the model chooses which one stays:
/// `put A into B, then throw A away` and `make one note of A and B, called A` look alike.
fn merge_of(
    from: &str,
    to: &str,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    let count = |title: &str, other: &str| {
        let longer: Vec<&str> = [other]
            .into_iter()
            .filter(|it| it.len() > title.len())
            .collect();
        phrase_count(title, target.request, &longer)
    };
    let (one, other) = (count(from, to), count(to, from));
    // `Kayak repair` goes into `Kayak` however often it is named.
    let is_open = one > other && other > 0 && !phrase_stands_in(to, from);
    let are_there = target.titled(from).is_some() && target.titled(to).is_some();
    if is_open && are_there {
        let options = [to, from].map(|title| format!("{title} stays"));
        if replies.choose(target.request, options.to_vec())? == Some(1) {
            return Ok(with_both(target, to, from, merge));
        }
    }
    Ok(with_both(target, from, to, merge))
}

fn merge(from: &Note, to: &Note) -> Vec<Effect> {
    let text = [to.value.trim_end(), from.value.trim()].join("\n");
    vec![rewrite(to, text), Effect::Delete { note: from.id }]
}

fn with_both(
    target: &Target<'_>,
    from: &str,
    to: &str,
    effects: impl FnOnce(&Note, &Note) -> Vec<Effect>,
) -> Vec<Effect> {
    match (target.titled(from), target.titled(to)) {
        (None, _) => missed(from),
        (_, None) => missed(to),
        (Some(one), Some(other)) if one.id == other.id => missed(to),
        (Some(one), Some(other)) => effects(one, other),
    }
}

fn with_one(target: &Target<'_>, title: &str, effect: impl FnOnce(&Note) -> Effect) -> Vec<Effect> {
    target
        .titled(title)
        .map_or_else(|| missed(title), |note| vec![effect(note)])
}

pub(super) fn rewrite(note: &Note, text: String) -> Effect {
    Effect::Rewrite {
        note: note.id,
        version: note.version,
        text,
    }
}

pub(super) fn missed(what: &str) -> Vec<Effect> {
    vec![Effect::Missed {
        what: what.to_owned(),
    }]
}

/// Returns whether a text ticks an item.
fn is_ticked(text: &str) -> bool {
    text.starts_with("[x]")
}

/// Returns whether a note and a text have a telling word or a number in common.
fn relates(note: &Note, text: &str) -> bool {
    shares_number(note, text) || tells_of(note, &Terms::of(text))
}

/// Returns whether a note and a text have a number in common, or a line a count that the text exchanges.
fn shares_number(note: &Note, text: &str) -> bool {
    let own = numbers_of(&note.value);
    let lines = lines_of(&note.value);
    numbers_of(text).iter().any(|number| own.contains(number))
        || lines
            .iter()
            .any(|line| exchanged_count(line.text, text).is_some())
}

/// Returns whether a text is about a note, but about none of its lines.
fn is_beside(note: &Note, text: &str, request: &str) -> bool {
    let title = Terms::of(&note.title);
    let own = Terms::of(text).without(&title);
    let telling: Vec<&str> = own.iter().filter(|term| is_telling(term)).collect();
    let speaks = |line: &str| {
        let terms = Terms::of(line).without(&title);
        label_of(line).is_some()
            || has_same_kind(line, text)
            || telling.iter().any(|term| stands_in(term, &terms))
    };
    let lines = lines_of(&note.value);
    let gone = contrasted(text).with(&contrasted_in(request));
    telling.len() >= BESIDE_WORDS_MIN
        && gone.shared(&Terms::of(&note.value)) == 0
        && title.shared(&Terms::of(text)) > 0
        && !lines.iter().any(|line| speaks(line.text))
}

/// The minimum number of telling words, beside those of the title, of a text about something else.
const BESIDE_WORDS_MIN: usize = 2;

/// Returns whether one line of a note says a text already, alone or with the title. A short first word,
/// such as `he`, may stand for the title in that line.
pub(super) fn says(note: &Note, text: &str) -> bool {
    let (wanted, title) = (Terms::of(text), Terms::of(&note.title));
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_short = !is_telling(first) && !has_digit(first) && wanted.shared(&title) == 0;
    let rest = wanted.clone().without(&Terms::of(first));
    let says = |line: &str| {
        let own = Terms::of(line);
        let stands_for_title = is_short && !rest.is_empty() && own.shared(&title) > 0;
        wanted.are_in(&title.clone().with(&own)) || stands_for_title && rest.are_in(&own)
    };
    !wanted.is_empty() && lines_of(&note.value).iter().any(|line| says(line.text))
}

/// Returns the beginning of a text as a title, cut between two words.
fn title_of(text: &str) -> String {
    let first = lines_of(text)
        .into_iter()
        .map(|line| line.text)
        .find(|line| !line.trim().is_empty());
    let first = ListMark::text_of(first.unwrap_or_default());
    let first = first.trim_end_matches(['.', '!', '?', '\u{3002}']);
    if first.chars().count() <= TITLE_CHARS_MAX {
        return first.to_owned();
    }
    let cut: String = first.chars().take(TITLE_CHARS_MAX).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    cut.get(..end).unwrap_or(&cut).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::plan::Step;
    use super::super::sample_note as note;
    use super::super::sample_target;
    use super::super::step_question::{Replies, StepQuestion};
    use super::{Effect, carry_out, rewrite};
    use crate::core::notes::Note;

    fn sample_notes() -> Vec<Note> {
        vec![
            note(1, "Shopping list", "- milk\n- eggs"),
            note(2, "Bus", "Line 7 leaves at 8:10. Line 9 leaves at 8:25."),
            note(3, "Chess club", "- Ivo\n- Marta\n- Pavel"),
            note(4, "Chess", "The board is at home."),
            note(5, "Boat jobs", "- [ ] wash the sails\n- [x] buy rope"),
        ]
    }

    /// Returns the effects of a step in short, and the number of its questions.
    fn outcome(request: &str, step: &str, replies: &[&str]) -> (String, usize) {
        let shelf = sample_notes();
        let notes: Vec<&Note> = shelf.iter().collect();
        let target = sample_target(&notes, request);
        let step = Step::parse(step).unwrap();
        let mut given: Vec<String> = Vec::new();
        let mut left = replies.iter();
        let effects = loop {
            match carry_out(&step, &target, &mut Replies::of(&given)) {
                Ok(effects) => break effects,
                Err(ask) => match left.next() {
                    Some(reply) => given.push((*reply).to_owned()),
                    None => panic!("{request}: {ask:?}"),
                },
            }
        };
        assert!(left.next().is_none(), "{request}: not asked");
        let title = |id| {
            notes
                .iter()
                .find(|note| note.id == id)
                .unwrap()
                .title
                .clone()
        };
        let words = effects.iter().map(|effect| match effect {
            Effect::Create { title, text } => format!("+ {title}: {text}"),
            Effect::Rewrite { note, text, .. } => format!("~ {}: {text}", title(*note)),
            Effect::Rename { note, title: new } => format!("= {} > {new}", title(*note)),
            Effect::Delete { note } => format!("- {}", title(*note)),
            Effect::Answer { text, .. } => format!("? {text}"),
            Effect::Forget { key } => format!("- {key}"),
            Effect::Flag { note, text } => format!("* {}: {text}", title(*note)),
            Effect::Unanswered { question, .. } => format!("- ? {question}"),
            Effect::Present { note } => format!("! {}", title(*note)),
            Effect::Missed { what } => format!("0 {what}"),
        });
        (words.collect::<Vec<_>>().join(" | "), given.len())
    }

    /// A request, the plan's line, the replies, and the effects.
    /// `+` is a new note, `~` a new text, `=` a new title, `-` a deleted note, `?` an answer,
    /// `!` there already, `0` not found.
    const STEPS: &[(&str, &str, &[&str], &str)] = &[
        (
            "Add butter to my shopping list",
            "add: butter",
            &[],
            "~ Shopping list: - milk\n- eggs\n- butter",
        ),
        (
            "Make one note of Bus and Chess, it should be called Bus",
            "merge Bus > Chess",
            &["2"],
            "~ Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:25.\nThe board is at home. | - Chess",
        ),
        (
            "Move what is in Chess to Bus and throw Chess away",
            "merge Chess > Bus",
            &["1"],
            "~ Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:25.\nThe board is at home. | - Chess",
        ),
        (
            "Put eggs on the shopping list",
            "add: eggs",
            &[],
            "! Shopping list",
        ),
        (
            "Take the eggs off the list",
            "remove: eggs",
            &[],
            "~ Shopping list: - milk",
        ),
        (
            "Take the flour off the shopping list",
            "remove: flour",
            &[],
            "0 flour",
        ),
        // The note has no word of the plan: the sentence that the request mentions goes.
        (
            "They have stopped leaving from the quay, the line 9 people. Cut that.",
            "remove Bus: bus",
            &[],
            "~ Bus: Line 7 leaves at 8:10.",
        ),
        // A text that says what is no longer true is no addition.
        (
            "The chess board is in the office now, not at home.",
            "change Chess: The board is in the office, not at home.",
            &["at home > in the office"],
            "~ Chess: The board is in the office.",
        ),
        (
            "the board of the chess club is at my place instead of at home",
            "change Chess: The board is at my place instead of at home.",
            &["at home > at my place"],
            "~ Chess: The board is at my place.",
        ),
        // The number that says which one it is stays.
        (
            "line 7 is at 9:20 past the school, i mixed that up",
            "change Bus: 7 is at 9:20 past the school",
            &["7 leaves at 8:10 > at 9:20"],
            "~ Bus: Line 7 at 9:20. Line 9 leaves at 8:25.",
        ),
        // A count changes by a number that the request says.
        (
            "two of the bus lines are gone, by 7 or so",
            "change Bus: bus line -2",
            &[],
            "0 bus line -2",
        ),
        (
            "Marta has left the chess club",
            "remove: Marta",
            &[],
            "~ Chess club: - Ivo\n- Pavel",
        ),
        (
            "Line 9 leaves at 8:40 now",
            "change: Line 9 leaves at 8:40.",
            &[],
            "~ Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:40.",
        ),
        (
            "The chess board is at the club house",
            "change: The board is at the club house.",
            &["home > the club house"],
            "~ Chess: The board is at the club house.",
        ),
        (
            "I have washed the sails",
            "change: [x] wash the sails",
            &[],
            "~ Boat jobs: - [x] wash the sails\n- [x] buy rope",
        ),
        // A number that the change does not mention stays.
        (
            "Line 7 runs to the port, not round the lake",
            "change Bus: Line 7 runs to the port.",
            &["8:10 > port"],
            "0 Line 7 runs to the port.",
        ),
        (
            "the rope is not bought after all",
            "change Boat jobs: [ ] buy rope",
            &[],
            "~ Boat jobs: - [ ] wash the sails\n- [ ] buy rope",
        ),
        (
            "Rename Bus to Buses",
            "rename Bus > Buses",
            &[],
            "= Bus > Buses",
        ),
        ("Delete the note bus", "delete bus", &[], "- Bus"),
        ("Delete the note car", "delete car", &[], "0 car"),
        // A note that is no list is not emptied.
        ("The board is gone", "remove: board", &[], "0 board"),
        (
            "write into the note Bus that I bought tickets on Monday",
            "change: I bought bus tickets on Monday.",
            &[],
            "~ Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:25. I bought bus tickets on Monday.",
        ),
        (
            "Link chess to chess club",
            "link Chess > Chess club",
            &[],
            "~ Chess: The board is at home. See [[Chess club]].",
        ),
        (
            "Merge chess into chess club",
            "merge Chess > Chess club",
            &[],
            "~ Chess club: - Ivo\n- Marta\n- Pavel\nThe board is at home. | - Chess",
        ),
        (
            "Note that it rains",
            "new: It rains.",
            &[],
            "+ It rains: It rains.",
        ),
        (
            "The oven is broken",
            "new Oven: The oven is broken.",
            &[],
            "+ Oven: The oven is broken.",
        ),
        (
            "More for the bus note",
            "new Bus: Line 3 is new.",
            &[],
            "~ Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:25. Line 3 is new.",
        ),
        (
            "When does line 9 leave?",
            "answer: When does line 9 leave?",
            &["Line 9 leaves at 8:25.", "yes"],
            "? Line 9 leaves at 8:25.",
        ),
        (
            "Who is in the chess club?",
            "answer: Who is in the chess club?",
            &["Ivo, Pavel", "yes"],
            "? Ivo, Marta, Pavel",
        ),
        (
            "Who leads the chess club?",
            "answer: Who leads the chess club?",
            &["Marta", "no"],
            "- ? Who leads the chess club?",
        ),
        (
            "I washed the sails",
            "add: washed the sails",
            &[],
            "~ Boat jobs: - [x] wash the sails\n- [x] buy rope",
        ),
        (
            "Marta is ill, take her off the chess club",
            "remove: Marta",
            &[],
            "~ Chess club: - Ivo\n- Pavel",
        ),
        // The words of the question point at a line, whatever the model says of it.
        (
            "When does line 9 leave?",
            "answer: When does line 9 leave?",
            &["Line 7 leaves at 8:10.", "no"],
            "? Line 9 leaves at 8:25.",
        ),
        // Where notes have all words of a topic, a note with one of them is about something else.
        (
            "A note that lists all on the line of the bus",
            "overview Lines: bus line",
            &[],
            "+ Lines: - [[Bus]]",
        ),
        (
            "ad rope to teh shoping list",
            "add: rope",
            &[],
            "~ Shopping list: - milk\n- eggs\n- rope",
        ),
        (
            "put rope on the shopping list and Ida on the chess club list",
            "add: Ida",
            &[],
            "~ Chess club: - Ivo\n- Marta\n- Pavel\n- Ida",
        ),
        (
            "on the shopping list put rope, on the chess club list put Ida",
            "add: rope",
            &[],
            "~ Shopping list: - milk\n- eggs\n- rope",
        ),
        (
            "Line 9 of the bus is at 8:50",
            "add: Line 9 leaves at 8:50.",
            &[],
            "~ Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:50.",
        ),
        (
            "Vera moved to Oak Lane",
            "change: Vera lives in Oak Lane.",
            &["6"],
            "+ Vera lives in Oak Lane: Vera lives in Oak Lane.",
        ),
        (
            "What is the capital?",
            "answer: What is the capital?",
            &["6", "The capital is Paris."],
            "- ? What is the capital?",
        ),
        (
            "Where is Ida?",
            "answer: Where is Ida?",
            &["6", "-"],
            "- ? Where is Ida?",
        ),
        (
            "What do I know about chess?",
            "overview: chess",
            &[],
            "? Chess club: Ivo, Marta, Pavel\nChess: The board is at home.",
        ),
        (
            "Make an overview of everything",
            "overview Contents: everything",
            &[],
            "+ Contents: - [[Shopping list]]\n- [[Bus]]\n- [[Chess club]]\n- [[Chess]]\n- [[Boat jobs]]",
        ),
        (
            "The bus times may be old",
            "issue Bus: The times may be old.",
            &[],
            "* Bus: The times may be old.",
        ),
        ("Thanks", "nothing", &[], ""),
    ];

    #[test]
    fn a_step_is_carried_out_with_as_few_questions_as_it_needs() {
        for &(request, step, replies, expected) in STEPS {
            let (outcome, asked) = outcome(request, step, replies);
            assert_eq!(outcome, expected, "{request}");
            assert_eq!(asked, replies.len(), "{request}");
        }
    }

    #[test]
    fn of_two_notes_on_a_matter_something_short_may_belong_to_the_list() {
        let shelf = [
            note(1, "Sheep of the farm", "Twelve ewes and a ram."),
            note(2, "Needed for the farm", "- hay\n- salt"),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let target = sample_target(&notes, "for the farm also straw");
        let step = Step::parse("add Sheep of the farm: straw").unwrap();
        let ask = carry_out(&step, &target, &mut Replies::of(&[])).unwrap_err();
        let StepQuestion::Choose { options, .. } = ask else {
            panic!("{ask:?}");
        };
        assert_eq!(options.len(), 2);
        let given = ["1".to_owned()];
        let effects = carry_out(&step, &target, &mut Replies::of(&given)).unwrap();
        let expected = rewrite(&shelf[1], "- hay\n- salt\n- straw".to_owned());
        assert_eq!(effects, [expected]);
    }

    #[test]
    fn the_sentence_that_a_request_speaks_of_goes_and_no_other() {
        let text = "The badge opens both doors. The lift is broken, take the stairs. Bikes go in the basement. The alarm is on from 21:00.";
        let shelf = [
            note(1, "Office access", text),
            note(
                2,
                "Office plants",
                "The fern beside the lift needs water twice a week.",
            ),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let target = sample_target(
            &notes,
            "the lift in the office works again, you can cut the sentence about it from Office access",
        );
        let expected =
            "The badge opens both doors. Bikes go in the basement. The alarm is on from 21:00."
                .to_owned();
        for step in [
            "remove Office access: the lift in the office works again",
            "remove Office access: lift in the office",
        ] {
            let step = Step::parse(step).unwrap();
            let effects = carry_out(&step, &target, &mut Replies::of(&[])).unwrap();
            assert_eq!(effects, [rewrite(&shelf[0], expected.clone())], "{step}");
        }
    }

    #[test]
    fn the_label_of_a_line_says_which_note_is_meant() {
        let shelf = [
            note(1, "Caretaker", "Mr Pohl, till 15:00 on weekdays."),
            note(
                2,
                "Bins",
                "Compost: Wednesdays\nPaper: every first Thursday",
            ),
            note(3, "Stairs", "We mop on Wednesdays."),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let target = sample_target(
            &notes,
            "Ms Nowak is the caretaker now, and the compost goes on Fridays, not Wednesdays",
        );
        let step = "change Caretaker: The compost goes on Fridays, not Wednesdays.";
        let step = Step::parse(step).unwrap();
        let effects = carry_out(&step, &target, &mut Replies::of(&[])).unwrap();
        let expected = "Compost: Fridays\nPaper: every first Thursday".to_owned();
        assert_eq!(effects, [rewrite(&shelf[1], expected)]);
    }

    #[test]
    fn a_verb_takes_no_place_behind_a_label() {
        let shelf = [note(1, "Bins", "Glass: mondays\nCompost: wednesdays")];
        let notes: Vec<&Note> = shelf.iter().collect();
        let target = sample_target(
            &notes,
            "the compost gets fetched on fridays, no longer on wednesdays",
        );
        let step = "change Bins: Compost gets fetched fridays, no longer wednesdays";
        let step = Step::parse(step).unwrap();
        let given = ["wednesdays > fridays".to_owned()];
        let effects = carry_out(&step, &target, &mut Replies::of(&given)).unwrap();
        let expected = "Glass: mondays\nCompost: fridays".to_owned();
        assert_eq!(effects, [rewrite(&shelf[0], expected)]);
    }

    #[test]
    fn a_time_is_put_right_in_the_note_that_is_named() {
        let shelf = [
            note(
                1,
                "Brunch invitation",
                "Dear all, start is on Saturday at 11:00 on the terrace.",
            ),
            note(2, "Brunch menu", "- kedgeree\n- crumpets"),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let target = sample_target(
            &notes,
            "Add crumpets to the brunch menu, and in the brunch invitation change the start from 11:00 to 11:30.",
        );
        let step = Step::parse("change Brunch invitation: start at 11:30").unwrap();
        let effects = carry_out(&step, &target, &mut Replies::of(&[])).unwrap();
        let expected = "Dear all, start is on Saturday at 11:30 on the terrace.".to_owned();
        assert_eq!(effects, [rewrite(&shelf[0], expected)]);
    }

    #[test]
    fn what_cannot_be_computed_is_one_numbered_choice() {
        let shelf = sample_notes();
        let notes: Vec<&Note> = shelf.iter().collect();
        let request = "Somebody called Ida joins";
        let target = sample_target(&notes, request);
        let step = Step::parse("add: Ida").unwrap();
        let ask = carry_out(&step, &target, &mut Replies::of(&[])).unwrap_err();
        let StepQuestion::Choose { options, .. } = ask else {
            panic!("{ask:?}");
        };
        assert_eq!(options.len(), 6);
        assert_eq!(options[0], "Shopping list: - milk");
        for (reply, expected) in [
            ("3", Some("Chess club")),
            ("3. Chess club", Some("Chess club")),
            ("9", None),
            ("the club", None),
        ] {
            let given = [reply.to_owned()];
            let effects = carry_out(&step, &target, &mut Replies::of(&given)).unwrap();
            let changed = notes
                .iter()
                .find(|it| matches!(&effects[0], Effect::Rewrite { note, .. } if it.id == *note));
            let title = changed.map(|note| note.title.as_str());
            assert_eq!(title, expected, "{reply}");
        }
    }
}
