//! The limit of open files: raised as far as needed and allowed, checked, and shared out.
//!
//! It is checked before anything that would panic without files. Connections never take what the
//! store and the model need.

use crate::failure::{Code, Failure};
use crate::limits::{
    DESCRIPTORS_CONNECTIONS_MIN, DESCRIPTORS_RESERVED, DESCRIPTORS_STARTING, DESCRIPTORS_WANTED,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::os::unix::net::UnixStream;

/// Raises the soft limit as far as is wanted and the hard one allows.
///
/// A system that refuses leaves it as it is.
pub fn raise_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(DESCRIPTORS_WANTED, |most| most.min(DESCRIPTORS_WANTED));
    if current.is_some_and(|current| current < wanted) {
        let raised = Rlimit {
            current: Some(wanted),
            maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::debug!(%error, "the limit of open files stays");
        }
    }
}

/// Checks that a daemon has enough for its store, its model and a few connections.
///
/// # Errors
/// `TOO_MANY_OPEN_FILES` names the limit.
pub fn check_for_daemon() -> Result<(), Failure> {
    let needed = DESCRIPTORS_RESERVED + DESCRIPTORS_CONNECTIONS_MIN;
    match getrlimit(Resource::Nofile).current {
        Some(limit) if limit < needed => {
            let message =
                format!("at most {limit} files may be open here, and a daemon needs {needed}");
            Err(Failure::new(Code::TooManyOpenFiles, message))
        }
        Some(_) | None => check_for_start(),
    }
}

/// Checks that as many files can be opened as the start of a runtime takes: it panics without.
///
/// # Errors
/// `TOO_MANY_OPEN_FILES`, with the system's error.
pub fn check_for_start() -> Result<(), Failure> {
    let pairs = (0..DESCRIPTORS_STARTING / 2).map(|_| UnixStream::pair());
    // All are open at once, and closed together.
    let opened: std::io::Result<Vec<_>> = pairs.collect();
    opened.map(drop).map_err(|error| {
        let message = format!("{DESCRIPTORS_STARTING} more open files are needed: {error}");
        Failure::new(Code::TooManyOpenFiles, message)
    })
}

/// The share of the limit that connections may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The most connections that one of two sockets has open at once.
    pub connections: usize,
    /// The most connections that listen to events, each of which reads the journal.
    pub listeners: usize,
}

impl Share {
    /// Returns the share under the limit in force, with these numbers at most.
    pub fn of_limit(connections_max: usize, listeners_max: usize) -> Self {
        let most = Self {
            connections: connections_max,
            listeners: listeners_max,
        };
        match getrlimit(Resource::Nofile).current {
            Some(limit) => most.within(limit),
            None => most,
        }
    }

    /// Returns the share under a limit of open files, with the numbers of `self` at most.
    fn within(self, limit: u64) -> Self {
        let left = limit.saturating_sub(DESCRIPTORS_RESERVED);
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        Self {
            connections: (left / 2).clamp(1, self.connections),
            listeners: (left / 8).clamp(1, self.listeners),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn connections_share_what_the_store_and_the_model_leave() {
        let most = Share {
            connections: 64,
            listeners: 16,
        };
        for (limit, connections, listeners) in [
            (0, 1, 1),
            (48, 1, 1),
            (52, 2, 1),
            (64, 8, 2),
            (128, 40, 10),
            (256, 64, 16),
            (u64::MAX, 64, 16),
        ] {
            let expected = Share {
                connections,
                listeners,
            };
            assert_eq!(most.within(limit), expected, "{limit}");
        }
    }
}
