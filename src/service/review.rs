//! A person's decisions on what runs propose, singly or in bulk.
//!
//! Each decision is one commit; a conflict of one is reported, and the others go on.

use super::change::change_each;
use super::list::{List, PageQuery};
use super::notes::NoteChanges;
use super::pending_edits::warn_of_ids;
use super::session::Session;
use crate::core::journal::event::ProposalsChanged;
use crate::core::journal::{Cause, Event, REVIEW, State};
use crate::core::notes::Note;
use crate::core::review::{
    Edits, Proposal, ProposalDecision, ReviewDecision, ReviewResult, check_editable, review,
};
use crate::core::undo::Conflict;
use crate::daemon::{ChangeContext, DraftParts};
use crate::failure::{Code, Failure};
use crate::ids::{RunId, WorkspaceId};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeSet;

/// The proposals that are to be decided.
#[derive(Args, Clone, Debug)]
pub struct WhichProposals {
    /// Their numbers.
    #[arg(value_name = "NUMBER", required_unless_present = "all")]
    pub numbers: Vec<u64>,
    /// All waiting proposals.
    #[arg(long, conflicts_with = "numbers")]
    pub all: bool,
}

/// A page of the proposals that wait, with the ids of what all of them name.
#[derive(Debug, Serialize)]
pub struct WaitingProposals {
    #[serde(flatten)]
    pub list: List<Proposal>,
    #[serde(skip)]
    pub runs: Vec<RunId>,
    #[serde(skip)]
    pub workspaces: Vec<WorkspaceId>,
}

/// A proposal beside the note as it is.
#[derive(Debug, Serialize)]
pub struct ShownProposal {
    #[serde(flatten)]
    pub proposal: Proposal,
    /// The note as it is, if there is one.
    pub present: Option<Note>,
}

/// The report of a person's decisions.
#[derive(Debug, Default, Serialize)]
pub struct ReviewReport {
    pub decided: Vec<ProposalDecision>,
    /// The proposals that go on waiting, with both texts.
    pub conflicts: Vec<StaleProposal>,
    /// The proposals that could not be decided, and why.
    pub refused: Vec<RefusedProposal>,
    /// The code of the first conflict or refusal.
    pub code: Option<Code>,
}

/// A proposal that could not be decided.
#[derive(Debug, Serialize)]
pub struct RefusedProposal {
    pub number: u64,
    pub code: Code,
    pub message: String,
}

enum ReviewOutcome {
    Done(ProposalDecision),
    Stale(StaleProposal),
    Refused(RefusedProposal),
}

/// A proposal that goes on waiting, since the note has changed in the same place.
#[derive(Debug, Serialize)]
pub struct StaleProposal {
    pub number: u64,
    #[serde(flatten)]
    pub conflict: Conflict,
}

/// Lists the proposals that wait, oldest first.
pub fn list(session: &Session, page: PageQuery) -> Result<WaitingProposals, Failure> {
    let state = session.present()?;
    let all: Vec<Proposal> = state.proposals.pending().cloned().collect();
    let runs = all.iter().map(|it| it.run_id).collect();
    let workspaces = all.iter().map(|it| it.note.workspace_id).collect();
    let list = List::page(all, page);
    warn_of_ids(session, &state, list.items.iter().map(|it| it.note.id))?;
    Ok(WaitingProposals {
        list,
        runs,
        workspaces,
    })
}

/// Returns a proposal that waits, beside the note as it is.
pub fn show(session: &Session, number: u64) -> Result<ShownProposal, Failure> {
    let state = session.present()?;
    let proposal = waiting(&state, number)?.clone();
    let present = state.notes.get(proposal.note.id).cloned();
    warn_of_ids(session, &state, std::iter::once(proposal.note.id))?;
    Ok(ShownProposal { proposal, present })
}

