//! New notes, beside others that are not meant.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn new_note(facts: &[&str]) -> Expected {
    Expected::default().new_note(facts).dictated()
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "write-typos",
            "note: plummer comming thursdy at 2pm, fix teh drip in the bathroom",
            new_note(&["plum", "thursd", "2", "drip", "bathroom"]),
        )
        .note("Bathroom paint", "", "The paint is called Sea Salt.")
        .solved_by(&[Edit::Create(
            "Plumber",
            "Thursday at 2pm, fix the drip in the bathroom.",
        )]),
        Task::strict(
            "write-recipe",
            "Ben's pancakes: 200 g flour, 2 eggs, 300 ml milk. rest 20 minutes, fry in butter",
            new_note(&["200", "flour", "2 eggs|2&eggs", "300", "20", "butter"]),
        )
        .note("Shopping list", "", "- butter\n- milk\n- rye bread")
        .note("Ideas", "", "Build a shelf in the hall.")
        .solved_by(&[Edit::Create(
            "Ben's pancakes",
            "200 g flour, 2 eggs, 300 ml milk. Rest 20 minutes, fry in butter.",
        )]),
        Task::strict(
            "write-list",
            "packing list for Oslo: boots, raincoat, charger, map",
            new_note(&["boots", "raincoat", "charger", "map"]),
        )
        .note("Packing list for Rome", "", "- sandals\n- sun hat")
        .solved_by(&[Edit::Create(
            "Packing list for Oslo",
            "- boots\n- raincoat\n- charger\n- map",
        )]),
        Task::strict(
            "write-command",
            "save this command: tar -xzf backup.tgz -C /srv",
            new_note(&["tar -xzf backup.tgz -C /srv"]),
        )
        .solved_by(&[Edit::Create("Command", "tar -xzf backup.tgz -C /srv")]),
        Task::strict(
            "write-called",
            "make a note called Gate saying the code is 7741 and the bell is broken",
            Expected::default()
                .new_titled("Gate", &["7741", "bell"])
                .dictated(),
        )
        .solved_by(&[Edit::Create(
            "Gate",
            "The code is 7741 and the bell is broken.",
        )]),
    ]
}

/// Persons, and several notes at once.
pub(super) fn more() -> Vec<Task> {
    vec![
        Task::strict(
            "write-to-ask",
            "write down that we still have to ask who pays for the fence",
            new_note(&["ask", "pays", "fence"]),
        )
        .note("Garden", "", "The roses were cut in March.")
        .solved_by(&[Edit::Create("Fence", "Ask who pays for the fence.")]),
        Task::strict(
            "write-person",
            "Lena moved, she lives at Birch Road 17 now, 3rd floor",
            new_note(&["lena", "birch road 17", "3"]),
        )
        .note("Leonard", "", "He collects stamps.")
        .solved_by(&[Edit::Create(
            "Lena",
            "She lives at Birch Road 17, 3rd floor.",
        )]),
        Task::strict(
            "write-two",
            "two new notes please: the loft key is under the fern. And: bin day is Wednesday now",
            Expected::default()
                .new_note(&["key", "fern"])
                .new_note(&["bin", "wednesday"])
                .dictated(),
        )
        .solved_by(&[
            Edit::Create("Loft key", "It is under the fern."),
            Edit::Create("Bin day", "Wednesday."),
        ]),
    ]
}
