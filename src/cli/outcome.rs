//! Formats the result of a run for people: its answer, or the notes that it changed with a mark
//! before each: `+` created, `~` updated, `-` deleted.

use super::text::one_line;
use crate::core::run::Answer;
use crate::store::{ChangedNote, NoteFate};

/// The most characters of a title on a line.
const TITLE_CHARACTERS_MAX: usize = 60;

/// Formats an answer, and a line with its source notes.
pub(super) fn answer_text(answer: &Answer) -> String {
    let text = answer.text.trim_end();
    let titles = answer.sources.iter();
    let titles = titles.map(|source| one_line(&source.title, TITLE_CHARACTERS_MAX));
    let titles: Vec<String> = titles.collect();
    if titles.is_empty() {
        return format!("{text}\n");
    }
    format!("{text}\nfrom: {}\n", titles.join(", "))
}

/// Returns the mark before the title of a changed note.
const fn mark(fate: NoteFate) -> char {
    match fate {
        NoteFate::Created => '+',
        NoteFate::Updated => '~',
        NoteFate::Deleted => '-',
    }
}

/// Formats the changed notes, each as a mark and a title.
pub(super) fn marked(notes: &[ChangedNote]) -> Vec<String> {
    let marked = |note: &ChangedNote| {
        let title = one_line(&note.title, TITLE_CHARACTERS_MAX);
        format!("{} {title}", mark(note.change))
    };
    notes.iter().map(marked).collect()
}

/// Formats the result of a run on one line: `? ` and its answer, or the marked notes.
pub(super) fn line(answer: Option<&Answer>, notes: &[ChangedNote]) -> String {
    let answer = answer.map(|answer| format!("? {}", one_line(&answer.text, TITLE_CHARACTERS_MAX)));
    answer
        .into_iter()
        .chain(marked(notes))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Answer, answer_text, line, marked};
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
        let answer: Answer = serde_json::from_value(answer).unwrap();
        assert_eq!(answer_text(&answer), "Tea and milk.\nfrom: Shopping list\n");
        assert_eq!(
            line(Some(&answer), &notes[..1]),
            "? Tea and milk., + Shopping list"
        );
        assert_eq!(line(None, &[]), "");
    }
}
