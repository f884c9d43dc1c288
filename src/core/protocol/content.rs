//! Reads the text between the tags of one child. All of it is text up to the child's closing
//! tag: markup inside is followed only as far as needed to find the tag that really closes it, and
//! is never taken for an instruction. Owns the text of a child, not its meaning.

use super::characters::{BLANKS, decode};
use super::report::ReplyRefusal;
use super::scan::{ElementEnd, Lexeme, Scan, ScanContext, Token};
use super::tag::{Child, Element, Tag};
use crate::limits::ELEMENT_DEPTH_MAX;
use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct Content<'a> {
    /// The text with its references resolved.
    pub(super) text: Cow<'a, str>,
    /// The text as written.
    pub(super) raw: &'a str,
    pub(super) ended: ElementEnd,
    pub(super) seen: ContentMarkup,
    /// Whether something that looks like markup was read as text.
    pub(super) repaired: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContentMarkup {
    pub(super) known_tag: bool,
    pub(super) instruction: bool,
    /// Elements where they are wanted: in metadata and lists of ids.
    pub(super) elements: bool,
}

/// Reads on from the opening tag of `own`, a part of the instruction `tag`.
///
/// # Errors
/// Refuses tags that overlap so that no reading of them is safe or that nest too deep, and in
/// strict mode anything but plain text.
pub(super) fn read<'a>(
    scan: &mut Scan<'a>,
    tag: Tag,
    own: Element,
    from: usize,
) -> Result<Content<'a>, ReplyRefusal> {
    let mut reader = ContentReader {
        scan,
        tag,
        own,
        from,
        decoded: String::new(),
        copied_to: from,
        open: Vec::new(),
        seen: ContentMarkup::default(),
        closed_foreign: false,
        repaired: false,
    };
    loop {
        let lexeme = reader.scan.next(ScanContext::Content(own))?;
        match lexeme.token {
            Token::Text | Token::Comment => {}
            Token::Stray => reader.literal(lexeme.start)?,
            Token::Reference => match decode(lexeme.inner(reader.scan.text)) {
                Some(c) => reader.replace(lexeme, c.encode_utf8(&mut [0; 4])),
                None => reader.literal(lexeme.start)?,
            },
            Token::CData => reader.replace(lexeme, lexeme.inner(reader.scan.text)),
            Token::Open(name) => reader.opened(name, lexeme.start)?,
            Token::Empty(name) => reader.markup(name, lexeme.start)?,
            Token::Close(name) => {
                let ended = reader.closed(name, lexeme.start)?;
                if let Some(ended) = ended {
                    return reader.finish(lexeme.start, ended);
                }
            }
            Token::End => return reader.finish(lexeme.start, ElementEnd::Reply),
        }
    }
}

struct ContentReader<'s, 'a> {
    scan: &'s mut Scan<'a>,
    tag: Tag,
    own: Element,
    from: usize,
    /// The text up to `copied_to`, once it differs from what is written.
    decoded: String,
    copied_to: usize,
    /// Tags of the protocol that were opened inside the text and not closed yet.
    open: Vec<Element>,
    seen: ContentMarkup,
    /// Whether the closing tag of another instruction stands in the text, without its opening one.
    closed_foreign: bool,
    repaired: bool,
}

