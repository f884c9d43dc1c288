//! Ends a daemon: asks it, and waits for its end.
//!
//! Where nobody answers at its socket, SIGTERM is sent to the process that holds the lock, and to
//! no other.

use super::holder::{Holder, holder};
use super::session::Session;
use crate::daemon::{Clock as _, SystemClock};
use crate::failure::{Code, Failure};
use crate::limits::{STOP_BESIDE_MS, STOP_DEADLINE_MS, STOP_LOOK_MS, STOP_WAIT_MS};
use crate::store::connect;
use crate::store::disk::RealDisk;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde::Serialize;
use std::time::Duration;

/// The outcome of a stop.
#[derive(Debug, Serialize)]
pub struct StopOutcome {
    /// The process that held the folder.
    pub process: Option<u32>,
    /// Whether there was a daemon to stop.
    pub stopped: bool,
}

/// Ends the daemon of the root, if one runs. `ask` asks it at its socket.
///
/// # Errors
/// `DATA_LOCKED` where the holder is no daemon or cannot be asked, `DAEMON_BUSY` where the daemon
/// does not end in time.
pub fn stop(
    session: &Session,
    ask: impl FnOnce() -> Result<(), Failure>,
) -> Result<StopOutcome, Failure> {
    let mut disk = session.disk()?;
    let found = holder(&mut disk);
    if let Some(Holder { process, .. }) = found.as_ref().filter(|it| !it.is_daemon()) {
        let message = format!("no daemon runs; process {process} holds the data folder");
        return Err(Failure::new(Code::DataLocked, message));
    }
    let process = found.map(|it| it.process);
    let stopped = process.is_some() || connect(&mut disk).is_ok();
    if stopped {
        match ask() {
            // A lost answer is no failure: the daemon ends meanwhile.
            Err(refused) if refused.code != Code::AnswerLost => {
                let process = process.ok_or(refused)?;
                // A daemon that ends already has closed its socket, and must not get a second
                // signal.
                if !ends_within(&mut disk, process, STOP_BESIDE_MS) {
                    signal(&mut disk, process)?;
                }
            }
            Ok(()) | Err(_) => {}
        }
        wait(&mut disk, process)?;
    }
    Ok(StopOutcome { process, stopped })
}

/// Sends SIGTERM to a process if it still holds the folder.
///
/// That is checked with the process open, so that its id can mean no other process.
fn signal(disk: &mut RealDisk, process: u32) -> Result<(), Failure> {
    let refused = |error: rustix::io::Errno| {
        let message = format!("process {process} cannot be asked to stop: {error}");
        let hint = "Ask as the user that it runs as.";
        Failure::new(Code::DataLocked, message).only_hint(hint)
    };
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    let Some(pid) = pid else { return Ok(()) };
    let opened = match pidfd_open(pid, PidfdFlags::empty()) {
        // It has ended by itself.
        Err(rustix::io::Errno::SRCH) => return Ok(()),
        opened => opened.map_err(refused)?,
    };
    if holds(disk, process) {
        pidfd_send_signal(&opened, Signal::TERM).map_err(refused)?;
    }
    Ok(())
}

fn holds(disk: &mut RealDisk, process: u32) -> bool {
    holder(disk).is_some_and(|it| it.process == process)
}

/// Waits until the daemon no longer holds the folder.
fn wait(disk: &mut RealDisk, process: Option<u32>) -> Result<(), Failure> {
    let is_gone = match process {
        Some(process) => ends_within(disk, process, STOP_WAIT_MS),
        None => comes_within(STOP_WAIT_MS, || connect(disk).is_err()),
    };
    if is_gone {
        return Ok(());
    }
    let name = process.map_or_else(String::new, |process| format!(", process {process},"));
    let message = format!(
        "the daemon{name} was asked to stop and still holds the folder after {STOP_WAIT_MS} ms"
    );
    Err(Failure::new(Code::DaemonBusy, message).only_hint(format!(
        "It ends itself within {STOP_DEADLINE_MS} ms unless the system holds it up; after `kill -9` the \
         next start goes on from the journal."
    )))
}

/// Returns whether a process releases the folder within so many milliseconds.
fn ends_within(disk: &mut RealDisk, process: u32, wait_ms: u64) -> bool {
    comes_within(wait_ms, || !holds(disk, process))
}

/// Returns whether a condition comes true within so many milliseconds.
fn comes_within(wait_ms: u64, mut is_true: impl FnMut() -> bool) -> bool {
    let since = SystemClock.uptime_ms();
    while !is_true() {
        if SystemClock.uptime_ms().saturating_sub(since) >= wait_ms {
            return false;
        }
        std::thread::sleep(Duration::from_millis(STOP_LOOK_MS));
    }
    true
}
