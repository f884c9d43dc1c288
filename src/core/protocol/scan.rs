//! Cuts a reply into lexemes by a look at what follows each `<` and `&`, and refuses what no reply
//! may hold. An XML reader would stop at `x < 3`, look for the end of a tag past everything, and
//! let attributes, declarations and unclosed elements through. Owns no meaning of any element.

use super::ParseOptions;
use super::characters::BLANKS;
use super::report::{ParseReport, ReplyRefusal};
use super::tag::{Element, Tag};
use crate::limits::{ELEMENT_DEPTH_MAX, ELEMENT_NAME_BYTES_MAX, ELEMENTS_PER_REPLY_MAX};
use memchr::{memchr, memchr2, memchr3};
use std::collections::BTreeMap;

/// The place of the scan, as far as it matters for cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanContext {
    /// Between instructions or between the children of one.
    Outside,
    /// Inside that element, where comments and foreign markup are text.
    Content(Element),
}

/// The kind of a piece of the reply; for a tag with its name, if the protocol knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Characters.
    Text,
    /// Characters that begin with a `<` or `&` which begins nothing.
    Stray,
    /// `&name;`.
    Reference,
    CData,
    Comment,
    Open(Option<Element>),
    Close(Option<Element>),
    /// An element that closes itself.
    Empty(Option<Element>),
    End,
}

/// A token with the bytes that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Lexeme {
    pub(super) fn name(self, text: &str) -> &str {
        name_at(text, self.start)
    }

    /// Returns the text between the ends of a reference or a CDATA section.
    pub(super) fn inner(self, text: &str) -> &str {
        let (opening, closing) = if self.token == Token::CData {
            (CDATA_OPENING, CDATA_CLOSING)
        } else {
            ("&", ";")
        };
        &text[self.start + opening.len()..self.end - closing.len()]
    }
}

/// Returns the name in the tag that begins at `start`; it is empty where no name follows.
pub(super) fn name_at(text: &str, start: usize) -> &str {
    leading_name(text[start..].trim_start_matches(['<', '/']))
}

/// Returns the name at the beginning of a text; it is empty where there is none.
pub(super) fn leading_name(text: &str) -> &str {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(first) if begins_name(*first) => &text[..run(bytes, continues_name)],
        Some(_) | None => "",
    }
}

const CDATA_OPENING: &str = "<![CDATA[";
const CDATA_CLOSING: &str = "]]>";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementEnd {
    /// Its own closing tag.
    Itself,
    /// The closing tag of the instruction around it.
    Instruction,
    Reply,
}

/// An element that was read without a look at its content.
pub(super) struct SkippedElement {
    pub(super) ended: ElementEnd,
    pub(super) has_instruction: bool,
}

/// Markup that a `<` begins, with its end; `None` for a `<` that begins none.
type Markup = Option<Result<(Token, usize), ReplyRefusal>>;

