//! Requests with their right plans, taken from the worked examples, and the wrong plans of a model.

use super::Random;
use kjxlkj_agent::core::notes::Terms;
use kjxlkj_agent::core::steps::plan::{Step, parse};
use serde_json::Value;

/// The kind of a case whose reply is the right plan.
pub(super) const RIGHT: &str = "right";

/// The label of the worked plans of which a question shows only the most similar ones.
const CONDITION: &str = "plan_similar";

/// A word that stands where a line is to change.
const OUTDATED: &str = "Kestrel";

/// Lines that have nothing to do with any request.
const FILLERS: [&str; 8] = [
    "Blue folder, second shelf.",
    "Ask at the counter, they know.",
    "The small one, not polished.",
    "Up in the loft since spring.",
    "Behind the door, on the hook.",
    "Two of them are spare.",
    "Nobody has asked for it yet.",
    "As agreed on the phone.",
];

/// A request, what is meant by it, and what a model makes of it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// How the reply differs from the plan.
    pub(super) kind: &'static str,
    pub(super) request: String,
    pub(super) plan: Vec<Step>,
    pub(super) reply: Vec<Step>,
    /// The notes: each title with its text.
    pub(super) notes: Vec<(String, String)>,
    /// What stands in a line that is to change, and what takes its place.
    swaps: Vec<(String, String)>,
}

/// Takes worked plans out of a prompt file. Returns the file without them, and their cases.
pub(super) fn cases_of(mut file: Value, count: usize, random: &mut Random) -> (Value, Vec<Case>) {
    let examples = file["examples"].as_array_mut().unwrap();
    let is_plan = |example: &Value| example["condition"] == CONDITION;
    let mut places: Vec<usize> = (0..examples.len()).collect();
    places.retain(|place| is_plan(&examples[*place]));
    let mut taken: Vec<usize> = Vec::new();
    while taken.len() < count && !places.is_empty() {
        taken.push(places.swap_remove(random.index(places.len())));
    }
    let mut cases = Vec::new();
    for place in &taken {
        if let Some(right) = right_case(&examples[*place], random) {
            let wrong = wrong_cases(&right, random);
            cases.push(right);
            cases.extend(wrong);
        }
    }
    taken.sort_unstable_by(|one, other| other.cmp(one));
    for place in taken {
        examples.remove(place);
    }
    (file, cases)
}

fn right_case(example: &Value, random: &mut Random) -> Option<Case> {
    let input = example["input"].as_str()?;
    let (titles, request) = input.strip_prefix("Notes: ")?.split_once("\nRequest: ")?;
    let plan = parse(example["output"].as_str()?);
    let mut swaps = Vec::new();
    let titles = titles.split("; ").filter(|title| *title != "none");
    let notes = titles.map(|title| (title.to_owned(), text_for(title, &plan, &mut swaps, random)));
    Some(Case {
        kind: RIGHT,
        request: request.to_owned(),
        notes: notes.collect(),
        reply: plan.clone(),
        plan,
        swaps,
    })
}

/// Returns a text of a note on which a plan can be carried out.
fn text_for(
    title: &str,
    plan: &[Step],
    swaps: &mut Vec<(String, String)>,
    random: &mut Random,
) -> String {
    let mut lines: Vec<String> = Vec::new();
    for step in plan {
        if step.note().map(String::as_str) != Some(title) {
            continue;
        }
        if let Step::Remove { what, .. } = step {
            lines.extend(what.split(", ").map(|item| format!("- {item}")));
        } else if let Step::Change { text, .. } = step {
            if let Some(item) = text.strip_prefix("[x] ") {
                lines.push(format!("- [ ] {item}"));
            } else if let Some(item) = text.strip_prefix("[ ] ") {
                lines.push(format!("- [x] {item}"));
            } else {
                let (line, swap) = outdated(text);
                lines.push(line);
                swaps.push(swap);
            }
        }
    }
    let mark = if lines.iter().any(|line| line.starts_with("- [")) {
        "- [ ] "
    } else if lines.iter().any(|line| line.starts_with("- ")) {
        "- "
    } else {
        ""
    };
    let first = random.index(FILLERS.len());
    let mut filler = |place: usize| {
        let at = (first + place * (1 + random.index(FILLERS.len() - 1))) % FILLERS.len();
        format!("{mark}{}", FILLERS[at])
    };
    let (above, below) = (filler(0), filler(1));
    lines.insert(0, above);
    lines.push(below);
    lines.join("\n")
}

/// Returns a line that a change puts right, with what goes and what comes in it.
fn outdated(text: &str) -> (String, (String, String)) {
    if let Some((new, old)) = text.split_once(", not ") {
        let (label, new) = new.split_once(": ").unwrap_or(("", new));
        let old = old.trim_end_matches('.');
        let label = if label.is_empty() {
            String::new()
        } else {
            format!("{label}: ")
        };
        return (format!("{label}{old}"), (old.to_owned(), new.to_owned()));
    }
    let text = text.trim_end_matches('.');
    if text.contains(|it: char| it.is_ascii_digit()) {
        let other = |it: char| match it.to_digit(10) {
            Some(digit) => char::from_digit((digit + 3) % 10, 10).unwrap(),
            None => it,
        };
        let line: String = text.chars().map(other).collect();
        return (line.clone(), (line, text.to_owned()));
    }
    let mut words = text.split(|it: char| !it.is_alphanumeric()).rev();
    let last = words.find(|word| word.chars().count() > 3);
    let last = last.unwrap_or(text);
    let line = text.replace(last, OUTDATED);
    (line, (OUTDATED.to_owned(), last.to_owned()))
}

