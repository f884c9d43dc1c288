//! `notes export` and `notes import`: notes as files of a person's own.
//!
//! An export never replaces a file without `--force`, and never writes into the data folder. Beside
//! a daemon an import reads the files and hands the notes over in bounded parts; the daemon decides
//! about each part in one commit. Both sides of that exchange are here.

use super::arguments::{ExportOptions, Format};
use super::context::{Context, read_input};
use super::forwarding::{forward, forward_json, unreadable};
use super::output::VerbOutput;
use super::text::{count, visible, word};
use super::words_of;
use crate::api::Call;
use crate::core::notes::{Note, file_names, to_markdown};
use crate::failure::{Code, Failure};
use crate::limits::{API_BODY_BYTES_MAX, IMPORT_COMMIT_NOTES_MAX};
use crate::plain_text::json_spelt_out;
use crate::service::import::{
    Import, ImportDecision, ImportNotes, ImportOutcome, ImportReport, is_markdown, take_part,
};
use crate::service::notes;
use crate::store::external_files::{Target, exists};
use crate::strict_json;
use serde::Serialize;
use serde_json::json;
use std::io::IsTerminal as _;
use std::path::Path;

#[derive(Debug, Serialize)]
struct ExportReport {
    #[serde(rename = "exported")]
    notes: usize,
    to: String,
    files: Vec<String>,
}

pub(super) fn export(context: &Context, options: &ExportOptions) -> Result<VerbOutput, Failure> {
    let notes = wanted(context, &options.notes)?;
    let notes: Vec<&Note> = notes.iter().collect();
    let to = options.to.as_deref().filter(|to| *to != Path::new("-"));
    match (to, options.json) {
        (None, true) => json_lines(&notes).map(VerbOutput::of_text),
        (None, false) => on_screen(&notes),
        (Some(to), true) => {
            let bytes = json_lines(&notes)?.into_bytes();
            one_file(context, options, to, &notes, &bytes)
        }
        (Some(to), false) => match notes.as_slice() {
            [note] if is_markdown(to) && !to.is_dir() => {
                let bytes = to_markdown(note).into_bytes();
                one_file(context, options, to, &notes, &bytes)
            }
            _ => folder(context, options, to, &notes),
        },
    }
}

/// Returns the requested notes.
/// With broken files of the root it asks the daemon for them.
// The daemon itself does not write a person's files.
fn wanted(context: &Context, keys: &[String]) -> Result<Vec<Note>, Failure> {
    let refused = match notes::export(&context.session, keys) {
        Err(refused) => refused,
        notes => return notes,
    };
    let mut words = vec!["notes", "export", "--json", "--"];
    words.extend(keys.iter().map(String::as_str));
    let answer = forward(context, words_of(context.format(), &words), refused)?;
    let notes = answer.text.lines().map(serde_json::from_str);
    let notes: Result<_, _> = notes.collect();
    notes.map_err(|error| unreadable(&error))
}

fn json_lines(notes: &[&Note]) -> Result<String, Failure> {
    let lines = notes.iter().map(|note| {
        let json = serde_json::to_string(note);
        json.map(|json| json_spelt_out(&json) + "\n")
    });
    let text: Result<String, _> = lines.collect();
    text.map_err(|error| Failure::new(Code::Internal, format!("the note is no JSON: {error}")))
}

/// Prints one note as Markdown; on a terminal its control characters are escaped.
fn on_screen(notes: &[&Note]) -> Result<VerbOutput, Failure> {
    let [note] = notes else {
        let notes = count(notes.len(), "note");
        let failure = Failure::new(Code::Usage, format!("{notes} do not fit one Markdown file"));
        return Err(failure.only_hint("Name a folder with --to, a single note, or use --json."));
    };
    let mut text = to_markdown(note);
    if std::io::stdout().is_terminal() {
        text = visible(&text);
    }
    Ok(VerbOutput::of_text(text))
}

fn one_file(
    context: &Context,
    options: &ExportOptions,
    to: &Path,
    notes: &[&Note],
    bytes: &[u8],
) -> Result<VerbOutput, Failure> {
    let name = to.file_name().and_then(|name| name.to_str());
    let name = name.filter(|_| !to.is_dir()).ok_or_else(|| {
        let message = format!("{} is no name for a file", to.display());
        Failure::new(Code::Usage, message).only_hint("Name the file that is to be written.")
    })?;
    let folder = to.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let mut target = Target::folder(folder, context.session.root())?;
    target.write(name, bytes, options.force)?;
    target.finish()?;
    report_export(context, notes.len(), to, vec![to.display().to_string()])
}

fn folder(
    context: &Context,
    options: &ExportOptions,
    to: &Path,
    notes: &[&Note],
) -> Result<VerbOutput, Failure> {
    let mut target = Target::folder(to, context.session.root())?;
    let names = file_names(notes);
    if !options.force {
        let mut taken = Vec::new();
        for name in &names {
            if target.has(name)? {
                taken.push(target.place(name));
            }
        }
        if !taken.is_empty() {
            return Err(exists(&taken));
        }
    }
    for (note, name) in notes.iter().zip(&names) {
        target.write(name, to_markdown(note).as_bytes(), options.force)?;
    }
    target.finish()?;
    let files = names
        .iter()
        .map(|name| target.place(name).display().to_string());
    report_export(context, notes.len(), to, files.collect())
}

fn report_export(
    context: &Context,
    notes: usize,
    to: &Path,
    files: Vec<String>,
) -> Result<VerbOutput, Failure> {
    let to = to.display().to_string();
    context.answer(&ExportReport { notes, to, files }, |report| {
        format!("exported {} to {}", count(report.notes, "note"), report.to)
    })
}

/// The command line that a part is sent with.
const WORDS: [&str; 4] = ["notes", "import", "--part", "-"];

/// The bytes of a body that are not notes: the words and brackets.
const AROUND_BYTES: usize = 1024;

pub(super) fn import(context: &Context, options: &ImportNotes) -> Result<VerbOutput, Failure> {
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
    context.answer_if(report.is_complete(), &report, text_of)
}

fn text_of(report: &ImportReport) -> String {
    let shown = report
        .items
        .iter()
        .filter(|entry| entry.outcome != ImportOutcome::Unchanged || entry.reason.is_some());
    let lines = shown.map(|entry| {
        let place = entry
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        let outcome = word(&entry.outcome);
        let what = match (&entry.reason, entry.code, entry.note_id) {
            (Some(reason), Some(code), _) => format!("{code}: {reason}"),
            (Some(reason), None, _) => reason.clone(),
            (None, _, id) => id.map(|id| id.to_string()).unwrap_or_default(),
        };
        let file = visible(&entry.file).replace('\n', "\\n");
        format!("{outcome:9}  {file}{place}  {what}\n")
    });
    let would = if report.dry_run {
        "nothing was changed; an import would come to: "
    } else {
        ""
    };
    let conflicts = count(report.conflicts, "conflict");
    lines.collect::<String>()
        + &format!(
            "{would}{} created, {} updated, {} unchanged, {conflicts}, {} failed",
            report.created, report.updated, report.unchanged, report.failed
        )
}

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
    let words = words_of(Format::Json, &WORDS);
    let decided: Vec<ImportDecision> = forward_json(&context, words, locked.clone())?;
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
    let notes = serde_json::from_value(notes).map_err(|error| invalid(error.to_string()))?;
    context.answer(&take_part(&context.session, notes)?, |decided| {
        format!("{} notes were looked at", decided.len())
    })
}
