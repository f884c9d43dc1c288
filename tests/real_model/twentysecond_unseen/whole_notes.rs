//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const CASTING: [(&str, &str); 3] = [
    (
        "Plaster moulds",
        "Soap them on the inside, pour in two goes. Open after 35 minutes, not before.",
    ),
    (
        "Garden gnomes",
        "Seven for the raffle, the lantern is hollow. No paint until they are bone dry.",
    ),
    (
        "Straw wreaths",
        "Rings of 25 cm, wire from left to right. Hang them out of the sun.",
    ),
];

/// Title and text of the notes of the overview task: three about the dog show, two about other things.
const SHOW: [(&str, &str); 5] = [
    (
        "Ring of straw bales",
        "For the dog show: 44 bales from Wensley's, put up the evening before.",
    ),
    (
        "Rosettes",
        "Red, blue and yellow for the dog show, 36 in all. Perpetua sews them.",
    ),
    (
        "Judge from Tralee",
        "Gets here for the dog show at 10:52 by train, eats no meat.",
    ),
    (
        "Dog days",
        "Curtains shut by ten, water the pots twice. Mint tea is in the fridge.",
    ),
    (
        "Horse show",
        "Second Sunday in May, we only go to watch. Parking is 6 euros.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "roller-derby-merge",
            "I seem to have started two notes on one thing. Please put what's in Derby training into Roller derby too, \
             and delete Derby training after that.",
            Expected::default()
                .change(
                    "Roller derby",
                    &[
                        "tram depot",
                        "20:20|20.20|8:20|8.20",
                        "mouth guard",
                        "34",
                        "toe stop",
                        "grey",
                        "knee pads|kneepads",
                        "zdenka",
                    ],
                )
                .delete("Derby training"),
        )
        .note(
            "Roller derby",
            "sport",
            "Fridays at 20:20 in the old tram depot.\nNever without the mouth guard",
        )
        .note(
            "Derby training",
            "sport",
            "Insurance is 34 euros a year\nSpare toe stops, the grey ones\nKnee pads: Zdenka",
        )
        .note(
            "Derby hat",
            "clothes",
            "Grey felt, size 58. Zdenka wants to borrow it for the training weekend.",
        )
        .solved_by(&[
            Edit::Append(
                "Roller derby",
                "\nInsurance is 34 euros a year\nSpare toe stops, the grey ones\nKnee pads: Zdenka",
            ),
            Edit::Delete("Derby training"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-man-cave",
            "man cave makes me cringe every time i read it, that note should be called Hobby room",
            Expected::default().rename("Man cave", "Hobby room"),
        )
        .note(
            "Man cave",
            "house",
            "Fuse 9 in the hall. The sofa bed is 142 cm wide.\nThe dartboard hangs opposite the door",
        )
        .note(
            "Coal cellar",
            "house",
            "Two steps down, mind the beam. The onions are in the crate on the left.",
        )
        .solved_by(&[Edit::Rename("Man cave", "Hobby room")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-treadmill",
            "my brother has got the treadmill now and he's keeping it, so the note on it can go",
            Expected::default().delete("Treadmill"),
        )
        .note(
            "Treadmill",
            "sport",
            "Incline 3, 20 minutes. A drop of silicone oil under the belt every month.",
        )
        .note(
            "Hamster wheel",
            "pets",
            "28 cm across, it squeaks without oil. My brother glued the axle.",
        )
        .note(
            "Flour mill",
            "kitchen",
            "Setting 4 for spelt. Brush the stones out, no water.",
        )
        .solved_by(&[Edit::Delete("Treadmill")]),
        Task::strict(
            "delete-film-shoot",
            "The film people have chosen somebody else's house after all. Would you delete the note about the film \
             shoot, please?",
            Expected::default().delete("Film shoot"),
        )
        .note(
            "Film shoot",
            "house",
            "Six days in May, 900 euros a day. The grand piano has to go into the barn.",
        )
        .note(
            "Photo shoot",
            "family",
            "Sunday at eleven by the weir, all of us in blue. Takes an hour.",
        )
        .note(
            "Bamboo shoots",
            "kitchen",
            "Two tins behind the rice, rinse them well. Delia's curry takes one.",
        )
        .solved_by(&[Edit::Delete("Film shoot")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-garden-gnomes",
        "i cast the garden gnomes in the plaster moulds, so please link those two notes",
        |world| {
            let [moulds, gnomes, wreaths] = CASTING;
            world.are_linked([moulds, gnomes], wreaths, "icastthegardengnomes")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "crafts", text);
    let task = CASTING.iter().fold(task, with);
    vec![
        task.may(0, &["Plaster moulds", "Garden gnomes"])
            .solved_by(&[Edit::Append("Garden gnomes", "\n[[Plaster moulds]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-dog-show",
        "I'd like one new overview note for the dog show please, with links to all the notes that I have about it",
        |world| world.is_looked_over(&SHOW, 3, "idlikeonenewoverview"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = SHOW.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Dog show",
        "- [[Ring of straw bales]]\n- [[Rosettes]]\n- [[Judge from Tralee]]",
    )])]
}
