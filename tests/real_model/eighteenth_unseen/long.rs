//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Shifts in the long note.
const SHIFTS: usize = 80;

/// Returns the log of somebody who drives a taxi, one line a shift, no two of them alike.
pub(super) fn taxi_log() -> String {
    const STANDS: [&str; 7] = [
        "the main station",
        "Cathedral Square",
        "the ferry pier",
        "the trade hall",
        "the old hospital",
        "Terminal B",
        "the casino",
    ];
    const REMARKS: [&str; 9] = [
        "sleet all night",
        "hardly any tips",
        "the card reader froze",
        "somebody sang",
        "roadworks by the tunnel",
        "a long wait",
        "the meter is fine again",
        "an argument about the radio",
        "a hen on the back seat",
    ];
    let line = |shift: usize| match shift {
        23 => "Shift 23: drove Yevgenia and her double bass, she gave me a jar of quince jam."
            .to_owned(),
        47 => "Shift 47: flat tyre on the ring road, lost 40 minutes.".to_owned(),
        66 => "Shift 66: found a violin bow under the seat, handed it in at the office.".to_owned(),
        _ => format!(
            "Shift {shift}: {}, {} rides, {}.",
            STANDS[shift * 3 % STANDS.len()],
            9 + shift * 5 % 17,
            REMARKS[shift * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=SHIFTS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "taxi-log-flat-tyre",
            "In the taxi log, shift 47, the flat tyre cost me 70 minutes rather than 40. Please correct it",
            Expected::default()
                .change(
                    "Taxi log",
                    &[
                        "shift 47&tyre&70|shift 47&tyre&seventy",
                        "ring road",
                        "shift 23&yevgenia",
                        "shift 66&violin bow",
                        "shift 80",
                    ],
                )
                .lacking(&["shift 47&40|shift 47&forty"]),
        )
        .note("Taxi log", "work", &taxi_log())
        .note(
            "Taxi to the clinic",
            "health",
            "Takes 40 minutes when the ring road is closed. Keep the receipt.",
        )
        .solved_by(&[Edit::Replace(
            "Taxi log",
            "lost 40 minutes",
            "lost 70 minutes",
        )]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-belt-sander",
            "the joiner says the belt sander wants 80 grit for the doors, not 120! pls put that right",
            Expected::default()
                .change(
                    "Belt sander",
                    &["80|eighty", "door", "dust bag", "biscuit tin"],
                )
                .lacking(&["120"]),
        )
        .note(
            "Belt sander",
            "tools",
            "For the doors: 120 grit.\nEmpty the dust bag after each one\nSpare belts: in the biscuit tin",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Belt sander", "120", "80")]),
        Task::strict(
            "crowd-seamstress",
            "could you write this down for me.. the seamstress in mill street shortens trousers for 14 euros and puts \
             in a new zip for 19. takes her 5 days and she's shut on wednesdays",
            Expected::default().new_note(&[
                "seamstress|tailor|sewing",
                "mill st",
                "trouser",
                "14|14.00|fourteen",
                "zip",
                "19|19.00|nineteen",
                "5 day|five day|5-day|five-day",
                "wed",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Seamstress",
            "Mill Street, shut on Wednesdays.\nShortening trousers: 14 euros\nNew zip: 19 euros\nTakes 5 days",
        )]),
    ]
}
