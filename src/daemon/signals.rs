//! Signals, on a thread of their own, so that neither a slow disk nor a long call blocks them.
//!
//! The first asks the loop to end; the second ends the process at once, and so does a deadline,
//! whatever the loop hangs in. Nothing is lost by that: what was acknowledged is in the journal,
//! from which the next start goes on. The listener chooses what a hang-up does.

use super::descriptors::check_for_start;
use super::stop::StopHandle;
use crate::config::read_file;
use crate::failure::{Code, Failure};
use crate::limits::{STOP_DEADLINE_MS, STOP_LINE_MS};
use crate::telemetry::messages;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

/// The time after the first signal from which on the end is no longer waited for.
///
/// It leaves time to report that.
const PATIENCE: Duration = Duration::from_millis(STOP_DEADLINE_MS - STOP_LINE_MS);

/// A function that a hang-up calls: the terminal is closed, or a process sends the signal.
///
/// Without one, a hang-up is the end, as SIGTERM is, unless hang-ups were ignored when the program was
/// started, as with `nohup`.
pub type HangupCall = Box<dyn Fn() + Send>;

/// The time that an end may take once it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShutdownLimit {
    /// [`STOP_DEADLINE_MS`]; then the process ends without it.
    Deadline,
    /// As long as it takes: nothing is held meanwhile, or a person's editor is open.
    AnyTime,
}

/// Listens for SIGTERM, SIGINT and SIGHUP from now on.
///
/// SIGXFSZ is caught as well, so that a file size limit is an error of the write and does not kill
/// the process.
pub fn listen(
    stop: StopHandle,
    within: ShutdownLimit,
    hang_up: Option<HangupCall>,
) -> Result<(), Failure> {
    check_for_start()?;
    let failed = |error: std::io::Error| {
        Failure::new(
            Code::Internal,
            format!("signals cannot be received: {error}"),
        )
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failed)?;
    let guard = runtime.enter();
    let terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let is_deaf = hang_up.is_none() && hang_ups_are_ignored();
    let hung_up = (!is_deaf).then(|| signal(SignalKind::hangup()));
    let hung_up = hung_up.transpose().map_err(failed)?;
    let file_size = signal(SignalKind::from_raw(SIGXFSZ)).map_err(failed)?;
    drop(guard);
    let thread = thread::Builder::new().name("signals".to_owned());
    let listening = thread.spawn(move || {
        let _file_size = file_size;
        let ends = [terminate, interrupt];
        runtime.block_on(wait(ends, (hung_up, hang_up), &stop, within));
    });
    listening.map(drop).map_err(failed)
}

/// The number of SIGXFSZ on Linux.
const SIGXFSZ: i32 = 25;

async fn wait(
    [mut terminate, mut interrupt]: [Signal; 2],
    (mut hung_up, hang_up): (Option<Signal>, Option<HangupCall>),
    stop: &StopHandle,
    within: ShutdownLimit,
) {
    let (mut asked_at, mut is_signalled) = (None, false);
    loop {
        // A signal that comes while another is handled is kept by its stream.
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = next(&mut hung_up) => {
                if let Some(call) = &hang_up {
                    call();
                } else {
                    // Shell and system both report a terminal that closes: that is one signal.
                    is_signalled = true;
                    asked_at.get_or_insert_with(Instant::now);
                    stop.stop();
                }
                continue;
            }
            () = stop.asked(), if asked_at.is_none() => {
                // A stop by a verb has the same time as a signal, but is none.
                asked_at = Some(Instant::now());
                continue;
            }
            () = overdue(asked_at, within) => end_undone(stop),
        }
        if is_signalled {
            end(SECOND_SIGNAL);
        }
        is_signalled = true;
        asked_at.get_or_insert_with(Instant::now);
        stop.stop();
    }
}

/// Waits for a signal; for ever, where it is not listened for. Cancel safe.
async fn next(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// The file with which Linux describes this process, and the line with the signals that it ignores.
const STATUS: (&str, &str) = ("/proc/self/status", "SigIgn:");

/// The most bytes of that file that are read; it has about two thousand.
const STATUS_BYTES_MAX: usize = 64 * 1024;

/// Returns whether this process was started so that hang-ups are ignored.
fn hang_ups_are_ignored() -> bool {
    let (path, line) = STATUS;
    let bytes = read_file(Path::new(path), STATUS_BYTES_MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mask = text.lines().find_map(|it| it.strip_prefix(line));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit stands for the first signal, which is SIGHUP.
    mask.is_some_and(|mask| mask & 1 == 1)
}

/// The exit code that shells report for a program that was interrupted.
const SECOND_SIGNAL: i32 = 130;

/// The exit code for an end in good order that failed.
const UNDONE: i32 = 1;

/// Waits until an end that was asked for takes too long. Cancel safe.
async fn overdue(asked_at: Option<Instant>, within: ShutdownLimit) {
    match (asked_at, within) {
        (Some(at), ShutdownLimit::Deadline) => tokio::time::sleep_until(at + PATIENCE).await,
        (Some(_), ShutdownLimit::AnyTime) | (None, _) => std::future::pending().await,
    }
}

/// Reports what was not done, and ends the process.
///
/// The loop may hang in the log itself, so that the wait for the report is bounded.
fn end_undone(stop: &StopHandle) -> ! {
    let left = stop.left();
    let (said, heard) = mpsc::channel::<()>();
    let line = thread::Builder::new().name("last line".to_owned());
    let saying = line.spawn(move || {
        tracing::error!(
            name: messages::FAILED,
            code = %Code::StopOverdue,
            %left,
            "the stop took longer than {STOP_DEADLINE_MS} ms and is given up; nothing that was \
             acknowledged is lost, and the next start goes on from the journal"
        );
        drop(said);
    });
    if saying.is_ok() {
        // The wait ends in a timeout, or once the line is out: either way there is no more to do.
        heard
            .recv_timeout(Duration::from_millis(STOP_LINE_MS))
            .unwrap_or_default();
    }
    end(UNDONE)
}

#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "a second signal, and a deadline, mean: now"
)]
fn end(code: i32) -> ! {
    std::process::exit(code)
}
