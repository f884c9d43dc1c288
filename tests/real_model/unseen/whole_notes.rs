//! Notes as a whole: put together, renamed, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the overview task: three about the care home, two about others.
const CARE_HOME: [(&str, &str); 5] = [
    (
        "Name labels",
        "Sixty of them, to be sewn into everything Dad takes to the care home.",
    ),
    (
        "Armchair",
        "Dad's goes to the care home with him, the gap there is 85 cm wide.",
    ),
    (
        "Direct debit",
        "The care home needs the form by the 28th, signed by both of us.",
    ),
    (
        "Care of the copper pans",
        "Lemon and salt, rinse, dry at once. Never in the dishwasher.",
    ),
    (
        "Home insurance",
        "Policy runs until March. The bikes are covered, the shed isn't.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "blackcurrants-merge",
            "i've somehow got two notes about the blackcurrants. tip what's in Blackcurrant \
             pruning into the one called Blackcurrants, then get rid of the pruning one",
            Expected::default()
                .change(
                    "Blackcurrants",
                    &[
                        "three bushes",
                        "ben sarek",
                        "mid june|mid-june",
                        "third",
                        "old wood",
                        "winter",
                        "leaf",
                        "loppers",
                        "gwyn",
                    ],
                )
                .delete("Blackcurrant pruning"),
        )
        .note(
            "Blackcurrants",
            "garden",
            "Three bushes by the water butt, Ben Sarek.\nNet them by mid June",
        )
        .note(
            "Blackcurrant pruning",
            "garden",
            "Cut a third of the old wood down to the ground\nOnly in winter, never in leaf\nGwyn \
             has the loppers",
        )
        .note(
            "Redcurrants",
            "garden",
            "Two bushes along the wall. Cut back to two buds, with sharp loppers.",
        )
        .solved_by(&[
            Edit::Append(
                "Blackcurrants",
                "\nCut a third of the old wood down to the ground\nOnly in winter, never in \
                 leaf\nGwyn has the loppers",
            ),
            Edit::Delete("Blackcurrant pruning"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-new-neighbours",
            "They've lived next door for two years, hardly new by now! The note New neighbours \
             should be called The Okonkwos. Don't touch what's inside.",
            Expected::default().rename("New neighbours", "The Okonkwos"),
        )
        .note(
            "New neighbours",
            "street",
            "Chidi and Ruth, twins in year 4.\nThey have our spare key\nAllergic to cats",
        )
        .note(
            "Old neighbours",
            "street",
            "Moved to Whitby, new address on the fridge. Their plum tree is ours to pick.",
        )
        .solved_by(&[Edit::Rename("New neighbours", "The Okonkwos")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-care-home",
        "Dad's moving into the care home and I'm losing track. Could I have one new note with \
         links to all the notes I've got about that?",
        |world| world.is_looked_over(&CARE_HOME, 3, "losingtrack"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = CARE_HOME.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Dad's care home",
        "- [[Name labels]]\n- [[Armchair]]\n- [[Direct debit]]",
    )])]
}
