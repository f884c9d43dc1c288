//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::facts::bare;
use crate::task::{Edit, Task};
use crate::world::World;

/// Title and text of the notes of the linking task.
const FRUIT: [(&str, &str); 3] = [
    (
        "Apricot tree",
        "Planted in 2016 by the south wall. Ripe in the last week of July.",
    ),
    (
        "Apricot jam",
        "A kilo of fruit, 500 g of sugar, the juice of a lemon.",
    ),
    (
        "Plum brandy",
        "Two bottles left from Uncle Dragan, top shelf.",
    ),
];

/// Title and text of the notes of the overview task: three about the campervan, two about other things.
const VAN: [(&str, &str); 5] = [
    (
        "Gas bottle",
        "For the campervan: 11 kg, swapped in Innsbruck. The left-hand thread is tricky.",
    ),
    (
        "Leisure battery",
        "Under the passenger seat of the campervan, 95 Ah, lasts for three days.",
    ),
    (
        "Awning",
        "Zips onto the sliding door of the campervan. One pole is bent.",
    ),
    (
        "Gas meter",
        "In the cellar of the house, read at the end of December.",
    ),
    (
        "Smoke alarm",
        "Hall ceiling at home. A new 9 V battery each January.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed_or_gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "sourdough-merge",
            "I keep looking in the wrong one, so pls move everything from Sourdough starter into Sourdough and \
             delete Sourdough starter afterwards",
            Expected::default()
                .change(
                    "Sourdough",
                    &[
                        "240",
                        "25",
                        "fridge",
                        "sunday",
                        "50 g|50g|fifty g",
                        "rye",
                        "gisela",
                    ],
                )
                .delete("Sourdough starter"),
        )
        .note(
            "Sourdough",
            "baking",
            "Bake at 240 degrees: 25 minutes with the lid on, 20 without.",
        )
        .note(
            "Sourdough starter",
            "baking",
            "Lives in the fridge door, fed on Sundays with 50 g of rye flour.\nSpare jar: Gisela",
        )
        .note(
            "Pizza dough",
            "baking",
            "Two days in the fridge, 60 percent water.",
        )
        .solved_by(&[
            Edit::Append(
                "Sourdough",
                "\nThe starter lives in the fridge door, fed on Sundays with 50 g of rye flour. Spare jar: \
                 Gisela",
            ),
            Edit::Delete("Sourdough starter"),
        ]),
    ]
}

fn renamed_or_gone() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-route",
            "'New note 7' tells me nothing, give it the title Bike route to work",
            Expected::default().rename("New note 7", "Bike route to work"),
        )
        .note(
            "New note 7",
            "",
            "Along the canal to the second lock, then left past the brewery. 23 minutes.",
        )
        .note(
            "New note 8",
            "",
            "The oven shows F3 when the door is not quite shut.",
        )
        .solved_by(&[Edit::Rename("New note 7", "Bike route to work")]),
        Task::strict(
            "delete-trampoline",
            "trampoline's sold!! get rid of the ad i drafted for it",
            Expected::default().delete("Trampoline ad"),
        )
        .note(
            "Trampoline ad",
            "for sale",
            "For sale: trampoline, 3.05 m, net like new, 90 euros, to be dismantled by you.",
        )
        .note(
            "Pram ad",
            "for sale",
            "For sale: pram, dark blue, with rain cover, 140 euros.",
        )
        .note(
            "Lawn",
            "garden",
            "Resow the circle where the trampoline stands, 1 kg of seed.",
        )
        .solved_by(&[Edit::Delete("Trampoline ad")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-apricots",
        "could you put a link between Apricot tree and Apricot jam",
        are_apricots_linked,
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "fruit", text);
    let task = FRUIT.iter().fold(task, with);
    vec![
        task.may(0, &["Apricot tree", "Apricot jam"])
            .solved_by(&[Edit::Append("Apricot tree", "\n[[Apricot jam]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-campervan",
        "Please set up an overview note with links to all the notes to do with our campervan.",
        |world| world.is_looked_over(&VAN, 3, "pleasesetupanoverview"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = VAN.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Campervan",
        "- [[Gas bottle]]\n- [[Leisure battery]]\n- [[Awning]]",
    )])]
}

/// Returns whether one of the two notes links the other one, and all notes say what they said before.
fn are_apricots_linked(world: &World) -> bool {
    let [(tree, _), (jam, _), (brandy, brandy_text)] = FRUIT;
    let keeps = |&(title, text): &(&str, &str)| {
        let now = bare(&world.text(title).unwrap_or_default());
        now.contains(&bare(text)) && !now.contains("couldyouput")
    };
    world.notes.len() == FRUIT.len()
        && FRUIT.iter().all(keeps)
        && world.text(brandy).as_deref() == Some(brandy_text)
        && (world.links(tree, jam) || world.links(jam, tree))
}
