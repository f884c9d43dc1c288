//! A long note.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Sessions in the long note.
const SESSIONS: usize = 83;

/// Returns the log of somebody who builds a model locomotive, one line a session, no two of them alike.
pub(super) fn build_log() -> String {
    const PARTS: [&str; 8] = [
        "left cylinder",
        "smokebox door",
        "coupling rods",
        "tender frame",
        "axle boxes",
        "regulator handle",
        "cab roof",
        "front buffers",
    ];
    const REMARKS: [&str; 9] = [
        "broke a tap",
        "nothing fitted",
        "ran out of flux",
        "filed until supper",
        "the lathe chattered",
        "made a jig for it",
        "a shade too tight",
        "had to start afresh",
        "looks well",
    ];
    let line = |session: usize| match session {
        17 => "Session 17: the gudgeon pin turned up in the bag of the vacuum cleaner.".to_owned(),
        41 => {
            "Session 41: hydraulic test, held 6.5 bar for half an hour, all stays dry.".to_owned()
        }
        68 => "Session 68: Leopold from next door blew the whistle for the first time.".to_owned(),
        _ => format!(
            "Session {session}: {}, {} minutes, {}.",
            PARTS[session * 3 % PARTS.len()],
            35 + session * 11 % 90,
            REMARKS[session * 5 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=SESSIONS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-build-log-pressure",
            "build log, session 41, the hydraulic test: it held 8.5 bar, not 6.5. fix that pls, the club inspector will \
             want to see it",
            Expected::default()
                .change(
                    "Build log",
                    &[
                        "session 41&hydraulic&8.5&half an hour|session 41&hydraulic&8,5&half an hour",
                        "session 41&stays dry",
                        "session 17&gudgeon pin",
                        "session 68&whistle",
                        "session 83",
                    ],
                )
                .lacking(&["6.5|6,5"]),
        )
        .note("Build log", "model engineering", &build_log())
        .note(
            "Compressor",
            "workshop",
            "6.5 bar at most, drain the tank after each session. The belt squeals.",
        )
        .solved_by(&[Edit::Replace("Build log", "6.5 bar", "8.5 bar")]),
    ]
}
