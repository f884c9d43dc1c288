//! Collects the instructions and the diagnostics of a reply. Decides, in one place, what strict
//! mode refuses and what the default mode repairs; looks at the text only to number lines and
//! columns.

use super::instruction::{
    Diagnostic, Instruction, LocatedInstruction, ParsedReply, Sample, Severity,
};
use super::tag::{Tag, shape};
use super::{PARSER_VERSION, ParseOptions};
use crate::failure::Code;
use crate::limits::{DIAGNOSTICS_MAX, INSTRUCTIONS_PER_REPLY_MAX};

/// The reason why a whole reply is refused: it is beyond a bound, too much of it was dropped, or in
/// strict mode there is anything to repair, skip or drop. Boxed, because nearly every result is fine.
#[derive(Debug)]
pub(super) struct ReplyRefusal(Box<Diagnostic>);

impl ReplyRefusal {
    pub(super) fn unreadable(offset: usize, message: impl Into<String>) -> Self {
        Self::new(Code::XmlParseError, offset, message)
    }

    /// Returns the refusal of a reply that grew past a bound.
    pub(super) fn runaway(offset: usize, message: impl Into<String>) -> Self {
        Self::new(Code::LlmReplyRunaway, offset, message)
    }

    fn new(code: Code, offset: usize, message: impl Into<String>) -> Self {
        let found = diagnostic(code, Severity::Error, offset, message);
        Self(Box::new(found))
    }

    fn with(mut self, example: Option<Sample>) -> Self {
        self.0.example = example;
        self
    }
}

/// Returns a diagnostic whose column is a byte offset until [`ParseReport::finish`].
fn diagnostic(
    code: Code,
    severity: Severity,
    offset: usize,
    message: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        code,
        severity,
        line: 0,
        column: offset,
        message: message.into(),
        repaired: false,
        dropped: None,
        example: None,
    }
}

/// The results of one reply. Its columns are byte offsets until [`ParseReport::finish`].
#[derive(Debug)]
pub(super) struct ParseReport {
    pub(super) options: ParseOptions,
    diagnostics: Vec<Diagnostic>,
    instructions: Vec<LocatedInstruction>,
    /// The number of instructions begun, dropped ones included.
    begun: usize,
}

impl ParseReport {
    pub(super) const fn new(options: ParseOptions) -> Self {
        Self {
            options,
            diagnostics: Vec::new(),
            instructions: Vec::new(),
            begun: 0,
        }
    }

    pub(super) const fn begun(&self) -> usize {
        self.begun
    }

    /// Counts an instruction that begins.
    pub(super) fn begin(&mut self, offset: usize) -> Result<(), ReplyRefusal> {
        self.begun += 1;
        if self.begun > INSTRUCTIONS_PER_REPLY_MAX {
            let message =
                format!("The reply has more than {INSTRUCTIONS_PER_REPLY_MAX} instructions.");
            return Err(ReplyRefusal::runaway(offset, message));
        }
        Ok(())
    }

