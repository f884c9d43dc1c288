//! Detects a note that copies an example of the prompt.
//! Small models repeat an example that is similar to the request. Only the text of the note counts.

use crate::core::notes::Terms;
use crate::core::prompt::{ChatRole, PromptMessage};
use crate::core::protocol::{
    AllowedTags, ConstraintKind, Instruction, ParseOptions, ParsedReply, RecordEdit, Tag, parse_as,
};

/// The minimum number of terms of a text that can be a copy.
const TERMS_MIN: usize = 2;

/// Returns whether a reply writes the text of an example that the request does not contain.
pub(super) fn is_copied(parsed: &ParsedReply, messages: &[PromptMessage], request: &str) -> bool {
    let asked = Terms::of(request);
    let own = |text: &str| {
        let said = Terms::of(text);
        (said.len() >= TERMS_MIN && !said.are_in(&asked)).then_some(said)
    };
    let said: Vec<Terms> = texts_of(parsed).filter_map(own).collect();
    if said.is_empty() {
        return false;
    }
    let pairs = messages.iter().zip(messages.iter().skip(1));
    // A worked answer to this very request is shown so that the model repeats it.
    let examples = pairs.filter(|(question, example)| {
        let is_example = example.role == ChatRole::Assistant;
        is_example && !asked.are_in(&Terms::of(&question.content))
    });
    let options = ParseOptions {
        strict: false,
        allowed_tags: Tag::ALL.into_iter().collect::<AllowedTags>(),
        truncated: false,
    };
    examples.into_iter().any(|(_, example)| {
        let example = parse_as(Some(ConstraintKind::JsonSchema), &example.content, &options);
        texts_of(&example).any(|text| said.contains(&Terms::of(text)))
    })
}

/// Returns the texts of notes that a reply writes.
fn texts_of(parsed: &ParsedReply) -> impl Iterator<Item = &str> {
    let instructions = parsed.instructions.iter();
    instructions.filter_map(|located| match &located.instruction {
        Instruction::RecordAdd { value, .. }
        | Instruction::RecordUpdate { value, .. }
        | Instruction::Edit(
            RecordEdit::RecordAppend { value, .. } | RecordEdit::RecordLine { value, .. },
        ) => Some(value.as_str()),
        Instruction::StateAdd { .. }
        | Instruction::StateDelete { .. }
        | Instruction::RamAdd { .. }
        | Instruction::RamDelete { .. }
        | Instruction::RecordIssue { .. }
        | Instruction::RecordSearch { .. }
        | Instruction::RecordDelete { .. }
        | Instruction::Answer { .. }
        | Instruction::Thinking { .. }
        | Instruction::Action { .. }
        | Instruction::Evaluation { .. }
        | Instruction::Paging { .. }
        | Instruction::Edit(_)
        | Instruction::Tool(_) => None,
    })
}
