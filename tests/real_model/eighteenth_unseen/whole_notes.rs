//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const JOINERY: [(&str, &str); 3] = [
    (
        "Dovetail joints",
        "Slope of one to six, cut the tails first. Pare down to the line with the wide chisel.",
    ),
    (
        "Tool chest",
        "Pine, 90 cm long, two sliding tills. The lid gets a piano hinge.",
    ),
    (
        "Bird table",
        "Offcuts of larch, the roof in felt. One screw from below into the post.",
    ),
];

/// Title and text of the notes of the overview task: three about the harvest supper, two about other
/// things.
const SUPPER: [(&str, &str); 5] = [
    (
        "Long tables",
        "Nine of them for the harvest supper, from the fire station. Blaise has a van.",
    ),
    (
        "Pumpkin soup for sixty",
        "Harvest supper: 14 kilos of pumpkin, the two big pots, start at three.",
    ),
    (
        "Fiddle duo",
        "Plays at the harvest supper from 19:20, wants two chairs without arms.",
    ),
    (
        "Harvest mites",
        "Itchy ankles in August. Fennel oil helps, long socks help more.",
    ),
    (
        "Supper club",
        "Every second Friday at Yasmin's, eight seats. Bring a bottle.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "ice-bathing-merge",
            "I've got two notes for the same thing. Please put what's in Cold dip into Ice bathing as well, then delete \
             Cold dip.",
            Expected::default()
                .change(
                    "Ice bathing",
                    &[
                        "jetty",
                        "7:40|07:40|7.40|07.40",
                        "alone",
                        "2 min|two min|2-min|two-min",
                        "neoprene",
                        "agneta",
                    ],
                )
                .delete("Cold dip"),
        )
        .note(
            "Ice bathing",
            "sport",
            "From the jetty, Saturdays at 7:40.\nNever go in alone",
        )
        .note(
            "Cold dip",
            "sport",
            "Two minutes at the most\nNeoprene socks, woolly hat\nHot drinks: Agneta",
        )
        .note(
            "Cold buffet",
            "party",
            "The dip has to stand on ice. Agneta makes the terrine.",
        )
        .solved_by(&[
            Edit::Append(
                "Ice bathing",
                "\nTwo minutes at the most\nNeoprene socks, woolly hat\nHot drinks: Agneta",
            ),
            Edit::Delete("Cold dip"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-pilgrimage",
            "pilgrimage sounds too holy for what we do, call that note Long walk instead",
            Expected::default().rename("Pilgrimage", "Long walk"),
        )
        .note(
            "Pilgrimage",
            "travel",
            "Nine days from Le Puy, 22 km a day. Bunks are 19 euros.\nAnselma carries the first-aid kit",
        )
        .note(
            "Walking boots",
            "clothes",
            "Size 42, new soles in May. Wax them before a long trip.",
        )
        .solved_by(&[Edit::Rename("Pilgrimage", "Long walk")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-stair-gate",
            "the twins just climb over the stair gate, we've taken it down. that note can go",
            Expected::default().delete("Stair gate"),
        )
        .note(
            "Stair gate",
            "kids",
            "Fits 73 to 82 cm, the hex key is taped to the back. Tighten it every month.",
        )
        .note(
            "Paddock gate",
            "horses",
            "The chain goes round twice. The hinge was taken off by the frost.",
        )
        .note(
            "Stair runner",
            "house",
            "Sisal, 11 steps, 65 cm wide. The twins spilt cocoa on the third.",
        )
        .solved_by(&[Edit::Delete("Stair gate")]),
        Task::strict(
            "delete-exchange-student",
            "Our exchange student has pulled out, her parents are moving to Perth. Would you delete the note about \
             her, please?",
            Expected::default().delete("Exchange student"),
        )
        .note(
            "Exchange student",
            "school",
            "Zosia, sixteen, allergic to cats. Arrives on 9 September, stays for ten weeks.",
        )
        .note(
            "Student card",
            "papers",
            "Number 6650-18, valid until September. Cheaper lunches.",
        )
        .note(
            "Glove exchange",
            "school",
            "Box by the gym. Parents bring what is too small.",
        )
        .solved_by(&[Edit::Delete("Exchange student")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-dovetail",
        "when i build the tool chest i'll need the dovetail joints, so please link those two notes",
        |world| {
            let [joints, chest, table] = JOINERY;
            world.are_linked([joints, chest], table, "whenibuildthetoolchest")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "woodwork", text);
    let task = JOINERY.iter().fold(task, with);
    vec![
        task.may(0, &["Dovetail joints", "Tool chest"])
            .solved_by(&[Edit::Append("Tool chest", "\n[[Dovetail joints]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-harvest-supper",
        "Could you make one new overview note for the harvest supper, with links to all the notes I have about it?",
        |world| world.is_looked_over(&SUPPER, 3, "couldyoumakeonenew"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = SUPPER.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Harvest supper",
        "- [[Long tables]]\n- [[Pumpkin soup for sixty]]\n- [[Fiddle duo]]",
    )])]
}
