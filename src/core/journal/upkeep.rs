//! What the store tells of itself: the views that it wrote, what it had to mend, and what it could not
//! take in. Facts for readers; none of them changes the state.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The digests of the view files that this commit writes: path under the root to SHA-256. An
/// absent digest means that the file is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewsWritten {
    /// Path and digest.
    pub files: BTreeMap<String, Option<String>>,
}

/// A torn last append was cut off at a start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TailCut {
    /// The segment's name.
    pub segment: String,
    /// How many bytes were cut.
    pub bytes: u64,
    /// Where they are kept.
    pub kept_as: String,
}

/// A view file that was missing or damaged was written again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewRestored {
    /// The file.
    pub path: String,
    /// What was wrong with it.
    pub reason: String,
    /// Where its bytes are kept, if there were any.
    pub kept_as: Option<String>,
}

impl ViewRestored {
    /// What is wrong with a file that is not there.
    pub const MISSING: &str = "it was missing";

    /// A file that was not there was written again.
    pub fn missing(path: String) -> Self {
        Self {
            path,
            reason: Self::MISSING.to_owned(),
            kept_as: None,
        }
    }
}

/// A hand edit that could not be read was put aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditRefused {
    /// The file.
    pub path: String,
    /// Where the edit is kept.
    pub kept_as: String,
    /// What was wrong with it.
    pub reason: String,
}

/// An inbox file that could not be read was put aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRefused {
    /// The file's name.
    pub file: String,
    /// What was wrong with it.
    pub reason: String,
}
