//! What one prompt tells the model about the effects of the reply before: `action_result`.
//! Results are data for a reader; they never decide anything.

use crate::core::journal::event::InstructionDecided;
use crate::core::memory::Tree;
use crate::core::prompt::Page;
use crate::core::protocol::Tag;
use crate::failure::Code;
use crate::ids::NoteId;
use crate::limits::RESULTS_KEPT_MAX;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Under which name something is told that is no instruction: a name in a result invites its repetition.
pub(super) const REPLY: &str = "reply";

/// The computed directory of the numbered results.
pub(in crate::core) const ACTION_RESULT: &str = "action_result";

/// What a model is told that was refused the same twice.
const ELSE: &str = "it will be refused each time: do something else, or leave it";

fn again(code: Code) -> String {
    format!("{code} again; ")
}

/// The outcome of one instruction, shown in the next prompt and only there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionResult {
    /// The instruction's element name as written.
    pub op: String,
    /// What it aimed at: a key, a title, a query. May be empty.
    pub target: String,
    /// The refusal's code; absent when the instruction was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// One short sentence; empty when the items say everything.
    pub message: String,
    /// Notes found or written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ResultItem>,
    /// An instruction that would be right, as a reply holds it; texts in it are escaped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// Which part of a text the message ends with, where it shows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Page>,
}

impl ActionResult {
    /// Whether it tells what became of an instruction.
    pub fn is_about(&self, decided: &InstructionDecided) -> bool {
        let is_unnamed = self.op == REPLY && Tag::parse(&decided.op).is_none();
        let is_of = |code: Code| match self.code {
            Some(Code::NoProgress) => self.message.starts_with(&again(code)),
            // Of several elements that are no instructions, it names its own.
            reported => {
                reported == Some(code) && (!is_unnamed || self.message.starts_with(&decided.op))
            }
        };
        (self.op == decided.op || is_unnamed)
            && self.target == decided.target
            && decided.code.map_or_else(|| self.code.is_none(), is_of)
    }

    /// The same, told of a refusal that was met before. What it is to look like was shown then.
    #[must_use]
    pub fn repeated(self, code: Code) -> Self {
        Self {
            code: Some(Code::NoProgress),
            message: again(code) + ELSE,
            example: None,
            ..self
        }
    }

    /// What is told of something that was wrong with a reply, and how it would be right. Names stand
    /// there without their brackets: escaped, each of those costs a small model several tokens, and as
    /// they are they read like markup.
    pub fn complaint(op: &str, code: Code, message: &str, example: Option<String>) -> Self {
        Self {
            op: op.to_owned(),
            code: Some(code),
            message: message.replace(['<', '>'], ""),
            example,
            ..Self::default()
        }
    }
}

/// A note as a result shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultItem {
    /// The note.
    pub id: NoteId,
    /// The version shown, which becomes the base of the model's next change.
    pub version: u64,
    /// Its title.
    pub title: String,
    /// Its text, possibly shortened with a visible mark.
    pub text: String,
    /// Titles of notes that it points to or that point to it: the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Which part of its text is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Page>,
}

/// The last results by their numbers, which count from 1 over the whole life of a root.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResultLog {
    /// The number of the newest one there ever was.
    last: u64,
    kept: BTreeMap<u64, ActionResult>,
}

impl ResultLog {
    /// Numbers some more, and lets go of the oldest.
    pub fn add(&mut self, results: &[ActionResult]) {
        for result in results {
            self.last = self.last.saturating_add(1);
            self.kept.insert(self.last, result.clone());
        }
        while self.kept.len() > RESULTS_KEPT_MAX {
            self.kept.pop_first();
        }
    }

    /// Whether there never was one.
    pub const fn is_empty(&self) -> bool {
        self.last == 0
    }

    /// Takes one away.
    pub fn remove(&mut self, number: u64) {
        self.kept.remove(&number);
    }

    /// Those that are kept, oldest first.
    pub fn kept(&self) -> impl Iterator<Item = (u64, &ActionResult)> {
        self.kept.iter().map(|(number, result)| (*number, result))
    }

    /// The result of a number, if it is kept.
    pub fn get(&self, number: u64) -> Option<&ActionResult> {
        self.kept.get(&number)
    }

    /// The numbers of the newest so many, which stand in a prompt from some place on.
    pub fn newest(&self, count: usize, from: usize) -> Numbered {
        let before = u64::try_from(count).unwrap_or(u64::MAX);
        Numbered {
            before: self.last.saturating_sub(before),
            from,
            count,
        }
    }

    /// The number of the newest one there ever was; 0 before the first.
    pub const fn last(&self) -> u64 {
        self.last
    }
}

/// Which results of a prompt can be looked up by number afterwards, and by which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbered {
    /// The number in front of the first one's.
    before: u64,
    /// The place of the first one among the results of the prompt.
    from: usize,
    count: usize,
}

impl Numbered {
    /// The number of the result in that place; none for one that follows from the state each time.
    pub fn of(&self, place: usize) -> Option<u64> {
        let at = place.checked_sub(self.from).filter(|at| *at < self.count)?;
        Some(self.before + 1 + u64::try_from(at).ok()?)
    }
}

/// The path by which a search brings a numbered result again.
pub(in crate::core) fn path_of_result(number: u64) -> String {
    format!("/{}/{ACTION_RESULT}/_{number}", Tree::WorkingMemory.name())
}
