//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const SINGING: [(&str, &str); 3] = [
    (
        "Warm-ups",
        "Sirens first, then the tongue twister. Five minutes, no more.",
    ),
    (
        "Breathing exercises",
        "Hiss out for 20 seconds, hands on the ribs. With the children: the candle game.",
    ),
    (
        "Warm coats",
        "The church is at 13 degrees in February. Blankets are in the vestry.",
    ),
];

/// Title and text of the notes of the overview task: three about the anniversary of the club, two about
/// other things.
const CLUB: [(&str, &str); 5] = [
    (
        "Speeches",
        "For the club anniversary: Mr Lundgren five minutes, the mayor ten at most.",
    ),
    (
        "Sheet cakes",
        "Club anniversary: three of them with a knight in icing, collect them at 11:30.",
    ),
    (
        "Old photographs",
        "Hyacinth scans them for the anniversary of the club. 1974 to 1990 are still missing.",
    ),
    (
        "Wedding anniversary",
        "Table for two at the Lotus, 12 September at 19:15.",
    ),
    (
        "Chess books",
        "Lent to Joaquin: the one on endgames and the blue one.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-staff-locker-merge",
            "Locker code and Staff locker are about the same thing really. Please move all that's in Locker code over \
             to Staff locker and then delete Locker code, I keep opening the wrong one at six in the morning.",
            Expected::default()
                .change(
                    "Staff locker",
                    &[
                        "217",
                        "showers",
                        "benedikta",
                        "4-9-0-3|4903|4 9 0 3",
                        "left",
                        "january",
                        "top shelf",
                        "hygiene",
                    ],
                )
                .delete("Locker code"),
        )
        .note(
            "Staff locker",
            "work",
            "Number 217, second row by the showers.\nBenedikta has the spare key",
        )
        .note(
            "Locker code",
            "work",
            "4-9-0-3, turn it to the left first\nNew code every January\nShoes: top shelf only, says the hygiene lady.",
        )
        .note(
            "Left luggage",
            "travel",
            "Locker 88 at the station, code 3-0-9-4. Paid until Sunday.",
        )
        .solved_by(&[
            Edit::Append(
                "Staff locker",
                "\n4-9-0-3, turn it to the left first\nNew code every January\nShoes: top shelf only, says the \
                 hygiene lady.",
            ),
            Edit::Delete("Locker code"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-rename-econometrics",
            "the lecture goes by Applied econometrics since this term so please give my note Econometrics that title",
            Expected::default().rename("Econometrics", "Applied econometrics"),
        )
        .note(
            "Econometrics",
            "uni",
            "Mondays at 10:15 in hall H4, Dr Varga. Problem sets are due on Thursdays.\nOld exams: ask Philippa",
        )
        .note(
            "Economic history",
            "uni",
            "Essay of 3000 words on the guilds. Applied for an extension on Monday.",
        )
        .note(
            "Metric screws",
            "bike",
            "M5 by 16 for the rack, M6 for the stand.",
        )
        .solved_by(&[Edit::Rename("Econometrics", "Applied econometrics")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-delete-lost-purse",
            "my purse turned up behind the radiator!!! cards and all. you can throw out the lost purse note",
            Expected::default().delete("Lost purse"),
        )
        .note(
            "Lost purse",
            "",
            "Red leather, last seen on the 14 tram. Cards blocked on Monday, report 2207-B.",
        )
        .note(
            "Lost property office",
            "town",
            "Monday to Thursday until 15:30, in the basement. A purse costs 4 euros to get back.",
        )
        .note(
            "Purse for Henny",
            "presents",
            "The felt one from the craft stall, red or plum.",
        )
        .solved_by(&[Edit::Delete("Lost purse")]),
        Task::strict(
            "ca-delete-kierans-practice",
            "Kieran passed his gas exam with top marks, so Exam practice for Kieran isn't needed any more. Please \
             delete that one.",
            Expected::default().delete("Exam practice for Kieran"),
        )
        .note(
            "Exam practice for Kieran",
            "firm",
            "Tightness test twice a week, purge times by heart. Mock exam at the college on the 11th.",
        )
        .note(
            "Kieran",
            "firm",
            "Apprentice in his third year, boots size 44. Wants the 17th off.",
        )
        .note(
            "Exam fees",
            "firm",
            "Gas 310 euros, electrics 275 euros. The guild pays half.",
        )
        .solved_by(&[Edit::Delete("Exam practice for Kieran")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "ca-link-warm-ups",
        "The warm-ups only make sense together with the breathing exercises, so would you link Warm-ups and Breathing \
         exercises with each other?",
        |world| {
            let [warm_ups, breathing, coats] = SINGING;
            world.are_linked([warm_ups, breathing], coats, "thewarmupsonlymakesense")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = SINGING.iter().fold(task, with);
    vec![
        task.may(0, &["Warm-ups", "Breathing exercises"])
            .solved_by(&[Edit::Append("Warm-ups", "\n[[Breathing exercises]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "ca-overview-club-anniversary",
        "our chess club turns 50 and i'm losing track of it all. make one new note please that links everything i've \
         written down for the club anniversary",
        |world| world.is_looked_over(&CLUB, 3, "makeonenewnoteplease"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = CLUB.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Club anniversary",
        "- [[Speeches]]\n- [[Sheet cakes]]\n- [[Old photographs]]",
    )])]
}
