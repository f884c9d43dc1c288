//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        reminded(),
        nothing_to_note(),
        two_steps_with_whole_notes(),
        two_changes(),
        two_changes_in_german(),
    ]
    .concat()
}

fn reminded() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-toll-sticker",
            "please remind me on 30 january to buy the new toll sticker for the motorway",
            Expected::default().new_note(&[
                "toll|sticker|vignette",
                "30 Jan|30. Jan|Jan 30|January 30|30th|30.1|30.01|30.1.|30.01.|01-30|1/30|01/30|30/1|30/01",
            ]),
        )
        .note(
            "Roof box",
            "driving",
            "Holds 420 litres, the key is on the hook beside the door.",
        )
        .note(
            "Breakdown service",
            "driving",
            "Membership 77120, they come within an hour.",
        )
        .solved_by(&[Edit::Create(
            "Toll sticker",
            "30 January: buy the new toll sticker for the motorway.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "thanks-for-today",
            "perfect, that's all for today. thanks a lot!",
            Expected::default(),
        )
        .note(
            "Hammock",
            "garden",
            "It carries 160 kg, wash it at 30 degrees.",
        )
        .note("Zumba", "sport", "Every Wednesday, the first hour is free."),
        Task::strict(
            "sleepy-hello",
            "hi there! phew, i'm still sleepy, that was a long weekend",
            Expected::default(),
        )
        .note(
            "Mattress",
            "bedroom",
            "Turn it in spring and in autumn, the cover comes off.",
        )
        .note(
            "Pillows",
            "bedroom",
            "Two of 80 by 80 cm, Enzo has the feather one.",
        ),
    ]
}

fn two_steps_with_whole_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "beach-hut-and-windbreak",
            "the beach hut costs 340 this year, not 310. and make a new note that Thorben has our windbreak \
             until august",
            Expected::default()
                .change("Beach hut", &["27", "340", "kiosk"])
                .lacking(&["310"])
                .new_note(&["windbreak|wind break|wind-break", "thorben", "aug"]),
        )
        .note(
            "Beach hut",
            "seaside",
            "Number 27, 310 euros for the summer. The key is at the kiosk.",
        )
        .note(
            "Tide table",
            "seaside",
            "Hangs inside the door, the new one comes out in December.",
        )
        .solved_by(&[
            Edit::Replace("Beach hut", "310", "340"),
            Edit::Create("Windbreak", "Thorben has our windbreak until August."),
        ]),
        Task::strict(
            "puppy-and-names",
            "put a whistle and chew sticks on the puppy shopping, and you can delete the note Puppy names",
            Expected::default()
                .change("Puppy shopping", &["basket", "collar", "whistle", "chew"])
                .delete("Puppy names"),
        )
        .note("Puppy shopping", "dog", "- basket\n- collar")
        .note("Puppy names", "dog", "Pepper, Wilma, Juno or Biscuit")
        .note(
            "Puppy class",
            "dog",
            "Saturdays at 10:00, behind the sports ground.",
        )
        .solved_by(&[
            Edit::Append("Puppy shopping", "\n- whistle\n- chew sticks"),
            Edit::Delete("Puppy names"),
        ]),
    ]
}

fn two_changes() -> Vec<Task> {
    vec![
        Task::strict(
            "riding-and-farrier",
            "my riding lessons are with Svea now instead of Malte, and the farrier comes on 9 may, not on \
             2 may",
            Expected::default()
                .change(
                    "Riding lessons",
                    &["wednesday", "16:30|16.30|4:30|4.30", "svea", "helmet"],
                )
                .lacking(&["malte"])
                .change(
                    "Farrier",
                    &[
                        "9 May|9. May|May 9|9th|9.5|09.05|9.5.|09.05.|05-09|5/9|05/09|9/5|09/05",
                        "four|4",
                        "cash",
                    ],
                )
                .lacking(&["2 May|2. May|May 2|2nd|2.5|02.05|2.5.|02.05.|05-02|5/2|05/02|2/5|02/05"]),
        )
        .note(
            "Riding lessons",
            "horses",
            "Every Wednesday at 16:30 with Malte. Take the helmet along.",
        )
        .note(
            "Farrier",
            "horses",
            "Comes on 2 May for all four hooves. He wants cash.",
        )
        .note(
            "Hay",
            "horses",
            "Malte brings sixty bales after the second cut.",
        )
        .solved_by(&[
            Edit::Replace("Riding lessons", "Malte", "Svea"),
            Edit::Replace("Farrier", "2 May", "9 May"),
        ]),
    ]
}

fn two_changes_in_german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-parents-and-hunt",
            "der elternabend ist in raum 204, nicht 240. und auf die liste für die schnitzeljagd muss noch \
             eine taschenlampe",
            Expected::default()
                .change(
                    "Elternabend",
                    &["donnerstag", "19 uhr|19:00|19.00", "204", "yilmaz"],
                )
                .lacking(&["240"])
                .change("Schnitzeljagd", &["kreide", "schatztruhe", "taschenlampe"]),
        )
        .note(
            "Elternabend",
            "schule",
            "Am Donnerstag um 19 Uhr in Raum 240. Herr Yilmaz leitet ihn.",
        )
        .note("Schnitzeljagd", "kinder", "- Kreide\n- Schatztruhe")
        .note(
            "Klassenkasse",
            "schule",
            "Es sind noch 240 Euro übrig, Frau Brandl führt das Heft.",
        )
        .solved_by(&[
            Edit::Replace("Elternabend", "240", "204"),
            Edit::Append("Schnitzeljagd", "\n- Taschenlampe"),
        ]),
    ]
}
