//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::clean_up_log;
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
            "ask-flagpole",
            "How tall can a flagpole be before we need a permit?",
            Expected::default()
                .answer(&["5|five"], &["Flagpole"])
                .lacking(&["2|two"]),
        )
        .note(
            "Flagpole",
            "garden",
            "Up to 5 metres without a permit. The rope slaps in the wind.",
        )
        .note(
            "Garden wall",
            "garden",
            "Up to 2 metres without a permit, Mrs Adebayo has agreed.",
        )
        .solved_by(&[Edit::Answer("Up to 5 metres.", &["Flagpole"])]),
        Task::strict(
            "ask-bouncy-castle",
            "who was taking the bouncy castle back again",
            Expected::default()
                .answer(&["torsten"], &["Bouncy castle"])
                .lacking(&["ekow"]),
        )
        .note(
            "Bouncy castle",
            "party",
            "Niamh collects it at ten, Torsten takes it back on Sunday evening. Pegs are in the sack.",
        )
        .note(
            "Ball pit",
            "party",
            "600 balls. Ekow takes it back on Monday morning.",
        )
        .solved_by(&[Edit::Answer("Torsten.", &["Bouncy castle"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pony-ribbon",
            "waht colur is the ribon for secnd place at teh pony show",
            Expected::default()
                .answer(&["yellow"], &["Pony show ribbons"])
                .lacking(&["purple", "silver"]),
        )
        .note(
            "Pony show ribbons",
            "riding",
            "First place: purple\nSecond place: yellow\nThird place: white",
        )
        .note(
            "Swimming gala",
            "sport",
            "Second place gets a silver whistle, third place a towel.",
        )
        .solved_by(&[Edit::Answer("Yellow.", &["Pony show ribbons"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-language-teachers",
            "What are my two teachers called, the one for Polish and the one for Greek?",
            Expected::default()
                .answer(&["zawadzka", "stathakis"], &["Polish class", "Greek class"])
                .lacking(&["yıldırım|yildirim"]),
        )
        .note(
            "Polish class",
            "courses",
            "With Mrs Zawadzka, Tuesdays. We are at chapter 9.",
        )
        .note(
            "Greek class",
            "courses",
            "Mr Stathakis, in the blue room. Learn the alphabet song.",
        )
        .note(
            "Turkish class",
            "courses",
            "Ms Yıldırım, only from spring on. Waiting list, number 3.",
        )
        .solved_by(&[Edit::Answer(
            "Mrs Zawadzka for Polish, Mr Stathakis for Greek.",
            &["Polish class", "Greek class"],
        )]),
        Task::strict(
            "ask-batteries-tablecloths",
            "where do we keep the batteries and where the tablecloths",
            Expected::default()
                .answer(&["sideboard", "piano bench"], &["Batteries", "Tablecloths"])
                .lacking(&["biscuit tin"]),
        )
        .note(
            "Batteries",
            "house",
            "In the top drawer of the sideboard. Flat ones go to the chemist's.",
        )
        .note(
            "Tablecloths",
            "house",
            "Folded in the piano bench, the lace one is Aunt Philippa's.",
        )
        .note(
            "Lighters",
            "house",
            "In the biscuit tin above the extractor.",
        )
        .solved_by(&[Edit::Answer(
            "The batteries in the sideboard, the tablecloths in the piano bench.",
            &["Batteries", "Tablecloths"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-gite-deposit-french",
            "Elle était de combien, la caution pour le gîte en Lozère ?",
            Expected::default()
                .answer(&["300|trois cents"], &["Gîte en Lozère"])
                .lacking(&["450"]),
        )
        .note(
            "Gîte en Lozère",
            "vacances",
            "Caution : 300 euros, par chèque\nMénage : 65 euros\nDraps non fournis",
        )
        .note(
            "Gîte en Savoie",
            "vacances",
            "Caution : 450 euros, bois de chauffage en plus.",
        )
        .solved_by(&[Edit::Answer("300 euros.", &["Gîte en Lozère"])]),
        Task::strict(
            "ask-plums-japanese",
            "梅干しっていつ漬けたか書いてある？",
            Expected::default()
                .answer(&["六月十日|6月10日|6/10|06/10|06-10|6.10"], &["梅干し"])
                .lacking(&["六月五日|6月5日|6/5"]),
        )
        .note(
            "梅干し",
            "台所",
            "六月十日に漬けた。\n塩は十八パーセント。\n土用の頃に干す。",
        )
        .note("梅酒", "台所", "六月五日に漬けた。\n氷砂糖は五百グラム。")
        .solved_by(&[Edit::Answer("六月十日です。", &["梅干し"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bottle-message",
            "that message in a bottle we found on a clean-up, who had written it and where was she from?",
            Expected::default()
                .answer(&["rosheen", "donegal"], &["Clean-up log"])
                .lacking(&["killarney"]),
        )
        .note("Clean-up log", "beach", &clean_up_log())
        .note(
            "Pen friend",
            "",
            "Aisling from Killarney, writes in green ink. Her last message was a poem.",
        )
        .solved_by(&[Edit::Answer(
            "A girl called Rosheen, from Donegal.",
            &["Clean-up log"],
        )]),
        Task::strict(
            "ask-crowd-portrait",
            "Who painted the portrait that hangs on our landing?",
            Expected::default().answer(&["dimitrescu"], &["Portrait on the landing"]),
        )
        .note(
            "Portrait on the landing",
            "house",
            "Great-grandmother at twenty, painted by Dimitrescu in 1927. There is worm in the frame.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Dimitrescu.", &["Portrait on the landing"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_day_and_firm()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-maze-entry",
            "whats the entry for the corn maze per child?",
            Expected::default().no_answer(&["6.50|6,50|6.5|6 euros 50"]),
        )
        .note(
            "Corn maze",
            "outings",
            "Open until dusk, wellies after rain. The eastern entrance has the shorter queue.",
        )
        .note(
            "Petting zoo",
            "outings",
            "Entry is 6.50 per child, the feed is extra.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
    ]
}

fn unknown_day_and_firm() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-viva-date",
            "I'd like to take that day off. On what date is Ludovica's viva?",
            Expected::default().no_answer(&["28 May", "May 28", "28th", "28. May"]),
        )
        .note(
            "Ludovica's viva",
            "university",
            "In the Senate room, we chip in for a fountain pen. Hats for the photo.",
        )
        .note(
            "Rasheed's viva",
            "university",
            "On 28 May at 13:15, room 204. Sparkling wine is in the lab fridge.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-parquet-firm",
            "did I ever write down which firm is laying the parquet",
            Expected::default().no_answer(&["bonfanti"]),
        )
        .note(
            "Parquet",
            "flat",
            "Smoked oak, herringbone, 38 square metres. Has to lie in the room for a week first.",
        )
        .note(
            "Terrazzo",
            "flat",
            "Laid by the firm Bonfanti, sealed twice. No vinegar on it.",
        )
        .solved_by(&[Edit::NotFound("No firm is noted.")]),
    ]
}
