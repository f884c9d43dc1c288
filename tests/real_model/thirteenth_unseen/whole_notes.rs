//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const SNACKS: [(&str, &str); 3] = [
    (
        "Falafel",
        "Soak the beans overnight, plenty of parsley. Fry them for five minutes.",
    ),
    (
        "Mint sauce",
        "A bunch of mint, 200 g of yoghurt, half a lemon.",
    ),
    (
        "Ravioli",
        "Ricotta and spinach, seal the edges with a fork. Three minutes in water.",
    ),
];

/// Title and text of the notes of the overview task: three about the science fair, two about other things.
const FAIR: [(&str, &str); 5] = [
    (
        "Crystal jar",
        "Our experiment for the science fair: alum and hot water, grows for eleven days.",
    ),
    (
        "Display board",
        "Science fair: 90 by 120 cm, three folds. Glue the photos on last.",
    ),
    (
        "Table plan",
        "We have table 26 at the science fair, next to the socket. Set up from 7:50.",
    ),
    (
        "Fun fair",
        "Family day is Wednesday, all rides at half price.",
    ),
    (
        "Science museum",
        "The lockers take one-euro coins, the robot show is at noon.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "gerbils-merge",
            "Can you move everything from Gerbil care over to Gerbils and then get rid of Gerbil care? One note \
             will do.",
            Expected::default()
                .change(
                    "Gerbils",
                    &[
                        "nutmeg",
                        "ziggy",
                        "february",
                        "sand bath",
                        "8 cm|8cm|eight cm|eight centi|8 centi",
                        "hamish",
                    ],
                )
                .delete("Gerbil care"),
        )
        .note(
            "Gerbils",
            "pets",
            "Nutmeg and Ziggy, both from the shelter.\nBorn in February",
        )
        .note(
            "Gerbil care",
            "pets",
            "Sand bath: every other day\nBedding at least 8 cm deep\nHoliday sitter: Hamish",
        )
        .note(
            "Day care",
            "children",
            "Shut in the last week of February. Hamish has the spare pass.",
        )
        .solved_by(&[
            Edit::Append(
                "Gerbils",
                "\nSand bath: every other day\nBedding at least 8 cm deep\nHoliday sitter: Hamish",
            ),
            Edit::Delete("Gerbil care"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-vernissage",
            "Vernissage sounds a bit posh, could you rename that note to Opening night?",
            Expected::default().rename("Vernissage", "Opening night"),
        )
        .note(
            "Vernissage",
            "art",
            "Catriona says a few words at 18:40. Crackers, fizz, forty glasses.\nPrice list by the door",
        )
        .note(
            "Night of the museums",
            "art",
            "Opening at six, the shuttle is included in the wristband.",
        )
        .solved_by(&[Edit::Rename("Vernissage", "Opening night")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-jukebox",
            "no jukebox at the party after all, too expensive. bin the note about it pls",
            Expected::default().delete("Jukebox"),
        )
        .note(
            "Jukebox",
            "party",
            "From Kessler Events, 240 euros for the night, weighs 130 kilos.",
        )
        .note(
            "Photo booth",
            "party",
            "From Kessler Events, 190 euros. Needs two metres of wall.",
        )
        .note(
            "Party music",
            "party",
            "Lachlan brings his speakers and no ballads, please.",
        )
        .solved_by(&[Edit::Delete("Jukebox")]),
        Task::strict(
            "delete-cottage",
            "Somebody else snapped up the cottage in Corsica, so I don't need what I wrote down about it. \
             Please delete it.",
            Expected::default().delete("Cottage in Corsica"),
        )
        .note(
            "Cottage in Corsica",
            "travel",
            "Two bedrooms, an outdoor shower, 720 euros a week. Ask for Madame Lefebvre.",
        )
        .note(
            "Ferry to Corsica",
            "travel",
            "From Livorno at 8:15, four hours. Cabins cost 35 euros more.",
        )
        .note(
            "Cottage pie",
            "recipes",
            "500 g of mince, mash on top. 35 minutes until it is brown.",
        )
        .solved_by(&[Edit::Delete("Cottage in Corsica")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-falafel",
        "I always make falafel and mint sauce together, can you link those two notes?",
        |world| {
            let [falafel, sauce, ravioli] = SNACKS;
            world.are_linked([falafel, sauce], ravioli, "ialwaysmakefalafel")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "cooking", text);
    let task = SNACKS.iter().fold(task, with);
    vec![
        task.may(0, &["Falafel", "Mint sauce"])
            .solved_by(&[Edit::Append("Falafel", "\n[[Mint sauce]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-science-fair",
        "please write me a new overview note for the science fair that links to every note i have about it",
        |world| world.is_looked_over(&FAIR, 3, "pleasewritemeanew"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = FAIR.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Science fair",
        "- [[Crystal jar]]\n- [[Display board]]\n- [[Table plan]]",
    )])]
}
