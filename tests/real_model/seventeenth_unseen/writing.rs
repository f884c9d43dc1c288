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
            "new-life-drawing",
            "Life drawing should be the title of a new note. Wednesdays from 18:45 to 20:30 in the old dairy, 13 euros \
             a session, they have easels but charcoal is up to us",
            Expected::default().new_titled(
                "Life drawing",
                &[
                    "wed",
                    "18:45|18.45|6:45|6.45|quarter to seven|quarter to 7",
                    "20:30|20.30|8:30|8.30|half past eight|half past 8|half eight",
                    "dairy",
                    "13|13.00|thirteen",
                    "easel",
                    "charcoal",
                ],
            ),
        )
        .note(
            "Life insurance",
            "papers",
            "Policy 40-7713, runs until I am 65. The letters are in the grey binder.",
        )
        .note(
            "Charcoal",
            "barbecue",
            "Two sacks left in the shed, the lighter cubes are used up.",
        )
        .solved_by(&[Edit::Create(
            "Life drawing",
            "Wednesdays from 18:45 to 20:30 in the old dairy. 13 euros a session. Easels are there, bring charcoal.",
        )]),
        Task::strict(
            "presale-paper-tigers",
            "so i don't sleep through it.. presale for the Paper Tigers concert starts on 17 september at 10 sharp, \
             the code is OWL88 and it's 4 tickets per person at most. take a note of that",
            Expected::default().new_note(&[
                "presale|pre-sale|pre sale|sale",
                "paper tigers",
                "17 Sep|17. Sep|Sep 17|Sep. 17|Sept 17|Sept. 17|September 17|17th|seventeenth|17.9|17.9.|17.09|17.09.|\
                 09-17|9/17|09/17|17/9|17/09",
                "10|10:00|10.00|ten",
                "owl88|owl 88|owl-88",
                "4|four",
            ]),
        )
        .note(
            "Tickets for Ilse",
            "",
            "Row 17, in the hall drawer. She pays me on the 4th.",
        )
        .note(
            "Paper tiger mask",
            "crafts",
            "Four layers of paste, whiskers from the broom.",
        )
        .solved_by(&[Edit::Create(
            "Presale for the Paper Tigers",
            "Starts on 17 September at 10. Code: OWL88. At most 4 tickets per person.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "cold-coffee",
            "made myself a coffee and forgot to drink it. twice. typical me",
            Expected::default(),
        )
        .note(
            "Coffee subscription",
            "",
            "Two bags a month, medium roast. Pause it in July.",
        )
        .note(
            "Coffee grinder",
            "kitchen",
            "Setting 14 for the pot. Brush it out twice a month.",
        ),
        Task::strict(
            "glowing-ear",
            "Good grief, what a long phone call that was! My ear is positively glowing.",
            Expected::default(),
        )
        .note(
            "Phone tree of the parents",
            "school",
            "Sibylle calls Jorrit, Jorrit calls the Marchands.",
        )
        .note(
            "Long johns",
            "clothes",
            "Two pairs, merino. Size M is too short in the leg.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "nordic-walking-and-poles",
            "Nordic walking sets off from the weir now instead of the sawmill, will you change that? And on a note of \
             its own: Mrs Abernethy lends out poles for 3 euros a week and wants them back clean.",
            Expected::default()
                .change(
                    "Nordic walking",
                    &[
                        "mon",
                        "8:45|08:45|8.45|08.45|quarter to nine|quarter to 9",
                        "weir",
                        "two laps",
                        "philomena",
                    ],
                )
                .lacking(&["sawmill", "abernethy", "euro"])
                .new_note(&["abernethy", "pole", "3|3.00|three", "week", "clean"]),
        )
        .note(
            "Nordic walking",
            "sport",
            "Mondays at 8:45 from the sawmill.\nTwo laps, then cocoa at Philomena's",
        )
        .note(
            "Planks from the sawmill",
            "garden",
            "Larch, 3 metres, 11 euros each. Walk them over, the van is too short.",
        )
        .solved_by(&[
            Edit::Replace("Nordic walking", "the sawmill", "the weir"),
            Edit::Create(
                "Walking poles",
                "Mrs Abernethy lends them out, 3 euros a week. She wants them back clean.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "marten-and-wire-mesh",
            "the marten hasn't been back since easter so get rid of the note about it. and what's missing on the \
             Builders' merchant list is wire mesh and 4 battens, in with them please",
            Expected::default()
                .change(
                    "Builders' merchant",
                    &[
                        "quick cement",
                        "plywood",
                        "wire mesh|wire-mesh|wiremesh",
                        "4&batten|four&batten",
                    ],
                )
                .delete("Marten in the roof"),
        )
        .note(
            "Marten in the roof",
            "house",
            "Heard it at 3:30 again. Mr Quist sets the trap, the bait is a raw egg.",
        )
        .note(
            "Swifts under the roof",
            "house",
            "Four nests, leave the battens alone until August.",
        )
        .note(
            "Builders' merchant",
            "shopping",
            "- quick cement\n- two sheets of plywood",
        )
        .note(
            "Building blocks",
            "kids",
            "- arches for the bridge\n- a wire for the crane",
        )
        .solved_by(&[
            Edit::Delete("Marten in the roof"),
            Edit::Append("Builders' merchant", "\n- wire mesh\n- 4 battens"),
        ]),
    ]
}
