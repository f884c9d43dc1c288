//! Notes as a whole: put together, renamed, deleted.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed_or_deleted()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "merge-two",
            "Lake trip food should be part of Lake trip. Move it over and drop the extra note.",
            Expected::default()
                .change("Lake trip", &["canoe", "8:30", "cheese rolls", "thermos"])
                .delete("Lake trip food"),
        )
        .note(
            "Lake trip",
            "trip",
            "We leave at 8:30 and rent a canoe at the jetty.",
        )
        .note(
            "Lake trip food",
            "trip, food",
            "Cheese rolls, plums and a thermos of soup.",
        )
        .note("Canoe club", "canoe", "Membership is 60 euros a year.")
        .solved_by(&[
            Edit::Append("Lake trip", "\nCheese rolls, plums and a thermos of soup."),
            Edit::Delete("Lake trip food"),
        ]),
        Task::strict(
            "merge-duplicates",
            "I have two notes on the vet of our cat Momo. Merge Momo vaccination into Vet of Momo.",
            Expected::default()
                .change("Vet of Momo", &["Dr Aydin", "6 April|April 6", "booster"])
                .delete("Momo vaccination"),
        )
        .note(
            "Vet of Momo",
            "momo, vet",
            "Dr Aydin looks after Momo, upstairs in Mill Lane.",
        )
        .note(
            "Momo vaccination",
            "momo, vet",
            "The booster is due on 6 April.",
        )
        .note("Cat sitter", "momo", "Yara looks in twice a day.")
        .solved_by(&[
            Edit::Append("Vet of Momo", "\nThe booster is due on 6 April."),
            Edit::Delete("Momo vaccination"),
        ]),
    ]
}

fn renamed_or_deleted() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-vague",
            "Give the note Misc 3 a better title, namely Sewing patterns.",
            Expected::default().rename("Misc 3", "Sewing patterns"),
        )
        .note(
            "Misc 3",
            "sewing",
            "Burda 6401 for the coat, Simplicity 8014 for the shirt.",
        )
        .note("Misc 2", "", "Spare buttons are in the tin.")
        .solved_by(&[Edit::Rename("Misc 3", "Sewing patterns")]),
        Task::strict(
            "rename-misspelt",
            "There is a spelling mistake in the title Restorants in Porto. It should read Restaurants in \
             Porto.",
            Expected::default().rename("Restorants in Porto", "Restaurants in Porto"),
        )
        .note(
            "Restorants in Porto",
            "porto, travel",
            "Casa Aleixo for octopus, closed on Sundays.",
        )
        .note("Hotel in Porto", "porto, travel", "Room 12, with a view of the bridge.")
        .solved_by(&[Edit::Rename("Restorants in Porto", "Restaurants in Porto")]),
        Task::strict(
            "delete-a-note",
            "The scanner is repaired, so the note Broken scanner can go.",
            Expected::default().delete("Broken scanner"),
        )
        .note(
            "Broken scanner",
            "scanner",
            "The scanner draws a green line down each page.",
        )
        .note("Scanner settings", "scanner", "300 dpi for letters, 600 for photos.")
        .solved_by(&[Edit::Delete("Broken scanner")]),
    ]
}
