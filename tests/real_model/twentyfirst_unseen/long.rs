//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Runs in the long note.
const RUNS: usize = 82;

/// Returns the log of somebody who drives a snowplough, one line a run, no two of them alike.
pub(super) fn plough_log() -> String {
    const ROADS: [&str; 7] = [
        "the pass road",
        "Upper Lane",
        "the school bus route",
        "the dairy hill",
        "both roundabouts",
        "the hospital drive",
        "the quarry road",
    ];
    const REMARKS: [&str; 9] = [
        "powder, hardly any wind",
        "the beacon flickered",
        "freezing rain on top",
        "somebody waved",
        "a parked caravan in the way",
        "salt nearly gone",
        "the wipers iced up",
        "a hare in the headlights",
        "nobody else out",
    ];
    let line = |run: usize| match run {
        19 => "Run 19: pulled Oriane's van out of the drift, it was full of tulips.".to_owned(),
        52 => "Run 52: bent the blade at the level crossing, 3 hours in the workshop.".to_owned(),
        70 => "Run 70: found a trombone in the snow, took it to the town hall.".to_owned(),
        _ => format!(
            "Run {run}: {}, {} km, {}.",
            ROADS[run * 3 % ROADS.len()],
            11 + run * 5 % 19,
            REMARKS[run * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=RUNS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "snowplough-log-blade",
            "Run 52 in the snowplough log: the bent blade meant 5 hours in the workshop, not 3. Would you correct that",
            Expected::default()
                .change(
                    "Snowplough log",
                    &[
                        "run 52&blade&5|run 52&blade&five",
                        "level crossing",
                        "run 19&oriane",
                        "run 70&trombone",
                        "run 82",
                    ],
                )
                .lacking(&["run 52&3|run 52&three"]),
        )
        .note("Snowplough log", "work", &plough_log())
        .note(
            "Van inspection",
            "car",
            "Takes 3 hours, the workshop is next to the level crossing. Leave the logbook there.",
        )
        .solved_by(&[Edit::Replace(
            "Snowplough log",
            "3 hours in the workshop",
            "5 hours in the workshop",
        )]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-hair-clippers",
            "the barber showed me, the hair clippers need the 9 mm comb for gustaf's sides, not the 12! pls fix that",
            Expected::default()
                .change(
                    "Hair clippers",
                    &["9|nine", "gustaf", "side", "drop of oil", "shaving bag"],
                )
                .lacking(&["12"]),
        )
        .note(
            "Hair clippers",
            "bathroom",
            "For Gustaf's sides: 12 mm comb.\nOne drop of oil after each cut\nSpare blade: in the shaving bag",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Hair clippers", "12", "9")]),
        Task::strict(
            "crowd-picture-framer",
            "can you keep this for me somewhere.. the picture framer in canal row does A2 behind glass for 28 euros, \
             with a mount it's 41. takes him 8 days and he's closed on mondays",
            Expected::default().new_note(&[
                "fram",
                "canal row",
                "a2",
                "28|28.00|twenty-eight",
                "mount",
                "41|41.00|forty-one",
                "8&day|eight&day",
                "mon",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Picture framer",
            "Canal Row, closed on Mondays.\nA2 behind glass: 28 euros, with a mount 41\nTakes 8 days",
        )]),
    ]
}