impl<'a> ContentReader<'_, 'a> {
    fn opened(&mut self, name: Option<Element>, at: usize) -> Result<(), ReplyRefusal> {
        self.markup(name, at)?;
        let followed = name.filter(|name| match name {
            Element::Instruction(_) => true,
            Element::Child(_) => *name == self.own || !self.open.is_empty(),
        });
        if let Some(name) = followed {
            // The reply's wrapper, the instruction and the child itself are levels as well.
            if self.open.len() + 4 > ELEMENT_DEPTH_MAX {
                let message = format!("Tags are nested more than {ELEMENT_DEPTH_MAX} deep.");
                return Err(ReplyRefusal::unreadable(at, message));
            }
            self.open.push(name);
        }
        Ok(())
    }

    /// Returns the end of the content, if this is it.
    fn closed(
        &mut self,
        name: Option<Element>,
        at: usize,
    ) -> Result<Option<ElementEnd>, ReplyRefusal> {
        let level = self.open.iter().rposition(|open| Some(*open) == name);
        if let Some(level) = level {
            self.open.truncate(level);
        } else if name == Some(self.own) {
            return Ok(Some(ElementEnd::Itself));
        } else if name == Some(Element::Instruction(self.tag)) {
            let is_child = matches!(self.own, Element::Child(_));
            if self.open.is_empty() && !self.closed_foreign && is_child {
                return Ok(Some(ElementEnd::Instruction));
            }
            let (own, found) = (self.own.name(), self.tag);
            let message =
                format!("</{found}> stands where </{own}> is expected. Close every tag in order.");
            return Err(ReplyRefusal::unreadable(at, message));
        } else {
            self.closed_foreign |= matches!(name, Some(Element::Instruction(_)));
        }
        self.markup(name, at)?;
        Ok(None)
    }

    /// Notes a tag in the text. Metadata and lists of ids may be written as elements.
    fn markup(&mut self, name: Option<Element>, at: usize) -> Result<(), ReplyRefusal> {
        let is_instruction = matches!(name, Some(Element::Instruction(_)));
        self.seen.known_tag |= name.is_some();
        self.seen.instruction |= is_instruction;
        let is_wanted = match self.own {
            Element::Child(Child::Metadata) => !is_instruction,
            Element::Child(Child::Ids) => name == Some(Element::Child(Child::Id)),
            Element::Child(_) | Element::Instruction(_) => false,
        };
        self.seen.elements |= is_wanted;
        if is_wanted { Ok(()) } else { self.literal(at) }
    }

    /// Takes something that looks like markup as text. Reported once for each content.
    fn literal(&mut self, at: usize) -> Result<(), ReplyRefusal> {
        if std::mem::replace(&mut self.repaired, true) {
            return Ok(());
        }
        let own = self.own.name();
        let message =
            format!("A < or & inside <{own}> was read as text. Write &lt; for < and &amp; for &.");
        self.scan.report.repair(at, message)
    }

    /// Puts a text in the place of a lexeme.
    fn replace(&mut self, lexeme: Lexeme, text: &str) {
        let before = &self.scan.text[self.copied_to..lexeme.start];
        self.decoded.extend([before, text]);
        self.copied_to = lexeme.end;
    }

    fn finish(mut self, at: usize, ended: ElementEnd) -> Result<Content<'a>, ReplyRefusal> {
        if ended == ElementEnd::Reply && self.closed_foreign && !self.scan.report.options.truncated
        {
            let own = self.own.name();
            let message = format!("<{own}> is never closed. Close it with </{own}>.");
            return Err(ReplyRefusal::unreadable(at, message));
        }
        let text: &'a str = self.scan.text;
        let mut end = at;
        if ended == ElementEnd::Reply {
            let tail = &text[self.copied_to..at];
            let kept = without_torn_end(tail, self.own.name(), self.scan.fenced);
            end = self.copied_to + kept.len();
        }
        let content = if self.copied_to == self.from {
            Cow::Borrowed(&text[self.from..end])
        } else {
            self.decoded.push_str(&text[self.copied_to..end]);
            Cow::Owned(std::mem::take(&mut self.decoded))
        };
        Ok(Content {
            text: content,
            raw: &text[self.from..end],
            ended,
            seen: self.seen,
            repaired: self.repaired,
        })
    }
}

/// Returns the end of a reply without the fence around the reply and without an unfinished
/// `</name>`.
pub(super) fn without_torn_end<'t>(text: &'t str, name: &str, fenced: bool) -> &'t str {
    let fence = text.trim_end_matches(BLANKS).strip_suffix("```");
    let text = fence.filter(|_| fenced).unwrap_or(text);
    let Some(at) = text.rfind('<') else {
        return text;
    };
    let torn = match text[at + 1..].strip_prefix('/') {
        Some(begun) => name.starts_with(begun.trim_end_matches(BLANKS)),
        None => at + 1 == text.len(),
    };
    if torn { &text[..at] } else { text }
}
