//! An outline as a grammar for llama.cpp. Every text is allowed that does not end its own element:
//! a grammar that forbids raw `&` and `<` makes a model write something else instead. Knows no
//! instruction by name.

use super::outline::{InstructionForm, Outline, OutlineChild};
use super::tag::ContentKind;
use crate::limits::CONSTRAINED_INSTRUCTIONS_MAX;
use crate::plain_text::joined;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Returns a GBNF grammar of replies with at least one of an outline's instructions.
pub fn gbnf(outline: &Outline) -> String {
    let mut grammar = Grammar {
        outline,
        rules: String::new(),
        written: BTreeSet::new(),
    };
    let item = joined(outline.forms.iter().map(|form| grammar.form(form)), " | ");
    let more = CONSTRAINED_INSTRUCTIONS_MAX - 1;
    format!(
        "root ::= item (\"\\n\" item){{0,{more}}}\nitem ::= {item}\n{}",
        grammar.rules
    )
}

/// The characters that a line may not hold.
const LINE: &str = "\\n";

/// The characters that a text may not hold: none.
const TEXT: &str = "";

struct Grammar<'a> {
    outline: &'a Outline,
    rules: String,
    /// The names of the elements' rules that are written.
    written: BTreeSet<String>,
}

impl Grammar<'_> {
    /// Writes an instruction's rule, and returns its name.
    fn form(&mut self, form: &InstructionForm) -> String {
        let name = format!("i-{}", rule_name(form.op));
        let parts = form.parts.iter().map(|part| (self.part(*part), part.must));
        let body = body(&parts.collect::<Vec<_>>());
        let (open, close) = &form.around;
        self.rule(&format!("{name} ::= \"{open}\" {body} \"{close}\""));
        name
    }

    /// Writes a child's rule, unless it is written, and returns its name.
    fn part(&mut self, part: OutlineChild) -> String {
        let tag = part.child.name();
        let content = match part.child.content() {
            ContentKind::Text => return self.element(tag, TEXT),
            ContentKind::Line | ContentKind::Names => return self.element(tag, LINE),
            ContentKind::State => {
                let states = self.outline.states(part).iter();
                let states = states.map(|state| format!("\"{state}\""));
                format!("({})", joined(states, " | "))
            }
            ContentKind::Whole => "[0-9]{1,9}".to_owned(),
            ContentKind::Share => "(\"0\" | \"1\" | \"0.\" [0-9]{1,3})".to_owned(),
            ContentKind::Number => "[0-9]{1,3} (\".\" [0-9]{1,3})?".to_owned(),
            ContentKind::Stores => String::new(),
        };
        // The content of a state depends on its instruction.
        let of_own = if part.is_current { "current-" } else { "" };
        let name = format!("c-{of_own}{}", rule_name(tag));
        if !self.written.insert(name.clone()) {
            return name;
        }
        if part.child.content() == ContentKind::Stores {
            let (key, value, tags) = (
                self.element("key", LINE),
                self.element("value", TEXT),
                self.element("tags", LINE),
            );
            let one = format!("\"<{tag}>\" {key} {value} {tags}? \"</{tag}>\"");
            self.rule(&format!("{name}-one ::= {one}"));
            let more = CONSTRAINED_INSTRUCTIONS_MAX;
            self.rule(&format!("{name} ::= {name}-one{{1,{more}}}"));
        } else {
            self.rule(&format!("{name} ::= \"<{tag}>\" {content} \"</{tag}>\""));
        }
        name
    }

    /// Writes the rules of an element, unless they are written, and returns the name of the first.
    /// They take everything up to and with its closing tag, character by character: each rule is
    /// how much of that tag has been read. Nothing else ends it, so any other markup is text.
    fn element(&mut self, tag: &str, never: &str) -> String {
        let inner = rule_name(tag);
        let name = format!("c-{inner}");
        if !self.written.insert(name.clone()) {
            return name;
        }
        self.rule(&format!("{name} ::= \"<{tag}>\" {inner}-0"));
        let closing: Vec<char> = format!("</{tag}>").chars().collect();
        for (read, next) in closing.iter().enumerate() {
            let follows = if read + 1 == closing.len() {
                String::new()
            } else {
                format!(" {inner}-{}", read + 1)
            };
            // The only character that begins the tag anew is its first one.
            let again = if read == 0 {
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
                "{inner}-{read} ::= \"{next}\"{follows}{again} | {other} {inner}-0"
            ));
        }
        name
    }

    fn rule(&mut self, rule: &str) {
        // Writing into a string cannot fail.
        writeln!(self.rules, "{rule}").unwrap_or_default();
    }
}

/// Returns the children of an instruction in order, those that may be left out marked; where all of
/// them may, every way that has one of them.
fn body(parts: &[(String, bool)]) -> String {
    let marked = |parts: &[(String, bool)]| {
        let mark = |must: bool| if must { "" } else { "?" };
        joined(
            parts
                .iter()
                .map(|(name, must)| format!("{name}{}", mark(*must))),
            " ",
        )
    };
    if parts.is_empty() || parts.iter().any(|(_, must)| *must) {
        return marked(parts);
    }
    let ways = parts.iter().enumerate().map(|(index, (first, _))| {
        let rest = marked(parts.get(index + 1..).unwrap_or_default());
        format!("{first} {rest}").trim_end().to_owned()
    });
    format!("({})", joined(ways, " | "))
}

/// Rule names hold letters, digits and dashes.
fn rule_name(name: &str) -> String {
    name.replace('_', "-")
}
