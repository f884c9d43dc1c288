//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Dives in the long note.
const DIVES: usize = 62;

/// Returns the log of somebody who dives, one line a dive, no two of them alike.
pub(super) fn dive_log() -> String {
    const SITES: [&str; 7] = [
        "the Needle",
        "Cathedral Cave",
        "Sponge Wall",
        "the house reef",
        "Barrel Canyon",
        "the old anchor",
        "Turtle Shelf",
    ];
    const REMARKS: [&str; 9] = [
        "the mask fogged up",
        "strong current",
        "three lionfish",
        "milky water",
        "a cold layer at the bottom",
        "my glove tore",
        "hundreds of wrasse",
        "early back on board",
        "the camera stayed dry",
    ];
    let line = |dive: usize| match dive {
        19 => "Dive 19: Zeki lost a fin in the wreck, a moray eel was sitting in the wheelhouse."
            .to_owned(),
        41 => "Dive 41: the outboard died on the way back, we drifted for 50 minutes.".to_owned(),
        57 => "Dive 57: the compressor is serviced, no more oil in the air.".to_owned(),
        _ => format!(
            "Dive {dive}: {}, {} metres, {}.",
            SITES[dive * 3 % SITES.len()],
            9 + dive * 11 % 26,
            REMARKS[dive * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=DIVES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "dive-log-drifting",
            "about dive 41 in the dive log, we drifted for 15 minutes, not 50. with 50 we'd have ended up in africa lol. \
             put it right pls",
            Expected::default()
                .change(
                    "Dive log",
                    &[
                        "dive 41&outboard&drift&15|dive 41&outboard&drift&fifteen|dive 41&outboard&drift&quarter",
                        "dive 19&moray",
                        "dive 57&compressor",
                        "dive 62",
                    ],
                )
                .lacking(&["dive 41&50|dive 41&fifty"]),
        )
        .note("Dive log", "diving", &dive_log())
        .note(
            "Dinghy",
            "diving",
            "The outboard takes 15 litres, mixed 1 to 50. Two paddles are under the bench.",
        )
        .solved_by(&[Edit::Replace("Dive log", "50 minutes", "15 minutes")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-septic-tank",
            "dug in the wrong place for an hour.. the lid of the septic tank is 4 metres from the walnut tree and not 7, \
             so please put the right number into the note",
            Expected::default()
                .change(
                    "Septic tank",
                    &[
                        "4&walnut|four&walnut|4m&walnut",
                        "turf",
                        "3 years",
                        "rohde",
                        "bleach",
                    ],
                )
                .lacking(&["7|seven"]),
        )
        .note(
            "Septic tank",
            "house",
            "The lid is 7 metres from the walnut tree, under the turf.\nEmptied every 3 years by Rohde's\nNo bleach, \
             no wipes",
        )
        .note(
            "Walnut liqueur",
            "recipes",
            "Pick them green before midsummer, 7 weeks in the sun with the lid on.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Septic tank", "7 metres", "4 metres")]),
        Task::strict(
            "crowd-library-of-things",
            "got this from the woman at the library of things: a pressure washer is 9 euros a day plus 60 euros \
             deposit, and they're open wednesdays and saturdays from 10 to 13. save it please",
            Expected::default().new_note(&[
                "library of things",
                "pressure washer|pressure-washer|power washer",
                "9|9.00|nine",
                "60|60.00|sixty",
                "deposit",
                "wed",
                "sat",
                "10|10:00|10.00|ten",
                "13|13:00|13.00|1 pm|1pm|1 p.m.|1:00|thirteen|one o'clock",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Library of things",
            "Pressure washer: 9 euros a day, 60 euros deposit\nOpen on Wednesdays and Saturdays, 10 to 13",
        )]),
    ]
}
