//! `notes export`: writes notes as files of a person's own. Never replaces a file without
//! `--force`, and never writes into the data folder.

use super::arguments::ExportOptions;
use super::context::Context;
use super::forwarding::forward;
use super::output::VerbOutput;
use super::text::{count, visible};
use super::words_of;
use crate::core::notes::{Note, file_names, to_markdown};
use crate::failure::{Code, Failure};
use crate::plain_text::json_spelt_out;
use crate::service::import::is_markdown;
use crate::service::notes;
use crate::store::external_files::{Target, exists};
use serde::Serialize;
use std::io::IsTerminal as _;
use std::path::Path;

/// The result of an export.
#[derive(Debug, Serialize)]
struct ExportReport {
    #[serde(rename = "exported")]
    notes: usize,
    to: String,
    files: Vec<String>,
}

/// Runs the verb.
pub(super) fn run(context: &Context, options: &ExportOptions) -> Result<VerbOutput, Failure> {
    let notes = wanted(context, &options.notes)?;
    let notes: Vec<&Note> = notes.iter().collect();
    let to = options.to.as_deref().filter(|to| *to != Path::new("-"));
    match (to, options.json) {
        (None, true) => Ok(VerbOutput {
            text: json_lines(&notes)?,
            exit: 0,
        }),
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
    let keys = keys.iter().map(String::as_str);
    let words: Vec<&str> = ["notes", "export", "--json", "--"]
        .into_iter()
        .chain(keys)
        .collect();
    let answer = forward(context, words_of(context.format(), &words), refused)?;
    let notes = answer.text.lines().map(serde_json::from_str);
    notes.collect::<Result<_, _>>().map_err(|error| {
        let message = format!("the daemon's answer cannot be read: {error}");
        Failure::new(Code::Internal, message)
    })
}

/// Formats notes as JSON, one a line.
fn json_lines(notes: &[&Note]) -> Result<String, Failure> {
    let mut text = String::new();
    for note in notes {
        let json = serde_json::to_string(note).map_err(|error| {
            Failure::new(Code::Internal, format!("the note is no JSON: {error}"))
        })?;
        text.push_str(&json_spelt_out(&json));
        text.push('\n');
    }
    Ok(text)
}

/// Prints one note as Markdown; on a terminal its control characters are escaped.
fn on_screen(notes: &[&Note]) -> Result<VerbOutput, Failure> {
    let [note] = notes else {
        let message = format!(
            "{} do not fit one Markdown file",
            count(notes.len(), "note")
        );
        let failure = Failure::new(Code::Usage, message);
        return Err(failure.only_hint("Name a folder with --to, a single note, or use --json."));
    };
    let text = to_markdown(note);
    let text = if std::io::stdout().is_terminal() {
        visible(&text)
    } else {
        text
    };
    Ok(VerbOutput { text, exit: 0 })
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
    let mut target = Target::folder(
        folder.unwrap_or_else(|| Path::new(".")),
        context.session.root(),
    )?;
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
    let said = ExportReport { notes, to, files };
    context.answer(&said, || {
        format!("exported {} to {}", count(said.notes, "note"), said.to)
    })
}
