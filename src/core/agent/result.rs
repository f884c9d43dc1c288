//! What one prompt tells the model about the effects of the reply before: `action_result`.
//! Results are data for a reader; they never decide anything.

use crate::failure::Code;
use crate::ids::NoteId;
use serde::{Deserialize, Serialize};

/// The outcome of one instruction, shown in the next prompt and only there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionResult {
    /// The instruction's element name as written.
    pub op: String,
    /// What it aimed at: a key, a title, a query. May be empty.
    pub target: String,
    /// The refusal's code; absent when the instruction was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// One short sentence; empty when the items say everything.
    pub message: String,
    /// Notes found or written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ResultItem>,
}

/// A note as a result shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultItem {
    /// The note.
    pub id: NoteId,
    /// The version shown, which becomes the base of the model's next change.
    pub version: u64,
    /// Its title.
    pub title: String,
    /// Its text, possibly shortened with a visible mark.
    pub text: String,
}
