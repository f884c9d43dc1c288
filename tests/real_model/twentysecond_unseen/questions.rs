//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::cable_car_log;
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
            "ask-henna",
            "how long does the henna have to stay on my hair",
            Expected::default()
                .answer(&["50|fifty"], &["Henna"])
                .lacking(&["12|twelve"]),
        )
        .note(
            "Henna",
            "bathroom",
            "Stays on for 50 minutes under the foil. One packet does it down to the shoulders.",
        )
        .note(
            "Eyebrow tint",
            "bathroom",
            "12 minutes, then wipe it off with damp cotton wool.",
        )
        .solved_by(&[Edit::Answer("50 minutes.", &["Henna"])]),
        Task::strict(
            "ask-ottavias-bell",
            "I'm standing outside Ottavia's in the pouring rain, which name was it on the bell?",
            Expected::default()
                .answer(&["trautwein"], &["Ottavia"])
                .lacking(&["marchetti"]),
        )
        .note(
            "Ottavia",
            "friends",
            "Third house after the bakery, the bell says Trautwein. Five flights, no lift.",
        )
        .note(
            "Renzo",
            "friends",
            "At the back of the yard, the bell says Marchetti. His cat bites.",
        )
        .solved_by(&[Edit::Answer("The bell says Trautwein.", &["Ottavia"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-lollipop-lady",
            "whats teh nmae of teh lolipop lady at teh scohol corssing agian",
            Expected::default()
                .answer(&["bernadette"], &["School crossing"])
                .lacking(&["consuela"]),
        )
        .note(
            "School crossing",
            "school",
            "Manned until 8:05, push the scooter. The lollipop lady is called Bernadette.",
        )
        .note(
            "School kitchen",
            "school",
            "Order by Wednesday evening. The lady at the till is called Consuela.",
        )
        .solved_by(&[Edit::Answer("Bernadette.", &["School crossing"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-racket-strings",
            "At how many kilos is Oskar's racket strung, and at how many is Linnea's?",
            Expected::default()
                .answer(
                    &[
                        "24|twenty-four|twenty four",
                        "21|twenty-one|twenty one",
                    ],
                    &["Oskar's racket", "Linnea's racket"],
                )
                .lacking(&["27|twenty-seven|twenty seven"]),
        )
        .note(
            "Oskar's racket",
            "tennis",
            "Strung at 24 kilos, black grip. He breaks a string a month.",
        )
        .note(
            "Linnea's racket",
            "tennis",
            "Strung at 21 kilos, the damper is a frog. Bought in the sales.",
        )
        .note(
            "Cato's racket",
            "tennis",
            "Strung at 27 kilos. The frame has a crack at the top.",
        )
        .solved_by(&[Edit::Answer(
            "Oskar's at 24 kilos, Linnea's at 21.",
            &["Oskar's racket", "Linnea's racket"],
        )]),
        Task::strict(
            "ask-lunch-box-bread",
            "doing the lunch boxes, what does esme get on her bread and what does fabian get on his",
            Expected::default()
                .answer(
                    &["hummus", "liver sausage|liver-sausage|liverwurst"],
                    &["Esme", "Fabian"],
                )
                .lacking(&["peanut"]),
        )
        .note(
            "Esme",
            "nursery",
            "Hummus on her bread, no crusts. Swims on Thursdays.",
        )
        .note(
            "Fabian",
            "nursery",
            "Liver sausage on his bread, cut in four. Inhaler in the side pocket.",
        )
        .note(
            "Ottoline",
            "nursery",
            "Peanut butter on her bread. Picked up by her aunt on Fridays.",
        )
        .solved_by(&[Edit::Answer(
            "Esme gets hummus, Fabian liver sausage.",
            &["Esme", "Fabian"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-high-ropes-german",
            "ab wie viel jahren darf man eigentlich in den hochseilgarten?",
            Expected::default()
                .answer(&["9|neun"], &["Hochseilgarten"])
                .lacking(&["14|vierzehn"]),
        )
        .note(
            "Hochseilgarten",
            "ausflug",
            "Alter: ab 9 Jahren\nHelme: werden gestellt\nHaare zusammenbinden",
        )
        .note(
            "Kartbahn",
            "ausflug",
            "Alter: ab 14 Jahren, Fridolin hat noch Gutscheine.",
        )
        .solved_by(&[Edit::Answer("Ab 9 Jahren.", &["Hochseilgarten"])]),
        Task::strict(
            "ask-gym-bib-japanese",
            "体操着のゼッケンって誰に縫ってもらうことになってたっけ？",
            Expected::default()
                .answer(&["松本"], &["体操着"])
                .lacking(&["大西"]),
        )
        .note(
            "体操着",
            "学校",
            "ゼッケンは松本さんに縫ってもらう。\n色は紺、サイズは百三十。",
        )
        .note("浴衣", "夏", "裾は大西さんに縫ってもらう。\n帯は黄色。")
        .solved_by(&[Edit::Answer("松本さんです。", &["体操着"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-cable-car-cake",
            "whose wedding cake did i take up in the cable car, and which cabin was it in?",
            Expected::default()
                .answer(&["ragnhild", "9|nine"], &["Cable car log"])
                .lacking(&["susannah"]),
        )
        .note("Cable car log", "work", &cable_car_log())
        .note(
            "Wedding cake",
            "wedding",
            "Baked for us by Susannah, three tiers with figs. The stand has to go back.",
        )
        .solved_by(&[Edit::Answer(
            "Ragnhild's, it was in cabin 9.",
            &["Cable car log"],
        )]),
        Task::strict(
            "ask-crowd-kitchen-scales",
            "what battery do i need for the kitchen scales?",
            Expected::default().answer(&["2032"], &["Kitchen scales"]),
        )
        .note(
            "Kitchen scales",
            "kitchen",
            "Battery: CR2032, the lid opens with a coin. They show 3 grams too much.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("A CR2032.", &["Kitchen scales"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_number(), unknown_date_and_firm()].concat()
}

fn unknown_number() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-swan-boats",
            "how many people fit into one of the swan boats in annecy?",
            Expected::default().no_answer(&["5", "five"]),
        )
        .note(
            "Swan boats in Annecy",
            "travel",
            "Gaspard's kiosk hires them out, cash only. Not when it is windy.",
        )
        .note(
            "Swan boats in Bled",
            "travel",
            "5 people fit into one, the jetty is below the church.",
        )
        .solved_by(&[Edit::NotFound(
            "The notes do not say how many people fit into one.",
        )]),
    ]
}

fn unknown_date_and_firm() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-lorcans-cast",
            "When does Lorcan's cast come off? I want to put him down for swimming",
            Expected::default().no_answer(&["17 June", "June 17", "17th", "17.06", "17.6"]),
        )
        .note(
            "Lorcan's cast",
            "kids",
            "Left arm, green. A bag over it in the shower, no knitting needles for the itch.",
        )
        .note(
            "Mirabel's stitches",
            "kids",
            "They come out on 17 June, she may choose a sticker afterwards.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-handrail-firm",
            "the handrail on the stairs is wobbling again.. which firm made it for us",
            Expected::default().no_answer(&["tregarthen"]),
        )
        .note(
            "Handrail",
            "house",
            "Ash, oil it once a year. It is 4.20 metres from top to bottom.",
        )
        .note(
            "Bay window",
            "house",
            "Made by Tregarthen & Daughters, five years of guarantee on the frames.",
        )
        .solved_by(&[Edit::NotFound("It is not noted which firm it was.")]),
    ]
}
