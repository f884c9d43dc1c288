//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::truck_log;
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
            "ask-pedal-bin",
            "what size bags does the pedal bin take?",
            Expected::default()
                .answer(&["35|thirty-five|thirty five"], &["Pedal bin"])
                .lacking(&["12|twelve"]),
        )
        .note(
            "Pedal bin",
            "kitchen",
            "Takes the 35 litre bags from the drugstore. The hinge wants a drop of oil.",
        )
        .note(
            "Bathroom bin",
            "house",
            "Takes 12 litre bags, the ones with a ribbon.",
        )
        .solved_by(&[Edit::Answer("35 litre bags.", &["Pedal bin"])]),
        Task::strict(
            "ask-bakery-van",
            "On which day does the bakery van come round to our street?",
            Expected::default()
                .answer(&["thursday"], &["Bakery van"])
                .lacking(&["tuesday"]),
        )
        .note(
            "Bakery van",
            "village",
            "Comes to our street on Thursdays, stops by the phone box. The seeded rolls go fast.",
        )
        .note(
            "Fish van",
            "village",
            "Comes on Tuesdays around eleven, takes cards as well.",
        )
        .solved_by(&[Edit::Answer("On Thursdays.", &["Bakery van"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-baseball-gate",
            "whcih gate is it for teh basebal season tickte",
            Expected::default()
                .answer(&["14|fourteen"], &["Baseball season ticket"])
                .lacking(&["3|three"]),
        )
        .note(
            "Baseball season ticket",
            "sport",
            "Gate 14, upper deck, seats 8 and 9. No rucksacks.",
        )
        .note(
            "Ballpark parking",
            "sport",
            "In by gate 3, 20 dollars, have the exact money ready.",
        )
        .solved_by(&[Edit::Answer("Gate 14.", &["Baseball season ticket"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-scottish-platforms",
            "Which platform does the train to Oban go from, and which one the train to Stirling?",
            Expected::default()
                .answer(
                    &["4|four", "7|seven"],
                    &["Train to Oban", "Train to Stirling"],
                )
                .lacking(&["11|eleven"]),
        )
        .note(
            "Train to Oban",
            "travel",
            "Leaves at 10:33 from platform 4. The left side has the view.",
        )
        .note(
            "Train to Stirling",
            "travel",
            "Off-peak return, platform 7. Morag waits by the clock.",
        )
        .note(
            "Train to Dundee",
            "travel",
            "From platform 11, no bikes before nine.",
        )
        .solved_by(&[Edit::Answer(
            "Oban from platform 4, Stirling from platform 7.",
            &["Train to Oban", "Train to Stirling"],
        )]),
        Task::strict(
            "ask-insured-for",
            "what are the necklace and the cufflinks insured for",
            Expected::default()
                .answer(&["950", "260"], &["Necklace", "Cufflinks"])
                .lacking(&["410"]),
        )
        .note(
            "Necklace",
            "valuables",
            "Grandma's pearls, insured for 950 euros. The clasp was replaced.",
        )
        .note(
            "Cufflinks",
            "valuables",
            "Silver, with an anchor on them. Insured for 260 euros.",
        )
        .note(
            "Brooch",
            "valuables",
            "Garnets, one is missing. Insured for 410 euros.",
        )
        .solved_by(&[Edit::Answer(
            "The necklace for 950 euros, the cufflinks for 260.",
            &["Necklace", "Cufflinks"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bottle-french",
            "on met combien de doses de lait dans le biberon du soir déjà ?",
            Expected::default()
                .answer(&["8|huit"], &["Biberon"])
                .lacking(&["6|six", "5|cinq"]),
        )
        .note(
            "Biberon",
            "bébé",
            "Le matin : 180 ml d'eau, 6 doses\nLe soir : 240 ml d'eau, 8 doses\nBien secouer",
        )
        .note(
            "Bouillie",
            "bébé",
            "Le soir : 5 cuillères, jamais trop chaude.",
        )
        .solved_by(&[Edit::Answer("8 doses.", &["Biberon"])]),
        Task::strict(
            "ask-kerosene-japanese",
            "灯油の配達って何曜日だっけ？",
            Expected::default()
                .answer(&["水曜"], &["灯油"])
                .lacking(&["土曜"]),
        )
        .note(
            "灯油",
            "家",
            "配達は水曜の午後。\nポリタンクは三つ。\n代金は封筒に入れておく。",
        )
        .note("野菜の宅配", "家", "配達は土曜の朝。\n空き箱は玄関に出す。")
        .solved_by(&[Edit::Answer("水曜日です。", &["灯油"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-truck-wedding",
            "whose wedding did we cater for with the food truck, and what did they pay extra for?",
            Expected::default()
                .answer(&["nowicki", "dessert"], &["Food truck log"])
                .lacking(&["delgado"]),
        )
        .note("Food truck log", "work", &truck_log())
        .note(
            "Tent hire",
            "work",
            "For the Delgado wedding, they pay extra for the side walls.",
        )
        .solved_by(&[Edit::Answer(
            "For the Nowickis' wedding, they paid extra for the dessert table.",
            &["Food truck log"],
        )]),
        Task::strict(
            "ask-crowd-shutters",
            "what was the RAL number of the green on our shutters?",
            Expected::default().answer(&["6021"], &["Shutters"]),
        )
        .note(
            "Shutters",
            "house",
            "Painted in RAL 6021, pale green, two coats. The hooks are stainless.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("RAL 6021.", &["Shutters"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_time_and_shop()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-magician-price",
            "how much does the magician charge?",
            Expected::default().no_answer(&["85", "eighty-five"]),
        )
        .note(
            "Magician",
            "party",
            "Mr Khoury, needs a small table and a socket. Brings his own rabbit.",
        )
        .note(
            "Face painter",
            "party",
            "Devika charges 85 euros for the afternoon.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what he charges.")]),
    ]
}

fn unknown_time_and_shop() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-corfu-landing",
            "What time do we land when we fly home from Corfu? Birte wants to pick us up",
            Expected::default().no_answer(&["13:25", "13.25", "1:25"]),
        )
        .note(
            "Flight home from Corfu",
            "travel",
            "Booking R7QX2K, seats 22 D to F, two bags to check in.",
        )
        .note(
            "Flight to Corfu",
            "travel",
            "We land at 13:25, the hire car is in row C.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-juicer-shop",
            "which shop did i buy the juicer in",
            Expected::default().no_answer(&["kessler"]),
        )
        .note(
            "Juicer",
            "kitchen",
            "The sieve goes in the top rack. Carrots first, then the soft fruit.",
        )
        .note(
            "Food steamer",
            "kitchen",
            "Bought at Kessler's, two years of warranty.",
        )
        .solved_by(&[Edit::NotFound("It is not noted where.")]),
    ]
}
