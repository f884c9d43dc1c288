//! Notes as a whole: put together, renamed, deleted.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed_or_deleted()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "kayak-merge",
            "Put what stands in Kayak repair into the note Kayak, after that Kayak repair can be deleted.",
            Expected::default()
                .change("Kayak", &["4.6|4,6", "boathouse", "epoxy", "skeg"])
                .delete("Kayak repair"),
        )
        .note(
            "Kayak",
            "kayak",
            "It is 4.6 metres long and lies in the boathouse, top rack.",
        )
        .note(
            "Kayak repair",
            "kayak",
            "The crack was filled with epoxy. The skeg still jams.",
        )
        .note(
            "Paddles",
            "kayak",
            "Two are carbon, the old one is made of ash.",
        )
        .solved_by(&[
            Edit::Append(
                "Kayak",
                "\nThe crack was filled with epoxy. The skeg still jams.",
            ),
            Edit::Delete("Kayak repair"),
        ]),
        Task::strict(
            "knee-merge",
            "there are two notes about my knee, Knee and Knee physio. one is enough, please merge them into \
             Knee",
            Expected::default()
                .change("Knee", &["Lindqvist", "MRI", "tuesday", "7:45|07:45|7.45"])
                .delete("Knee physio"),
        )
        .note(
            "Knee",
            "knee, health",
            "Dr Lindqvist wants an MRI of the left knee.",
        )
        .note(
            "Knee physio",
            "knee, health",
            "Physio is on Tuesdays at 7:45, bring a towel.",
        )
        .note("Back", "health", "Ten minutes of exercises each morning.")
        .solved_by(&[
            Edit::Append("Knee", "\nPhysio is on Tuesdays at 7:45, bring a towel."),
            Edit::Delete("Knee physio"),
        ]),
    ]
}

fn renamed_or_deleted() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-stuff",
            "my note Stuff new should be called Bicycle parts, otherwise I'll never find it again",
            Expected::default().rename("Stuff new", "Bicycle parts"),
        )
        .note(
            "Stuff new",
            "",
            "Chain with 116 links, brake pads B05S, tube 28 inches.",
        )
        .note("Stuff old", "", "The garden hose leaks at the tap.")
        .solved_by(&[Edit::Rename("Stuff new", "Bicycle parts")]),
        Task::strict(
            "rename-receipts",
            "I spelled a title wrong: Tax reciepts must be Tax receipts. Please correct the title.",
            Expected::default().rename("Tax reciepts", "Tax receipts"),
        )
        .note(
            "Tax reciepts",
            "tax",
            "The blue box has everything up to June.",
        )
        .note("Tax office", "tax", "Ms Vermeulen, second floor, room 217.")
        .solved_by(&[Edit::Rename("Tax reciepts", "Tax receipts")]),
        Task::strict(
            "delete-moped",
            "We sold the moped on Saturday. Would you delete the note Moped insurance, please?",
            Expected::default().delete("Moped insurance"),
        )
        .note(
            "Moped insurance",
            "insurance, moped",
            "74 euros a year, runs until the end of February.",
        )
        .note(
            "Household insurance",
            "insurance",
            "Covers water damage, not the bicycles.",
        )
        .solved_by(&[Edit::Delete("Moped insurance")]),
    ]
}
