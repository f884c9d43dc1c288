//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const BEES: [(&str, &str); 3] = [
    (
        "Hive 6",
        "Nine frames of brood, a calm queen. Mites on the board: 14 a day.",
    ),
    (
        "Varroa treatment",
        "Oxalic acid, 35 grams to a litre of syrup, in the weeks without brood. Gloves!",
    ),
    (
        "Wasp traps",
        "Beer and jam, six metres from the hives. Empty them on Saturdays.",
    ),
];

/// Title and text of the notes of the overview task: three about the tower appeal, two about other things.
const APPEAL: [(&str, &str); 5] = [
    (
        "Scaffolding",
        "Tower appeal: Jessop and Sons, 11 weeks, 8,400 pounds.",
    ),
    (
        "Sponsored climb",
        "For the tower appeal, 96 steps, 3 pounds a go. Cordelia has the forms.",
    ),
    (
        "Grant application",
        "The diocese decides on the tower appeal at Michaelmas. Two copies.",
    ),
    (
        "Water tower",
        "Listed since 1987, bats in the roof. Closed in summer.",
    ),
    (
        "Blanket collection",
        "The shelter takes wool ones only, Fridays in the porch.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-aquarium-merge",
            "There are two notes on the aquarium and it annoys me every time. Please move what's in Aquarium chores \
             over to Aquarium, then Aquarium chores can go.",
            Expected::default()
                .change(
                    "Aquarium",
                    &[
                        "112",
                        "25 degrees|25 °|25°",
                        "tetra",
                        "catfish",
                        "third&water&sunday",
                        "sponge&tank water",
                        "priya",
                    ],
                )
                .delete("Aquarium chores"),
        )
        .note(
            "Aquarium",
            "pets",
            "112 litres, 25 degrees.\nEleven neon tetras and a catfish",
        )
        .note(
            "Aquarium chores",
            "pets",
            "Change a third of the water on Sundays\nRinse the sponge in tank water only\nPriya feeds them when we are \
             away.",
        )
        .note(
            "Terrarium",
            "pets",
            "26 degrees, mist it on Sundays. Priya is afraid of the gecko.",
        )
        .solved_by(&[
            Edit::Append(
                "Aquarium",
                "\nChange a third of the water on Sundays\nRinse the sponge in tank water only\nPriya feeds them when \
                 we are away.",
            ),
            Edit::Delete("Aquarium chores"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-quiz-team-renamed",
            "we voted!! team is called Agatha Quiztie from now on so pls change the title of the note Quizzly Bears to \
             that, the rest stays",
            Expected::default().rename("Quizzly Bears", "Agatha Quiztie"),
        )
        .note(
            "Quizzly Bears",
            "pub quiz",
            "Thursdays at the Plough, six of us at the most.\nEntry is 2 pounds each\nGwen is good at flags.",
        )
        .note(
            "School quiz",
            "school",
            "Thursday 14 May, our team sits by the stage. Bring a cake.",
        )
        .solved_by(&[Edit::Rename("Quizzly Bears", "Agatha Quiztie")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-stairlift-quotes",
            "The stairlift has been in since Tuesday and mother rides it like a queen, therefore the note with the \
             quotes for it has served its purpose. Do away with it, please.",
            Expected::default().delete("Stairlift quotes"),
        )
        .note(
            "Stairlift quotes",
            "mother",
            "Ascendo 3,250, Haldane 2,980 with the folding seat. Both fit within a week.",
        )
        .note(
            "Stair carpet quotes",
            "house",
            "Wool 890, sisal 640. Mother wants the green one.",
        )
        .note(
            "Mother's physio",
            "mother",
            "Tuesdays at her place, a Mr Quintana. Twenty stairs up and down.",
        )
        .solved_by(&[Edit::Delete("Stairlift quotes")]),
        Task::strict(
            "cb-exams-done",
            "chem and physics are DONE so delete both revision notes. keep bio, thats not till the 19th",
            Expected::default()
                .delete("Chemistry revision")
                .delete("Physics revision"),
        )
        .note(
            "Chemistry revision",
            "school",
            "moles, titration, the reactivity series. flashcards from jude",
        )
        .note(
            "Physics revision",
            "school",
            "waves, circuits, half-life. past papers 2021 to 2023",
        )
        .note(
            "Biology revision",
            "school",
            "osmosis, the kidney, food webs. mind map on the door",
        )
        .note(
            "Physics trip",
            "school",
            "science centre, 14 quid, packed lunch. back by five",
        )
        .solved_by(&[
            Edit::Delete("Chemistry revision"),
            Edit::Delete("Physics revision"),
        ]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "cb-link-hive-and-varroa",
        "I keep flipping back and forth between Hive 6 and Varroa treatment. Could you link the two notes, please?",
        |world| {
            let [hive, varroa, wasps] = BEES;
            world.are_linked([hive, varroa], wasps, "couldyoulinkthetwonotes")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "bees", text);
    let task = BEES.iter().fold(task, with);
    vec![
        task.may(0, &["Hive 6", "Varroa treatment"])
            .solved_by(&[Edit::Append("Hive 6", "\n[[Varroa treatment]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "cb-overview-tower-appeal",
        "The tower appeal is spread over several notes by now. Be so kind as to write a new note that gives an \
         overview of it and links to each of them.",
        |world| world.is_looked_over(&APPEAL, 3, "writeanewnotethatgivesanoverview"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = APPEAL.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Tower appeal",
        "- [[Scaffolding]]\n- [[Sponsored climb]]\n- [[Grant application]]",
    )])]
}
