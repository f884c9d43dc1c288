//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days of the long note.
const DAYS: usize = 70;

/// Returns a log of a renovation, one line a day, no two of them alike.
pub(super) fn renovation_log() -> String {
    const ROOMS: [&str; 7] = [
        "kitchen", "hall", "attic", "bathroom", "stairs", "study", "porch",
    ];
    const WORK: [&str; 10] = [
        "sanded the floor",
        "pulled old wallpaper off",
        "filled cracks",
        "primed the walls",
        "fitted skirting boards",
        "took the door off its hinges",
        "cleared rubble away",
        "measured for shelves",
        "sealed the window frame",
        "laid felt under the boards",
    ];
    let line = |day: usize| match day {
        23 => {
            "Day 23: the electrician sent his invoice, 1,430 euros, to be paid in June.".to_owned()
        }
        41 => "Day 41: found a newspaper of 1928 behind the panelling of the study.".to_owned(),
        57 => "Day 57: the tiler comes back in week 38 to redo the shower.".to_owned(),
        _ => format!(
            "Day {day}: {} in the {}, {} hours.",
            WORK[day * 3 % WORK.len()],
            ROOMS[day % ROOMS.len()],
            2 + day * 5 % 7
        ),
    };
    let lines: Vec<String> = (1..=DAYS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "long-correct",
            "The electrician's invoice was 1,340 euros. I mixed up the digits in the renovation log.",
            Expected::default()
                .change(
                    "Renovation log",
                    &["day 23&1,340|day 23&1340|day 23&1.340", "day 57&week 38", "day 70"],
                )
                .lacking(&["1,430"]),
        )
        .note("Renovation log", "house, renovation", &renovation_log())
        .note(
            "Renovation loan",
            "house, bank",
            "The loan is 22,000 euros at 3.4 percent.",
        )
        .solved_by(&[Edit::Replace("Renovation log", "1,430", "1,340")]),
        Task::strict(
            "among-many-add",
            "Please add to the note Greenhouse heater that its thermostat sticks below 5 degrees.",
            Expected::default().change(
                "Greenhouse heater",
                &["2 kW", "thermostat", "5 degrees|5 °C|5°C"],
            ),
        )
        .note(
            "Greenhouse heater",
            "greenhouse, heater",
            "The heater in the greenhouse has 2 kW.",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Greenhouse heater",
            " Its thermostat sticks below 5 degrees.",
        )]),
    ]
}
