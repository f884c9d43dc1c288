//! Organizing in the loop: who asks for it, the work that its prompt offers, the rewritten notes.
//! The prompt file says how to act on an offer.

use super::executor::{Executor, item};
use super::{ActionResult, LoopState, ResultItem};
use crate::core::guard::Scope;
use crate::core::journal::State;
use crate::core::memory::Ram;
use crate::core::notes::{
    Note, Notes, OrganizeOffer, OrganizeScan, OrganizeState, OrganizeTask, RewrittenNote,
    scan_notes,
};
use crate::limits::{OFFER_ALIKE_CHARS, OFFER_TARGET_CHARS, OFFER_TEXT_CHARS};

/// Returns whether `context` names organizing as the task.
pub fn is_organizing_asked(ram: &Ram) -> bool {
    ram.task() == Some(LoopState::RecordOrganizing.name())
}

/// Returns the look, with the versions of the notes that the reply rewrote.
pub(super) fn with_rewritten(
    look: &OrganizeScan,
    notes: &Notes,
    executor: &Executor<'_>,
) -> OrganizeScan {
    let rewritten = executor.overlay.written().filter_map(|note| {
        let (id, to) = (note.id, note.version);
        let from = notes.get(id)?.version;
        Some(RewrittenNote { id, from, to })
    });
    OrganizeScan {
        rewritten: rewritten.collect(),
        ..look.clone()
    }
}

/// Searches the notes for organizing work.
/// Only notes that the scope lets the agent change count.
pub fn scan_for_work(
    notes: &Notes,
    organizing: &OrganizeState,
    scope: &Scope,
    threshold: f64,
) -> OrganizeScan {
    let may_change = |note: &Note| {
        note.workspace_id == scope.workspace_id
            && scope.allowed_note_kinds.contains(&note.note_kind)
    };
    scan_notes(notes, organizing, threshold, may_change)
}

/// Returns the offers of a scan, as results for the prompt that it was made for.
pub fn offers_as_results(state: &State, look: &OrganizeScan) -> Vec<ActionResult> {
    look.offers
        .iter()
        .map(|offer| offer_as_result(state, offer))
        .collect()
}

fn offer_as_result(state: &State, offer: &OrganizeOffer) -> ActionResult {
    let notes = offer
        .notes
        .iter()
        .filter_map(|note| state.notes.get(note.id));
    let chars = match offer.chore {
        OrganizeTask::Alike => [OFFER_ALIKE_CHARS; 2],
        // The first is to be written anew, so it is shown whole; of the other the title counts.
        OrganizeTask::Unlinked | OrganizeTask::NoKeywords => [OFFER_TEXT_CHARS, OFFER_TARGET_CHARS],
    };
    let items = notes
        .zip(chars)
        .map(|(note, chars)| item(note, &state.notes, chars));
    let items: Vec<ResultItem> = items.collect();
    ActionResult {
        op: name_of(offer.chore).to_owned(),
        items,
        ..ActionResult::default()
    }
}

const fn name_of(chore: OrganizeTask) -> &'static str {
    match chore {
        OrganizeTask::Alike => "same?",
        OrganizeTask::Unlinked => "link?",
        OrganizeTask::NoKeywords => "keywords?",
    }
}
