//! Proposals: changes of notes in mode `reviewed`, each with the version that it is based on.
//! A person decides later; nothing waits for that. Pure: the executor makes proposals, and an
//! approved one passes the guard like any other change.

mod decide;

pub use decide::{Edits, ReviewDecision, ReviewResult, check_editable, review};

use crate::core::agent::{ActionResult, ResultItem};
use crate::core::is_default;
use crate::core::merge::is_same_note;
use crate::core::notes::Note;
use crate::core::run::RunAncestry;
use crate::ids::RunId;
use crate::limits::{PROPOSALS_PENDING_MAX, PROPOSALS_SHOWN_MAX};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kind of change that a proposal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposedChange {
    /// The note is created.
    Create,
    /// The note gets a new version.
    Update,
    /// The note is deleted.
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
    /// The time of its making.
    pub made_at: Timestamp,
    /// The name of the instruction.
    pub op: String,
    /// The target of the instruction, shortened.
    pub target: String,
    /// The kind of change.
    pub wanted: ProposedChange,
    /// The note after the change; for a deletion, the note before it.
    pub note: Note,
    /// The note before the change; absent for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Note>,
    /// The cause of its run.
    /// It is kept here because the run may be forgotten before a person decides.
    #[serde(default, skip_serializing_if = "is_default")]
    pub behind: RunAncestry,
}

impl Proposal {
    /// Returns whether another proposal asks for the same change.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_about = self.wanted == ProposedChange::Create || self.note.id == other.note.id;
        self.wanted == other.wanted && is_about && is_same_note(&self.note, &other.note)
    }
}

/// A decision about a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The change was approved as it is.
    Approved,
    /// The change was approved with changes by the person.
    Edited,
    /// The change was rejected.
    Rejected,
    /// An undo took back the run before anybody decided.
    Withdrawn,
}

impl Verdict {
    /// Returns the name in the journal.
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
pub struct ProposalDecision {
    /// The number of the proposal.
    pub number: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The version of the note after the decision, if the note exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl ProposalDecision {
    /// Returns the name of the decision in the audit.
    pub fn op(&self) -> String {
        format!("proposal.{}", self.verdict.name())
    }

    /// Returns the decision about a proposal whose run was taken back.
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
    /// The number of the newest proposal that was ever made.
    last: u64,
    /// The waiting proposals, by number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pending: BTreeMap<u64, Proposal>,
    /// The outcomes that no prompt has shown yet, oldest first.
    #[serde(rename = "told", default, skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<ActionResult>,
}

impl Proposals {
    /// Returns whether no proposal was ever made.
    pub const fn is_empty(&self) -> bool {
        self.last == 0
    }

    /// Returns the number of the newest proposal that was ever made; 0 before the first.
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Returns the waiting proposals, oldest first.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &Proposal> {
        self.pending.values()
    }

    /// Returns the number of waiting proposals of a run.
    pub fn waiting_of(&self, run_id: RunId) -> usize {
        let of_it = |proposal: &&Proposal| proposal.run_id == run_id;
        self.pending().filter(of_it).count()
    }

    /// Returns a waiting proposal.
    pub fn get(&self, number: u64) -> Option<&Proposal> {
        self.pending.get(&number)
    }

    /// Returns the outcomes that the next prompt shows: the oldest ones.
    pub fn outcomes(&self) -> &[ActionResult] {
        let count = self.outcomes.len().min(PROPOSALS_SHOWN_MAX);
        self.outcomes.get(..count).unwrap_or_default()
    }

    /// Adds a new or a carried proposal.
    pub fn add(&mut self, proposal: Proposal) {
        self.last = self.last.max(proposal.number);
        self.pending.insert(proposal.number, proposal);
    }

    /// Records a decision.
    /// A decision about a proposal that does not wait changes nothing.
    pub fn decide(&mut self, decided: &ProposalDecision) {
        let Some(proposal) = self.pending.remove(&decided.number) else {
            return;
        };
        self.outcomes.push(outcome(&proposal, decided));
        let over = self.outcomes.len().saturating_sub(PROPOSALS_PENDING_MAX);
        self.outcomes.drain(..over);
    }

    /// Removes the first `count` outcomes, which a prompt has shown.
    pub fn forget_outcomes(&mut self, count: usize) {
        self.outcomes.drain(..count.min(self.outcomes.len()));
    }

    /// Returns all but the waiting proposals, for the journal to carry over.
    #[must_use]
    pub fn without_pending(&self) -> Self {
        Self {
            last: self.last,
            pending: BTreeMap::new(),
            outcomes: self.outcomes.clone(),
        }
    }

    /// Takes over carried data.
    /// The waiting proposals are carried separately.
    pub fn take_over(&mut self, carried: &Self) {
        self.last = self.last.max(carried.last);
        self.outcomes.clone_from(&carried.outcomes);
    }
}

/// Returns the result about a decision for the next prompt.
fn outcome(proposal: &Proposal, decided: &ProposalDecision) -> ActionResult {
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
