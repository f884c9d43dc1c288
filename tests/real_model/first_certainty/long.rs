//! A long note.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Rehearsals in the long note.
const REHEARSALS: usize = 58;

/// Returns the log of somebody who leads a choir, one line a rehearsal, no two of them alike.
pub(super) fn rehearsal_log() -> String {
    const PIECES: [&str; 7] = [
        "the Sanctus",
        "Abendlied",
        "Shenandoah",
        "the Gloria",
        "In dulci jubilo",
        "the canon",
        "The long day closes",
    ];
    const REMARKS: [&str; 9] = [
        "sopranos flat",
        "basses late again",
        "lovely at the end",
        "nobody had a pencil",
        "the piano sticks",
        "by heart for once",
        "too loud",
        "tenors at sea",
        "text unclear",
    ];
    let line = |number: usize| match number {
        23 => "Rehearsal 23: Ingeborg fainted in the Gloria, Caspian caught her.".to_owned(),
        34 => "Rehearsal 34: 9 of us, bus strike, we read madrigals at sight.".to_owned(),
        49 => "Rehearsal 49: the organ is tuned, the low C still rattles.".to_owned(),
        _ => format!(
            "Rehearsal {number}: {}, bars {} to {}, {}.",
            PIECES[number * 3 % PIECES.len()],
            1 + number * 7 % 40,
            50 + number * 11 % 60,
            REMARKS[number * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=REHEARSALS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-rehearsal-log-nineteen",
            "in the rehearsal log at number 34 it should say 19 of us, not 9. must have dropped the one, could you put \
             it back",
            Expected::default()
                .change(
                    "Rehearsal log",
                    &[
                        "rehearsal 34&19&bus strike&madrigal|rehearsal 34&nineteen&bus strike&madrigal",
                        "rehearsal 1&bars",
                        "rehearsal 23&caspian",
                        "rehearsal 49&organ",
                        "rehearsal 58&bars",
                    ],
                )
                .lacking(&["rehearsal 34&9|rehearsal 34&nine of"]),
        )
        .note("Rehearsal log", "choir", &rehearsal_log())
        .note(
            "Bus strike",
            "town",
            "Lines 9 and 34 don't run on Friday, the night bus does.",
        )
        .note(
            "Madrigals",
            "choir",
            "19 copies in the grey box, 9 of them without a cover.",
        )
        .solved_by(&[Edit::Replace("Rehearsal log", "34: 9 of us", "34: 19 of us")]),
    ]
}
