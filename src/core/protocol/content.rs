//! Reads what stands between the tags of one child. All of it is text up to the child's closing
//! tag: markup inside is followed only as far as needed to find the tag that really closes it, and
//! is never taken for an instruction. Owns the text of a child, not its meaning.

use super::characters::{BLANKS, decode, without_controls};
use super::child::{Child, Known};
use super::lexer::{Lexeme, Place, Token};
use super::report::Refusal;
use super::scan::Scan;
use super::tag::Tag;
use crate::limits::ELEMENT_DEPTH_MAX;
use std::borrow::Cow;

/// A child's content.
#[derive(Debug)]
pub(super) struct Content<'a> {
    /// The text with its references resolved.
    pub(super) text: Cow<'a, str>,
    /// The same bytes as written.
    pub(super) raw: &'a str,
    /// What ended it.
    pub(super) ended: Ended,
    pub(super) seen: Seen,
    /// Something was repaired.
    pub(super) repaired: bool,
}

/// What markup stands in a content.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// A tag of the protocol.
    pub(super) known_tag: bool,
    /// A tag of an instruction.
    pub(super) instruction: bool,
    /// Elements where they are wanted: in metadata and lists of ids.
    pub(super) elements: bool,
}

/// What brought a content to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Its own closing tag.
    Itself,
    /// The closing tag of the instruction around it.
    Instruction,
    /// The end of the reply.
    Reply,
}

/// Reads on from the opening tag of `own`, a part of the instruction `tag`.
///
/// # Errors
/// If tags overlap so that no reading of them is safe, if they nest too deep, or at anything but
/// plain text in strict mode.
pub(super) fn read<'a>(
    scan: &mut Scan<'a>,
    tag: Tag,
    own: Known,
    from: usize,
) -> Result<Content<'a>, Refusal> {
    let mut reader = ContentReader {
        scan,
        tag,
        own,
        from,
        decoded: String::new(),
        copied_to: from,
        open: Vec::new(),
        seen: Seen::default(),
        closed_foreign: false,
        repaired: false,
    };
    loop {
        let lexeme = reader.scan.next(Place::Content(own));
        if let Some(ended) = reader.take(lexeme)? {
            return reader.finish(lexeme.start, ended);
        }
    }
}

/// Owns one content while it is read.
struct ContentReader<'s, 'a> {
    scan: &'s mut Scan<'a>,
    tag: Tag,
    own: Known,
    from: usize,
    /// The text up to `copied_to`, once it differs from what is written.
    decoded: String,
    copied_to: usize,
    /// Tags of the protocol that were opened inside the text and not closed yet.
    open: Vec<Known>,
    seen: Seen,
    /// The closing tag of another instruction stands in the text, without its opening one.
    closed_foreign: bool,
    repaired: bool,
}

