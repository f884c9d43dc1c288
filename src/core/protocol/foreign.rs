//! Elements between instructions that the protocol does not know: finding their end without
//! reading the rest of the reply again for each of them. Owns nothing of what they hold, since
//! that is never used.

use super::characters::BLANKS;
use super::child::Known;
use super::lexer::{Place, Token};
use super::report::Refusal;
use super::scan::Scan;
use crate::limits::{ELEMENT_DEPTH_MAX, ELEMENT_NAME_BYTES_MAX};
use std::collections::BTreeMap;

/// The element in which models think aloud.
pub(super) const REASONING: &str = "think";

/// The elements in which a prompt shows its data. A small model that does not know how to go on
/// writes them again; that is no attempt at an instruction, and telling it so would only give it
/// more of them to repeat.
pub const DATA_ELEMENTS: [&str; 6] = ["time", "state", "request", "ram", "action_result", "step"];

/// Where each element name is closed for the last time. Filled at the first question, in one walk,
/// because most replies never ask.
#[derive(Debug, Default)]
pub(super) struct Closers<'a> {
    last: Option<BTreeMap<&'a str, usize>>,
}

impl<'a> Closers<'a> {
    /// Whether `</name` stands anywhere at or after `from`.
    pub(super) fn has_after(&mut self, text: &'a str, name: &str, from: usize) -> bool {
        let last = self.last.get_or_insert_with(|| closing_tags(text));
        last.get(name).is_some_and(|at| *at >= from)
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

/// The tag of the protocol that opens right at the beginning of `text`, blanks aside.
pub(super) fn next_known(text: &str, with_dialects: bool) -> Option<Known> {
    let rest = text.trim_start_matches(BLANKS).strip_prefix('<')?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = rest.bytes().take_while(is_name).count();
    let after = rest[length..].trim_start_matches(BLANKS);
    let is_tag = after.starts_with(['>', '/']);
    Known::parse(&rest[..length], with_dialects).filter(|_| is_tag)
}

/// Reads past the closing tag of the element `name`, or to the end of the reply. What is inside
/// and is itself closed somewhere nests, so that the right closing tag is found.
///
/// # Errors
/// If elements nest too deep, or at markup that no reply may hold.
pub(super) fn skip<'a>(
    scan: &mut Scan<'a>,
    closers: &mut Closers<'a>,
    name: &'a str,
) -> Result<(), Refusal> {
    let mut open = vec![name];
    while !open.is_empty() {
        let lexeme = scan.next(Place::Outside);
        match lexeme.token {
            Token::End => break,
            Token::Open(_) => {
                let inner = lexeme.name(scan.text);
                if closers.has_after(scan.text, inner, lexeme.end) {
                    open.push(inner);
                }
                if open.len() > ELEMENT_DEPTH_MAX {
                    let message = format!("Tags are nested more than {ELEMENT_DEPTH_MAX} deep.");
                    return Err(Refusal::unreadable(lexeme.start, message));
                }
            }
            Token::Close(_) => {
                let inner = lexeme.name(scan.text);
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
            Token::Refused(refused) => return Err(scan.refuse(lexeme.start, refused)),
        }
    }
    Ok(())
}
