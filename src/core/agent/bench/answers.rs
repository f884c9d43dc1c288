//! Answers to the person's questions at the bench. One that the program has not checked counts only where
//! the notes that were shown say it.

use super::{Bench, Done, TARGET_CHARS};
use crate::core::notes::Note;
use crate::core::prompt::shorten;
use crate::core::run::{Answer, Source, Unsettled};
use crate::core::steps::check::is_answer_from;
use crate::failure::Code;
use crate::ids::NoteId;

impl Bench<'_> {
    /// Takes an answer in. `found` says that the program knows it to come from `sources`.
    pub(super) fn answer(&mut self, text: &str, sources: &[NoteId], found: bool) -> Done {
        let shown: Vec<NoteId> = if sources.is_empty() {
            self.shown.iter().map(|shown| shown.id).collect()
        } else {
            sources.to_vec()
        };
        let notes: Vec<&Note> = shown.iter().filter_map(|id| self.note(*id)).collect();
        let request = self.run.request.as_deref().unwrap_or_default();
        let is_from = || {
            let lines: Vec<String> = notes.iter().map(|note| note.value.clone()).collect();
            is_answer_from(text, &lines, request)
        };
        let is_said = found || sources.is_empty() && is_from();
        let sources = notes.iter().map(|note| Source {
            note_id: note.id,
            title: note.title.clone(),
        });
        let answer = Answer {
            text: text.to_owned(),
            found: is_said,
            sources: sources.collect(),
        };
        self.answers.push(answer);
        self.progress.note_step();
        self.wrote.record = true;
        if is_said {
            self.progress.settled = true;
        } else {
            self.progress.unsettled.push(Unsettled {
                op: "answer".to_owned(),
                target: shorten(request, TARGET_CHARS),
                code: Code::NotAnswered,
                instead: None,
            });
        }
        Done::default()
    }
}
