//! Cuts a reply into lexemes by a look at what follows each `<` and `&`. An XML reader would stop at
//! `x < 3`, look for the end of a tag past everything, and let attributes, declarations and unclosed
//! elements through. Owns no meaning: what may stand where is not known here.

use super::child::Known;
use crate::limits::ELEMENT_NAME_BYTES_MAX;
use memchr::{memchr2, memchr3};

/// Where the lexer stands, as far as it matters for cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Between instructions or between the children of one.
    Outside,
    /// Inside that element, where comments and foreign markup are text.
    Content(Known),
}

/// What a piece of the reply is. For tags with the name, if the protocol knows it; what else a
/// piece says is read from the text that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Characters.
    Text,
    /// Characters that begin with a `<` or `&` which begins nothing.
    Stray,
    /// `&name;`.
    Reference,
    /// A CDATA section.
    CData,
    Comment,
    Open(Option<Known>),
    Close(Option<Known>),
    /// An element that closes itself.
    Empty(Option<Known>),
    /// Markup that makes the whole reply unreadable.
    Refused(Refused),
    End,
}

/// Markup that is never accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// An attribute on a known element.
    Attribute,
    /// DOCTYPE, ENTITY and their like.
    Declaration,
    ProcessingInstruction,
    UnclosedComment,
    LongName,
    /// One element more than a reply may have.
    TooMany,
}

/// A token with the bytes it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Lexeme {
    /// The name in a tag.
    pub(super) fn name(self, text: &str) -> &str {
        name_at(text, self.start)
    }

    /// What stands between the ends of a reference or a CDATA section.
    pub(super) fn inner(self, text: &str) -> &str {
        let (opening, closing) = if self.token == Token::CData {
            (CDATA_OPENING, CDATA_CLOSING)
        } else {
            ("&", ";")
        };
        &text[self.start + opening.len()..self.end - closing.len()]
    }
}

/// The name in the tag that begins at `start`.
pub(super) fn name_at(text: &str, start: usize) -> &str {
    let inner = text[start..].trim_start_matches(['<', '/']);
    &inner[..run(inner.as_bytes(), continues_name)]
}

const CDATA_OPENING: &str = "<![CDATA[";
const CDATA_CLOSING: &str = "]]>";

