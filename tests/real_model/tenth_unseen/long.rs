//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Weeks of the long note.
const WEEKS: usize = 76;

/// Returns the book of a flock of sheep, one line a week, no two of them alike.
pub(super) fn flock_book() -> String {
    const FIELDS: [&str; 7] = [
        "the top meadow",
        "the river field",
        "the old orchard",
        "the north slope",
        "the common",
        "the churchyard",
        "the stubble by the road",
    ];
    const REMARKS: [&str; 8] = [
        "hooves trimmed",
        "a fox about at night",
        "the trough leaks",
        "new salt lick",
        "one of them limps",
        "all quiet",
        "fence posts replaced",
        "hay running low",
    ];
    let line = |week: usize| match week {
        14 => "Week 14: Dulcie had twins, both on their feet within the hour.".to_owned(),
        39 => "Week 39: the ram broke the lane gate, Torvald mended it.".to_owned(),
        62 => "Week 62: sold eleven lambs in Hawick, 92 euros each.".to_owned(),
        _ => format!(
            "Week {week}: {} ewes on {}, {}.",
            31 + week * 7 % 12,
            FIELDS[week * 3 % FIELDS.len()],
            REMARKS[week * 5 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=WEEKS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "flock-twins",
            "Week 14 in the flock book is wrong, the twins were Sunna's and not Dulcie's. Can you correct the \
             name?",
            Expected::default()
                .change(
                    "Flock book",
                    &[
                        "week 14&sunna&twins&hour",
                        "week 39&ram&torvald",
                        "week 62&hawick",
                        "week 76",
                    ],
                )
                .lacking(&["dulcie"]),
        )
        .note("Flock book", "sheep", &flock_book())
        .note(
            "Sheepdog",
            "sheep",
            "Fly gets two cups of food at night. She minds Dulcie's horns.",
        )
        .solved_by(&[Edit::Replace("Flock book", "Dulcie", "Sunna")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-chip-number",
            "Mitzi's chip number ends in 832, I've got 823 there. Could you fix that?",
            Expected::default()
                .change(
                    "Mitzi",
                    &[
                        "276 0981 0448 832|27609810448832|276-0981-0448-832",
                        "may 2020",
                        "lactose",
                    ],
                )
                .lacking(&["0448 823|0448823|27609810448823|0448-823"]),
        )
        .note(
            "Mitzi",
            "cat",
            "Chip: 276 0981 0448 823\nBorn in May 2020\nOnly lactose-free milk",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Mitzi", "823", "832")]),
        Task::strict(
            "crowd-vacuum",
            "can u wriet down: vacuum cleaner is at kolbs for repiar, 70 euros, ready in 2 weks, ticket nr 3391",
            Expected::default().new_note(&[
                "vacuum|hoover",
                "kolb",
                "70|seventy",
                "2 week|two week|2-week|two-week|14 day|fortnight|2 wks",
                "3391",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Vacuum cleaner",
            "At Kolb's for repair, 70 euros, ready in two weeks. Ticket 3391.",
        )]),
    ]
}
