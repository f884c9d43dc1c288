//! What a server may be told to keep a model's output to: a GBNF grammar for llama.cpp, a JSON schema
//! for everybody else, both made from the same table of instructions as the parser's checks.
//!
//! Neither may change what a model means. In the grammar every text is allowed that does not end its
//! own element: one that forbids raw `&` and `<` makes a model write something else instead. Form is
//! all that is promised; whether an instruction takes effect is decided as for any other.

use super::child::Child;
use super::shape::{Shape, shape};
use super::{AllowedTags, Tag};
use crate::core::agent::LoopState;
use crate::limits::CONSTRAINED_INSTRUCTIONS_MAX;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The children of an instruction in the order in which a model is led through them: what a note is
/// called comes before its text, as in the examples.
const ORDER: [Child; 10] = [
    Child::State,
    Child::Key,
    Child::Title,
    Child::Kind,
    Child::Keywords,
    Child::Query,
    Child::Ids,
    Child::Version,
    Child::Value,
    Child::Metadata,
];

/// The member that names an instruction in the JSON form.
pub(super) const OP: &str = "op";

/// The member that holds all instructions in the JSON form.
pub(super) const INSTRUCTIONS: &str = "instructions";

/// What a child holds, as far as form goes.
enum Content {
    /// One of the states that may be asked for.
    State,
    /// A number.
    Digits,
    /// One line.
    Line,
    /// Anything.
    Text,
}

const fn content(child: Child) -> Content {
    if matches!(child, Child::State) {
        Content::State
    } else if matches!(child, Child::Version) {
        Content::Digits
    } else if child.is_free_text() {
        Content::Text
    } else {
        Content::Line
    }
}

/// The instructions that output is kept to, each with its children in order and whether each must
/// stand. `record_search` is led to its words: ids are long, and small models invent them.
fn forms(allowed: AllowedTags) -> impl Iterator<Item = (Tag, Vec<(Child, bool)>)> {
    let tags = Tag::ALL
        .into_iter()
        .filter(move |tag| allowed.contains(*tag));
    tags.map(|tag| {
        let Shape {
            required, optional, ..
        } = shape(tag);
        let mut children: Vec<(Child, bool)> = ORDER
            .into_iter()
            .filter(|child| required.contains(child) || optional.contains(child))
            .map(|child| (child, required.contains(&child)))
            .collect();
        if tag == Tag::RecordSearch {
            children = vec![(Child::Query, true)];
        }
        (tag, children)
    })
}

/// A GBNF grammar of replies with at least one of the allowed instructions; a state that is asked
/// for is one of `targets`.
pub fn gbnf(allowed: AllowedTags, targets: &[LoopState]) -> String {
    let mut names = Vec::new();
    let mut rules = String::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (tag, children) in forms(allowed) {
        let name = rule_name(tag.name());
        let body: Vec<String> = children
            .iter()
            .map(|(child, must)| {
                used.insert(child.name());
                let mark = if *must { "" } else { "?" };
                format!("c-{}{mark}", rule_name(child.name()))
            })
            .collect();
        let (tag, body) = (tag.name(), body.join(" "));
        // Writing into a string cannot fail.
        writeln!(rules, "{name} ::= \"<{tag}>\" {body} \"</{tag}>\"").unwrap_or_default();
        names.push(name);
    }
    for child in ORDER
        .into_iter()
        .filter(|child| used.contains(child.name()))
    {
        push_child(&mut rules, child, targets);
    }
    let more = CONSTRAINED_INSTRUCTIONS_MAX - 1;
    let item = names.join(" | ");
    format!("root ::= item (\"\\n\" item){{0,{more}}}\nitem ::= {item}\n{rules}")
}

/// The rules of one child: its opening tag, its content, and its closing tag.
fn push_child(rules: &mut String, child: Child, targets: &[LoopState]) {
    let tag = child.name();
    let name = rule_name(tag);
    let within = |content: String| format!("c-{name} ::= \"<{tag}>\" {content} \"</{tag}>\"\n");
    let rule = match content(child) {
        Content::State => {
            let states = targets.iter().map(|state| format!("\"{state}\""));
            within(format!("({})", states.collect::<Vec<_>>().join(" | ")))
        }
        Content::Digits => within("[0-9]{1,9}".to_owned()),
        Content::Line => format!("c-{name} ::= \"<{tag}>\" {name}-0\n{}", until(tag, "\\n")),
        Content::Text => format!("c-{name} ::= \"<{tag}>\" {name}-0\n{}", until(tag, "")),
    };
    rules.push_str(&rule);
}

/// Everything up to and with the closing tag, character by character: each rule is how much of that
/// tag has been seen. Nothing else ends it, so any other markup is text.
fn until(tag: &str, never: &str) -> String {
    let name = rule_name(tag);
    let closing: Vec<char> = format!("</{tag}>").chars().collect();
    let mut rules = String::new();
    for (seen, next) in closing.iter().enumerate() {
        let follows = if seen + 1 == closing.len() {
            String::new()
        } else {
            format!(" {name}-{}", seen + 1)
        };
        // The only character that begins the tag anew is its first one.
        let again = if seen == 0 {
            String::new()
        } else {
            format!(" | \"<\" {name}-1")
        };
        let other = if *next == '<' {
            format!("[^<{never}]")
        } else {
            format!("[^{next}<{never}]")
        };
        writeln!(
            rules,
            "{name}-{seen} ::= \"{next}\"{follows}{again} | {other} {name}-0"
        )
        .unwrap_or_default();
    }
    rules
}

/// Rule names hold letters, digits and dashes.
fn rule_name(name: &str) -> String {
    name.replace('_', "-")
}

/// A JSON schema of the same replies: an object with a list of instructions, each with its name in
/// `op` and its children as members. Only what every server understands: no references, no patterns.
pub fn json_schema(allowed: AllowedTags, targets: &[LoopState]) -> Value {
    let forms = forms(allowed).map(|(tag, children)| {
        let mut properties = Map::new();
        properties.insert(OP.to_owned(), json!({"const": tag.name()}));
        let mut required = vec![OP];
        for (child, must) in children {
            let shape = match content(child) {
                Content::State => {
                    json!({"enum": targets.iter().map(|state| state.name()).collect::<Vec<_>>()})
                }
                Content::Digits => json!({"type": "integer"}),
                Content::Line | Content::Text => json!({"type": "string"}),
            };
            properties.insert(child.name().to_owned(), shape);
            if must {
                required.push(child.name());
            }
        }
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    });
    json!({
        "type": "object",
        "properties": {
            INSTRUCTIONS: {
                "type": "array",
                "minItems": 1,
                "maxItems": CONSTRAINED_INSTRUCTIONS_MAX,
                "items": {"anyOf": forms.collect::<Vec<_>>()},
            }
        },
        "required": [INSTRUCTIONS],
        "additionalProperties": false,
    })
}
