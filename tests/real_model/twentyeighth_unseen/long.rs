//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Rounds in the long note.
const ROUNDS: usize = 77;

/// Returns the book of somebody who brings the milk to a village, one line a round, no two of them alike.
pub(super) fn milk_book() -> String {
    const WEATHER: [&str; 7] = [
        "black ice",
        "drizzle",
        "mild and grey",
        "a red sunrise",
        "thick fog",
        "sleet",
        "stars still out",
    ];
    const REMARKS: [&str; 9] = [
        "the spaniel barked",
        "one bottle cracked",
        "nobody up yet",
        "a gate left open",
        "cream ran out",
        "the old bridge was shut",
        "empties missing again",
        "a wave from the postman",
        "back by seven",
    ];
    let line = |round: usize| match round {
        23 => "Round 23: the Kowalczyks gave us a sack of walnuts for the depot.".to_owned(),
        52 => "Round 52: 16 crates for the school sports day, all on tick.".to_owned(),
        66 => "Round 66: flat battery by the chapel, towed home.".to_owned(),
        _ => format!(
            "Round {round}: {}, {} bottles, {}.",
            WEATHER[round * 3 % WEATHER.len()],
            58 + round * 11 % 37,
            REMARKS[round * 5 % REMARKS.len()]
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
            "milk-book-crates",
            "The milk book has 16 crates for round 52, that should say 26. Please change it",
            Expected::default()
                .change(
                    "Milk book",
                    &[
                        "round 52&26&crate&school&tick|round 52&twenty-six&crate&school&tick",
                        "round 23&kowalczyk",
                        "round 66&chapel",
                        "round 77",
                    ],
                )
                .lacking(&["round 52&16|round 52&sixteen"]),
        )
        .note("Milk book", "work", &milk_book())
        .note(
            "School sports day",
            "school",
            "16 crates of squash, the egg race starts at two. Parents bring rugs.",
        )
        .solved_by(&[Edit::Replace("Milk book", "16 crates", "26 crates")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-electric-blanket",
            "add to the electric blanket that it's under warranty until may 2031 and that it mustn't go in the \
             tumble dryer",
            Expected::default().change(
                "Electric blanket",
                &[
                    "level 2",
                    "90 minutes",
                    "washes at 30",
                    "may 2031|may, 2031|may of 2031|05/2031|5/2031|05.2031|5.2031|2031-05|05-2031|2031/05",
                    "dryer|drier|tumble",
                ],
            ),
        )
        .note(
            "Electric blanket",
            "bedroom",
            "Level 2 is plenty, it switches itself off after 90 minutes.\nWashes at 30, unplug it first",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Electric blanket",
            "\nUnder warranty until May 2031\nNot in the tumble dryer",
        )]),
    ]
}
