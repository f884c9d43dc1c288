//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::nurse_book;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        with_typos(),
        from_two(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-wallpaper-landing",
            "how many rolls of wallpaper did the landing take",
            Expected::default()
                .answer(&["7|seven"], &["Landing"])
                .lacking(&["9 rolls|nine"]),
        )
        .note(
            "Landing",
            "decorating",
            "Wallpaper: 7 rolls, from Harlow & Sons\nCeiling in chalk white",
        )
        .note(
            "Back bedroom",
            "decorating",
            "Wallpaper: 9 rolls. The chimney breast stays plain.",
        )
        .solved_by(&[Edit::Answer("7 rolls.", &["Landing"])]),
        Task::strict(
            "ask-insulin-pens",
            "Hi, agency nurse here, it's my first night on this ward. Where do you keep the \
             insulin pens?",
            Expected::default()
                .answer(
                    &["fridge 2|fridge two|second fridge|fridge no. 2|fridge number 2|fridge no 2"],
                    &["Insulin pens"],
                )
                .lacking(&["fridge 1|fridge one"]),
        )
        .note(
            "Insulin pens",
            "ward",
            "Fridge 2, top shelf, sorted by bed.\nNew ones come on Wednesdays",
        )
        .note(
            "Eye drops",
            "ward",
            "Fridge 1, in the door. Write the date on the bottle.",
        )
        .solved_by(&[Edit::Answer("In fridge 2, top shelf.", &["Insulin pens"])]),
        Task::strict(
            "ask-goat-wormer",
            "I wormed the goats this morning. How long before we can drink their milk again?",
            Expected::default()
                .answer(&["7|seven|a week|one week"], &["Worming the goats"])
                .lacking(&["14|fourteen|two weeks"]),
        )
        .note(
            "Worming the goats",
            "farm",
            "White drench, 2 ml per 10 kg\nNo drinking the milk for 7 days afterwards",
        )
        .note(
            "Worming the ewes",
            "farm",
            "Pour it along the back. No milk for 14 days afterwards.",
        )
        .solved_by(&[Edit::Answer(
            "7 days after the worming.",
            &["Worming the goats"],
        )]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-simnel-tin",
            "what size tin do i ned for the simnel cake agian",
            Expected::default()
                .answer(&["20"], &["Simnel cake"])
                .lacking(&["23"]),
        )
        .note(
            "Simnel cake",
            "baking",
            "Tin: 20 cm, lined twice\nEleven marzipan balls on top",
        )
        .note(
            "Dundee cake",
            "baking",
            "Tin: 23 cm. Almonds in rings, whisky once it has cooled.",
        )
        .solved_by(&[Edit::Answer("A 20 cm tin.", &["Simnel cake"])]),
    ]
}

