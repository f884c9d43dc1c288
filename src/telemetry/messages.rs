//! The log events that operators wait for, by the names that they have in the code, and the ids
//! under which the journal of systemd finds them. An id never changes, even where the words change.

pub const STARTED: &str = "daemon.started";
pub const STOPPED: &str = "daemon.stopped";
/// A daemon cannot start or go on; `CODE` gives the error.
pub const FAILED: &str = "daemon.failed";
/// A reload has put changed files in force.
pub const RELOADED: &str = "daemon.reloaded";
/// The daemon waits until an outside problem is solved; `CODE` names it.
pub const WAITING: &str = "daemon.waiting";
/// A run has ended; one that failed has a `CODE`.
pub const RUN_ENDED: &str = "run.ended";

const IDS: [(&str, &str); 6] = [
    (STARTED, "eef99aec0d164ce38c28a99f5640491b"),
    (STOPPED, "665f0bbd2bf64d5598ea0d993cc69f52"),
    (FAILED, "ae2566f6f0034a46a7722911d44cebe5"),
    (RELOADED, "ed6e42202c034a488ddbdadb58abaa22"),
    (WAITING, "31b5165b41d243b1bd9699b5e2767e62"),
    (RUN_ENDED, "d8831e5cf2814c1882a171f84b35b83b"),
];

/// Returns the id of an event by its name; most events have none.
pub(super) fn id_of(name: &str) -> Option<&'static str> {
    let mut ids = IDS.iter();
    ids.find(|(known, _)| *known == name).map(|(_, id)| *id)
}
