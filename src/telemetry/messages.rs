//! The log events that somebody who looks after a machine waits for, by the names that they have in the
//! code, and the ids under which the journal of systemd finds them. An id never changes, whatever becomes
//! of the words.

/// A daemon begins.
pub const STARTED: &str = "daemon.started";
/// A daemon has ended in good order.
pub const STOPPED: &str = "daemon.stopped";
/// A daemon cannot begin or go on; `CODE` says why.
pub const FAILED: &str = "daemon.failed";
/// New files are in force.
pub const RELOADED: &str = "daemon.reloaded";
/// Something outside has to get better first; `CODE` says what.
pub const WAITING: &str = "daemon.waiting";
/// A run has ended; one that failed has a `CODE`.
pub const RUN_ENDED: &str = "run.ended";

/// The ids of these events.
const IDS: [(&str, &str); 6] = [
    (STARTED, "eef99aec0d164ce38c28a99f5640491b"),
    (STOPPED, "665f0bbd2bf64d5598ea0d993cc69f52"),
    (FAILED, "ae2566f6f0034a46a7722911d44cebe5"),
    (RELOADED, "ed6e42202c034a488ddbdadb58abaa22"),
    (WAITING, "31b5165b41d243b1bd9699b5e2767e62"),
    (RUN_ENDED, "d8831e5cf2814c1882a171f84b35b83b"),
];

/// The id of an event by its name; most have none.
pub(super) fn id_of(name: &str) -> Option<&'static str> {
    let mut ids = IDS.iter();
    ids.find(|(known, _)| *known == name).map(|(_, id)| *id)
}
