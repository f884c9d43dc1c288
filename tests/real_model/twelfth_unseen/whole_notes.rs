//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const HOT: [(&str, &str); 3] = [
    (
        "Chilli plants",
        "Six of them on the south sill, feed them every other week.",
    ),
    (
        "Hot sauce",
        "500 g of pods, 15 g of salt. Ferment for three weeks, then blend.",
    ),
    (
        "Herb box",
        "Chives and parsley. Drill two more holes in the bottom.",
    ),
];

/// Title and text of the notes of the overview task: three about the trip, two about other things.
const NORTH: [(&str, &str); 5] = [
    (
        "Charging stops",
        "For the Norway trip: Varberg, Moss, Lillehammer. Forty minutes each.",
    ),
    (
        "Boat to Kristiansand",
        "Norway trip, deck 3, be there an hour before. Booking 60-7715.",
    ),
    (
        "Cabin by the fjord",
        "Six nights of our Norway trip. The key is in the box by the woodpile.",
    ),
    (
        "Norway spruce",
        "The one by the shed loses its needles, cut it down in winter.",
    ),
    (
        "Charging cable",
        "The white one is for the phone, the other one is Leo's.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "padel-merge",
            "Please merge Padel club into Padel, one note is enough.",
            Expected::default()
                .change(
                    "Padel",
                    &[
                        "monday",
                        "ines",
                        "court 3",
                        "38",
                        "locker",
                        "2 euro|2-euro|two euro|two-euro|2 €|2€|€2|€ 2",
                        "bar",
                    ],
                )
                .delete("Padel club"),
        )
        .note(
            "Padel",
            "sport",
            "Mondays at 19:00 with Ines.\nCourt 3 has the good floor.",
        )
        .note(
            "Padel club",
            "sport",
            "Membership: 38 euros a month\nThe lockers take a 2 euro coin.\nBalls: ask at the bar",
        )
        .note(
            "Club dinner",
            "work",
            "Mondays in the Old Court, the menu is 38 euros.",
        )
        .solved_by(&[
            Edit::Append(
                "Padel",
                "\nMembership: 38 euros a month\nThe lockers take a 2 euro coin.\nBalls: ask at the bar",
            ),
            Edit::Delete("Padel club"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-headaches",
            "please rename Headaches to Migraine diary, that's what it is by now",
            Expected::default().rename("Headaches", "Migraine diary"),
        )
        .note(
            "Headaches",
            "health",
            "2 May: left side, after the train. 9 May: all day, slept badly.\n17 May: gone after an hour.",
        )
        .note(
            "Headache tablets",
            "health",
            "Not more than three a day, not before driving.",
        )
        .solved_by(&[Edit::Rename("Headaches", "Migraine diary")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-lottery",
            "we've stopped playing the lottery at the office. delete that note pls",
            Expected::default().delete("Office lottery"),
        )
        .note(
            "Office lottery",
            "work",
            "2 euros each on Fridays, Dagmar keeps the list. So far we won 11 euros.",
        )
        .note(
            "Office fridge",
            "work",
            "Emptied on Fridays, whatever has no name on it.",
        )
        .note(
            "Lottery for the school fair",
            "school",
            "300 tickets, the main prize is a hamper from the deli.",
        )
        .solved_by(&[Edit::Delete("Office lottery")]),
        Task::strict(
            "delete-duvets",
            "I finally bought a duvet, so the note where I compared duvets can be deleted.",
            Expected::default().delete("Duvets compared"),
        )
        .note(
            "Duvets compared",
            "bedroom",
            "Goose down: 189 euros, warm. Camel hair: 140 euros, heavy. Cotton: 75 euros.",
        )
        .note(
            "Duvet covers",
            "bedroom",
            "We need 155 by 220, the ones with buttons come open.",
        )
        .note(
            "Pillows compared",
            "bedroom",
            "Millet: noisy. Foam: too flat for me. Down: 60 euros.",
        )
        .solved_by(&[Edit::Delete("Duvets compared")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-hot-sauce",
        "Please link the note on the chilli plants with the one on the hot sauce",
        |world| {
            let [plants, sauce, herbs] = HOT;
            world.are_linked([plants, sauce], herbs, "pleaselinkthenote")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "kitchen garden", text);
    let task = HOT.iter().fold(task, with);
    vec![
        task.may(0, &["Chilli plants", "Hot sauce"])
            .solved_by(&[Edit::Append("Chilli plants", "\n[[Hot sauce]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-norway",
        "I need an overview for our Norway trip. Make a new note that links all the notes I have for the trip.",
        |world| world.is_looked_over(&NORTH, 3, "makeanewnotethatlinks"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = NORTH.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Norway trip",
        "- [[Charging stops]]\n- [[Boat to Kristiansand]]\n- [[Cabin by the fjord]]",
    )])]
}
