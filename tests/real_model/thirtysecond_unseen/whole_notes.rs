//! Notes as a whole: put together, split, renamed, deleted, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the overview task: three about the lindy exchange, two about
/// other things.
const LINDY: [(&str, &str); 5] = [
    (
        "Floor hire",
        "The lindy exchange gets the parquet of the old bakery, 340 euros for the weekend.",
    ),
    (
        "Sleeping places",
        "Sixteen mattresses for the guests of the lindy exchange, five fit in Ottmar's attic.",
    ),
    (
        "Band for Saturday",
        "The Cornichons play at the lindy exchange, two sets and a hot meal each.",
    ),
    (
        "Semester exchange in Turku",
        "The form has to be signed by the dean. Rooms are given out in June.",
    ),
    (
        "Tango shoes",
        "Suede soles, so brush them and keep off wet streets. Size 39 and a half.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), split(), renamed(), gone(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "porto-tips-merge",
            "I've got Porto twice now, my own note and the tips from Magda. Add all of her tips to \
             my Porto note, I don't want to lose a single one, and then get rid of hers.",
            Expected::default()
                .change(
                    "Porto",
                    &[
                        "13:35",
                        "fish hall",
                        "tram 1|tram line 1|line 1",
                        "left",
                        "bookshop",
                        "before ten|before 10|before 10:00",
                        "taxi",
                        "bridge",
                        "steps",
                    ],
                )
                .delete("Porto tips from Magda"),
        )
        .note(
            "Porto",
            "travel",
            "Flight lands at 13:35\nSandwiches at the place by the fish hall",
        )
        .note(
            "Porto tips from Magda",
            "travel",
            "Tram 1 to the river mouth, sit on the left\nBookshop only before ten\nNo taxi from \
             the bridge, take the steps.",
        )
        .note(
            "Seville tips from Magda",
            "travel",
            "Siesta until five, so eat late. Carriage rides are a rip-off.",
        )
        .solved_by(&[
            Edit::Append(
                "Porto",
                "\nTram 1 to the river mouth, sit on the left\nBookshop only before ten\nNo taxi \
                 from the bridge, take the steps.",
            ),
            Edit::Delete("Porto tips from Magda"),
        ]),
    ]
}

fn split() -> Vec<Task> {
    vec![
        Task::strict(
            "migraine-split",
            "my doctor stuff note is a right jumble. get everything about migraine out of it and \
             into a note of its own, just call it Migraine. the rest can stay where it is",
            Expected::default()
                .change("Doctor stuff", &["thyroid", "insurance card", "eye drops"])
                .lacking(&[
                    "half hour|half-hour|half an hour",
                    "red wine|cheese",
                    "holub",
                ])
                .new_titled(
                    "Migraine",
                    &[
                        "tablet|tablets",
                        "half hour|half-hour|half an hour|30 min",
                        "red wine",
                        "cheese",
                        "diary",
                        "holub",
                    ],
                ),
        )
        .note(
            "Doctor stuff",
            "health",
            "Thyroid: blood test every six months\nMigraine: tablet within the first half hour\n\
             Insurance card expires in May\nMigraine: no red wine, no old cheese\nEye drops live \
             in the fridge\nMigraine diary goes to Dr Holub",
        )
        .note(
            "Vet stuff",
            "cat",
            "Worm tablet in May. The drops live in the fridge, beside mine.",
        )
        .solved_by(&[
            Edit::Replace(
                "Doctor stuff",
                "Migraine: tablet within the first half hour\n",
                "",
            ),
            Edit::Replace("Doctor stuff", "Migraine: no red wine, no old cheese\n", ""),
            Edit::Replace("Doctor stuff", "\nMigraine diary goes to Dr Holub", ""),
            Edit::Create(
                "Migraine",
                "Tablet within the first half hour\nNo red wine, no old cheese\nDiary goes to Dr \
                 Holub",
            ),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-thing-in-lyon",
            "ok so the Thing in Lyon has a proper name at last. the note should be called Type \
             Design Days from now on, text stays put",
            Expected::default().rename("Thing in Lyon", "Type Design Days"),
        )
        .note(
            "Thing in Lyon",
            "work",
            "Two days in October, the agency pays for the train.\nOusmane gives a talk",
        )
        .note(
            "Thing in Leipzig",
            "work",
            "Half a day, bring the posters. The tram from the station takes 12 minutes.",
        )
        .solved_by(&[Edit::Rename("Thing in Lyon", "Type Design Days")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-speed-dating",
            "I've met somebody the old-fashioned way (at the bottle bank, of all places), so I \
             shan't be going to any speed dating. Away with the note!",
            Expected::default().delete("Speed dating"),
        )
        .note(
            "Speed dating",
            "town",
            "Wine bar in the arches, 22 euros with one drink. Seven minutes a table.",
        )
        .note(
            "Speed reading",
            "courses",
            "Four evenings in the library, 60 euros. No coffee in the room.",
        )
        .note(
            "Bottle bank",
            "town",
            "Not between one and three, Mrs Lachlan complains. Green goes on the left.",
        )
        .solved_by(&[Edit::Delete("Speed dating")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-lindy-exchange",
        "Three weeks until the lindy exchange and our notes on it are all over the place. Could \
         you make one new note with links to every one of them? Then I can send that round.",
        |world| world.is_looked_over(&LINDY, 3, "allovertheplace"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = LINDY.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Lindy exchange",
        "- [[Floor hire]]\n- [[Sleeping places]]\n- [[Band for Saturday]]",
    )])]
}
