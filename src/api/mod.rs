//! The control interface: HTTP over a socket of the data folder, and over TCP on this machine where that
//! is wanted. Owns forms and manners: who may speak, how large and how slow, which address means what.
//! Knows no business of its own: a service answers what is asked for, or a verb of the command line. Lives
//! on a thread of its own and never makes the loop wait.

mod answer;
mod document;
mod events;
mod gate;
mod listen;
mod metrics;
mod places;
mod problem;
mod request;
mod route;
mod routes;
mod routes_of_rules;
mod undated;

use crate::daemon::{Clock, Heartbeat};
use crate::failure::Failure;
use crate::service::Session;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use listen::{Bounds, Doors, Listening, open};

/// A command line that is answered within the daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Its words, without the program's name.
    pub words: Vec<String>,
    /// What a `-` in it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

/// What a command line came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct CommandOutput {
    /// The exit code that it would have had.
    pub exit: u8,
    /// Data.
    pub stdout: String,
    /// What was said beside it.
    pub talk: Vec<String>,
    /// Why it failed, if it did.
    #[serde(rename = "error")]
    pub failure: Option<Failure>,
}

/// Whoever answers command lines. Blocks the thread that asks.
pub trait Verbs: Send + Sync + 'static {
    /// Answers one.
    fn answer(&self, call: &Call) -> CommandOutput;
}

/// What the interface speaks for.
#[derive(Clone)]
pub struct Control {
    /// How the root is reached for whoever asks.
    pub session: Session,
    /// The loop's heartbeat.
    pub heartbeat: Heartbeat,
    /// The verbs.
    pub verbs: Arc<dyn Verbs>,
    /// Tells whether answers can be dated.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}
