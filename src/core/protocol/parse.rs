//! The entry: model text in, instructions and diagnostics out. Owns what stands between
//! instructions (prose, fences, reasoning, foreign elements) and the final verdict on the reply.
//! Never fails and never panics; whatever the text is, the answer is a `Parsed`.
//!
//! Nothing is taken from a reply before all of it was read, so that one broken tag at the end can
//! still refuse the instructions before it. Text inside a child is never taken for an instruction,
//! however complete it looks: `<value>` ends at the `</value>` that belongs to it.

mod actions;

use super::characters::is_control;
use super::foreign::Closers;
use super::instruction::{Parsed, Sample};
use super::instruction_list::InstructionList;
use super::lexer::{Lexeme, Place, Token};
use super::report::Refusal;
use super::scan::Scan;
use super::{AllowedTags, PARSER_VERSION, Tag, child::Known};
use super::{build::Field, element, foreign};
use crate::limits::{INSTRUCTIONS_PER_REPLY_MAX, REPLY_TEXT_BYTES_MAX};

use actions::Actions;

/// How a reply is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ParseOptions {
    /// Refuse whatever would have to be repaired, stepped over or dropped.
    pub strict: bool,
    /// The instructions that may be used.
    pub allowed_tags: AllowedTags,
    /// The server said that it cut the reply off (`finish_reason: length`).
    pub truncated: bool,
}

/// Reads a reply. What is wrong with it stands in the diagnostics; if one of them is an error, no
/// instruction is returned. Takes time in proportion to the text's length.
pub fn parse(text: &str, options: &ParseOptions) -> Parsed {
    let mut reply = ReplyParser::new(text, *options);
    let refusal = reply.read().and_then(|()| reply.settle()).err();
    reply.finish(refusal)
}

/// An unknown element around all instructions.
struct Wrapper<'a> {
    name: &'a str,
    start: usize,
    is_closed: bool,
}

/// Parses one reply.
struct ReplyParser<'a> {
    scan: Scan<'a>,
    /// Where the last lexeme with a meaning ended.
    gap: usize,
    /// Reused by every instruction.
    fields: Vec<Field<'a>>,
    instructions: InstructionList,
    /// Instructions seen, dropped ones included.
    seen: usize,
    /// The instruction that ended last, if nothing came after it.
    last_closed: Option<Tag>,
    wrapper: Option<Wrapper<'a>>,
    /// An `<actions>` that is open.
    actions: Option<Actions>,
    closers: Closers<'a>,
    /// The pieces of reasoning, put together at the end.
    reasoning: Vec<&'a str>,
}

impl<'a> ReplyParser<'a> {
    fn new(text: &'a str, options: ParseOptions) -> Self {
        let likely = (text.len() / 64 + 1).min(INSTRUCTIONS_PER_REPLY_MAX);
        Self {
            scan: Scan::new(text, options),
            gap: 0,
            fields: Vec::with_capacity(4),
            instructions: InstructionList::with_capacity(likely),
            seen: 0,
            last_closed: None,
            wrapper: None,
            actions: None,
            closers: Closers::default(),
            reasoning: Vec::new(),
        }
    }

    fn read(&mut self) -> Result<(), Refusal> {
        self.check_text()?;
        loop {
            let lexeme = self.scan.next(Place::Outside);
            match lexeme.token {
                Token::Text | Token::Stray | Token::Reference | Token::CData => continue,
                Token::End => return self.end(lexeme.start),
                Token::Comment => {
                    self.pass_gap(lexeme.start)?;
                    // Comments are part of the format of `<actions>`, and of nothing else.
                    if self.actions.is_none() {
                        let message = "A comment was ignored.";
                        self.scan.report.skip(lexeme.start, message)?;
                    }
                }
                Token::Open(name) | Token::Empty(name) => {
                    self.pass_gap(lexeme.start)?;
                    self.opened(name, lexeme)?;
                    continue;
                }
                Token::Close(name) => {
                    let adjacent = self.pass_gap(lexeme.start)?;
                    self.closed(name, lexeme, adjacent)?;
                }
                Token::Refused(refused) => {
                    return Err(self.scan.refuse(lexeme.start, refused));
                }
            }
            self.gap = lexeme.end;
        }
    }

    /// What can be said of the text before it is cut up.
    fn check_text(&mut self) -> Result<(), Refusal> {
        let text = self.scan.text;
        if text.len() > REPLY_TEXT_BYTES_MAX {
            let message = format!("The reply is longer than {REPLY_TEXT_BYTES_MAX} bytes.");
            return Err(Refusal::runaway(0, message));
        }
        if self.scan.has_control && self.scan.report.is_strict() {
            let at = text.bytes().position(is_control).unwrap_or_default();
            let message = "The reply holds a control character.";
            return Err(Refusal::unreadable(at, message));
        }
        if text.starts_with('\u{feff}') {
            self.scan
                .report
                .repair(0, "A byte order mark was removed.")?;
            self.gap = '\u{feff}'.len_utf8();
            self.scan.seek(self.gap);
        }
        Ok(())
    }

