//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        reminded(),
        nothing_to_note(),
        two_steps_with_whole_notes(),
        two_steps_in_notes(),
    ]
    .concat()
}

fn reminded() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-dry-cleaner",
            "9 october: fetch the suit from the cleaner's, ticket 5107. would you write me a reminder?",
            Expected::default().new_note(&[
                "suit",
                "clean",
                "5107",
                "9 Oct|9. Oct|Oct 9|Oct. 9|October 9|9th|9.10|09.10|9.10.|09.10.|10-09|9/10|09/10|10/9|10/09",
            ]),
        )
        .note(
            "Shoe repair",
            "errands",
            "Ticket 5170, the brown boots are ready on Friday.",
        )
        .note(
            "Clothes sizes",
            "clothes",
            "Jacket 50, shirts 41, the suit trousers are a 48 long.",
        )
        .solved_by(&[Edit::Create(
            "Suit at the cleaner's",
            "9 October: fetch the suit, ticket 5107.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "done-for-today",
            "ok great, that's it for today. see you tomorrow!",
            Expected::default(),
        )
        .note(
            "Evening class",
            "italian",
            "Room 5, Tuesdays at 19:00. The second volume from now on.",
        )
        .note("Weather station", "", "The batteries last two years."),
        Task::strict(
            "sauna-bliss",
            "just back from the sauna, i feel like a new person haha",
            Expected::default(),
        )
        .note(
            "Sauna club",
            "leisure",
            "Thursdays from 18:00, ladies only on Tuesdays.",
        )
        .note(
            "Bathrobe",
            "clothes",
            "At the tailor's, the belt loop is torn.",
        ),
    ]
}

fn two_steps_with_whole_notes() -> Vec<Task> {
    [change_and_create(), delete_and_change()].concat()
}

fn change_and_create() -> Vec<Task> {
    vec![
        Task::strict(
            "first-aid-and-defibrillator",
            "first-aid course goes on until 16:30, not 15:30 like it says in my note. also start a new note: \
             the defibrillator hangs in the entrance of the town hall, Reinhild has the code",
            Expected::default()
                .change(
                    "First-aid course",
                    &[
                        "16:30|16.30|4:30|4.30|half past four",
                        "9|9:00|09:00|9.00|09.00|nine",
                        "saturday",
                        "fire station",
                        "blanket",
                    ],
                )
                .lacking(&["15:30|15.30|3:30|3.30|half past three"])
                .new_note(&["defib|AED", "town hall", "entrance", "reinhild"]),
        )
        .note(
            "First-aid course",
            "courses",
            "Saturday from 9:00 to 15:30, in the fire station. Bring a blanket.",
        )
        .note(
            "Open day",
            "fire brigade",
            "From 11:00 to 15:30 at the fire station, we run the cake stall.",
        )
        .solved_by(&[
            Edit::Replace("First-aid course", "15:30", "16:30"),
            Edit::Create(
                "Defibrillator",
                "It hangs in the entrance of the town hall. Reinhild has the code.",
            ),
        ]),
    ]
}

fn delete_and_change() -> Vec<Task> {
    vec![
        Task::strict(
            "caravan-and-rehearsal-room",
            "sold the caravan!! you can chuck the note with the people who wanted to buy it. oh and our \
             rehearsal room is C17 now, not C14",
            Expected::default()
                .delete("Caravan enquiries")
                .change(
                    "Rehearsal room",
                    &[
                        "C17|C 17|C-17",
                        "brass band",
                        "key card|keycard|key-card",
                        "23:00|23.00|11 pm|11pm|11 p.m",
                    ],
                )
                .lacking(&["C14|C 14|C-14"]),
        )
        .note(
            "Caravan enquiries",
            "caravan",
            "The Brandls: 6,200 euros\nMr Okoro: comes for a look on Sunday\nJette: has a trailer to swap",
        )
        .note(
            "Caravan insurance",
            "caravan",
            "Cancelled by letter, they pay back what is left of the year.",
        )
        .note(
            "Rehearsal room",
            "band",
            "Room C14, shared with the brass band. The key card works until 23:00.",
        )
        .note(
            "Underground car park",
            "car",
            "Our space is C14, the lift is broken.",
        )
        .solved_by(&[
            Edit::Delete("Caravan enquiries"),
            Edit::Replace("Rehearsal room", "C14", "C17"),
        ]),
    ]
}

fn two_steps_in_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "barbecue-and-swimming-lane",
            "gherkins and paper plates have to go on the barbecue shopping. and noah swims in lane 5 from \
             now on, it used to be 2",
            Expected::default()
                .change(
                    "Barbecue shopping",
                    &["charcoal", "halloumi", "gherkin", "paper plate"],
                )
                .change(
                    "Swimming lessons",
                    &[
                        "noah&5&16:15|noah&five&16:15",
                        "ida&lane 4&15:30|ida&lane four&15:30",
                    ],
                )
                .lacking(&["noah&lane 2|noah&lane two"]),
        )
        .note(
            "Barbecue shopping",
            "barbecue",
            "- charcoal\n- halloumi",
        )
        .note(
            "Barbecue guests",
            "barbecue",
            "- the Lindholms\n- Noah's godmother",
        )
        .note(
            "Swimming lessons",
            "children",
            "Noah: lane 2, Tuesdays 16:15\nIda: lane 4, Fridays 15:30",
        )
        .solved_by(&[
            Edit::Append("Barbecue shopping", "\n- gherkins\n- paper plates"),
            Edit::Replace("Swimming lessons", "lane 2", "lane 5"),
        ]),
    ]
}
