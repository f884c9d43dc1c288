//! What the loop tells of itself while it lives, for whoever must never wait for it: where it stands,
//! what it has done since the start, and until when nothing need be heard of it. The loop writes, others
//! read. Information only: nothing is ever decided by it.

use super::agent::Agent;
use super::clock::monotonic_ms;
use super::doing::Doing;
use super::service_manager::{Moment, ServiceManager};
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

/// Where the loop stands.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Whether it has begun to live, and has not ended.
    pub is_up: bool,
    /// The last commit.
    pub head: Head,
    /// The state.
    pub state: LoopState,
    /// What it waits for.
    pub doing: Doing,
    /// The run under way.
    pub running: Option<RunId>,
    /// Runs that have not ended.
    pub open_runs: usize,
    /// Notes.
    pub notes: usize,
    /// Keys of RAM.
    pub ram_keys: usize,
    /// What was done since the start.
    pub totals: Totals,
}

/// What was done since the start.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Iterations committed.
    pub iterations: u64,
    /// Replies and tokens of models.
    pub usage: Usage,
    /// Runs that ended well.
    pub succeeded: u64,
    /// Runs that failed, by error code.
    pub failed: BTreeMap<Code, u64>,
    /// Reloads that took new files over, and those that did not.
    pub reloads: [u64; 2],
}

impl Default for Standing {
    fn default() -> Self {
        Self {
            is_up: false,
            head: Head::START,
            state: LoopState::Planning,
            doing: Doing::default(),
            running: None,
            open_runs: 0,
            notes: 0,
            ram_keys: 0,
            totals: Totals::default(),
        }
    }
}

/// The loop's pulse. Copies are the same one.
#[derive(Clone, Debug)]
pub struct Pulse {
    standing: Arc<watch::Sender<Standing>>,
    /// Until when the loop may be silent, in milliseconds of the monotonic clock.
    silent_until_ms: Arc<AtomicU64>,
    manager: Option<ServiceManager>,
}

impl Default for Pulse {
    fn default() -> Self {
        Self {
            standing: Arc::new(watch::Sender::new(Standing::default())),
            silent_until_ms: Arc::new(AtomicU64::new(monotonic_ms().saturating_add(STEP_MS_MAX))),
            manager: None,
        }
    }
}

impl Pulse {
    /// Has a service manager told as well.
    pub fn tell(&mut self, manager: ServiceManager) {
        self.manager = Some(manager);
    }

    /// Where the loop stands.
    pub fn standing(&self) -> Standing {
        self.standing.borrow().clone()
    }

    /// Tells of each change of it.
    pub fn changes(&self) -> watch::Receiver<Standing> {
        self.standing.subscribe()
    }

    /// Whether the loop has made its last step in time.
    pub fn is_in_time(&self) -> bool {
        monotonic_ms() <= self.silent_until_ms.load(Ordering::Relaxed)
    }

    /// The loop takes a step, after which it will wait for so long at most.
    pub(super) fn step(&self, wait_ms: u64) {
        let until_ms = monotonic_ms().saturating_add(wait_ms);
        let until_ms = until_ms.saturating_add(STEP_MS_MAX);
        self.silent_until_ms.store(until_ms, Ordering::Relaxed);
    }

    /// The loop has been silent for longer than it may.
    #[cfg(test)]
    pub(super) fn be_stuck(&self) {
        self.silent_until_ms.store(0, Ordering::Relaxed);
    }

    /// The loop begins to live, and may be silent for so long first.
    pub(super) fn is_up(&self, wait_ms: u64) {
        self.step(wait_ms);
        self.standing.send_modify(|standing| standing.is_up = true);
        self.moment(|_| Moment::Ready);
        self.moment(Moment::status);
    }

    /// The loop has ended.
    pub(super) fn is_down(&self) {
        self.standing.send_modify(|standing| standing.is_up = false);
        if let Some(manager) = &self.manager {
            manager.tell_last(Moment::Stopping);
        }
    }

    /// There may have been commits.
    pub(super) fn saw_any(&self, store: &Store) {
        if self.standing.borrow().head != store.head() {
            self.saw(store);
        }
    }

    /// There was a commit.
    pub(super) fn saw(&self, store: &Store) {
        let state = store.state();
        let next = state.runs.next();
        let running = next.filter(|run| run.state == RunState::Running);
        self.standing.send_modify(|standing| {
            standing.head = store.head();
            standing.state = state.ram.state();
            standing.running = running.map(|run| run.run_id);
            standing.open_runs = state.runs.open_len();
            standing.notes = state.notes.len();
            standing.ram_keys = state.ram.len();
        });
        self.moment(Moment::status);
    }

    /// The loop waits for something, or no longer does.
    pub(super) fn saw_doing(&self, doing: &Doing) {
        self.standing
            .send_modify(|standing| standing.doing.clone_from(doing));
        self.moment(Moment::status);
    }

    /// An iteration was committed.
    pub(super) fn saw_iteration(&self, usage: Usage, ending: Option<Ending>) {
        self.standing.send_modify(|standing| {
            let totals = &mut standing.totals;
            totals.iterations += 1;
            totals.usage.add(usage);
            match ending.map(|ending| ending.error_code) {
                None => {}
                Some(None) => totals.succeeded += 1,
                Some(Some(code)) => *totals.failed.entry(code).or_default() += 1,
            }
        });
    }

    /// A run has ended without an iteration.
    pub(super) fn saw_end(&self, code: Code) {
        self.standing.send_modify(|standing| {
            *standing.totals.failed.entry(code).or_default() += 1;
        });
    }

    /// A reload begins.
    pub(super) fn reloading(&self) {
        self.moment(|_| Moment::Reloading);
    }

    /// A reload has ended, well or not.
    pub(super) fn reloaded(&self, well: bool) {
        self.standing.send_modify(|standing| {
            standing.totals.reloads[usize::from(!well)] += 1;
        });
        self.moment(|_| Moment::Ready);
        if well {
            self.moment(Moment::status);
        } else {
            self.moment(|_| {
                Moment::Status("reload failed; the last good configuration stays".into())
            });
        }
    }

    fn moment(&self, moment: impl FnOnce(&Standing) -> Moment) {
        if let Some(manager) = &self.manager {
            manager.tell(moment(&self.standing.borrow()));
        }
    }
}

impl Agent {
    /// Has the agent tell of itself through this pulse, from now on. It may wait so long before it
    /// begins to live, in milliseconds.
    pub fn tell_by(&mut self, pulse: Pulse, wait_ms: u64) {
        pulse.saw(&self.store);
        pulse.is_up(wait_ms);
        self.pulse = pulse;
    }

    /// Tells that the end has begun.
    pub fn tell_end(&self) {
        self.pulse.is_down();
    }
}
