//! Lists, corrections and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), one_line_of_several(), of_dates(), removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "soap-supplies",
            "pls put coconut oli and a silicone mold on teh soap makign list",
            Expected::default().change(
                "Soap making",
                &[
                    "lye",
                    "rapeseed oil",
                    "coconut",
                    "silicone&mold|silicone&mould|silicon&mold|silicon&mould",
                ],
            ),
        )
        .note("Soap making", "soap", "- lye\n- rapeseed oil")
        .note(
            "Soap labels",
            "soap",
            "Brown paper, 4 by 6 cm, the stamp is at Lieselotte's.",
        )
        .solved_by(&[Edit::Append(
            "Soap making",
            "\n- coconut oil\n- silicone mould",
        )]),
        Task::strict(
            "karaoke-swap",
            "On the karaoke list I'd rather have Valerie than Dancing Queen, could you swap them?",
            Expected::default()
                .change("Karaoke list", &["jolene", "valerie", "wonderwall"])
                .lacking(&["dancing queen"]),
        )
        .note(
            "Karaoke list",
            "karaoke",
            "- Jolene\n- Dancing Queen\n- Wonderwall",
        )
        .note(
            "Karaoke bar",
            "karaoke",
            "Dancing Queen is number 4417 in their book. Closed on Mondays.",
        )
        .solved_by(&[Edit::Replace("Karaoke list", "Dancing Queen", "Valerie")]),
    ]
}

fn one_line_of_several() -> Vec<Task> {
    vec![
        Task::strict(
            "filament-bed",
            "petg wants the bed at 80, not 70",
            Expected::default()
                .change("Filaments", &["pla&205&60", "petg&235&80", "tpu&225&45"])
                .lacking(&["petg&70"]),
        )
        .note(
            "Filaments",
            "3d printing",
            "PLA: nozzle 205, bed 60\nPETG: nozzle 235, bed 70\nTPU: nozzle 225, bed 45",
        )
        .note(
            "Spools",
            "3d printing",
            "Two of grey PETG, 70 euros, and half a spool of white PLA.",
        )
        .solved_by(&[Edit::Replace("Filaments", "bed 70", "bed 80")]),
        Task::strict(
            "radio-net",
            "the evening net on 80 metres starts at 19:45 now",
            Expected::default()
                .change(
                    "Radio net evening",
                    &["3.665", "19:45|19.45|7:45 pm|7.45 pm|7:45 p.m", "aurel"],
                )
                .lacking(&["20:15"])
                .dictated(),
        )
        .note(
            "Radio net morning",
            "ham radio",
            "Frequency: 3.760 MHz\nStart: 7:15\nNet control: Sixten",
        )
        .note(
            "Radio net evening",
            "ham radio",
            "Frequency: 3.665 MHz\nStart: 20:15\nNet control: Aurel",
        )
        .note(
            "Antenna mast",
            "ham radio",
            "The guy wires are checked each spring.",
        )
        .solved_by(&[Edit::Replace("Radio net evening", "20:15", "19:45")]),
    ]
}

fn of_dates() -> Vec<Task> {
    vec![
        Task::strict(
            "lanterns-date",
            "The kids walk with their lanterns on the 11th of November, I wrote the 12th. Would you put that \
             right please?",
            Expected::default()
                .change(
                    "St Martin",
                    &[
                        "11 Nov|11. Nov|Nov 11|November 11|11th|11.11|11.11.|11-11|11/11",
                        "17:30",
                        "mill",
                        "punch",
                    ],
                )
                .lacking(&["12 Nov|12. Nov|Nov 12|November 12|12th|12.11|12.11.|11-12|12/11"]),
        )
        .note(
            "St Martin",
            "children, autumn",
            "Lantern procession on 12 November at 17:30, from the church to the mill. Take punch along.",
        )
        .note(
            "Nativity play",
            "children, winter",
            "First rehearsal on 12 November, in the parish room.",
        )
        .solved_by(&[Edit::Replace("St Martin", "12 November", "11 November")]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "renewed-permit",
            "fishing permit is renewed, it can come off the list of things to renew",
            Expected::default()
                .change("To renew", &["rail pass", "museum card"])
                .lacking(&["fishing"]),
        )
        .note(
            "To renew",
            "papers",
            "- rail pass\n- fishing permit\n- museum card",
        )
        .note(
            "Fishing spots",
            "fishing",
            "Perch below the weir; the fishing permit does not cover the canal.",
        )
        .solved_by(&[Edit::Replace("To renew", "- fishing permit\n", "")]),
    ]
}
