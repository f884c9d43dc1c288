//! Edits a text in the person's own editor. An edited text is either used or kept in a file whose
//! path is printed. Does not interpret the text.

use super::{Context, VerbOutput};
use crate::config::Environment as _;
use crate::core::notes::{Note, file_names, to_markdown};
use crate::daemon::{ShutdownLimit, listen, stop_pair};
use crate::failure::{Code, Failure};
use crate::limits::IMPORT_MARKDOWN_BYTES_MAX;
use crate::store::external_files::PrivateText;
use std::io::IsTerminal as _;
use std::path::Path;

/// The folder of private texts during an edit, unless `$TMPDIR` names another.
const TEMPORARY: &str = "/tmp";

/// Refuses to open an editor without a terminal.
pub(super) fn check_terminal() -> Result<(), Failure> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    let message = "nothing to change was named, and no editor can open: this is no terminal";
    let failure = Failure::new(Code::Usage, message);
    Err(failure.only_hint("Use --title, --keywords, --value, --kind or --markdown."))
}

/// Opens a note as Markdown in the editor and returns the result of `take_in`.
/// Returns `None` where the text is unchanged.
pub(super) fn in_editor(
    context: &Context,
    note: &Note,
    take_in: impl FnOnce(String) -> Result<VerbOutput, Failure>,
) -> Result<Option<VerbOutput>, Failure> {
    let (name, before) = (file_names(&[note]).pop(), to_markdown(note));
    let words = editor(context)?;
    let place = context.environment.get("TMPDIR");
    let place = place.filter(|it| !it.is_empty());
    let place = place.unwrap_or_else(|| TEMPORARY.to_owned());
    let name = name.unwrap_or_default();
    let mut text = PrivateText::create(Path::new(&place), &name, before.as_bytes())?;
    let ended = wait_for(&words, &text.path());
    if !text.is_there() {
        text.remove();
        ended?;
        let message = "the editor removed the file: nothing of it is kept, and nothing is changed";
        let gone = Failure::new(Code::ImportInvalid, message);
        return Err(gone.only_hint("Save the text in the file that the editor was opened with."));
    }
    let after = text.read(IMPORT_MARKDOWN_BYTES_MAX);
    if after.as_ref().is_ok_and(|after| after == before.as_bytes()) {
        text.remove();
        return ended.map(|()| None);
    }
    let taken_in = ended.and(after).and_then(text_of).and_then(take_in);
    let taken_in = taken_in.map_err(|failure| {
        failure.hint(format!("Your text is kept as {}.", text.path().display()))
    })?;
    text.remove();
    Ok(Some(taken_in))
}

/// Returns the edited text; refuses one that is not UTF-8 or is empty.
fn text_of(bytes: Vec<u8>) -> Result<String, Failure> {
    let invalid = |reason: &str| Failure::new(Code::ImportInvalid, reason);
    let text = String::from_utf8(bytes).map_err(|_| invalid("the text is not UTF-8"))?;
    if text.trim().is_empty() {
        let failure = invalid("the file is empty; the note was not changed");
        return Err(failure.only_hint("`notes delete` deletes a note."));
    }
    Ok(text)
}

/// Returns the words of `$VISUAL`, else of `$EDITOR`.
fn editor(context: &Context) -> Result<Vec<String>, Failure> {
    let named = ["VISUAL", "EDITOR"].into_iter();
    let mut named = named.filter_map(|name| context.environment.get(name));
    let line = named.find(|line| !line.trim().is_empty());
    let line = line.ok_or_else(unnamed)?;
    words_of(&line).ok_or_else(|| failed(format!("the quotes in `{line}` are not closed")))
}

/// Splits a command into words at blanks outside of quotes.
/// No shell reads them.
pub(super) fn words_of(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (Some(_) | None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Starts the editor on the file and waits for its end.
/// Meanwhile Ctrl-C belongs to the editor.
#[expect(
    clippy::disallowed_methods,
    reason = "the editor is a person's own program, in the person's terminal"
)]
fn wait_for(words: &[String], file: &Path) -> Result<(), Failure> {
    let (program, arguments) = words.split_first().ok_or_else(unnamed)?;
    // A signal for the editor reaches this process too.
    let (stop, _) = stop_pair();
    listen(stop, ShutdownLimit::AnyTime, Some(Box::new(|| {})))?;
    let mut command = std::process::Command::new(program);
    let status = command.args(arguments).arg(file).status();
    let status =
        status.map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(format!("`{program}` ended with {status}")))
    }
}

fn unnamed() -> Failure {
    failed("neither $VISUAL nor $EDITOR names an editor".to_owned())
}

fn failed(message: String) -> Failure {
    Failure::new(Code::EditorFailed, message)
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn a_command_is_split_at_blanks_outside_of_quotes() {
        for (line, words) in [
            ("vi", Some(vec!["vi"])),
            ("code --wait", Some(vec!["code", "--wait"])),
            ("  a \t b ", Some(vec!["a", "b"])),
            (
                "'/opt/my editor/bin' -n",
                Some(vec!["/opt/my editor/bin", "-n"]),
            ),
            ("a \"\" b", Some(vec!["a", "", "b"])),
            ("a$(b);c", Some(vec!["a$(b);c"])),
            ("a \"b", None),
            ("", Some(vec![])),
        ] {
            let words = words.map(|it| it.into_iter().map(str::to_owned).collect());
            assert_eq!(words_of(line), words, "{line}");
        }
    }
}
