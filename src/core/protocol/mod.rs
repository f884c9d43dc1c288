//! The protocol: model text in, typed instructions and diagnostics out, and stored text back into
//! prompts in a form that can never become an instruction. Parsing never fails and never panics;
//! nothing here decides whether an instruction may take effect.

pub mod instruction;
pub mod tag;
pub mod tool_call;

mod action;
mod build;
mod characters;
mod child;
mod content;
mod element;
mod escape;
mod foreign;
mod grammar;
mod grammar_reply;
mod grammar_scan;
mod id_list;
mod instruction_list;
mod json_form;
mod json_scan;
mod lexer;
mod outline;
mod parse;
mod place;
mod record_edit;
mod repeats;
mod report;
mod scan;
mod schema;
mod stop;
mod stream_monitor;

pub use escape::{escape, is_plain};
pub use foreign::DATA_ELEMENTS;
pub use grammar::gbnf;
pub use grammar_reply::parse_as;
pub use instruction::{Diagnostic, Instruction, Located, Parsed, Sample, Search, Severity, Store};
pub use json_form::{is_json_reply, json_of_xml, parse_json, xml_of_json};
pub use outline::{ConstraintKind, Outline};
pub use parse::{ParseOptions, parse};
pub use record_edit::RecordEdit;
pub use repeats::ReasoningLoop;
pub use schema::{Members, json_schema};
pub use stop::{EarlyStop, StopPoint};
pub use stream_monitor::StreamMonitor;
pub use tag::{AllowedTags, Tag};
pub use tool_call::{Takes, ToolCall};

/// The grammar's version, as it stands in run records and in the output of `parse`. It changes
/// whenever the same text could be read differently.
pub const PARSER_VERSION: &str = "xml_attrless/1.0.0";
