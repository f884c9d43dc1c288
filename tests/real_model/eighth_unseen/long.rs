//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Runs of the long note.
const RUNS: usize = 78;

/// Returns a log of runs, one line each, no two of them alike.
pub(super) fn running_log() -> String {
    const ROUTES: [&str; 7] = [
        "along the canal",
        "round the reservoir",
        "through the orchards",
        "on the track",
        "up to the water tower",
        "by the railway",
        "on the heath",
    ];
    const REMARKS: [&str; 8] = [
        "legs heavy",
        "headwind all the way",
        "easy pace",
        "met two deer",
        "drizzle",
        "too much breakfast",
        "last kilometre fast",
        "nothing to report",
    ];
    let line = |run: usize| match run {
        12 => "Run 12: 9 km with Bettina round the reservoir, she was faster.".to_owned(),
        31 => "Run 31: 14.6 km with Oyelaran, to the windmill and back.".to_owned(),
        58 => "Run 58: turned back at the quarry, twisted my left ankle.".to_owned(),
        _ => format!(
            "Run {run}: {} km {}, {}.",
            5 + run * 5 % 8,
            ROUTES[run * 3 % ROUTES.len()],
            REMARKS[run * 5 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=RUNS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "log-distance",
            "in my running log, run 31 was 16.4 km, i mixed up the digits there",
            Expected::default()
                .change(
                    "Running log",
                    &[
                        "run 31&16.4&oyelaran|run 31&16,4&oyelaran",
                        "run 31&windmill",
                        "run 58&quarry",
                        "run 78",
                    ],
                )
                .lacking(&["14.6", "14,6"]),
        )
        .note("Running log", "running", &running_log())
        .note(
            "Running shoes",
            "running",
            "Size 44, to be replaced after 800 km.",
        )
        .solved_by(&[Edit::Replace("Running log", "14.6", "16.4")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-hardware",
            "oh and from the hardware shop I also need a paint roller and two hinges, add those",
            Expected::default().change(
                "Hardware shop",
                &[
                    "wall plugs",
                    "masking tape",
                    "roller",
                    "2&hinge|two&hinge",
                ],
            ),
        )
        .note(
            "Hardware shop",
            "shopping",
            "- wall plugs\n- masking tape",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Hardware shop",
            "\n- paint roller\n- two hinges",
        )]),
        Task::strict(
            "crowd-parking",
            "We've been given a different space in the car park: 61. Would you correct the note on it?",
            Expected::default()
                .change("Car park", &["level 2", "61", "8830"])
                .lacking(&["16"]),
        )
        .note(
            "Car park",
            "car",
            "Level 2, space 16.\nThe gate code is 8830.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Car park", "space 16", "space 61")]),
    ]
}
