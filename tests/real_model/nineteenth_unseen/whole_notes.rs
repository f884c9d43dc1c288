//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const DYES: [(&str, &str); 3] = [
    (
        "Onion skins",
        "Save them up until there are 200 g. Simmer for an hour, then strain.",
    ),
    (
        "Alum",
        "15 g for 100 g of wool, leave it in overnight before the colour.",
    ),
    (
        "Needle felting",
        "A sponge below, wool from Gudrun's sheep. Stab straight down.",
    ),
];

/// Title and text of the notes of the overview task: three about the open garden day, two about other things.
const GARDEN: [(&str, &str); 5] = [
    (
        "Cake table",
        "Open garden day: Henriette and the Osmanovs bake, under the walnut if it is dry.",
    ),
    (
        "Donation tin",
        "For the open garden day, the red one with the slot. Goes to the hospice.",
    ),
    (
        "Plant labels",
        "On the open garden day everyone asks for names. Slate, white pen, about 45 of them.",
    ),
    (
        "Garden chairs",
        "Two of the slats are cracked, oil the rest in May.",
    ),
    (
        "Tip",
        "Open on Wednesday and Saturday, garden waste is free up to a cubic metre.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "dehydrator-merge",
            "Please put all that's in Drying times into Dehydrator and throw Drying times away, I only ever look \
             at the one.",
            Expected::default()
                .change(
                    "Dehydrator",
                    &[
                        "ludo",
                        "tray&dishwasher",
                        "apple&7 h|apple&seven h|apple&7h",
                        "tomato&11 h|tomato&eleven h|tomato&11h",
                        "mango&14 h|mango&fourteen h|mango&14h",
                    ],
                )
                .delete("Drying times"),
        )
        .note(
            "Dehydrator",
            "kitchen",
            "On loan from Ludo.\nThe trays can go in the dishwasher",
        )
        .note(
            "Drying times",
            "kitchen",
            "Apple rings: 7 hours\nTomatoes: 11 hours\nMango: 14 hours, turn once",
        )
        .note(
            "Drying rack",
            "laundry",
            "One foot is missing. Ludo has the glue for it.",
        )
        .solved_by(&[
            Edit::Append(
                "Dehydrator",
                "\nApple rings: 7 hours\nTomatoes: 11 hours\nMango: 14 hours, turn once",
            ),
            Edit::Delete("Drying times"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-doomsday-box",
            "My sister says Doomsday box gives her the creeps. Call that note Emergency supplies instead, would you?",
            Expected::default().rename("Doomsday box", "Emergency supplies"),
        )
        .note(
            "Doomsday box",
            "cellar",
            "Twenty litres of water, crank radio, gas burner.\nSwap the biscuits every other year",
        )
        .note(
            "Emergency numbers",
            "",
            "Poison line: 555 0190. The on-call vet is Dr Mbeki.",
        )
        .solved_by(&[Edit::Rename("Doomsday box", "Emergency supplies")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-drone",
            "neighbours threw a fit so no drone for us after all. that note can go",
            Expected::default().delete("Drone"),
        )
        .note(
            "Drone",
            "gadgets",
            "Under 250 g, 31 minutes in the air, 410 euros at Fotohaus Brandl.",
        )
        .note(
            "Action camera",
            "gadgets",
            "From Fotohaus Brandl, the mount for the handlebar was extra.",
        )
        .note(
            "Neighbours",
            "house",
            "No drilling between 13 and 15. Mr Varga works nights.",
        )
        .solved_by(&[Edit::Delete("Drone")]),
        Task::strict(
            "delete-hang-gliding",
            "The doctor has had a look at my back and that's the end of the hang-gliding course, so I don't need \
             what I wrote down about it any longer. Would you delete it?",
            Expected::default().delete("Course in hang-gliding"),
        )
        .note(
            "Course in hang-gliding",
            "sport",
            "Four days on the training slope, 480 euros with the harness. Ask for Ilka.",
        )
        .note(
            "Exercises for the back",
            "health",
            "Bridge, cat, side plank. Twelve of each, before breakfast.",
        )
        .note(
            "Course in bookbinding",
            "hobby",
            "Four evenings, 95 euros with the linen. Ilka goes as well.",
        )
        .solved_by(&[Edit::Delete("Course in hang-gliding")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-onion-skins",
        "for dyeing i need the onion skins and the alum note side by side, would you link those two",
        |world| {
            let [skins, alum, felting] = DYES;
            world.are_linked([skins, alum], felting, "fordyeingineedthe")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "wool", text);
    let task = DYES.iter().fold(task, with);
    vec![
        task.may(0, &["Onion skins", "Alum"])
            .solved_by(&[Edit::Append("Onion skins", "\n[[Alum]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-open-garden",
        "Can you make one new overview note for our open garden day, with links to all the notes I have on it?",
        |world| world.is_looked_over(&GARDEN, 3, "canyoumakeonenew"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = GARDEN.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Open garden day",
        "- [[Cake table]]\n- [[Donation tin]]\n- [[Plant labels]]",
    )])]
}
