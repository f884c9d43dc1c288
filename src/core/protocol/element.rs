//! Reads one instruction from its opening tag to its end. Owns the structure of an instruction:
//! what is put right in it, and where no reading is safe; not the types of its children.

use super::characters::is_control;
use super::content::{self, Content, without_torn_end};
use super::draft::{Field, InstructionDraft};
use super::report::ReplyRefusal;
use super::scan::{ElementEnd, Lexeme, Scan, ScanContext, Token};
use super::tag::{Child, Element, Tag};
use std::borrow::Cow;

/// Reads on from the opening tag of an instruction, which is `opening`, and adds it to the report
/// unless it has to be dropped. `in_actions` says whether it stands inside `<actions>`.
///
/// # Errors
/// Refuses a structure that cannot be repaired without guessing; in strict mode, any fault.
pub(super) fn read(
    scan: &mut Scan<'_>,
    tag: Tag,
    opening: Lexeme,
    in_actions: bool,
) -> Result<(), ReplyRefusal> {
    let mut reader = ElementReader {
        draft: InstructionDraft::new(tag, opening.start, in_actions),
        in_store: false,
        gap: opening.end,
        last_child: None,
        holds_instruction: false,
        scan,
    };
    let is_empty = matches!(opening.token, Token::Empty(_));
    if !is_empty && reader.read_children()? == ElementEnd::Reply {
        reader.draft.is_open = true;
        if reader.scan.report.options.truncated {
            return reader.scan.report.drop_truncated(opening.start, tag.name());
        }
        if reader.holds_instruction {
            let message = format!("<{tag}> is never closed. Close it with </{tag}>.");
            return Err(ReplyRefusal::unreadable(opening.start, message));
        }
    }
    reader.draft.settle(&mut reader.scan.report)
}

struct ElementReader<'s, 'a> {
    scan: &'s mut Scan<'a>,
    draft: InstructionDraft<'a>,
    in_store: bool,
    /// The end of the last lexeme with a meaning; only blanks may follow up to the next.
    gap: usize,
    last_child: Option<Child>,
    holds_instruction: bool,
}

