//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-wreath-workshop",
            "new note titled Wreath workshop - 29 november, 14:40, at the fire station. secateurs we bring ourselves, \
             the moss is 9 euros and gets paid on the spot",
            Expected::default().new_titled(
                "Wreath workshop",
                &[
                    "29 Nov|29. Nov|Nov 29|Nov. 29|November 29|29th|29.11|29.11.|11-29|11/29|29/11",
                    "14:40|14.40|2:40|2.40|14h40|14 h 40|twenty to three|twenty to 3",
                    "fire station|firestation|fire-station|fire house|firehouse",
                    "secateurs|secateur",
                    "moss",
                    "9|9.00|nine",
                ],
            ),
        )
        .note(
            "Fire station tour",
            "school",
            "With class 2b, ask for Mr Haverkamp. The pole is out of bounds.",
        )
        .note(
            "Secateurs",
            "garden",
            "Sharpen them in January. The spring sits in the jar with the seeds.",
        )
        .solved_by(&[Edit::Create(
            "Wreath workshop",
            "29 November, 14:40, at the fire station. Bring our own secateurs. The moss is 9 euros, to be paid on the \
             spot.",
        )]),
        Task::strict(
            "keep-dresser-valuation",
            "A lady from the auction house came to look at Gran's dresser today. Please keep a record of it for me: \
             she's called Ms Quarrington, it is cherry wood, she reckons 650 to 800 euros, the house keeps 18 percent, \
             and the next sale is in February. Gran would have a fit!",
            Expected::default().new_note(&[
                "dresser",
                "quarrington",
                "cherry|cherrywood",
                "650",
                "800",
                "18|eighteen",
                "feb|february",
            ]),
        )
        .note(
            "Charity auction",
            "club",
            "Forty lots, the hammer is in the tuck shop. Starts at 18:15.",
        )
        .note(
            "Cherry jam",
            "kitchen",
            "Stone them first, two lemons to the kilo. Makes eleven jars.",
        )
        .solved_by(&[Edit::Create(
            "Gran's dresser",
            "Ms Quarrington of the auction house had a look at the dresser. Cherry wood, 650 to 800 euros. \
             The house keeps 18 percent. The next sale is in February.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "crossword-finished",
            "finished the whole crossword and didn't cheat once!! i'm unstoppable",
            Expected::default(),
        )
        .note(
            "Crossword dictionary",
            "books",
            "The fat blue one, lent to Ulf at Easter. Rivers start on page 212.",
        )
        .note(
            "Sudoku stamp",
            "school",
            "In the staff room drawer. Ink only from the small bottle.",
        ),
        Task::strict(
            "foot-asleep",
            "Hang on a moment, my left foot's gone to sleep and I need to hop about a bit. Ooh, it tingles.",
            Expected::default(),
        )
        .note(
            "Foot bath",
            "health",
            "Two spoons of salt, ten minutes, then the cream with urea.",
        )
        .note(
            "Sleeper to Narvik",
            "travel",
            "Berth 36 at the bottom, breakfast from six. Earplugs!",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "unicycle-club-and-tubes",
            "the unicycle club wants 19 euros a month now and not 16, so fix that one please. and open a new note about \
             spare tubes: zdenka sells them, 20 inch only, 6 euros each, ring her after seven in the evening",
            Expected::default()
                .change("Unicycle club", &["19", "month", "riding hall", "wrist"])
                .lacking(&["16", "zdenka", "tube|tubes"])
                .new_note(&[
                    "zdenka",
                    "tube|tubes",
                    "20|twenty",
                    "6|6.00|six",
                    "7|seven|7:00|19:00|19.00|7pm",
                ]),
        )
        .note(
            "Unicycle club",
            "sport",
            "16 euros a month, in the riding hall.\nWrist guards for everybody",
        )
        .note(
            "Juggling circle",
            "sport",
            "16 euros a term, in the canteen. Zdenka counts the clubs at the end.",
        )
        .solved_by(&[
            Edit::Replace("Unicycle club", "16", "19"),
            Edit::Create(
                "Spare tubes",
                "Zdenka sells them, 20 inch only, 6 euros each. Ring her after seven in the evening.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "raft-race-and-cake-stall",
            "The raft race is behind us (we sank), so the note about it can be deleted. Then please put a cash box \
             and three tablecloths on the list for the cake stall.",
            Expected::default()
                .change(
                    "Cake stall",
                    &[
                        "paper plates",
                        "2 cake slices",
                        "cash box|cash-box|cashbox",
                        "3&tablecloth|three&tablecloth|3&tablecloths|three&tablecloths|3&table cloths|\
                         three&table cloths|3&table-cloths|three&table-cloths",
                    ],
                )
                .delete("Raft race"),
        )
        .note(
            "Raft race",
            "summer",
            "Start at the weir, 16 barrels, four to a crew. Helmets are lent out.",
        )
        .note(
            "Raft for the pond",
            "garden",
            "Larch boards, 90 by 120 cm. The ducks sleep on it.",
        )
        .note("Cake stall", "summer", "- paper plates\n- 2 cake slices")
        .note(
            "Lemonade stall",
            "summer",
            "- straws\n- the big ladle\n- ice from the fishmonger",
        )
        .solved_by(&[
            Edit::Delete("Raft race"),
            Edit::Append("Cake stall", "\n- a cash box\n- three tablecloths"),
        ]),
    ]
}
