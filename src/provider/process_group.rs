//! The process group of a program that we started. Dropping it ends the whole group at once.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The longest wait for the last output of a program that has ended.
/// It is also the longest wait for the end of one that has given its result.
// A program that has ended has written all its output, and its pipes are closed, unless one of its
// children still holds them.
pub(super) const LAST_OUTPUT_WAIT: Duration = Duration::from_millis(500);

/// The time that a program has to end after it was asked to, before it is killed.
pub(super) const END_GRACE: Duration = Duration::from_millis(500);

/// A program that leads a process group of its own.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) leader: Child,
    /// The id of the group; `None` once it was killed.
    id: Option<Pid>,
}

impl ProcessGroup {
    /// Starts a program as the leader of a new group.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let leader = command.process_group(0).kill_on_drop(true).spawn()?;
        let id = leader.id().and_then(|id| i32::try_from(id).ok());
        Ok(Self {
            leader,
            id: id.and_then(Pid::from_raw),
        })
    }

    /// Sends a signal to the processes that are left in the group.
    fn signal(&self, signal: Signal) {
        let Some(group) = self.id else { return };
        // The only failure is that the group is empty, which is the aim.
        if let Err(error) = kill_process_group(group, signal) {
            tracing::debug!(%error, "the group of a started program takes no signal");
        }
    }

    /// Asks the group to end, and kills the rest once its leader has ended or `grace` is over.
    /// A drop before that kills the group at once.
    pub(super) async fn end(&mut self, grace: Duration) {
        self.signal(Signal::TERM);
        if timeout(grace, self.leader.wait()).await.is_err() {
            tracing::debug!("a started program that was asked to end is made to");
        }
        self.kill();
    }

    /// Kills the group and forgets its id, which the system may reuse.
    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.id = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
