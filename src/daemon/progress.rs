//! How far the answer is that the loop waits for, told while it arrives: to readers beside the lock each
//! half second, to whoever watches each ten. Real time, as the server takes it. Information only.

use super::counter::Counter;
use super::doing::Doing;
use super::watcher::Sight;
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
    pub(super) doing: &'a mut Doing,
    pub(super) lock: Option<&'a FolderLock>,
    pub(super) arrived: &'a Arrived,
    /// When it was told last to whoever watches; since the first tick.
    pub(super) told: Option<Instant>,
}

impl Progress<'_> {
    /// Waits for the next moment to tell something; for ever while no question is out. Cancel safe.
    pub(super) async fn tick(&self) {
        if self.doing.asking.is_none() {
            return std::future::pending().await;
        }
        tokio::time::sleep(TICK).await;
    }

    /// Tells how much has arrived.
    pub(super) fn tell(&mut self, counter: &mut Counter<'_>) {
        let Some(asking) = &mut self.doing.asking else {
            return;
        };
        let before = std::mem::replace(&mut asking.tokens, self.arrived.tokens());
        let has_more = asking.tokens != before;
        if self.told.get_or_insert_with(Instant::now).elapsed() >= SAY_EVERY {
            self.told = Some(Instant::now());
            let open = counter.store.state().runs.open();
            let queued = open.filter(|run| run.state == RunState::Queued);
            counter.watcher.saw(Sight::StillAsking {
                asking,
                waiting: queued.count(),
                now: counter.now,
            });
        }
        if let Some(lock) = self.lock.filter(|_| has_more) {
            self.doing.leave(lock);
        }
    }
}
