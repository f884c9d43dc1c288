//! Notes as a whole: put together, taken apart, linked, renamed, deleted.

use crate::expected::Expected;
use crate::facts::{bare, holds};
use crate::task::{Edit, Task};
use crate::world::{World, plain, whole};

pub(super) fn tasks() -> Vec<Task> {
    [
        put_together(),
        taken_apart(),
        renamed_or_deleted(),
        linked(),
    ]
    .concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "cat-merge",
            "Cat sitter and Feeding Biscuit really belong together. Put it all into Cat sitter and get \
             rid of the other one.",
            Expected::default()
                .change(
                    "Cat sitter",
                    &[
                        "leonie",
                        "petersen",
                        "half a tin|half tin|1/2 tin|½ tin|half of a tin",
                        "30",
                        "dry food",
                        "milk",
                    ],
                )
                .delete("Feeding Biscuit"),
        )
        .note(
            "Cat sitter",
            "cat",
            "Leonie comes every morning. Her key hangs at the Petersens'.",
        )
        .note(
            "Feeding Biscuit",
            "cat",
            "Half a tin in the morning, 30 g of dry food at night. Never any milk.",
        )
        .note(
            "Cat flap",
            "cat",
            "Runs on four AA cells, the light blinks when they are low.",
        )
        .solved_by(&[
            Edit::Append(
                "Cat sitter",
                "\nHalf a tin in the morning, 30 g of dry food at night. Never any milk.",
            ),
            Edit::Delete("Feeding Biscuit"),
        ]),
    ]
}

fn taken_apart() -> Vec<Task> {
    vec![
        Task::strict(
            "shed-split",
            "the note Garden shed is getting too long, can you take the two lines on the mower out of it \
             and make them a note of their own, called Mower",
            Expected::default()
                .new_titled(
                    "Mower",
                    &["blade", "april", "10w-30|10w30|10w 30|10-w-30", "cord", "cold"],
                )
                .lacking(&["falun", "back door", "leak"])
                .change("Garden shed", &["back door", "falun", "leak"])
                .lacking(&["blade", "10w-30", "10w30", "cord"]),
        )
        .note(
            "Garden shed",
            "garden",
            "The key hangs behind the back door.\nMower: blade sharpened in April, takes 10W-30 oil.\n\
             Paint: Falun red, two litres left.\nMower: the pull cord sticks when it is cold.\nThe roof \
             leaks above the window.",
        )
        .note(
            "Compost",
            "garden",
            "Turn it in March, no cooked food on it.",
        )
        .solved_by(&[
            Edit::Replace(
                "Garden shed",
                "Mower: blade sharpened in April, takes 10W-30 oil.\n",
                "",
            ),
            Edit::Replace(
                "Garden shed",
                "Mower: the pull cord sticks when it is cold.\n",
                "",
            ),
            Edit::Create(
                "Mower",
                "Blade sharpened in April, takes 10W-30 oil.\nThe pull cord sticks when it is cold.",
            ),
        ]),
    ]
}

fn renamed_or_deleted() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-insulation",
            "I can never find the note Untitled 2. It ought to be called Loft insulation.",
            Expected::default().rename("Untitled 2", "Loft insulation"),
        )
        .note(
            "Untitled 2",
            "",
            "Wood fibre, 22 cm between the rafters. Open question: what happens above the stairs?",
        )
        .note(
            "Untitled 3",
            "",
            "Number plates for the trailer are in the glove box.",
        )
        .solved_by(&[Edit::Rename("Untitled 2", "Loft insulation")]),
        Task::strict(
            "delete-cage",
            "Pip died last week :( we won't need the note about cleaning the hamster cage any more, \
             please delete it",
            Expected::default().delete("Cleaning the hamster cage"),
        )
        .note(
            "Cleaning the hamster cage",
            "hamster",
            "Every Sunday, warm water only. The old straw goes on the compost.",
        )
        .note(
            "Cleaning the gutters",
            "house",
            "In November, once the lime tree is bare.",
        )
        .solved_by(&[Edit::Delete("Cleaning the hamster cage")]),
    ]
}

const CHOIR: (&str, &str) = (
    "Choir",
    "Rehearsals on Wednesdays at 19:45 in the old school.",
);
const CONCERT: (&str, &str) = (
    "Christmas concert",
    "On 17 December at St Olaf's, we stand in the gallery.",
);
const CLOTHES: (&str, &str) = ("Choir clothes", "Black trousers, the red scarf from Hilde.");

const BOAT: [(&str, &str); 3] = [
    (
        "Engine",
        "The boat's diesel wants new oil after 150 hours, the filter is under the step.",
    ),
    (
        "Mooring",
        "The boat lies at berth 27, the fee of 640 euros is due in March.",
    ),
    (
        "Lifejackets",
        "Five of them on the boat, the small one is for Mina.",
    ),
];
const ASHORE: [(&str, &str); 2] = [
    ("Scooter", "The helmet is in the hall, size M."),
    ("Roof rack", "Two bars, tighten them after 50 km."),
];

fn linked() -> Vec<Task> {
    let mut overview = Task::new(
        "overview-boat",
        "I've got bits and pieces about our boat all over the place. Make me one new note as an \
         overview that links all of them, would you?",
        is_boat_seen,
    )
    .may(1, &[]);
    for (title, text) in BOAT.iter().chain(&ASHORE) {
        overview = overview.note(title, "", text);
    }
    vec![
        Task::new(
            "link-concert",
            "please link my Choir note and the Christmas concert one, I keep jumping between them",
            is_concert_linked,
        )
        .note(CHOIR.0, "choir", CHOIR.1)
        .note(CONCERT.0, "choir", CONCERT.1)
        .note(CLOTHES.0, "choir", CLOTHES.1)
        .may(0, &[CHOIR.0, CONCERT.0]),
        overview,
    ]
}

/// Returns whether the two notes are linked, in whichever direction, and say what they said.
fn is_concert_linked(after: &World) -> bool {
    let is_linked = after.links(CHOIR.0, CONCERT.0) || after.links(CONCERT.0, CHOIR.0);
    let keeps = |(title, text): (&str, &str)| {
        let now = bare(&after.text(title).unwrap_or_default());
        now.contains(&bare(text)) && !now.contains("ikeepjumping")
    };
    let is_about = |note: &String| holds(note, "choir|concert");
    is_linked
        && keeps(CHOIR)
        && keeps(CONCERT)
        && after.text(CLOTHES.0).as_deref() == Some(CLOTHES.1)
        && after.texts().filter(is_about).count() == 3
}

/// Returns whether one new note links the notes on the boat and no others, and these are as they were.
fn is_boat_seen(after: &World) -> bool {
    let given = || BOAT.iter().chain(&ASHORE);
    let is_new = |title: &str| given().all(|(other, _)| !other.eq_ignore_ascii_case(title));
    let links_all = |title: &str| {
        BOAT.iter().all(|(to, _)| after.links(title, to))
            && !ASHORE.iter().any(|(to, _)| after.links(title, to))
    };
    let titles = after.notes.iter().map(|note| plain(&note["title"]));
    let made: Vec<String> = titles
        .filter(|title| is_new(title) && links_all(title))
        .collect();
    let is_changed = |(title, text): &(&str, &str)| after.text(title).as_deref() != Some(*text);
    made.len() == 1
        && !given().any(is_changed)
        && !after
            .notes
            .iter()
            .any(|note| bare(&whole(note)).contains("boatallovertheplace"))
}
