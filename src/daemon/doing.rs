//! What a daemon tells of itself to whoever asks from outside: what it waits for, and since when. It
//! stands behind the process id in the lock file, so it ends with the daemon. Information only:
//! nothing is ever decided by it.

use super::agent::Agent;
use crate::failure::Code;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Characters of a message that are told.
const MESSAGE_CHARACTERS_MAX: usize = 300;

/// Most bytes that are read back of all this.
pub const DOING_BYTES_MAX: usize = 4096;

/// What a daemon waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doing {
    /// Something outside that has to get better: the model server is away, or the disk is full.
    pub waiting: Option<Waiting>,
    /// When the next run that nobody asked for begins.
    pub next_idle_at: Option<Timestamp>,
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

impl Agent {
    /// Tells that something outside has to get better.
    pub(super) fn tell_waiting(&mut self, code: Code, message: &str, delay_ms: u64) {
        let now = self.clock.now();
        let before = self.doing.waiting.as_ref();
        let since = before.filter(|waiting| waiting.code == code);
        let since = since.map_or(now, |waiting| waiting.since);
        self.tell(Doing {
            waiting: Some(Waiting {
                code,
                message: message.chars().take(MESSAGE_CHARACTERS_MAX).collect(),
                since,
                next_attempt_at: after(now, delay_ms),
            }),
            next_idle_at: None,
        });
    }

    /// Tells that there is nothing to do for so long.
    pub(super) fn tell_resting(&mut self, delay_ms: Option<u64>) {
        let now = self.clock.now();
        self.tell(Doing {
            waiting: None,
            next_idle_at: delay_ms.map(|delay_ms| after(now, delay_ms)),
        });
    }

    /// Tells that there is nothing to wait for.
    pub(super) fn tell_busy(&mut self) {
        self.tell(Doing::default());
    }

    fn tell(&mut self, doing: Doing) {
        if doing == self.doing {
            return;
        }
        let line = serde_json::to_string(&doing).ok();
        let line = line.filter(|_| doing != Doing::default());
        self.doing = doing;
        if let Some(lock) = &self.lock
            && let Err(error) = lock.remark(line.as_deref())
        {
            tracing::debug!(%error, "`status` cannot be told what is waited for");
        }
    }
}

fn after(now: Timestamp, delay_ms: u64) -> Timestamp {
    now.plus_millis(i64::try_from(delay_ms).unwrap_or(i64::MAX))
}
