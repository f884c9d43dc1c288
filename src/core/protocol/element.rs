//! Reads one instruction from its opening tag to its end and judges whether it stands, is dropped
//! alone, or makes the whole reply unreadable. Owns the structure of an instruction, not the types
//! of its children.

mod amend;

use super::action::Form;
use super::build::{Field, build, build_action};
use super::child::{Child, Known};
use super::content::{self, Content, Ended, without_torn_end};
use super::instruction_list::InstructionList;
use super::lexer::{Lexeme, Place, Token};
use super::report::Refusal;
use super::scan::Scan;
use super::tag::{Shape, Tag, shape};
use std::borrow::Cow;

/// Reads on from the opening tag of an instruction, which is `opening`, and adds it to `instructions`
/// unless it has to be dropped. `in_actions` says whether it stands inside `<actions>`.
///
/// # Errors
/// If the structure cannot be repaired without guessing, and at any fault in strict mode.
pub(super) fn read<'a>(
    scan: &mut Scan<'a>,
    tag: Tag,
    opening: Lexeme,
    in_actions: bool,
    fields: &mut Vec<Field<'a>>,
    instructions: &mut InstructionList,
) -> Result<(), Refusal> {
    fields.clear();
    let mut reader = ElementReader {
        scan,
        tag,
        start: opening.start,
        within: Within {
            actions: in_actions,
            store: false,
        },
        gap: opening.end,
        fields,
        last_child: None,
        problem: None,
        repaired: false,
        holds_instruction: false,
    };
    let end = if matches!(opening.token, Token::Empty(_)) {
        End::Closed
    } else {
        reader.read_children()?
    };
    reader.finish(end, instructions)
}

/// How an instruction came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Closed,
    WithReply,
}

/// The elements that hold others and are open.
#[derive(Clone, Copy, Debug)]
struct Within {
    /// `<actions>` around the instruction.
    actions: bool,
    /// `<store>` inside it.
    store: bool,
}

/// Owns one instruction while it is read.
struct ElementReader<'s, 'a> {
    scan: &'s mut Scan<'a>,
    tag: Tag,
    start: usize,
    within: Within,
    /// Where the last lexeme with a meaning ended; only blanks may follow up to the next.
    gap: usize,
    fields: &'s mut Vec<Field<'a>>,
    last_child: Option<Child>,
    /// The first reason to drop it.
    problem: Option<String>,
    repaired: bool,
    holds_instruction: bool,
}

