//! Changes of a part of a note.
//! The whole text is composed here, then checked like any other change.

use super::feedback::{FULL_TEXT_CHARS, item};
use super::records::{delete_note, edit_note, find, seen_version};
use super::{Done, Executor, Refused};
use crate::core::guard::{NoteEdit, Refusal};
use crate::core::notes::{Note, Terms, phrase_stands_in};
use crate::core::protocol::RecordEdit;
use crate::core::steps::compose::{appended, with_line, without};
use crate::core::steps::lines::lines_of;
use crate::failure::Code;

/// The message if no line contains the words.
const NO_LINE: &str = "no line of the note holds these words; use words of one";

/// The message if several lines contain the words.
const SEVERAL_LINES: &str =
    "several lines hold these words; use more words of the one that is meant";

/// The message for a note that is to be merged with itself.
const SAME_NOTE: &str = "that is one and the same note";

/// Changes a part of a note.
pub(super) fn edit(executor: &mut Executor<'_>, edit: &RecordEdit) -> Result<Done, Refused> {
    let base = find(executor, edit.key())?;
    match edit {
        RecordEdit::RecordAppend { value, .. } => {
            let text = appended(&base.value, value);
            compose(executor, base, text)
        }
        RecordEdit::RecordLine { query, value, .. } => {
            let line = line_with(executor, &base, query)?;
            let text = with_line(&base.value, line, value);
            compose(executor, base, text)
        }
        RecordEdit::RecordCut { query, .. } => {
            let line = line_with(executor, &base, query)?;
            let text = without(&base.value, line, query);
            compose(executor, base, text)
        }
        RecordEdit::RecordLink { title, .. } => {
            let to = find(executor, title)?;
            if base.links.contains(&to.id) {
                return Ok(Done::ignored());
            }
            let text = appended(&base.value, &format!("See [[{}]].", to.title));
            compose(executor, base, text)
        }
        RecordEdit::RecordTitle { title, .. } => {
            let edit = NoteEdit {
                title: Some(title.clone()),
                ..NoteEdit::default()
            };
            edit_note(executor, base, None, edit)
        }
        RecordEdit::RecordMerge { title, .. } => merge(executor, base, title),
    }
}

/// Appends the text of a note to another one, and deletes the first.
fn merge(executor: &mut Executor<'_>, from: Note, title: &str) -> Result<Done, Refused> {
    let to = find(executor, title)?;
    if to.id == from.id {
        return Err(Refusal::new(Code::RecordKeyAmbiguous, SAME_NOTE).into());
    }
    let text = [to.value.trim_end(), from.value.trim()].join("\n");
    // Both changes are checked first: text that cannot be deleted must not stand twice.
    let edit = NoteEdit {
        value: Some(text.clone()),
        ..NoteEdit::default()
    };
    let versions = [&to, &from].map(|note| seen_version(executor, note));
    let savepoint = executor.overlay.savepoint();
    let (guard, now) = (&mut executor.overlay.guard, executor.context.now);
    let checked = guard.note_update(&to, versions[0], edit, now);
    let checked = checked.and_then(|_| guard.note_delete(&from, versions[1], now));
    executor.overlay.rollback(savepoint);
    checked?;
    compose(executor, to, text)?;
    delete_note(executor, from)
}

fn compose(executor: &mut Executor<'_>, base: Note, text: String) -> Result<Done, Refused> {
    let edit = NoteEdit {
        value: Some(text),
        ..NoteEdit::default()
    };
    edit_note(executor, base, None, edit)
}

/// Returns the index of the only line that contains the words.
/// Adjacent words have priority over scattered ones.
fn line_with(executor: &Executor<'_>, base: &Note, query: &str) -> Result<usize, Refused> {
    let wanted = Terms::of(query);
    let lines = lines_of(&base.value);
    let holding = |holds: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let lines = lines.iter().enumerate();
        let found = lines.filter(|(_, line)| holds(line.text));
        found.map(|(number, _)| number).collect()
    };
    let mut found = holding(&|line| phrase_stands_in(query, line));
    if found.is_empty() && !wanted.is_empty() {
        found = holding(&|line| wanted.are_in(&Terms::of(line)));
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(no_line(executor, base, Code::RecordNotFound, NO_LINE)),
        _ => Err(no_line(
            executor,
            base,
            Code::RecordKeyAmbiguous,
            SEVERAL_LINES,
        )),
    }
}

/// Returns the refusal to choose a line, with the note.
fn no_line(executor: &Executor<'_>, base: &Note, code: Code, message: &str) -> Refused {
    Refused {
        items: vec![item(base, &executor.context.state.notes, FULL_TEXT_CHARS)],
        ..Refusal::new(code, message).into()
    }
}
