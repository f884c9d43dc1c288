//! The server that a run asks, as configured.
//! Facts learned from a server hold for the same address and model.

use serde::{Deserialize, Serialize};

/// The address of a run's server, and the model that is configured for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredServer {
    /// The base address.
    pub base_url: String,
    /// The configured name of the model.
    /// Another model is asked where the server does not list this one.
    pub model: String,
}