/// The lexemes of one reply, front to back, and the state that its readers share.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) report: ParseReport,
    /// Whether the reply began a code fence, so that one at its end belongs to it.
    pub(super) fenced: bool,
    pub(super) with_dialects: bool,
    /// The byte at which the next lexeme begins.
    at: usize,
    /// Whether no CDATA section ends from here on. Keeps a row of unclosed ones from being searched
    /// again and again.
    cdata_exhausted: bool,
    elements: usize,
    /// The place of the last closing tag of each name, once one was asked for.
    closing_tags: Option<BTreeMap<&'a str, usize>>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, options: ParseOptions) -> Self {
        Self {
            text,
            report: ParseReport::new(options),
            fenced: false,
            with_dialects: options.allowed_tags.has_dialect(),
            at: 0,
            cdata_exhausted: false,
            elements: 0,
            closing_tags: None,
        }
    }

    /// Goes on at another byte, which must be the border of a character.
    pub(super) const fn seek(&mut self, to: usize) {
        self.at = to;
    }

    /// Returns the byte at which the next lexeme begins.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Returns the next lexeme. Counts elements; foreign markup inside a value is none.
    ///
    /// # Errors
    /// Refuses markup that no reply may hold, and too many elements.
    #[inline]
    pub(super) fn next(&mut self, place: ScanContext) -> Result<Lexeme, ReplyRefusal> {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let (token, end) = match rest.first() {
            None => (Token::End, start),
            Some(b'<') => match self.markup(start, place) {
                Some(markup) => markup?,
                None => (Token::Stray, start + 1),
            },
            // Text outside an instruction's children is only stepped over.
            Some(_) if place == ScanContext::Outside => (
                Token::Text,
                start + memchr(b'<', rest).unwrap_or(rest.len()),
            ),
            Some(first) => {
                let (token, length) = characters(rest, *first);
                (token, start + length)
            }
        };
        if let Token::Open(name) | Token::Empty(name) = token
            && (name.is_some() || place == ScanContext::Outside)
        {
            self.elements += 1;
            if self.elements > ELEMENTS_PER_REPLY_MAX {
                let message = format!("The reply has more than {ELEMENTS_PER_REPLY_MAX} tags.");
                return Err(ReplyRefusal::runaway(start, message));
            }
        }
        self.at = end;
        Ok(Lexeme { token, start, end })
    }

    /// Returns whether `</name` stands anywhere at or after `from`. All closing tags are found at
    /// the first question, in one walk, because most replies never ask.
    pub(super) fn is_closed_after(&mut self, name: &str, from: usize) -> bool {
        let text = self.text;
        let last = self.closing_tags.get_or_insert_with(|| closing_tags(text));
        last.get(name).is_some_and(|at| *at >= from)
    }

    /// Reads past the closing tag of the element `name`. What is inside and is itself closed
    /// somewhere nests, so that the right closing tag is found. Only the end of the reply, or the
    /// closing tag of the instruction `own` around the element, comes before it.
    ///
    /// # Errors
    /// Refuses elements that nest too deep, and markup that no reply may hold.
    pub(super) fn step_over(
        &mut self,
        name: &'a str,
        own: Option<Tag>,
    ) -> Result<SkippedElement, ReplyRefusal> {
        let mut open = vec![name];
        let mut stepped = SkippedElement {
            ended: ElementEnd::Itself,
            has_instruction: false,
        };
        while !open.is_empty() {
            let lexeme = self.next(ScanContext::Outside)?;
            match lexeme.token {
                Token::End => {
                    stepped.ended = ElementEnd::Reply;
                    break;
                }
                Token::Open(known) => {
                    stepped.has_instruction |= matches!(known, Some(Element::Instruction(_)));
                    let inner = lexeme.name(self.text);
                    if self.is_closed_after(inner, lexeme.end) {
                        open.push(inner);
                    }
                    if open.len() > ELEMENT_DEPTH_MAX {
                        let message =
                            format!("Tags are nested more than {ELEMENT_DEPTH_MAX} deep.");
                        return Err(ReplyRefusal::unreadable(lexeme.start, message));
                    }
                }
                Token::Close(known) if own.is_some() && known == own.map(Element::Instruction) => {
                    stepped.ended = ElementEnd::Instruction;
                    break;
                }
                Token::Close(_) => {
                    let inner = lexeme.name(self.text);
                    if let Some(level) = open.iter().rposition(|open| *open == inner) {
                        open.truncate(level);
                    }
                }
                Token::Text
                | Token::Stray
                | Token::Reference
                | Token::CData
                | Token::Comment
                | Token::Empty(_) => {}
            }
        }
        Ok(stepped)
    }

    fn markup(&mut self, start: usize, place: ScanContext) -> Markup {
        match self.text.as_bytes().get(start + 1)? {
            b'!' => self.bang(start, place),
            b'?' => {
                let first = self.text.as_bytes().get(start + 2)?;
                let message = "<? is not allowed. Leave it out, or write &lt;? in text.";
                begins_name(*first).then(|| Err(ReplyRefusal::unreadable(start, message)))
            }
            first => self.tag(start, *first == b'/', place),
        }
    }

    fn bang(&mut self, start: usize, place: ScanContext) -> Markup {
        let rest = &self.text[start..];
        if rest.starts_with(CDATA_OPENING) {
            if self.cdata_exhausted {
                return None;
            }
            let length = rest.find(CDATA_CLOSING);
            self.cdata_exhausted = length.is_none();
            return Some(Ok((Token::CData, start + length? + CDATA_CLOSING.len())));
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            if place != ScanContext::Outside {
                return None;
            }
            let message = "A comment is not closed. Write no comments.";
            return Some(
                comment
                    .split_once("-->")
                    .map(|(_, after)| (Token::Comment, self.text.len() - after.len()))
                    .ok_or_else(|| ReplyRefusal::unreadable(start, message)),
            );
        }
        let keyword = rest.as_bytes().get(2..).unwrap_or_default();
        let declares = ["DOCTYPE", "ENTITY", "ELEMENT", "ATTLIST", "NOTATION"]
            .iter()
            .any(|word| {
                let head = keyword.get(..word.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
            });
        let message = "Declarations such as <!DOCTYPE> are not allowed. Write &lt; for < in text.";
        declares.then(|| Err(ReplyRefusal::unreadable(start, message)))
    }

    /// Looks no further than the tag itself, and never past another `<`, so that all looks together
    /// stay linear.
    fn tag(&self, start: usize, closing: bool, place: ScanContext) -> Markup {
        let from = start + 1 + usize::from(closing);
        let bytes = &self.text.as_bytes()[from..];
        let name = leading_name(&self.text[from..]);
        let length = name.len();
        if length == 0 {
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
            plain.filter(|_| place == ScanContext::Outside)?;
            let message = format!("A tag name is longer than {ELEMENT_NAME_BYTES_MAX} bytes.");
            return Some(Err(ReplyRefusal::unreadable(start, message)));
        }
        let known = Element::parse(name, self.with_dialects);
        if known.is_none() && !name.chars().all(|c| c.is_ascii() || c.is_alphanumeric()) {
            return None;
        }
        let (length, is_empty) = match plain {
            Some(found) => found,
            None if !begins_attribute(&bytes[next..]) => return None,
            None => match (known, place) {
                (Some(known), ScanContext::Content(own))
                    if known != own && !matches!(known, Element::Instruction(_)) =>
                {
                    return None;
                }
                (Some(_), _) => {
                    let message =
                        format!("<{name}> has an attribute. Write the tag alone: <{name}>.");
                    return Some(Err(ReplyRefusal::unreadable(start, message)));
                }
                (None, ScanContext::Content(_)) => return None,
                (None, ScanContext::Outside) => {
                    let length = next + memchr2(b'<', b'>', &bytes[next..])?;
                    if bytes[length] == b'<' {
                        return None;
                    }
                    (length + 1, bytes[..length].ends_with(b"/"))
                }
            },
        };
        let token = match (closing, is_empty) {
            (true, _) => Token::Close(known),
            (false, true) => Token::Empty(known),
            (false, false) => Token::Open(known),
        };
        Some(Ok((token, from + length)))
    }
}

