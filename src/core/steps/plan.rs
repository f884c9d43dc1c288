//! A plan: one line for each thing that a request asks for.
//! The parser is tolerant, since not every server constrains a model to a grammar; the written form
//! is always the same.

use super::lines::ListMark;
use crate::core::notes::Terms;
use std::fmt;

/// The maximum number of steps of a plan; further ones are left out.
pub const STEPS_MAX: usize = 8;

/// The maximum length of a verb, in letters: a text before a colon may also be a sentence.
const VERB_CHARS_MAX: usize = 8;

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A new note.
    New {
        /// Its title, if given.
        title: Option<String>,
        /// Its text.
        text: String,
    },
    /// An addition to an existing note.
    Add {
        /// The title of the note, if given.
        note: Option<String>,
        /// The added text.
        text: String,
    },
    /// A change in a note.
    Change {
        /// The title of the note, if given.
        note: Option<String>,
        /// The text that says how it is now.
        text: String,
    },
    /// A removal from a note.
    Remove {
        /// The title of the note, if given.
        note: Option<String>,
        /// The removed text.
        what: String,
    },
    /// A question to be answered from the notes.
    Answer {
        /// The title of a note for the answer; without it, nothing is written.
        title: Option<String>,
        /// The question.
        question: String,
    },
    /// An overview of a topic, or of everything.
    Overview {
        /// The title of a note that links the found notes; without it, nothing is written.
        title: Option<String>,
        /// The topic.
        topic: String,
    },
    /// A possible fault of a note.
    Issue {
        /// The note's title.
        note: String,
        /// The possible fault.
        text: String,
    },
    /// A link from a note to another.
    Link {
        /// The title of the note that gets the link.
        from: String,
        /// The title of the note that it leads to.
        to: String,
    },
    /// Another title for a note.
    Rename {
        /// The old title.
        from: String,
        /// The new one.
        to: String,
    },
    /// One note put into another.
    Merge {
        /// The title of the note that goes.
        from: String,
        /// The title of the note that stays.
        to: String,
    },
    /// A note to be deleted.
    Delete {
        /// Its title.
        title: String,
    },
    /// No change.
    Nothing,
}

/// Returns whether a plan can begin with a verb if a step may name that many notes or keys.
pub fn can_begin_with(verb: &str, titles: usize) -> bool {
    match verb {
        "new" | "answer" | "overview" | "nothing" => true,
        "add" | "change" | "remove" | "issue" | "rename" | "delete" => titles > 0,
        "link" | "merge" => titles > 1,
        _ => false,
    }
}

impl Step {
    /// Parses a line of a plan; `None` for any other line.
    pub fn parse(line: &str) -> Option<Self> {
        let line = ListMark::text_of(line.trim()).replace("**", "");
        let line = unquoted(line.trim_matches('`'));
        let end = line
            .find(|it: char| !it.is_alphabetic())
            .unwrap_or(line.len());
        let (verb, rest) = line.split_at(end);
        if verb.chars().count() > VERB_CHARS_MAX {
            return None;
        }
        let (name, said) = named(rest);
        let said_of = |said: Option<&str>| {
            let said = said.map(|said| unquoted(said).to_owned());
            said.filter(|said| !said.is_empty())
        };
        Some(match verb.to_lowercase().as_str() {
            "new" => Self::New {
                title: name,
                text: said_of(said)?,
            },
            "add" => Self::Add {
                note: name,
                text: said_of(said)?,
            },
            "change" => Self::Change {
                note: name,
                text: said_of(said)?,
            },
            "remove" => Self::Remove {
                note: name,
                what: said_of(said)?,
            },
            "answer" => Self::Answer {
                title: name,
                question: said_of(said)?,
            },
            "overview" => Self::Overview {
                title: name,
                topic: said_of(said)?,
            },
            "issue" => Self::Issue {
                note: name?,
                text: said_of(said)?,
            },
            "link" => pair(rest).map(|(from, to)| Self::Link { from, to })?,
            "rename" => pair(rest).map(|(from, to)| Self::Rename { from, to })?,
            "merge" => pair(rest).map(|(from, to)| Self::Merge { from, to })?,
            "delete" => Self::Delete {
                title: said_of(Some(bare(rest)))?,
            },
            "nothing" if rest.trim_matches(['.', ' ']).is_empty() => Self::Nothing,
            _ => return None,
        })
    }

