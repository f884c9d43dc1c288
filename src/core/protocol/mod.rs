//! The protocol: model text in, typed instructions and diagnostics out, and stored text back into
//! prompts in a form that can never become an instruction. Parsing never fails and never panics;
//! nothing here decides whether an instruction may take effect.

pub mod instruction;
pub mod tag;

mod build;
mod characters;
mod content;
mod draft;
mod element;
mod escape;
mod grammar;
mod grammar_reply;
mod json_reply;
mod outline;
mod parse;
mod repetition;
mod report;
mod scan;
mod schema;
mod stream_monitor;

pub use escape::{escape, is_plain};
pub use grammar::gbnf;
pub use instruction::{
    Diagnostic, Instruction, LocatedInstruction, ParsedReply, RecordEdit, Sample, Search, Severity,
    Store, ToolArgument, ToolCall,
};
pub use json_reply::{is_json_reply, json_of_xml, json_ops};
pub use outline::{ConstraintKind, Outline};
pub use parse::{DATA_ELEMENTS, ParseOptions, parse, parse_as, parse_json};
pub use repetition::ReasoningLoop;
pub use schema::{Members, json_schema};
pub use stream_monitor::{EarlyStop, StopPoint, StreamMonitor};
pub use tag::{AllowedTags, Tag};

/// The version of the grammar in run records and in the output of `parse`. It changes whenever a
/// text could be read differently.
pub const PARSER_VERSION: &str = "xml_attrless/1.0.0";
