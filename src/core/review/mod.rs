//! Proposals: what a run wants to do to notes in mode `reviewed`, each with the version that it is
//! based on. A person decides later; nothing waits for that. Pure: made by the executor, applied through
//! the guard like any other change.

mod decide;

pub use decide::{Asked, Edits, Reviewed, check_editable, review};

use crate::core::agent::{ActionResult, ResultItem};
use crate::core::is_default;
use crate::core::merge::is_same_note;
use crate::core::notes::Note;
use crate::core::run::Behind;
use crate::ids::RunId;
use crate::limits::{PROPOSALS_PENDING_MAX, PROPOSALS_SHOWN_MAX};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is to become of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// It is to exist.
    Create,
    /// It is to have a new version.
    Update,
    /// It is to go.
    Delete,
}

/// A change of a note that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number, from 1 over the whole life of a root.
    pub number: u64,
    /// The run that made it.
    pub run_id: RunId,
    /// The iteration, from 1.
    pub iteration: u32,
    /// When.
    pub made_at: Timestamp,
    /// The instruction's element name.
    pub op: String,
    /// What the instruction aimed at, shortened.
    pub target: String,
    /// What is to become of the note.
    pub wanted: Wanted,
    /// The note as it would be; for a deletion as it was.
    pub note: Note,
    /// The note that it is based on; absent for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Note>,
    /// What stands behind its run, which may be forgotten before a person decides.
    #[serde(default, skip_serializing_if = "is_default")]
    pub behind: Behind,
}

impl Proposal {
    /// Whether another one asks for the same.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_about = self.wanted == Wanted::Create || self.note.id == other.note.id;
        self.wanted == other.wanted && is_about && is_same_note(&self.note, &other.note)
    }
}

/// What a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it is.
    Approved,
    /// With changes of the person's own.
    Edited,
    /// Not at all.
    Rejected,
    /// The run that made it was taken back before anybody decided.
    Withdrawn,
}

impl Verdict {
    /// Its name in the journal.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Edited => "edited",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A decision about a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The proposal.
    pub number: u64,
    /// What was decided.
    pub verdict: Verdict,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The note's version after it, where it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl Decided {
    /// What it is called in the audit.
    pub fn op(&self) -> String {
        format!("proposal.{}", self.verdict.name())
    }

    /// A proposal goes with the run that made it.
    pub const fn withdrawn(number: u64) -> Self {
        Self {
            number,
            verdict: Verdict::Withdrawn,
            reason: None,
            version: None,
        }
    }
}

/// The proposals of a root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposals {
    /// The number of the newest one there ever was.
    last: u64,
    /// Those that wait.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pending: BTreeMap<u64, Proposal>,
    /// What the model is still to be told, oldest first.
    #[serde(rename = "told", default, skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<ActionResult>,
}

impl Proposals {
    /// Whether there never was one.
    pub const fn is_empty(&self) -> bool {
        self.last == 0
    }

    /// The number of the newest one there ever was; 0 before the first.
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Those that wait, oldest first.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &Proposal> {
        self.pending.values()
    }

    /// How many of a run wait.
    pub fn waiting_of(&self, run_id: RunId) -> usize {
        let of_it = |proposal: &&Proposal| proposal.run_id == run_id;
        self.pending().filter(of_it).count()
    }

    /// One that waits.
    pub fn get(&self, number: u64) -> Option<&Proposal> {
        self.pending.get(&number)
    }

    /// What the next prompt tells of decisions; the one after it tells the next ones.
    pub fn outcomes(&self) -> &[ActionResult] {
        let count = self.outcomes.len().min(PROPOSALS_SHOWN_MAX);
        self.outcomes.get(..count).unwrap_or_default()
    }

    /// Takes a proposal in; one that is carried over is known already.
    pub fn add(&mut self, proposal: Proposal) {
        self.last = self.last.max(proposal.number);
        self.pending.insert(proposal.number, proposal);
    }

    /// Takes a decision in. One about a proposal that does not wait changes nothing.
    pub fn decide(&mut self, decided: &Decided) {
        let Some(proposal) = self.pending.remove(&decided.number) else {
            return;
        };
        self.outcomes.push(outcome(&proposal, decided));
        let over = self.outcomes.len().saturating_sub(PROPOSALS_PENDING_MAX);
        self.outcomes.drain(..over);
    }

    /// The first so many outcomes were told.
    pub fn forget_outcomes(&mut self, count: usize) {
        self.outcomes.drain(..count.min(self.outcomes.len()));
    }

    /// Everything but those that wait, for the journal to carry over.
    #[must_use]
    pub fn without_pending(&self) -> Self {
        Self {
            last: self.last,
            pending: BTreeMap::new(),
            outcomes: self.outcomes.clone(),
        }
    }

    /// Takes over what the journal carries: those that wait are carried beside it.
    pub fn take_over(&mut self, carried: &Self) {
        self.last = self.last.max(carried.last);
        self.outcomes.clone_from(&carried.outcomes);
    }
}

/// What the model is told of a decision.
fn outcome(proposal: &Proposal, decided: &Decided) -> ActionResult {
    let verdict = match decided.verdict {
        Verdict::Approved => "approved by a person",
        Verdict::Edited => "approved by a person, with changes",
        Verdict::Rejected => "rejected by a person",
        Verdict::Withdrawn => "withdrawn by a person, with all of its run",
    };
    let reason = decided.reason.as_deref().unwrap_or_default();
    let space = if reason.is_empty() { "" } else { ": " };
    let item = decided.version.map(|version| ResultItem {
        id: proposal.note.id,
        version,
        title: proposal.note.title.clone(),
        text: String::new(),
        links: Vec::new(),
        page: None,
    });
    ActionResult {
        op: proposal.op.clone(),
        target: proposal.target.clone(),
        code: None,
        message: format!("proposal {}: {verdict}{space}{reason}", proposal.number),
        items: item.into_iter().collect(),
        example: None,
        page: None,
    }
}
