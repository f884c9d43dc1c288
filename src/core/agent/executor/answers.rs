//! Answers to the person's questions in the executor.
//! An answer that the program has not checked counts only if the shown notes contain it.

use super::{Done, Executor, Refused, TARGET_CHARS};
use crate::core::guard::Refusal;
use crate::core::notes::Note;
use crate::core::prompt::shorten;
use crate::core::protocol::Tag;
use crate::core::run::{Answer, AnswerSource, OpenRefusal};
use crate::core::steps::check::is_answer_from;
use crate::failure::Code;
use crate::ids::NoteId;

/// The message for an answer that the notes do not contain.
const UNKNOWN: &str = "the notes shown do not say that; answer with their own words";

/// Records an answer.
/// `found` means that the program knows it to come from `sources`. If it is not found, `sources`
/// are the notes that the program searched in vain.
pub(super) fn answer(
    executor: &mut Executor<'_>,
    text: &str,
    sources: &[NoteId],
    found: bool,
) -> Result<Done, Refused> {
    let is_own = found || !sources.is_empty();
    let shown: Vec<NoteId> = if is_own {
        sources.to_vec()
    } else {
        let shown = executor.context.shown.iter();
        shown.map(|it| it.id).collect()
    };
    let notes: Vec<&Note> = shown
        .iter()
        .filter_map(|id| executor.overlay.note(*id))
        .collect();
    let request = executor.context.run.request.as_deref().unwrap_or_default();
    let lines: Vec<String> = notes.iter().map(|note| note.value.clone()).collect();
    if !is_own && !is_answer_from(text, &lines, request) {
        return Err(Refusal::new(Code::NotAnswered, UNKNOWN).into());
    }
    let sources = notes.iter().map(|note| AnswerSource {
        note_id: note.id,
        title: note.title.clone(),
    });
    let answer = Answer {
        text: text.to_owned(),
        found: found || !is_own,
        sources: sources.collect(),
    };
    let overlay = &mut executor.overlay;
    overlay.progress.note_step();
    overlay.wrote.record = true;
    if answer.found {
        overlay.progress.settled = overlay.progress.settled.saturating_add(1);
    } else {
        overlay.progress.open_refusals.push(OpenRefusal {
            op: Tag::Answer.name().to_owned(),
            target: shorten(request, TARGET_CHARS),
            code: Code::NotAnswered,
            instead: None,
        });
    }
    overlay.answers.push(answer);
    Ok(Done::default())
}
