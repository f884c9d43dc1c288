//! Notes as a whole: put together, renamed, linked.

use crate::expected::Expected;
use crate::task::{Edit, Task};
use crate::world::World;

const BOX: &str = "Every second Tuesday, from the Hofmanns. Leave the empty crate outside.";
const SOUPS: &str = "Pumpkin in the first week, then celeriac, then white beans.";
const FREEZER: &str = "Three drawers, the lowest one is for bread.";

pub(super) fn tasks() -> Vec<Task> {
    [
        put_together(),
        put_together_in_french(),
        renamed(),
        linked(),
    ]
    .concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "tortoise-merge",
            "Tortoise and Tortoise food could really be one note. Put everything into Tortoise please, then \
             the other one can go.",
            Expected::default()
                .change(
                    "Tortoise",
                    &[
                        "november",
                        "march",
                        "5|five",
                        "dandelion",
                        "plantain",
                        "fruit",
                        "cuttlebone",
                    ],
                )
                .delete("Tortoise food"),
        )
        .note(
            "Tortoise",
            "pets, tortoise",
            "Sleeps from November to March, at 5 degrees.",
        )
        .note(
            "Tortoise food",
            "pets, tortoise",
            "Dandelion and plantain, no fruit. A cuttlebone once a month.",
        )
        .note(
            "Guinea pigs",
            "pets",
            "New bedding twice a week, no cabbage.",
        )
        .solved_by(&[
            Edit::Append(
                "Tortoise",
                "\nDandelion and plantain, no fruit. A cuttlebone once a month.",
            ),
            Edit::Delete("Tortoise food"),
        ]),
    ]
}

fn put_together_in_french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-harvest-merge",
            "tu peux mettre ce qu'il y a dans « Vendanges équipe » dans la note « Vendanges » et supprimer \
             « Vendanges équipe » ? une seule suffit",
            Expected::default()
                .change(
                    "Vendanges",
                    &[
                        "castagnier",
                        "bottes",
                        "ludivine",
                        "6h30|6:30|6 h 30|6.30|06h30|06:30",
                        "gaspard",
                    ],
                )
                .delete("Vendanges équipe"),
        )
        .note(
            "Vendanges",
            "vendanges",
            "Du 9 au 20 septembre au domaine Castagnier. Prévoir des bottes.",
        )
        .note(
            "Vendanges équipe",
            "vendanges",
            "Ludivine vient nous chercher à 6h30, avec Gaspard.",
        )
        .note("Pressoir", "", "La manivelle est chez le voisin.")
        .solved_by(&[
            Edit::Append(
                "Vendanges",
                "\nLudivine vient nous chercher à 6h30, avec Gaspard.",
            ),
            Edit::Delete("Vendanges équipe"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-stained-glass",
            "the one called New note 12 is about my stained glass course, please call it Stained glass",
            Expected::default().rename("New note 12", "Stained glass"),
        )
        .note(
            "New note 12",
            "",
            "Lead came 6 mm, copper foil, bring old newspapers and gloves.",
        )
        .note(
            "New note 11",
            "",
            "The hinge of the wardrobe takes 35 mm screws.",
        )
        .solved_by(&[Edit::Rename("New note 12", "Stained glass")]),
        Task::strict(
            "japanese-rename-tea",
            "「新しいメモ２」のタイトルを「茶道教室」に変えてください",
            Expected::default().rename("新しいメモ２", "茶道教室"),
        )
        .note(
            "新しいメモ２",
            "",
            "第二土曜日の午後。白い靴下と扇子を持っていく。",
        )
        .note("新しいメモ１", "", "自転車の鍵は玄関の引き出し。")
        .solved_by(&[Edit::Rename("新しいメモ２", "茶道教室")]),
    ]
}

fn linked() -> Vec<Task> {
    vec![
        Task::new(
            "link-vegetable-box",
            "could you please link Vegetable box with Soup plan",
            is_box_linked,
        )
        .may(0, &["Vegetable box", "Soup plan"])
        .note("Vegetable box", "food", BOX)
        .note("Soup plan", "food", SOUPS)
        .note("Chest freezer", "food", FREEZER)
        .solved_by(&[Edit::Append("Vegetable box", "\n[[Soup plan]]")]),
    ]
}

/// Returns whether one of the two notes links the other one, and all notes say what they said before.
fn is_box_linked(world: &World) -> bool {
    let both = [("Vegetable box", BOX), ("Soup plan", SOUPS)];
    world.are_linked(both, ("Chest freezer", FREEZER), "couldyouplease")
}