fn closing_tags(text: &str) -> BTreeMap<&str, usize> {
    let mut last = BTreeMap::new();
    for (at, opening) in text.match_indices("</") {
        let rest = &text[at + opening.len()..];
        let ends_name = |c: char| c == '>' || c == '<' || BLANKS.contains(&c);
        let within = rest
            .char_indices()
            .take_while(|(length, c)| *length <= ELEMENT_NAME_BYTES_MAX && !ends_name(*c));
        let length = within.map(|(at, c)| at + c.len_utf8()).last();
        last.insert(&rest[..length.unwrap_or_default()], at);
    }
    last
}

/// Returns character data up to a reference, or the reference itself. A `&` that no `;` follows
/// before the next `&` or `<` is text with what stands behind it.
fn characters(rest: &[u8], first: u8) -> (Token, usize) {
    let (token, length) = if first == b'&' {
        match memchr3(b';', b'&', b'<', &rest[1..]) {
            Some(end) if rest[end + 1] == b';' => (Token::Reference, Some(end + 2)),
            end => (Token::Stray, end.map(|end| end + 1)),
        }
    } else {
        (Token::Text, memchr2(b'<', b'&', rest))
    };
    (token, length.unwrap_or(rest.len()))
}

/// Returns whether an attribute follows a name and a blank: a word before a `=`, or a lone word
/// before the tag's end. `<key to success` has none.
fn begins_attribute(rest: &[u8]) -> bool {
    let word = run(rest, continues_name);
    let next = word + run(&rest[word..], is_blank);
    let after = (rest.get(next), rest.get(next + 1));
    word > 0 && matches!(after, (Some(b'=' | b'>'), _) | (Some(b'/'), Some(b'>')))
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
