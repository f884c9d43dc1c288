//! Reads replies that a server kept to a grammar. There a text ends at the first closing tag of its own
//! element, and whatever else stands in it is text, markup included. The reply is put into the one form that
//! everything else reads, with the same meaning. Owns no checks of its own.

use super::child::Known;
use super::json_form::{literal, parse_json};
use super::outline::ConstraintKind;
use super::{ParseOptions, Parsed, parse};

/// Deepest nesting of elements in a reply of the grammar.
const DEPTH_MAX: usize = 3;

/// Reads a reply in the form that it was asked for; one that is not in it as it stands.
pub fn parse_as(form: Option<ConstraintKind>, reply: &str, options: &ParseOptions) -> Parsed {
    match form {
        None => parse(reply, options),
        Some(ConstraintKind::JsonSchema) => parse_json(reply, options),
        Some(ConstraintKind::Gbnf) => match escaped(reply) {
            Some(text) => parse(&text, options),
            None => parse(reply, options),
        },
    }
}

/// What an element of the grammar holds.
enum Holds {
    Elements,
    Text,
}

/// A reply with every text in it escaped; `None` for one that does not follow the grammar to its end.
fn escaped(reply: &str) -> Option<String> {
    let (mut text, mut open) = (String::with_capacity(reply.len()), Vec::<&str>::new());
    let mut rest = reply.trim();
    while !rest.is_empty() {
        if let Some(name) = open.last()
            && let Some(behind) = rest
                .strip_prefix("</")
                .and_then(|rest| rest.strip_prefix(name)?.strip_prefix('>'))
        {
            text.extend(["</", name, ">"]);
            open.pop();
            rest = behind.trim_start();
            continue;
        }
        let (name, inside) = rest.strip_prefix('<')?.split_once('>')?;
        text.extend(["<", name, ">"]);
        rest = match holds(name, open.last().copied())? {
            Holds::Elements => {
                open.push(name);
                inside.trim_start()
            }
            Holds::Text => {
                let (content, behind) = inside.split_once(&format!("</{name}>"))?;
                text.extend([&literal(content), "</", name, ">"]);
                behind.trim_start()
            }
        };
        if open.len() > DEPTH_MAX {
            return None;
        }
    }
    open.is_empty().then_some(text)
}

/// What an element inside another one holds; `None` for one that does not belong there.
fn holds(name: &str, inside: Option<&str>) -> Option<Holds> {
    match (Known::parse(name, true)?, inside) {
        (Known::Instruction(_), None | Some("actions")) => Some(Holds::Elements),
        (Known::Child(_), Some("action")) if name == "store" => Some(Holds::Elements),
        (Known::Child(_), Some(_)) => Some(Holds::Text),
        (Known::Instruction(_), Some(_)) | (Known::Child(_), None) => None,
    }
}
