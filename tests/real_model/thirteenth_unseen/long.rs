//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days in the long note.
const DAYS: usize = 82;

/// Returns the log of somebody who has a food truck, one line a day, no two of them alike.
pub(super) fn truck_log() -> String {
    const PITCHES: [&str; 7] = [
        "Harbour Steps",
        "the tech park",
        "Castle Green",
        "the stadium",
        "Wharf Lane",
        "the campus",
        "the weekly market",
    ];
    const REMARKS: [&str; 9] = [
        "rain until two",
        "sold out early",
        "the till jammed",
        "a long queue at noon",
        "nobody wanted soup",
        "ran out of napkins",
        "the hatch squeaks",
        "good tips",
        "a dog stole a bun",
    ];
    let line = |day: usize| match day {
        24 => "Day 24: catered for the Nowickis' wedding, they paid extra for the dessert table."
            .to_owned(),
        58 => "Day 58: the generator failed, had to throw away 6 kilos of dough.".to_owned(),
        73 => "Day 73: the inspector came, all in order.".to_owned(),
        _ => format!(
            "Day {day}: {}, {} portions, {}.",
            PITCHES[day * 3 % PITCHES.len()],
            70 + day * 11 % 60,
            REMARKS[day * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=DAYS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "truck-log-dough",
            "Could you fix day 58 in the food truck log? It was 16 kilos of dough we threw away, not 6",
            Expected::default()
                .change(
                    "Food truck log",
                    &[
                        "day 58&generator&16&dough|day 58&generator&sixteen&dough",
                        "day 24&nowicki",
                        "day 73&inspector",
                        "day 82",
                    ],
                )
                .lacking(&["day 58&6|day 58& six "]),
        )
        .note("Food truck log", "work", &truck_log())
        .note(
            "Pretzel dough",
            "recipes",
            "6 kilos of flour for a full tray rack, leave it overnight.",
        )
        .solved_by(&[Edit::Replace("Food truck log", "6 kilos", "16 kilos")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-dryer-condenser",
            "the engineer says the condenser of the tumble dryer has to be rinsed every 2 weeks and not every 5, \
             please put that right",
            Expected::default()
                .change(
                    "Tumble dryer",
                    &[
                        "2 week|two week|2-week|two-week|fortnight|second week|other week",
                        "condenser",
                        "1600",
                        "wool",
                    ],
                )
                .lacking(&["5 week|five week|5-week|five-week"]),
        )
        .note(
            "Tumble dryer",
            "laundry",
            "Rinse the condenser every 5 weeks.\nNot together with the kettle, it draws 1600 watts.\nNo wool, no \
             silk",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Tumble dryer", "5 weeks", "2 weeks")]),
        Task::strict(
            "crowd-knife-van",
            "note to self: the knife sharpening van stands behind st gilbert's on the first tuesday of the month, \
             from 9 to 12. it's 4 euros a knife and scissors are 7",
            Expected::default().new_note(&[
                "knife|knives",
                "sharpen",
                "gilbert",
                "first&tue|1st&tue|1. tue",
                "9|09:00|9:00|9.00|nine",
                "12|12:00|12.00|twelve|noon",
                "4|4.00|four",
                "scissor",
                "7|7.00|seven",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Knife sharpening van",
            "Behind St Gilbert's, first Tuesday of the month, 9 to 12.\nKnives: 4 euros each\nScissors: 7 euros",
        )]),
    ]
}
