//! What came of a run, for people: its answer, or the notes that it changed with a mark before each:
//! `+` made, `~` changed, `-` deleted.

use super::record::RunRecord;
use super::text::one_line;
use crate::failure::{Code, Failure};
use crate::store::{ChangedNote, NoteFate};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Characters of a title on a line.
const TITLE_CHARACTERS_MAX: usize = 60;

/// A run record with the notes that the run changed.
#[derive(Debug, Serialize)]
pub(super) struct RunOutcome<'a> {
    #[serde(flatten)]
    pub(super) record: RunRecord<'a>,
    pub(super) changed_notes: &'a [ChangedNote],
}

/// The answer of a run, as its record holds it.
#[derive(Debug, Deserialize)]
pub(super) struct RunAnswer {
    text: String,
    #[serde(default)]
    sources: Vec<Source>,
}

/// A note that an answer was taken from.
#[derive(Debug, Deserialize)]
struct Source {
    title: String,
}

impl RunAnswer {
    /// Reads the answer out of a run record; `None` for a run without one.
    pub(super) fn of(record: &RunRecord<'_>) -> Result<Option<Self>, Failure> {
        let failed = |error| Failure::new(Code::Internal, format!("the run is no JSON: {error}"));
        let record = serde_json::to_value(record).map_err(failed)?;
        match record.get("answer") {
            None | Some(Value::Null) => Ok(None),
            Some(answer) => Self::deserialize(answer).map(Some).map_err(failed),
        }
    }

    /// The text, and a line with the notes that it was taken from.
    pub(super) fn text(&self) -> String {
        let text = self.text.trim_end();
        let titles = self.sources.iter();
        let titles = titles.map(|source| one_line(&source.title, TITLE_CHARACTERS_MAX));
        let titles: Vec<String> = titles.collect();
        if titles.is_empty() {
            return format!("{text}\n");
        }
        format!("{text}\nfrom: {}\n", titles.join(", "))
    }
}

/// The sign that stands before the title of a changed note.
const fn mark(fate: NoteFate) -> char {
    match fate {
        NoteFate::Created => '+',
        NoteFate::Updated => '~',
        NoteFate::Deleted => '-',
    }
}

/// The changed notes, each as a mark and a title.
pub(super) fn marked(notes: &[ChangedNote]) -> Vec<String> {
    let marked = |note: &ChangedNote| {
        let title = one_line(&note.title, TITLE_CHARACTERS_MAX);
        format!("{} {title}", mark(note.change))
    };
    notes.iter().map(marked).collect()
}

impl RunOutcome<'_> {
    /// What came of the run, on one line.
    pub(super) fn line(&self) -> Result<String, Failure> {
        let answer = RunAnswer::of(&self.record)?;
        Ok(line(answer.as_ref(), self.changed_notes))
    }
}

/// What came of a run, on one line: `? ` and its answer, or the marked notes.
fn line(answer: Option<&RunAnswer>, notes: &[ChangedNote]) -> String {
    let answer = answer.map(|answer| format!("? {}", one_line(&answer.text, TITLE_CHARACTERS_MAX)));
    answer
        .into_iter()
        .chain(marked(notes))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::{RunAnswer, line, marked};
    use crate::ids::NoteId;
    use crate::store::{ChangedNote, NoteFate};
    use serde_json::json;
    use uuid::Uuid;

    fn note(title: &str, change: NoteFate) -> ChangedNote {
        ChangedNote {
            note_id: NoteId(Uuid::nil()),
            title: title.to_owned(),
            change,
        }
    }

    #[test]
    fn notes_have_a_mark_and_answers_name_their_notes() {
        let notes = [
            note("Shopping list", NoteFate::Created),
            note("Minutes", NoteFate::Updated),
            note("Old\u{1b}[2J", NoteFate::Deleted),
        ];
        assert_eq!(
            marked(&notes),
            ["+ Shopping list", "~ Minutes", "- Old\\u{1b}[2J"]
        );
        let answer = json!({
            "text": "Tea and milk.\n", "found": true,
            "sources": [{"note_id": Uuid::nil(), "title": "Shopping list"}],
        });
        let answer: RunAnswer = serde_json::from_value(answer).unwrap();
        assert_eq!(answer.text(), "Tea and milk.\nfrom: Shopping list\n");
        assert_eq!(
            line(Some(&answer), &notes[..1]),
            "? Tea and milk., + Shopping list"
        );
        assert_eq!(line(None, &[]), "");
    }
}