/// Returns the plans that a model may write in place of a right one.
fn wrong_cases(right: &Case, random: &mut Random) -> Vec<Case> {
    let other_title = |title: &str| {
        let mut others = right.notes.iter().map(|(title, _)| title);
        others.rfind(|other| *other != title).cloned()
    };
    let mut wrong: Vec<(&'static str, Vec<Step>)> = Vec::new();
    match right.plan.as_slice() {
        [Step::New { title, text }] if !right.notes.is_empty() => {
            let (note, _) = &right.notes[random.index(right.notes.len())];
            let note = Some(note.clone());
            let text = text.clone();
            if title.is_some() && !text.is_empty() {
                wrong.push((
                    "addition in place of a new note",
                    vec![Step::Add { note, text }],
                ));
            }
        }
        [step] => {
            let title = step.titles().first().map(|title| (*title).to_owned());
            let Some(title) = title else {
                return Vec::new();
            };
            if let Some(step) = other_title(&title).and_then(|other| moved(step, &other)) {
                wrong.push(("in another note", vec![step]));
            }
            if let Step::Remove { note, what: text } | Step::Change { note, text } = step {
                let (note, text) = (note.clone(), text.clone());
                wrong.push((
                    "addition in place of a change or removal",
                    vec![Step::Add { note, text }],
                ));
            }
            if let Step::Add { text, .. } = step {
                let (title, text) = (text.split(',').next().map(str::to_owned), text.clone());
                wrong.push((
                    "new note in place of an addition",
                    vec![Step::New { title, text }],
                ));
            }
            if !matches!(step, Step::Delete { .. }) {
                wrong.push((
                    "deletion in place of something else",
                    vec![Step::Delete { title }],
                ));
            }
        }
        [first, second] => {
            let (one, other) = (first.titles(), second.titles());
            if let ([one], [other]) = (one.as_slice(), other.as_slice())
                && one != other
                && let (Some(first_moved), Some(second_moved)) =
                    (moved(first, other), moved(second, one))
            {
                wrong.push(("notes exchanged", vec![first_moved, second_moved.clone()]));
                wrong.push(("both in one note", vec![first.clone(), second_moved]));
            }
        }
        _ => {}
    }
    if right.plan.len() > 1 {
        let mut rest = right.plan.clone();
        rest.remove(random.index(rest.len()));
        wrong.push(("a step left out", rest));
    }
    let wrong = wrong.into_iter().map(|(kind, reply)| Case {
        kind,
        reply,
        ..right.clone()
    });
    wrong.collect()
}

/// Returns a step for another note; `None` if it is not about the text of one or its deletion.
fn moved(step: &Step, title: &str) -> Option<Step> {
    let mut step = step.clone();
    match &mut step {
        Step::Add { note, .. } | Step::Change { note, .. } | Step::Remove { note, .. } => {
            *note = Some(title.to_owned());
        }
        Step::Delete { title: old } => title.clone_into(old),
        Step::New { .. }
        | Step::Answer { .. }
        | Step::Overview { .. }
        | Step::Issue { .. }
        | Step::Link { .. }
        | Step::Rename { .. }
        | Step::Merge { .. }
        | Step::Nothing => return None,
    }
    Some(step)
}

impl Case {
    /// Returns the reply of a model that writes the notes before the request comes.
    pub(super) fn notes_as_instructions(&self) -> String {
        let escaped = |text: &str| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            text.replace('>', "&gt;")
        };
        let notes = self.notes.iter().map(|(title, text)| {
            let (title, text) = (escaped(title), escaped(text));
            format!("<record_add><title>{title}</title><keywords>k</keywords><value>{text}</value></record_add>")
        });
        let notes: String = notes.collect();
        notes + "<state_add><state>evaluating</state></state_add>"
    }

    /// Returns the reply of the model to a question, given its last message.
    pub(super) fn reply_to(&self, asked: &str) -> String {
        let part = asked.strip_prefix("Notes: ");
        if let Some((_, part)) = part.and_then(|rest| rest.split_once("\nRequest: ")) {
            return lines_of(&self.steps_for(part));
        }
        if let Some(line) = asked.strip_prefix("Line: ") {
            let line = line.lines().next().unwrap_or_default();
            let swap = self.swaps.iter().find(|(old, _)| line.contains(old));
            return swap.map_or_else(
                || lines_of(&self.reply),
                |(old, new)| format!("{old} > {new}"),
            );
        }
        if asked.starts_with("Request: ") {
            return self.choice_among(asked);
        }
        if asked.contains("\nQuestion: ") {
            return "-".to_owned();
        }
        lines_of(&self.reply)
    }

    /// Returns the steps of the reply for a part of the request: those with most of their words there. All of
    /// them if it is the whole request, or has none.
    fn steps_for(&self, part: &str) -> Vec<Step> {
        let (whole, own) = (Terms::of(&self.request), Terms::of(part));
        let is_own = |step: &&Step| {
            let said = Terms::of(&step.to_string());
            said.shared(&own) * 2 > said.shared(&whole)
        };
        let steps: Vec<Step> = self.reply.iter().filter(is_own).cloned().collect();
        if own.len() + 1 >= whole.len() || steps.is_empty() {
            self.reply.clone()
        } else {
            steps
        }
    }

    /// Returns the number of the last note of the reply in a numbered choice; 1 if it has none. The note of
    /// the first step is hardly ever asked for.
    fn choice_among(&self, asked: &str) -> String {
        let mut titles = self.reply.iter().flat_map(Step::titles).rev();
        let number = titles.find_map(|title| {
            let mut options = asked.lines().skip(1);
            options.position(|option| option.contains(&format!(". {title}")))
        });
        (number.unwrap_or_default() + 1).to_string()
    }
}

fn lines_of(steps: &[Step]) -> String {
    let lines: Vec<String> = steps.iter().map(Step::to_string).collect();
    lines.join("\n")
}
