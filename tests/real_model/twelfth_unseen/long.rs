//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Shifts in the long note.
const SHIFTS: usize = 80;

/// Returns the log of somebody who works on wards, one line a shift, no two of them alike.
pub(super) fn shift_log() -> String {
    const WARDS: [&str; 7] = [
        "ward A",
        "ward C",
        "the children's ward",
        "the day clinic",
        "the kitchen",
        "ward F",
        "reception",
    ];
    const REMARKS: [&str; 9] = [
        "quiet until midnight",
        "two new admissions",
        "the kettle is broken",
        "handover took ages",
        "no break at all",
        "somebody brought plums",
        "the fire drill again",
        "short of pillows",
        "home on time for once",
    ];
    let line = |shift: usize| match shift {
        27 => {
            "Shift 27: covered for Bahar until six, she gives me a free Sunday for it.".to_owned()
        }
        52 => "Shift 52: the lift was stuck, carried 14 trays upstairs by hand.".to_owned(),
        70 => "Shift 70: training day in Maastricht, the lunch was paid.".to_owned(),
        _ => format!(
            "Shift {shift}: {}, {} hours, {}.",
            WARDS[shift * 3 % WARDS.len()],
            6 + shift * 5 % 4,
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
            "shift-log-trays",
            "mistyped something in the shift log, in shift 52 it was 40 trays and not 14. pls correct",
            Expected::default()
                .change(
                    "Shift log",
                    &[
                        "shift 52&lift&40&tray",
                        "shift 27&bahar",
                        "shift 70&maastricht",
                        "shift 80",
                    ],
                )
                .lacking(&["shift 52&14"]),
        )
        .note("Shift log", "work", &shift_log())
        .note(
            "Seed trays",
            "balcony",
            "14 trays, the lids are in the cupboard under the sink.",
        )
        .solved_by(&[Edit::Replace("Shift log", "14 trays", "40 trays")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-inhaler-puffs",
            "Dr Vasquez has put me up to 3 puffs of the inhaler, can you change it in the note?",
            Expected::default()
                .change(
                    "Inhaler",
                    &["3&puff|three&puff", "morning", "rinse", "vasquez"],
                )
                .lacking(&["2 puff|two puff"]),
        )
        .note(
            "Inhaler",
            "health",
            "2 puffs in the morning, shake it well first.\nRinse the mouth afterwards.\nDr Vasquez renews the \
             prescription.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Inhaler", "2 puffs", "3 puffs")]),
        Task::strict(
            "crowd-snow-rota",
            "quick new note about the snow shovel rota, we're on in week 2 and week 6 and the brennans in week \
             3. salt is in the bike cellar, code 5580",
            Expected::default().new_note(&[
                "snow|shovel",
                "2|two|second",
                "6|six",
                "brennan",
                "3|three|third",
                "salt",
                "bike cellar|bicycle cellar",
                "5580",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Snow shovel rota",
            "We: week 2 and week 6\nThe Brennans: week 3\nSalt: in the bike cellar, code 5580",
        )]),
    ]
}
