//! The feedback on one reply in the next prompt, `action_result`.
//! Results are data for a reader; no decision depends on them.

use crate::core::journal::event::InstructionDecided;
use crate::core::memory::Tree;
use crate::core::prompt::TextPage;
use crate::core::protocol::Tag;
use crate::failure::Code;
use crate::ids::NoteId;
use crate::limits::RESULTS_KEPT_MAX;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The `op` of a result that is about no instruction.
/// A model repeats the names that it reads in results.
pub(super) const REPLY: &str = "reply";

/// The computed directory of the numbered results.
pub(in crate::core) const ACTION_RESULT: &str = "action_result";

/// The end of the message for an instruction that was refused twice with the same code.
const ELSE: &str = "it will be refused each time: do something else, or leave it";

fn again(code: Code) -> String {
    format!("{code} again; ")
}

/// The outcome of one instruction, shown only in the next prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionResult {
    /// The name of the instruction as written.
    pub op: String,
    /// The target: a key, a title or a query.
    /// May be empty.
    pub target: String,
    /// The refusal's code; absent when the instruction was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// One short sentence; empty when the items say everything.
    pub message: String,
    /// Notes found or written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ResultItem>,
    /// A correct instruction as it stands in a reply; its texts are escaped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The part of a text that the message ends with, if it shows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<TextPage>,
}

impl ActionResult {
    /// Returns whether the result reports the outcome of that instruction.
    pub fn is_about(&self, decided: &InstructionDecided) -> bool {
        let is_unnamed = self.op == REPLY && Tag::parse(&decided.op).is_none();
        let is_of = |code: Code| match self.code {
            Some(Code::NoProgress) => self.message.starts_with(&again(code)),
            // Several elements may be no instructions; the message begins with the name of this
            // one.
            reported => {
                reported == Some(code) && (!is_unnamed || self.message.starts_with(&decided.op))
            }
        };
        (self.op == decided.op || is_unnamed)
            && self.target == decided.target
            && decided.code.map_or_else(|| self.code.is_none(), is_of)
    }

    /// Returns the result for a refusal that happened before.
    /// It has no example: the first result showed one.
    #[must_use]
    pub fn repeated(self, code: Code) -> Self {
        Self {
            code: Some(Code::NoProgress),
            message: again(code) + ELSE,
            example: None,
            ..self
        }
    }

    /// Returns a result about a fault in a reply, with a correct example.
    /// Names have no angle brackets: escaped, each of them costs a small model several tokens, and
    /// unescaped they read like markup.
    pub fn error(op: &str, code: Code, message: &str, example: Option<String>) -> Self {
        Self {
            op: op.to_owned(),
            code: Some(code),
            message: message.replace(['<', '>'], ""),
            example,
            ..Self::default()
        }
    }
}

/// A note in a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultItem {
    /// The note.
    pub id: NoteId,
    /// The version shown, which becomes the base of the model's next change.
    pub version: u64,
    /// Its title.
    pub title: String,
    /// Its text, shortened with a visible mark if it is too long.
    pub text: String,
    /// The first titles of the notes that it links to or that link to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The part of its text that is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<TextPage>,
}

/// The last results by number.
/// Numbers count from 1 over the whole life of a root.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResultLog {
    /// The number of the newest result that was ever added.
    last: u64,
    kept: BTreeMap<u64, ActionResult>,
}

impl ResultLog {
    /// Numbers and adds results, and removes the oldest ones above the limit.
    pub fn add(&mut self, results: &[ActionResult]) {
        for result in results {
            self.last = self.last.saturating_add(1);
            self.kept.insert(self.last, result.clone());
        }
        while self.kept.len() > RESULTS_KEPT_MAX {
            self.kept.pop_first();
        }
    }

    /// Returns whether no result was ever added.
    pub const fn is_empty(&self) -> bool {
        self.last == 0
    }

    /// Removes a result.
    pub fn remove(&mut self, number: u64) {
        self.kept.remove(&number);
    }

    /// Returns the kept results, oldest first.
    pub fn kept(&self) -> impl Iterator<Item = (u64, &ActionResult)> {
        self.kept.iter().map(|(number, result)| (*number, result))
    }

    /// Returns the result of a number, if it is kept.
    pub fn get(&self, number: u64) -> Option<&ActionResult> {
        self.kept.get(&number)
    }

    /// Returns the numbers of the newest `count` results.
    /// A prompt shows them from place `from` on.
    pub fn newest(&self, count: usize, from: usize) -> Numbered {
        let before = u64::try_from(count).unwrap_or(u64::MAX);
        Numbered {
            before: self.last.saturating_sub(before),
            from,
            count,
        }
    }

    /// Returns the number of the newest result that was ever added; 0 before the first.
    pub const fn last(&self) -> u64 {
        self.last
    }
}

/// The numbers of those results of a prompt that can be looked up later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbered {
    /// The number before that of the first result.
    before: u64,
    /// The place of the first numbered result among the results of the prompt.
    from: usize,
    count: usize,
}

impl Numbered {
    /// Returns the number of the result in a place.
    /// `None` for a result that follows from the state each time.
    pub fn of(&self, place: usize) -> Option<u64> {
        let at = place.checked_sub(self.from).filter(|at| *at < self.count)?;
        Some(self.before + 1 + u64::try_from(at).ok()?)
    }
}

/// Returns the path by which a search finds a numbered result.
pub(in crate::core) fn path_of_result(number: u64) -> String {
    format!("/{}/{ACTION_RESULT}/_{number}", Tree::WorkingMemory.name())
}
