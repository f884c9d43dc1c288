//! The ids of the program: newtypes over UUIDs, so that a run can never be passed where a note is
//! meant. Pure: ids are derived from other ids or passed in by the caller, never generated here.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

macro_rules! uuid_newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text.trim()).map(Self)
            }
        }
    };
}

uuid_newtype!(
    /// The id of a note: a UUIDv7, sortable by the time of creation.
    NoteId
);
uuid_newtype!(
    /// The id of a workspace, whose bounds notes and writes never cross.
    WorkspaceId
);
uuid_newtype!(
    /// The id of a run, always derived; see [`RunId::derive`].
    RunId
);
uuid_newtype!(
    /// The id of an automation rule.
    RuleId
);

/// The id of an agent other than the main one: 1 to 50 letters, digits, `_` and `-`, all ASCII.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(String);

impl AgentId {
    /// The maximum length of an agent id.
    pub const CHARS_MAX: usize = 50;

    /// Returns the id that a text names, or `None` if the text is no agent id.
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let fits = (1..=Self::CHARS_MAX).contains(&text.len());
        (fits && text.bytes().all(is_allowed)).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of the event that opens a run.
/// Two triggers with the same event id are the same trigger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(pub String);

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl NoteId {
    /// The id that comes before every other.
    pub const FIRST: Self = Self(Uuid::nil());
}

impl RunId {
    /// Returns the id of the run that `event` opens without a rule: `UUIDv5(workspace, event id)`.
    // The same trigger always names the same run, which makes runs idempotent.
    pub fn derive(workspace: WorkspaceId, event: &EventId) -> Self {
        Self(Uuid::new_v5(&workspace.0, event.0.as_bytes()))
    }

    /// Returns the id of the run that `event` opens by a rule: `UUIDv5(rule, event id)`.
    pub fn of_rule(rule: RuleId, event: &EventId) -> Self {
        Self(Uuid::new_v5(&rule.0, event.0.as_bytes()))
    }
}

/// A source of new note ids.
/// The daemon generates them; a simulation counts.
pub trait IdSource: fmt::Debug {
    /// Returns a note id that was never returned before, later than those before it.
    fn next_note_id(&mut self) -> NoteId;
}