    /// Judges the text between the last thing with a meaning and `at`. Returns whether there was
    /// nothing but blanks.
    fn pass_gap(&mut self, at: usize) -> Result<bool, Refusal> {
        let gap = &self.scan.text[self.gap..at];
        // Other blanks than those of ASCII are rare enough for a second look.
        if gap.trim_ascii().is_empty() {
            return Ok(true);
        }
        let text = gap.trim();
        if text.is_empty() {
            return Ok(true);
        }
        self.last_closed = None;
        let start = self.gap + (gap.len() - gap.trim_start().len());
        let is_fence = text.lines().all(|line| {
            let label = line.trim().strip_prefix("```");
            label.is_some_and(|label| label.chars().all(char::is_alphanumeric))
        });
        self.scan.fenced |= text
            .lines()
            .next_back()
            .is_some_and(|line| line.trim().starts_with("```"));
        let message = if is_fence {
            "A code fence was ignored. Write the instructions without it."
        } else {
            "Text outside the instructions was ignored. Write instructions only."
        };
        self.scan.report.repair(start, message)?;
        Ok(false)
    }

    fn opened(&mut self, name: Option<Known>, lexeme: Lexeme) -> Result<(), Refusal> {
        match name {
            Some(Known::Instruction(Tag::Actions)) => self.open_actions(lexeme)?,
            Some(Known::Instruction(tag)) => self.instruction(tag, lexeme)?,
            None if lexeme.name(self.scan.text) == foreign::REASONING => self.reasoning(lexeme)?,
            Some(Known::Child(_)) | None => self.foreign(name, lexeme)?,
        }
        self.gap = self.scan.position();
        Ok(())
    }

    fn instruction(&mut self, tag: Tag, lexeme: Lexeme) -> Result<(), Refusal> {
        self.refuse_second_root()?;
        if self.actions.is_some() && tag != Tag::Action {
            let message = format!("<{tag}> stands inside <actions>, which is for <action>.");
            self.scan.report.repair(lexeme.start, message)?;
        }
        self.seen += 1;
        if self.seen > INSTRUCTIONS_PER_REPLY_MAX {
            let message =
                format!("The reply has more than {INSTRUCTIONS_PER_REPLY_MAX} instructions.");
            return Err(Refusal::runaway(lexeme.start, message));
        }
        element::read(
            &mut self.scan,
            tag,
            lexeme,
            self.actions.is_some(),
            &mut self.fields,
            &mut self.instructions,
        )?;
        self.last_closed = Some(tag);
        Ok(())
    }

    /// Reads a block of reasoning, up to its end or the reply's.
    fn reasoning(&mut self, lexeme: Lexeme) -> Result<(), Refusal> {
        let message = "A block of reasoning was put aside.";
        self.scan.report.repair(lexeme.start, message)?;
        if matches!(lexeme.token, Token::Empty(_)) {
            return Ok(());
        }
        let rest = &self.scan.text[lexeme.end..];
        let closing = "</think>";
        let length = rest.find(closing);
        self.reasoning.push(&rest[..length.unwrap_or(rest.len())]);
        let read = length.map_or(rest.len(), |length| length + closing.len());
        self.scan.seek(lexeme.end + read);
        Ok(())
    }

    /// An element that is no instruction: a wrapper around all of them, something to be dropped
    /// whole, or a lone tag in prose.
    fn foreign(&mut self, known: Option<Known>, lexeme: Lexeme) -> Result<(), Refusal> {
        self.last_closed = None;
        let name = lexeme.name(self.scan.text);
        let is_empty = matches!(lexeme.token, Token::Empty(_));
        let is_closed = is_empty || self.closers.has_after(self.scan.text, name, lexeme.end);
        let next = foreign::next_known(&self.scan.text[lexeme.end..], self.scan.with_dialects);
        let may_wrap = known.is_none()
            && self.seen == 0
            && self.wrapper.is_none()
            && lexeme.end - lexeme.start == name.len() + "<>".len();
        if may_wrap && is_closed && matches!(next, Some(Known::Instruction(_))) {
            self.wrapper = Some(Wrapper {
                name,
                start: lexeme.start,
                is_closed: false,
            });
            return Ok(());
        }
        let runs_to_end = !is_closed && matches!(next, Some(Known::Child(_)));
        if !is_closed && !runs_to_end {
            let message = format!("<{name}> is not closed and was read as text.");
            return self.scan.report.repair(lexeme.start, message);
        }
        if !is_empty {
            foreign::skip(&mut self.scan, &mut self.closers, name)?;
        }
        if runs_to_end && self.scan.options.truncated {
            return self.scan.report.drop_truncated(lexeme.start, name);
        }
        if foreign::DATA_ELEMENTS.contains(&name) {
            let message = format!("<{name}> repeats the question and was stepped over.");
            return self.scan.report.skip(lexeme.start, message);
        }
        let message = match known {
            Some(_) => format!("<{name}> stands outside an instruction."),
            None => format!("<{name}> is not an instruction."),
        };
        self.scan.report.drop_invalid(lexeme.start, name, message)
    }

