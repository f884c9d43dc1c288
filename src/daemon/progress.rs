//! The progress of the reply that the loop waits for.
//!
//! It is reported while the reply arrives: to readers beside the lock each half second, to the
//! observer each ten. It takes real time, as the server does. No decision depends on it.

use super::command_handler::CommandHandler;
use super::observer::LoopEvent;
use super::status::DaemonStatus;
use crate::core::run::RunState;
use crate::provider::Arrived;
use crate::store::disk::FolderLock;
use std::time::Duration;
use tokio::time::Instant;

/// The interval of reports to readers.
const TICK: Duration = Duration::from_millis(500);

/// The interval of reports to the observer.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// The progress of the reply that the loop waits for.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    pub(super) status: &'a mut DaemonStatus,
    pub(super) lock: Option<&'a FolderLock>,
    pub(super) arrived: &'a Arrived,
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