/// The lexemes of one text, front to back.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The byte at which the next lexeme begins.
    at: usize,
    /// No CDATA section ends from here on. Keeps a row of unclosed ones from being searched again
    /// and again.
    cdata_exhausted: bool,
    /// The names of the dialects are known.
    with_dialects: bool,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str, with_dialects: bool) -> Self {
        Self {
            text,
            at: 0,
            cdata_exhausted: false,
            with_dialects,
        }
    }

    /// Goes on at another byte, which must be the border of a character.
    pub(super) const fn seek(&mut self, to: usize) {
        self.at = to;
    }

    /// The byte at which the next lexeme begins.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// The token from here to the new position.
    pub(super) fn next(&mut self, place: Place) -> Token {
        let start = self.at;
        match self.text.as_bytes().get(start) {
            None => Token::End,
            Some(b'<') => self.markup(start, place),
            Some(_) if place == Place::Outside => self.prose(start),
            Some(first) => self.characters(start, *first),
        }
    }

    /// Text outside an instruction's children is only stepped over.
    fn prose(&mut self, start: usize) -> Token {
        let rest = &self.text[start..];
        let length = rest.find('<').unwrap_or(rest.len());
        self.seek(start + length);
        Token::Text
    }

    /// Character data: up to a reference, or the reference itself. A `&` that no `;` follows before
    /// the next `&` or `<` is text with what stands behind it.
    fn characters(&mut self, start: usize, first: u8) -> Token {
        let rest = &self.text.as_bytes()[start..];
        let (token, length) = if first == b'&' {
            match memchr3(b';', b'&', b'<', &rest[1..]) {
                Some(end) if rest[end + 1] == b';' => (Token::Reference, Some(end + 2)),
                end => (Token::Stray, end.map(|end| end + 1)),
            }
        } else {
            (Token::Text, memchr2(b'<', b'&', rest))
        };
        self.seek(start + length.unwrap_or(rest.len()));
        token
    }

    /// Takes the markup that a `<` begins, or the `<` alone if it begins none.
    fn markup(&mut self, start: usize, place: Place) -> Token {
        let (token, end) = match self.text.as_bytes().get(start + 1) {
            Some(b'!') => self.bang(start, place),
            Some(b'?') => self.question(start),
            Some(first) => self.tag(start + 1, *first == b'/', place),
            None => None,
        }
        .unwrap_or((Token::Stray, start + 1));
        self.seek(end);
        token
    }

    fn question(&self, start: usize) -> Option<(Token, usize)> {
        let first = self.text.as_bytes().get(start + 2)?;
        let refused = Token::Refused(Refused::ProcessingInstruction);
        begins_name(*first).then_some((refused, start + 1))
    }

    fn bang(&mut self, start: usize, place: Place) -> Option<(Token, usize)> {
        let rest = &self.text[start..];
        if rest.starts_with(CDATA_OPENING) {
            if self.cdata_exhausted {
                return None;
            }
            let length = rest.find(CDATA_CLOSING);
            self.cdata_exhausted = length.is_none();
            return Some((Token::CData, start + length? + CDATA_CLOSING.len()));
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            if place != Place::Outside {
                return None;
            }
            let closed = comment.split_once("-->");
            return Some(match closed {
                Some((_, after)) => (Token::Comment, self.text.len() - after.len()),
                None => (Token::Refused(Refused::UnclosedComment), start + 1),
            });
        }
        let keyword = rest.as_bytes().get(2..).unwrap_or_default();
        let declares = ["DOCTYPE", "ENTITY", "ELEMENT", "ATTLIST", "NOTATION"]
            .iter()
            .any(|word| {
                let head = keyword.get(..word.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
            });
        declares.then_some((Token::Refused(Refused::Declaration), start + 1))
    }

    /// Looks at what may be a tag whose `<` stands before `after`. Looks no further than the tag
    /// itself, and never past another `<`, so that all looks together stay linear.
    fn tag(&self, after: usize, closing: bool, place: Place) -> Option<(Token, usize)> {
        let from = after + usize::from(closing);
        let bytes = &self.text.as_bytes()[from..];
        let length = run(bytes, continues_name);
        if length == 0 || !begins_name(bytes[0]) {
            return None;
        }
        let blanks = run(&bytes[length..], is_blank);
        let next = length + blanks;
        let plain = match (bytes.get(next)?, bytes.get(next + 1)) {
            (b'>', _) => Some((next + 1, false)),
            (b'/', Some(b'>')) if !closing => Some((next + 2, true)),
            (_, _) if blanks > 0 => None,
            (_, _) => return None,
        };
        if length > ELEMENT_NAME_BYTES_MAX {
            plain.filter(|_| place == Place::Outside)?;
            return Some((Token::Refused(Refused::LongName), after));
        }
        let name = &self.text[from..from + length];
        let known = Known::parse(name, self.with_dialects);
        if known.is_none() && !name.chars().all(|c| c.is_ascii() || c.is_alphanumeric()) {
            return None;
        }
        let (length, is_empty) = match plain {
            Some(found) => found,
            None => match attribute(&bytes[next..], known, place)? {
                Attribute::Foreign { length, is_empty } => (next + length, is_empty),
                Attribute::Refused => {
                    return Some((Token::Refused(Refused::Attribute), after));
                }
            },
        };
        let token = match (closing, is_empty) {
            (true, _) => Token::Close(known),
            (false, true) => Token::Empty(known),
            (false, false) => Token::Open(known),
        };
        Some((token, from + length))
    }
}

/// What to make of an attribute.
enum Attribute {
    /// It stands on an element that is not ours, whose tag has so many bytes left.
    Foreign {
        length: usize,
        is_empty: bool,
    },
    Refused,
}

/// Looks at what follows a name and a blank. An attribute is a word before a `=`, or a lone word
/// before the tag's end; `<key to success` is neither.
fn attribute(rest: &[u8], name: Option<Known>, place: Place) -> Option<Attribute> {
    let word = run(rest, continues_name);
    let next = word + run(&rest[word..], is_blank);
    let is_attribute = word > 0
        && match (rest.get(next)?, rest.get(next + 1)) {
            (b'=' | b'>', _) | (b'/', Some(b'>')) => true,
            (_, _) => false,
        };
    if !is_attribute {
        return None;
    }
    match (name, place) {
        (Some(_), Place::Outside) => Some(Attribute::Refused),
        (Some(known), Place::Content(own)) => {
            let matters = known == own || matches!(known, Known::Instruction(_));
            matters.then_some(Attribute::Refused)
        }
        (None, Place::Outside) => {
            let found = rest.iter().position(|byte| matches!(byte, b'<' | b'>'));
            let end = found.filter(|end| rest[*end] == b'>')?;
            let is_empty = rest[..end].ends_with(b"/");
            Some(Attribute::Foreign {
                length: end + 1,
                is_empty,
            })
        }
        (None, Place::Content(_)) => None,
    }
}

const fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b':')
}

fn run(bytes: &[u8], accepts: impl Fn(u8) -> bool) -> usize {
    bytes
        .iter()
        .position(|byte| !accepts(*byte))
        .unwrap_or(bytes.len())
}

const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
