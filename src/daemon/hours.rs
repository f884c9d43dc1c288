//! Time as a trigger: when slots of schedules are looked at, and how long nothing is due. What becomes of
//! a slot is decided by `core::automation`. Only a daemon keeps hours: whoever runs a single request by
//! hand does not want everything that is due.

use super::agent::{Agent, Halt};
use crate::core::automation::{next_slot, tick};
use crate::core::journal::Cause;
use crate::store::own_draft;
use crate::time::Timestamp;

/// Since when slots are waited for, and until when there is none.
#[derive(Debug, Default)]
pub(super) struct Hours {
    since: Option<Timestamp>,
    quiet: Option<Quiet>,
}

/// A time in which nothing is due.
#[derive(Clone, Copy, Debug)]
struct Quiet {
    from: Timestamp,
    /// What is due next, if anything is.
    to: Option<Timestamp>,
}

impl Hours {
    /// From now on slots are waited for.
    pub(super) const fn begin(&mut self, now: Timestamp) {
        self.since = Some(now);
    }

    /// The rules may be others.
    pub(super) const fn forget(&mut self) {
        self.quiet = None;
    }

    /// Whether it is known that nothing is due. A clock that was put back is looked at anew.
    fn is_quiet(&self, now: Timestamp) -> bool {
        self.quiet
            .is_some_and(|quiet| quiet.from <= now && quiet.to.is_none_or(|to| now < to))
    }

    /// How long nothing is due yet, in milliseconds; `None` if nothing ever is.
    pub(super) fn left_ms(&self, now: Timestamp) -> Option<u64> {
        let to = self.quiet?.to?;
        Some(now.millis_until(to))
    }
}

impl Agent {
    /// Judges the slots up to now, and opens the runs that are due, each exactly once: whatever becomes
    /// of the process or the clock, a time that has been judged is never judged again.
    pub(super) async fn let_time_pass(&mut self) -> Result<(), Halt> {
        let now = self.clock.now();
        let Some(since) = self.hours.since.filter(|_| !self.hours.is_quiet(now)) else {
            return Ok(());
        };
        let (rules, scope) = (&self.config.rules, &self.config.scope);
        let events = tick(rules, scope.workspace_id, self.store.state(), since, now);
        if !events.is_empty() {
            let draft = own_draft(Cause::plain("schedule"), events, now);
            self.commit(draft).await?;
        }
        self.hours.quiet = Some(Quiet {
            from: now,
            to: next_slot(&self.config.rules, self.store.state(), now),
        });
        Ok(())
    }

    /// Takes up whatever came from outside: requests in the inbox, and times that rules wait for.
    pub(super) async fn take_triggers(&mut self) -> Result<(), Halt> {
        self.take_inbox().await?;
        self.let_time_pass().await
    }
}
