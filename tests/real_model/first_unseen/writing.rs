//! New notes, and nothing to note.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [new_notes(), nothing_to_note(), two_steps()].concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-date",
            "Write down under the title Passport that I have to be at the town hall on 27 November at 14:20.",
            Expected::default().new_titled("Passport", &[
                "town hall",
                "27 Nov|Nov 27|November 27|27th|27.11|11-27|11/27|27/11",
                "14:20|14.20|2:20 pm|2.20 pm",
            ]),
        )
        .note(
            "Driving licence",
            "licence",
            "The driving licence is valid until 2031.",
        )
        .solved_by(&[Edit::Create(
            "Passport",
            "Be at the town hall on 27 November at 14:20.",
        )]),
        Task::strict(
            "new-typos",
            "plz sve a noet: the landlord cmes on thursday at 5 pm to look at teh damp wall",
            Expected::default().new_note(&[
                "landlord",
                "thursday",
                "5 pm|5pm|17:00|5 p.m|at 5",
                "damp|wall",
            ]),
        )
        .note("Rent", "rent, flat", "The rent is 820 euros, paid on the third.")
        .solved_by(&[Edit::Create(
            "Landlord",
            "The landlord comes on Thursday at 5 pm to look at the damp wall.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "already-there",
            "If it is not written down yet, note that the hamster gets fresh hay on Saturdays.",
            Expected::default(),
        )
        .note(
            "Hamster",
            "hamster, pets",
            "The hamster gets fresh hay on Saturdays. Its wheel squeaks.",
        )
        .note(
            "Aquarium",
            "fish, pets",
            "A third of the water is changed on Sundays.",
        ),
        Task::strict(
            "only-thanks",
            "Thanks a lot, that was everything for today!",
            Expected::default(),
        )
        .note(
            "Yoga",
            "yoga, sport",
            "Yoga is on Wednesdays at 18:15 in the old gym.",
        )
        .note(
            "Beehive",
            "bees",
            "The second hive has a new queen since May.",
        ),
    ]
}

fn two_steps() -> Vec<Task> {
    vec![
        Task::strict(
            "two-steps-swap",
            "We did not take the flat in Kiel, so delete the note Flat viewing Kiel. And note down that \
             the viewing in Bremen is on Saturday at 13:00.",
            Expected::default()
                .delete("Flat viewing Kiel")
                .new_note(&["bremen", "saturday", "13:00|13.00|1 pm|1:00 pm"])
                .lacking(&["kiel"]),
        )
        .note(
            "Flat viewing Kiel",
            "flat",
            "Third floor, 2 rooms, viewing on Monday at 10:00.",
        )
        .note(
            "Flat wishes",
            "flat",
            "A balcony, no ground floor, at most 900 euros.",
        )
        .solved_by(&[
            Edit::Delete("Flat viewing Kiel"),
            Edit::Create("Viewing in Bremen", "On Saturday at 13:00."),
        ]),
    ]
}
