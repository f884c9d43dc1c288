//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const BAKING: [(&str, &str); 3] = [
    (
        "Candied peel",
        "Boil the peel three times, then sugar. Keeps until Lent in the tall jar.",
    ),
    (
        "Panettone",
        "Two rises, the second one overnight. Hang it upside down on the needles.",
    ),
    (
        "Peeler",
        "The one with the green handle is Yusra's. Not in the dishwasher.",
    ),
];

/// Title and text of the notes of the overview task: three about the ruby wedding, two about other things.
const RUBY: [(&str, &str); 5] = [
    (
        "Slideshow",
        "For Mum and Dad's ruby wedding: 80 pictures at most, Corin has the slides from Malta.",
    ),
    (
        "Brass quartet",
        "They play at the ruby wedding, three pieces after the soup. 220 euros.",
    ),
    (
        "Table plan",
        "Ruby wedding: keep the aunts away from the door, there is a draught.",
    ),
    (
        "Ruby port",
        "Open since Easter, finish it with the Stilton.",
    ),
    (
        "Wedding china",
        "Two of the saucers are chipped, the rest is in the attic.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "waffle-iron-merge",
            "I keep hunting for two waffle notes. Move everything from Waffle batter over to Waffle iron and get rid \
             of Waffle batter, please",
            Expected::default()
                .change(
                    "Waffle iron",
                    &[
                        "benedikt",
                        "setting 4|setting four",
                        "flour&250",
                        "eggs&3|eggs&three|3 eggs|three eggs",
                        "buttermilk&350",
                    ],
                )
                .delete("Waffle batter"),
        )
        .note(
            "Waffle iron",
            "kitchen",
            "A present from Benedikt.\nSetting 4 makes them crisp",
        )
        .note(
            "Waffle batter",
            "kitchen",
            "Flour: 250 g\nEggs: 3\nButtermilk: 350 ml, at room temperature",
        )
        .note(
            "Pancake pan",
            "kitchen",
            "Never with soap. Benedikt says to wipe it with salt.",
        )
        .solved_by(&[
            Edit::Append(
                "Waffle iron",
                "\nFlour: 250 g\nEggs: 3\nButtermilk: 350 ml, at room temperature",
            ),
            Edit::Delete("Waffle batter"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-bat-cave",
            "the estate agent will read over my shoulder tomorrow so the note Bat cave had better be called Box room",
            Expected::default().rename("Bat cave", "Box room"),
        )
        .note(
            "Bat cave",
            "house",
            "2.10 by 1.80 metres, no window.\nThe light switch is outside",
        )
        .note(
            "Box of cables",
            "house",
            "The long HDMI one is at Lorenzo's. Chargers go in the tin.",
        )
        .solved_by(&[Edit::Rename("Bat cave", "Box room")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-air-fryer",
            "got an air fryer from my brother yesterday!! so bin the note with the one i was going to buy",
            Expected::default().delete("Air fryer"),
        )
        .note(
            "Air fryer",
            "to buy",
            "The one with two drawers, 129 euros at Elektro Zorn. Holds 8 litres.",
        )
        .note(
            "Soup blender",
            "to buy",
            "At Elektro Zorn they have it for 74 euros, in red only.",
        )
        .note(
            "Brother's birthday",
            "family",
            "He wants a proper torch. No socks this year.",
        )
        .solved_by(&[Edit::Delete("Air fryer")]),
        Task::strict(
            "delete-choir-tour",
            "They have called off the choir tour to Ljubljana because the coach firm went bust. What I had noted \
             about it only makes me sad now, so away with it please.",
            Expected::default().delete("Choir tour"),
        )
        .note(
            "Choir tour",
            "singing",
            "Ljubljana, four nights, 365 euros. Share a room with Perpetua.",
        )
        .note(
            "Choir folder",
            "singing",
            "Black, with a strap. Perpetua orders them in dozens.",
        )
        .note(
            "Coach to the airport",
            "travel",
            "Leaves at 4:10 from the bus station, buy the ticket on board.",
        )
        .solved_by(&[Edit::Delete("Choir tour")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-candied-peel",
        "can you connect my candied peel note with the panettone one? i always need both when i bake",
        |world| {
            let [peel, panettone, peeler] = BAKING;
            world.are_linked([peel, panettone], peeler, "canyouconnectmy")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "baking", text);
    let task = BAKING.iter().fold(task, with);
    vec![
        task.may(0, &["Candied peel", "Panettone"])
            .solved_by(&[Edit::Append("Panettone", "\n[[Candied peel]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-ruby-wedding",
        "I'm losing track of the ruby wedding. Please write a new note that links everything I've got for it",
        |world| world.is_looked_over(&RUBY, 3, "imlosingtrackof"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = RUBY.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Ruby wedding",
        "- [[Slideshow]]\n- [[Brass quartet]]\n- [[Table plan]]",
    )])]
}
