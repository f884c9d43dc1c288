//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::plough_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        with_typos(),
        from_several(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-laminator",
            "how long does the laminator take until it's warm",
            Expected::default()
                .answer(&["7|seven"], &["Laminator"])
                .lacking(&["3|three"]),
        )
        .note(
            "Laminator",
            "office",
            "Takes 7 minutes to get warm. The pouches are in the hall cupboard.",
        )
        .note(
            "Glue gun",
            "crafts",
            "3 minutes until it is hot, never lay it on the felt.",
        )
        .solved_by(&[Edit::Answer("7 minutes.", &["Laminator"])]),
        Task::strict(
            "ask-goat-farm-exit",
            "We're on the motorway to the goat farm already, which exit do I have to take?",
            Expected::default()
                .answer(&["38|thirty-eight|thirty eight"], &["Goat farm"])
                .lacking(&["52|fifty-two|fifty two"]),
        )
        .note(
            "Goat farm",
            "outings",
            "Take exit 38, then along the brook. They only take cash for the cheese.",
        )
        .note(
            "Ostrich farm",
            "outings",
            "Exit 52, left at the silo. The feathers are a euro each.",
        )
        .solved_by(&[Edit::Answer("Take exit 38.", &["Goat farm"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bike-cellar-tag",
            "waht colur si teh tag on teh key fro the bkie cellar",
            Expected::default()
                .answer(&["yellow"], &["Bike cellar"])
                .lacking(&["violet"]),
        )
        .note(
            "Bike cellar",
            "flat",
            "No prams in there, please. The key has a yellow tag.",
        )
        .note(
            "Drying room",
            "flat",
            "Only until 21:30. The key has a violet tag and sticks a bit.",
        )
        .solved_by(&[Edit::Answer("Yellow.", &["Bike cellar"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-two-stops",
            "At which stop do I have to get off for Henrietta's flat, and at which one for Emeric's?",
            Expected::default()
                .answer(&["quarry lane", "almond grove"], &["Henrietta", "Emeric"])
                .lacking(&["signal hill"]),
        )
        .note(
            "Henrietta",
            "friends",
            "Her flat: get off at Quarry Lane. Two cats, the bell is broken.",
        )
        .note(
            "Emeric",
            "friends",
            "His flat: get off at Almond Grove. Doesn't like surprises.",
        )
        .note(
            "Lisbet",
            "friends",
            "Her flat: get off at Signal Hill. Always brings a cushion.",
        )
        .solved_by(&[Edit::Answer(
            "Quarry Lane for Henrietta, Almond Grove for Emeric.",
            &["Henrietta", "Emeric"],
        )]),
        Task::strict(
            "ask-table-seats",
            "laying the tables now, for how many people is the abara table and for how many the mercado one",
            Expected::default()
                .answer(&["9|nine", "7|seven"], &["Abara table", "Mercado table"])
                .lacking(&["14|fourteen"]),
        )
        .note(
            "Abara table",
            "golden jubilee",
            "For 9 people, by the window. White napkins.",
        )
        .note(
            "Mercado table",
            "golden jubilee",
            "For 7 people, next to the band. No nuts on the plates.",
        )
        .note(
            "Voss table",
            "golden jubilee",
            "For 14 people, out on the terrace. A pram goes beside it.",
        )
        .solved_by(&[Edit::Answer(
            "The Abara table is for 9 people, the Mercado table for 7.",
            &["Abara table", "Mercado table"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hat-wool-german",
            "wie viel meter wolle brauch ich für die mütze eigentlich nochmal?",
            Expected::default()
                .answer(&["180|hundertachtzig"], &["Mütze"])
                .lacking(&["130|hundertdreißig|hundertdreissig"]),
        )
        .note(
            "Mütze",
            "stricken",
            "Wolle: 180 Meter\nBündchen: 7 cm\nBommel nicht vergessen",
        )
        .note(
            "Stulpen",
            "stricken",
            "Wolle: 130 Meter, Gunhild hat noch ein graues Knäuel.",
        )
        .solved_by(&[Edit::Answer("180 Meter.", &["Mütze"])]),
        Task::strict(
            "ask-goldfish-water-japanese",
            "金魚の水って何日おきに替えるんだったっけ？",
            Expected::default()
                .answer(&["五日|5日|5 日"], &["金魚"])
                .lacking(&["十日|10日|10 日"]),
        )
        .note("金魚", "生き物", "水は五日おきに替える。\nえさは朝だけ。")
        .note(
            "メダカ",
            "生き物",
            "水は十日おきに替える。\n鉢は日陰に置く。",
        )
        .solved_by(&[Edit::Answer("五日おきです。", &["金魚"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-snowplough-van",
            "whose van did I pull out with the snowplough that time, and what was it full of?",
            Expected::default()
                .answer(&["oriane", "tulip"], &["Snowplough log"])
                .lacking(&["thibaud"]),
        )
        .note("Snowplough log", "work", &plough_log())
        .note(
            "Removal van",
            "moving",
            "Thibaud lends us his, it is full to the roof with chairs until Sunday.",
        )
        .solved_by(&[Edit::Answer(
            "Oriane's van, it was full of tulips.",
            &["Snowplough log"],
        )]),
        Task::strict(
            "ask-crowd-swing",
            "how high above the ground does the swing have to hang?",
            Expected::default().answer(&["40|forty|0.4|0,4|0.40"], &["Swing"]),
        )
        .note(
            "Swing",
            "garden",
            "The seat hangs 40 cm above the ground. Valdemar has the shackles for the rope.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("40 cm.", &["Swing"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_number(), unknown_date_and_person()].concat()
}

fn unknown_number() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-abbey-rooms",
            "how many rooms are there in the guest house of the abbey?",
            Expected::default().no_answer(&["17", "seventeen"]),
        )
        .note(
            "Guest house of the abbey",
            "travel",
            "Brother Anskar answers the phone. Soup at noon, silence from nine on.",
        )
        .note(
            "Guest house of the brewery",
            "travel",
            "17 rooms on two floors, breakfast costs extra.",
        )
        .solved_by(&[Edit::NotFound(
            "The notes do not say how many rooms it has.",
        )]),
    ]
}

fn unknown_date_and_person() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-naturalisation-day",
            "When is Nadezhda's naturalisation? I'd have to swap my shift for it",
            Expected::default().no_answer(&["6 July", "July 6", "6th", "06.07", "6.7"]),
        )
        .note(
            "Nadezhda's naturalisation",
            "friends",
            "Dark suit, passport along. She reads the oath out loud, four guests may come.",
        )
        .note(
            "Annegret's swearing-in",
            "friends",
            "It is on 6 July, in the great hall of the court. No phones.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-wisteria-pruner",
            "the wisteria's halfway into the gutter.. who was it that pruned it for us last year",
            Expected::default().no_answer(&["haverkamp"]),
        )
        .note(
            "Wisteria",
            "garden",
            "Twelve metres along the south wall, blooms in May. The pods are poisonous.",
        )
        .note(
            "Plane tree",
            "garden",
            "Pruned for us by Haverkamp last year, he takes the branches along.",
        )
        .solved_by(&[Edit::NotFound("It is not noted who pruned it.")]),
    ]
}
