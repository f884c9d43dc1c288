//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        removal_and_list(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-rug-cleaning",
            "New note, title Rug cleaning: Mr Farouk picks up both rugs from the hall, charges 160 euros and \
             brings them back after ten days",
            Expected::default().new_titled(
                "Rug cleaning",
                &[
                    "farouk",
                    "hall",
                    "160",
                    "ten day|10 day|ten-day|10-day|10 d",
                ],
            ),
        )
        .note(
            "Hall floor",
            "house",
            "Oiled in April. One board creaks by the coat stand.",
        )
        .note(
            "Sofa covers",
            "house",
            "To the cleaner's in spring, 95 euros for three.",
        )
        .solved_by(&[Edit::Create(
            "Rug cleaning",
            "Mr Farouk picks up both rugs from the hall and brings them back after ten days. 160 euros.",
        )]),
        Task::strict(
            "dictate-kennel",
            "quick note please.. just had the kennel on the phone, bobo can stay there from the 3rd to the \
             10th of august, it's 28 a night, and he should bring his blanket and the vaccination booklet",
            Expected::default().new_note(&[
                "kennel",
                "bobo",
                "3|03|third|3.8|03.08|3.8.|03.08.",
                "10|tenth|10.8|10.08|10.8.|10.08.",
                "aug|.8|.08|/8|/08|8/|-08",
                "28|twenty-eight|twenty eight",
                "blanket",
                "vaccin|booklet",
            ]),
        )
        .note(
            "Flea collar",
            "dog",
            "Put on in April, lasts eight months.",
        )
        .note(
            "Puppy class",
            "dog",
            "Mrs Amsel, on the meadow behind the mill. The long lead, no whistle.",
        )
        .solved_by(&[Edit::Create(
            "Kennel",
            "Bobo can stay from 3 to 10 August, 28 a night.\nBring: blanket, vaccination booklet",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "oops-wrong-window",
            "oops sorry, wrong window! that was for my sister",
            Expected::default(),
        )
        .note(
            "Roof window",
            "house",
            "The blind jams on the right, crank it slowly.",
        )
        .note(
            "My sister's flat",
            "family",
            "Second floor, bell without a name.",
        ),
        Task::strict(
            "brr-freezing",
            "brr, it's freezing in here today. my fingers are ice!",
            Expected::default(),
        )
        .note(
            "Freezer",
            "kitchen",
            "Defrosted in January, the ice comes back by the hinge first.",
        )
        .note(
            "Hand warmers",
            "",
            "Boil them for ten minutes, then they work again.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "hut-and-kettle",
            "At the Christmas market we've got hut 31 and not hut 13, please put that right. And make a new \
             note that Gundula is lending us her punch kettle, it holds 20 litres.",
            Expected::default()
                .change(
                    "Christmas market",
                    &[
                        "31|thirty-one|thirty one",
                        "friday",
                        "9:00|9.00|09:00|9 am|9am|9 a.m|9 o'clock",
                        "cable",
                    ],
                )
                .lacking(&["13|thirteen", "gundula"])
                .new_note(&["gundula", "kettle", "20|twenty"]),
        )
        .note(
            "Christmas market",
            "advent",
            "We have hut 13, set up on Friday from 9:00.\nBring the long cable.",
        )
        .note(
            "Christmas tree",
            "advent",
            "Number 13 on the farm's list, picked up by Severin.",
        )
        .solved_by(&[
            Edit::Replace("Christmas market", "hut 13", "hut 31"),
            Edit::Create(
                "Punch kettle",
                "Gundula is lending us hers, it holds 20 litres.",
            ),
        ]),
    ]
}

fn removal_and_list() -> Vec<Task> {
    vec![
        Task::strict(
            "studio-furniture",
            "got the keys for the studio today!! so Studio hunt can be deleted. and on Studio furniture: \
             nikos is giving me his swivel chair so cross that out, but a clothes rail has to go on there",
            Expected::default()
                .delete("Studio hunt")
                .change(
                    "Studio furniture",
                    &[
                        "trestle table",
                        "2&floor lamps",
                        "clothes rail|clothes-rail|clothing rail",
                    ],
                )
                .lacking(&["swivel"]),
        )
        .note(
            "Studio hunt",
            "studio",
            "Seen: Tannery Yard (damp), Pier 4 (too dear). Ask again at the old dairy.",
        )
        .note(
            "Studio neighbours",
            "studio",
            "Nikos makes violins, Kalinka paints until late.",
        )
        .note(
            "Studio furniture",
            "studio",
            "- trestle table\n- swivel chair\n- 2 floor lamps",
        )
        .solved_by(&[
            Edit::Delete("Studio hunt"),
            Edit::Replace("Studio furniture", "- swivel chair\n", ""),
            Edit::Append("Studio furniture", "\n- clothes rail"),
        ]),
    ]
}
