//! Events about the store's upkeep: written views, repairs, and refused input.
//! They inform readers; none of them changes the state.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The digests of the views that a commit writes, by path under the root.
/// An absent digest means that the file is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewsWritten {
    /// The SHA-256 of each file by its path.
    pub files: BTreeMap<String, Option<String>>,
}

/// A torn last line that a start cut off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TailCut {
    /// The segment's name.
    pub segment: String,
    /// The number of bytes that were cut off.
    pub bytes: u64,
    /// The path at which they are kept.
    pub kept_as: String,
}

/// A missing or damaged view that was written again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewRestored {
    /// The path of the file.
    pub path: String,
    /// The reason why it was written again.
    pub reason: String,
    /// The path at which the old bytes are kept, if there were any.
    pub kept_as: Option<String>,
}

impl ViewRestored {
    /// The reason for a file that is missing.
    pub const MISSING: &str = "it was missing";

    /// Returns the restoration of a missing file.
    pub fn missing(path: String) -> Self {
        Self {
            path,
            reason: Self::MISSING.to_owned(),
            kept_as: None,
        }
    }
}

/// An edit that could not be taken in and was kept beside its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditRefused {
    /// The path of the file.
    pub path: String,
    /// The path at which the edit is kept.
    pub kept_as: String,
    /// The reason why it could not be taken in.
    pub reason: String,
}

/// An inbox file that could not be read and was moved to `rejected`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRefused {
    /// The name of the file.
    pub file: String,
    /// The reason why it could not be read.
    pub reason: String,
}
