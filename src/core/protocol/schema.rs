//! An outline as a JSON schema: an object with a list of instructions, each with its name in `op`
//! and its children as members, in the order in which they are to be written. Only what every
//! server understands: no references, no patterns. Knows no instruction by name.

use super::outline::{InstructionForm, Outline, OutlineChild};
use super::tag::ContentKind;
use crate::limits::CONSTRAINED_INSTRUCTIONS_MAX;
use crate::plain_text::joined;
use serde_json::Value;

/// The member that names an instruction.
pub(super) const OP: &str = "op";

pub(super) const INSTRUCTIONS: &str = "instructions";

/// Whether a member may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// One that need not stand may be left out.
    AsNeeded,
    /// Every one stands, as null where there is nothing to say: some servers take no other schema.
    All,
}

/// Returns the schema of an outline's replies, as text: the order of members is part of it.
pub fn json_schema(outline: &Outline, members: Members) -> String {
    let forms = outline.forms.iter();
    let forms = joined(forms.map(|form| object_of(outline, form, members)), ",");
    let list = format!(
        "{{\"type\":\"array\",\"minItems\":1,\"maxItems\":{CONSTRAINED_INSTRUCTIONS_MAX},\
         \"items\":{{\"anyOf\":[{forms}]}}}}"
    );
    object(&[(INSTRUCTIONS, list, true)])
}

fn object_of(outline: &Outline, form: &InstructionForm, members: Members) -> String {
    let op = format!("{{\"type\":\"string\",\"const\":\"{}\"}}", form.op);
    let mut of_form = vec![(OP, op, true)];
    of_form.extend(form.parts.iter().map(|part| {
        let schema = content(outline, *part, members);
        if part.must || members == Members::AsNeeded {
            return (part.child.name(), schema, part.must);
        }
        let schema = format!("{{\"anyOf\":[{schema},{{\"type\":\"null\"}}]}}");
        (part.child.name(), schema, true)
    }));
    object(&of_form)
}

fn content(outline: &Outline, part: OutlineChild, members: Members) -> String {
    match part.child.content() {
        ContentKind::State => {
            let states = Value::from(outline.states(part));
            format!("{{\"type\":\"string\",\"enum\":{states}}}")
        }
        ContentKind::Whole => "{\"type\":\"integer\"}".to_owned(),
        ContentKind::Share | ContentKind::Number => "{\"type\":\"number\"}".to_owned(),
        ContentKind::Line | ContentKind::Text => TEXT.to_owned(),
        ContentKind::Names => TEXTS.to_owned(),
        ContentKind::Stores => {
            let must = members == Members::All;
            // In the order of their names, as examples are written.
            let one = object(&[
                ("key", TEXT.to_owned(), true),
                ("tags", TEXTS.to_owned(), must),
                ("value", TEXT.to_owned(), true),
            ]);
            format!("{{\"type\":\"array\",\"items\":{one}}}")
        }
    }
}

const TEXT: &str = "{\"type\":\"string\"}";

const TEXTS: &str = "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}";

/// Returns the schema of an object of these members: name, schema, whether it must stand.
fn object(members: &[(&str, String, bool)]) -> String {
    let properties = members
        .iter()
        .map(|(name, schema, _)| format!("\"{name}\":{schema}"));
    let required = members.iter().filter(|(_, _, must)| *must);
    let required: Value = required.map(|(name, _, _)| *name).collect();
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":{required},\
         \"additionalProperties\":false}}",
        joined(properties, ",")
    )
}