    /// An element with instructions in it is opened up only if it holds all there are. If others
    /// follow, it was an example or a quotation, and is dropped like any unknown element.
    fn refuse_second_root(&mut self) -> Result<(), Refusal> {
        let Some(wrapper) = self.wrapper.take_if(|wrapper| wrapper.is_closed) else {
            return Ok(());
        };
        self.instructions.clear();
        let name = wrapper.name;
        let message = format!("<{name}> is not an instruction.");
        self.scan.report.drop_invalid(wrapper.start, name, message)
    }

    fn closed(
        &mut self,
        known: Option<Known>,
        lexeme: Lexeme,
        is_adjacent: bool,
    ) -> Result<(), Refusal> {
        let name = lexeme.name(self.scan.text);
        if known == Some(Known::Instruction(Tag::Actions)) {
            return self.close_actions(lexeme);
        }
        if let Some(known) = known {
            let last = self.last_closed.map(Known::Instruction);
            if is_adjacent && last == Some(known) {
                let message = format!("A second </{name}> was ignored.");
                return self.scan.report.repair(lexeme.start, message);
            }
            let message = format!("</{name}> has no opening tag. Close every tag once.");
            return Err(Refusal::unreadable(lexeme.start, message));
        }
        if name == foreign::REASONING {
            return self.reasoning_before(lexeme);
        }
        self.last_closed = None;
        match &mut self.wrapper {
            Some(wrapper) if !wrapper.is_closed && wrapper.name == name => {
                wrapper.is_closed = true;
                Ok(())
            }
            Some(_) | None => {
                let message = format!("</{name}> has no opening tag and was ignored.");
                self.scan.report.repair(lexeme.start, message)
            }
        }
    }

    /// Many models leave the opening tag out: all before the closing one was reasoning, drafts of
    /// instructions included.
    fn reasoning_before(&mut self, lexeme: Lexeme) -> Result<(), Refusal> {
        self.instructions.clear();
        self.seen = 0;
        self.wrapper = None;
        self.actions = None;
        self.last_closed = None;
        self.scan.report.forget_before(lexeme.start);
        self.reasoning.clear();
        self.reasoning.push(&self.scan.text[..lexeme.start]);
        let message = "The text before </think> was put aside as reasoning.";
        self.scan.report.repair(lexeme.start, message)
    }

    /// The end of the text, which may have broken off in an opening tag.
    fn end(&mut self, at: usize) -> Result<(), Refusal> {
        if self.scan.options.truncated
            && let Some(open) = self.scan.text[self.gap..at].rfind('<')
        {
            let open = self.gap + open;
            let begun = &self.scan.text[open + 1..at];
            let with_dialects = self.scan.with_dialects;
            let is_begun =
                |tag: &Tag| tag.name().starts_with(begun) && (with_dialects || !tag.is_dialect());
            if !begun.is_empty() && Tag::ALL.iter().any(is_begun) {
                self.pass_gap(open)?;
                return self.scan.report.drop_truncated(open, begun);
            }
        }
        self.pass_gap(at)?;
        self.end_actions(at)
    }

    /// The verdict on a reply that could be read.
    fn settle(&mut self) -> Result<(), Refusal> {
        if let Some(wrapper) = &self.wrapper {
            let name = wrapper.name;
            let message = format!("<{name}> around the instructions was ignored.");
            self.scan.report.repair(wrapper.start, message)?;
        }
        if !self.instructions.is_empty() {
            return Ok(());
        }
        let (message, example) = if self.scan.options.truncated {
            let message = "The reply was cut off before one instruction was complete. Write less, or raise max_tokens.";
            (message, None)
        } else if self.seen > 0 {
            ("No instruction of the reply is valid.", None)
        } else {
            ("The reply holds no instruction.", self.harmless())
        };
        Err(Refusal::unreadable(0, message).with(example))
    }

    /// An instruction that does no harm, should a model copy it: for one that wrote none at all.
    fn harmless(&self) -> Option<Sample> {
        let allowed = self.scan.options.allowed_tags;
        let mut tags = [Tag::RamAdd, Tag::StateAdd].into_iter();
        let tag = tags.find(|tag| allowed.contains(*tag))?;
        Some(Sample::made_up(super::tag::shape(tag).sample))
    }

    fn finish(self, refusal: Option<Refusal>) -> Parsed {
        let text = self.scan.text;
        let ok = refusal.is_none();
        let reasoning: Vec<&str> = self.reasoning.iter().map(|text| text.trim()).collect();
        Parsed {
            parser_version: PARSER_VERSION,
            ok,
            instructions: if ok {
                self.instructions.finish(text)
            } else {
                Vec::new()
            },
            diagnostics: self.scan.report.finish(text, refusal),
            reasoning: (!reasoning.is_empty()).then(|| reasoning.join("\n")),
        }
    }
}
