//! A person's decision about a proposal: the changes to commit, or a conflict.
//! A conflict holds both texts. It occurs if the note has changed in the same place since.

use super::{Proposal, ProposalDecision, ProposedChange, Verdict};
use crate::core::guard::{Approved, Guard, Refusal, note_create_proposed, note_put_back};
use crate::core::journal::{Change, State};
use crate::core::merge;
use crate::core::notes::{Note, links_in};
use crate::core::undo::{ChangeTarget, Conflict, TargetContent};
use crate::failure::Code;
use crate::time::Timestamp;

/// A person's own changes of a proposal.
/// Absent parts stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// Another title.
    pub title: Option<String>,
    /// Other keywords.
    pub keywords: Option<Vec<String>>,
    /// Another text.
    pub value: Option<String>,
    /// Another kind.
    pub kind: Option<String>,
}

impl Edits {
    fn applied_to(&self, proposed: &Note) -> Note {
        let mut note = proposed.clone();
        note.title = self.title.clone().unwrap_or(note.title);
        note.keywords = self.keywords.clone().unwrap_or(note.keywords);
        note.note_kind = self.kind.clone().unwrap_or(note.note_kind);
        if let Some(value) = &self.value {
            note.links = links_in(value);
            note.value.clone_from(value);
        }
        note
    }
}

/// The decision that a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewDecision {
    /// The change is to happen.
    Approve,
    /// The change is to happen, with changes by the person.
    Edit(Edits),
    /// The change is not to happen.
    Reject {
        /// The reason.
        reason: Option<String>,
    },
}

/// The result of a review.
#[derive(Debug)]
pub enum ReviewResult {
    /// The proposal is decided.
    Done {
        /// The change of the note; empty if there is none.
        changes: Vec<Approved<Change>>,
        /// The decision.
        decided: ProposalDecision,
    },
    /// The note has changed in the same place since, so nothing is decided.
    Conflict(Conflict),
}

/// Checks that a person may edit a proposal before it is applied.
///
/// # Errors
/// `USAGE` for a deletion: the edits would go with the note.
pub fn check_editable(proposal: &Proposal) -> Result<(), Refusal> {
    match proposal.wanted {
        ProposedChange::Create | ProposedChange::Update => Ok(()),
        ProposedChange::Delete => Err(Refusal::new(
            Code::Usage,
            "what is proposed is a deletion, of which nothing can be edited",
        )),
    }
}

/// Decides a proposal.
/// The scope as it is now checks an approved change again.
///
/// # Errors
/// The refusals of the guard.
pub fn review(
    state: &State,
    proposal: &Proposal,
    asked: &ReviewDecision,
    guard: &Guard<'_>,
    now: Timestamp,
) -> Result<ReviewResult, Refusal> {
    let (verdict, wanted) = match asked {
        ReviewDecision::Approve => (Verdict::Approved, proposal.note.clone()),
        ReviewDecision::Edit(edits) => {
            check_editable(proposal)?;
            (Verdict::Edited, edits.applied_to(&proposal.note))
        }
        ReviewDecision::Reject { reason } => {
            let reason = reason.clone();
            return Ok(done(proposal, Verdict::Rejected, reason, None));
        }
    };
    let guard = &mut guard.clone().of_proposals();
    let present = state.notes.get(proposal.note.id);
    let change = match (proposal.wanted, &proposal.base, present) {
        (ProposedChange::Create, _, None) => Some(note_create_proposed(guard, &wanted, now)?),
        (ProposedChange::Update, Some(base), Some(present)) => {
            let Some(merged) = merge::note(base, &wanted, present) else {
                return Ok(conflict(proposal, &wanted, Some(present)));
            };
            if merge::is_same_note(&merged, present) {
                None
            } else {
                Some(note_put_back(guard, present, &merged, now)?)
            }
        }
        (ProposedChange::Delete, Some(base), Some(present))
            if merge::is_same_note(base, present) =>
        {
            Some(guard.note_delete(present, None, now)?)
        }
        // The note is gone already.
        (ProposedChange::Delete, _, None) => None,
        (ProposedChange::Create | ProposedChange::Update | ProposedChange::Delete, _, present) => {
            return Ok(conflict(proposal, &wanted, present));
        }
    };
    Ok(done(proposal, verdict, None, change))
}

fn done(
    proposal: &Proposal,
    verdict: Verdict,
    reason: Option<String>,
    change: Option<Approved<Change>>,
) -> ReviewResult {
    let changes: Vec<_> = change.into_iter().collect();
    let written = changes.iter().find_map(|change| change.get().note());
    let version = written.filter(|note| note.deleted_at.is_none());
    let decided = ProposalDecision {
        number: proposal.number,
        verdict,
        reason,
        version: version.map(|note| note.version),
    };
    ReviewResult::Done { changes, decided }
}

fn conflict(proposal: &Proposal, wanted: &Note, present: Option<&Note>) -> ReviewResult {
    let wanted = match proposal.wanted {
        ProposedChange::Create | ProposedChange::Update => TargetContent::note(Some(wanted)),
        ProposedChange::Delete => TargetContent::Nothing,
    };
    ReviewResult::Conflict(Conflict {
        place: ChangeTarget::Note {
            id: proposal.note.id,
        },
        wanted: wanted.text(),
        present: TargetContent::note(present).text(),
    })
}
