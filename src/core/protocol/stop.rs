//! Where a reply is stopped early, and why. Decides nothing.

use serde::{Deserialize, Serialize};

/// Why the rest of a reply is not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EarlyStop {
    /// Instructions, and then an echo of the question, or prose through half of the room.
    Complete,
    /// The same text over and over.
    Repetition,
    /// One element after the other that is no instruction, or none that is allowed.
    ForeignTag,
    /// Longer than any reply may be.
    TooLong,
}

impl EarlyStop {
    /// The name as it stands in logs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Repetition => "repetition",
            Self::ForeignTag => "foreign_tag",
            Self::TooLong => "too_long",
        }
    }
}

/// The place at which a reply is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopPoint {
    /// Why.
    pub reason: EarlyStop,
    /// The bytes of the text that count, on a character's boundary.
    pub keep_bytes: usize,
    /// Whether the text breaks off inside an instruction.
    pub truncated: bool,
}
