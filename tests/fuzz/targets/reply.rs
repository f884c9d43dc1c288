//! The text of a model: whatever it is, there is an answer, and nothing is done that does not stand there.

use super::is_place;
use kjxlkj_agent::core::protocol::{
    AllowedTags, ConstraintKind, Instruction, ParseOptions, ParsedReply, Severity, Tag, escape,
    json_of_xml, json_ops, parse, parse_as, parse_json,
};
use serde_json::Value;

pub(super) fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    for allowed_tags in [AllowedTags::shipped(), Tag::ALL.into_iter().collect()] {
        let lenient = ParseOptions {
            allowed_tags,
            ..ParseOptions::default()
        };
        let strict = ParseOptions {
            strict: true,
            ..lenient
        };
        let truncated = ParseOptions {
            truncated: true,
            ..lenient
        };
        let [read, strictly, cut] = [lenient, strict, truncated].map(|how| parse(text, &how));
        for parsed in [&read, &strictly, &cut] {
            keeps_its_promises(text, parsed, '<');
        }
        if strictly.ok {
            assert_eq!(strictly, read, "strict mode reads it otherwise");
        }
        comes_back(&read, lenient);
        let as_json = parse_json(text, &lenient);
        if json_ops(text).is_some() {
            keeps_its_promises(text, &as_json, '{');
        } else {
            assert_eq!(as_json, read, "it is no JSON");
        }
        let kept = parse_as(Some(ConstraintKind::Gbnf), text, &lenient);
        keeps_its_promises(text, &kept, '<');
    }
    has_a_form_in_json(text);
    stays_text(text);
}

fn keeps_its_promises(text: &str, parsed: &ParsedReply, opening: char) {
    let errors = parsed.diagnostics.iter();
    let errors = errors.filter(|it| it.severity == Severity::Error).count();
    assert!(errors <= 1 && parsed.ok == (errors == 0), "{parsed:?}");
    assert_eq!(parsed.ok, !parsed.instructions.is_empty(), "{parsed:?}");
    for told in &parsed.diagnostics {
        assert!(is_place(text, told.line, told.column), "{told:?}");
        assert!(!told.message.is_empty() && told.message.len() <= 300);
    }
    let mut last = (0, 0);
    for found in &parsed.instructions {
        let place = (found.line, found.column);
        assert!(place > last, "{parsed:?}");
        last = place;
        // Nothing comes from nothing: where an instruction is said to stand, a tag or an item opens.
        let line = text.split('\n').nth(found.line - 1);
        let opens = line.and_then(|line| line.chars().nth(found.column - 1));
        assert_eq!(opens, Some(opening), "{found:?}");
    }
}

/// The instructions, written plainly, are the same instructions.
fn comes_back(read: &ParsedReply, how: ParseOptions) {
    let written = read.instructions.iter().map(|it| written(&it.instruction));
    let Some(written) = written.collect::<Option<Vec<String>>>() else {
        return;
    };
    if written.is_empty() {
        return;
    }
    let written = written.concat();
    let again = parse(&written, &how);
    let instructions = |parsed: &ParsedReply| {
        let found = parsed.instructions.iter();
        found.map(|it| it.instruction.clone()).collect::<Vec<_>>()
    };
    assert_eq!(instructions(&again), instructions(read), "{written:?}");
}

/// An instruction whose members are texts and numbers as an element; `None` for the others.
fn written(instruction: &Instruction) -> Option<String> {
    let members = serde_json::to_value(instruction).unwrap();
    let op = members["op"]
        .as_str()
        .filter(|op| Tag::parse(op).is_some())?;
    let mut element = format!("<{op}>");
    for (name, value) in members
        .as_object()?
        .iter()
        .filter(|(name, _)| *name != "op")
    {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Object(_) if name == "metadata" => value.to_string(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
        };
        let text = text.replace('&', "&amp;");
        let text = text.replace('<', "&lt;").replace('>', "&gt;");
        element.extend(["<", name, ">", &text, "</", name, ">"]);
    }
    Some(element + &format!("</{op}>"))
}

/// What strict mode takes can be said in JSON, and means the same there.
fn has_a_form_in_json(text: &str) {
    let how = ParseOptions {
        strict: true,
        allowed_tags: Tag::ALL.into_iter().collect(),
        truncated: false,
    };
    // A reference in JSON is taken for one that was copied, and stands for its letter.
    let Some(json) = json_of_xml(text).filter(|json| !json.contains('&')) else {
        return;
    };
    let instructions = |parsed: ParsedReply| {
        let found = parsed.instructions.into_iter();
        found.map(|it| it.instruction).collect::<Vec<_>>()
    };
    let read = instructions(parse(text, &how));
    assert_eq!(instructions(parse_json(&json, &how)), read, "{json}");
}

/// Text that comes back into a prompt can never be an instruction.
fn stays_text(text: &str) {
    let how = ParseOptions {
        strict: true,
        allowed_tags: AllowedTags::shipped(),
        truncated: false,
    };
    let reply = format!(
        "<ram_add><key>k</key><value>{}</value></ram_add>",
        escape(text)
    );
    if reply.len() > kjxlkj_agent::limits::REPLY_TEXT_BYTES_MAX {
        return;
    }
    let parsed = parse(&reply, &how);
    let is_one = matches!(
        parsed.instructions.as_slice(),
        [only] if matches!(&only.instruction, Instruction::RamAdd { key, .. } if key == "k")
    );
    // An empty value is refused, which is no instruction either.
    assert!(is_one || parsed.instructions.is_empty(), "{parsed:?}");
}
