//! Turns the effects of a step into instructions.
//! A model's reply can hold the same instructions, so guard, journal and undo treat both alike.

use crate::core::notes::Note;
use crate::core::protocol::{Instruction, LocatedInstruction, ParsedReply};
use crate::core::steps::effects::Effect;
use crate::ids::NoteId;

/// The answer to a question that the notes do not answer.
const NOT_IN_NOTES: &str = "Your notes do not say it.";

/// The outcome of a step, beside its instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepOutcome {
    /// The texts that were not found.
    pub missed: Vec<String>,
    /// Texts that show facts of the request although nothing was written.
    /// These are the question, and what the notes already say.
    pub shows: Vec<String>,
}

/// Returns the instructions of effects and the rest of their outcome.
/// `notes` are the notes that the effects may name.
pub fn instructions_of(effects: &[Effect], notes: &[&Note]) -> (ParsedReply, StepOutcome) {
    let mut outcome = StepOutcome::default();
    let mut instructions = Vec::new();
    for effect in effects {
        instructions.extend(instruction(effect, notes, &mut outcome));
    }
    (reply_of(instructions), outcome)
}

/// Returns a reply that holds only these instructions.
pub fn reply_of(instructions: Vec<Instruction>) -> ParsedReply {
    let located = instructions
        .into_iter()
        .map(|instruction| LocatedInstruction {
            instruction,
            line: 1,
            column: 1,
            repaired: false,
        });
    ParsedReply {
        instructions: located.collect(),
        ..ParsedReply::nothing()
    }
}

fn instruction(effect: &Effect, notes: &[&Note], outcome: &mut StepOutcome) -> Option<Instruction> {
    let known = |id: NoteId| notes.iter().find(|note| note.id == id);
    let title = |id| known(id).map_or_else(String::new, |note| note.title.clone());
    Some(match effect {
        Effect::Create { title, text } => Instruction::RecordAdd {
            keywords: String::new(),
            value: text.clone(),
            title: Some(title.clone()),
            kind: None,
            workspace_id: None,
        },
        Effect::Rewrite {
            note,
            version,
            text,
        } => update(*note, text.clone(), None, *version),
        Effect::Rename { note, title } => {
            let known = known(*note)?;
            update(
                *note,
                known.value.clone(),
                Some(title.clone()),
                known.version,
            )
        }
        Effect::Delete { note } => Instruction::RecordDelete {
            key: note.to_string(),
        },
        Effect::Forget { key } => Instruction::RamDelete { key: key.clone() },
        Effect::Flag { note, text } => Instruction::RecordIssue {
            key: note.to_string(),
            value: text.clone(),
            metadata: serde_json::Map::new(),
        },
        Effect::Answer {
            text,
            sources,
            question,
        } => {
            outcome.shows.push(question.clone());
            outcome.shows.extend(sources.iter().map(|id| title(*id)));
            answer(text.clone(), sources.clone(), true)
        }
        Effect::Unanswered {
            question,
            looked_in,
            ..
        } => {
            outcome.shows.push(question.clone());
            answer(NOT_IN_NOTES.to_owned(), looked_in.clone(), false)
        }
        Effect::Present { note } => {
            let known = known(*note)?;
            outcome
                .shows
                .push(format!("{}\n{}", known.title, known.value));
            answer(
                format!("\"{}\" says that already.", title(*note)),
                vec![*note],
                true,
            )
        }
        Effect::Missed { what } => {
            outcome.missed.push(what.clone());
            return None;
        }
    })
}

fn update(note: NoteId, value: String, title: Option<String>, version: u64) -> Instruction {
    Instruction::RecordUpdate {
        key: note.to_string(),
        value,
        title,
        keywords: None,
        version: Some(version),
    }
}

const fn answer(value: String, sources: Vec<NoteId>, found: bool) -> Instruction {
    Instruction::Answer {
        value,
        sources,
        found,
    }
}