impl<'a> ElementReader<'_, 'a> {
    /// Returns how the instruction ended.
    fn read_children(&mut self) -> Result<ElementEnd, ReplyRefusal> {
        loop {
            let lexeme = self.scan.next(ScanContext::Outside)?;
            let ended = match lexeme.token {
                Token::Text | Token::Stray | Token::Reference | Token::CData => continue,
                Token::End => {
                    let tail = &self.scan.text[self.gap..lexeme.start];
                    let name = self.draft.tag.name();
                    let tail = without_torn_end(tail.trim_ascii(), name, self.scan.fenced);
                    self.only_blanks(tail);
                    return Ok(ElementEnd::Reply);
                }
                Token::Comment => {
                    self.only_blanks_before(lexeme.start);
                    // Comments are part of the format of `<actions>`, and of nothing else.
                    if !self.draft.in_actions {
                        self.scan.report.skip_comment(lexeme.start)?;
                    }
                    ElementEnd::Itself
                }
                Token::Open(name) => {
                    self.only_blanks_before(lexeme.start);
                    self.opened(name, lexeme)?
                }
                Token::Empty(name) => {
                    self.only_blanks_before(lexeme.start);
                    match name {
                        Some(Element::Child(child)) => {
                            self.push_empty(child);
                            ElementEnd::Itself
                        }
                        Some(Element::Instruction(_)) | None => self.foreign(lexeme)?,
                    }
                }
                Token::Close(name) => self.closed(name, lexeme)?,
            };
            if ended != ElementEnd::Itself {
                return Ok(ended);
            }
            // Whatever ended a content was read with it.
            self.gap = self.scan.position();
        }
    }

    /// Reads a part that opens. It may take the instruction's end along.
    fn opened(
        &mut self,
        name: Option<Element>,
        lexeme: Lexeme,
    ) -> Result<ElementEnd, ReplyRefusal> {
        let Some(known) = name else {
            return self.foreign(lexeme);
        };
        if known == Element::Child(Child::Store) && self.draft.tag == Tag::Action {
            self.end_store(lexeme.start)?;
            self.push_empty(Child::Store);
            self.in_store = true;
            return Ok(ElementEnd::Itself);
        }
        if matches!(known, Element::Instruction(_)) && self.is_complete() {
            // All its children are there and the next instruction begins: only one reading is left.
            self.scan.seek(lexeme.start);
            return self.close(lexeme.start);
        }
        let content = content::read(self.scan, self.draft.tag, known, lexeme.end)?;
        self.draft.repaired |= content.repaired;
        self.holds_instruction |= content.seen.instruction;
        let ended = content.ended;
        match known {
            Element::Child(child) => self.child(child, lexeme, content)?,
            Element::Instruction(inner) => {
                self.holds_instruction = true;
                self.draft.wrong(|tag| {
                    format!("<{inner}> stands inside <{tag}>. Write them one after the other.")
                });
            }
        }
        Ok(ended)
    }

    fn child(
        &mut self,
        child: Child,
        opening: Lexeme,
        content: Content<'a>,
    ) -> Result<(), ReplyRefusal> {
        let name = child.name();
        let mut bytes = content.text.bytes();
        let is_blank = bytes.all(|byte| byte.is_ascii_whitespace() || is_control(byte));
        let is_closed = content.ended == ElementEnd::Itself;
        let may_hold_tags = is_closed && child.is_free_text() || child == Child::Ids;
        if content.ended == ElementEnd::Reply && is_blank {
            // Its intended content is unknown.
            self.draft
                .wrong(|tag| format!("<{tag}> breaks off before anything stands in <{name}>."));
        } else if content.seen.known_tag && !may_hold_tags {
            self.draft
                .wrong(|tag| format!("<{name}> in <{tag}> is not closed."));
        } else if content.ended == ElementEnd::Instruction {
            let message = format!("</{name}> is missing and was added.");
            self.repair(opening.start, message)?;
        }
        self.last_child = Some(child);
        let field = Field {
            child,
            text: content.text,
            raw: content.raw,
            holds_elements: content.seen.elements,
            in_store: self.in_store,
        };
        self.draft.push(&mut self.scan.report, field, opening.end)
    }

    fn push_empty(&mut self, child: Child) {
        let in_store = self.in_store && child != Child::Store;
        let field = Field::plain(child, Cow::Borrowed(""), in_store);
        self.last_child = Some(child);
        self.draft.fields.push(field);
    }

    fn closed(
        &mut self,
        name: Option<Element>,
        lexeme: Lexeme,
    ) -> Result<ElementEnd, ReplyRefusal> {
        let at = lexeme.start;
        let is_adjacent = self.is_blank_before(at);
        let tag = self.draft.tag;
        match name {
            Some(Element::Instruction(other)) if other == tag => {
                self.only_blanks_before(at);
                self.end_store(at)?;
                return Ok(ElementEnd::Instruction);
            }
            Some(Element::Instruction(Tag::Actions))
                if self.draft.in_actions && self.is_complete() =>
            {
                self.scan.seek(at);
                return self.close(at);
            }
            Some(Element::Instruction(other)) => {
                let message = format!("<{tag}> is closed by </{other}>. Close it with </{tag}>.");
                return Err(ReplyRefusal::unreadable(at, message));
            }
            Some(Element::Child(Child::Store)) if self.in_store => {
                self.only_blanks_before(at);
                self.in_store = false;
                self.last_child = Some(Child::Store);
            }
            Some(Element::Child(child)) if is_adjacent && self.last_child == Some(child) => {
                self.repair(at, format!("A second </{}> was ignored.", child.name()))?;
            }
            Some(Element::Child(child)) => {
                // Seen when a value holds its own closing tag: what follows may be anything.
                let message = format!("</{}> has no opening tag.", child.name());
                return Err(ReplyRefusal::unreadable(at, message));
            }
            None if self.is_complete() && is_adjacent => return self.close(at),
            None => {
                self.only_blanks_before(at);
                let name = lexeme.name(self.scan.text);
                self.draft
                    .wrong(|tag| format!("</{name}> in <{tag}> has no opening tag."));
            }
        }
        Ok(ElementEnd::Itself)
    }

    /// Reads an element of no known name. In the dialects it is stepped over, elsewhere it spoils
    /// the instruction. Its end may take the instruction's along.
    fn foreign(&mut self, lexeme: Lexeme) -> Result<ElementEnd, ReplyRefusal> {
        let name = lexeme.name(self.scan.text);
        let tag = self.draft.tag;
        if !tag.is_dialect() {
            self.draft
                .wrong(|tag| format!("<{name}> does not belong in <{tag}>."));
            return Ok(ElementEnd::Itself);
        }
        let message = format!("<{name}> does not belong in <{tag}> and was stepped over.");
        self.repair(lexeme.start, message)?;
        if matches!(lexeme.token, Token::Empty(_)) {
            return Ok(ElementEnd::Itself);
        }
        let stepped = self.scan.step_over(name, Some(tag))?;
        self.holds_instruction |= stepped.has_instruction;
        if stepped.has_instruction || stepped.ended != ElementEnd::Itself {
            self.draft
                .wrong(|tag| format!("<{name}> in <{tag}> is not closed."));
        }
        Ok(stepped.ended)
    }

    /// Closes a `<store>` that something else ends.
    fn end_store(&mut self, at: usize) -> Result<(), ReplyRefusal> {
        if !std::mem::take(&mut self.in_store) {
            return Ok(());
        }
        self.repair(at, "</store> is missing and was added.")
    }

    /// Closes the instruction before something that ends it.
    fn close(&mut self, at: usize) -> Result<ElementEnd, ReplyRefusal> {
        let name = self.draft.tag.name();
        self.repair(at, format!("</{name}> is missing and was added."))?;
        Ok(ElementEnd::Instruction)
    }

    fn repair(&mut self, at: usize, message: impl Into<String>) -> Result<(), ReplyRefusal> {
        self.draft.repair(&mut self.scan.report, at, message)
    }

    fn is_complete(&self) -> bool {
        !self.in_store && self.draft.is_complete()
    }

    fn is_blank_before(&self, at: usize) -> bool {
        self.scan.text[self.gap..at].trim_ascii().is_empty()
    }

    fn only_blanks_before(&mut self, at: usize) {
        let text: &'a str = self.scan.text;
        self.only_blanks(&text[self.gap..at]);
    }

    fn only_blanks(&mut self, text: &str) {
        if !text.trim_ascii().is_empty() {
            self.draft
                .wrong(|tag| format!("<{tag}> holds text outside its children."));
        }
    }
}
