//! An idle loop: how long it waits for a trigger, and its occasional work.
//!
//! Waits for nothing itself.

use super::engine::Engine;
use super::halt::Halt;
use crate::core::run::{Run, RunState, Trigger};
use crate::limits::RETENTION_EVERY_MS;
use crate::time::Timestamp;

/// The waits of an idle loop, and the time of its last look at old segments.
#[derive(Debug, Default)]
pub(super) struct Idling {
    /// The next wait while there is nothing to do, in milliseconds, if longer than the first.
    pub(super) delay_ms: u64,
    /// The time of the last look for old segments.
    retired_at: Option<Timestamp>,
}

impl Idling {
    /// Makes the next wait longer after a run that nobody asked for, if it changed nothing.
    pub(super) fn take_in(&mut self, run: &Run, delay_ms: u64, most_ms: u64) {
        let is_fruitless = run.trigger != Trigger::Start || run.state == RunState::Failed;
        self.delay_ms = if is_fruitless && !run.progress.changed {
            delay_ms.max(1).saturating_mul(2).min(most_ms)
        } else {
            0
        };
    }

    /// Retires journal segments past their age, once in a while.
    ///
    /// A full disk is no reason to wait: each attempt adds to the journal.
    pub(super) fn retire(&mut self, engine: &mut Engine) -> Result<(), Halt> {
        let now = engine.now();
        let is_due = |last: Timestamp| now >= last.after_millis(RETENTION_EVERY_MS) || now < last;
        if self.retired_at.is_none_or(is_due) {
            let retired = match engine.store.retire(now) {
                Err(error) if error.is_full() => {
                    tracing::warn!(%error, "old journal segments are kept for now");
                    Some(0)
                }
                other => other?,
            };
            engine.status.heartbeat.update_if_committed(&engine.store);
            if retired.is_some() {
                self.retired_at = Some(now);
            }
        }
        Ok(())
    }
}
