//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Pledges in the long note.
const PLEDGES: usize = 92;

/// Returns the book of somebody who lends money on things, one line a pledge, no two of them alike.
pub(super) fn pawn_book() -> String {
    const THINGS: [&str; 8] = [
        "a pocket watch",
        "two candlesticks",
        "a fur collar",
        "a set of spoons",
        "an opera glass",
        "a stuffed pike",
        "a garnet brooch",
        "a cavalry sabre",
    ];
    const REMARKS: [&str; 9] = [
        "fetched after a week",
        "counted the notes three times",
        "wanted no receipt",
        "had a cold",
        "left the dog outside",
        "said it was for the rent",
        "will be back at Easter",
        "asked for a discount",
        "would not sit down",
    ];
    let line = |pledge: usize| match pledge {
        23 => "Pledge 23: a tuba, Balthasar got it back and paid with cherries.".to_owned(),
        58 => "Pledge 58: the velvet cloak of Sunniva, 17 euros lent on it.".to_owned(),
        77 => "Pledge 77: a rocking moose from Tromsø, nobody has asked for it.".to_owned(),
        _ => format!(
            "Pledge {pledge}: {}, {} crowns, {}.",
            THINGS[pledge * 3 % THINGS.len()],
            240 + pledge * 7 % 61,
            REMARKS[pledge * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=PLEDGES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "pawn-book-cloak",
            "I slipped up in the pawn book: what we lent on the cloak, pledge 58, was 71 euros. It says 17 there. \
             Please put it right.",
            Expected::default()
                .change(
                    "Pawn book",
                    &[
                        "pledge 58&cloak&sunniva&71|pledge 58&cloak&sunniva&seventy-one",
                        "pledge 23&balthasar",
                        "pledge 77&moose",
                        "pledge 92",
                    ],
                )
                .lacking(&["pledge 58&17"]),
        )
        .note("Pawn book", "shop", &pawn_book())
        .note(
            "Cloakroom",
            "theatre",
            "17 hooks are loose. Sunniva sits there on Fridays.",
        )
        .solved_by(&[Edit::Replace("Pawn book", "17 euros", "71 euros")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-vending-machine",
            "the vending machine downstairs wants 1.80 for a nut bar now rather than 1.50, put that in its note would \
             you",
            Expected::default()
                .change(
                    "Vending machine",
                    &["nut bar", "1.80|1,80", "c4", "swallows", "4410"],
                )
                .lacking(&["1.50|1,50"]),
        )
        .note(
            "Vending machine",
            "office",
            "Nut bar 1.50, slot C4.\nSwallows two-euro coins\nWhen it jams, ring extension 4410.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Vending machine", "1.50", "1.80")]),
    ]
}
