//! The control interface: HTTP over a socket of the data folder, and over TCP where configured.
//!
//! Checks who may ask, how much and how slowly, and maps addresses to services and to verbs of the
//! command line, which do the work. Runs on a thread of its own and never makes the loop wait.

mod answer;
mod document;
mod events;
mod gate;
mod listen;
mod metrics;
mod problem;
mod request;
mod routes;
mod slots;

use crate::daemon::{Clock, Heartbeat};
use crate::failure::Failure;
use crate::service::Session;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use listen::{Bounds, ListenConfig, OpenSockets, open};

/// A command line that the daemon answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The words, without the program's name.
    pub words: Vec<String>,
    /// The text that a `-` among the words stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

/// The outcome of a command line.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct CommandOutput {
    /// The exit code that the command would have had.
    pub exit: u8,
    /// The text for standard output.
    pub stdout: String,
    /// The messages beside the data.
    pub talk: Vec<String>,
    /// The failure, if the command failed.
    #[serde(rename = "error")]
    pub failure: Option<Failure>,
}

/// A handler of command lines. Blocks the calling thread.
pub trait Verbs: Send + Sync + 'static {
    /// Answers a command line.
    fn answer(&self, call: &Call) -> CommandOutput;
}

/// The parts of a daemon that the interface gives access to.
#[derive(Clone)]
pub struct Control {
    /// The session in which services are asked.
    pub session: Session,
    /// The loop's heartbeat.
    pub heartbeat: Heartbeat,
    /// The handler of command lines.
    pub verbs: Arc<dyn Verbs>,
    /// The clock that shows whether responses can be dated.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}
