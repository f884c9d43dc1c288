//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Duties in the long note.
const DUTIES: usize = 80;

/// Returns the log of somebody who runs a cable car, one line a duty, no two of them alike.
pub(super) fn cable_car_log() -> String {
    const STATIONS: [&str; 7] = [
        "valley station",
        "upper station",
        "middle station",
        "ticket desk",
        "machine room",
        "control stand",
        "platform two",
    ];
    const REMARKS: [&str; 9] = [
        "thick fog till noon",
        "a school class with sledges",
        "the loudspeaker crackles",
        "nobody wanted the last ride",
        "greased the rollers",
        "a long queue",
        "the door sensor is fine again",
        "a quarrel about a dog ticket",
        "three paragliders and a parrot",
    ];
    let line = |duty: usize| match duty {
        27 => "Duty 27: took up the wedding cake for Ragnhild, it rode in cabin 9 all alone."
            .to_owned(),
        52 => "Duty 52: gusts at the second pylon, stood still for 25 minutes.".to_owned(),
        71 => "Duty 71: found a ski boot in the waiting room, size 43, put it in the locker."
            .to_owned(),
        _ => format!(
            "Duty {duty}: {}, {} trips, {}.",
            STATIONS[duty * 3 % STATIONS.len()],
            11 + duty * 5 % 19,
            REMARKS[duty * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=DUTIES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "cable-car-log-gusts",
            "In the cable car log, duty 52, we stood still for 55 minutes because of the gusts and not for 25. Please \
             correct that",
            Expected::default()
                .change(
                    "Cable car log",
                    &[
                        "duty 52&gust&55|duty 52&gust&fifty-five|duty 52&gust&fifty five",
                        "second pylon",
                        "duty 27&ragnhild",
                        "duty 71&ski boot",
                        "duty 80",
                    ],
                )
                .lacking(&["duty 52&25|duty 52&twenty-five|duty 52&twenty five"]),
        )
        .note("Cable car log", "work", &cable_car_log())
        .note(
            "Rack railway",
            "outings",
            "Takes 25 minutes to the top when the gusts are not too strong. Sit on the left.",
        )
        .solved_by(&[Edit::Replace(
            "Cable car log",
            "still for 25 minutes",
            "still for 55 minutes",
        )]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-hip-stretch",
            "the osteopath wants me to hold the hip stretch for 45 seconds, not 20! pls put that right",
            Expected::default()
                .change(
                    "Hip stretch",
                    &[
                        "45|forty-five|forty five",
                        "three times|3 times",
                        "strap",
                        "wardrobe",
                    ],
                )
                .lacking(&["20|twenty"]),
        )
        .note(
            "Hip stretch",
            "health",
            "Hold it for 20 seconds.\nThree times on each side\nThe strap hangs in the wardrobe",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Hip stretch", "20", "45")]),
        Task::strict(
            "crowd-watchmaker",
            "can you write this down for me.. the watchmaker in foundry lane puts in a new battery for 11 euros and \
             takes a link out of the strap for 6. you wait 15 minutes and he's shut on mondays",
            Expected::default().new_note(&[
                "watch",
                "foundry l",
                "batter",
                "11|11.00|eleven",
                "link|strap|bracelet",
                "6|6.00|six",
                "15 min|fifteen min|15-min|fifteen-min|quarter of an hour",
                "mon",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Watchmaker",
            "Foundry Lane, shut on Mondays.\nNew battery: 11 euros\nTaking a link out of the strap: 6 euros\nWait 15 \
             minutes",
        )]),
    ]
}
