//! Small steps: a plan has one line for each thing, and the program carries the lines out.
//! A model chooses what is meant; it never writes a whole text again.
//!
//! - [`plan`]: the lines of a plan, written and read.
//! - [`line_certainty`]: how sure a model was of what the lines of a plan begin with.
//! - [`lines`]: a note's text as the lines that a person would point at.
//! - [`compose`]: the whole text after an addition, a changed line or a removal.
//! - [`spans`]: the words of a line that may be replaced.
//! - [`candidates`]: the notes that a request may mean.
//! - [`question`]: the questions to a model, and how a reply is read.
//! - [`reply_constraint`]: the constraints of replies.
//! - [`step_correction`]: corrections of a plan that can be computed.
//! - `new_note`: corrections of a plan's new note.
//! - [`left_out_facts`]: facts that a plan leaves out, in the words of the request.
//! - `plan_correction`, `splitting`: corrections that only all lines of a plan show.
//! - `request_questions`: the questions in a request, and the text that it dictates.
//! - [`dictation`]: the texts that a request dictates, most of them new notes.
//! - [`step_question`]: the few short questions that a step may need, and their replies.
//! - [`target`]: the note and the line that a step means.
//! - [`effects`]: the effects of a plan's line.
//! - `lookup`, `evident_line`, `overview`: answers to questions, the lines that are the answer by
//!   themselves, and overviews of a topic.
//! - [`sum`]: the sum of what several notes say in one unit.
//! - `term_weights`: the weights of terms that two texts share.
//! - `addressed_note`: the note that a request speaks of, if a plan names another one.
//! - [`checkboxes`]: items with a box, which are ticked and unticked.
//! - `assignment`, [`count_change`], `counts`: other names behind labels, changed counts, and counts in
//!   scripts without spaces.
//! - `addition`, `change`, [`removal`]: additions to a note, changed lines, removals.
//! - [`respelling`]: names and titles that a request spells in another way than a note.
//! - `evidence`: the words of a request that show where something belongs.
//! - [`check`]: whether the changes show what was asked for.

mod addition;
mod addressed_note;
mod assignment;
pub mod candidates;
mod change;
pub mod check;
pub mod checkboxes;
pub mod compose;
mod computed_change;
pub mod count_change;
mod counts;
pub mod dictation;
pub mod effects;
pub mod evidence;
mod evident_line;
pub mod left_out_facts;
pub mod line_certainty;
pub mod lines;
mod lookup;
mod meant_line;
mod meant_note;
pub mod new_note;
mod overview;
pub mod plan;
pub mod plan_correction;
pub mod question;
pub mod removal;
pub mod reply_constraint;
pub mod request_questions;
pub mod respelling;
pub mod spans;
mod splitting;
pub mod step_correction;
pub mod step_question;
pub mod sum;
pub mod target;
mod term_weights;

/// Returns a note for the tests of this module, with that number at the end of its id.
#[cfg(test)]
pub(crate) fn sample_note(number: u64, title: &str, value: &str) -> crate::core::notes::Note {
    let file = serde_json::json!({
        "id": format!("019aa5c4-0b6e-7f12-8d3a-{number:012}"),
        "workspace_id": "019aa5c4-0b6e-7f12-8d3a-91c7e4a20f56", "note_kind": "note",
        "title": title, "keywords": [], "value": value, "links": [], "issues": [],
        "version": 1, "created_at": "2026-11-22T00:00:00Z", "updated_at": "2026-11-22T00:00:00Z",
        "created_by": {"actor_type": "user", "run_id": null}, "deleted_at": null,
    });
    serde_json::from_value(file).unwrap()
}

/// Returns the target of a request for the tests of this module, with these notes alone.
#[cfg(test)]
pub(crate) const fn sample_target<'a>(
    notes: &'a [&'a crate::core::notes::Note],
    request: &'a str,
) -> target::Target<'a> {
    target::Target {
        notes,
        all: notes,
        keys: &[],
        request,
        of_other_steps: &[],
    }
}
