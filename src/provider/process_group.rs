//! The process group of a program that we started. Dropping it ends all of the group at once.

use rustix::process::{Pid, Signal, kill_process_group};
use std::time::Duration;
use tokio::process::Child;
use tokio::time::timeout;

/// How long to wait for the last output of a program that has ended. It has written its own by then, and
/// its pipes are closed, unless something that it left behind still holds them. As long is waited for the
/// end of one that has given its result.
pub(super) const LAST_OUTPUT_WAIT: Duration = Duration::from_millis(500);

/// How long a program may take to end that was asked to, before it is made to.
pub(super) const END_GRACE: Duration = Duration::from_millis(500);

/// The group that a child leads; nothing once it has been killed.
#[derive(Debug)]
pub(super) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group of a child that was started as its leader.
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }

    /// Sends a signal to whoever is left of it.
    pub(super) fn signal(&self, signal: Signal) {
        let Some(group) = self.0 else { return };
        // The only failure is that nobody of the group is left, which is what is wanted.
        if let Err(error) = kill_process_group(group, signal) {
            tracing::debug!(%error, "the group of a started program takes no signal");
        }
    }

    /// Asks it to end, and makes whoever of it is left once the child that leads it has ended, or has not
    /// within `grace`. Where this is not waited for to its end, a drop ends it at once.
    pub(super) async fn end(&mut self, leader: &mut Child, grace: Duration) {
        self.signal(Signal::TERM);
        if timeout(grace, leader.wait()).await.is_err() {
            tracing::debug!("a started program that was asked to end is made to");
        }
        self.kill();
    }

    /// Ends it. Its number may be given to others from then on, and is forgotten.
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