impl<'a> ElementReader<'_, 'a> {
    fn read_children(&mut self) -> Result<End, Refusal> {
        loop {
            let lexeme = self.scan.next(Place::Outside);
            match lexeme.token {
                Token::Text | Token::Stray | Token::Reference | Token::CData => continue,
                Token::End => {
                    self.end_of_reply(lexeme.start);
                    return Ok(End::WithReply);
                }
                Token::Comment => {
                    self.only_blanks_before(lexeme.start);
                    self.comment(lexeme.start)?;
                }
                Token::Open(name) => {
                    self.only_blanks_before(lexeme.start);
                    if let Some(end) = self.opened(name, lexeme)? {
                        return Ok(end);
                    }
                    continue;
                }
                Token::Empty(name) => {
                    self.only_blanks_before(lexeme.start);
                    self.empty(name, lexeme)?;
                }
                Token::Close(name) => {
                    if self.closed(name, lexeme)? {
                        return Ok(End::Closed);
                    }
                }
                Token::Refused(refused) => {
                    return Err(self.scan.refuse(lexeme.start, refused));
                }
            }
            self.gap = lexeme.end;
        }
    }

    /// Returns the instruction's end if the content took it along.
    fn opened(&mut self, name: Option<Known>, lexeme: Lexeme) -> Result<Option<End>, Refusal> {
        let Some(known) = name else {
            return self.foreign(lexeme);
        };
        if known == Known::Child(Child::Store) && self.tag == Tag::Action {
            self.end_store(lexeme.start)?;
            self.within.store = true;
            self.push_empty(Child::Store, lexeme);
            return Ok(None);
        }
        if matches!(known, Known::Instruction(_)) && self.is_complete() {
            // All its children are there and the next instruction begins: only one reading is left.
            self.scan.seek(lexeme.start);
            self.closed_by_repair(lexeme.start)?;
            return Ok(Some(End::Closed));
        }
        let content = content::read(self.scan, self.tag, known, lexeme.end)?;
        // Whatever ended the content was read with it.
        self.gap = self.scan.position();
        self.repaired |= content.repaired;
        self.holds_instruction |= content.seen.instruction;
        let ended = content.ended;
        match known {
            Known::Child(child) => self.child(child, lexeme.start, content)?,
            Known::Instruction(inner) => {
                self.holds_instruction = true;
                self.wrong(|tag| {
                    format!("<{inner}> stands inside <{tag}>. Write them one after the other.")
                });
            }
        }
        Ok(match ended {
            Ended::Itself => None,
            Ended::Instruction => Some(End::Closed),
            Ended::Reply => Some(End::WithReply),
        })
    }

    fn child(&mut self, child: Child, at: usize, content: Content<'a>) -> Result<(), Refusal> {
        let name = child.name();
        let is_closed = content.ended == Ended::Itself;
        let may_hold_tags = is_closed && child.is_free_text() || child == Child::Ids;
        if content.ended == Ended::Reply && content.text.trim_ascii().is_empty() {
            // What it was to hold, nobody knows.
            self.wrong(|tag| format!("<{tag}> breaks off before anything stands in <{name}>."));
        } else if content.seen.known_tag && !may_hold_tags {
            self.wrong(|tag| format!("<{name}> in <{tag}> is not closed."));
        } else if content.ended == Ended::Instruction {
            self.repaired = true;
            let message = format!("</{name}> is missing and was added.");
            self.scan.report.repair(at, message)?;
        }
        self.last_child = Some(child);
        self.fields.push(Field {
            child,
            text: content.text,
            raw: content.raw,
            holds_elements: content.seen.elements,
            in_store: self.within.store,
        });
        Ok(())
    }

    fn empty(&mut self, name: Option<Known>, lexeme: Lexeme) -> Result<(), Refusal> {
        if let Some(Known::Child(child)) = name {
            self.push_empty(child, lexeme);
            return Ok(());
        }
        self.foreign(lexeme).map(drop)
    }

    fn push_empty(&mut self, child: Child, lexeme: Lexeme) {
        self.gap = lexeme.end;
        self.last_child = Some(child);
        self.fields.push(Field {
            child,
            text: Cow::Borrowed(""),
            raw: "",
            holds_elements: false,
            in_store: self.within.store && child != Child::Store,
        });
    }

    /// Returns whether this is the instruction's end.
    fn closed(&mut self, name: Option<Known>, lexeme: Lexeme) -> Result<bool, Refusal> {
        let is_adjacent = self.is_blank_before(lexeme.start);
        match name {
            Some(Known::Instruction(tag)) if tag == self.tag => {
                self.only_blanks_before(lexeme.start);
                self.end_store(lexeme.start)?;
                return Ok(true);
            }
            Some(Known::Instruction(Tag::Actions)) if self.within.actions && self.is_complete() => {
                self.scan.seek(lexeme.start);
                self.closed_by_repair(lexeme.start)?;
                return Ok(true);
            }
            Some(Known::Instruction(other)) => {
                let tag = self.tag;
                let message = format!("<{tag}> is closed by </{other}>. Close it with </{tag}>.");
                return Err(Refusal::unreadable(lexeme.start, message));
            }
            Some(Known::Child(Child::Store)) if self.within.store => {
                self.only_blanks_before(lexeme.start);
                self.within.store = false;
                self.last_child = Some(Child::Store);
            }
            Some(Known::Child(child)) if is_adjacent && self.last_child == Some(child) => {
                self.repaired = true;
                let message = format!("A second </{}> was ignored.", child.name());
                self.scan.report.repair(lexeme.start, message)?;
            }
            Some(Known::Child(child)) => {
                // Seen when a value holds its own closing tag: what follows may be anything.
                let message = format!("</{}> has no opening tag.", child.name());
                return Err(Refusal::unreadable(lexeme.start, message));
            }
            None if self.is_complete() && is_adjacent => {
                self.closed_by_repair(lexeme.start)?;
                return Ok(true);
            }
            None => {
                self.only_blanks_before(lexeme.start);
                let name = lexeme.name(self.scan.text);
                self.wrong(|tag| format!("</{name}> in <{tag}> has no opening tag."));
            }
        }
        Ok(false)
    }

    /// Whether nothing is missing or wrong so far, so that the instruction could end here.
    fn is_complete(&self) -> bool {
        let has = |child: &Child| self.fields.iter().any(|field| field.child == *child);
        let required = self.shape().required;
        let all = if required.is_empty() {
            !self.fields.is_empty()
        } else {
            required.iter().all(has)
        };
        self.problem.is_none() && all && !self.within.store
    }

    /// What the element is made of, as far as that can be said yet.
    fn shape(&self) -> Shape {
        if self.tag == Tag::Action {
            Form::of(self.fields, self.within.actions).shape()
        } else {
            shape(self.tag)
        }
    }

    fn closed_by_repair(&mut self, at: usize) -> Result<(), Refusal> {
        self.repaired = true;
        let message = format!("</{}> is missing and was added.", self.tag.name());
        self.scan.report.repair(at, message)
    }

    fn end_of_reply(&mut self, at: usize) {
        let tail = self.scan.text[self.gap..at].trim_ascii();
        let tail = without_torn_end(tail, self.tag.name(), self.scan.fenced);
        if !tail.trim_ascii().is_empty() {
            self.text_between_children();
        }
    }

    fn is_blank_before(&self, at: usize) -> bool {
        self.scan.text[self.gap..at].trim_ascii().is_empty()
    }

    fn only_blanks_before(&mut self, at: usize) {
        if !self.is_blank_before(at) {
            self.text_between_children();
        }
    }

    fn text_between_children(&mut self) {
        self.wrong(|tag| format!("<{tag}> holds text outside its children."));
    }

    fn wrong(&mut self, message: impl FnOnce(&str) -> String) {
        if self.problem.is_none() {
            self.problem = Some(message(self.tag.name()));
        }
    }

    fn finish(mut self, end: End, instructions: &mut InstructionList) -> Result<(), Refusal> {
        let name = self.tag.name();
        if end == End::WithReply {
            if self.scan.options.truncated {
                self.scan.report.drop_truncated(self.start, name)?;
                return Ok(());
            }
            if self.holds_instruction {
                let message = format!("<{name}> is never closed. Close it with </{name}>.");
                return Err(Refusal::unreadable(self.start, message));
            }
        }
        let form = (self.tag == Tag::Action).then(|| Form::of(self.fields, self.within.actions));
        let switch = form.map_or(self.tag, Form::switch);
        if !self.scan.options.allowed_tags.contains(switch) {
            let message = format!("<{name}> is not allowed here.");
            self.scan.report.drop_invalid(self.start, name, message)?;
            return Ok(());
        }
        if let Some(form @ Form::Tool(_)) = form {
            self.drop_empty_extras(&form.shape())?;
        }
        let built = match (self.problem.take(), form) {
            (Some(problem), _) => Err(problem),
            (None, Some(form)) => build_action(form, self.fields, self.scan.report.is_strict()),
            (None, None) => build(self.tag, self.fields, self.scan.report.is_strict()),
        };
        if end == End::WithReply && built.is_ok() {
            self.repaired = true;
            let message = format!("</{name}> is missing at the end and was added.");
            self.scan.report.repair(self.start, message)?;
        }
        match built {
            Ok(instruction) => {
                if !instructions.push(instruction, self.start, self.repaired) {
                    self.scan.report.drop_repeated(self.start, name)?;
                }
                Ok(())
            }
            Err(problem) => {
                let sample = self.sample();
                let report = &mut self.scan.report;
                report.drop_wrong(self.start, name, problem, Some(sample))
            }
        }
    }
}
