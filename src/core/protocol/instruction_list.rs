//! The instructions of one reply in document order. Owns their order, the search for repeats, and the
//! places that are worked out at the end.

use super::Tag;
use super::instruction::{Instruction, Located};
use super::place::Places;

/// The instructions found so far.
#[derive(Debug)]
pub(super) struct InstructionList {
    /// Lines and columns still to be filled in.
    located: Vec<Located>,
    /// The byte at which each of them begins.
    starts: Vec<usize>,
}

impl InstructionList {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            located: Vec::with_capacity(count),
            starts: Vec::with_capacity(count),
        }
    }

    /// Takes an instruction in, unless it asks for a change of notes, a search or an answer that was
    /// already asked for in the same words. Returns whether it was taken.
    pub(super) fn push(&mut self, instruction: Instruction, start: usize, repaired: bool) -> bool {
        let may_repeat = matches!(
            instruction.tag(),
            Tag::StateAdd
                | Tag::StateDelete
                | Tag::RamAdd
                | Tag::RamDelete
                | Tag::Actions
                | Tag::Thinking
                | Tag::Action
                | Tag::Evaluation
                | Tag::Paging
        );
        let mut found = self.located.iter();
        if !may_repeat && found.any(|found| found.instruction == instruction) {
            return false;
        }
        self.starts.push(start);
        self.located.push(Located {
            instruction,
            line: 0,
            column: 0,
            repaired,
        });
        true
    }

    pub(super) fn clear(&mut self) {
        self.located.clear();
        self.starts.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.located.is_empty()
    }

    /// The instructions with their places in `text`.
    pub(super) fn finish(mut self, text: &str) -> Vec<Located> {
        let mut places = Places::new(text);
        for (located, start) in self.located.iter_mut().zip(&self.starts) {
            (located.line, located.column) = places.at(*start);
        }
        self.located
    }
}
