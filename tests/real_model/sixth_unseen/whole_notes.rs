//! Notes as a whole: put together, renamed, linked.

use crate::expected::Expected;
use crate::task::{Edit, Task};
use crate::world::World;

const TELESCOPE: &str = "200 mm mirror. The finder has to be set again after each drive.";
const STAR_PARTIES: &str = "On the airfield, at new moon. Red torches only.";
const BINOCULARS: &str = "10 by 50, lent to Wendelin.";

pub(super) fn tasks() -> Vec<Task> {
    [
        fish_put_together(),
        tyres_put_together(),
        renamed(),
        linked(),
    ]
    .concat()
}

fn fish_put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "aquarium-merge",
            "I've got two notes for one and the same aquarium. Move what's in Aquarium fish over to Aquarium \
             and drop the leftover one.",
            Expected::default()
                .change(
                    "Aquarium",
                    &[
                        "180",
                        "25",
                        "filter",
                        "twelve|12",
                        "tetra",
                        "two&catfish|2&catfish",
                        "ewald",
                    ],
                )
                .delete("Aquarium fish"),
        )
        .note(
            "Aquarium",
            "aquarium",
            "180 litres, 25 degrees.\nThe filter is rinsed every three weeks.",
        )
        .note(
            "Aquarium fish",
            "aquarium",
            "Twelve neon tetras and two catfish. Ewald takes the young ones.",
        )
        .note(
            "Garden pond",
            "garden",
            "The pump runs from April on, the heron takes the goldfish.",
        )
        .solved_by(&[
            Edit::Append(
                "Aquarium",
                "\nTwelve neon tetras and two catfish. Ewald takes the young ones.",
            ),
            Edit::Delete("Aquarium fish"),
        ]),
    ]
}

fn tyres_put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "tyres-merge",
            "Snow tyres and Winter tyres are the same thing really, pls make one note of the two. Winter \
             tyres is the name to keep",
            Expected::default()
                .change(
                    "Winter tyres",
                    &[
                        "lothar",
                        "195/65",
                        "5 mm|5mm|5 millimet|5-mm|five mm",
                        "6 mm|6mm|6 millimet|6-mm|six mm",
                        "44|forty-four",
                    ],
                )
                .delete("Snow tyres"),
        )
        .note(
            "Winter tyres",
            "car",
            "In Lothar's cellar, size 195/65 R15.",
        )
        .note(
            "Snow tyres",
            "car",
            "Tread: 5 mm at the back, 6 mm at the front\nFitted in week 44",
        )
        .note(
            "Summer tyres",
            "car",
            "Size 205/55 R16, tread 4 mm all round.",
        )
        .solved_by(&[
            Edit::Append(
                "Winter tyres",
                "\nTread: 5 mm at the back, 6 mm at the front\nFitted in week 44",
            ),
            Edit::Delete("Snow tyres"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-compost",
            "could you call the note asdf \"Compost rota\" instead? no idea what i was thinking",
            Expected::default().rename("asdf", "Compost rota"),
        )
        .note(
            "asdf",
            "",
            "Even weeks: Birgit and Tove\nOdd weeks: Mehmet\nThe fork stays in the bin.",
        )
        .note("asdf 2", "", "Tove's bicycle basket is 34 cm wide.")
        .solved_by(&[Edit::Rename("asdf", "Compost rota")]),
        Task::strict(
            "german-rename-car-pool",
            "in „Sonstiges 3“ geht's ja nur um die fahrgemeinschaft, kannst du die notiz auch so nennen? \
             also Fahrgemeinschaft",
            Expected::default().rename("Sonstiges 3", "Fahrgemeinschaft"),
        )
        .note(
            "Sonstiges 3",
            "",
            "Montags fährt Frau Krahl, mittwochs fahre ich. Abfahrt 6:40 am Kreisel.",
        )
        .note(
            "Sonstiges 2",
            "",
            "Die Laufräder sind zu zweit billiger.",
        )
        .solved_by(&[Edit::Rename("Sonstiges 3", "Fahrgemeinschaft")]),
    ]
}

fn linked() -> Vec<Task> {
    vec![
        Task::new(
            "link-telescope",
            "Telescope and Star parties have a lot to do with each other, link the two notes pls",
            is_telescope_linked,
        )
        .may(0, &["Telescope", "Star parties"])
        .note("Telescope", "astronomy", TELESCOPE)
        .note("Star parties", "astronomy", STAR_PARTIES)
        .note("Binoculars", "astronomy", BINOCULARS)
        .solved_by(&[Edit::Append("Telescope", "\n[[Star parties]]")]),
    ]
}

/// Returns whether one of the two notes links the other one, and all notes say what they said before.
fn is_telescope_linked(world: &World) -> bool {
    let both = [("Telescope", TELESCOPE), ("Star parties", STAR_PARTIES)];
    world.are_linked(both, ("Binoculars", BINOCULARS), "linkthetwonotes")
}
