//! Notifies a service manager, such as systemd: ready, reloading, stopping, status, and watchdog.
//!
//! A thread of its own sends, so that a manager that does not listen blocks nothing. It pings the
//! watchdog only while the loop takes its steps in time.

use super::heartbeat::{Heartbeat, Snapshot};
use sd_notify::NotifyState;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The longest wait of the program's end for its last notification.
const LAST_WORD: Duration = Duration::from_secs(1);

/// The interval at which the thread wakes without a watchdog: hardly ever.
const NO_WATCHDOG: Duration = Duration::from_hours(24);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServiceNotification {
    /// The start, or a reload, is done.
    Ready,
    Status(String),
    /// Files are being read again.
    Reloading,
    Stopping,
}

impl ServiceNotification {
    pub(super) fn status(snapshot: &Snapshot) -> Self {
        let (open_runs, status) = (snapshot.open_runs, &snapshot.status);
        Self::Status(
            match (&status.waiting, snapshot.running, status.next_idle_at) {
                (Some(waiting), ..) => {
                    let (code, next) = (waiting.code, waiting.next_attempt_at);
                    format!("waiting ({code}), next attempt {next}; {open_runs} open")
                }
                (None, Some(run_id), _) => {
                    format!("run {run_id}: {}; {open_runs} open", snapshot.state)
                }
                (None, None, Some(at)) => format!("idle until {at}"),
                (None, None, None) => "idle".to_owned(),
            },
        )
    }
}

/// The sender to the thread that notifies the manager.
#[derive(Clone, Debug)]
pub struct ServiceManager {
    moments: Sender<QueuedNotification>,
}

/// A moment, and the channel on which to confirm that it was sent.
type QueuedNotification = (ServiceNotification, Option<Sender<()>>);

impl ServiceManager {
    /// Starts to notify the manager that the environment names, with the heartbeat of the loop.
    ///
    /// Returns `None` where no thread can be had.
    pub fn of(heartbeat: &Heartbeat) -> Option<Self> {
        let (moments, received) = channel();
        let heartbeat = heartbeat.clone();
        let thread = thread::Builder::new().name("service manager".to_owned());
        match thread.spawn(move || {
            speak(
                &received,
                &heartbeat,
                sd_notify::watchdog_enabled(),
                &mut send,
            );
        }) {
            Ok(_) => Some(Self { moments }),
            Err(error) => {
                tracing::warn!(%error, "the service manager is not told anything");
                None
            }
        }
    }

    pub(super) fn notify(&self, moment: ServiceNotification) {
        // The thread lives as long as it has a sender.
        self.moments.send((moment, None)).unwrap_or_default();
    }

    /// Sends a moment before the program ends, and waits a little until it is out.
    pub(super) fn notify_and_wait(&self, moment: ServiceNotification) {
        let (said, heard) = channel();
        self.moments.send((moment, Some(said))).unwrap_or_default();
        heard.recv_timeout(LAST_WORD).unwrap_or_default();
    }
}

/// Sends each moment once, and pings twice in each period of the watchdog.
fn speak(
    received: &Receiver<QueuedNotification>,
    heartbeat: &Heartbeat,
    watchdog: Option<Duration>,
    send: &mut dyn FnMut(&[NotifyState<'_>]),
) {
    let every = watchdog.map_or(NO_WATCHDOG, |period| period / 2);
    let mut last_status = None;
    loop {
        match received.recv_timeout(every) {
            Ok((ServiceNotification::Status(line), _)) if last_status.as_ref() == Some(&line) => {}
            Ok((moment, heard)) => {
                say(&moment, send);
                if let Some(heard) = heard {
                    heard.send(()).unwrap_or_default();
                }
                if let ServiceNotification::Status(line) = moment {
                    last_status = Some(line);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if watchdog.is_some() && heartbeat.is_in_time() {
            send(&[NotifyState::Watchdog]);
        }
    }
}

fn say(moment: &ServiceNotification, send: &mut dyn FnMut(&[NotifyState<'_>])) {
    match moment {
        ServiceNotification::Ready => send(&[NotifyState::Ready]),
        ServiceNotification::Stopping => send(&[NotifyState::Stopping]),
        ServiceNotification::Status(line) => send(&[NotifyState::Status(line)]),
        // In one message, as the manager requires.
        ServiceNotification::Reloading => match NotifyState::monotonic_usec_now() {
            Ok(now) => send(&[NotifyState::Reloading, now]),
            Err(error) => tracing::debug!(%error, "the time of a reload is not told"),
        },
    }
}

fn send(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::debug!(%error, "the service manager cannot be told");
    }
}

#[cfg(test)]
mod tests {
    use super::super::heartbeat::Heartbeat;
    use super::{ServiceNotification, speak};
    use sd_notify::NotifyState;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// Returns how many messages one moment causes with this heartbeat, and whether one is a ping.
    fn heard(heartbeat: &Heartbeat, watchdog: Option<Duration>) -> (usize, bool) {
        let (moments, received) = channel();
        moments
            .send((ServiceNotification::Status("here".into()), None))
            .unwrap();
        drop(moments);
        let (mut said, mut pinged) = (0, false);
        speak(&received, heartbeat, watchdog, &mut |states| {
            said += 1;
            pinged |= matches!(states, [NotifyState::Watchdog]);
        });
        (said, pinged)
    }

    #[test]
    fn a_loop_that_is_stuck_stops_the_pings_of_the_watchdog_until_it_takes_a_step() {
        let heartbeat = Heartbeat::default();
        let watchdog = Some(Duration::from_hours(1));
        assert_eq!(heard(&heartbeat, watchdog), (2, true));
        heartbeat.be_stuck();
        // A status is sent all the same.
        assert_eq!(heard(&heartbeat, watchdog), (1, false));
        heartbeat.step(0);
        assert_eq!(heard(&heartbeat, watchdog), (2, true));
        assert_eq!(heard(&heartbeat, None), (1, false));
    }
}
