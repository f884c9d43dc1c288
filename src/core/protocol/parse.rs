//! The entry: model text in, instructions and diagnostics out. Owns what stands between
//! instructions: prose, fences, reasoning, `<actions>` and elements that are no instruction.
//! Never fails and never panics; whatever the text is, the answer is a `ParsedReply`.
//!
//! Nothing is taken from a reply before all of it was read, so that one broken tag at the end can
//! still refuse the instructions before it. Text inside a child is never taken for an instruction,
//! however complete it looks: `<value>` ends at the `</value>` that belongs to it.

use super::characters::{BLANKS, is_control};
use super::instruction::{ParsedReply, Severity};
use super::outline::ConstraintKind;
use super::report::{ParseReport, ReplyRefusal};
use super::scan::{Lexeme, Scan, ScanContext, Token, name_at};
use super::tag::{AllowedTags, Element, Tag};
use super::{element, grammar_reply, json_reply};
use crate::limits::REPLY_TEXT_BYTES_MAX;

/// The way in which a reply is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ParseOptions {
    /// Whether a reply is refused if a part of it would have to be repaired, skipped or dropped.
    pub strict: bool,
    /// The instructions that may be used.
    pub allowed_tags: AllowedTags,
    /// The server said that it cut the reply off (`finish_reason: length`).
    pub truncated: bool,
}

/// The element in which models think aloud.
pub(super) const REASONING: &str = "think";

/// The elements in which a prompt shows its data. A small model that does not know how to go on
/// writes them again; that is no attempt at an instruction, and telling it so would only give it
/// more of them to repeat.
pub const DATA_ELEMENTS: [&str; 6] = ["time", "state", "request", "ram", "action_result", "step"];

/// Reads a reply. An error among the diagnostics refuses the reply, and no instruction is returned.
/// Takes time in proportion to the text's length.
pub fn parse(text: &str, options: &ParseOptions) -> ParsedReply {
    let mut reply = ReplyParser {
        scan: Scan::new(text, *options),
        gap: 0,
        last_closed: None,
        wrapper: None,
        actions: None,
        reasoning: Vec::new(),
    };
    let read = reply.read();
    let reasoning: Vec<&str> = reply.reasoning.iter().map(|text| text.trim()).collect();
    let reasoning = (!reasoning.is_empty()).then(|| reasoning.join("\n"));
    reply.scan.report.finish(text, read, reasoning)
}

/// Reads a reply in the form that it was asked for; one that is in another form as it stands, since
/// whoever asked for JSON and got XML can read that just as well.
pub fn parse_as(form: Option<ConstraintKind>, reply: &str, options: &ParseOptions) -> ParsedReply {
    if form.is_none() || reply.len() > REPLY_TEXT_BYTES_MAX {
        return parse(reply, options);
    }
    let mut report = ParseReport::new(*options);
    let read = if form == Some(ConstraintKind::Gbnf) {
        grammar_reply::read(reply, &mut report)
    } else {
        json_reply::read(reply, &mut report)
    };
    match read {
        Some(read) => report.finish(reply, read, None),
        None => parse(reply, options),
    }
}

/// Reads a reply that was asked for as JSON.
pub fn parse_json(reply: &str, options: &ParseOptions) -> ParsedReply {
    parse_as(Some(ConstraintKind::JsonSchema), reply, options)
}

/// An unknown element around all instructions.
struct Wrapper<'a> {
    name: &'a str,
    start: usize,
    is_closed: bool,
}

/// An `<actions>` that is open. It only holds its calls together: each stands or falls by itself.
struct Actions {
    start: usize,
    /// The number of instructions before it.
    begun: usize,
}

struct ReplyParser<'a> {
    scan: Scan<'a>,
    /// The end of the last lexeme with a meaning.
    gap: usize,
    /// The instruction that ended last, if nothing came after it.
    last_closed: Option<Tag>,
    wrapper: Option<Wrapper<'a>>,
    actions: Option<Actions>,
    /// The pieces of reasoning, put together at the end.
    reasoning: Vec<&'a str>,
}

