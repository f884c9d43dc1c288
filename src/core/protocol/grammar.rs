//! An outline as a grammar for llama.cpp. Every text is allowed that does not end its own element: a
//! grammar that forbids raw `&` and `<` makes a model write something else instead. Knows no
//! instruction by name.

use super::outline::{Content, Form, Outline, Part};
use crate::limits::CONSTRAINED_INSTRUCTIONS_MAX;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A GBNF grammar of replies with at least one of an outline's instructions.
pub fn gbnf(outline: &Outline) -> String {
    let mut grammar = Grammar {
        outline,
        rules: String::new(),
        written: BTreeSet::new(),
    };
    let names: Vec<String> = outline
        .forms
        .iter()
        .map(|form| grammar.form(form))
        .collect();
    let more = CONSTRAINED_INSTRUCTIONS_MAX - 1;
    let item = names.join(" | ");
    format!(
        "root ::= item (\"\\n\" item){{0,{more}}}\nitem ::= {item}\n{}",
        grammar.rules
    )
}

/// What may not stand in a line.
const LINE: &str = "\\n";

/// What may not stand in a text: nothing.
const TEXT: &str = "";

/// A grammar while it is written.
struct Grammar<'a> {
    outline: &'a Outline,
    rules: String,
    /// The rules of elements that are written, by element and content.
    written: BTreeSet<String>,
}

impl Grammar<'_> {
    /// Writes an instruction's rule. Gives its name.
    fn form(&mut self, form: &Form) -> String {
        let name = format!("i-{}", rule_name(form.op));
        let parts: Vec<(String, bool)> = form
            .parts
            .iter()
            .map(|part| (self.part(*part), part.must))
            .collect();
        let (open, close) = &form.around;
        let body = body(&parts);
        self.rule(&format!("{name} ::= \"{open}\" {body} \"{close}\""));
        name
    }

    /// Writes a child's rule, unless it stands. Gives its name.
    fn part(&mut self, part: Part) -> String {
        let tag = part.child.name();
        // What a child holds may depend on its instruction.
        let of_own = if part.content == Content::Current {
            "current-"
        } else {
            ""
        };
        let name = format!("c-{of_own}{}", rule_name(tag));
        if !self.written.insert(name.clone()) {
            return name;
        }
        if part.content == Content::Stores {
            let (key, value, tags) = (
                self.element("key", LINE),
                self.element("value", TEXT),
                self.element("tags", LINE),
            );
            let one = format!("\"<{tag}>\" {key} {value} {tags}? \"</{tag}>\"");
            self.rule(&format!("{name}-one ::= {one}"));
            let more = CONSTRAINED_INSTRUCTIONS_MAX;
            self.rule(&format!("{name} ::= {name}-one{{1,{more}}}"));
            return name;
        }
        let content = match part.content {
            Content::Target | Content::Current => {
                let states = self.outline.states(part.content).into_iter();
                let states = states.map(|state| format!("\"{state}\""));
                format!("({})", states.collect::<Vec<_>>().join(" | "))
            }
            Content::Whole => "[0-9]{1,9}".to_owned(),
            Content::Share => "(\"0\" | \"1\" | \"0.\" [0-9]{1,3})".to_owned(),
            Content::Number => "[0-9]{1,3} (\".\" [0-9]{1,3})?".to_owned(),
            Content::Text => return self.until(name, tag, TEXT),
            Content::Line | Content::Names | Content::Stores => {
                return self.until(name, tag, LINE);
            }
        };
        self.rule(&format!("{name} ::= \"<{tag}>\" {content} \"</{tag}>\""));
        name
    }

    fn element(&mut self, tag: &str, never: &str) -> String {
        let name = format!("c-{}", rule_name(tag));
        if !self.written.insert(name.clone()) {
            return name;
        }
        self.until(name, tag, never)
    }

    /// Writes the rules of everything up to and with a closing tag, character by character: each rule
    /// is how much of that tag has been seen. Nothing else ends it, so any other markup is text.
    fn until(&mut self, name: String, tag: &str, never: &str) -> String {
        let inner = rule_name(tag);
        self.rule(&format!("{name} ::= \"<{tag}>\" {inner}-0"));
        let closing: Vec<char> = format!("</{tag}>").chars().collect();
        for (seen, next) in closing.iter().enumerate() {
            let follows = if seen + 1 == closing.len() {
                String::new()
            } else {
                format!(" {inner}-{}", seen + 1)
            };
            // The only character that begins the tag anew is its first one.
            let again = if seen == 0 {
                String::new()
            } else {
                format!(" | \"<\" {inner}-1")
            };
            let other = if *next == '<' {
                format!("[^<{never}]")
            } else {
                format!("[^{next}<{never}]")
            };
            self.rule(&format!(
                "{inner}-{seen} ::= \"{next}\"{follows}{again} | {other} {inner}-0"
            ));
        }
        name
    }

    fn rule(&mut self, rule: &str) {
        // Writing into a string cannot fail.
        writeln!(self.rules, "{rule}").unwrap_or_default();
    }
}

/// The children of an instruction in order, those that may be left out marked; where all of them may,
/// every way that has one of them.
fn body(parts: &[(String, bool)]) -> String {
    let marked = |parts: &[(String, bool)]| {
        let marks = parts
            .iter()
            .map(|(name, must)| format!("{name}{}", if *must { "" } else { "?" }));
        marks.collect::<Vec<_>>().join(" ")
    };
    if parts.is_empty() || parts.iter().any(|(_, must)| *must) {
        return marked(parts);
    }
    let ways = parts.iter().enumerate().map(|(index, (first, _))| {
        let rest = marked(parts.get(index + 1..).unwrap_or_default());
        format!("{first} {rest}").trim_end().to_owned()
    });
    format!("({})", ways.collect::<Vec<_>>().join(" | "))
}

/// Rule names hold letters, digits and dashes.
fn rule_name(name: &str) -> String {
    name.replace('_', "-")
}
