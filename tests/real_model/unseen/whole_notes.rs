//! Notes as a whole: put together, renamed, deleted.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed_or_deleted()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "sourdough-merge",
            "can you make one note out of Sourdough and Sourdough tips? it should be called Sourdough",
            Expected::default()
                .change(
                    "Sourdough",
                    &["sunday", "50", "rye", "26", "four|4", "lid", "loose"],
                )
                .delete("Sourdough tips"),
        )
        .note(
            "Sourdough",
            "baking, sourdough",
            "Feed it every Sunday with 50 g of rye flour.",
        )
        .note(
            "Sourdough tips",
            "baking, sourdough",
            "At 26 degrees it rises in four hours. The lid stays loose.",
        )
        .note(
            "Pizza stone",
            "baking",
            "Heat it for half an hour, never wash it with soap.",
        )
        .solved_by(&[
            Edit::Append(
                "Sourdough",
                "\nAt 26 degrees it rises in four hours. The lid stays loose.",
            ),
            Edit::Delete("Sourdough tips"),
        ]),
        Task::strict(
            "darts-merge",
            "Everything in Darts league 2 belongs in Darts league. Please put it in there and throw the \
             other one away.",
            Expected::default()
                .change(
                    "Darts league",
                    &["monday", "crown", "ashby", "14", "thornton", "28"],
                )
                .delete("Darts league 2"),
        )
        .note(
            "Darts league",
            "darts",
            "Home games are on Mondays in the Crown.",
        )
        .note(
            "Darts league 2",
            "darts",
            "Away games: 14 May in Ashby, 28 May in Thornton.",
        )
        .note(
            "Darts practice",
            "darts",
            "A hundred throws at the double sixteen.",
        )
        .solved_by(&[
            Edit::Append(
                "Darts league",
                "\nAway games: 14 May in Ashby, 28 May in Thornton.",
            ),
            Edit::Delete("Darts league 2"),
        ]),
    ]
}

fn renamed_or_deleted() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-kimchi",
            "Recipe 7 is a silly title, that note should just be called Kimchi",
            Expected::default().rename("Recipe 7", "Kimchi"),
        )
        .note(
            "Recipe 7",
            "",
            "Salt the cabbage for two hours, then the paste, then five days in the jar.",
        )
        .note(
            "Recipe 8",
            "",
            "Beetroot, dill, a litre of brine, a week at the window.",
        )
        .solved_by(&[Edit::Rename("Recipe 7", "Kimchi")]),
        Task::strict(
            "delete-trampoline",
            "the storm took our trampoline, so the note with its warranty can be deleted",
            Expected::default().delete("Warranty trampoline"),
        )
        .note(
            "Warranty trampoline",
            "warranty",
            "Five years on the frame, two on the net.",
        )
        .note(
            "Warranty freezer",
            "warranty",
            "Three years, the slip is in the manual.",
        )
        .solved_by(&[Edit::Delete("Warranty trampoline")]),
    ]
}
