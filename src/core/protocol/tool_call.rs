//! The calls of lkjagent's seven tools. Owns their names and parts, not what they do: paths and
//! texts are the raw strings of the reply.

use serde::Serialize;

/// A call of one of the seven tools, its paths and texts as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum ToolCall {
    /// Store a value.
    Set {
        /// Where.
        #[serde(rename = "target_path")]
        path: String,
        /// JSON or text.
        content: String,
    },
    /// Show a value.
    Get {
        /// Where.
        #[serde(rename = "target_path")]
        path: String,
    },
    /// Remove a value and all below it.
    Rm {
        /// Where.
        #[serde(rename = "target_path")]
        path: String,
    },
    /// Move a value.
    Mv {
        /// From where.
        #[serde(rename = "source_path")]
        source: String,
        /// To where.
        #[serde(rename = "target_path")]
        target: String,
    },
    /// List what stands below a path.
    Ls {
        /// Where.
        #[serde(rename = "target_path")]
        path: String,
    },
    /// Look for words below a path.
    Search {
        /// Where.
        #[serde(rename = "target_path")]
        scope: String,
        /// The words.
        query: String,
    },
    /// Make an empty directory.
    Mkdir {
        /// Where.
        #[serde(rename = "target_path")]
        path: String,
    },
}

/// The seven tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    /// Store a value.
    Set,
    /// Show a value.
    Get,
    /// Remove a value.
    Rm,
    /// Move a value.
    Mv,
    /// List a directory.
    Ls,
    /// Look for words.
    Search,
    /// Make a directory.
    Mkdir,
}

impl ToolKind {
    /// Every tool, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::Set,
        Self::Get,
        Self::Rm,
        Self::Mv,
        Self::Ls,
        Self::Search,
        Self::Mkdir,
    ];

    /// The name as it stands in `<kind>`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Get => "get",
            Self::Rm => "rm",
            Self::Mv => "mv",
            Self::Ls => "ls",
            Self::Search => "search",
            Self::Mkdir => "mkdir",
        }
    }

    /// The tool with that name; names are case-sensitive.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl ToolCall {
    /// The tool that is called.
    pub const fn kind(&self) -> ToolKind {
        match self {
            Self::Set { .. } => ToolKind::Set,
            Self::Get { .. } => ToolKind::Get,
            Self::Rm { .. } => ToolKind::Rm,
            Self::Mv { .. } => ToolKind::Mv,
            Self::Ls { .. } => ToolKind::Ls,
            Self::Search { .. } => ToolKind::Search,
            Self::Mkdir { .. } => ToolKind::Mkdir,
        }
    }

    /// The path that it works on; for a move the one that it takes away.
    pub fn target(&self) -> &str {
        match self {
            Self::Set { path, .. }
            | Self::Get { path }
            | Self::Rm { path }
            | Self::Mv { source: path, .. }
            | Self::Ls { path }
            | Self::Search { scope: path, .. }
            | Self::Mkdir { path } => path,
        }
    }
}
