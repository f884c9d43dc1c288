//! The server that a run asks, as the configuration has it: what a server told holds for the same one.

use serde::{Deserialize, Serialize};

/// Where a run's server is, and the model that it was configured to ask there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredServer {
    /// The base address.
    pub base_url: String,
    /// The model's name; the one that was asked may be another, where this is not listed.
    pub model: String,
}
