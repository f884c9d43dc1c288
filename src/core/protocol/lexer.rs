//! Cuts a reply into lexemes: its tags by a look at what follows each `<`, and unusual references
//! between them by quick-xml's event reader. The reader does not see the tags, because it stops at `x < 3`,
//! looks for the end of a tag past everything, and lets attributes, declarations and unclosed
//! elements through. Owns no meaning: what may stand where is not known here.

use super::child::{Known, Name, pack, pack_before_end};
use crate::limits::ELEMENT_NAME_BYTES_MAX;
use memchr::memchr2;
use quick_xml::Reader;
use quick_xml::events::Event;

/// Where the lexer stands, as far as it matters for cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Between instructions or between the children of one.
    Outside,
    /// Inside that element, where comments and foreign markup are text.
    Content(Known),
}

/// What a piece of the reply is. For tags with the name, if the protocol knows it; what else a
/// piece says is read from the text that it covers, so that this fits into two registers.
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
    Open(Option<Name>),
    Close(Option<Name>),
    /// An element that closes itself.
    Empty(Option<Name>),
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
        let (opening, closing) = match self.token {
            Token::Reference => ("&", ";"),
            Token::CData => (CDATA_OPENING, CDATA_CLOSING),
            Token::Text
            | Token::Stray
            | Token::Comment
            | Token::Open(_)
            | Token::Close(_)
            | Token::Empty(_)
            | Token::Refused(_)
            | Token::End => ("", ""),
        };
        &text[self.start + opening.len()..self.end - closing.len()]
    }
}

/// The name in the tag that begins at `start`.
pub(super) fn name_at(text: &str, start: usize) -> &str {
    let inner = text[start..].trim_start_matches(['<', '/']);
    &inner[..run(inner.as_bytes(), continues_name)]
}

/// The entities that XML itself knows: nearly every reference is one of them.
const ENTITIES: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];

const CDATA_OPENING: &str = "<![CDATA[";
const CDATA_CLOSING: &str = "]]>";

/// The lexemes of one text, front to back.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The byte at which the next lexeme begins.
    at: usize,
    /// Reads the character data that `at` stands in.
    reader: Option<Reader<&'a [u8]>>,
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
            reader: None,
            cdata_exhausted: false,
            with_dialects,
        }
    }

    /// Goes on at another byte, which must be the border of a character.
    pub(super) fn seek(&mut self, to: usize) {
        self.at = to;
        self.reader = None;
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

    /// Character data: up to a reference, or the reference itself.
    fn characters(&mut self, start: usize, first: u8) -> Token {
        let text = self.text;
        if first != b'&' {
            let rest = &text.as_bytes()[start..];
            self.seek(start + memchr2(b'<', b'&', rest).unwrap_or(rest.len()));
            return Token::Text;
        }
        let rest = &text[start..];
        if let Some(entity) = ENTITIES.iter().find(|entity| rest.starts_with(**entity)) {
            self.seek(start + entity.len());
            return Token::Reference;
        }
        let reader = self.reader.get_or_insert_with(|| reader(rest));
        let event = reader.read_event();
        // Counted from the end: quick-xml steps over a byte order mark without counting it.
        self.at = text.len() - reader.get_ref().len();
        if self.at == start {
            // quick-xml always moves on here; a step of our own makes sure that the loop ends.
            let step = text[start..].chars().next().map_or(1, char::len_utf8);
            self.seek(start + step);
            return Token::Text;
        }
        if matches!(event, Ok(Event::GeneralRef(_))) {
            Token::Reference
        } else {
            Token::Stray
        }
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
        // Nearly every tag is a plain one of the protocol, away from the reply's end.
        if let Some(name) = bytes
            .first_chunk()
            .and_then(|head| pack_before_end(*head))
            .and_then(|packed| Name::of_packed(packed, self.with_dialects))
        {
            let token = if closing {
                Token::Close(Some(name))
            } else {
                Token::Open(Some(name))
            };
            return Some((token, from + name.length() + 1));
        }
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
        let known = Name::of_packed(pack(&bytes[..length]), self.with_dialects);
        if known.is_none() {
            let name = &self.text[from..from + length];
            if !name.chars().all(|c| c.is_ascii() || c.is_alphanumeric()) {
                return None;
            }
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
fn attribute(rest: &[u8], name: Option<Name>, place: Place) -> Option<Attribute> {
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
    match (name.map(Name::known), place) {
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

/// A reader of character data, which takes a lone `&` as text.
fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    reader
}

/// The bytes that may go on a name, as a table because every tag asks it for every byte.
const CONTINUES_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        // The loop ends before a byte could be cut.
        #[expect(clippy::cast_possible_truncation, reason = "counts to 255")]
        let c = byte as u8;
        table[byte] = begins_name(c) || c.is_ascii_digit() || matches!(c, b'-' | b'.' | b':');
        byte += 1;
    }
    table
};

const fn continues_name(byte: u8) -> bool {
    CONTINUES_NAME[byte as usize]
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
