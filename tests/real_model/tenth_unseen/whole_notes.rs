//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const COAST: [(&str, &str); 3] = [
    (
        "Mudflat walk",
        "With Eike, from the dyke by the red kiosk. Barefoot, bring spare trousers.",
    ),
    (
        "Tide table",
        "Low water on Saturday at 11:52, on Sunday at 12:31.",
    ),
    (
        "Island hotel",
        "Room 8 with a view of the harbour, breakfast from half past seven.",
    ),
];

/// Title and text of the notes of the overview task: three about the loft, two about other things.
const LOFT: [(&str, &str); 5] = [
    (
        "Dormers",
        "Two of them for the loft conversion, zinc outside. Delivered in week 34.",
    ),
    (
        "Spiral stairs",
        "Steel, painted white. For the loft conversion the wall in the hall is opened first.",
    ),
    (
        "Building permit",
        "Loft conversion: file number 208/17, Ms Petrakis at the council.",
    ),
    (
        "Wine cellar",
        "Eleven degrees, 210 bottles at the last count.",
    ),
    (
        "Garden wall",
        "Two bricks are loose by the gate. Mortar is in the shed.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed_or_gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "hot-tub-merge",
            "Why do I have two notes for the hot tub.. please put everything from Hot tub chemicals into Hot \
             tub and then remove Hot tub chemicals",
            Expected::default()
                .change(
                    "Hot tub",
                    &[
                        "five hours|5 hours",
                        "38",
                        "cover",
                        "friday",
                        "strip",
                        "7.2",
                        "7.6",
                        "chlorine",
                        "ottokar",
                    ],
                )
                .delete("Hot tub chemicals"),
        )
        .note(
            "Hot tub",
            "terrace",
            "Takes five hours to get to 38 degrees. The cover needs two people.",
        )
        .note(
            "Hot tub chemicals",
            "terrace",
            "Test strip every Friday, pH between 7.2 and 7.6.\nChlorine: Ottokar brings it",
        )
        .note(
            "Paddling pool",
            "terrace",
            "The foot pump is in the shed, fresh water every Friday.",
        )
        .solved_by(&[
            Edit::Append(
                "Hot tub",
                "\nTest strip every Friday, pH between 7.2 and 7.6.\nChlorine: Ottokar brings it",
            ),
            Edit::Delete("Hot tub chemicals"),
        ]),
    ]
}

fn renamed_or_gone() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-fete",
            "wrong year in one of my titles, Village fête 2025 has to be Village fête 2026",
            Expected::default().rename("Village fête 2025", "Village fête 2026"),
        )
        .note(
            "Village fête 2025",
            "fête",
            "Lemonade: Xaver and Yara. The bunting is in the vestry.",
        )
        .note(
            "Village fête 2024",
            "fête",
            "The lemonade ran out at four and the bunting tore.",
        )
        .solved_by(&[Edit::Rename("Village fête 2025", "Village fête 2026")]),
        Task::strict(
            "delete-traps",
            "not one mouse since May!! you can throw out the note about the traps",
            Expected::default().delete("Mouse traps"),
        )
        .note(
            "Mouse traps",
            "house",
            "Two in the larder, one behind the stove. Peanut butter, look every morning.",
        )
        .note(
            "Computer mouse",
            "desk",
            "The batteries last three months, the receiver is in the lid.",
        )
        .note(
            "Larder",
            "house",
            "The hole behind the flour was filled with plaster in May.",
        )
        .solved_by(&[Edit::Delete("Mouse traps")]),
        Task::strict(
            "delete-tree-surgeon",
            "The tree surgeon has been here, so please delete the note with his instructions.",
            Expected::default().delete("Instructions for the tree surgeon"),
        )
        .note(
            "Instructions for the tree surgeon",
            "garden",
            "Only the ash by the fence, leave the nest box. The wood stays here.",
        )
        .note(
            "Instructions for the house sitter",
            "house",
            "Post on the hall table, the blinds down at night.",
        )
        .note("Nest box", "garden", "On the ash, cleaned out in October.")
        .solved_by(&[Edit::Delete("Instructions for the tree surgeon")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-mudflat",
        "I always need Mudflat walk and Tide table together, so link them please",
        |world| {
            let [walk, tide, hotel] = COAST;
            world.are_linked([walk, tide], hotel, "ialwaysneed")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "coast", text);
    let task = COAST.iter().fold(task, with);
    vec![
        task.may(0, &["Mudflat walk", "Tide table"])
            .solved_by(&[Edit::Append("Mudflat walk", "\n[[Tide table]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-loft",
        "I'd like one new note that works as a table of contents for the loft conversion, with a link to each \
         note I have on it.",
        |world| world.is_looked_over(&LOFT, 3, "onenewnotethatworks"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = LOFT.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Loft conversion",
        "- [[Dormers]]\n- [[Spiral stairs]]\n- [[Building permit]]",
    )])]
}
