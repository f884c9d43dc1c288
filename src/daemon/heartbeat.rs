//! The state of the loop for readers that must never wait for it.
//!
//! It is a snapshot of the loop, its totals since the start, and the time until which it may be
//! silent. The loop writes, others read. No decision depends on it.

use super::clock::monotonic_ms;
use super::service_manager::{ServiceManager, ServiceNotification};
use super::status::DaemonStatus;
use crate::core::agent::{Ending, LoopState};
use crate::core::run::{RunState, Usage};
use crate::failure::Code;
use crate::ids::RunId;
use crate::limits::STEP_MS_MAX;
use crate::store::Store;
use crate::store::journal::Head;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// The state of the loop at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Whether the loop has started, and has not ended.
    pub is_up: bool,
    pub head: Head,
    pub state: LoopState,
    /// The status, which says what the loop does or waits for.
    pub status: DaemonStatus,
    pub running: Option<RunId>,
    pub open_runs: usize,
    pub notes: usize,
    pub ram_keys: usize,
    pub totals: Totals,
}

/// The totals of the loop since the start.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub iterations: u64,
    /// The usage: replies and tokens of models.
    pub usage: Usage,
    pub succeeded: u64,
    pub failed: BTreeMap<Code, u64>,
    /// The reloads that took new files over, and those that did not.
    pub reloads: [u64; 2],
}

impl Default for Snapshot {
    fn default() -> Self {
        Self {
            is_up: false,
            head: Head::START,
            state: LoopState::Planning,
            status: DaemonStatus::default(),
            running: None,
            open_runs: 0,
            notes: 0,
            ram_keys: 0,
            totals: Totals::default(),
        }
    }
}

/// The loop's heartbeat. Clones share one state.
#[derive(Clone, Debug)]
pub struct Heartbeat {
    snapshot: Arc<watch::Sender<Snapshot>>,
    /// The time until which the loop may be silent, in milliseconds of the monotonic clock.
    silent_until_ms: Arc<AtomicU64>,
    manager: Option<ServiceManager>,
}

impl Default for Heartbeat {
    fn default() -> Self {
        Self {
            snapshot: Arc::new(watch::Sender::new(Snapshot::default())),
            silent_until_ms: Arc::new(AtomicU64::new(monotonic_ms().saturating_add(STEP_MS_MAX))),
            manager: None,
        }
    }
}

impl Heartbeat {
    /// Sets the service manager that is notified as well.
    pub fn set_service_manager(&mut self, manager: ServiceManager) {
        self.manager = Some(manager);
    }

    /// Returns the current snapshot.
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot.borrow().clone()
    }

    /// Returns a receiver of each change.
    pub fn changes(&self) -> watch::Receiver<Snapshot> {
        self.snapshot.subscribe()
    }

    /// Returns whether the loop has taken its last step in time.
    pub fn is_in_time(&self) -> bool {
        monotonic_ms() <= self.silent_until_ms.load(Ordering::Relaxed)
    }

    /// Records a step, after which the loop waits for `wait_ms` milliseconds at most.
    pub(super) fn step(&self, wait_ms: u64) {
        let until_ms = monotonic_ms().saturating_add(wait_ms);
        let until_ms = until_ms.saturating_add(STEP_MS_MAX);
        self.silent_until_ms.store(until_ms, Ordering::Relaxed);
    }

    /// Makes the loop seem silent for longer than it may be.
    #[cfg(test)]
    pub(super) fn be_stuck(&self) {
        self.silent_until_ms.store(0, Ordering::Relaxed);
    }

    /// Records that the loop starts; it may be silent for `wait_ms` milliseconds first.
    pub(super) fn is_up(&self, wait_ms: u64) {
        self.step(wait_ms);
        self.snapshot.send_modify(|snapshot| snapshot.is_up = true);
        self.moment(|_| ServiceNotification::Ready);
        self.moment(ServiceNotification::status);
    }

    /// Records that the loop has ended.
    pub(super) fn is_down(&self) {
        self.snapshot.send_modify(|snapshot| snapshot.is_up = false);
        if let Some(manager) = &self.manager {
            manager.notify_and_wait(ServiceNotification::Stopping);
        }
    }

    /// Takes a new snapshot if there was a commit.
    pub(super) fn update_if_committed(&self, store: &Store) {
        if self.snapshot.borrow().head != store.head() {
            self.on_commit(store);
        }
    }

    /// Takes a new snapshot after a commit.
    pub(super) fn on_commit(&self, store: &Store) {
        let state = store.state();
        let next = state.runs.next();
        let running = next.filter(|run| run.state == RunState::Running);
        self.snapshot.send_modify(|snapshot| {
            snapshot.head = store.head();
            let memory = running.map_or(&state.main, |run| state.memory_of(run));
            snapshot.state = memory.ram.state();
            snapshot.running = running.map(|run| run.run_id);
            snapshot.open_runs = state.runs.open_len();
            snapshot.notes = state.notes.len();
            snapshot.ram_keys = state.main.ram.len();
        });
        self.moment(ServiceNotification::status);
    }

    /// Takes over the status of the loop.
    pub(super) fn on_status(&self, status: &DaemonStatus) {
        self.snapshot
            .send_modify(|snapshot| snapshot.status.clone_from(status));
        self.moment(ServiceNotification::status);
    }

    pub(super) fn on_iteration(&self, usage: Usage, ending: Option<Ending>) {
        self.snapshot.send_modify(|snapshot| {
            let totals = &mut snapshot.totals;
            totals.iterations += 1;
            totals.usage.add(usage);
            match ending.map(|ending| ending.error_code) {
                None => {}
                Some(None) => totals.succeeded += 1,
                Some(Some(code)) => *totals.failed.entry(code).or_default() += 1,
            }
        });
    }

    /// Counts a run that ended without an iteration.
    pub(super) fn on_run_end(&self, code: Code) {
        self.snapshot.send_modify(|snapshot| {
            *snapshot.totals.failed.entry(code).or_default() += 1;
        });
    }

    pub(super) fn reloading(&self) {
        self.moment(|_| ServiceNotification::Reloading);
    }

    /// Counts and reports a reload that has ended, well or not.
    pub(super) fn reloaded(&self, well: bool) {
        self.snapshot.send_modify(|snapshot| {
            snapshot.totals.reloads[usize::from(!well)] += 1;
        });
        self.moment(|_| ServiceNotification::Ready);
        if well {
            self.moment(ServiceNotification::status);
        } else {
            self.moment(|_| {
                ServiceNotification::Status(
                    "reload failed; the last good configuration stays".into(),
                )
            });
        }
    }

    fn moment(&self, moment: impl FnOnce(&Snapshot) -> ServiceNotification) {
        if let Some(manager) = &self.manager {
            manager.notify(moment(&self.snapshot.borrow()));
        }
    }
}