impl<'a> ContentReader<'_, 'a> {
    fn take(&mut self, lexeme: Lexeme) -> Result<Option<Ended>, Refusal> {
        match lexeme.token {
            Token::Text | Token::Comment => {}
            Token::Refused(refused) => return Err(self.scan.refuse(lexeme.start, refused)),
            Token::Stray => self.literal(lexeme.start)?,
            Token::Reference => match decode(lexeme.inner(self.scan.text)) {
                Some(c) => {
                    self.copy_up_to(lexeme.start);
                    self.decoded.push(c);
                    self.copied_to = lexeme.end;
                }
                None => self.literal(lexeme.start)?,
            },
            Token::CData => {
                self.copy_up_to(lexeme.start);
                self.decoded.push_str(lexeme.inner(self.scan.text));
                self.copied_to = lexeme.end;
            }
            Token::Open(name) => self.opened(name, lexeme.start)?,
            Token::Empty(name) => {
                self.note_name(name);
                self.markup(name, lexeme.start)?;
            }
            Token::Close(name) => return self.closed(name, lexeme.start),
            Token::End => return Ok(Some(Ended::Reply)),
        }
        Ok(None)
    }

    fn opened(&mut self, name: Option<Known>, at: usize) -> Result<(), Refusal> {
        self.note_name(name);
        self.markup(name, at)?;
        let followed = name.filter(|name| match name {
            Known::Instruction(_) => true,
            Known::Child(_) => *name == self.own || !self.open.is_empty(),
        });
        if let Some(name) = followed {
            // The reply's wrapper, the instruction and the child itself are levels as well.
            if self.open.len() + 4 > ELEMENT_DEPTH_MAX {
                let message = format!("Tags are nested more than {ELEMENT_DEPTH_MAX} deep.");
                return Err(Refusal::unreadable(at, message));
            }
            self.open.push(name);
        }
        Ok(())
    }

    fn closed(&mut self, name: Option<Known>, at: usize) -> Result<Option<Ended>, Refusal> {
        if let Some(known) = name {
            if let Some(level) = self.open.iter().rposition(|open| *open == known) {
                self.open.truncate(level);
                self.markup(name, at)?;
                return Ok(None);
            }
            if known == self.own {
                return Ok(Some(Ended::Itself));
            }
            if known == Known::Instruction(self.tag) {
                let is_safe = self.open.is_empty()
                    && !self.closed_foreign
                    && matches!(self.own, Known::Child(_));
                if is_safe {
                    return Ok(Some(Ended::Instruction));
                }
                return Err(self.overlap(at, known));
            }
            self.closed_foreign |= matches!(known, Known::Instruction(_));
        }
        self.note_name(name);
        self.markup(name, at)?;
        Ok(None)
    }

    fn overlap(&self, at: usize, found: Known) -> Refusal {
        let (own, found) = (self.own.name(), found.name());
        Refusal::unreadable(
            at,
            format!("</{found}> stands where </{own}> is expected. Close every tag in order."),
        )
    }

    fn note_name(&mut self, name: Option<Known>) {
        self.seen.known_tag |= name.is_some();
        self.seen.instruction |= matches!(name, Some(Known::Instruction(_)));
    }

    /// Metadata and lists of ids may be written as elements.
    fn markup(&mut self, name: Option<Known>, at: usize) -> Result<(), Refusal> {
        let is_wanted = match self.own {
            Known::Child(Child::Metadata) => !matches!(name, Some(Known::Instruction(_))),
            Known::Child(Child::Ids) => name == Some(Known::Child(Child::Id)),
            Known::Child(_) | Known::Instruction(_) => false,
        };
        self.seen.elements |= is_wanted;
        if is_wanted { Ok(()) } else { self.literal(at) }
    }

    /// Something that looks like markup is text. Said once for each content.
    fn literal(&mut self, at: usize) -> Result<(), Refusal> {
        if self.repaired {
            return Ok(());
        }
        self.repaired = true;
        let own = self.own.name();
        let message =
            format!("A < or & inside <{own}> was read as text. Write &lt; for < and &amp; for &.");
        self.scan.report.repair(at, message)
    }

    fn copy_up_to(&mut self, at: usize) {
        if self.decoded.capacity() == 0 {
            // Mostly the next tag is the one that closes this text.
            let rest = &self.scan.text[at..];
            let length = rest.find('<').unwrap_or(rest.len());
            self.decoded.reserve(at - self.from + length);
        }
        self.decoded.push_str(&self.scan.text[self.copied_to..at]);
    }

    fn finish(mut self, at: usize, ended: Ended) -> Result<Content<'a>, Refusal> {
        if ended == Ended::Reply && self.closed_foreign && !self.scan.options.truncated {
            let own = self.own.name();
            let message = format!("<{own}> is never closed. Close it with </{own}>.");
            return Err(Refusal::unreadable(at, message));
        }
        let text: &'a str = self.scan.text;
        let mut end = at;
        if ended == Ended::Reply {
            let tail = &text[self.copied_to..at];
            let kept = without_torn_end(tail, self.own.name(), self.scan.fenced);
            end = self.copied_to + kept.len();
        }
        let mut content = if self.copied_to == self.from {
            Cow::Borrowed(&text[self.from..end])
        } else {
            self.copy_up_to(end);
            Cow::Owned(std::mem::take(&mut self.decoded))
        };
        let is_free_text = matches!(self.own, Known::Child(child) if child.is_free_text());
        if self.scan.has_control && is_free_text {
            let before = content.len();
            content = without_controls(content);
            if content.len() != before {
                self.repaired = true;
                let own = self.own.name();
                let message = format!("Control characters were removed from <{own}>.");
                self.scan.report.repair(self.from, message)?;
            }
        }
        Ok(Content {
            text: content,
            raw: &text[self.from..end],
            ended,
            seen: self.seen,
            repaired: self.repaired,
        })
    }
}

/// The end of a reply without the fence around the reply and without an unfinished `</name>`.
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