fn from_two() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-lentils-and-barley",
            "Soup's on the go. Minutes for the red lentils and minutes for the pearl barley, \
             please?",
            Expected::default()
                .answer(
                    &["12|twelve", "35|thirty-five|thirty five"],
                    &["Red lentils", "Pearl barley"],
                )
                .lacking(&["80|eighty"]),
        )
        .note(
            "Red lentils",
            "kitchen",
            "12 minutes, no soaking. Skim off the foam.",
        )
        .note(
            "Pearl barley",
            "kitchen",
            "35 minutes, rinse it first. It swells a lot.",
        )
        .note(
            "Butter beans",
            "kitchen",
            "80 minutes after a night in water. Salt them at the end.",
        )
        .solved_by(&[Edit::Answer(
            "Red lentils 12 minutes, pearl barley 35 minutes.",
            &["Red lentils", "Pearl barley"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-maths-tutor-german",
            "was nimmt die frau petrović eigentlich für die stunde mathenachhilfe",
            Expected::default()
                .answer(&["19|neunzehn"], &["Mathenachhilfe"])
                .lacking(&["23|dreiundzwanzig"]),
        )
        .note(
            "Mathenachhilfe",
            "schule",
            "Frau Petrović, dienstags um vier\n19 Euro die Stunde\nZirkel mitbringen",
        )
        .note(
            "Englischnachhilfe",
            "schule",
            "Herr Dwyer, 23 Euro die Stunde. Das Vokabelheft nicht vergessen.",
        )
        .solved_by(&[Edit::Answer("19 Euro.", &["Mathenachhilfe"])]),
        Task::strict(
            "ask-gratin-french",
            "Le gratin dauphinois, on le laisse combien de temps au four déjà ?",
            Expected::default()
                .answer(
                    &[
                        "1 h 15|1h15|1:15|1h 15|1 h15|75|une heure et quart|1 heure et quart|\
                         1 heure 15|1 heure et 15|une heure 15|une heure quinze|1 h et quart",
                    ],
                    &["Gratin dauphinois"],
                )
                .lacking(&["35"]),
        )
        .note(
            "Gratin dauphinois",
            "cuisine",
            "1 kg de pommes de terre, 50 cl de crème\nAu four 1 h 15, à 160 °C\nAil frotté dans le \
             plat",
        )
        .note(
            "Gratin de courgettes",
            "cuisine",
            "Au four 35 minutes, à 190 °C. Bien égoutter avant.",
        )
        .solved_by(&[Edit::Answer("1 h 15, à 160 °C.", &["Gratin dauphinois"])]),
        Task::strict(
            "ask-stomach-pills-japanese",
            "母の胃薬っていつ飲むんでしたっけ？",
            Expected::default()
                .answer(&["寝る前|寝るまえ|就寝前|就寝まえ|寝る直前"], &["母の薬"])
                .lacking(&["夕食"]),
        )
        .note(
            "母の薬",
            "健康",
            "血圧の薬：朝食のあと\n胃薬：寝る前\n毎月、駅の薬局で受け取る。",
        )
        .note("父の薬", "健康", "胃薬：夕食の前\nお薬手帳は引き出しの中。")
        .solved_by(&[Edit::Answer("寝る前です。", &["母の薬"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-nurse-book-button",
            "there was a boy at school who swallowed a button. what was his name again and which \
             hospital was he taken to",
            Expected::default()
                .answer(&["kasimir", "st luke|st. luke|saint luke"], &["Nurse book"])
                .lacking(&["leopold", "haddon"]),
        )
        .note("Nurse book", "school", &nurse_book())
        .note(
            "Trip to the farm",
            "school",
            "Leopold swallowed a cherry stone, the doctor in Haddon said to wait.",
        )
        .solved_by(&[Edit::Answer(
            "Kasimir, he was taken to St Luke's.",
            &["Nurse book"],
        )]),
        Task::strict(
            "ask-crowd-cool-box",
            "who on earth have we lent the cool box to??",
            Expected::default()
                .answer(&["prakash"], &["Cool box"])
                .lacking(&["ottmar"]),
        )
        .note(
            "Cool box",
            "camping",
            "24 litres, the clip is cracked.\nLent to Prakash after the sports day",
        )
        .note(
            "Cool bag",
            "camping",
            "Lent to Ottmar. The zip needs a drop of oil.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("To Prakash.", &["Cool box"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-toothbrush-guarantee",
            "How long is the guarantee on the electric toothbrush? It's packed up again.",
            Expected::default().no_answer(&["2 year|two year|2-year|two-year|24 month"]),
        )
        .note(
            "Electric toothbrush",
            "bathroom",
            "A new head every three months, from the pack of eight.\nCharge it on Sundays",
        )
        .note(
            "Electric shaver",
            "bathroom",
            "The guarantee is two years. Oil the blades now and then.",
        )
        .solved_by(&[Edit::NotFound("That is not in the notes.")]),
        Task::strict(
            "ask-accounts-auditor",
            "Who is auditing the annual accounts this time? I've got the folders ready to hand \
             over.",
            Expected::default().no_answer(&["nkemelu"]),
        )
        .note(
            "Annual accounts",
            "club",
            "To be audited before the members' meeting on 20 March.\nTwo folders a year, in the \
             steel cabinet",
        )
        .note(
            "Bar takings",
            "club",
            "Mr Nkemelu audits them every quarter. The float is 80 euros.",
        )
        .solved_by(&[Edit::NotFound("Nobody is named.")]),
    ]
}
