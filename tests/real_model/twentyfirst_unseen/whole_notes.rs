//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const MOSAICS: [(&str, &str); 3] = [
    (
        "Glass tile cutting",
        "Score the smooth side, then nip it from the edge. Goggles on.",
    ),
    (
        "Bistro table",
        "The top is 70 cm across, a sun in amber and teal. Flexible glue.",
    ),
    (
        "House number",
        "Terracotta on slate, two screws, to the left of the bell.",
    ),
];

/// Title and text of the notes of the overview task: three about the street music day, two about other
/// things.
const STREET_MUSIC: [(&str, &str); 5] = [
    (
        "Stage by the fountain",
        "For the street music day: 4 by 3 metres, the scouts lend us the planks.",
    ),
    (
        "Power for the amps",
        "Street music day: two cables of 50 metres, the socket is at the pharmacy.",
    ),
    (
        "Steel band",
        "Plays at the street music day from 15:10, eleven people. They want water.",
    ),
    (
        "Street lamp 88",
        "Flickers at night, reported to the council twice. It hums as well.",
    ),
    (
        "Music stand",
        "The folding one, lent to Thekla. A wing nut is missing.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "boules-merge",
            "Two notes about one and the same thing, that's silly. Please take what's in Pétanque over into Boules, \
             and then delete Pétanque.",
            Expected::default()
                .change(
                    "Boules",
                    &[
                        "town hall",
                        "16:20|16.20|4:20|4.20",
                        "rubber mat",
                        "six&eight|6&8",
                        "720",
                        "solange",
                    ],
                )
                .delete("Pétanque"),
        )
        .note(
            "Boules",
            "games",
            "Behind the town hall, Sundays at 16:20.\nRubber mat for wet days",
        )
        .note(
            "Pétanque",
            "games",
            "Throw from six to eight metres\nOne set: three balls of 720 g\nPastis: Solange",
        )
        .note(
            "Salad bowls",
            "kitchen",
            "Two wooden ones are still at Solange's, from the garden party.",
        )
        .solved_by(&[
            Edit::Append(
                "Boules",
                "\nThrow from six to eight metres\nOne set: three balls of 720 g\nPastis: Solange",
            ),
            Edit::Delete("Pétanque"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-boot-camp",
            "boot camp scares my mum off every time she sees it, please call that note Park fitness instead",
            Expected::default().rename("Boot camp", "Park fitness"),
        )
        .note(
            "Boot camp",
            "sport",
            "Mondays at 6:50 by the duck pond. Ten weeks are 85 euros.\nDarragh brings the kettlebells",
        )
        .note(
            "Rubber boots",
            "clothes",
            "Size 39, the left one lets water in. Mum has the patches.",
        )
        .solved_by(&[Edit::Rename("Boot camp", "Park fitness")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-sandwich-toaster",
            "the sandwich toaster went up in smoke this morning, it's out by the bins already. that note can go too",
            Expected::default().delete("Sandwich toaster"),
        )
        .note(
            "Sandwich toaster",
            "kitchen",
            "Four minutes on the second mark. The plates come off with the lever at the back.",
        )
        .note(
            "Smoke outlet",
            "house",
            "The button is on the top landing, pull it back out afterwards.",
        )
        .note(
            "Sandwich loaf",
            "recipes",
            "Half a kilo of flour, 40 g of butter, bake it with the lid on.",
        )
        .solved_by(&[Edit::Delete("Sandwich toaster")]),
        Task::strict(
            "delete-house-swap",
            "Our house swap has come to nothing, the family in Trondheim are selling theirs. Would you delete the note \
             on it, please?",
            Expected::default().delete("House swap"),
        )
        .note(
            "House swap",
            "holidays",
            "The Tveits from Trondheim, 3 to 17 August. Bikes in the shed, feed the cat.",
        )
        .note(
            "Clothes swap",
            "parish",
            "Ten pieces each, in the parish room. Coffee is on the house.",
        )
        .note(
            "Torhild in Trondheim",
            "family",
            "Birthday on 17 August, likes crime novels. She is moving into a bigger house.",
        )
        .solved_by(&[Edit::Delete("House swap")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-glass-tiles",
        "before i can start on the bistro table i have to do the glass tile cutting, so please link those two notes",
        |world| {
            let [tiles, bistro, number] = MOSAICS;
            world.are_linked([tiles, bistro], number, "beforeicanstarton")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "mosaics", text);
    let task = MOSAICS.iter().fold(task, with);
    vec![
        task.may(0, &["Glass tile cutting", "Bistro table"])
            .solved_by(&[Edit::Append("Bistro table", "\n[[Glass tile cutting]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-street-music",
        "I'd like one new overview note for the street music day that links all the notes I've got about it, please.",
        |world| world.is_looked_over(&STREET_MUSIC, 3, "idlikeonenewoverview"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = STREET_MUSIC.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Street music day",
        "- [[Stage by the fountain]]\n- [[Power for the amps]]\n- [[Steel band]]",
    )])]
}
