//! The protocol as the rest of the program sees it: text in, instructions and diagnostics out.

#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the helpers take what `parse` takes"
)]

mod corpus;
mod dialects;
mod gbnf;
mod grammar;
mod hostile;
mod properties;
mod rows;
mod stream_monitor;

use kjxlkj_agent::core::protocol::{
    AllowedTags, Instruction, ParseOptions, ParsedReply, Severity, Tag, parse,
};
use kjxlkj_agent::failure::Code;

/// The default mode with the shipped tags.
fn lenient() -> ParseOptions {
    ParseOptions {
        strict: false,
        allowed_tags: AllowedTags::shipped(),
        truncated: false,
    }
}

fn strict() -> ParseOptions {
    ParseOptions {
        strict: true,
        ..lenient()
    }
}

fn truncated() -> ParseOptions {
    ParseOptions {
        truncated: true,
        ..lenient()
    }
}

/// The default mode with everything switched on.
fn with_every_tag() -> ParseOptions {
    ParseOptions {
        allowed_tags: Tag::ALL.into_iter().collect(),
        ..lenient()
    }
}

/// The parsed instructions alone, after checking what holds for every answer of the parser.
fn instructions(text: &str, options: &ParseOptions) -> Vec<Instruction> {
    let parsed = parse(text, options);
    check_promises(text, &parsed);
    let found = parsed.instructions.into_iter();
    found.map(|located| located.instruction).collect()
}

/// What the parser promises about any answer, whatever the text.
fn check_promises(text: &str, parsed: &ParsedReply) {
    let errors = parsed.diagnostics.iter();
    let errors = errors.filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors = errors.count();
    assert_eq!(parsed.ok, errors == 0, "{text:?}: {parsed:?}");
    assert!(errors <= 1, "{text:?}: {parsed:?}");
    assert_eq!(
        parsed.ok,
        !parsed.instructions.is_empty(),
        "{text:?}: {parsed:?}"
    );
    assert!(parsed.diagnostics.len() <= 32 && parsed.instructions.len() <= 64);
    let places = parsed
        .diagnostics
        .iter()
        .map(|found| (found.line, found.column));
    assert!(places.is_sorted(), "{text:?}: {parsed:?}");
    let places = parsed
        .instructions
        .iter()
        .map(|found| (found.line, found.column));
    assert!(places.is_sorted_by(|a, b| a < b), "{text:?}: {parsed:?}");
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.line >= 1 && diagnostic.column >= 1);
        assert!(diagnostic.message.len() <= 300, "{diagnostic:?}");
        assert!(!(diagnostic.repaired && diagnostic.dropped.is_some()));
    }
}

/// The code of the error that refused the reply.
fn error_of(text: &str, options: &ParseOptions) -> Option<Code> {
    let parsed = parse(text, options);
    check_promises(text, &parsed);
    let error = parsed.diagnostics.into_iter();
    error
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| diagnostic.code)
        .next()
}

/// The names of the dropped instructions, each with the code.
fn dropped(text: &str, options: &ParseOptions) -> Vec<(String, Code)> {
    let parsed = parse(text, options);
    check_promises(text, &parsed);
    let diagnostics = parsed.diagnostics.into_iter();
    diagnostics
        .filter_map(|diagnostic| Some((diagnostic.dropped?, diagnostic.code)))
        .collect()
}

fn ram_add(key: &str, value: &str) -> Instruction {
    Instruction::RamAdd {
        key: key.to_owned(),
        value: value.to_owned(),
    }
}

fn state_add(state: &str) -> Instruction {
    Instruction::StateAdd {
        state: state.to_owned(),
    }
}

fn record_add(keywords: &str, value: &str) -> Instruction {
    Instruction::RecordAdd {
        keywords: keywords.to_owned(),
        value: value.to_owned(),
        title: None,
        kind: None,
        workspace_id: None,
    }
}
