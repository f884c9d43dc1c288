//! Changes of a note by its parts: the whole text is composed here, and taken in as any other change.

use super::feedback::FULL_TEXT_CHARS;
use super::{Done, Executor, Refused};
use crate::core::guard::{NoteEdit, Refusal};
use crate::core::notes::{Note, Terms, phrase_stands_in};
use crate::core::protocol::RecordEdit;
use crate::core::steps::compose::{appended, with_line, without};
use crate::core::steps::lines::lines_of;
use crate::failure::Code;

/// What is said where no line holds the words.
const NO_LINE: &str = "no line of the note holds these words; use words of one";

/// What is said where several do.
const SEVERAL_LINES: &str =
    "several lines hold these words; use more words of the one that is meant";

/// What is said of a note that is to be merged with itself.
const SAME_NOTE: &str = "that is one and the same note";

impl Executor<'_> {
    /// Changes a part of a note.
    pub(super) fn edit(&mut self, edit: &RecordEdit) -> Result<Done, Refused> {
        let base = self.find(edit.key())?;
        match edit {
            RecordEdit::RecordAppend { value, .. } => {
                let text = appended(&base.value, value);
                self.compose(base, text)
            }
            RecordEdit::RecordLine { query, value, .. } => {
                let line = self.line_with(&base, query)?;
                let text = with_line(&base.value, line, value);
                self.compose(base, text)
            }
            RecordEdit::RecordCut { query, .. } => {
                let line = self.line_with(&base, query)?;
                let text = without(&base.value, line, query);
                self.compose(base, text)
            }
            RecordEdit::RecordLink { title, .. } => {
                let to = self.find(title)?;
                if base.links.contains(&to.id) {
                    return Ok(Done::ignored());
                }
                let text = appended(&base.value, &format!("See [[{}]].", to.title));
                self.compose(base, text)
            }
            RecordEdit::RecordTitle { title, .. } => {
                let edit = NoteEdit {
                    title: Some(title.clone()),
                    ..NoteEdit::default()
                };
                self.edit_note(base, None, edit)
            }
            RecordEdit::RecordMerge { title, .. } => self.merge(base, title),
        }
    }

    /// Puts the text of a note behind that of another, and deletes it.
    fn merge(&mut self, from: Note, title: &str) -> Result<Done, Refused> {
        let to = self.find(title)?;
        if to.id == from.id {
            return Err(Refusal::new(Code::RecordKeyAmbiguous, SAME_NOTE).into());
        }
        let text = [to.value.trim_end(), from.value.trim()].join("\n");
        // Both or none: what could not be deleted must not stand twice.
        let mut overlay = self.guard.clone();
        let edit = NoteEdit {
            value: Some(text.clone()),
            ..NoteEdit::default()
        };
        overlay.note_update(&to, self.seen_version(&to), edit, self.now)?;
        overlay.note_delete(&from, self.seen_version(&from), self.now)?;
        self.compose(to, text)?;
        self.delete_note(from)
    }

    fn compose(&mut self, base: Note, text: String) -> Result<Done, Refused> {
        let edit = NoteEdit {
            value: Some(text),
            ..NoteEdit::default()
        };
        self.edit_note(base, None, edit)
    }

    /// Returns the number of the one line that holds the words, counted from 0: the words side by side go
    /// before the same words apart.
    fn line_with(&self, base: &Note, query: &str) -> Result<usize, Refused> {
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
            [] => Err(self.no_line(base, Code::RecordNotFound, NO_LINE)),
            _ => Err(self.no_line(base, Code::RecordKeyAmbiguous, SEVERAL_LINES)),
        }
    }

    /// Refuses to guess a line, and shows the note.
    fn no_line(&self, base: &Note, code: Code, message: &str) -> Refused {
        Refused {
            refusal: Refusal::new(code, message),
            items: vec![self.item(base, FULL_TEXT_CHARS)],
            instead: None,
        }
    }
}
