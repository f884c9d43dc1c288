//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [new_notes(), sloppy_and_nothing(), two_steps()].concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-telescope",
            "Start a note called Telescope: main mirror cleaned on 3 April, the red dot finder takes a \
             CR2032.",
            Expected::default().new_titled(
                "Telescope",
                &[
                    "mirror",
                    "clean",
                    "3 Apr|3. Apr|Apr 3|April 3|3rd|3.4|03.04|04-03|3/4|4/3|03/04|04/03",
                    "finder",
                    "CR2032|CR 2032|CR-2032",
                ],
            ),
        )
        .note(
            "Star party",
            "astronomy",
            "At the reservoir, on the second Saturday of August.",
        )
        .note(
            "Binoculars",
            "astronomy",
            "10 by 50, the strap is worn through.",
        )
        .solved_by(&[Edit::Create(
            "Telescope",
            "Main mirror cleaned on 3 April. The red dot finder takes a CR2032.",
        )]),
        Task::strict(
            "new-candles",
            "Ms Okafor ordered 40 lavender candles with white labels, she collects them on Friday. Can you \
             write that down?",
            Expected::default().new_note(&[
                "okafor", "40|forty", "lavender", "candle", "white", "friday",
            ]),
        )
        .note(
            "Wax supplier",
            "candles, business",
            "Soy wax in sacks of 20 kg, delivered within five days.",
        )
        .note(
            "Craft fair",
            "candles, business",
            "Stall 18, we can set up from 7:00.",
        )
        .solved_by(&[Edit::Create(
            "Order of Ms Okafor",
            "40 lavender candles, white labels. She collects them on Friday.",
        )]),
    ]
}

fn sloppy_and_nothing() -> Vec<Task> {
    vec![
        Task::strict(
            "new-smoke",
            "pls mak a note: smoek detecter in teh hallway needs a 9v batery, last chnged in febuary",
            Expected::default().new_note(&[
                "smoke|smoek",
                "detector|detecter",
                "hallway|hall",
                "9v|9 v|9-v|9 volt|9-volt",
                "feb",
            ]),
        )
        .note(
            "Torch",
            "house",
            "It takes three AAA cells and hangs beside the fuse box.",
        )
        .note("Doorbell", "house", "The chime is set to number 3.")
        .solved_by(&[Edit::Create(
            "Smoke detector",
            "The smoke detector in the hallway needs a 9V battery. Last changed in February.",
        )]),
        Task::strict(
            "never-mind",
            "oh never mind, I just found it myself. thanks anyway!",
            Expected::default(),
        )
        .note(
            "Skateboard",
            "skating",
            "The wheels are 54 mm, the bearings are from May.",
        )
        .note(
            "Bonsai",
            "plants",
            "The elm wants to be cut back twice a year.",
        ),
    ]
}

fn two_steps() -> Vec<Task> {
    vec![
        Task::strict(
            "dance-and-debt",
            "Dance class isn't in the gym any more but in the parish hall, please change that. And make a \
             new note that I owe Kerstin 24 euros for the tickets.",
            Expected::default()
                .change(
                    "Dance class",
                    &[
                        "thursday",
                        "19:30|19.30|7:30 pm",
                        "parish hall|parish-hall",
                        "clean shoes",
                    ],
                )
                .lacking(&["gym"])
                .new_note(&["kerstin", "24", "ticket"]),
        )
        .note(
            "Dance class",
            "dancing",
            "Thursdays at 19:30, in the gym. Bring clean shoes.",
        )
        .note("Dance shoes", "dancing", "Size 39, with suede soles.")
        .solved_by(&[
            Edit::Replace("Dance class", "in the gym", "in the parish hall"),
            Edit::Create("Kerstin", "I owe Kerstin 24 euros for the tickets."),
        ]),
        Task::strict(
            "move-dollhouse",
            "we've decided to sell the dollhouse. can you move it from the Attic list to the one called To \
             sell?",
            Expected::default()
                .change("Attic", &["sledge", "baubles"])
                .lacking(&["dollhouse", "doll's house", "doll house"])
                .change(
                    "To sell",
                    &["exercise bike", "cot", "dollhouse|doll's house|doll house"],
                ),
        )
        .note("Attic", "storage", "- sledge\n- dollhouse\n- glass baubles")
        .note("To sell", "things to sell", "- exercise bike\n- cot")
        .note("Lent out", "things lent", "- fondue set, to the Achterbergs")
        .solved_by(&[
            Edit::Replace("Attic", "- dollhouse\n", ""),
            Edit::Append("To sell", "\n- dollhouse"),
        ]),
    ]
}
