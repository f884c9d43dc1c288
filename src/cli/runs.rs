//! `runs`: formats the run records of the whole kept journal, and the result of a run: its answer,
//! or the notes that it changed with a mark before each: `+` created, `~` updated, `-` deleted.

use super::arguments::RunsVerb;
use super::follow::follow;
use super::table::Column;
use super::table::Kind::{Fixed, Id, Spare, Text};
use super::text::{ShortIds, at, count, joined, one_line, pairs, when, word};
use super::{Context, VerbOutput, audit, trace};
use crate::core::run::{self, Run, StopReason, Usage};
use crate::failure::Failure;
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::RunView;
use crate::service::runs::{self, LaunchedView, ListRuns, run_id_of};
use crate::store::{ChangedNote, NoteOutcome};
use crate::time::Timestamp;

const REQUEST_CHARACTERS_MAX: usize = 200;
const CELL_CHARACTERS_MAX: usize = 60;

const COLUMNS: [Column; 6] = [
    ("REQUEST", Text),
    ("STATE", Fixed),
    ("OUTCOME", Spare),
    ("QUEUED", Fixed),
    ("RUN", Id),
    ("TRIGGER", Spare),
];

pub(super) fn run(context: &Context, verb: RunsVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        RunsVerb::List(asked) => list(context, asked),
        RunsVerb::Undo { run, dry_run } => trace::undo_run(context, &run, dry_run),
        RunsVerb::Show(run) => context.answer(&runs::show(session, run)?, |shown| {
            let head = text_with(&shown.run.run, shown.run.waiting);
            format!("{head}\n{}", audit::lines(context, &shown.operations))
        }),
        RunsVerb::Watch { run } => {
            session.checked_disk()?;
            let run_id = run.map(|run| run_id_of(session, &run)).transpose()?;
            follow(context, run_id)
        }
        RunsVerb::Launch(mut asked) => {
            session.checked_disk()?;
            asked.request = context.text_or_input(asked.request, INBOX_FILE_BYTES_MAX)?;
            launched(context, &runs::launch(session, asked)?)
        }
        RunsVerb::Cancel(run) => recorded(context, &runs::cancel(session, run)?),
        RunsVerb::Retry(run) => recorded(context, &runs::retry(session, run)?),
    }
}

fn recorded(context: &Context, run: &RunView) -> Result<VerbOutput, Failure> {
    context.answer(run, |it| text_with(&it.run, None))
}

/// Prints a launched run, and whether it was launched before.
pub(super) fn launched(context: &Context, launched: &LaunchedView) -> Result<VerbOutput, Failure> {
    context.answer(launched, |it| text_with(&it.run.run, None))
}

/// Lists runs with their results.
fn list(context: &Context, asked: ListRuns) -> Result<VerbOutput, Failure> {
    let found = runs::list(&context.session, asked)?;
    let ids = ShortIds::of(&found.ids);
    context.list(&found, &found.list, COLUMNS, |outcome| {
        let RunView { run, waiting } = &outcome.run;
        let request = run.request.as_deref().unwrap_or("(no request)");
        let came = outcome_line(run.answer.as_ref(), &outcome.changed_notes);
        [
            one_line(request, CELL_CHARACTERS_MAX),
            state_text(run, *waiting),
            one_line(&came, CELL_CHARACTERS_MAX),
            when(run.queued_at),
            ids.short(&run.run_id),
            word(&run.trigger),
        ]
    })
}

/// Formats a run record as a block of lines; `waiting` are its waiting proposals, where known.
pub(super) fn text_with(run: &Run, waiting: Option<usize>) -> String {
    let time = |moment: Option<Timestamp>| moment.map(at).unwrap_or_default();
    let rule = run.rule_id.map(|id| id.to_string());
    let agent = run.agent.as_ref().map(ToString::to_string);
    let request = run.request.as_deref().unwrap_or_default();
    let answer = run.answer.as_ref();
    let answer = answer.map(|answer| answer.text.replace('\n', "\n  "));
    let model = joined(run.provider.iter().chain(&run.model), " ");
    pairs(&[
        ("run", run.run_id.to_string()),
        ("state", state_text(run, waiting)),
        ("trigger", word(&run.trigger)),
        ("rule", rule.unwrap_or_default()),
        ("agent", agent.unwrap_or_default()),
        ("request", one_line(request, REQUEST_CHARACTERS_MAX)),
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

/// Formats an answer, and a line with its source notes.
pub(super) fn answer_text(answer: &run::Answer) -> String {
    let text = answer.text.trim_end();
    if answer.sources.is_empty() {
        return format!("{text}\n");
    }
    let sources = answer.sources.iter();
    let titles = sources.map(|source| one_line(&source.title, CELL_CHARACTERS_MAX));
    format!("{text}\nfrom: {}\n", joined(titles, ", "))
}

/// Formats the changed notes, each as a mark and a title.
pub(super) fn marked(notes: &[ChangedNote]) -> Vec<String> {
    let marked = notes.iter().map(|note| {
        let mark = match note.change {
            NoteOutcome::Created => '+',
            NoteOutcome::Updated => '~',
            NoteOutcome::Deleted => '-',
        };
        format!("{mark} {}", one_line(&note.title, CELL_CHARACTERS_MAX))
    });
    marked.collect()
}

/// Formats the result of a run on one line: `? ` and its answer, or the marked notes.
fn outcome_line(answer: Option<&run::Answer>, notes: &[ChangedNote]) -> String {
    let answer = answer.map(|answer| format!("? {}", one_line(&answer.text, CELL_CHARACTERS_MAX)));
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
