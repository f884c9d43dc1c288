//! `parse`: shows how a model's text is parsed, without any effect. Works also without a root: with
//! the shipped set of tags.

use super::arguments::ParseOptions;
use super::context::{Context, read_input};
use super::output::VerbOutput;
use super::text::{count, one_line, text_of_value, visible, word};
use crate::config::{CONFIG_PATH, FileProblem, read_file, read_to_end};
use crate::core::protocol::{self, AllowedTags, LocatedInstruction, ParsedReply};
use crate::failure::{Code, Failure};
use crate::limits::REPLY_BODY_BYTES_MAX;
use std::path::Path;

const VALUE_CHARACTERS_MAX: usize = 120;

/// Parses a file or standard input.
/// A refused text is exit 1.
pub(super) fn run(context: &Context, options: &ParseOptions) -> Result<VerbOutput, Failure> {
    let mut how = how(context);
    how.strict |= options.strict;
    how.truncated = options.truncated;
    let text = text(options.file.as_deref())?;
    let parsed = protocol::parse(&text, &how);
    context.answer_if(parsed.ok, &parsed, text_of)
}

/// Returns tags and mode of the root; the shipped ones without a root or with broken files.
fn how(context: &Context) -> protocol::ParseOptions {
    let shipped = || protocol::ParseOptions {
        allowed_tags: AllowedTags::shipped(),
        ..protocol::ParseOptions::default()
    };
    if read_file(&context.session.root().join(CONFIG_PATH), 0) == Err(FileProblem::Missing) {
        return shipped();
    }
    match context.session.load() {
        Ok(loaded) => protocol::ParseOptions {
            strict: loaded.config.parser_strict,
            allowed_tags: loaded.prompt.allowed_tags,
            truncated: false,
        },
        Err(Failure { message, .. }) => {
            context.warn(&format!("read with the shipped tags; {message}"));
            shipped()
        }
    }
}

fn text(file: Option<&Path>) -> Result<String, Failure> {
    let mut bytes = match file.filter(|path| *path != Path::new("-")) {
        None => read_input(REPLY_BODY_BYTES_MAX)?,
        Some(path) => read_to_end(path, REPLY_BODY_BYTES_MAX).map_err(|problem| {
            let message = format!("{}: {problem}", path.display());
            match problem {
                FileProblem::TooLarge(_) => Failure::new(Code::LimitExceeded, message),
                FileProblem::Missing
                | FileProblem::NotAFile
                | FileProblem::Folder
                | FileProblem::Refused(_) => Failure::new(Code::Usage, message),
                FileProblem::Failed(_) => Failure::new(Code::DiskError, message),
            }
        })?,
    };
    // A reply over the wire has no such mark; an editor may have added one.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
    }
    String::from_utf8(bytes).map_err(|_| {
        let failure = Failure::new(Code::XmlParseError, "the text is not UTF-8");
        failure.only_hint("Save it as UTF-8 and try again.")
    })
}

fn text_of(parsed: &ParsedReply) -> String {
    let instructions = parsed.instructions.iter().map(instruction_line);
    let diagnostics = parsed.diagnostics.iter().map(|found| {
        let repaired = if found.repaired { " (repaired)" } else { "" };
        let (line, column, code) = (found.line, found.column, found.code);
        let (severity, message) = (word(&found.severity), visible(&found.message()));
        format!("{line}:{column}: {severity}[{code}]: {message}{repaired}\n")
    });
    let verdict = if parsed.ok { "ok" } else { "not ok" };
    let summary = [
        count(parsed.instructions.len(), "instruction"),
        count(parsed.diagnostics.len(), "diagnostic"),
    ];
    let lines: String = instructions.chain(diagnostics).collect();
    format!("{lines}{verdict}: {}\n", summary.join(", "))
}

fn instruction_line(located: &LocatedInstruction) -> String {
    let json = serde_json::to_value(located).unwrap_or_default();
    let mut line = located.instruction.tag().name().to_owned();
    let fields = json.as_object().into_iter().flatten();
    for (name, value) in fields.filter(|(name, _)| *name != "op") {
        let shown = one_line(&text_of_value(value), VALUE_CHARACTERS_MAX);
        line.extend(["  ", name, ": ", &shown]);
    }
    line + "\n"
}
