//! How far the answer is that the loop waits for, told while it arrives: to readers beside the lock each
//! half second, to whoever watches each ten. Real time, as the server takes it. Information only.

use super::command_handler::CommandHandler;
use super::observer::LoopEvent;
use super::status::DaemonStatus;
use crate::core::run::RunState;
use crate::provider::Arrived;
use crate::store::disk::FolderLock;
use std::time::Duration;
use tokio::time::Instant;

/// How often readers are told.
const TICK: Duration = Duration::from_millis(500);

/// How often whoever watches is told.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// The answer that is waited for.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    pub(super) status: &'a mut DaemonStatus,
    pub(super) lock: Option<&'a FolderLock>,
    pub(super) arrived: &'a Arrived,
    /// When it was told last to whoever watches; since the first tick.
    pub(super) shown_at: Option<Instant>,
}

/// Waits for the next moment to tell something.
pub(super) fn tick() -> impl Future<Output = ()> {
    tokio::time::sleep(TICK)
}

impl Progress<'_> {
    /// Whether there is anything to tell: a question is out.
    pub(super) const fn is_due(&self) -> bool {
        self.status.asking.is_some()
    }

    /// Tells how much has arrived.
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
