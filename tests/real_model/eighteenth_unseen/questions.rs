//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::taxi_log;
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
            "ask-rice-cooker",
            "how long does the porridge setting on the rice cooker take",
            Expected::default()
                .answer(&["55|fifty-five|fifty five"], &["Rice cooker"])
                .lacking(&["13|thirteen"]),
        )
        .note(
            "Rice cooker",
            "kitchen",
            "The porridge setting runs for 55 minutes. One cup of rice is 180 ml.",
        )
        .note(
            "Egg boiler",
            "kitchen",
            "13 minutes for six hard ones, prick them first.",
        )
        .solved_by(&[Edit::Answer("55 minutes.", &["Rice cooker"])]),
        Task::strict(
            "ask-ballet-floor",
            "I'm dropping Amélie off at ballet in a minute, which floor was it again?",
            Expected::default()
                .answer(&["third|3rd|3|three"], &["Ballet"])
                .lacking(&["ground", "first floor|1st floor"]),
        )
        .note(
            "Ballet",
            "kids",
            "Madame Sorel's studio is on the third floor, the lift needs a key. Hair in a bun.",
        )
        .note(
            "Boxing gym",
            "sport",
            "On the ground floor, round the back. Wraps cost 9 euros.",
        )
        .solved_by(&[Edit::Answer("It is on the third floor.", &["Ballet"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-night-nurse",
            "waht wsa the nmae of teh nigth nruse on grans wrad",
            Expected::default()
                .answer(&["evangeline"], &["Gran's ward"])
                .lacking(&["rosalind"]),
        )
        .note(
            "Gran's ward",
            "hospital",
            "Second bed on the left, no flowers. The night nurse is called Evangeline.",
        )
        .note(
            "Dad's ward",
            "hospital",
            "Visits from 15:30. The nurse who does the drip is called Rosalind.",
        )
        .solved_by(&[Edit::Answer("Evangeline.", &["Gran's ward"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-new-desks",
            "At which desk does Wilma sit in the new building, and at which one does Gideon?",
            Expected::default()
                .answer(&["41|forty-one", "17|seventeen"], &["Wilma", "Gideon"])
                .lacking(&["63|sixty-three"]),
        )
        .note(
            "Wilma",
            "colleagues",
            "New building: desk 41, by the plants. Takes Fridays off.",
        )
        .note(
            "Gideon",
            "colleagues",
            "New building: desk 17, next to the printer. Looks after the lab keys.",
        )
        .note(
            "Roxana",
            "colleagues",
            "New building: desk 63, under the stairs. Birthday in May.",
        )
        .solved_by(&[Edit::Answer(
            "Wilma at desk 41, Gideon at desk 17.",
            &["Wilma", "Gideon"],
        )]),
        Task::strict(
            "ask-bib-colours",
            "sorting the kit bag, what colour bibs do the under-nines wear and what colour the under-elevens",
            Expected::default()
                .answer(&["orange", "purple"], &["Under-nines", "Under-elevens"])
                .lacking(&["turquoise"]),
        )
        .note(
            "Under-nines",
            "football club",
            "Orange bibs. Training on Tuesdays with Kasper.",
        )
        .note(
            "Under-elevens",
            "football club",
            "Purple bibs, two are torn. Training on Mondays.",
        )
        .note(
            "Under-thirteens",
            "football club",
            "Turquoise bibs. The goalkeeper's mother has the keys.",
        )
        .solved_by(&[Edit::Answer(
            "The under-nines wear orange, the under-elevens purple.",
            &["Under-nines", "Under-elevens"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-boat-licence-german",
            "wie viele fragen kommen bei der theorie für den bootsführerschein eigentlich dran?",
            Expected::default()
                .answer(&["42|zweiundvierzig"], &["Bootsführerschein"])
                .lacking(&["30|dreißig|dreissig"]),
        )
        .note(
            "Bootsführerschein",
            "wasser",
            "Theorie: 42 Fragen\nPraxis: 7 Knoten\nPassfoto nicht vergessen",
        )
        .note(
            "Mofaschein",
            "verkehr",
            "Theorie: 30 Fragen, Merle hat den Bogen zum Üben.",
        )
        .solved_by(&[Edit::Answer("42 Fragen.", &["Bootsführerschein"])]),
        Task::strict(
            "ask-spare-key-japanese",
            "うちの合鍵って誰に預けてあるんだったかな？",
            Expected::default()
                .answer(&["小野"], &["合鍵"])
                .lacking(&["三浦"]),
        )
        .note(
            "合鍵",
            "家",
            "一本は小野さんに預けてある。\n作ったのは駅前の店。",
        )
        .note(
            "自転車の鍵",
            "家",
            "予備は三浦さんに預けてある。\n番号は四桁。",
        )
        .solved_by(&[Edit::Answer("小野さんです。", &["合鍵"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-taxi-double-bass",
            "which passenger had the double bass with her in my taxi, and what did she give me?",
            Expected::default()
                .answer(&["yevgenia", "quince|jam"], &["Taxi log"])
                .lacking(&["piotr"]),
        )
        .note("Taxi log", "work", &taxi_log())
        .note(
            "Double bass",
            "music",
            "Lent to us by Piotr, with two bows. He wants it back after the ball.",
        )
        .solved_by(&[Edit::Answer(
            "Yevgenia, she gave you a jar of quince jam.",
            &["Taxi log"],
        )]),
        Task::strict(
            "ask-crowd-lawn-mower",
            "how much oil do i have to fill into the lawn mower?",
            Expected::default().answer(&["0.6|0,6|600 ml|600ml|600 milli"], &["Lawn mower"]),
        )
        .note(
            "Lawn mower",
            "garden",
            "Oil: 0.6 litres, change it in spring. The blade goes to Mr Hollister.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("0.6 litres.", &["Lawn mower"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_number(), unknown_date_and_firm()].concat()
}

fn unknown_number() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-chalet-beds",
            "how many beds are there in the chalet in zermatt?",
            Expected::default().no_answer(&["11", "eleven"]),
        )
        .note(
            "Chalet in Zermatt",
            "travel",
            "Frau Imboden has the keys. Sledges are in the woodshed, no cars.",
        )
        .note(
            "Chalet in Davos",
            "travel",
            "11 beds in four rooms, the sauna costs extra.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say how many beds it has.")]),
    ]
}

fn unknown_date_and_firm() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-riding-badge",
            "When's the test for Cosima's riding badge? I have to ask for the day off",
            Expected::default().no_answer(&["23 May", "May 23", "23rd", "23.05", "23.5"]),
        )
        .note(
            "Cosima's riding badge",
            "kids",
            "White breeches, hair net. She has to know the parts of the bridle.",
        )
        .note(
            "Lasse's swimming badge",
            "kids",
            "The test is on 23 May, he has to bring up a ring from the bottom.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-skylight-firm",
            "it's dripping through the skylight.. which firm put it in for us",
            Expected::default().no_answer(&["brightwell"]),
        )
        .note(
            "Skylight",
            "house",
            "Opens with the pole from the broom cupboard. The blind is 78 cm wide.",
        )
        .note(
            "Conservatory",
            "house",
            "Put in by Brightwell & Sons, ten years of guarantee on the seals.",
        )
        .solved_by(&[Edit::NotFound("It is not noted which firm it was.")]),
    ]
}
