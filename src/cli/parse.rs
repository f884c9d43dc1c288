//! `parse`: shows how a model's text is parsed, without any effect. Works also without a root: with
//! the shipped set of tags.

use super::arguments::ParseOptions;
use super::context::{Context, read_input};
use super::output::Answer;
use super::record::word;
use super::text::{count, one_line, visible};
use crate::config::{FileProblem, read_file, read_to_end};
use crate::core::protocol::{self, AllowedTags, Located, Parsed};
use crate::failure::{Code, Failure};
use crate::limits::REPLY_BODY_BYTES_MAX;
use serde_json::Map;
use std::fmt::Write as _;
use std::path::Path;

/// The file that makes a folder a root.
const CONFIG_PATH: &str = "data/config.json";

/// The most characters of a value in a line of text.
const VALUE_CHARACTERS_MAX: usize = 120;

/// Parses a file or standard input.
/// A refused text is exit 1.
pub(super) fn run(context: &Context, options: &ParseOptions) -> Result<Answer, Failure> {
    let mut how = how(context);
    how.strict |= options.strict;
    how.truncated = options.truncated;
    let text = text(options.file.as_deref())?;
    let parsed = protocol::parse(&text, &how);
    let answer = context.answer(&parsed, || text_of(&parsed))?;
    Ok(answer.ok_if(parsed.ok))
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
        Err(broken) => {
            let message = broken.message;
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
    if bytes.len() > REPLY_BODY_BYTES_MAX {
        let message = format!("standard input holds more than {REPLY_BODY_BYTES_MAX} bytes");
        return Err(Failure::new(Code::LimitExceeded, message));
    }
    // A reply over the wire has no such mark; an editor may have added one.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
    }
    String::from_utf8(bytes).map_err(|_| {
        let failure = Failure::new(Code::XmlParseError, "the text is not UTF-8");
        failure.only_hint("Save it as UTF-8 and try again.")
    })
}

fn text_of(parsed: &Parsed) -> String {
    let mut text = String::new();
    for located in &parsed.instructions {
        text.push_str(&instruction_line(located));
        text.push('\n');
    }
    for found in &parsed.diagnostics {
        let repaired = if found.repaired { " (repaired)" } else { "" };
        // Writing into a string cannot fail.
        writeln!(
            text,
            "{}:{}: {}[{}]: {}{repaired}",
            found.line,
            found.column,
            word(&found.severity),
            found.code,
            visible(&found.message()),
        )
        .unwrap_or_default();
    }
    let verdict = if parsed.ok { "ok" } else { "not ok" };
    let instructions = count(parsed.instructions.len(), "instruction");
    let diagnostics = count(parsed.diagnostics.len(), "diagnostic");
    text + &format!("{verdict}: {instructions}, {diagnostics}\n")
}

fn instruction_line(located: &Located) -> String {
    let json = serde_json::to_value(located).unwrap_or_default();
    let fields = json.as_object().cloned().unwrap_or_else(Map::new);
    let mut line = located.instruction.tag().name().to_owned();
    for (name, value) in fields.iter().filter(|(name, _)| *name != "op") {
        let text = value.as_str().map(str::to_owned);
        let text = text.unwrap_or_else(|| value.to_string());
        let shown = one_line(&text, VALUE_CHARACTERS_MAX);
        // Writing into a string cannot fail.
        write!(line, "  {name}: {shown}").unwrap_or_default();
    }
    line
}
