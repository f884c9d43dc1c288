//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const IRON: [(&str, &str); 3] = [
    (
        "Cornbread",
        "250 g of cornmeal, two eggs, buttermilk. Half an hour, until it sounds hollow.",
    ),
    (
        "Cast iron pan",
        "Never any soap. Rub it with flax oil and heat it up for an hour.",
    ),
    (
        "Polenta",
        "One part cornmeal, four parts stock. Keep stirring, it spits.",
    ),
];

/// Title and text of the notes of the overview task: three about the book festival, two about other things.
const FESTIVAL: [(&str, &str); 5] = [
    (
        "Author dinner",
        "Book festival, on the Friday: table for 14 at the Swan, two of them vegan.",
    ),
    (
        "Signing tent",
        "For the book festival: ten trestle tables, pens, water for the writers.",
    ),
    (
        "Story hour",
        "Sunday at 10:40 at the book festival, cushions in place of chairs.",
    ),
    (
        "Film festival",
        "Passes are 48 euros, the last screening ends after midnight.",
    ),
    (
        "Book tokens",
        "Two of 20 euros in the desk, valid until March.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "sign-language-merge",
            "Sign language homework needn't be a note of its own. Fold all of it into Sign language, then remove \
             the homework one please.",
            Expected::default()
                .change(
                    "Sign language",
                    &[
                        "thandeka",
                        "18:05",
                        "room b",
                        "street names",
                        "video&7",
                        "video&8",
                        "blue shelf",
                    ],
                )
                .delete("Sign language homework"),
        )
        .note(
            "Sign language",
            "courses",
            "Thandeka teaches it, Thursdays at 18:05.\nRoom B, up the spiral stairs",
        )
        .note(
            "Sign language homework",
            "courses",
            "Fingerspell the street names\nVideo 7 and video 8\nThe dictionary is on the blue shelf.",
        )
        .note(
            "Latin homework",
            "courses",
            "Chapter 8, down to the oracle. The dictionary is with Rafaela.",
        )
        .solved_by(&[
            Edit::Append(
                "Sign language",
                "\nFingerspell the street names\nVideo 7 and video 8\nThe dictionary is on the blue shelf.",
            ),
            Edit::Delete("Sign language homework"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-e-reader",
            "i don't own a kindle any more, it's another brand now, so change the title of the note Kindle to \
             E-reader",
            Expected::default().rename("Kindle", "E-reader"),
        )
        .note(
            "Kindle",
            "devices",
            "Grey sleeve, 32 GB. Library books go over by cable.\nPIN 4806",
        )
        .note(
            "Kindling",
            "house",
            "Split it thin, the basket by the stove holds enough for a week.",
        )
        .solved_by(&[Edit::Rename("Kindle", "E-reader")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-jury-duty",
            "I've been excused from jury duty, hooray! So whatever I wrote down for that can be deleted.",
            Expected::default().delete("Jury duty"),
        )
        .note(
            "Jury duty",
            "appointments",
            "Court 6, second floor, be there by 9:20. Bring the letter and something to read.",
        )
        .note(
            "Tennis court",
            "sport",
            "Court 6 on Thursdays, bring our own balls. The net sags.",
        )
        .note(
            "Song contest jury",
            "music",
            "Five of us, second row. Points from 1 to 12.",
        )
        .solved_by(&[Edit::Delete("Jury duty")]),
        Task::strict(
            "delete-pergola",
            "had the pergola talk again and we're not building one, end of story. throw the note on it away",
            Expected::default().delete("Pergola"),
        )
        .note(
            "Pergola",
            "garden",
            "Larch, 3 by 4 metres, 1180 euros with the posts. Offer from Rasmussen.",
        )
        .note(
            "Gazebo",
            "garden",
            "Offer from Rasmussen: 640 euros, white canvas. For the summer only.",
        )
        .note(
            "Grapevine",
            "garden",
            "Cut it back in February to two buds. It wants posts of its own.",
        )
        .solved_by(&[Edit::Delete("Pergola")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-cornbread",
        "since the cornbread always gets baked in the cast iron pan, a link between the two notes would be nice",
        |world| {
            let [bread, pan, polenta] = IRON;
            world.are_linked([bread, pan], polenta, "sincethecornbread")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "cooking", text);
    let task = IRON.iter().fold(task, with);
    vec![
        task.may(0, &["Cornbread", "Cast iron pan"])
            .solved_by(&[Edit::Append("Cornbread", "\n[[Cast iron pan]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-book-festival",
        "There's such a lot to do for the book festival.. could you make one new note as a hub that has links to \
         all the notes I've got on it?",
        |world| world.is_looked_over(&FESTIVAL, 3, "couldyoumakeonenewnote"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = FESTIVAL.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Book festival",
        "- [[Author dinner]]\n- [[Signing tent]]\n- [[Story hour]]",
    )])]
}
