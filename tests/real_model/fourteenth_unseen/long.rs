//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Walks in the long note.
const WALKS: usize = 81;

/// Returns the log of people who clean up beaches, one line a walk, no two of them alike.
pub(super) fn clean_up_log() -> String {
    const BEACHES: [&str; 7] = [
        "Pebble Bay",
        "the long spit",
        "Smuggler's Cove",
        "the ferry beach",
        "Tern Point",
        "the salt marsh",
        "Lookout Strand",
    ];
    const REMARKS: [&str; 9] = [
        "mostly rope",
        "the grabbers broke",
        "drizzle all morning",
        "a single boot",
        "high tide too soon",
        "tea from the kiosk",
        "hardly any plastic",
        "a seal looked on",
        "sore backs",
    ];
    let line = |walk: usize| match walk {
        18 => "Walk 18: Ffion found a message in a bottle, from a girl called Rosheen in Donegal."
            .to_owned(),
        47 => "Walk 47: open day at the estuary, 23 volunteers and a brass trio.".to_owned(),
        69 => "Walk 69: the council hauled off the sunken fridge.".to_owned(),
        _ => format!(
            "Walk {walk}: {}, {} kilos, {}.",
            BEACHES[walk * 3 % BEACHES.len()],
            40 + walk * 11 % 70,
            REMARKS[walk * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=WALKS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "clean-up-log-volunteers",
            "the clean-up log has the wrong number of volunteers for walk 47, there were 32 of them and not 23. \
             would you correct it",
            Expected::default()
                .change(
                    "Clean-up log",
                    &[
                        "walk 47&estuary&32&volunteer|walk 47&estuary&thirty-two&volunteer",
                        "walk 18&rosheen",
                        "walk 69&fridge",
                        "walk 81",
                    ],
                )
                .lacking(&["walk 47&23"]),
        )
        .note("Clean-up log", "beach", &clean_up_log())
        .note(
            "Volunteers' breakfast",
            "beach",
            "23 rolls, two kinds of jam. Ffion brings the urn.",
        )
        .solved_by(&[Edit::Replace(
            "Clean-up log",
            "23 volunteers",
            "32 volunteers",
        )]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-life-jackets",
            "We've moved the life jackets out of the boathouse, they're in the red chest on the jetty now. Can you \
             update that?",
            Expected::default()
                .change(
                    "Life jackets",
                    &["red chest", "jetty", "30 k", "gas cartridge", "april"],
                )
                .lacking(&["boathouse|boat house"]),
        )
        .note(
            "Life jackets",
            "sailing",
            "They hang in the boathouse.\nThe small one is good for up to 30 kilos.\nGas cartridges: check them in \
             April",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace(
            "Life jackets",
            "They hang in the boathouse.",
            "They are in the red chest on the jetty.",
        )]),
        Task::strict(
            "crowd-scrap-dealer",
            "make a new note out of this.. mr wysocki the scrap dealer comes down our street on 4 june after 2 pm, \
             takes radiators and bikes but no fridges, pays 15 cents a kilo",
            Expected::default().new_note(&[
                "scrap",
                "wysocki",
                "4 Jun|4. Jun|Jun 4|June 4|4th|fourth|4.6|4.6.|04.06|04.06.|06-04|6/4|06/04|4/6|04/06",
                "2 pm|2pm|2 p.m|2|two|14:00|14.00|14|2:00",
                "radiator",
                "bike|bicycle",
                "fridge",
                "15|fifteen|0.15|0,15",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Scrap dealer",
            "Mr Wysocki, in our street on 4 June after 2 pm.\nTakes radiators and bikes, no fridges. 15 cents a \
             kilo",
        )]),
    ]
}
