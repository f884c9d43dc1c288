//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::porter_book;
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
            "ask-resin-cure",
            "Poured the resin last night. After how many hours can it come out of the mould?",
            Expected::default()
                .answer(&["30|thirty"], &["Epoxy resin"])
                .lacking(&["5 hours|five hours"]),
        )
        .note(
            "Epoxy resin",
            "crafts",
            "Two to one by weight, stir slowly. Out of the mould after 30 hours.",
        )
        .note(
            "Plaster casts",
            "crafts",
            "Grease the mould. Out of it after 5 hours, sand the edges.",
        )
        .solved_by(&[Edit::Answer("After 30 hours.", &["Epoxy resin"])]),
        Task::strict(
            "ask-blocked-drain",
            "who cleared the drain in the yard for us last autumn? it's backing up again",
            Expected::default()
                .answer(&["zielinski"], &["Yard drain"])
                .lacking(&["harju"]),
        )
        .note(
            "Yard drain",
            "house",
            "Last autumn Zielinski cleared it with the long spiral. It was all maple roots.",
        )
        .note(
            "Washbasin upstairs",
            "house",
            "Harju cleared it in ten minutes and wouldn't take a penny.",
        )
        .solved_by(&[Edit::Answer("Zielinski.", &["Yard drain"])]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-tea-steeping",
            "Kettle's on! How many minutes does the oolong get?",
            Expected::default()
                .answer(&["3|three"], &["Steeping times"])
                .lacking(&["90|ninety", "8|eight", "20|twenty"]),
        )
        .note(
            "Steeping times",
            "kitchen",
            "Sencha: 90 seconds\nOolong: 3 minutes\nRooibos: 8 minutes",
        )
        .note(
            "Iced tea",
            "kitchen",
            "Let it stand for 20 minutes, then peaches and mint. Kettle to the top.",
        )
        .solved_by(&[Edit::Answer("3 minutes.", &["Steeping times"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-ski-goggles",
            "wehre did i put my ski gogles agian",
            Expected::default()
                .answer(&["suitcase"], &["Ski goggles"])
                .lacking(&["basket", "stairs"]),
        )
        .note(
            "Ski goggles",
            "winter",
            "In the blue suitcase on top of the wardrobe, with the gaiters.",
        )
        .note(
            "Diving goggles",
            "summer",
            "I put them in the basket under the stairs, the strap is new.",
        )
        .solved_by(&[Edit::Answer(
            "In the blue suitcase on top of the wardrobe.",
            &["Ski goggles"],
        )]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-nap-times",
            "i'm minding the kids this afternoon, when do ines and bruno take their naps?",
            Expected::default()
                .answer(
                    &[
                        "12:20|12.20|12h20|twenty past twelve|20 past 12|twenty past 12",
                        "14:10|14.10|14h10|2:10|2.10|ten past two|10 past 2|ten past 2",
                    ],
                    &["Ines", "Bruno"],
                )
                .lacking(&["13:40|13.40|1:40|1.40"]),
        )
        .note(
            "Ines",
            "children",
            "Takes her nap at 12:20, with the rabbit. No strawberries.",
        )
        .note(
            "Bruno",
            "children",
            "Nap at 14:10, not without the grey blanket.",
        )
        .note(
            "Mattis",
            "children",
            "Nap at 13:40, only in the pram. Afraid of the mixer.",
        )
        .solved_by(&[Edit::Answer(
            "Ines at 12:20 and Bruno at 14:10.",
            &["Ines", "Bruno"],
        )]),
        Task::strict(
            "ask-fiddle-and-tap",
            "Doing the sums for next term. What do Yusuf's fiddle lessons cost us, and what's Clara's tap dancing?",
            Expected::default()
                .answer(&["215", "128"], &["Fiddle lessons", "Tap dancing"])
                .lacking(&["94"]),
        )
        .note(
            "Fiddle lessons",
            "children",
            "Yusuf, on Wednesdays with Mr Doyle. 215 euros a term.",
        )
        .note(
            "Tap dancing",
            "children",
            "Clara's group costs 128 euros a term, the shoes are from the school.",
        )
        .note(
            "Gymnastics",
            "children",
            "Both of them, 94 euros a term. Hair tied back.",
        )
        .solved_by(&[Edit::Answer(
            "The fiddle lessons cost 215 euros a term, tap dancing 128.",
            &["Fiddle lessons", "Tap dancing"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-fitted-sheet-german",
            "Stehe gerade im Bettenladen: welche Größe hat das Spannbettlaken fürs Gästezimmer?",
            Expected::default()
                .answer(&["140&200|1,40|1.40"], &["Spannbettlaken"])
                .lacking(&["90", "180", "160"]),
        )
        .note(
            "Spannbettlaken",
            "wohnung",
            "Kinderzimmer: 90 x 200\nGästezimmer: 140 x 200\nBei uns: 180 x 220",
        )
        .note(
            "Rollo Gästezimmer",
            "wohnung",
            "Größe 160 x 130, in Grau. Die Kette links.",
        )
        .solved_by(&[Edit::Answer("140 x 200.", &["Spannbettlaken"])]),
        Task::strict(
            "ask-bonsai-japanese",
            "夏の盆栽の水やりって、一日に何回だっけ？",
            Expected::default()
                .answer(&["三回|3回|三度|3度"], &["盆栽"])
                .lacking(&["二回|2回"]),
        )
        .note(
            "盆栽",
            "庭",
            "夏の水やりは一日に三回。\n植え替えは三月。\n針金は秋に外す。",
        )
        .note("サボテン", "庭", "夏でも水やりは月に二回。\n窓ぎわに置く。")
        .solved_by(&[Edit::Answer("一日に三回です。", &["盆栽"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-porter-book-earring",
            "What did the guest in room 27 lose and where was it found? It should be in the night porter's book.",
            Expected::default()
                .answer(&["earring|ear-ring|ear ring", "radiator"], &["Night porter's book"])
                .lacking(&["umbrella"]),
        )
        .note("Night porter's book", "hotel", &porter_book())
        .note(
            "Lost property",
            "work",
            "An umbrella with a duck's head from meeting room 27, found behind the piano.",
        )
        .solved_by(&[Edit::Answer(
            "An earring, it was found behind the radiator.",
            &["Night porter's book"],
        )]),
        Task::strict(
            "ask-crowd-cartridge",
            "printer's empty. which cartridge does it take again?",
            Expected::default()
                .answer(&["304"], &["Printer"])
                .lacking(&["1207"]),
        )
        .note(
            "Printer",
            "desk",
            "Takes the cartridge 304 XL, black is enough. The green key wakes it up.",
        )
        .note(
            "Label maker",
            "desk",
            "Cartridge 1207, black on white. It eats batteries.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("The 304 XL.", &["Printer"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_setting(), unknown_price()].concat()
}

fn unknown_setting() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-baby-monitor-channel",
            "which channel is the baby monitor on?",
            Expected::default().no_answer(&["6|six"]),
        )
        .note(
            "Baby monitor",
            "children",
            "The parents' half charges in the kitchen. Reaches as far as the summer house.",
        )
        .note(
            "Walkie-talkies",
            "camping",
            "They are on channel 6. Spare batteries in the biscuit tin.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-oboe-insurance",
            "Could you look up how much we pay for the oboe insurance each year?",
            Expected::default().no_answer(&["59|fifty-nine|fifty nine"]),
        )
        .note(
            "Oboe insurance",
            "music",
            "With Castellan, also covers theft from the car. Cancel by the end of October.",
        )
        .note(
            "Bicycle insurance",
            "bike",
            "We pay 59 euros each year, the lock has to be on the list.",
        )
        .solved_by(&[Edit::NotFound(
            "The notes do not say what the oboe insurance costs.",
        )]),
    ]
}
