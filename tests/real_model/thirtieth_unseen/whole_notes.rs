//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const WILLOW: [(&str, &str); 3] = [
    (
        "Willow water",
        "Soak the cut twigs for two days in rain water, keeps for a month.",
    ),
    (
        "Rose cuttings",
        "Pencil length, in August, under a jar. Arthur's pink one roots best.",
    ),
    ("Pond pump", "Clean the sponge every other week. 35 watts."),
];

/// Title and text of the notes of the overview task: three about the party, two about others.
const RETIREMENT: [(&str, &str); 5] = [
    (
        "Speeches",
        "For Mrs Kowalczyk's retirement do: Anselm first, ten minutes at most.",
    ),
    (
        "Finger food",
        "Mrs Kowalczyk's retirement do: 60 samosas from Rani, dips from the canteen.",
    ),
    (
        "Photo wall",
        "At Mrs Kowalczyk's retirement do, by the lift. Pictures go to Jost by \
         the 20th.",
    ),
    (
        "Pension forms",
        "The blue one goes to the insurance, keep a copy of the years abroad.",
    ),
    (
        "Canteen",
        "Soup day is Tuesday. The card is topped up at the till.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "slugs-merge",
            "I don't need slugs and snails as two notes. Move everything from Snails \
             over into Slugs, then delete Snails please",
            Expected::default()
                .change(
                    "Slugs",
                    &[
                        "copper tape",
                        "hostas",
                        "beer&3|beer&three",
                        "dusk",
                        "40|forty",
                        "nematode&12|nematode&twelve",
                    ],
                )
                .delete("Snails"),
        )
        .note(
            "Slugs",
            "garden",
            "Copper tape around the raised bed.\nThe hostas are lost anyway",
        )
        .note(
            "Snails",
            "garden",
            "Beer trap: 3 cm deep\nCollect them at dusk, up to 40 on a wet \
             evening\nNematodes: 12 euros at Biohaus",
        )
        .note(
            "Snail mail",
            "friends",
            "Stamps for abroad are in the bureau. Ottoline writes back, the others never.",
        )
        .solved_by(&[
            Edit::Append(
                "Slugs",
                "\nBeer trap: 3 cm deep\nCollect them at dusk, up to 40 on a wet \
                 evening\nNematodes: 12 euros at Biohaus",
            ),
            Edit::Delete("Snails"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-black-hole",
            "call the black hole note Cupboard under the stairs pls, nobody but me \
             knows what it means",
            Expected::default().rename("Black hole", "Cupboard under the stairs"),
        )
        .note(
            "Black hole",
            "house",
            "Left: vacuum cleaner bags\nRight: sleeping bags and the sledge\nMind \
             the meter",
        )
        .note(
            "Cupboard in the hall",
            "house",
            "Top: hats. Bottom: shoe polish and the dog towels.",
        )
        .solved_by(&[Edit::Rename("Black hole", "Cupboard under the stairs")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-standing-desk",
            "Decided against the standing desk, my knees had the final say. Get rid \
             of that note, thx",
            Expected::default().delete("Standing desk"),
        )
        .note(
            "Standing desk",
            "office",
            "Walnut top, 160 by 80, 529 euros at Möbel Krantz. Two motors.",
        )
        .note(
            "Standing order",
            "money",
            "For the rent, on the first. Raise it in April.",
        )
        .note(
            "Desk lamp",
            "office",
            "From Möbel Krantz, the switch is on the cable.",
        )
        .solved_by(&[Edit::Delete("Standing desk")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-willow-water",
        "willow water is what gets the rose cuttings to root, so please link \
         those two notes with one another",
        |world| {
            let [willow, roses, pump] = WILLOW;
            world.are_linked([willow, roses], pump, "willowwateriswhatget")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "garden", text);
    let task = WILLOW.iter().fold(task, with);
    vec![
        task.may(0, &["Willow water", "Rose cuttings"])
            .solved_by(&[Edit::Append("Willow water", "\n[[Rose cuttings]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-retirement-do",
        "I'd like one new overview note on Mrs Kowalczyk's retirement do, with \
         links to everything I've written about it.",
        |world| world.is_looked_over(&RETIREMENT, 3, "idlikeonenewoverview"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = RETIREMENT.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Mrs Kowalczyk's retirement do",
        "- [[Speeches]]\n- [[Finger food]]\n- [[Photo wall]]",
    )])]
}
