//! `notes edit` without options: the note as Markdown in the person's own editor. Whatever the person
//! wrote is either taken in or kept, and its place told.

use super::change::change;
use super::context::Context;
use super::holder::holder;
use super::notes::{find, shown, state};
use super::notes_change::with_note;
use super::output::Answer;
use crate::config::Environment as _;
use crate::core::guard::NoteEdit;
use crate::core::notes::{Note, Portable, file_names, from_markdown, to_markdown};
use crate::daemon::{listen, stop_pair};
use crate::failure::{Code, Failure};
use crate::limits::IMPORT_MARKDOWN_BYTES_MAX;
use crate::store::outside::PrivateText;
use std::io::IsTerminal as _;
use std::path::Path;

/// Where texts that nobody else may see are put while they are edited, unless `$TMPDIR` says so.
const TEMPORARY: &str = "/tmp";

/// Opens the note in the editor and takes in what comes of it.
pub(super) fn edit(context: &Context, key: &str) -> Result<Answer, Failure> {
    if !std::io::stdin().is_terminal() {
        let failure = Failure::new(
            Code::Usage,
            "nothing to change was named, and no editor can open: this is no terminal",
        );
        return Err(failure.only_hint("Use --title, --keywords, --value or --kind."));
    }
    let state = state(context)?;
    let note = find(&state, key)?;
    if let Some(process) = holder(&mut context.disk()?) {
        let message = format!("process {process} holds the data folder");
        let failure = Failure::new(Code::DataLocked, message);
        let path = crate::store::layout::note_path(note.id);
        return Err(failure.hint(format!("Edit {} meanwhile.", path.display())));
    }
    let words = editor(context)?;
    let place = context
        .environment
        .get("TMPDIR")
        .filter(|it| !it.is_empty());
    let place = place.unwrap_or_else(|| TEMPORARY.to_owned());
    let before = to_markdown(note).into_bytes();
    let name = file_names(&[note]).pop().unwrap_or_default();
    let mut text = PrivateText::create(Path::new(&place), &name, &before)?;
    let ended = wait_for(&words, &text.path());
    let after = text.read(IMPORT_MARKDOWN_BYTES_MAX);
    let is_changed = after.as_ref().map_or(true, |after| *after != before);
    let outcome = ended.and(after).and_then(|after| {
        if is_changed {
            take_in(context, note, &after)
        } else {
            Ok(note.clone())
        }
    });
    match outcome {
        Ok(written) => {
            text.remove();
            if !is_changed {
                context.talk("nothing was changed");
            }
            shown(context, &written)
        }
        Err(failure) if is_changed => {
            Err(failure.hint(format!("Your text is kept as {}.", text.path().display())))
        }
        Err(failure) => {
            text.remove();
            Err(failure)
        }
    }
}

/// The editor's words: `$VISUAL`, else `$EDITOR`.
fn editor(context: &Context) -> Result<Vec<String>, Failure> {
    let named = ["VISUAL", "EDITOR"].into_iter();
    let mut named = named.filter_map(|name| context.environment.get(name));
    let line = named.find(|line| !line.trim().is_empty());
    let line = line.ok_or_else(|| failed("neither $VISUAL nor $EDITOR names an editor".into()))?;
    words_of(&line).ok_or_else(|| failed(format!("the quotes in `{line}` are not closed")))
}

/// The words of a command: split at blanks, but not between quotes. No shell reads them.
fn words_of(line: &str) -> Option<Vec<String>> {
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

/// Starts the editor on the file and waits for its end. Ctrl-C is the editor's meanwhile.
#[expect(
    clippy::disallowed_methods,
    reason = "the editor is a person's own program, in the person's terminal"
)]
fn wait_for(words: &[String], file: &Path) -> Result<(), Failure> {
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| failed("neither $VISUAL nor $EDITOR names an editor".into()))?;
    // A signal that is meant for the editor reaches this process too.
    let (stop, _) = stop_pair();
    listen(stop, Box::new(|| {}))?;
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

fn failed(message: String) -> Failure {
    Failure::new(Code::EditorFailed, message)
}

/// One change of the note, based on the version that was edited.
fn take_in(context: &Context, note: &Note, text: &[u8]) -> Result<Note, Failure> {
    let invalid = |reason: String| Failure::new(Code::ImportInvalid, reason);
    let text = std::str::from_utf8(text).map_err(|_| invalid("the text is not UTF-8".into()))?;
    if text.trim().is_empty() {
        let message = "the file is empty; the note was not changed";
        return Err(invalid(message.into()).only_hint("`notes delete` deletes a note."));
    }
    let Portable { written, .. } = from_markdown(text)
        .map_err(|problem| invalid(format!("line {}: {}", problem.line, problem.reason)))?;
    let note = note.clone();
    change(context, move |desk| {
        let value = written.value.as_deref().unwrap_or(&note.value);
        let links = desk
            .state
            .notes
            .links_written(Some(&note), written.links, value);
        let edit = NoteEdit {
            title: written.title,
            keywords: written.keywords,
            value: written.value,
            kind: written.kind,
            links: Some(links),
            issue: None,
        };
        let base = find(desk.state, &note.id.to_string())?;
        let updated = desk
            .guard
            .note_update(base, Some(note.version), edit, desk.now);
        with_note(updated?)
    })
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
