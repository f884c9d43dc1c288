//! `notes import`: imports notes from a person's files, and reports the results. Beside a daemon it
//! reads the files and hands the notes over in bounded parts; the daemon decides about each part in
//! one commit. Both sides of that exchange are here.

use super::arguments::Format;
use super::context::{Context, read_input};
use super::forwarding::forward;
use super::output::VerbOutput;
use super::record::word;
use super::text::{add_line, count, visible};
use super::words_of;
use crate::api::Call;
use crate::failure::{Code, Failure};
use crate::limits::{API_BODY_BYTES_MAX, IMPORT_COMMIT_NOTES_MAX};
use crate::service::import::{
    Import, ImportDecision, ImportNotes, ImportOutcome, ImportReport, ResolvedEntry, take_part,
};
use crate::strict_json;
use serde_json::json;

/// The command line that a part is sent with.
const WORDS: [&str; 4] = ["notes", "import", "--part", "-"];

/// The bytes of a body that are not notes: the words and brackets.
const AROUND_BYTES: usize = 1024;

/// Runs the verb.
pub(super) fn run(context: &Context, options: &ImportNotes) -> Result<VerbOutput, Failure> {
    if options.part {
        return take_part_of(context);
    }
    let session = &context.session;
    let config = session.load()?.config;
    let mut import = Import::begin(&config, options, read_input)?;
    if options.dry_run {
        import.try_out(session, &config)?;
    } else {
        match import.take_in(session) {
            Err(locked) if locked.code == Code::DataLocked => {
                hand_notes_over(context, &mut import, &locked)?;
            }
            taken_in => taken_in?,
        }
    }
    let report = import.report(options.dry_run);
    if report.items.is_empty() {
        context.inform(if options.json {
            "hint: no JSON file was found; without --json, Markdown is read"
        } else {
            "hint: no Markdown file was found; with --json, JSON is read"
        });
    }
    let answer = context.answer(&report, || text_of(&report))?;
    Ok(answer.ok_if(report.is_complete()))
}

fn text_of(report: &ImportReport) -> String {
    let mut text = String::new();
    for entry in &report.items {
        if entry.outcome == ImportOutcome::Unchanged && entry.reason.is_none() {
            continue;
        }
        let place = entry.line.map(|line| format!(":{line}"));
        let place = place.unwrap_or_default();
        let what_became = word(&entry.outcome);
        let what = match (&entry.reason, entry.code, entry.note_id) {
            (Some(reason), Some(code), _) => format!("{code}: {reason}"),
            (Some(reason), None, _) => reason.clone(),
            (None, _, id) => id.map(|id| id.to_string()).unwrap_or_default(),
        };
        let file = visible(&entry.file).replace('\n', "\\n");
        add_line(
            &mut text,
            format_args!("{what_became:9}  {file}{place}  {what}"),
        );
    }
    let would = if report.dry_run {
        "nothing was changed; an import would come to: "
    } else {
        ""
    };
    let conflicts = count(report.conflicts, "conflict");
    text + &format!(
        "{would}{} created, {} updated, {} unchanged, {conflicts}, {} failed",
        report.created, report.updated, report.unchanged, report.failed
    )
}

/// The notes that are sent together.
#[derive(Debug, Default)]
struct ImportBatch {
    places: Vec<usize>,
    notes: Vec<String>,
    bytes: usize,
}

/// Has the daemon import all notes.
/// Parts before a failure stay imported.
fn hand_notes_over(
    context: &Context,
    import: &mut Import,
    locked: &Failure,
) -> Result<(), Failure> {
    let mut part = ImportBatch::default();
    while let Some(brought) = import.next_note() {
        let note = json!(brought).to_string();
        let bytes = bytes_sent(&note);
        if bytes + AROUND_BYTES > API_BODY_BYTES_MAX {
            let reason = "it is too large to be taken in beside a daemon";
            import.refuse(brought.place, Code::LimitExceeded, reason);
            continue;
        }
        let is_full = part.notes.len() >= IMPORT_COMMIT_NOTES_MAX
            || part.bytes + bytes + AROUND_BYTES > API_BODY_BYTES_MAX;
        if is_full {
            send(context, import, std::mem::take(&mut part), locked)?;
        }
        part.places.push(brought.place);
        part.notes.push(note);
        part.bytes += bytes;
    }
    if part.notes.is_empty() {
        return Ok(());
    }
    send(context, import, part, locked)
}

fn send(
    context: &Context,
    import: &mut Import,
    part: ImportBatch,
    locked: &Failure,
) -> Result<(), Failure> {
    let context = context.with_input(format!("[{}]", part.notes.join(",")));
    let answer = forward(&context, words_of(Format::Json, &WORDS), locked.clone())?;
    let decided: Vec<ImportDecision> = serde_json::from_str(&answer.text).map_err(|error| {
        let message = format!("the daemon's answer cannot be read: {error}");
        Failure::new(Code::Internal, message)
    })?;
    for (place, decided) in part.places.into_iter().zip(decided) {
        import.settle(place, decided);
    }
    Ok(())
}

/// Returns the bytes of a text within the body, where its quotes are escaped once more.
fn bytes_sent(text: &str) -> usize {
    let call = Call {
        words: Vec::new(),
        input: Some(text.to_owned()),
    };
    json!(call).to_string().len()
}

/// Imports a part that another process has read: one commit, and a decision about each note.
fn take_part_of(context: &Context) -> Result<VerbOutput, Failure> {
    let text = context.value_or_input("-".to_owned(), API_BODY_BYTES_MAX)?;
    let invalid = |what: String| Failure::new(Code::ImportInvalid, what);
    let notes = strict_json::parse(text.as_bytes()).map_err(|bad| invalid(bad.message))?;
    let notes: Vec<ResolvedEntry> =
        serde_json::from_value(notes).map_err(|error| invalid(error.to_string()))?;
    let decided = take_part(&context.session, notes)?;
    let text = || format!("{} notes were looked at", decided.len());
    context.answer(&decided, text)
}
