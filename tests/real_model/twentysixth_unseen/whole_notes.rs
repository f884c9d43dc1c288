//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const HEDGEROW: [(&str, &str); 3] = [
    (
        "Rosehips",
        "Pick them after the first frost. Scrape the hairs out with a small spoon.",
    ),
    (
        "Jelly bag",
        "Scald it first, then hang it over the bowl overnight. Never squeeze it.",
    ),
    (
        "Bird seed",
        "Sunflower hearts and chopped peanuts, the magpies take the rest.",
    ),
];

/// Title and text of the notes of the overview task: three about Nan's eightieth, two about other things.
const NAN: [(&str, &str); 5] = [
    (
        "Slideshow",
        "For Nan's eightieth, about 60 pictures. Bernice has the ones from Aden.",
    ),
    (
        "Who sits where",
        "Nan's eightieth: Perce far away from Doreen, the little ones by the door.",
    ),
    (
        "Village hall key",
        "Mrs Pargeter hands it out on the eve of Nan's eightieth, ring twice.",
    ),
    (
        "Office party",
        "The boss pays the first two rounds. Secret Santa up to 10 euros.",
    ),
    (
        "Compression stockings",
        "Size 2, closed toe. The chemist in Bell Street orders them.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "ice-cream-merge",
            "Can you move what's in the note Sorbets over to Ice cream maker and then get rid of Sorbets? One note is \
             plenty.",
            Expected::default()
                .change(
                    "Ice cream maker",
                    &[
                        "18 hours",
                        "lid&left",
                        "lemon&250",
                        "raspberr&180",
                        "pear&120",
                        "gin",
                    ],
                )
                .delete("Sorbets"),
        )
        .note(
            "Ice cream maker",
            "kitchen",
            "Freeze the bowl for 18 hours.\nThe lid sticks, twist it to the left",
        )
        .note(
            "Sorbets",
            "kitchen",
            "Lemon: 250 g of sugar\nRaspberry: 180 g of sugar\nPear: 120 g of sugar, a dash of gin",
        )
        .note(
            "Ice skates",
            "sport",
            "Noor sharpens them. The left lace is too short.",
        )
        .solved_by(&[
            Edit::Append(
                "Ice cream maker",
                "\nLemon: 250 g of sugar\nRaspberry: 180 g of sugar\nPear: 120 g of sugar, a dash of gin",
            ),
            Edit::Delete("Sorbets"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-money-pit",
            "rename the note Money pit to House repairs, my wife doesn't find it funny",
            Expected::default().rename("Money pit", "House repairs"),
        )
        .note(
            "Money pit",
            "house",
            "Chimney flashing 640 euros, back door 910.\nAsk about the grant for the windows",
        )
        .note(
            "House rules",
            "house",
            "No drums after nine. Bikes stay out of the hall.",
        )
        .solved_by(&[Edit::Rename("Money pit", "House repairs")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-waterbed",
            "We finally got rid of the waterbed! Please delete my note about it, I won't need that again.",
            Expected::default().delete("Waterbed"),
        )
        .note(
            "Waterbed",
            "bedroom",
            "Heat it to 27 degrees, conditioner twice a year. Never with a hot-water bottle.",
        )
        .note(
            "Sofa bed for guests",
            "bedroom",
            "Pull the strap first, then the middle bar. Sheets are in the chest.",
        )
        .note(
            "Watering can",
            "garden",
            "The long spout belongs to Mr Delacour. Hang it up to drain.",
        )
        .solved_by(&[Edit::Delete("Waterbed")]),
        Task::strict(
            "delete-finnish",
            "not doing the finnish evening class after all, only 4 people signed up. chuck that note",
            Expected::default().delete("Evening class in Finnish"),
        )
        .note(
            "Evening class in Finnish",
            "learning",
            "Mondays at 19:10 in room 204, 88 euros. Book: the green one.",
        )
        .note(
            "Evening class in web design",
            "learning",
            "Wednesdays at 19:10 in room 118. Bring the charger.",
        )
        .note(
            "Aino",
            "friends",
            "Finnish pen friend, moved to Oulu. Birthday on Midsummer.",
        )
        .solved_by(&[Edit::Delete("Evening class in Finnish")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-rosehips",
        "Please connect my rosehips note with the jelly bag one, I always need them together.",
        |world| {
            let [hips, bag, seed] = HEDGEROW;
            world.are_linked([hips, bag], seed, "pleaseconnectmy")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "autumn", text);
    let task = HEDGEROW.iter().fold(task, with);
    vec![
        task.may(0, &["Rosehips", "Jelly bag"])
            .solved_by(&[Edit::Append("Rosehips", "\n[[Jelly bag]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-nans-eightieth",
        "my notes for nan's eightieth are all over the place. set up one overview note that links to each of them",
        |world| world.is_looked_over(&NAN, 3, "mynotesfornans"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = NAN.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Nan's eightieth",
        "- [[Slideshow]]\n- [[Who sits where]]\n- [[Village hall key]]",
    )])]
}
