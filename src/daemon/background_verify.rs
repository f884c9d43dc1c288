//! Checks, beside the loop, the journal lines that a start did not read.
//!
//! Nothing waits for the result; damage ends the loop like a refused start. The thread only reads.

use super::stop::Halt;
use crate::failure::{Code, Failure};
use crate::store::disk::RealDisk;
use crate::store::{Error, Store, UnverifiedPrefix};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::watch;

/// The longest wait of a stop for the result: enough for some hundred megabytes.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The check, which is due, under way or done.
#[derive(Debug)]
pub(super) struct BackgroundVerify {
    /// A disk for the thread; without one the loop reads the store's own.
    disk: Option<RealDisk>,
    /// The failure, once damage is found.
    found: watch::Sender<Option<Failure>>,
    /// A channel that is disconnected when the thread ends.
    under_way: Option<mpsc::Receiver<()>>,
}

impl BackgroundVerify {
    pub(super) fn new(disk: Option<RealDisk>) -> Self {
        Self {
            disk,
            found: watch::Sender::new(None),
            under_way: None,
        }
    }

    /// Begins the check, if it has not begun yet.
    pub(super) fn begin(&mut self, store: &mut Store) {
        let Some(unverified_prefix) = store.take_unverified_prefix() else {
            return;
        };
        let Some(disk) = self.disk.take() else {
            store_outcome(&self.found, store.verify_prefix(unverified_prefix));
            return;
        };
        if let Err(error) = self.begin_beside(disk, unverified_prefix) {
            // There is no memory for a thread: the next start tries again.
            tracing::warn!(%error, "older journal lines are not checked");
        }
    }

    fn begin_beside(
        &mut self,
        mut disk: RealDisk,
        unverified_prefix: UnverifiedPrefix,
    ) -> std::io::Result<()> {
        let (ended, under_way) = mpsc::channel::<()>();
        let found = self.found.clone();
        let thread = thread::Builder::new().name("survey".to_owned());
        thread.spawn(move || {
            store_outcome(&found, unverified_prefix.check(&mut disk));
            drop(ended);
        })?;
        self.under_way = Some(under_way);
        Ok(())
    }

    /// Fails once damage is known.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let found = self.found.borrow();
        found
            .as_ref()
            .map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Waits for damage; for ever where there is none. Cancel safe.
    pub(super) fn damage(&self) -> impl Future<Output = Halt> + use<> {
        let mut found = self.found.subscribe();
        async move {
            if let Ok(found) = found.wait_for(Option::is_some).await
                && let Some(failure) = found.as_ref()
            {
                return Halt::Failed(failure.clone());
            }
            std::future::pending().await
        }
    }

    /// Waits a moment for a check that is under way, and fails if damage is known.
    pub(super) fn conclude(&self) -> Result<(), Failure> {
        if let Some(under_way) = &self.under_way
            && under_way.recv_timeout(LAST_WAIT) == Err(mpsc::RecvTimeoutError::Timeout)
        {
            tracing::debug!("stopped before the older journal lines were checked");
        }
        self.check()
    }
}

fn store_outcome(found: &watch::Sender<Option<Failure>>, checked: Result<(), Error>) {
    if let Err(error) = checked {
        found.send_replace(Some(error.into()));
    }
}

/// Opens a second disk for the check, on the same folder.
pub(super) fn reader(disk: &RealDisk) -> Result<RealDisk, Failure> {
    RealDisk::open(disk.path(), false).map_err(|error| {
        let message = format!("cannot open {}: {error}", disk.path().display());
        Failure::new(Code::DiskError, message)
    })
}
