//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::campsite_book;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        one_of_its_lines(),
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
            "ask-carpet-cleaner-scoops",
            "How many scoops of powder does the carpet cleaner want in its tank?",
            Expected::default()
                .answer(&["3|three"], &["Carpet cleaner"])
                .lacking(&["5|five"]),
        )
        .note(
            "Carpet cleaner",
            "house",
            "3 scoops of powder for a full tank, the water lukewarm. It belongs to Desmond.",
        )
        .note(
            "Cocoa for the big pot",
            "kitchen",
            "5 scoops of powder, 2 litres of milk. Whisk it before it boils.",
        )
        .solved_by(&[Edit::Answer("3 scoops.", &["Carpet cleaner"])]),
        Task::strict(
            "ask-mural-painter",
            "someone on the stairs admired the mural in the kids' room and wants to know who did it, who was that \
             again?",
            Expected::default()
                .answer(&["duarte|ximena"], &["Mural in the kids' room"])
                .lacking(&["kowalski"]),
        )
        .note(
            "Mural in the kids' room",
            "house",
            "Ximena Duarte painted it in two afternoons. Only wipe it with a dry cloth.",
        )
        .note(
            "Stairwell",
            "house",
            "Painted by Kowalski and his son, two coats of chalk white.",
        )
        .solved_by(&[Edit::Answer(
            "Ximena Duarte painted it.",
            &["Mural in the kids' room"],
        )]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-guinea-pig-bedding",
            "at the pet shop right now, what do the guinea pigs have for bedding?",
            Expected::default()
                .answer(&["hemp"], &["Guinea pigs"])
                .lacking(&["beech"]),
        )
        .note(
            "Guinea pigs",
            "animals",
            "Hay: from Lindner's farm\nBedding: hemp\nTreats: dandelion, never cabbage",
        )
        .note(
            "Hamster",
            "animals",
            "Bedding: beech chips, a fresh lot every Sunday.",
        )
        .solved_by(&[Edit::Answer("Hemp.", &["Guinea pigs"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-car-park-height",
            "hwo hihg can a van be fro teh undergruond car park",
            Expected::default()
                .answer(&["1.95|1,95|195|1m95|1 m 95"], &["Underground car park"])
                .lacking(&["2.10|2,10|2.1|210"]),
        )
        .note(
            "Underground car park",
            "town",
            "Vans up to a height of 1.95 m, 12 euros a day. Level 3 is always empty.",
        )
        .note(
            "Multi-storey at the station",
            "town",
            "Up to a height of 2.10 m, 9 euros a day. The lift smells.",
        )
        .solved_by(&[Edit::Answer("1.95 m.", &["Underground car park"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bulb-depths",
            "I've got the trowel in my hand. How deep do I plant the garlic, and how deep the tulips?",
            Expected::default()
                .answer(&["6|six", "15|fifteen"], &["Garlic", "Tulips"])
                .lacking(&["9|nine"]),
        )
        .note(
            "Garlic",
            "garden",
            "In October, 6 cm deep, the pointed end up. Keep the rows well apart.",
        )
        .note(
            "Tulips",
            "garden",
            "Plant them 15 cm deep with grit below. The voles like the red ones.",
        )
        .note("Snowdrops", "garden", "9 cm deep, under the hazel.")
        .solved_by(&[Edit::Answer(
            "The garlic 6 cm, the tulips 15 cm.",
            &["Garlic", "Tulips"],
        )]),
        Task::strict(
            "ask-fairy-lights-and-tree-stand",
            "which boxes are the fairy lights and the tree stand in",
            Expected::default()
                .answer(
                    &["14|fourteen", "27|twenty-seven|twenty seven"],
                    &["Fairy lights", "Tree stand"],
                )
                .lacking(&["31|thirty-one|thirty one"]),
        )
        .note(
            "Fairy lights",
            "attic",
            "Box 14. The white string has a loose plug.",
        )
        .note(
            "Tree stand",
            "attic",
            "It is in box 27, the screws are in the bag taped to it.",
        )
        .note("Wooden eggs", "attic", "Box 31, wrapped in tissue paper.")
        .solved_by(&[Edit::Answer(
            "The fairy lights are in box 14, the tree stand is in box 27.",
            &["Fairy lights", "Tree stand"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pram-room-code-french",
            "c'est quoi déjà le code du local à poussettes ?",
            Expected::default()
                .answer(&["3862"], &["Local à poussettes"])
                .lacking(&["7415"]),
        )
        .note(
            "Local à poussettes",
            "immeuble",
            "Le code est 3862, la porte se coince un peu.\nPas de trottinettes",
        )
        .note(
            "Portail du parking",
            "immeuble",
            "Le code est 7415, il change chaque trimestre.",
        )
        .solved_by(&[Edit::Answer("C'est 3862.", &["Local à poussettes"])]),
        Task::strict(
            "ask-bon-dance-day-japanese",
            "盆踊りの練習って何曜日だっけ？",
            Expected::default()
                .answer(&["水曜|(水)"], &["盆踊りの練習"])
                .lacking(&["土曜"]),
        )
        .note(
            "盆踊りの練習",
            "町内",
            "毎週水曜の夜、公民館で。\nうちわを持っていく。",
        )
        .note(
            "太鼓の練習",
            "町内",
            "毎週土曜の朝、体育館で。\nばちは貸してもらえる。",
        )
        .solved_by(&[Edit::Answer("水曜日です。", &["盆踊りの練習"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-campsite-binoculars",
            "Somebody forgot a pair of binoculars at the campsite. Whose are they, and where did I put them?",
            Expected::default()
                .answer(&["thibault", "drawer"], &["Campsite book"])
                .lacking(&["cupboard"]),
        )
        .note("Campsite book", "campsite", &campsite_book())
        .note(
            "Bird list",
            "hobby",
            "41 kinds so far. Our binoculars are in the hall cupboard.",
        )
        .solved_by(&[Edit::Answer(
            "They are Ms Thibault's, in the office drawer.",
            &["Campsite book"],
        )]),
        Task::strict(
            "ask-crowd-typewriter",
            "where was it again that i can get ribbons for the typewriter",
            Expected::default()
                .answer(&["ostrander"], &["Typewriter"])
                .lacking(&["kleinert"]),
        )
        .note(
            "Typewriter",
            "office",
            "Ribbons from Ostrander in Mill Street, 13 mm wide.\nThe letter e sticks",
        )
        .note(
            "Hair ribbons",
            "children",
            "Satin, from Kleinert on the bridge. Two metres for the plaits.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("At Ostrander in Mill Street.", &["Typewriter"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-spa-voucher-expiry",
            "Until when can I use the spa voucher?",
            Expected::default().no_answer(&["31", "august"]),
        )
        .note(
            "Spa voucher",
            "presents",
            "80 euros, from the colleagues. Book a week ahead and bring slippers.",
        )
        .note(
            "Bookshop voucher",
            "presents",
            "25 euros, can be used until 31 August. It lies in the desk.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say how long it is valid.")]),
        Task::strict(
            "ask-sports-hall-caretaker",
            "whats the caretaker of the sports hall called",
            Expected::default().no_answer(&["grabowski"]),
        )
        .note(
            "Sports hall",
            "club",
            "The caretaker unlocks at 16:50, ring at the side door. The lights are on the left.",
        )
        .note(
            "Town hall",
            "town",
            "Caretaker: Mr Grabowski. The ramp is at the back.",
        )
        .solved_by(&[Edit::NotFound("The name of the caretaker is not noted.")]),
    ]
}
