//! Signals, on a thread of their own, so that neither a slow disk nor a long call silences them.
//! The first asks the loop to end; the second ends the process at once, and so does time: whatever the
//! loop hangs in, nobody waits for its end for ever. Nothing is lost by that, since what was
//! acknowledged is in the journal, from which the next start goes on.

use super::descriptors::check_for_start;
use super::stop::StopHandle;
use crate::failure::{Code, Failure};
use crate::limits::{STOP_DEADLINE_MS, STOP_LINE_MS};
use crate::telemetry::messages;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

/// When the end is no longer waited for, counted from the first signal: there is still time to say so.
const PATIENCE: Duration = Duration::from_millis(STOP_DEADLINE_MS - STOP_LINE_MS);

/// What a hang-up asks for.
pub type OnHangUp = Box<dyn Fn() + Send>;

/// How long an end that was asked for may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndsWithin {
    /// [`STOP_DEADLINE_MS`]; then the process ends without it.
    Deadline,
    /// As long as it takes: nothing is held meanwhile, or what is waited for is a person's own.
    AnyTime,
}

/// Listens for SIGTERM, SIGINT and SIGHUP from now on. SIGXFSZ is caught as well, so that a file
/// size limit comes back as an error of the write and not as a death.
pub fn listen(stop: StopHandle, within: EndsWithin, on_hang_up: OnHangUp) -> Result<(), Failure> {
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
    let hang_up = signal(SignalKind::hangup()).map_err(failed)?;
    let file_size = signal(SignalKind::from_raw(SIGXFSZ)).map_err(failed)?;
    drop(guard);
    let thread = thread::Builder::new().name("signals".to_owned());
    let listening = thread.spawn(move || {
        let _file_size = file_size;
        let ends = [terminate, interrupt];
        runtime.block_on(wait(ends, hang_up, &stop, within, &on_hang_up));
    });
    listening.map(drop).map_err(failed)
}

/// The number of SIGXFSZ on Linux.
const SIGXFSZ: i32 = 25;

async fn wait(
    [mut terminate, mut interrupt]: [Signal; 2],
    mut hang_up: Signal,
    stop: &StopHandle,
    within: EndsWithin,
    on_hang_up: &OnHangUp,
) {
    let mut asked_at = None;
    loop {
        // A signal that comes while another is handled is kept by its stream.
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hang_up.recv() => {
                on_hang_up();
                continue;
            }
            () = overdue(asked_at, within) => end_undone(stop),
        }
        if asked_at.is_some() {
            end(SECOND_SIGNAL);
        }
        asked_at = Some(Instant::now());
        stop.stop();
    }
}

/// What shells report for a program that was interrupted.
const SECOND_SIGNAL: i32 = 130;

/// The thing asked for, an end in good order, failed.
const UNDONE: i32 = 1;

/// Waits until an end that was asked for then takes too long. Cancel safe.
async fn overdue(asked_at: Option<Instant>, within: EndsWithin) {
    match (asked_at, within) {
        (Some(at), EndsWithin::Deadline) => tokio::time::sleep_until(at + PATIENCE).await,
        (Some(_), EndsWithin::AnyTime) | (None, _) => std::future::pending().await,
    }
}

/// Says what was not done, and ends. What the loop hangs in may be the log itself, so that is waited
/// for only so long.
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
        // It ends in a timeout, or without a word once the line is said: either way there is no more to do.
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
