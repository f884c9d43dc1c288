//! The meaning of a reply: typed instructions with their places, and diagnostics.
//! Values are the raw strings of the reply; typing and policy come later.

use super::Tag;
use super::tag::Child;
use crate::core::agent::Tool;
use crate::failure::Code;
use crate::ids::NoteId;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Number;
use std::borrow::Cow;

/// One instruction of the model. It proposes; whether it takes effect is the guard's decision.
/// The key of a note is its id, its title or keywords that find it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Instruction {
    /// Ask for a state.
    StateAdd {
        /// The state's name as written.
        state: String,
    },
    /// Leave a state.
    StateDelete {
        /// The state's name as written.
        state: String,
    },
    /// Set a RAM key.
    RamAdd { key: String, value: String },
    /// Remove a RAM key.
    RamDelete { key: String },
    /// Create a note.
    RecordAdd {
        /// Comma-separated keywords.
        keywords: String,
        /// The text, or a JSON object with `title` and `markdown`.
        value: String,
        /// An explicit title.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The note kind; `note` if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        /// The workspace; the scope's own if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        workspace_id: Option<String>,
    },
    /// Flag something about a note.
    RecordIssue {
        key: String,
        value: String,
        /// Details: the JSON object that was written, or `{"text": ...}`.
        metadata: serde_json::Map<String, serde_json::Value>,
    },
    /// Replace a note's text.
    RecordUpdate {
        key: String,
        value: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// New comma-separated keywords.
        #[serde(skip_serializing_if = "Option::is_none")]
        keywords: Option<String>,
        /// The version that the change is based on.
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<u64>,
    },
    /// Find notes.
    RecordSearch {
        #[serde(flatten)]
        search: Search,
    },
    /// Delete a note.
    RecordDelete { key: String },
    /// Answer the person's question.
    Answer {
        value: String,
        /// The notes that it comes from, where that is known.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        sources: Vec<NoteId>,
        /// Whether the notes say it; what a model writes itself counts as said only where they do.
        #[serde(skip)]
        found: bool,
    },
    /// Show thoughts and plans.
    Thinking {
        #[serde(skip_serializing_if = "Option::is_none")]
        analysis: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        planning: Option<String>,
        /// The keys that matter for it, each once.
        context_keys: Vec<String>,
    },
    /// Store things on disk.
    Action {
        /// The pieces to store, in the order of the reply.
        store: Vec<Store>,
        /// The keys that matter for it, each once.
        context_keys: Vec<String>,
    },
    /// Evaluate the work.
    Evaluation {
        /// The quality; not negative.
        #[serde(skip_serializing_if = "Option::is_none")]
        quality: Option<Number>,
        /// The amount added; not negative.
        #[serde(skip_serializing_if = "Option::is_none")]
        enrichment: Option<Number>,
        /// The share that is done, from 0 to 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        progress: Option<Number>,
        /// The advice for what comes next.
        #[serde(skip_serializing_if = "Option::is_none")]
        recommendations: Option<String>,
    },
    /// Move things between RAM and disk. No list names a key twice.
    Paging {
        archive: Vec<String>,
        retrieve: Vec<String>,
        delete: Vec<String>,
    },
    /// Change a part of a note.
    #[serde(untagged)]
    Edit(RecordEdit),
    /// Work on the trees of working memory and storage.
    #[serde(untagged)]
    Tool(ToolCall),
}

/// A change of one part of a note. Off unless the prompt file lists its tag.
/// The key is the id, the title or the keywords that find the note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum RecordEdit {
    /// Adds to a note's text.
    RecordAppend {
        key: String,
        /// The addition: the next item of a list, a sentence or a line.
        value: String,
    },
    /// Replaces one line or sentence.
    RecordLine {
        key: String,
        /// Words that stand in that line and in no other.
        query: String,
        /// The line as it is now.
        value: String,
    },
    /// Takes one line, sentence or item out.
    RecordCut {
        key: String,
        /// Words that stand in that line and in no other.
        query: String,
    },
    /// Links another note.
    RecordLink {
        key: String,
        /// The words that find the note that it leads to.
        title: String,
    },
    /// Gives a note another title.
    RecordTitle { key: String, title: String },
    /// Puts a note's text behind another's, and deletes it.
    RecordMerge {
        /// The words that find the note that goes.
        key: String,
        /// The words that find the note that stays.
        title: String,
    },
}

impl RecordEdit {
    /// Returns the instruction's tag.
    pub const fn tag(&self) -> Tag {
        match self {
            Self::RecordAppend { .. } => Tag::RecordAppend,
            Self::RecordLine { .. } => Tag::RecordLine,
            Self::RecordCut { .. } => Tag::RecordCut,
            Self::RecordLink { .. } => Tag::RecordLink,
            Self::RecordTitle { .. } => Tag::RecordTitle,
            Self::RecordMerge { .. } => Tag::RecordMerge,
        }
    }

    /// Returns the words that find the note that is changed or goes.
    pub fn key(&self) -> &str {
        match self {
            Self::RecordAppend { key, .. }
            | Self::RecordLine { key, .. }
            | Self::RecordCut { key, .. }
            | Self::RecordLink { key, .. }
            | Self::RecordTitle { key, .. }
            | Self::RecordMerge { key, .. } => key,
        }
    }
}