    /// Returns the verb with which the step begins.
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::New { .. } => "new",
            Self::Add { .. } => "add",
            Self::Change { .. } => "change",
            Self::Remove { .. } => "remove",
            Self::Answer { .. } => "answer",
            Self::Overview { .. } => "overview",
            Self::Issue { .. } => "issue",
            Self::Link { .. } => "link",
            Self::Rename { .. } => "rename",
            Self::Merge { .. } => "merge",
            Self::Delete { .. } => "delete",
            Self::Nothing => "nothing",
        }
    }

    /// Returns whether the step only looks something up: a question or an overview.
    pub const fn is_lookup(&self) -> bool {
        matches!(self, Self::Answer { .. } | Self::Overview { .. })
    }

    /// Returns whether the step is about notes as a whole: it gathers, combines, renames or deletes
    /// them.
    pub const fn is_about_notes(&self) -> bool {
        matches!(
            self,
            Self::Overview { .. }
                | Self::Link { .. }
                | Self::Merge { .. }
                | Self::Rename { .. }
                | Self::Delete { .. }
        )
    }

    /// Returns whether the step is more than an answer.
    pub const fn acts(&self) -> bool {
        !matches!(self, Self::Nothing | Self::Answer { .. })
    }

    /// Returns the text that the step adds to the note of just that title, if it does.
    pub fn added_to(&self, title: &str) -> Option<&String> {
        let Self::Add {
            note: Some(own),
            text,
        } = self
        else {
            return None;
        };
        (own == title).then_some(text)
    }

    /// Returns the title of the note whose text the step edits, if it names one.
    pub fn note(&self) -> Option<&String> {
        let (Self::Add { note, .. } | Self::Change { note, .. } | Self::Remove { note, .. }) = self
        else {
            return None;
        };
        note.as_ref()
    }

    /// Returns the titles of the notes that the step is about.
    pub fn titles(&self) -> Vec<&str> {
        match self {
            Self::Add { .. } | Self::Change { .. } | Self::Remove { .. } => {
                self.note().into_iter().map(String::as_str).collect()
            }
            Self::Delete { title } | Self::Issue { note: title, .. } => vec![title],
            Self::Merge { from, to } | Self::Link { from, to } => vec![from, to],
            Self::Rename { from, .. } => vec![from],
            Self::New { .. } | Self::Answer { .. } | Self::Overview { .. } | Self::Nothing => {
                Vec::new()
            }
        }
    }

    /// Returns whether the step writes its text into a note.
    pub const fn writes(&self) -> bool {
        matches!(
            self,
            Self::New { .. } | Self::Add { .. } | Self::Change { .. }
        )
    }

    /// Returns the text of the step beside its verb, by which a note or a line is found.
    pub fn clause(&self) -> &str {
        match self {
            Self::New { text, .. }
            | Self::Add { text, .. }
            | Self::Change { text, .. }
            | Self::Issue { text, .. } => text,
            Self::Remove { what, .. } => what,
            Self::Answer { question, .. } => question,
            Self::Overview { topic, .. } => topic,
            Self::Link { from, .. } | Self::Rename { from, .. } | Self::Merge { from, .. } => from,
            Self::Delete { title } => title,
            Self::Nothing => "",
        }
    }
}

impl fmt::Display for Step {
    /// Writes the line that [`Step::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |name: &Option<String>| {
            name.as_ref()
                .map_or_else(String::new, |it| format!(" {it}"))
        };
        f.write_str(self.verb())?;
        match self {
            Self::New { title: name, text }
            | Self::Add { note: name, text }
            | Self::Change { note: name, text }
            | Self::Remove {
                note: name,
                what: text,
            }
            | Self::Answer {
                title: name,
                question: text,
            }
            | Self::Overview {
                title: name,
                topic: text,
            } => write!(f, "{}: {text}", of(name)),
            Self::Issue { note, text } => write!(f, " {note}: {text}"),
            Self::Link { from, to } | Self::Rename { from, to } | Self::Merge { from, to } => {
                write!(f, " {from} > {to}")
            }
            Self::Delete { title } => write!(f, " {title}"),
            Self::Nothing => Ok(()),
        }
    }
}

/// Parses a plan: its steps in order, each once.
/// `nothing` beside other steps is left out.
pub fn parse(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for step in text.lines().filter_map(Step::parse) {
        let mut before = steps.iter_mut();
        if let Some(change) = before.find(|before| notes_change(before, &step)) {
            *change = step;
        } else if steps.len() < STEPS_MAX && !steps.iter().any(|before| repeats(before, &step)) {
            steps.push(step);
        }
    }
    if steps.len() > 1 {
        steps.retain(|step| *step != Step::Nothing);
    }
    steps
}

/// Returns whether a step makes a new note of just the text of an earlier change.
/// A model that goes on changing the note before notices the new one late.
fn notes_change(before: &Step, step: &Step) -> bool {
    matches!((before, step), (Step::Change { text, .. }, Step::New { text: new, .. })
        if Terms::of(text) == Terms::of(new))
}

/// Returns whether a step repeats an earlier one.
/// A model that goes on for too long repeats a step in fewer words, or under another verb.
fn repeats(before: &Step, step: &Step) -> bool {
    if before == step {
        return true;
    }
    let (said, saying) = (Terms::of(before.clause()), Terms::of(step.clause()));
    before.writes() && step.writes() && !saying.is_empty() && saying.are_in(&said)
}

