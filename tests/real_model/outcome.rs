//! What a task came to, as one line of a results file, so that a long run can be cut in pieces.

use crate::Group;
use crate::relay::Counted;
use crate::root::Replies;
use crate::sets::Set;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::Path;

/// Who does the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    /// The program as it is.
    Ours,
    /// The model answers freely, and the whole history is resent.
    History,
}

impl Side {
    pub(crate) const ALL: [Self; 2] = [Self::Ours, Self::History];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::History => "history",
        }
    }
}

/// One call of the model: tokens of the prompt, those of them from the server's cache, and tokens of
/// the answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Call(pub(crate) u64, pub(crate) Option<u64>, pub(crate) u64);

impl From<Counted> for Call {
    fn from(counted: Counted) -> Self {
        Self(counted.tokens, counted.cached, counted.generated)
    }
}

/// What came of one task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) model: String,
    pub(crate) window: u32,
    pub(crate) side: Side,
    #[serde(default)]
    pub(crate) set: Set,
    pub(crate) task: String,
    /// Whether the files, and the answer, show that it was done.
    pub(crate) solved: bool,
    /// Whether the run succeeded, as the daemon sees it.
    pub(crate) succeeded: bool,
    /// Notes that were changed or deleted and were not to be; none where nobody looked.
    #[serde(default)]
    pub(crate) bystanders: Option<u64>,
    /// New notes beyond those asked for; none where nobody looked.
    #[serde(default)]
    pub(crate) superfluous: Option<u64>,
    /// How the run failed.
    pub(crate) error_code: Option<String>,
    pub(crate) iterations: u64,
    pub(crate) calls: Vec<Call>,
    /// Calls of these that came before the server had seen each state of the cycle once.
    pub(crate) first_calls: usize,
    pub(crate) replies: u64,
    pub(crate) strict: u64,
    pub(crate) repaired: u64,
    pub(crate) seconds: u64,
}

impl Outcome {
    /// Whether this is about the same attempt.
    pub(crate) fn is_of(&self, group: &Group, task: &str) -> bool {
        (self.model.as_str(), self.window, self.side, self.set)
            == (group.model.as_str(), group.window, group.side, group.set)
            && self.task == task
    }

    /// Leaves out the replies that earlier runs on the same root had.
    pub(crate) const fn take_off(&mut self, earlier: Replies) {
        self.replies -= earlier.all;
        self.strict -= earlier.strict;
        self.repaired -= earlier.repaired;
    }
}

/// The results that a file holds; none if there is no file.
pub(crate) fn read(path: &Path) -> Vec<Outcome> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Adds a line to a file.
pub(crate) fn append(path: &Path, outcome: &Outcome) {
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path);
    writeln!(file.unwrap(), "{}", serde_json::to_string(outcome).unwrap()).unwrap();
}
