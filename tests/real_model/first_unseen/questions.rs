//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::renovation_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [from_one_note(), from_several(), in_languages(), from_much()].concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-price",
            "What did we pay for the loom?",
            Expected::default()
                .answer(&["890"], &["Loom"])
                .lacking(&["35"]),
        )
        .note(
            "Loom",
            "weaving",
            "Bought in 2019 from the Hesse workshop for 890 euros. Eight shafts.",
        )
        .note(
            "Wool",
            "weaving",
            "A kilo of fleece is 35 euros at the market.",
        )
        .solved_by(&[Edit::Answer("You paid 890 euros.", &["Loom"])]),
        Task::strict(
            "ask-line",
            "Who rows on seat 3?",
            Expected::default()
                .answer(&["amara"], &["Rowing crew"])
                .lacking(&["katinka", "liv", "dunja"]),
        )
        .note(
            "Rowing crew",
            "rowing",
            "Bow: Katinka\nSeat 2: Liv\nSeat 3: Amara\nStroke: Dunja",
        )
        .note(
            "Rowing shed",
            "rowing",
            "The code of the shed is with Pernille.",
        )
        .solved_by(&[Edit::Answer("Amara rows on seat 3.", &["Rowing crew"])]),
        Task::strict(
            "ask-number",
            "how many chairs are there in the village hall",
            Expected::default()
                .answer(&["64|sixty-four|sixty four"], &["Village hall"])
                .lacking(&["80", "12"]),
        )
        .note(
            "Village hall",
            "hall",
            "The hall holds 80 people. In the store room are 64 chairs. There are 12 tables.",
        )
        .note("School hall", "hall", "40 chairs, rent 15 euros an hour.")
        .solved_by(&[Edit::Answer("There are 64 chairs.", &["Village hall"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-two-notes",
            "At what times do Femke and Rasmus arrive?",
            Expected::default()
                .answer(
                    &["11:52|11.52", "6:37|06:37|6.37"],
                    &["Visit of Femke", "Visit of Rasmus"],
                )
                .lacking(&["9:04"]),
        )
        .note(
            "Visit of Femke",
            "visit",
            "Femke arrives at 11:52 on platform 6.",
        )
        .note(
            "Visit of Rasmus",
            "visit",
            "Rasmus takes the night train and arrives at 6:37.",
        )
        .note(
            "Train to Basel",
            "trains",
            "It arrives at 9:04 and is often late.",
        )
        .solved_by(&[Edit::Answer(
            "Femke arrives at 11:52, Rasmus at 6:37.",
            &["Visit of Femke", "Visit of Rasmus"],
        )]),
        Task::strict(
            "ask-look-alike",
            "Which size are Nuria's hiking boots?",
            Expected::default()
                .answer(&["38"], &["Sizes of Nuria"])
                .lacking(&["42", "36"]),
        )
        .note(
            "Sizes of Nuria",
            "clothes",
            "Gloves: 7\nHiking boots: 38\nSki boots: 36",
        )
        .note("Sizes of Anselm", "clothes", "Gloves: 9\nHiking boots: 42")
        .solved_by(&[Edit::Answer("Size 38.", &["Sizes of Nuria"])]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-german",
            "Bis wann hat die Stadtbibliothek samstags offen?",
            Expected::default()
                .answer(&["14|vierzehn"], &["Stadtbibliothek"])
                .lacking(&["19"]),
        )
        .note(
            "Stadtbibliothek",
            "bibliothek",
            "Montag bis Freitag von 10 bis 19 Uhr\nSamstag von 10 bis 14 Uhr",
        )
        .note(
            "Schwimmbad",
            "schwimmen",
            "Samstags von 8 bis 21 Uhr geöffnet.",
        )
        .solved_by(&[Edit::Answer("Samstags bis 14 Uhr.", &["Stadtbibliothek"])]),
        Task::strict(
            "ask-french",
            "Quel est le numéro du casier de Lucie ?",
            Expected::default()
                .answer(&["218"], &["Casiers"])
                .lacking(&["221", "230"]),
        )
        .note("Casiers", "club", "Lucie : 218\nThéo : 221\nInès : 230")
        .note("Vestiaire", "club", "Le vestiaire ferme à 22 heures.")
        .solved_by(&[Edit::Answer("Le casier 218.", &["Casiers"])]),
        Task::strict(
            "ask-japanese",
            "猫の薬は一日に何回あげますか。",
            Expected::default()
                .answer(&["二回|2回"], &["猫の薬"])
                .lacking(&["三回|3回"]),
        )
        .note("猫の薬", "猫", "猫の薬は一日に二回、食後にあげます。")
        .note("犬の薬", "犬", "犬の薬は一日に三回です。")
        .solved_by(&[Edit::Answer("一日に二回です。", &["猫の薬"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-long-note",
            "In which week is the tiler coming back?",
            Expected::default().answer(&["38"], &["Renovation log"]),
        )
        .note("Renovation log", "house, renovation", &renovation_log())
        .note(
            "Plasterer",
            "house, renovation",
            "The plasterer is booked for week 44.",
        )
        .solved_by(&[Edit::Answer("In week 38.", &["Renovation log"])]),
        Task::strict(
            "ask-among-many",
            "How wide should the entrance of the hedgehog house be?",
            Expected::default().answer(&["13"], &["Hedgehog house"]),
        )
        .note(
            "Hedgehog house",
            "garden, animals",
            "The entrance should be 13 centimetres wide and face south-east.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("13 centimetres.", &["Hedgehog house"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-unknown-name",
            "What is the name of Hedda's piano teacher?",
            Expected::default().no_answer(&["falk", "sorensen"]),
        )
        .note(
            "Hedda",
            "hedda",
            "Hedda lives in Tromsø. Her hairdresser is Mr Falk.",
        )
        .note(
            "Cello lessons",
            "music",
            "Ms Sorensen, second floor, no lift.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-unknown-price",
            "How much was the ferry to Bornholm?",
            Expected::default().no_answer(&["74", "160"]),
        )
        .note(
            "Ferry to Bornholm",
            "ferry, travel",
            "It leaves Sassnitz at 8:00; the crossing takes 3 hours.",
        )
        .note(
            "Ferry to Gotland",
            "ferry, travel",
            "It cost 74 euros for both of us. The cabin was 160 euros.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}