    /// Adds an instruction. Drops one that changes or searches notes, or answers, in the same words
    /// as an earlier one.
    pub(super) fn add(
        &mut self,
        instruction: Instruction,
        offset: usize,
        repaired: bool,
    ) -> Result<(), ReplyRefusal> {
        let tag = instruction.tag();
        let may_repeat = matches!(
            tag,
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
        let mut earlier = self.instructions.iter();
        if !may_repeat && earlier.any(|earlier| earlier.instruction == instruction) {
            let message = format!("This <{tag}> repeats an earlier one and was ignored.");
            let found = diagnostic(Code::InstructionInvalid, Severity::Info, offset, message);
            return self.dropped(tag.name(), found);
        }
        self.instructions.push(LocatedInstruction {
            instruction,
            line: 0,
            column: offset,
            repaired,
        });
        Ok(())
    }

    /// Reports a repair, as [`Self::mend`] does.
    pub(super) fn repair(
        &mut self,
        offset: usize,
        message: impl Into<String>,
    ) -> Result<(), ReplyRefusal> {
        self.mend(Severity::Warning, offset, message.into())
    }

    /// Reports a repair, or something without any effect that was stepped over. Beyond the bound
    /// they are not recorded any more: the instructions show them anyway.
    pub(super) fn mend(
        &mut self,
        severity: Severity,
        offset: usize,
        message: String,
    ) -> Result<(), ReplyRefusal> {
        if self.options.strict {
            return Err(ReplyRefusal::unreadable(offset, message));
        }
        if self.diagnostics.len() < DIAGNOSTICS_MAX - 1 {
            self.diagnostics.push(Diagnostic {
                repaired: true,
                ..diagnostic(Code::XmlParseError, severity, offset, message)
            });
        }
        Ok(())
    }

    pub(super) fn skip_comment(&mut self, offset: usize) -> Result<(), ReplyRefusal> {
        self.mend(Severity::Info, offset, "A comment was ignored.".to_owned())
    }

    /// Drops a wrong element, and shows the instruction that would be right.
    pub(super) fn drop_wrong(
        &mut self,
        offset: usize,
        name: &str,
        message: String,
        example: Option<Sample>,
    ) -> Result<(), ReplyRefusal> {
        if self.options.strict {
            return Err(ReplyRefusal::unreadable(offset, message).with(example));
        }
        let found = Diagnostic {
            example,
            ..diagnostic(Code::InstructionInvalid, Severity::Warning, offset, message)
        };
        self.dropped(name, found)
    }

    /// Drops an instruction inside which the reply was cut off.
    pub(super) fn drop_truncated(&mut self, offset: usize, name: &str) -> Result<(), ReplyRefusal> {
        let message = format!(
            "The reply was cut off inside <{name}>, which was ignored. Write less, or raise max_tokens."
        );
        if self.options.strict {
            return Err(ReplyRefusal::unreadable(offset, message));
        }
        let found = diagnostic(Code::LlmReplyTruncated, Severity::Warning, offset, message);
        self.dropped(name, found)
    }

    /// Records what was dropped, if need be in the place of a repair.
    fn dropped(&mut self, name: &str, found: Diagnostic) -> Result<(), ReplyRefusal> {
        if self.diagnostics.len() >= DIAGNOSTICS_MAX - 1 {
            let Some(repair) = self.diagnostics.iter().rposition(|it| it.repaired) else {
                let message = "Too many instructions of the reply are wrong or repeated.";
                return Err(ReplyRefusal::runaway(found.column, message));
            };
            self.diagnostics.remove(repair);
        }
        self.diagnostics.push(Diagnostic {
            dropped: Some(name.to_owned()),
            ..found
        });
        Ok(())
    }

    /// Removes all instructions so far.
    pub(super) fn forget_instructions(&mut self) {
        self.instructions.clear();
    }

    /// Removes all instructions so far, and the diagnostics before `offset`.
    pub(super) fn forget_before(&mut self, offset: usize) {
        self.forget_instructions();
        self.begun = 0;
        self.diagnostics.retain(|found| found.column >= offset);
    }

    /// Refuses a reply that was read to its end and holds no instruction.
    fn verdict(&self) -> Result<(), ReplyRefusal> {
        if !self.instructions.is_empty() {
            return Ok(());
        }
        if self.options.truncated {
            let message = "The reply was cut off before one instruction was complete. Write less, or raise max_tokens.";
            return Err(ReplyRefusal::unreadable(0, message));
        }
        if self.begun > 0 {
            let message = "No instruction of the reply is valid.";
            return Err(ReplyRefusal::unreadable(0, message));
        }
        // Instructions that do no harm, should a model copy one.
        let mut harmless = [Tag::RamAdd, Tag::StateAdd].into_iter();
        let example = harmless.find(|tag| self.options.allowed_tags.contains(*tag));
        let example = example.map(|tag| Sample::made_up(shape(tag).sample));
        Err(ReplyRefusal::unreadable(0, "The reply holds no instruction.").with(example))
    }

    /// Returns the results, each with its place in `text`. A refused reply has no instructions.
    pub(super) fn finish(
        mut self,
        text: &str,
        read: Result<(), ReplyRefusal>,
        reasoning: Option<String>,
    ) -> ParsedReply {
        let refusal = read.and_then(|()| self.verdict()).err();
        let ok = refusal.is_none();
        if let Some(ReplyRefusal(found)) = refusal {
            self.instructions.clear();
            self.diagnostics.push(*found);
        }
        self.diagnostics.sort_by_key(|found| found.column);
        let diagnostics = self.diagnostics.iter_mut();
        number(text, diagnostics.map(|it| (&mut it.line, &mut it.column)));
        let instructions = self.instructions.iter_mut();
        number(text, instructions.map(|it| (&mut it.line, &mut it.column)));
        ParsedReply {
            parser_version: PARSER_VERSION,
            ok,
            instructions: self.instructions,
            diagnostics: self.diagnostics,
            reasoning,
        }
    }
}

/// Replaces the byte offset in each column by line and column, both from 1, the column in
/// characters. The offsets must ascend.
fn number<'p>(text: &str, places: impl Iterator<Item = (&'p mut usize, &'p mut usize)>) {
    let (mut passed, mut newlines, mut line_start) = (0, 0, 0);
    for (line, column) in places {
        let offset = (*column).min(text.len());
        let between = &text[passed..offset];
        newlines += between.matches('\n').count();
        if let Some(last) = between.rfind('\n') {
            line_start = passed + last + 1;
        }
        passed = offset;
        *line = newlines + 1;
        *column = text[line_start..offset].chars().count() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let mut places = [0, 1, 3, 3, 4, 5, 8, 99].map(|offset| (0, offset));
        let each = places.iter_mut().map(|place| (&mut place.0, &mut place.1));
        number("a\u{17c}b\n\n  x", each);
        let expected = [
            (1, 1),
            (1, 2),
            (1, 3),
            (1, 3),
            (1, 4),
            (2, 1),
            (3, 3),
            (3, 4),
        ];
        assert_eq!(places, expected);
    }
}
