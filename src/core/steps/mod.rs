//! Small steps: a request is planned as one line for each thing, and the program carries the lines out. A
//! model chooses what is meant; it never writes a whole text again.
//!
//! - [`plan`]: what a plan's line says, written and read.
//! - [`lines`]: a note's text as the lines that a person would point at.
//! - [`compose`]: the whole text after an addition, a changed line or a removal.
//! - [`spans`]: the words of a line that may be replaced.
//! - [`candidates`]: the notes that a request may mean.
//! - [`question`]: what a model is asked, and how its reply is read.
//! - [`form`]: what a reply is kept to.
//! - [`amend`]: what can be computed about a plan.
//! - `new_note`: what a plan's new note comes to.
//! - [`completing`]: what a plan leaves out, as the request says it.
//! - `plan_correction`, `splitting`: what only all lines of a plan together show.
//! - `asked`: what a request asks, and the text that it brings along.
//! - [`ask`]: the few short questions that a step may need, and their replies.
//! - [`target`]: which note and which line a step means.
//! - [`carry`]: from a plan's line to its effects.
//! - `lookup`, `overview`: what the notes say to a question, or about something.
//! - `weights`: how much the terms say that two texts share.
//! - `assignment`, [`counting`]: who stands behind a label, and how many of what.
//! - `adding`, `change`, `removal`: more for a note, a line that is different now, something that goes.
//! - `evidence`: what a request says about where something belongs.
//! - [`check`]: whether what was done shows what was asked for.

mod adding;
pub mod amend;
pub mod ask;
pub mod asked;
mod assignment;
pub mod candidates;
pub mod carry;
mod change;
pub mod check;
pub mod completing;
pub mod compose;
mod computed;
pub mod counting;
mod dictation;
pub mod evidence;
pub mod form;
pub mod lines;
mod lookup;
pub mod new_note;
mod overview;
pub mod plan;
pub mod plan_correction;
pub mod question;
mod removal;
pub mod spans;
mod splitting;
pub mod target;
mod weights;

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
