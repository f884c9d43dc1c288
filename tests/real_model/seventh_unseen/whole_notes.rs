//! Notes as a whole: put together, renamed, linked.

use crate::expected::Expected;
use crate::task::{Edit, Task};
use crate::world::World;

const BOX: &str = "Row one: cooker and oven. Row two: sockets upstairs. The bell has none.";
const WIRES: &str = "Mr Adeyemi starts in the hall, the attic comes last.";
const ALARMS: &str = "One in each bedroom, batteries last for ten years.";

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
            "telescope-merge",
            "add what's in Eyepieces to the Telescope note and then throw Eyepieces away, I keep \
             looking in the wrong one",
            Expected::default()
                .change(
                    "Telescope",
                    &[
                        "150",
                        "attic",
                        "half an hour|30 min|half-hour",
                        "25",
                        "pleiades",
                        "9",
                        "saturn",
                        "hugo",
                        "filter",
                    ],
                )
                .delete("Eyepieces"),
        )
        .note(
            "Telescope",
            "stars, attic",
            "Opening of 150 mm, it stands in the attic. Let it cool for half an hour.",
        )
        .note(
            "Eyepieces",
            "stars, attic",
            "25 mm for the Pleiades, 9 mm for Saturn. Hugo has borrowed the moon filter.",
        )
        .note(
            "Binoculars",
            "stars",
            "Ten times fifty, the strap is a new one.",
        )
        .solved_by(&[
            Edit::Append(
                "Telescope",
                "\n25 mm for the Pleiades, 9 mm for Saturn. Hugo has borrowed the moon filter.",
            ),
            Edit::Delete("Eyepieces"),
        ]),
    ]
}

fn put_together_in_french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-stove-merge",
            "Range le contenu de « Ramonage » dans « Poêle à bois », s'il te plaît. Ensuite on \
             n'aura plus besoin de « Ramonage », efface-la.",
            Expected::default()
                .change(
                    "Poêle à bois",
                    &["33", "tirage", "fournier", "octobre", "85", "certificat"],
                )
                .delete("Ramonage"),
        )
        .note(
            "Poêle à bois",
            "maison",
            "Bûches de 33 cm. Ouvrir le tirage au démarrage.",
        )
        .note(
            "Ramonage",
            "maison",
            "M. Fournier vient chaque octobre, 85 euros. Garder le certificat.",
        )
        .note(
            "Volets",
            "maison",
            "Repeindre ceux du nord avant l'hiver, en gris lin.",
        )
        .solved_by(&[
            Edit::Append(
                "Poêle à bois",
                "\nM. Fournier vient chaque octobre, 85 euros. Garder le certificat.",
            ),
            Edit::Delete("Ramonage"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-saxophone",
            "I misspelt a title, it should be Saxophone fingerings and not Saxofone fingrings",
            Expected::default().rename("Saxofone fingrings", "Saxophone fingerings"),
        )
        .note(
            "Saxofone fingrings",
            "band",
            "High E with the side key, low B flat with the little finger.",
        )
        .note(
            "Saxophone reeds",
            "band",
            "Strength two and a half, five to a packet.",
        )
        .solved_by(&[Edit::Rename("Saxofone fingrings", "Saxophone fingerings")]),
        Task::strict(
            "japanese-rename-home",
            "引越しは終わったので、「引越し準備」を「新居メモ」という名前に変更お願いします",
            Expected::default().rename("引越し準備", "新居メモ"),
        )
        .note(
            "引越し準備",
            "",
            "ガスの開栓は電話で頼む。管理人室は一階の奥。",
        )
        .note(
            "引越し業者",
            "",
            "見積もりは八万円。段ボールは月末までに返す。",
        )
        .solved_by(&[Edit::Rename("引越し準備", "新居メモ")]),
    ]
}

fn linked() -> Vec<Task> {
    vec![
        Task::new(
            "link-fuse-box",
            "Fuse box and Rewiring belong together, please set a link between the two.",
            is_box_linked,
        )
        .may(0, &["Fuse box", "Rewiring"])
        .note("Fuse box", "electrics", BOX)
        .note("Rewiring", "electrics", WIRES)
        .note("Smoke alarms", "electrics", ALARMS)
        .solved_by(&[Edit::Append("Fuse box", "\n[[Rewiring]]")]),
    ]
}

/// Returns whether one of the two notes links the other one, and all notes say what they said
/// before.
fn is_box_linked(world: &World) -> bool {
    let both = [("Fuse box", BOX), ("Rewiring", WIRES)];
    world.are_linked(both, ("Smoke alarms", ALARMS), "pleasesetalink")
}
