//! Mode `reviewed` in the executor: approved changes of notes become proposals.

use super::{Done, Executor, Refused};
use crate::core::guard::{Approved, Refusal};
use crate::core::journal::Change;
use crate::core::notes::Note;
use crate::core::review::{Proposal, ProposedChange};
use crate::core::run::RunAncestry;
use crate::failure::Code;
use crate::limits::PROPOSALS_PENDING_MAX;

/// Records a change of a note as a proposal, and reports its number.
pub(super) fn propose(
    executor: &mut Executor<'_>,
    change: &Approved<Change>,
    base: Option<&Note>,
) -> Result<Done, Refused> {
    let (wanted, note) = match change.get() {
        Change::NoteCreated(written) => (ProposedChange::Create, &written.note),
        Change::NoteUpdated(written) => (ProposedChange::Update, &written.note),
        Change::NoteDeleted(written) => (ProposedChange::Delete, &written.note),
        Change::RamSet(_)
        | Change::RamDeleted(_)
        | Change::StorageSet(_)
        | Change::StorageDeleted(_) => return Ok(Done::default()),
    };
    let waiting =
        executor.context.state.proposals.pending().len() + executor.overlay.proposals.len();
    if waiting >= PROPOSALS_PENDING_MAX {
        let message = "too many proposals wait for a person; write no more for now";
        return Err(Refusal::new(Code::LimitExceeded, message).into());
    }
    let made = u64::try_from(executor.overlay.proposals.len()).unwrap_or(u64::MAX);
    let number = executor.context.state.proposals.last() + made + 1;
    let entry = executor.entries.last();
    let proposal = Proposal {
        number,
        run_id: executor.context.run.run_id,
        iteration: executor.context.run.loop_count + 1,
        made_at: executor.context.now,
        op: entry.map(|entry| entry.op.clone()).unwrap_or_default(),
        target: entry.map(|entry| entry.target.clone()).unwrap_or_default(),
        wanted,
        note: note.clone(),
        base: base.cloned(),
        behind: RunAncestry::of(executor.context.run),
    };
    let pending = executor.context.state.proposals.pending();
    let is_known = pending
        .chain(&executor.overlay.proposals)
        .any(|known| proposal.is_same(known));
    if is_known {
        let message = "this is proposed already; a person will decide";
        return Err(Refusal::new(Code::NearDuplicate, message).into());
    }
    executor.overlay.proposals.push(proposal);
    if let Some(entry) = executor.entries.last_mut() {
        entry.proposed = true;
    }
    executor.overlay.note_change();
    executor.overlay.progress.proposed = true;
    executor.overlay.wrote.record = true;
    let message = format!("proposal {number}; a person will decide");
    Ok(Done {
        feedback: Some((message, Vec::new())),
        base: base.cloned(),
        ..Done::default()
    })
}
