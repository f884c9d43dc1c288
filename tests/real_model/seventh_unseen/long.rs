//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Rides of the long note.
const RIDES: usize = 70;

/// Returns a log of the rides that somebody cycled, one line a ride, no two of them alike.
pub(super) fn ride_log() -> String {
    const ROUTES: [&str; 7] = [
        "round the reservoir",
        "to the windmill",
        "along the canal",
        "over the moor",
        "to the ferry and back",
        "through the vineyards",
        "up to the radio mast",
    ];
    const REMARKS: [&str; 9] = [
        "a strong headwind",
        "cake at the halfway stop",
        "with Boris",
        "legs like lead",
        "new chain, no trouble",
        "fog until noon",
        "with Ayesha and Tim",
        "home before dark",
        "the gears slip",
    ];
    let line = |ride: usize| match ride {
        19 => "Ride 19: across the Fern Pass, 86 km, hailstones near the top.".to_owned(),
        34 => "Ride 34: round the reservoir, 52 km, Boris had two flat tyres.".to_owned(),
        58 => "Ride 58: to the Mill Café, 41 km, the pump fell into the weir.".to_owned(),
        _ => format!(
            "Ride {ride}: {}, {} km, {}.",
            ROUTES[ride * 4 % ROUTES.len()],
            23 + ride * 31 % 79,
            REMARKS[ride * 7 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=RIDES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), changed_among_many(), whole_among_many()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ride-gravel-pit",
            "Ride 34 wasn't round the reservoir, that day we went round the gravel pit. Could you \
             put that right in the ride log?",
            Expected::default()
                .change(
                    "Ride log",
                    &[
                        "ride 34&gravel pit",
                        "ride 34&52",
                        "ride 34&boris",
                        "ride 58&weir",
                        "ride 70",
                    ],
                )
                .lacking(&["ride 34&reservoir"]),
        )
        .note("Ride log", "cycling", &ride_log())
        .note(
            "Swim spots",
            "summer",
            "The reservoir has a jetty, the ducks like it too.",
        )
        .solved_by(&[Edit::Replace(
            "Ride log",
            "Ride 34: round the reservoir",
            "Ride 34: round the gravel pit",
        )]),
    ]
}

fn changed_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-tombola",
            "The tombola prizes could do with a picnic blanket and cinema vouchers as well, add \
             them please",
            Expected::default().change(
                "Tombola prizes",
                &[
                    "fondue set",
                    "garden gnome",
                    "picnic&blanket",
                    "cinema&voucher",
                ],
            ),
        )
        .note(
            "Tombola prizes",
            "summer fair",
            "- fondue set\n- garden gnome",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Tombola prizes",
            "\n- picnic blanket\n- cinema vouchers",
        )]),
        Task::strict(
            "crowd-marguerite",
            "marguerite from the choir has a new number, 555 0192",
            Expected::default()
                .change(
                    "Choir phone list",
                    &[
                        "kestutis&0117",
                        "marguerite&555 0192|marguerite&5550192|marguerite&555-0192",
                        "marguerite&alto",
                        "leif&0143",
                    ],
                )
                .lacking(&["0129|5550129"])
                .dictated(),
        )
        .note(
            "Choir phone list",
            "singing",
            "Kestutis, bass: 555 0117\nMarguerite, alto: 555 0129\nLeif, tenor: 555 0143",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Choir phone list", "0129", "0192")]),
    ]
}

fn whole_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-optician",
            "so I was at the optician's just now and they said my glasses will be ready on friday \
             and I'm to bring the old frame and the voucher for 40 euros, write that down please",
            Expected::default().new_note(&["glasses|optician", "friday", "frame", "voucher", "40"]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Optician",
            "Glasses will be ready on Friday. Bring the old frame and the voucher for 40 euros.",
        )]),
        Task::strict(
            "crowd-scarifier",
            "we bought our own scarifier yesterday. bin the Scarifier hire note",
            Expected::default().delete("Scarifier hire"),
        )
        .note(
            "Scarifier hire",
            "outdoors",
            "From Kübler, 35 euros for half a day, they want to see a passport.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Scarifier hire")]),
    ]
}
