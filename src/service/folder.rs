//! Holds the data folder, and waits a moment for another holder.
//!
//! A change takes hardly any time, and a daemon that starts can soon be given a command.

use super::holder::holder;
use super::session::Session;
use crate::daemon::{self, Clock as _, LockedRoot, Purpose, SystemClock};
use crate::failure::{Code, Failure};
use crate::limits::{FOLDER_LOOK_MS_MAX, FOLDER_WAIT_MS, FOLDER_WORD_MS};
use crate::store::connect;
use std::time::Duration;

/// Holds the folder, and waits for it as long as a change may take.
///
/// # Errors
/// `DATA_LOCKED` at once where a daemon answers at its socket, else after [`FOLDER_WAIT_MS`].
pub fn hold(session: &Session, purpose: Purpose) -> Result<LockedRoot, Failure> {
    let mut wait = FolderWait::begin(session);
    loop {
        match daemon::hold_for(session.root(), purpose) {
            Err(refused) if refused.code == Code::DataLocked => wait.go_on(refused)?,
            held => return held,
        }
    }
}

/// Waits until nobody holds the folder, or a daemon does that answers at its socket.
///
/// # Errors
/// `DATA_LOCKED` where neither comes in time.
pub fn check_reachable(session: &Session) -> Result<(), Failure> {
    let mut wait = FolderWait::begin(session);
    loop {
        let mut disk = session.disk()?;
        match holder(&mut disk) {
            Some(holder) if connect(&mut disk).is_err() => {
                let process = holder.process;
                let message = format!("process {process} holds the data folder");
                wait.go_on(Failure::new(Code::DataLocked, message))?;
            }
            Some(_) | None => return Ok(()),
        }
    }
}

/// A wait for the folder. All waits of one command line share the bound.
#[derive(Debug)]
struct FolderWait<'a> {
    session: &'a Session,
    pause_ms: u64,
    has_reported: bool,
}

impl<'a> FolderWait<'a> {
    const fn begin(session: &'a Session) -> Self {
        Self {
            session,
            pause_ms: 1,
            has_reported: false,
        }
    }

    /// Lets a moment pass.
    ///
    /// # Errors
    /// The refusal, where a longer wait is of no use: a daemon answers or has no socket, or the
    /// time is over.
    fn go_on(&mut self, refused: Failure) -> Result<(), Failure> {
        let now = SystemClock.uptime_ms();
        let since = *self.session.waits_since.get_or_init(|| now);
        let waited = now.saturating_sub(since);
        let session = self.session;
        let is_answered = || {
            session
                .disk()
                .is_ok_and(|mut disk| connect(&mut disk).is_ok())
        };
        if waited >= FOLDER_WAIT_MS || is_answered() {
            return Err(refused);
        }
        if waited >= FOLDER_WORD_MS && !self.has_reported {
            if self.is_deaf() {
                return Err(refused);
            }
            self.session
                .inform(&format!("waiting: {}", refused.message));
            self.has_reported = true;
        }
        std::thread::sleep(Duration::from_millis(self.pause_ms));
        self.pause_ms = (2 * self.pause_ms).min(FOLDER_LOOK_MS_MAX);
        Ok(())
    }

    /// Returns whether the holder is a daemon that started without a socket, and never has one.
    fn is_deaf(&self) -> bool {
        let disk = self.session.disk().ok();
        let holder = disk.and_then(|mut disk| holder(&mut disk));
        holder.is_some_and(|it| it.is_daemon() && it.status.read_at.is_some())
    }
}