/// Splits ` TITLE: TEXT` into title and text; both are `None` without a colon. That of a time, such as
/// `14:40`, is none.
fn named(rest: &str) -> (Option<String>, Option<&str>) {
    let is_digit = |it: Option<&u8>| it.is_some_and(u8::is_ascii_digit);
    let bytes = rest.as_bytes();
    let is_of_time = |at: usize| {
        is_digit(at.checked_sub(1).and_then(|it| bytes.get(it))) && is_digit(bytes.get(at + 1))
    };
    let mut colons = rest.match_indices(':').map(|(at, _)| at);
    let parts = colons
        .find(|at| !is_of_time(*at))
        .and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)));
    let Some((name, said)) = parts else {
        return (None, None);
    };
    let name = bare(name);
    let is_named = !name.is_empty() && !name.eq_ignore_ascii_case("note");
    (is_named.then(|| name.to_owned()), Some(said.trim()))
}

/// Returns a text without quotes that enclose all of it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inner.filter(|it| !it.contains('"')).unwrap_or(text).trim()
}

/// Splits ` A > B`.
fn pair(rest: &str) -> Option<(String, String)> {
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let (from, to) = rest
        .split_once('>')
        .or_else(|| rest.split_once('\u{2192}'))?;
    let (from, to) = (bare(from.trim_end_matches('-')), bare(to));
    let is_pair = !from.is_empty() && !to.is_empty();
    is_pair.then(|| (from.to_owned(), to.to_owned()))
}

/// Returns a title without the quotes and brackets around it.
fn bare(title: &str) -> &str {
    let title = title.trim().trim_start_matches(':').trim();
    let title = title
        .strip_prefix("[[")
        .and_then(|it| it.strip_suffix("]]"))
        .unwrap_or(title);
    title
        .trim_matches(['"', '`', '\u{201c}', '\u{201d}', '\u{201e}'])
        .trim()
}

#[cfg(test)]
mod tests {
    use super::{Step, parse};

    #[test]
    fn a_line_is_read_and_written_in_one_form() {
        for (line, canonical) in [
            ("new Oven: The oven was repaired in May.", None),
            ("add: pliers", None),
            ("add Tool box: pliers", None),
            ("change: Line 9 leaves at 8:40.", None),
            ("remove: Marta", None),
            ("answer: Which toner does the printer need?", None),
            ("answer Toner: Which toner?", None),
            ("overview: the garden", None),
            ("overview Contents: all notes", None),
            ("issue Bus: Line 9 may be wrong.", None),
            ("link Kite > Tool box", None),
            ("rename Stuff > Cables", None),
            ("merge Kite repair > Kite", None),
            ("delete Umbrella", None),
            ("nothing", None),
            ("- New note: it rains", Some("new: it rains")),
            ("2. **Add:** \"pliers\"", Some("add: pliers")),
            ("add: the \"big\" saw", None),
            (
                "Link: [[Kite]] -> \"Tool box\"",
                Some("link Kite > Tool box"),
            ),
            ("DELETE: \"Umbrella\"", Some("delete Umbrella")),
            ("Nothing.", Some("nothing")),
        ] {
            let step = Step::parse(line).unwrap();
            assert_eq!(step.to_string(), canonical.unwrap_or(line));
            assert_eq!(Step::parse(&step.to_string()), Some(step));
        }
    }

    #[test]
    fn what_is_no_step_is_none() {
        for line in [
            "",
            "Sure, here is the plan:",
            "add",
            "add:",
            "new Oven",
            "issue: wrong",
            "link Kite",
            "link > Kite",
            "delete",
            "nothing to do with it",
            "renaming A > B",
            "<record_add>",
        ] {
            assert_eq!(Step::parse(line), None, "{line}");
        }
    }

    #[test]
    fn the_colon_of_a_time_separates_nothing() {
        for (line, expected) in [
            (
                "new Workshop at 14:40: by the pond",
                Some("Workshop at 14:40"),
            ),
            ("new Workshop at 14:40", None),
            ("new Room 7:by the pond", Some("Room 7")),
        ] {
            let title = match Step::parse(line) {
                Some(Step::New { title, .. }) => title,
                _ => None,
            };
            assert_eq!(title.as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn a_plan_says_each_thing_once() {
        let plan =
            |text: &str| -> Vec<String> { parse(text).iter().map(Step::to_string).collect() };
        assert_eq!(
            plan("add: pliers and nails\nadd: pliers\nnew List: nails\nremove: nails"),
            ["add: pliers and nails", "remove: nails"]
        );
        assert_eq!(plan("nothing\nadd: pliers"), ["add: pliers"]);
        assert_eq!(plan("nothing\nnothing"), ["nothing"]);
        let long: Vec<String> = (0..20)
            .map(|number| format!("add: thing{number}"))
            .collect();
        let long = long.join("\n");
        assert_eq!(parse(&long).len(), super::STEPS_MAX);
        assert!(parse("no plan at all").is_empty());
    }
}
