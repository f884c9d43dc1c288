//! Notes as a whole: put together, renamed, linked.

use crate::expected::Expected;
use crate::task::{Edit, Task};
use crate::world::World;

const HENS: &str = "Six hens. The flap shuts by itself at dusk.";
const FENCE: &str = "Buried 40 cm deep, the battery was changed in March.";
const EGGS: &str = "35 cents apiece, the box is at the gate.";

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), linked()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "banjo-merge",
            "Banjo strings can go into the note Banjo, I don't need two of them. The one about the strings \
             isn't needed after that.",
            Expected::default()
                .change(
                    "Banjo",
                    &[
                        "gdgbd",
                        "2021",
                        "medium",
                        "tilly",
                        "9 euro|€9|€ 9|9 €|9€|9 EUR",
                    ],
                )
                .delete("Banjo strings"),
        )
        .note(
            "Banjo",
            "music, banjo",
            "Tuned gDGBD. The head was replaced in 2021.",
        )
        .note(
            "Banjo strings",
            "music, banjo",
            "Medium gauge, from Tilly's shop, 9 euros a set.",
        )
        .note(
            "Mouth organ",
            "music",
            "In C, the third reed buzzes a little.",
        )
        .solved_by(&[
            Edit::Append(
                "Banjo",
                "\nMedium gauge, from Tilly's shop, 9 euros a set.",
            ),
            Edit::Delete("Banjo strings"),
        ]),
        Task::strict(
            "solar-merge",
            "i've ended up with two notes on our solar panels, Solar panels and Solar yield. one will do, put \
             everything under Solar panels please",
            Expected::default()
                .change(
                    "Solar panels",
                    &["fourteen|14", "south", "inverter", "may&612", "june&655"],
                )
                .delete("Solar yield"),
        )
        .note(
            "Solar panels",
            "house, solar",
            "Fourteen modules on the south side, the inverter is in the loft.",
        )
        .note("Solar yield", "house, solar", "May: 612 kWh\nJune: 655 kWh")
        .note(
            "Solar lights",
            "garden",
            "Four along the drive, one of them is dead.",
        )
        .solved_by(&[
            Edit::Append("Solar panels", "\nMay: 612 kWh\nJune: 655 kWh"),
            Edit::Delete("Solar yield"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-quilt",
            "Untitled 4 is all about the quilt, so let's call that one Quilt blocks",
            Expected::default().rename("Untitled 4", "Quilt blocks"),
        )
        .note(
            "Untitled 4",
            "",
            "Forty-two squares of 15 cm, the border is 6 cm wide.",
        )
        .note("Untitled 3", "", "The kite needs 60 metres of line.")
        .solved_by(&[Edit::Rename("Untitled 4", "Quilt blocks")]),
        Task::strict(
            "german-rename",
            "„Kram vom Amt“ finde ich nie wieder, nenn die Notiz doch bitte Elterngeld",
            Expected::default().rename("Kram vom Amt", "Elterngeld"),
        )
        .note(
            "Kram vom Amt",
            "",
            "Antrag bis zum dritten Monat, Frau Özdil, Zimmer 314.",
        )
        .note(
            "Kram vom Keller",
            "",
            "Das Planschbecken hat ein Loch am Rand.",
        )
        .solved_by(&[Edit::Rename("Kram vom Amt", "Elterngeld")]),
    ]
}

fn linked() -> Vec<Task> {
    vec![
        Task::new(
            "link-hens",
            "can you connect the notes Hen house and Fox fence? they belong together",
            are_hens_linked,
        )
        .may(0, &["Hen house", "Fox fence"])
        .note("Hen house", "hens", HENS)
        .note("Fox fence", "hens", FENCE)
        .note("Egg sales", "hens", EGGS)
        .solved_by(&[Edit::Append("Hen house", "\n[[Fox fence]]")]),
    ]
}

/// Returns whether one of the two notes links the other one, and all notes say what they said before.
fn are_hens_linked(world: &World) -> bool {
    let both = [("Hen house", HENS), ("Fox fence", FENCE)];
    world.are_linked(both, ("Egg sales", EGGS), "canyouconnect")
}
