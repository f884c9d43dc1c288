//! What wakes the loop: whatever it waits for, it waits here, and stops at once where the end is asked for or
//! damage is found. Only maps what has happened; whoever waits decides what comes of it.

use super::background_verify::BackgroundVerify;
use super::command::{Envelope, next_envelope};
use super::halt::Halt;
use super::progress::tick;
use super::reload::Reload;
use super::rest::FileEvents;
use super::stop::Stop;
use crate::provider::CallFuture;
use tokio::sync::mpsc;

/// What wakes the loop.
#[derive(Debug)]
pub(super) enum Wakeup<T> {
    /// What is waited for has come.
    Ready(T),
    /// The files of the configuration are to be read again.
    Reload,
    /// A command has come.
    Command(Envelope),
    /// Files may have changed.
    Files,
    /// How far the answer is, is to be reported.
    Progress,
    /// The time has passed.
    Time,
}

/// What may wake the loop, beside what it waits for.
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
    /// Only the end and damage.
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

/// Waits for what is wanted, or for what wakes the loop before it. Cancel safe where what is wanted is.
///
/// # Errors
/// Where the end is asked for or damage is found.
pub(super) async fn next_wakeup<T>(
    sources: Sources<'_>,
    wanted: impl Future<Output = T>,
) -> Result<Wakeup<T>, Halt> {
    let progress = sources.has_progress.then(tick);
    // Each arm can be dropped at any point: what has happened is still there.
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

/// Waits for something that may never come.
async fn or_never<T>(wanted: Option<impl Future<Output = T>>) -> T {
    match wanted {
        Some(wanted) => wanted.await,
        None => std::future::pending().await,
    }
}
