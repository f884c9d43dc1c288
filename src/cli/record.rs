//! Formats runs for people: the run record, and the result of a run: its answer, or the notes that
//! it changed with a mark before each: `+` created, `~` updated, `-` deleted.

use super::context::Context;
use super::output::VerbOutput;
use super::text::{count, joined, one_line, pairs};
use super::time_text::at;
use crate::core::run::{self, Run, StopReason, Usage};
use crate::failure::Failure;
use crate::service::runs::LaunchedView;
use crate::store::{ChangedNote, NoteOutcome};
use crate::time::Timestamp;
use serde::Serialize;

/// The most characters of a request in a line of text.
const REQUEST_CHARACTERS_MAX: usize = 200;

/// Prints a launched run, and whether it was launched before.
pub(super) fn launched(context: &Context, launched: &LaunchedView) -> Result<VerbOutput, Failure> {
    context.answer(launched, || text_of(&launched.run.run))
}

/// Formats the record as a block of lines.
pub(super) fn text_of(run: &Run) -> String {
    text_with(run, None)
}

/// Like [`text_of`], but with the number of the run's waiting proposals, where it is known.
pub(super) fn text_with(run: &Run, waiting: Option<usize>) -> String {
    let time = |moment: Option<Timestamp>| moment.map(at).unwrap_or_default();
    let rule = run.rule_id.map(|id| id.to_string());
    let request = run.request.as_deref();
    let request = request.map(|text| one_line(text, REQUEST_CHARACTERS_MAX));
    let answer = run.answer.as_ref();
    let answer = answer.map(|answer| answer.text.replace('\n', "\n  "));
    let model = joined(run.provider.iter().chain(&run.model), " ");
    pairs(&[
        ("run", run.run_id.to_string()),
        ("state", state_text(run, waiting)),
        ("trigger", word(&run.trigger)),
        ("rule", rule.unwrap_or_default()),
        ("request", request.unwrap_or_default()),
        ("answer", answer.unwrap_or_default()),
        ("missing", run.not_shown().join(", ")),
        ("model", one_line(&model, REQUEST_CHARACTERS_MAX)),
        ("iterations", run.loop_count.to_string()),
        (
            "instructions",
            format!(
                "{} applied, {} refused, {} ignored",
                run.operation_count, run.rejected_count, run.ignored_count
            ),
        ),
        ("tokens", tokens_text(run.usage)),
        ("queued", at(run.queued_at)),
        ("started", time(run.started_at)),
        ("ended", time(run.completed_at)),
    ])
}

/// Returns the word before a number of tokens that is an estimate.
pub(super) const fn about(usage: Usage) -> &'static str {
    if usage.estimated_calls > 0 {
        "about "
    } else {
        ""
    }
}

/// Formats tokens and replies, their price if known, and the tokens that early ends have saved.
pub(super) fn tokens_text(usage: Usage) -> String {
    let replies = count(usage.calls, "reply");
    let (input, output) = (usage.input_tokens, usage.output_tokens);
    let about = about(usage);
    let price = match usage.cost_micro_dollars {
        0 => String::new(),
        price => format!(", {}.{:06} dollars", price / 1_000_000, price % 1_000_000),
    };
    let saved = match usage.saved_tokens {
        0 => String::new(),
        saved => format!(", up to {saved} saved by ending answers early"),
    };
    format!("{about}{input} in, {about}{output} out, {replies}{price}{saved}")
}

/// Formats the state of a run, with the reason if it has ended.
/// A review counts as pending only where the run's proposals are known to wait.
pub(super) fn state_text(run: &Run, waiting: Option<usize>) -> String {
    let state = word(&run.state);
    match (run.error_code, run.stop_reason) {
        (Some(code), _) => format!("{state} ({code})"),
        (None, Some(StopReason::PendingReview)) => match waiting {
            Some(0) => format!("{state} (reviewed)"),
            Some(_) => format!("{state} (pending review)"),
            None => format!("{state} (with proposals)"),
        },
        (None, Some(reason)) => format!("{state} ({})", word(&reason).replace('_', " ")),
        (None, None) => state,
    }
}

/// Returns a plain value as JSON spells it.
pub(super) fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

/// The most characters of a title on a line.
const TITLE_CHARACTERS_MAX: usize = 60;

/// Formats an answer, and a line with its source notes.
pub(super) fn answer_text(answer: &run::Answer) -> String {
    let text = answer.text.trim_end();
    if answer.sources.is_empty() {
        return format!("{text}\n");
    }
    let titles = answer.sources.iter();
    let titles = titles.map(|source| one_line(&source.title, TITLE_CHARACTERS_MAX));
    format!("{text}\nfrom: {}\n", joined(titles, ", "))
}

/// Returns the mark before the title of a changed note.
const fn mark(fate: NoteOutcome) -> char {
    match fate {
        NoteOutcome::Created => '+',
        NoteOutcome::Updated => '~',
        NoteOutcome::Deleted => '-',
    }
}

/// Formats the changed notes, each as a mark and a title.
pub(super) fn marked(notes: &[ChangedNote]) -> Vec<String> {
    let marked = |note: &ChangedNote| {
        let title = one_line(&note.title, TITLE_CHARACTERS_MAX);
        format!("{} {title}", mark(note.change))
    };
    notes.iter().map(marked).collect()
}

/// Formats the result of a run on one line: `? ` and its answer, or the marked notes.
pub(super) fn outcome_line(answer: Option<&run::Answer>, notes: &[ChangedNote]) -> String {
    let answer = answer.map(|answer| format!("? {}", one_line(&answer.text, TITLE_CHARACTERS_MAX)));
    joined(answer.into_iter().chain(marked(notes)), ", ")
}

#[cfg(test)]
mod tests {
    use super::{answer_text, marked, outcome_line};
    use crate::core::run::Answer;
    use crate::ids::NoteId;
    use crate::store::{ChangedNote, NoteOutcome};
    use serde_json::json;
    use uuid::Uuid;

    fn note(title: &str, change: NoteOutcome) -> ChangedNote {
        ChangedNote {
            note_id: NoteId(Uuid::nil()),
            title: title.to_owned(),
            change,
        }
    }

    #[test]
    fn notes_have_a_mark_and_answers_name_their_notes() {
        let notes = [
            note("Shopping list", NoteOutcome::Created),
            note("Minutes", NoteOutcome::Updated),
            note("Old\u{1b}[2J", NoteOutcome::Deleted),
        ];
        assert_eq!(
            marked(&notes),
            ["+ Shopping list", "~ Minutes", "- Old\\u{1b}[2J"]
        );
        let answer = json!({
            "text": "Tea and milk.\n", "found": true,
            "sources": [{"note_id": Uuid::nil(), "title": "Shopping list"}],
        });
        let answer: Answer = serde_json::from_value(answer).unwrap();
        assert_eq!(answer_text(&answer), "Tea and milk.\nfrom: Shopping list\n");
        assert_eq!(
            outcome_line(Some(&answer), &notes[..1]),
            "? Tea and milk., + Shopping list"
        );
        assert_eq!(outcome_line(None, &[]), "");
    }
}
