//! What is there already that a new note says: its twin of the same run, and notes that say much the
//! same. Writes nothing.

use super::feedback::{FULL_TEXT_CHARS, item};
use super::{Executor, Refused};
use crate::core::guard::Refusal;
use crate::core::notes::{Face, Note, similar_to};
use crate::failure::Code;
use crate::limits::SIMILAR_SHOWN_MAX;

/// Whether this run has written a new note before, word for word. Small models repeat their last
/// step, and nobody asked for the same note twice.
pub(super) fn is_twin(
    executor: &Executor<'_>,
    written: &Note,
    new: &Note,
    is_titled: bool,
) -> bool {
    written.created_by.run_id == Some(executor.context.run.run_id)
        && written.value == new.value
        && written.note_kind == new.note_kind
        && (!is_titled || written.title == new.title)
}

/// Notes of its workspace that say much the same as a new one, those of this reply included.
pub(super) fn similar(executor: &Executor<'_>, new: &Note) -> Vec<Note> {
    let threshold = executor.context.note_policy.similar_threshold;
    let is_near = |note: &Note| {
        note.workspace_id == new.workspace_id && executor.overlay.guard.reads(note.workspace_id)
    };
    let is_stored = |note: &Note| is_near(note) && !executor.overlay.has_written(note.id);
    let stored = &executor.context.state.notes;
    let stored = similar_to(new, stored, threshold, SIMILAR_SHOWN_MAX, is_stored);
    let face = Face::of(new);
    let drafted = executor.overlay.written();
    let drafted = drafted.filter(|note| face.likeness(&Face::of(note)) >= threshold);
    let similar = stored.notes.into_iter().map(|(_, note)| note);
    similar
        .chain(drafted)
        .take(SIMILAR_SHOWN_MAX)
        .cloned()
        .collect()
}

/// A note that says what another says already is refused with that one, whole, to be updated.
pub(super) fn near_duplicate(executor: &Executor<'_>, existing: &Note) -> Refused {
    Refused {
        refusal: Refusal::new(
            Code::NearDuplicate,
            "this note says much the same; if something is new, record_update it",
        ),
        items: vec![item(
            existing,
            &executor.context.state.notes,
            FULL_TEXT_CHARS,
        )],
        instead: Some(existing.id),
    }
}
