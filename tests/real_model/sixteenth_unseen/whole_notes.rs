//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const RADIO: [(&str, &str); 3] = [
    (
        "Morse code course",
        "Wednesdays in the signal box, Mr Aldous taps far too fast.",
    ),
    (
        "Radio licence",
        "34 questions in the exam, 25 of them have to be right. Bring a photo.",
    ),
    (
        "Driving licence",
        "Valid until 2033. The photo is from before the beard.",
    ),
];

/// Title and text of the notes of the overview task: three about the school musical, two about other things.
const MUSICAL: [(&str, &str); 5] = [
    (
        "Pirate costumes",
        "School musical: 17 striped shirts, eye liner, no real hooks.",
    ),
    (
        "Pit orchestra",
        "At the school musical they sit on the left. Two clarinets are missing yet.",
    ),
    (
        "Refreshments",
        "Pretzels and squash in the interval of the school musical, 60 cups.",
    ),
    (
        "Musical box",
        "Plays a waltz, the spring has come loose. Not for children.",
    ),
    (
        "School dinners",
        "Paid by the term, 88 euros. Fish on Fridays.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "falconry-merge",
            "i've got two notes about falconry, one would do. move everything out of Falconry gear into Falconry, and \
             once that's done delete Falconry gear",
            Expected::default()
                .change(
                    "Falconry",
                    &[
                        "valeska",
                        "9:40",
                        "quarry hut",
                        "glove&size 8",
                        "lure",
                        "whistle",
                        "perch&lorcan",
                    ],
                )
                .delete("Falconry gear"),
        )
        .note(
            "Falconry",
            "birds of prey",
            "Course with Valeska, Sundays at 9:40.\nMeet at the quarry hut",
        )
        .note(
            "Falconry gear",
            "birds of prey",
            "Left glove, size 8\nLure and whistle\nThe perch is lent to Lorcan.",
        )
        .note(
            "Climbing gear",
            "sport",
            "Gloves, size 8, and the whistle on a cord. Lorcan has the helmet.",
        )
        .solved_by(&[
            Edit::Append(
                "Falconry",
                "\nLeft glove, size 8\nLure and whistle\nThe perch is lent to Lorcan.",
            ),
            Edit::Delete("Falconry gear"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-lodger",
            "She isn't keen on the word lodger. Let's head that note Flatmate instead of Lodger, what it says is fine.",
            Expected::default().rename("Lodger", "Flatmate"),
        )
        .note(
            "Lodger",
            "house",
            "Room at the back, 410 euros a month. Her bike stands in the hall.\nQuiet after ten",
        )
        .note(
            "Mountain lodge",
            "travel",
            "Eight bunks in a room, quiet after ten. Pay the ranger in cash.",
        )
        .solved_by(&[Edit::Rename("Lodger", "Flatmate")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-farewell-party",
            "Elke isn't leaving for Norway after all, which means there'll be no farewell party! I don't need my note \
             on that any more, please remove it.",
            Expected::default().delete("Farewell party"),
        )
        .note(
            "Farewell party",
            "friends",
            "For Elke, in the bowls pavilion. 26 guests, everybody writes a page for the album.",
        )
        .note(
            "Elke's plants",
            "friends",
            "Twice a week while she is away, the fern needs a mist. Key from the neighbour.",
        )
        .note(
            "Garden party",
            "friends",
            "26 guests, fairy lights from the shed. In the pavilion if it is wet.",
        )
        .solved_by(&[Edit::Delete("Farewell party")]),
        Task::strict(
            "delete-ping-pong-table",
            "ping-pong table collected this morning, cash in hand. its note can go in the bin",
            Expected::default().delete("Ping-pong table"),
        )
        .note(
            "Ping-pong table",
            "for sale",
            "Foldable, net included, 90 euros. One wheel wobbles.",
        )
        .note(
            "Camping table",
            "for sale",
            "Foldable, 15 euros, cash only. With a bag.",
        )
        .note(
            "Ping-pong club",
            "sport",
            "Saturday mornings in the school gym. Bats with red rubber only.",
        )
        .solved_by(&[Edit::Delete("Ping-pong table")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-morse-code",
        "Please link my notes Morse code course and Radio licence with one another, I'm only doing the first for the \
         sake of the second.",
        |world| {
            let [course, radio, driving] = RADIO;
            world.are_linked([course, radio], driving, "pleaselinkmynotes")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "learning", text);
    let task = RADIO.iter().fold(task, with);
    vec![
        task.may(0, &["Morse code course", "Radio licence"])
            .solved_by(&[Edit::Append("Morse code course", "\n[[Radio licence]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-school-musical",
        "i keep losing track of the school musical. write a new overview note, with a link to each of the notes that \
         belong to it",
        |world| world.is_looked_over(&MUSICAL, 3, "writeanewoverviewnote"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = MUSICAL.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "School musical",
        "- [[Pirate costumes]]\n- [[Pit orchestra]]\n- [[Refreshments]]",
    )])]
}
