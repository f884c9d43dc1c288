//! The process group of a program that we started. Dropping it ends the whole group at once.

use rustix::process::{Pid, Signal, kill_process_group};
use std::time::Duration;
use tokio::process::Child;
use tokio::time::timeout;

/// The longest wait for the last output of a program that has ended.
/// It is also the longest wait for the end of one that has given its result.
// A program that has ended has written all its output, and its pipes are closed, unless one of its
// children still holds them.
pub(super) const LAST_OUTPUT_WAIT: Duration = Duration::from_millis(500);

/// The time that a program has to end after it was asked to, before it is killed.
pub(super) const END_GRACE: Duration = Duration::from_millis(500);

/// The group that a child leads; `None` once it was killed.
#[derive(Debug)]
pub(super) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// Returns the group of a child that was started as its leader.
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }

    /// Sends a signal to the processes that are left in the group.
    pub(super) fn signal(&self, signal: Signal) {
        let Some(group) = self.0 else { return };
        // The only failure is that the group is empty, which is the aim.
        if let Err(error) = kill_process_group(group, signal) {
            tracing::debug!(%error, "the group of a started program takes no signal");
        }
    }

    /// Asks the group to end, and kills the rest once its leader has ended or `grace` is over.
    /// A drop before that kills the group at once.
    pub(super) async fn end(&mut self, leader: &mut Child, grace: Duration) {
        self.signal(Signal::TERM);
        if timeout(grace, leader.wait()).await.is_err() {
            tracing::debug!("a started program that was asked to end is made to");
        }
        self.kill();
    }

    /// Kills the group and forgets its id, which the system may reuse.
    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
