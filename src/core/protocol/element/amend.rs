//! What is put right inside one instruction without touching its meaning: comments, unknown and
//! empty parts, a store left open; and the example of a right one where nothing helps.

use super::super::build::Field;
use super::super::child::{Child, Known};
use super::super::escape::escape;
use super::super::instruction::Sample;
use super::super::lexer::{Lexeme, Place, Token};
use super::super::report::Refusal;
use super::super::tag::{Shape, Tag, shape};
use super::{ElementReader, End};
use crate::limits::SAMPLE_TEXT_BYTES_MAX;
use std::borrow::Cow;

impl ElementReader<'_, '_> {
    /// Comments are part of the format of `<actions>`, and of nothing else.
    pub(super) fn comment(&mut self, at: usize) -> Result<(), Refusal> {
        if self.within.actions {
            return Ok(());
        }
        self.scan.report.skip(at, "A comment was ignored.")
    }

    /// An element of no known name. In the dialects it is stepped over, elsewhere it spoils the
    /// instruction. Returns the instruction's end if that came first.
    pub(super) fn foreign(&mut self, lexeme: Lexeme) -> Result<Option<End>, Refusal> {
        self.gap = lexeme.end;
        let name = lexeme.name(self.scan.text);
        if !self.tag.is_dialect() {
            self.wrong(|tag| format!("<{name}> does not belong in <{tag}>."));
            return Ok(None);
        }
        let tag = self.tag;
        let message = format!("<{name}> does not belong in <{tag}> and was stepped over.");
        self.scan.report.repair(lexeme.start, message)?;
        self.repaired = true;
        if matches!(lexeme.token, Token::Empty(_)) {
            return Ok(None);
        }
        let end = self.skip(name)?;
        self.gap = self.scan.position();
        Ok(end)
    }

    /// Reads past the closing tag of the unknown element `name`. What opens under the same name
    /// inside it nests.
    fn skip(&mut self, name: &str) -> Result<Option<End>, Refusal> {
        let unclosed = |tag: &str| format!("<{name}> in <{tag}> is not closed.");
        let mut depth = 1_usize;
        while depth > 0 {
            let lexeme = self.scan.next(Place::Outside);
            match lexeme.token {
                Token::End => {
                    self.wrong(unclosed);
                    return Ok(Some(End::WithReply));
                }
                Token::Close(Some(known)) if known == Known::Instruction(self.tag) => {
                    self.wrong(unclosed);
                    return Ok(Some(End::Closed));
                }
                Token::Open(None) if lexeme.name(self.scan.text) == name => depth += 1,
                Token::Close(None) if lexeme.name(self.scan.text) == name => depth -= 1,
                Token::Open(Some(Known::Instruction(_))) => {
                    self.holds_instruction = true;
                    self.wrong(unclosed);
                }
                Token::Refused(refused) => return Err(self.scan.refuse(lexeme.start, refused)),
                Token::Text
                | Token::Stray
                | Token::Reference
                | Token::CData
                | Token::Comment
                | Token::Open(_)
                | Token::Close(_)
                | Token::Empty(_) => {}
            }
        }
        Ok(None)
    }

    /// Closes a `<store>` that something else ends.
    pub(super) fn end_store(&mut self, at: usize) -> Result<(), Refusal> {
        if !std::mem::take(&mut self.within.store) {
            return Ok(());
        }
        self.repaired = true;
        let message = "</store> is missing and was added.";
        self.scan.report.repair(at, message)
    }

    /// Small models copy the whole form of a call and leave empty what it does not need.
    pub(super) fn drop_empty_extras(&mut self, shape: &Shape) -> Result<(), Refusal> {
        let takes = |child| shape.required.contains(&child) || shape.optional.contains(&child);
        while let Some(at) = self
            .fields
            .iter()
            .position(|field| !takes(field.child) && field.text.trim().is_empty())
        {
            let name = self.fields.remove(at).child.name();
            self.repaired = true;
            let message = format!("An empty <{name}> was ignored. Leave it out.");
            self.scan.report.repair(self.start, message)?;
        }
        Ok(())
    }

    /// A correct instruction, made of what was written as far as that goes. Whatever else it held,
    /// a small model would copy, and a made-up text must never replace what stands in a note.
    pub(super) fn sample(&self) -> Sample {
        let tag = self.meant();
        let shape = if tag == self.tag {
            self.shape()
        } else {
            shape(tag)
        };
        let mut made = String::new();
        for child in shape.required {
            let fits =
                |field: &&Field<'_>| (1..=SAMPLE_TEXT_BYTES_MAX).contains(&field.text.trim().len());
            let Some(field) = self.stand_in(*child).filter(fits) else {
                return Sample::made_up(shape.sample);
            };
            let name = child.name();
            made = format!("{made}<{name}>{}</{name}>", escape(field.text.trim()));
        }
        // Of what needs no part, and of a call of no tool, nothing is left to put together; of a search
        // the words would be missing, since either of two parts may hold them.
        let no_call = tag == Tag::Action && shape.required == [Child::Kind];
        if made.is_empty() || no_call || shape.optional.contains(&Child::Query) {
            return Sample::made_up(shape.sample);
        }
        let text = if tag == Tag::Action {
            format!("<actions><{tag}>{made}</{tag}></actions>")
        } else {
            format!("<{tag}>{made}</{tag}>")
        };
        Sample {
            text: Cow::Owned(text),
            is_own: true,
        }
    }

    /// The instruction that was meant: a deletion with a value in it is none. Shown the deletion that it
    /// wrote, a small model writes it again.
    fn meant(&self) -> Tag {
        const KEPT: [(Tag, Tag); 2] = [
            (Tag::RamDelete, Tag::RamAdd),
            (Tag::RecordDelete, Tag::RecordUpdate),
        ];
        let allowed = self.scan.options.allowed_tags;
        let has_value = self.written(Child::Value).is_some();
        let mut kept = KEPT.into_iter().filter(|(_, kept)| allowed.contains(*kept));
        kept.find(|(deletion, _)| has_value && *deletion == self.tag)
            .map_or(self.tag, |(_, kept)| kept)
    }

    fn written(&self, child: Child) -> Option<&Field<'_>> {
        self.fields.iter().find(|field| field.child == child)
    }

    /// What was written for a part, if need be under the name of another one.
    fn stand_in(&self, child: Child) -> Option<&Field<'_>> {
        const OTHERS: [(Child, Child); 3] = [
            (Child::Key, Child::Title),
            (Child::Keywords, Child::Title),
            (Child::Keywords, Child::Key),
        ];
        let others = OTHERS.into_iter().filter(|(missing, _)| *missing == child);
        let mut names = std::iter::once(child).chain(others.map(|(_, other)| other));
        names.find_map(|child| self.written(child))
    }
}
