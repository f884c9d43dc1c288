//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const SWEETS: [(&str, &str); 3] = [
    (
        "Bread pudding",
        "Eight stale rolls, a fistful of raisins. 40 minutes in the oven.",
    ),
    (
        "Vanilla custard",
        "Half a litre of milk, four yolks. It must not boil.",
    ),
    (
        "Cheese straws",
        "Puff pastry, paprika, 14 minutes. They keep in the blue tin.",
    ),
];

/// Title and text of the notes of the overview task: three about the Interrail trip, two about other
/// things.
const RAILS: [(&str, &str); 5] = [
    (
        "Night train to Zagreb",
        "For our Interrail trip: leaves at 21:18, couchettes 41 and 42.",
    ),
    (
        "Seat bookings",
        "Interrail: 10 euros a seat in France, nothing at all in Austria.",
    ),
    (
        "Passes",
        "Both Interrail passes are in the app, seven days of travel each. Mine is on the old phone.",
    ),
    (
        "Commuter ticket",
        "49 euros a month, the office pays half of it.",
    ),
    (
        "Toy trains",
        "Two crates in the attic, the transformer hums.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "granny-flat-merge",
            "Granny flat (2) is really just the rest of Granny flat. stick all of it in there and bin the (2) \
             one",
            Expected::default()
                .change(
                    "Granny flat",
                    &[
                        "48",
                        "yard",
                        "shower",
                        "1 Feb|1. Feb|Feb 1|February 1|1st|first of Feb|1.2|01.02|1.2.|01.02.|02-01|2/1|02/01\
                         |1/2|01/02",
                        "520",
                        "heating",
                        "key",
                        "lorna",
                    ],
                )
                .delete("Granny flat (2)"),
        )
        .note(
            "Granny flat",
            "house",
            "48 square metres, its own way in through the yard.\nThe shower has no step.",
        )
        .note(
            "Granny flat (2)",
            "house",
            "Let from 1 February, 520 euros with heating.\nSecond key: Lorna",
        )
        .note(
            "Granny",
            "family",
            "Moves house for nobody, she says. Likes crosswords with big squares.",
        )
        .solved_by(&[
            Edit::Append(
                "Granny flat",
                "\nLet from 1 February, 520 euros with heating.\nSecond key: Lorna",
            ),
            Edit::Delete("Granny flat (2)"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-flute",
            "Nobody but me knows what 'Thing on Thursday' is. Can you rename that note to Flute exam?",
            Expected::default().rename("Thing on Thursday", "Flute exam"),
        )
        .note(
            "Thing on Thursday",
            "",
            "Room 209 at five. Scales in F and D, then the minuet. Take the certificate folder.",
        )
        .note(
            "Thing on Friday",
            "",
            "Cake for the office, there are nineteen of us.",
        )
        .solved_by(&[Edit::Rename("Thing on Thursday", "Flute exam")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-companies",
            "I GOT THE INTERNSHIP :D so the note with the companies i still wanted to write to can go",
            Expected::default().delete("Companies to write to"),
        )
        .note(
            "Companies to write to",
            "work",
            "Hallberg Optics, Sund & Partner, the waterworks. Always with a photo.",
        )
        .note(
            "Internship",
            "work",
            "At Meridian, from 2 March, twelve weeks. The badge is at the gate.",
        )
        .note(
            "Thank-you letters",
            "",
            "Still to write to: Grandpa, the Amaris, Uncle Jiho.",
        )
        .solved_by(&[Edit::Delete("Companies to write to")]),
        Task::strict(
            "delete-crutches",
            "Crutches are back at the shop, I don't need the reminder to return them any longer. Delete it \
             please.",
            Expected::default().delete("Return the crutches"),
        )
        .note(
            "Return the crutches",
            "health",
            "By 12 June, the slip for the 20 euros is in the kitchen drawer.",
        )
        .note(
            "Return the steam iron",
            "",
            "By 9 June, the box is behind the door. It leaks from the bottom.",
        )
        .note(
            "Medical shop",
            "health",
            "Weir Street, shut over lunch. Crutches and bath seats are at the back.",
        )
        .solved_by(&[Edit::Delete("Return the crutches")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-custard",
        "the custard goes with the bread pudding, so please make a link between those two notes",
        |world| {
            let [pudding, custard, straws] = SWEETS;
            world.are_linked([pudding, custard], straws, "thecustardgoeswith")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "baking", text);
    let task = SWEETS.iter().fold(task, with);
    vec![
        task.may(0, &["Bread pudding", "Vanilla custard"])
            .solved_by(&[Edit::Append("Vanilla custard", "\n[[Bread pudding]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-interrail",
        "Can you make me a starting page for our Interrail trip, a new note with links to all the notes about \
         it?",
        |world| world.is_looked_over(&RAILS, 3, "canyoumakemeastarting"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = RAILS.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Interrail trip",
        "- [[Night train to Zagreb]]\n- [[Seat bookings]]\n- [[Passes]]",
    )])]
}
