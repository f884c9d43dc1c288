//! Notes as a whole: put together, taken apart, renamed, deleted, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the overview task: three about the well dressing, two about other
/// things.
const WELL: [(&str, &str); 5] = [
    (
        "Clay",
        "Four buckets from the pit for the well dressing. Soak it for three days.",
    ),
    (
        "Petals",
        "Hydrangea and buttercup for the well dressing, picked the evening before.",
    ),
    (
        "Boards",
        "Seamus stores them for the well dressing, 2 by 1.2 metres. Mind the nails.",
    ),
    (
        "Well behind the dairy",
        "Nine metres deep. The pump wants priming in spring.",
    ),
    (
        "Salad dressing",
        "Three of oil, one of vinegar, a spoon of mustard. Shake it in a jar.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [
        put_together(),
        taken_apart(),
        renamed(),
        gone(),
        looked_over(),
    ]
    .concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "spinning-wheel-merge",
            "why on earth have i got two notes on the spinning wheel. put all that's in Spinning \
             wheel repairs at the end of Spinning wheel and then Spinning wheel repairs can go",
            Expected::default()
                .change(
                    "Spinning wheel",
                    &[
                        "retired teacher",
                        "oil",
                        "3 mm|3mm",
                        "cord",
                        "wilma",
                        "conrod",
                        "bearing",
                        "squeak",
                        "damp",
                    ],
                )
                .delete("Spinning wheel repairs"),
        )
        .note(
            "Spinning wheel",
            "wool",
            "Bought from a retired teacher, cherry wood.\nOil it before every session",
        )
        .note(
            "Spinning wheel repairs",
            "wool",
            "Drive band: 3 mm cotton cord\nWilma turns a new conrod\n\
             The bearings squeak when it is damp.",
        )
        .note(
            "Spinning class",
            "sport",
            "Tuesdays at the leisure centre, bike 14. The pedals squeak.",
        )
        .solved_by(&[
            Edit::Append(
                "Spinning wheel",
                "\nDrive band: 3 mm cotton cord\nWilma turns a new conrod\n\
                 The bearings squeak when it is damp.",
            ),
            Edit::Delete("Spinning wheel repairs"),
        ]),
    ]
}

fn taken_apart() -> Vec<Task> {
    vec![
        Task::strict(
            "topper-split",
            "The topper ought to have a note of its own. Take its two lines out of Tractor and put \
             them into a new note called Topper, and leave the remaining lines of Tractor be.",
            Expected::default()
                .change("Tractor", &["9 litres", "fuel cap", "clutch"])
                .lacking(&["braithwaite", "grease"])
                .new_titled("Topper", &["blade", "braithwaite", "grease", "8|eight"]),
        )
        .note(
            "Tractor",
            "farm",
            "- engine oil: 9 litres\n- topper: blades come from Braithwaite\n\
             - spare fuel cap in the toolbox\n- topper: grease it every 8 hours\n\
             - the clutch drags when it is cold",
        )
        .note(
            "Hay rake",
            "farm",
            "- tines come from Braithwaite\n- grease it every 20 hours",
        )
        .solved_by(&[
            Edit::Replace("Tractor", "- topper: blades come from Braithwaite\n", ""),
            Edit::Replace("Tractor", "- topper: grease it every 8 hours\n", ""),
            Edit::Create(
                "Topper",
                "- blades come from Braithwaite\n- grease it every 8 hours",
            ),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-ladies-circle",
            "Since Norman and Clive joined, we can hardly go on as the Ladies' Circle. The note \
             should be called Thursday Circle from now on, if you'd be so kind.",
            Expected::default().rename("Ladies' Circle", "Thursday Circle"),
        )
        .note(
            "Ladies' Circle",
            "village",
            "18 members, first Thursday of the month.\nThe urn leaks, never fill it to the brim",
        )
        .note(
            "Ladies' bowls",
            "village",
            "White shoes only. The green is shut on Thursdays.",
        )
        .solved_by(&[Edit::Rename("Ladies' Circle", "Thursday Circle")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-glamping-pods",
            "planners turned the glamping pods down. flat. throw that note out, i don't want to \
             see the word again",
            Expected::default().delete("Glamping pods"),
        )
        .note(
            "Glamping pods",
            "business",
            "Two by the pond, 11,400 pounds each. The drawings are with the planners.",
        )
        .note(
            "Camping barn",
            "business",
            "Sleeps 14, bring lamps. Eluned takes the bookings.",
        )
        .note(
            "Planning office",
            "business",
            "Miss Rudge, room 6, mornings only. Parking behind the bank.",
        )
        .solved_by(&[Edit::Delete("Glamping pods")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-well-dressing",
        "I keep losing track of our well dressing. Could I have one new note with links to all the \
         notes that have to do with it? Otherwise I'll be up all night again like last year.",
        |world| world.is_looked_over(&WELL, 3, "losingtrack"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = WELL.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Well dressing",
        "- [[Clay]]\n- [[Petals]]\n- [[Boards]]",
    )])]
}
