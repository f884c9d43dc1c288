//! The end of the loop: its reasons, and a flag that asks for it, seen at every wait.
//!
//! The flag is set once by a signal or a verb. It also shows how far the end has come, so that a
//! report can name what took too long.

use crate::failure::Failure;
use crate::store::Error;
use std::fmt;
use tokio::sync::watch;

/// The reason why the loop ended.
#[derive(Debug)]
pub enum Halt {
    /// The end was asked for. Everything committed stands; an open run goes on at the next start.
    Stopped,
    /// The loop cannot go on.
    Failed(Failure),
    /// An idle run gives way to another one. Never leaves [`Agent::drive`](super::Agent::drive).
    Preempted,
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Whether to wait for a model server that is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutagePolicy {
    /// A daemon waits: a server that is away never fails a run.
    Endless,
    /// A person is waiting: the run fails with an error.
    None,
}

/// The loop's side of the flag.
#[derive(Clone, Debug)]
pub struct Stop {
    receiver: watch::Receiver<bool>,
    left: watch::Sender<ShutdownStage>,
}

/// The side that asks for the end.
#[derive(Clone, Debug)]
pub struct StopHandle {
    sender: watch::Sender<bool>,
    left: watch::Sender<ShutdownStage>,
}

/// The part of an end in good order that is still to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShutdownStage {
    /// The step under way, and everything behind it.
    Step,
    /// The pending writes and the checkpoint.
    Checkpoint,
    LastWord,
}

impl fmt::Display for ShutdownStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Step => "the step under way, and the checkpoint",
            Self::Checkpoint => "the checkpoint",
            Self::LastWord => "only to say so: everything is written",
        })
    }
}

/// Returns both sides of a new flag.
pub fn stop_pair() -> (StopHandle, Stop) {
    let (sender, receiver) = watch::channel(false);
    let left = watch::Sender::new(ShutdownStage::Step);
    let handle = StopHandle {
        sender,
        left: left.clone(),
    };
    (handle, Stop { receiver, left })
}

/// Waits until a flag is set; for ever if nobody can set it any more. Cancel safe.
pub(super) async fn until_set(mut flag: watch::Receiver<bool>) {
    if flag.wait_for(|is_set| *is_set).await.is_err() {
        std::future::pending::<()>().await;
    }
}

impl StopHandle {
    /// Asks for the end. Asking again is harmless.
    pub fn stop(&self) {
        self.sender.send_replace(true);
    }

    /// Waits until anybody asks for the end. Cancel safe.
    pub(super) fn asked(&self) -> impl Future<Output = ()> + use<> {
        until_set(self.sender.subscribe())
    }

    /// Returns the part of the end that is still to do.
    pub(super) fn left(&self) -> ShutdownStage {
        *self.left.borrow()
    }
}

impl Stop {
    /// Returns whether the end was asked for.
    pub fn is_asked(&self) -> bool {
        *self.receiver.borrow()
    }

    /// Records how far the end has come.
    pub(super) fn leave(&self, left: ShutdownStage) {
        self.left.send_replace(left);
    }

    /// Waits until the end is asked for; for ever if nobody can ask any more. Cancel safe.
    pub async fn asked(&self) {
        until_set(self.receiver.clone()).await;
    }
}