/// Returns a proposal that waits and that a person may change before it is applied.
pub fn editable(session: &Session, number: u64) -> Result<Proposal, Failure> {
    let state = session.present()?;
    let proposal = waiting(&state, number)?;
    check_edit(proposal)?;
    Ok(proposal.clone())
}

/// Applies a proposal with a person's changes.
pub fn edit(session: &Session, number: u64, changes: NoteChanges) -> Result<ReviewReport, Failure> {
    let written = changes.written()?;
    let edits = Edits {
        title: written.title,
        keywords: written.keywords,
        value: written.value,
        kind: written.kind,
    };
    let which = WhichProposals {
        numbers: vec![number],
        all: false,
    };
    decide(session, which, ReviewDecision::Edit(edits))
}

fn waiting(state: &State, number: u64) -> Result<&Proposal, Failure> {
    state.proposals.get(number).ok_or_else(|| {
        let message = format!("no proposal {number} waits");
        Failure::new(Code::ProposalNotFound, message)
    })
}

/// Decides proposals one after the other, each upon the state that the one before left.
///
/// A conflict or a refusal of one of several holds back none of the others.
pub fn decide(
    session: &Session,
    mut which: WhichProposals,
    asked: ReviewDecision,
) -> Result<ReviewReport, Failure> {
    // A number that is named twice counts once.
    let mut named = BTreeSet::new();
    which.numbers.retain(|number| named.insert(*number));
    let is_single = which.numbers.len() == 1;
    let list = move |state: &State| {
        let pending = state.proposals.pending().map(|it| it.number);
        if which.all {
            pending.collect()
        } else {
            which.numbers
        }
    };
    let outcomes = change_each(session, list, move |cx, number| {
        decide_one(cx, number, &asked).or_else(|failure| {
            if is_single {
                return Err(failure);
            }
            let Failure { code, message, .. } = failure;
            let refused = RefusedProposal {
                number,
                code,
                message,
            };
            let nothing = DraftParts::of(&Cause::plain(REVIEW), Vec::new());
            Ok((nothing, ReviewOutcome::Refused(refused)))
        })
    })?;
    let mut report = ReviewReport::default();
    for outcome in outcomes {
        let code = match &outcome {
            ReviewOutcome::Done(_) => None,
            ReviewOutcome::Stale(_) => Some(Code::VersionConflict),
            ReviewOutcome::Refused(refused) => Some(refused.code),
        };
        report.code = report.code.or(code);
        match outcome {
            ReviewOutcome::Done(decided) => report.decided.push(decided),
            ReviewOutcome::Stale(stale) => report.conflicts.push(stale),
            ReviewOutcome::Refused(refused) => report.refused.push(refused),
        }
    }
    Ok(report)
}

fn decide_one(
    cx: &ChangeContext<'_>,
    number: u64,
    asked: &ReviewDecision,
) -> Result<(DraftParts, ReviewOutcome), Failure> {
    let proposal = waiting(cx.state, number)?;
    if matches!(asked, ReviewDecision::Edit(_)) {
        check_edit(proposal)?;
    }
    let cause = Cause::run(REVIEW, proposal.run_id);
    let mut events = Vec::new();
    let outcome = match review(cx.state, proposal, asked, &cx.guard, cx.now)? {
        ReviewResult::Done { changes, decided } => {
            events.extend(changes.into_iter().map(Event::Change));
            let fact = ProposalsChanged::Decided(decided.clone());
            events.push(Event::ProposalsChanged(fact));
            ReviewOutcome::Done(decided)
        }
        ReviewResult::Conflict(conflict) => {
            ReviewOutcome::Stale(StaleProposal { number, conflict })
        }
    };
    Ok((DraftParts { cause, events }, outcome))
}

fn check_edit(proposal: &Proposal) -> Result<(), Failure> {
    let number = proposal.number;
    check_editable(proposal).map_err(|refusal| {
        Failure::from(refusal).only_hint(format!(
            "`review reject {number}` keeps the note, and `notes edit` changes it."
        ))
    })
}
