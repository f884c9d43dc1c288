//! The instructions of one reply in document order. Owns their order, the search for repeats, and the
//! places that are worked out at the end.

use super::Tag;
use super::instruction::{Instruction, Located, Search};
use super::place::Places;

/// The instructions found so far.
#[derive(Debug)]
pub(super) struct InstructionList {
    /// Lines and columns still to be filled in.
    located: Vec<Located>,
    /// Something small about each of them.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    /// The byte at which it begins.
    start: usize,
    /// The length of the text in it; tells most instructions apart at a glance.
    size: usize,
}

impl InstructionList {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            located: Vec::with_capacity(count),
            marks: Vec::with_capacity(count),
        }
    }

    /// Takes an instruction in, unless it asks for a change of notes, or a search, that was
    /// already asked for in the same words. Returns whether it was taken.
    pub(super) fn push(&mut self, instruction: Instruction, start: usize, repaired: bool) -> bool {
        let size = text_bytes(&instruction);
        if self.is_repeat(&instruction, size) {
            return false;
        }
        self.marks.push(Mark { start, size });
        self.located.push(Located {
            instruction,
            line: 0,
            column: 0,
            repaired,
        });
        true
    }

    fn is_repeat(&self, instruction: &Instruction, size: usize) -> bool {
        let is_record = match instruction.tag() {
            Tag::StateAdd
            | Tag::StateDelete
            | Tag::RamAdd
            | Tag::RamDelete
            | Tag::Actions
            | Tag::Thinking
            | Tag::Action
            | Tag::Evaluation
            | Tag::Paging => false,
            Tag::RecordAdd
            | Tag::RecordIssue
            | Tag::RecordUpdate
            | Tag::RecordSearch
            | Tag::RecordDelete
            | Tag::RecordAppend
            | Tag::RecordLine
            | Tag::RecordCut
            | Tag::RecordLink
            | Tag::RecordTitle
            | Tag::RecordMerge
            | Tag::Answer => true,
        };
        is_record
            && (self.marks.iter().zip(&self.located))
                .any(|(mark, found)| mark.size == size && found.instruction == *instruction)
    }

    pub(super) fn clear(&mut self) {
        self.located.clear();
        self.marks.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.located.is_empty()
    }

    /// The instructions with their places in `text`.
    pub(super) fn finish(mut self, text: &str) -> Vec<Located> {
        let mut places = Places::new(text);
        for (located, mark) in self.located.iter_mut().zip(&self.marks) {
            (located.line, located.column) = places.at(mark.start);
        }
        self.located
    }
}

/// The length of an instruction's main texts.
fn text_bytes(instruction: &Instruction) -> usize {
    match instruction {
        Instruction::StateAdd { state } | Instruction::StateDelete { state } => state.len(),
        Instruction::RamDelete { key } | Instruction::RecordDelete { key } => key.len(),
        Instruction::RecordAdd {
            keywords: key,
            value,
            ..
        }
        | Instruction::RamAdd { key, value }
        | Instruction::RecordIssue { key, value, .. }
        | Instruction::RecordUpdate { key, value, .. } => key.len() + value.len(),
        Instruction::RecordSearch { search } => match search {
            Search::Query(query) => query.len(),
            Search::Ids(ids) => ids.len(),
        },
        Instruction::Edit(edit) => edit.key().len(),
        Instruction::Answer { value, .. } => value.len(),
        // Never looked at for repeats.
        Instruction::Tool(_)
        | Instruction::Thinking { .. }
        | Instruction::Action { .. }
        | Instruction::Evaluation { .. }
        | Instruction::Paging { .. } => 0,
    }
}
