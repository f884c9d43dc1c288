//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const TAGINE: [(&str, &str); 3] = [
    (
        "Chicken tagine",
        "Thighs, green olives, a stick of cinnamon. 70 minutes on the lowest flame.",
    ),
    (
        "Preserved lemons",
        "Quarter them, pack them in salt, wait for six weeks. Rinse well.",
    ),
    (
        "Lemon verbena",
        "Bring the pot in before the frost. Tea from the dried leaves.",
    ),
];

/// Title and text of the notes of the overview task: three about the twinning weekend, two about other things.
const TWINNING: [(&str, &str); 5] = [
    (
        "Beds for the guests",
        "Twinning weekend: the four from Kilronan sleep at Zenobia's, the choir in the gym.",
    ),
    (
        "Brass plaque",
        "To be unveiled on the twinning weekend, 40 by 30 cm, four screws.",
    ),
    (
        "Order of speeches",
        "For the twinning weekend: the mayor five minutes at most, Fidelma translates.",
    ),
    (
        "Weekend cottage",
        "Mousetraps in the pantry, the pump needs a kick. Melchior has the key.",
    ),
    (
        "Twin pushchair",
        "76 cm wide, so not through the garden door. The brake is on the left.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "bassoon-reeds-merge",
            "there's Bassoon and there's Bassoon reeds, and it's always the wrong one i look into. put what's in the \
             reeds one into Bassoon and then get rid of Bassoon reeds ok?",
            Expected::default()
                .change(
                    "Bassoon",
                    &[
                        "on loan",
                        "academy",
                        "swab",
                        "medium hard|medium-hard",
                        "aldegonde",
                        "14 euro|14.00|€14|14€|14 €|fourteen euro",
                        "5 min|five min|5-min|five-min",
                    ],
                )
                .delete("Bassoon reeds"),
        )
        .note(
            "Bassoon",
            "music",
            "On loan from the academy until July.\nSwab it after every rehearsal",
        )
        .note(
            "Bassoon reeds",
            "music",
            "Medium hard, made by Aldegonde\n14 euros apiece\nSoak them for 5 minutes, no longer.",
        )
        .note(
            "Oboe reeds",
            "music",
            "Soft, 11 euros apiece, for Kerensa. Aldegonde does not make these.",
        )
        .solved_by(&[
            Edit::Append(
                "Bassoon",
                "\nReeds: medium hard, made by Aldegonde\n14 euros apiece\nSoak them for 5 minutes, no longer.",
            ),
            Edit::Delete("Bassoon reeds"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-foal",
            "The foal has got her name at long last! So would you please call that note Thistledown and no longer \
             Foal? Nothing else about it changes.",
            Expected::default().rename("Foal", "Thistledown"),
        )
        .note(
            "Foal",
            "horses",
            "Born on 3 May at 4:20 in the morning.\nA white sock on the left hind leg, 95 euros for the vet",
        )
        .note(
            "Foaling box",
            "horses",
            "Straw up to the knee, the camera hangs over the door.",
        )
        .solved_by(&[Edit::Rename("Foal", "Thistledown")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-skip",
            "they came for the skip this morning, finally. don't need that note any more so delete it",
            Expected::default().delete("Skip"),
        )
        .note(
            "Skip",
            "house",
            "5.5 cubic metres, 280 euros, no plasterboard in it. The permit is taped to the side.",
        )
        .note(
            "Skipping rope",
            "sport",
            "2.7 metres for my height. 300 jumps before breakfast.",
        )
        .note(
            "Plasterboard",
            "house",
            "Nine sheets in the garage, 12.5 mm. A screw every 25 cm.",
        )
        .solved_by(&[Edit::Delete("Skip")]),
        Task::strict(
            "delete-zebra-petition",
            "Guess what, the council is painting us that zebra crossing in May!! So the petition has done its job, \
             and I'd be glad if you deleted the note on it.",
            Expected::default().delete("Petition for the zebra crossing"),
        )
        .note(
            "Petition for the zebra crossing",
            "town",
            "347 signatures, the lists are at the baker's and the chemist's. Hand them in at counter 2.",
        )
        .note(
            "Petition against the billboard",
            "town",
            "118 signatures so far. A list hangs at the baker's.",
        )
        .note(
            "Zebra finches",
            "pets",
            "Millet and a cuttlebone. Keep them out of the draught.",
        )
        .solved_by(&[Edit::Delete("Petition for the zebra crossing")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-tagine",
        "that tagine is nothing without the lemons, so link the notes chicken tagine and preserved lemons with one \
         another please",
        |world| {
            let [tagine, lemons, verbena] = TAGINE;
            world.are_linked([tagine, lemons], verbena, "thattagineisnothing")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "kitchen", text);
    let task = TAGINE.iter().fold(task, with);
    vec![
        task.may(0, &["Chicken tagine", "Preserved lemons"])
            .solved_by(&[Edit::Append("Chicken tagine", "\n[[Preserved lemons]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-twinning-weekend",
        "I'm losing track of the twinning weekend. Could you write one single new note for it, with links to all the \
         notes I've got about it?",
        |world| world.is_looked_over(&TWINNING, 3, "writeonesinglenewnote"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = TWINNING.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Twinning weekend",
        "- [[Beds for the guests]]\n- [[Brass plaque]]\n- [[Order of speeches]]",
    )])]
}
