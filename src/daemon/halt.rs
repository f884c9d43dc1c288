//! The reasons why the loop ends, and the patience with servers. Holds no logic.

use crate::failure::Failure;
use crate::store::Error;

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
pub enum Patience {
    /// A daemon waits: a server that is away never fails a run.
    Endless,
    /// A person is waiting: the run fails with an error.
    None,
}