impl ReplyParser<'_> {
    fn read(&mut self) -> Result<(), ReplyRefusal> {
        self.check_text()?;
        loop {
            let lexeme = self.scan.next(ScanContext::Outside)?;
            match lexeme.token {
                Token::Text | Token::Stray | Token::Reference | Token::CData => continue,
                Token::End => break self.end(lexeme.start)?,
                Token::Comment => {
                    self.pass_gap(lexeme.start)?;
                    // Comments are part of the format of `<actions>`, and of nothing else.
                    if self.actions.is_none() {
                        self.scan.report.skip_comment(lexeme.start)?;
                    }
                }
                Token::Open(name) | Token::Empty(name) => {
                    self.pass_gap(lexeme.start)?;
                    match name {
                        Some(Element::Instruction(Tag::Actions)) => self.open_actions(lexeme)?,
                        Some(Element::Instruction(tag)) => self.instruction(tag, lexeme)?,
                        None if lexeme.name(self.scan.text) == REASONING => {
                            self.reasoning(lexeme)?;
                        }
                        Some(Element::Child(_)) | None => self.foreign(name, lexeme)?,
                    }
                }
                Token::Close(name) => {
                    let is_adjacent = self.pass_gap(lexeme.start)?;
                    self.closed(name, lexeme, is_adjacent)?;
                }
            }
            self.gap = self.scan.position();
        }
        if let Some(wrapper) = &self.wrapper {
            let message = format!("<{}> around the instructions was ignored.", wrapper.name);
            self.scan.report.repair(wrapper.start, message)?;
        }
        Ok(())
    }

    /// Checks the text before it is cut up.
    fn check_text(&mut self) -> Result<(), ReplyRefusal> {
        let text = self.scan.text;
        if text.len() > REPLY_TEXT_BYTES_MAX {
            let message = format!("The reply is longer than {REPLY_TEXT_BYTES_MAX} bytes.");
            return Err(ReplyRefusal::runaway(0, message));
        }
        if self.scan.report.options.strict
            && let Some(at) = text.bytes().position(is_control)
        {
            let message = "The reply holds a control character.";
            return Err(ReplyRefusal::unreadable(at, message));
        }
        if text.starts_with('\u{feff}') {
            let message = "A byte order mark was removed.";
            self.scan.report.repair(0, message)?;
            self.gap = '\u{feff}'.len_utf8();
            self.scan.seek(self.gap);
        }
        Ok(())
    }

    /// Judges the text between the last lexeme with a meaning and `at`. Returns whether there was
    /// nothing but blanks.
    fn pass_gap(&mut self, at: usize) -> Result<bool, ReplyRefusal> {
        let gap = &self.scan.text[self.gap..at];
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
        let last = text.lines().next_back().unwrap_or_default();
        self.scan.fenced |= last.trim().starts_with("```");
        let message = if is_fence {
            "A code fence was ignored. Write the instructions without it."
        } else {
            "Text outside the instructions was ignored. Write instructions only."
        };
        self.scan.report.repair(start, message)?;
        Ok(false)
    }

    fn instruction(&mut self, tag: Tag, lexeme: Lexeme) -> Result<(), ReplyRefusal> {
        let report = &mut self.scan.report;
        // An element with instructions in it is opened up only if it holds all there are. If others
        // follow, it was an example or a quotation, and is dropped like any unknown element.
        if let Some(wrapper) = self.wrapper.take_if(|wrapper| wrapper.is_closed) {
            report.forget_instructions();
            let message = format!("<{}> is not an instruction.", wrapper.name);
            report.drop_wrong(wrapper.start, wrapper.name, message, None)?;
        }
        let in_actions = self.actions.is_some();
        if in_actions && tag != Tag::Action {
            let message = format!("<{tag}> stands inside <actions>, which is for <action>.");
            report.repair(lexeme.start, message)?;
        }
        report.begin(lexeme.start)?;
        element::read(&mut self.scan, tag, lexeme, in_actions)?;
        self.last_closed = Some(tag);
        Ok(())
    }

    /// Reads a block of reasoning, up to its end or the reply's.
    fn reasoning(&mut self, lexeme: Lexeme) -> Result<(), ReplyRefusal> {
        let message = "A block of reasoning was put aside.";
        self.scan.report.repair(lexeme.start, message)?;
        if matches!(lexeme.token, Token::Empty(_)) {
            return Ok(());
        }
        let rest = &self.scan.text[lexeme.end..];
        let (thought, after) = rest.split_once("</think>").unwrap_or((rest, ""));
        self.reasoning.push(thought);
        self.scan.seek(self.scan.text.len() - after.len());
        Ok(())
    }

    /// Reads an element that is no instruction: a wrapper around all of them, something to be
    /// dropped whole, or a lone tag in prose.
    fn foreign(&mut self, known: Option<Element>, lexeme: Lexeme) -> Result<(), ReplyRefusal> {
        self.last_closed = None;
        let name = lexeme.name(self.scan.text);
        let is_empty = matches!(lexeme.token, Token::Empty(_));
        let is_closed = is_empty || self.scan.is_closed_after(name, lexeme.end);
        let next = next_known(&self.scan.text[lexeme.end..], self.scan.with_dialects);
        let may_wrap = known.is_none()
            && self.scan.report.begun() == 0
            && self.wrapper.is_none()
            && lexeme.end - lexeme.start == name.len() + "<>".len();
        if may_wrap && is_closed && matches!(next, Some(Element::Instruction(_))) {
            self.wrapper = Some(Wrapper {
                name,
                start: lexeme.start,
                is_closed: false,
            });
            return Ok(());
        }
        let runs_to_end = !is_closed && matches!(next, Some(Element::Child(_)));
        if !is_closed && !runs_to_end {
            let message = format!("<{name}> is not closed and was read as text.");
            return self.scan.report.repair(lexeme.start, message);
        }
        if !is_empty {
            self.scan.step_over(name, None)?;
        }
        if runs_to_end && self.scan.report.options.truncated {
            return self.scan.report.drop_truncated(lexeme.start, name);
        }
        drop_foreign(&mut self.scan.report, lexeme.start, name, known.is_some())
    }

    fn closed(
        &mut self,
        known: Option<Element>,
        lexeme: Lexeme,
        is_adjacent: bool,
    ) -> Result<(), ReplyRefusal> {
        let name = lexeme.name(self.scan.text);
        let at = lexeme.start;
        if known == Some(Element::Instruction(Tag::Actions)) {
            return self.close_actions(at);
        }
        if let Some(known) = known {
            if is_adjacent && self.last_closed.map(Element::Instruction) == Some(known) {
                let message = format!("A second </{name}> was ignored.");
                return self.scan.report.repair(at, message);
            }
            let message = format!("</{name}> has no opening tag. Close every tag once.");
            return Err(ReplyRefusal::unreadable(at, message));
        }
        self.last_closed = None;
        if name == REASONING {
            // Many models leave the opening tag out: all before the closing one was reasoning,
            // drafts of instructions included.
            self.wrapper = None;
            self.actions = None;
            self.scan.report.forget_before(at);
            self.reasoning = vec![&self.scan.text[..at]];
            let message = "The text before </think> was put aside as reasoning.";
            return self.scan.report.repair(at, message);
        }
        if let Some(wrapper) = &mut self.wrapper
            && !wrapper.is_closed
            && wrapper.name == name
        {
            wrapper.is_closed = true;
            return Ok(());
        }
        let message = format!("</{name}> has no opening tag and was ignored.");
        self.scan.report.repair(at, message)
    }

    fn open_actions(&mut self, lexeme: Lexeme) -> Result<(), ReplyRefusal> {
        self.last_closed = None;
        self.end_actions(lexeme.start)?;
        if matches!(lexeme.token, Token::Empty(_)) {
            let (name, message) = ("actions", "<actions> holds no <action>.".to_owned());
            return self
                .scan
                .report
                .drop_wrong(lexeme.start, name, message, None);
        }
        self.actions = Some(Actions {
            start: lexeme.start,
            begun: self.scan.report.begun(),
        });
        Ok(())
    }

    fn close_actions(&mut self, at: usize) -> Result<(), ReplyRefusal> {
        self.last_closed = None;
        match self.actions.take() {
            Some(actions) if actions.begun == self.scan.report.begun() => {
                let message = "<actions> holds no <action> and was ignored.";
                self.scan.report.repair(actions.start, message)
            }
            Some(_) => Ok(()),
            None => {
                let message = "</actions> has no opening tag and was ignored.";
                self.scan.report.repair(at, message)
            }
        }
    }

    /// Closes an `<actions>` that something else ends.
    fn end_actions(&mut self, at: usize) -> Result<(), ReplyRefusal> {
        if self.actions.take().is_none() {
            return Ok(());
        }
        let message = "</actions> is missing and was added.";
        self.scan.report.repair(at, message)
    }

    /// Reads the end of the text, which may have broken off in an opening tag.
    fn end(&mut self, at: usize) -> Result<(), ReplyRefusal> {
        if self.scan.report.options.truncated
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
}

/// Drops an element that is no instruction; `is_child` says whether it could stand inside one.
pub(super) fn drop_foreign(
    report: &mut ParseReport,
    start: usize,
    name: &str,
    is_child: bool,
) -> Result<(), ReplyRefusal> {
    if DATA_ELEMENTS.contains(&name) {
        let message = format!("<{name}> repeats the question and was stepped over.");
        return report.mend(Severity::Info, start, message);
    }
    let message = if is_child {
        format!("<{name}> stands outside an instruction.")
    } else {
        format!("<{name}> is not an instruction.")
    };
    report.drop_wrong(start, name, message, None)
}

/// Returns the element of the protocol that opens right at the beginning of `text`, blanks aside.
fn next_known(text: &str, with_dialects: bool) -> Option<Element> {
    let rest = text.trim_start_matches(BLANKS).strip_prefix('<')?;
    let name = name_at(rest, 0);
    let after = rest.strip_prefix(name)?.trim_start_matches(BLANKS);
    Element::parse(name, with_dialects).filter(|_| after.starts_with(['>', '/']))
}
