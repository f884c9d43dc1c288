//! The status of a daemon for other processes: what it waits for, since when, and how its providers fare.
//! It is written behind the process id in the lock file, so it ends with the daemon. Information only: no
//! decision depends on it.

use super::heartbeat::Heartbeat;
use crate::core::agent::LoopState;
use crate::core::route::ProviderHealth;
use crate::failure::Code;
use crate::ids::RunId;
use crate::plain_text::count;
use crate::provider::Arrived;
use crate::store::disk::FolderLock;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::io;

/// Characters of a message that are published.
const MESSAGE_CHARACTERS_MAX: usize = 300;

/// Characters of a model's name that are published.
const MODEL_CHARACTERS_MAX: usize = 60;

/// Most bytes that are read back of all this.
pub const STATUS_BYTES_MAX: usize = 32 * 1024;

/// What a process holds the folder for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To work for as long as it may.
    #[default]
    Daemon,
    /// One run, or a demonstration.
    Run,
    /// One iteration.
    Once,
    /// A person's change.
    Change,
}

impl Purpose {
    /// Whether this is what is meant where nothing else is said.
    pub const fn is_daemon(&self) -> bool {
        matches!(self, Self::Daemon)
    }

    /// What such a process is called for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Daemon => "a daemon",
            Self::Run => "a `run`",
            Self::Once => "a `once`",
            Self::Change => "a change",
        }
    }
}

/// What a daemon does or waits for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DaemonStatus {
    /// What the folder is held for; not said of a daemon.
    #[serde(default, skip_serializing_if = "Purpose::is_daemon")]
    pub purpose: Purpose,
    /// The question that is out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<Asking>,
    /// Something outside that has to get better: the model server is away, or the disk is full.
    pub waiting: Option<Waiting>,
    /// When the next run that nobody asked for begins.
    pub next_idle_at: Option<Timestamp>,
    /// When a daemon last took over the files that a person writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    /// How the providers fare that it may ask, as of the last time that it told anything.
    #[serde(default)]
    pub providers: Vec<ProviderHealth>,
}

/// A question that is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asking {
    /// The model.
    pub model: String,
    /// The run that it is for.
    pub run_id: Option<RunId>,
    /// The state of its iteration.
    pub state: LoopState,
    /// Since when.
    pub since: Timestamp,
    /// Tokens that have arrived. Of an answer that comes at once none are counted.
    pub tokens: u64,
}

impl Asking {
    /// Returns the question in words, with how many requests wait behind it:
    /// `asking qwen1.5b for 43 s, 12 tokens, 4 waiting`.
    pub fn words(&self, waiting: usize, now: Timestamp) -> String {
        let seconds = self.since.millis_until(now) / 1000;
        let model: String = self.model.chars().take(MODEL_CHARACTERS_MAX).collect();
        let tokens = count(self.tokens, "token");
        let waiting = match waiting {
            0 => String::new(),
            waiting => format!(", {waiting} waiting"),
        };
        format!("asking {model} for {seconds} s, {tokens}{waiting}")
    }
}

/// A wait for something outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// What for.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// Since when.
    pub since: Timestamp,
    /// When it is tried again.
    pub next_attempt_at: Timestamp,
}

/// Publishes what the loop does or waits for.
#[derive(Debug)]
pub(super) struct StatusReporter {
    /// The status that was published last.
    pub(super) status: DaemonStatus,
    /// What others see of the loop.
    pub(super) heartbeat: Heartbeat,
    /// How much has arrived of the answer to the question that is out.
    pub(super) arrived: Arrived,
    /// When the files that a person writes were last taken over.
    pub(super) read_at: Timestamp,
    /// What has to get better outside, and since when, until it is known to be better.
    pub(super) trouble: Option<(Code, Timestamp)>,
    /// Held as long as the agent lives.
    pub(super) lock: Option<FolderLock>,
}

impl StatusReporter {
    /// Publishes a status, unless it is the one published last.
    pub(super) fn publish(&mut self, mut status: DaemonStatus, providers: Vec<ProviderHealth>) {
        status.providers = providers;
        status.purpose = self.status.purpose;
        status.read_at = status.purpose.is_daemon().then_some(self.read_at);
        if status == self.status {
            return;
        }
        self.status = status;
        self.heartbeat.on_status(&self.status);
        let Some(lock) = &self.lock else { return };
        self.status.leave(lock);
    }

    /// Returns the status of a wait for something outside to get better.
    pub(super) fn waiting(
        &mut self,
        code: Code,
        message: &str,
        now: Timestamp,
        delay_ms: u64,
    ) -> DaemonStatus {
        let trouble = self.trouble.filter(|(before, _)| *before == code);
        let (_, since) = *self.trouble.insert(trouble.unwrap_or((code, now)));
        DaemonStatus {
            waiting: Some(Waiting {
                code,
                message: message.chars().take(MESSAGE_CHARACTERS_MAX).collect(),
                since,
                next_attempt_at: now.after_millis(delay_ms),
            }),
            ..DaemonStatus::default()
        }
    }
}

impl DaemonStatus {
    /// What a process that begins says that it is there for.
    pub(super) fn of(purpose: Purpose) -> Self {
        Self {
            purpose,
            ..Self::default()
        }
    }

    /// Leaves this behind the process id in the lock file.
    pub(super) fn leave(&self, lock: &FolderLock) {
        let line = (*self != Self::default()).then(|| serde_json::to_string(self));
        let remarked = line.transpose().map_err(io::Error::other);
        let remarked = remarked.and_then(|line| lock.remark(line.as_deref()));
        if let Err(error) = remarked {
            tracing::debug!(%error, "`status` cannot be told what is waited for");
        }
    }
}
