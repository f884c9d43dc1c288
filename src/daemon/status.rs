//! The status of a daemon for other processes: what it waits for, and its providers' health.
//!
//! It is written behind the process id in the lock file, so it ends with the daemon. While a reply
//! arrives, its progress is reported in real time, as the server takes it: to readers beside the
//! lock each half second, to the observer each ten. No decision depends on it.

use super::command_handler::CommandHandler;
use super::heartbeat::Heartbeat;
use super::observer::LoopEvent;
use crate::core::agent::LoopState;
use crate::core::route::ProviderHealth;
use crate::core::run::RunState;
use crate::failure::Code;
use crate::ids::RunId;
use crate::plain_text::count;
use crate::provider::StreamProgress;
use crate::store::disk::FolderLock;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::io;
use std::time::Duration;
use tokio::time::Instant;

const MESSAGE_CHARACTERS_MAX: usize = 300;

/// The most characters of a model's name that are published.
const MODEL_CHARACTERS_MAX: usize = 60;

/// The most bytes of a status that are read back.
pub const STATUS_BYTES_MAX: usize = 32 * 1024;

/// The purpose for which a process holds the folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A daemon, which works for as long as it may.
    #[default]
    Daemon,
    /// One run, or a demonstration.
    Run,
    Once,
    Change,
}

impl Purpose {
    /// Returns whether this is the default purpose, that of a daemon.
    pub const fn is_daemon(&self) -> bool {
        matches!(self, Self::Daemon)
    }

    /// Returns the name of such a process for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Daemon => "a daemon",
            Self::Run => "a `run`",
            Self::Once => "a `once`",
            Self::Change => "a change",
        }
    }
}

/// The status of a daemon: what it does or waits for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DaemonStatus {
    /// The purpose for which the folder is held; left out for a daemon.
    #[serde(default, skip_serializing_if = "Purpose::is_daemon")]
    pub purpose: Purpose,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<CallStatus>,
    /// The wait for something outside: the model server is away, or the disk is full.
    pub waiting: Option<WaitStatus>,
    /// The time at which the next run that nobody asked for begins.
    pub next_idle_at: Option<Timestamp>,
    /// The time at which a daemon last took over the files that a person writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    /// The health of the providers that it may ask, as of the last report.
    #[serde(default)]
    pub providers: Vec<ProviderHealth>,
}

/// A call that is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallStatus {
    pub model: String,
    pub run_id: Option<RunId>,
    pub state: LoopState,
    /// The start of the call.
    pub since: Timestamp,
    /// The tokens that have arrived; none are counted of a reply that comes at once.
    pub tokens: u64,
}

impl CallStatus {
    /// Returns the call in words, with how many requests wait behind it.
    ///
    /// For example: `asking qwen1.5b for 43 s, 12 tokens, 4 waiting`.
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
pub struct WaitStatus {
    pub code: Code,
    pub message: String,
    /// The start of the trouble.
    pub since: Timestamp,
    pub next_attempt_at: Timestamp,
}

/// The reporter, which publishes what the loop does or waits for.
#[derive(Debug)]
pub(super) struct StatusReporter {
    pub(super) status: DaemonStatus,
    /// The heartbeat, in which others see the loop.
    pub(super) heartbeat: Heartbeat,
    /// The count of what has arrived of the reply under way.
    pub(super) arrived: StreamProgress,
    /// The time at which the files that a person writes were last taken over.
    pub(super) read_at: Timestamp,
    /// The trouble outside, and since when, until it is known to be over.
    pub(super) trouble: Option<(Code, Timestamp)>,
    /// The lock, held as long as the agent lives.
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
            waiting: Some(WaitStatus {
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
    /// Makes the status of a process that begins, with its purpose.
    pub(super) fn of(purpose: Purpose) -> Self {
        Self {
            purpose,
            ..Self::default()
        }
    }

    /// Writes the status behind the process id in the lock file.
    pub(super) fn leave(&self, lock: &FolderLock) {
        let line = (*self != Self::default()).then(|| serde_json::to_string(self));
        let remarked = line.transpose().map_err(io::Error::other);
        let remarked = remarked.and_then(|line| lock.remark(line.as_deref()));
        if let Err(error) = remarked {
            tracing::debug!(%error, "`status` cannot be told what is waited for");
        }
    }
}

/// The interval of reports to readers.
const TICK: Duration = Duration::from_millis(500);

/// The interval of reports to the observer.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// The progress of the reply that the loop waits for.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    pub(super) status: &'a mut DaemonStatus,
    pub(super) lock: Option<&'a FolderLock>,
    pub(super) arrived: &'a StreamProgress,
    /// The time of the last report to the observer; at first, that of the first tick.
    pub(super) shown_at: Option<Instant>,
}

/// Waits until the next report.
pub(super) fn tick() -> impl Future<Output = ()> {
    tokio::time::sleep(TICK)
}

impl Progress<'_> {
    /// Returns whether there is anything to report: a request is out.
    pub(super) const fn is_due(&self) -> bool {
        self.status.asking.is_some()
    }

    /// Reports how much has arrived.
    pub(super) fn report_progress(&mut self, handler: &mut CommandHandler<'_>) {
        let Some(asking) = &mut self.status.asking else {
            return;
        };
        let before = std::mem::replace(&mut asking.tokens, self.arrived.tokens());
        let has_more = asking.tokens != before;
        if self.shown_at.get_or_insert_with(Instant::now).elapsed() >= SAY_EVERY {
            self.shown_at = Some(Instant::now());
            let open = handler.store.state().runs.open();
            let queued = open.filter(|run| run.state == RunState::Queued);
            handler.observer.on_event(LoopEvent::StillAsking {
                asking,
                waiting: queued.count(),
                now: handler.now,
            });
        }
        if let Some(lock) = self.lock.filter(|_| has_more) {
            self.status.leave(lock);
        }
    }
}
