//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const SHRUBS: [(&str, &str); 3] = [
    (
        "Camellia",
        "Half shade, never by the south wall. Buds drop when it gets dry in August.",
    ),
    (
        "Pine needle mulch",
        "Two sacks each autumn from the cemetery, 5 cm deep. Keeps the soil sour.",
    ),
    (
        "Cactus shelf",
        "No water from November on. The tall one leans against the pane.",
    ),
];

/// Title and text of the notes of the overview task: three about the knitting retreat, two about other things.
const RETREAT: [(&str, &str); 5] = [
    (
        "Wool parcel",
        "For the knitting retreat: nine skeins from Shetland, Inga splits the postage with me.",
    ),
    (
        "Seats on the train",
        "To the knitting retreat in coach 7, seats 31 to 34, with a table between us.",
    ),
    (
        "Room plan",
        "Knitting retreat: Inga snores, so Nele sleeps at Agathe's end. The attic has a bath.",
    ),
    (
        "Cedar rings",
        "Against moths in the wool, new ones each April. Two to a drawer.",
    ),
    (
        "Train set",
        "The points by the tunnel stick, a drop of sewing machine oil helps.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "fig-merge",
            "fold Fig cuttings into Fig tree and then get rid of Fig cuttings, one note about figs is plenty",
            Expected::default()
                .change(
                    "Fig tree",
                    &[
                        "brown turkey",
                        "fleece&15 November",
                        "february|feb",
                        "20 cm|20cm|20 centimet|twenty centimet",
                        "3 bud|three bud",
                        "yusra",
                        "school",
                    ],
                )
                .delete("Fig cuttings"),
        )
        .note(
            "Fig tree",
            "garden",
            "Brown Turkey, by the south wall.\nFleece over it from 15 November",
        )
        .note(
            "Fig cuttings",
            "garden",
            "Take them in February, 20 cm long.\nThree buds below the soil\nOne for Yusra, one for the school",
        )
        .note(
            "Olive tree",
            "garden",
            "Into the stairwell when it freezes. Yusra has the trolley for it.",
        )
        .solved_by(&[
            Edit::Append(
                "Fig tree",
                "\nCuttings: take them in February, 20 cm long.\nThree buds below the soil\nOne for Yusra, one for \
                 the school",
            ),
            Edit::Delete("Fig cuttings"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-torture-chamber",
            "Please give my note Torture chamber the title Physio exercises, my physiotherapist nearly saw it, haha",
            Expected::default().rename("Torture chamber", "Physio exercises"),
        )
        .note(
            "Torture chamber",
            "health",
            "Heel slides, towel squeeze, wall sit.\nThree rounds, every other day",
        )
        .note(
            "Castle",
            "outings",
            "The torture chamber is shown at 14:00 only. Dogs stay outside.",
        )
        .solved_by(&[Edit::Rename("Torture chamber", "Physio exercises")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-paper-round",
            "finn packed in the paper round so bin the note about it",
            Expected::default().delete("Paper round"),
        )
        .note(
            "Paper round",
            "children",
            "Wednesdays and Saturdays, 87 doors. The bag hangs in the hall.",
        )
        .note(
            "Paper collection",
            "house",
            "Tie it up with string, nothing with a coating. Out by seven.",
        )
        .note(
            "Finn",
            "children",
            "Shoe size 42, no peanuts. Finn wants a skateboard deck.",
        )
        .solved_by(&[Edit::Delete("Paper round")]),
        Task::strict(
            "delete-pasta-machine",
            "After three clogged Sundays I gave the pasta machine to my nephew, who's over the moon. What I wrote down \
             about it is of no use here any more, could you remove it?",
            Expected::default().delete("Pasta machine"),
        )
        .note(
            "Pasta machine",
            "kitchen",
            "Never wash it, brush it out. Setting 6 for tagliatelle, 7 tears.",
        )
        .note(
            "Pasta dough",
            "kitchen",
            "100 g of semolina to an egg, rest it for half an hour under a bowl.",
        )
        .note(
            "Bread machine",
            "kitchen",
            "Programme 4 for rye. The paddle stays stuck in the loaf.",
        )
        .solved_by(&[Edit::Delete("Pasta machine")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-camellia",
        "Link Camellia with Pine needle mulch, please. When I read the one I always go hunting for the other.",
        |world| {
            let [camellia, mulch, cactus] = SHRUBS;
            world.are_linked([camellia, mulch], cactus, "linkcamelliawithpine")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "plants", text);
    let task = SHRUBS.iter().fold(task, with);
    vec![
        task.may(0, &["Camellia", "Pine needle mulch"])
            .solved_by(&[Edit::Append("Camellia", "\n[[Pine needle mulch]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-knitting-retreat",
        "i need one overview note for the knitting retreat that links each note about it",
        |world| world.is_looked_over(&RETREAT, 3, "ineedoneoverviewnote"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = RETREAT.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Knitting retreat",
        "- [[Wool parcel]]\n- [[Seats on the train]]\n- [[Room plan]]",
    )])]
}
