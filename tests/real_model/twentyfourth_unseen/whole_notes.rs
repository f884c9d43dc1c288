//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const BOULDERING: [(&str, &str); 3] = [
    (
        "Bouldering",
        "Hall at the gasworks, cheaper before noon. Blue holds are the hard ones.",
    ),
    (
        "Finger tape",
        "The 2 cm roll, round each joint twice. Peel it off under warm water.",
    ),
    (
        "Boulder by the gate",
        "Weighs two tonnes, so it stays. House leeks grow on top.",
    ),
];

/// Title and text of the notes of the overview task: three about the open-air cinema, two about other things.
const CINEMA: [(&str, &str); 5] = [
    (
        "Blankets",
        "Thandiwe lends us thirty for the open-air cinema. Wash them before.",
    ),
    (
        "Screen",
        "A sail of 6 by 4 metres for the open-air cinema, eyelets all round.",
    ),
    (
        "Permit from the town",
        "The open-air cinema may go on until 23:30, the sound down from ten.",
    ),
    (
        "Cinema vouchers",
        "Two from Uncle Hrvoje, valid until December. Not for the balcony.",
    ),
    (
        "Open-air theatre seats",
        "Row 9, the ones on the left get wet. Cushions cost 3 euros.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "kefir-grains-merge",
            "One note about kefir is plenty. Please move everything out of Kefir grains into Kefir, and delete Kefir \
             grains once that's done.",
            Expected::default()
                .change(
                    "Kefir",
                    &[
                        "litre",
                        "24 hours",
                        "metal",
                        "oksana",
                        "rinse|rinsed|rinsing",
                        "tap water|tap-water|tapwater",
                        "drawer 3|third drawer|3rd drawer|drawer three",
                        "spare|spares",
                        "frozen|freezer|freeze",
                    ],
                )
                .delete("Kefir grains"),
        )
        .note(
            "Kefir",
            "kitchen",
            "A litre of milk, 24 hours on the counter.\nNever a metal spoon",
        )
        .note(
            "Kefir grains",
            "kitchen",
            "From Oksana\nRinse them with milk, not with tap water\nSpare ones are frozen in drawer 3.",
        )
        .note(
            "Ginger bug",
            "kitchen",
            "Also from Oksana. A spoon of sugar a day, lid loose.",
        )
        .solved_by(&[
            Edit::Append(
                "Kefir",
                "\nGrains: from Oksana\nRinse them with milk, not with tap water\nSpare ones are frozen in drawer 3.",
            ),
            Edit::Delete("Kefir grains"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-untitled-play",
            "we voted, the play has a title!! rename Untitled play to The Salt Thief, what's in it stays as it is",
            Expected::default().rename("Untitled play", "The Salt Thief"),
        )
        .note(
            "Untitled play",
            "theatre",
            "Three acts, nine parts, 95 minutes without the interval.\nAct two needs a door that jams",
        )
        .note(
            "Untitled sketch",
            "theatre",
            "Two nuns and a vacuum salesman, four minutes. No punchline yet.",
        )
        .solved_by(&[Edit::Rename("Untitled play", "The Salt Thief")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-nebuliser",
            "The nebuliser went back to the chemist at noon, so I've no more use for the note about it. Would you \
             remove it? Thank you.",
            Expected::default().delete("Nebuliser"),
        )
        .note(
            "Nebuliser",
            "health",
            "On loan from the chemist until 12 March, 30 euros deposit. Salt solution twice a day.",
        )
        .note(
            "Chemist on duty",
            "health",
            "The list hangs in the door. Surcharge of 2.50 after eight.",
        )
        .note(
            "Mist sprayer",
            "garden",
            "For the ferns, rainwater only. The nozzle clogs.",
        )
        .solved_by(&[Edit::Delete("Nebuliser")]),
        Task::strict(
            "delete-trailer-advert",
            "sold the trailer last night to some bloke from aurich. scrap the note with the ad for it (the other ad \
             stays, nobody wants that thing)",
            Expected::default().delete("Advert for the trailer"),
        )
        .note(
            "Advert for the trailer",
            "selling",
            "750 kilos, built in 2011, new tyres. 480 euros or nearest offer.",
        )
        .note(
            "Advert for the cement mixer",
            "selling",
            "120 litres, the drum has a dent. 90 euros, collect it yourself.",
        )
        .note(
            "Trailer rope",
            "car",
            "Twelve metres, hangs behind the ladder. The red hook is weak.",
        )
        .solved_by(&[Edit::Delete("Advert for the trailer")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-bouldering",
        "Would you link the notes Bouldering and Finger tape with each other? Half the time I've got one of them \
         open and go hunting for the other.",
        |world| {
            let [bouldering, tape, boulder] = BOULDERING;
            world.are_linked([bouldering, tape], boulder, "halfthetime")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = BOULDERING.iter().fold(task, with);
    vec![
        task.may(0, &["Bouldering", "Finger tape"])
            .solved_by(&[Edit::Append("Bouldering", "\n[[Finger tape]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-open-air-cinema",
        "stuff about the open-air cinema is scattered everywhere.. make me a new note that links to every note on it \
         pls",
        |world| world.is_looked_over(&CINEMA, 3, "scatteredeverywhere"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = CINEMA.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Open-air cinema",
        "- [[Blankets]]\n- [[Screen]]\n- [[Permit from the town]]",
    )])]
}