/// The argument that a tool takes beside its `<target_path>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolArgument {
    Nothing,
    /// The new content of the path, JSON or text, in `<content>`.
    Content,
    /// The path that is moved to it, in `<source_path>`.
    Source,
    /// Words to look for, in `<content>` or `<query>`.
    Words,
}

impl ToolArgument {
    /// Returns its name in a call that is written as JSON.
    const fn member(self) -> Option<Child> {
        match self {
            Self::Nothing => None,
            Self::Content => Some(Child::Content),
            Self::Source => Some(Child::SourcePath),
            Self::Words => Some(Child::Query),
        }
    }
}

/// A call of a tool, its paths and texts as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    pub tool: &'static Tool,
    pub path: String,
    /// The argument beside it; empty for a tool that takes none.
    pub taken: String,
}

impl ToolCall {
    /// Returns the path that it works on; for a move the one that it takes away.
    pub fn target(&self) -> &str {
        match self.tool.takes {
            ToolArgument::Source => &self.taken,
            ToolArgument::Nothing | ToolArgument::Content | ToolArgument::Words => &self.path,
        }
    }
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("op", self.tool.name)?;
        members.serialize_entry(Child::TargetPath.name(), &self.path)?;
        if let Some(member) = self.tool.takes.member() {
            members.serialize_entry(member.name(), &self.taken)?;
        }
        members.end()
    }
}

/// A piece to store on disk under a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Store {
    pub key: String,
    /// JSON or text.
    pub value: String,
    /// Words to find it by, each once.
    pub tags: Vec<String>,
}

/// The two forms of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// Words, all of which must occur; quotes make a phrase.
    Query(String),
    /// Note ids as written.
    Ids(Vec<String>),
}

impl Instruction {
    pub const fn tag(&self) -> Tag {
        match self {
            Self::StateAdd { .. } => Tag::StateAdd,
            Self::StateDelete { .. } => Tag::StateDelete,
            Self::RamAdd { .. } => Tag::RamAdd,
            Self::RamDelete { .. } => Tag::RamDelete,
            Self::RecordAdd { .. } => Tag::RecordAdd,
            Self::RecordIssue { .. } => Tag::RecordIssue,
            Self::RecordUpdate { .. } => Tag::RecordUpdate,
            Self::RecordSearch { .. } => Tag::RecordSearch,
            Self::RecordDelete { .. } => Tag::RecordDelete,
            Self::Answer { .. } => Tag::Answer,
            Self::Edit(edit) => edit.tag(),
            Self::Tool(_) => Tag::Actions,
            Self::Thinking { .. } => Tag::Thinking,
            Self::Action { .. } => Tag::Action,
            Self::Evaluation { .. } => Tag::Evaluation,
            Self::Paging { .. } => Tag::Paging,
        }
    }

    /// Returns the name in results and in the audit: the element's, for a tool call the tool's.
    pub const fn op(&self) -> &'static str {
        if let Self::Tool(call) = self {
            return call.tool.name;
        }
        self.tag().name()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A report without a change.
    Info,
    /// A repair, or a dropped instruction; the rest stands.
    Warning,
    /// The whole reply is refused.
    Error,
}

/// A finding of the parser about one place of the reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// Line in the reply, from 1.
    pub line: usize,
    /// Column in the line, in characters, from 1.
    pub column: usize,
    /// One sentence, short enough to be shown to a small model.
    pub message: String,
    /// Whether the parser repaired the place and went on.
    pub repaired: bool,
    /// The element name of an instruction that was dropped whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
    /// A correct instruction of that kind, where one helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Sample>,
}

/// A correct instruction to be shown beside what was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sample {
    /// The instruction as a reply would hold it.
    pub text: Cow<'static, str>,
    /// Whether every text in it is the reply's own, so that it may be done as it is.
    #[serde(skip)]
    pub is_own: bool,
}

impl Sample {
    /// Returns an instruction with a text that nobody wrote.
    pub(super) const fn made_up(text: &'static str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            is_own: false,
        }
    }
}

impl Diagnostic {
    /// Returns the message for a reader: what is wrong, and how it would be right.
    pub fn message(&self) -> String {
        let Self {
            message, example, ..
        } = self;
        example.as_ref().map_or_else(
            || message.clone(),
            |example| format!("{message} Write for example {}", example.text),
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocatedInstruction {
    #[serde(flatten)]
    pub instruction: Instruction,
    /// Line of its opening tag, from 1.
    #[serde(skip)]
    pub line: usize,
    /// Column of its opening tag, in characters, from 1.
    #[serde(skip)]
    pub column: usize,
    /// Whether anything inside it had to be repaired.
    #[serde(skip)]
    pub repaired: bool,
}

/// The result of reading a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParsedReply {
    pub parser_version: &'static str,
    /// Whether no diagnostic is an error.
    pub ok: bool,
    /// The instructions in document order. Empty when not ok.
    pub instructions: Vec<LocatedInstruction>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of a think block, if there was one.
    pub reasoning: Option<String>,
}

impl ParsedReply {
    /// Returns the result where there was no reply to read.
    pub const fn nothing() -> Self {
        Self {
            parser_version: super::PARSER_VERSION,
            ok: true,
            instructions: Vec::new(),
            diagnostics: Vec::new(),
            reasoning: None,
        }
    }
}
