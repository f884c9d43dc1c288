//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Rounds in the long note.
const ROUNDS: usize = 83;

/// Returns the book of somebody who watches over a zoo at night, one line a round, no two of them alike.
pub(super) fn zoo_rounds() -> String {
    const HOUSES: [&str; 7] = [
        "aviary",
        "camel yard",
        "tortoise house",
        "flamingo lawn",
        "monkey rock",
        "wolf wood",
        "aquarium",
    ];
    const REMARKS: [&str; 9] = [
        "all asleep",
        "one lamp flickers",
        "gate was not latched",
        "straw is running low",
        "a hedgehog in the way",
        "much howling",
        "smell of fish",
        "the heating knocks",
        "quiet, a clear moon",
    ];
    let line = |round: usize| match round {
        27 => "Round 27: Mrs Achterberg handed in a silver bracelet at the gate.".to_owned(),
        44 => {
            "Round 44: the pump of the otter pool stood still for 5 hours, vet informed.".to_owned()
        }
        63 => "Round 63: a tapir was born, mother and calf are fine.".to_owned(),
        _ => format!(
            "Round {round}: {}, {} degrees, {}.",
            HOUSES[round * 3 % HOUSES.len()],
            2 + round * 7 % 23,
            REMARKS[round * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=ROUNDS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "zoo-rounds-otter-pump",
            "Something's wrong in my zoo rounds, round 44: the otter pump was out for 15 hours, I wrote 5. Please \
             correct it",
            Expected::default()
                .change(
                    "Zoo rounds",
                    &[
                        "round 44&otter&15&vet|round 44&otter&fifteen&vet",
                        "round 27&bracelet",
                        "round 63&tapir",
                        "round 83",
                    ],
                )
                .lacking(&["round 44&5|round 44&five"]),
        )
        .note("Zoo rounds", "work", &zoo_rounds())
        .note(
            "Pond filter",
            "garden",
            "Stood still for 5 hours in the frost, the goldfish did not mind.",
        )
        .solved_by(&[Edit::Replace("Zoo rounds", "5 hours", "15 hours")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-ceiling-fan",
            "had to reset the remote of the ceiling fan and now it's on channel 6 rather than 2, change that in the \
             note pls",
            Expected::default()
                .change(
                    "Ceiling fan",
                    &["channel&6|channel&six", "spanner", "red folder"],
                )
                .lacking(&["channel&2|channel&two"]),
        )
        .note(
            "Ceiling fan",
            "bedroom",
            "The remote is on channel 2.\nThe blades come off with a 10 mm spanner\nReceipt: in the red folder",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Ceiling fan", "channel 2", "channel 6")]),
    ]
}
