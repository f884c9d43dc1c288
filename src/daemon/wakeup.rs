//! The wakeups of the loop: each wait is made here, and ends at once on a stop or on damage.
//!
//! Only maps what has happened; the caller decides what follows.

use super::background_verify::BackgroundVerify;
use super::command::{Envelope, next_envelope};
use super::halt::Halt;
use super::progress::tick;
use super::reload::Reload;
use super::rest::FileEvents;
use super::stop::Stop;
use crate::provider::CallFuture;
use tokio::sync::mpsc;

/// An event that wakes the loop.
#[derive(Debug)]
pub(super) enum Wakeup<T> {
    /// The awaited future is ready.
    Ready(T),
    /// A reload was asked for.
    Reload,
    /// A command has come.
    Command(Envelope),
    /// Files may have changed.
    Files,
    /// A report of progress is due.
    Progress,
    /// The time has passed.
    Time,
}

/// The sources of wakeups, beside the awaited future.
pub(super) struct Sources<'a> {
    stop: &'a Stop,
    damage: CallFuture<'static, Halt>,
    pub(super) reload: Option<&'a Reload>,
    pub(super) commands: Option<&'a mut mpsc::Receiver<Envelope>>,
    pub(super) files: Option<&'a mut (dyn FileEvents + Send + 'static)>,
    pub(super) has_progress: bool,
    pub(super) time: Option<CallFuture<'a, ()>>,
}

impl<'a> Sources<'a> {
    /// Makes the sources with only the end and damage.
    pub(super) fn of(stop: &'a Stop, background_verify: &BackgroundVerify) -> Self {
        Self {
            stop,
            damage: Box::pin(background_verify.damage()),
            reload: None,
            commands: None,
            files: None,
            has_progress: false,
            time: None,
        }
    }
}

/// Waits for a future, or for a wakeup before it. Cancel safe where the future is.
///
/// # Errors
/// Where the end is asked for or damage is found.
pub(super) async fn next_wakeup<T>(
    sources: Sources<'_>,
    wanted: impl Future<Output = T>,
) -> Result<Wakeup<T>, Halt> {
    let progress = sources.has_progress.then(tick);
    // Each arm can be dropped at any point: its event is not lost.
    tokio::select! {
        biased;
        () = sources.stop.asked() => Err(Halt::Stopped),
        halt = sources.damage => Err(halt),
        wanted = wanted => Ok(Wakeup::Ready(wanted)),
        () = or_never(sources.reload.map(Reload::asked)) => Ok(Wakeup::Reload),
        envelope = or_never(sources.commands.map(next_envelope)) => Ok(Wakeup::Command(envelope)),
        () = or_never(sources.files.map(FileEvents::changed)) => Ok(Wakeup::Files),
        () = or_never(progress) => Ok(Wakeup::Progress),
        () = or_never(sources.time) => {
            // The time may have been that of the end.
            if sources.stop.is_asked() { Err(Halt::Stopped) } else { Ok(Wakeup::Time) }
        }
    }
}

/// Waits for a future; for ever where there is none.
async fn or_never<T>(wanted: Option<impl Future<Output = T>>) -> T {
    match wanted {
        Some(wanted) => wanted.await,
        None => std::future::pending().await,
    }
}
