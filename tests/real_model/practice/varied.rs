//! The same kinds of requests in other words and with other notes.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn change(title: &str, facts: &[&str]) -> Expected {
    Expected::default().change(title, facts)
}

pub(super) fn edits() -> Vec<Task> {
    vec![
        Task::new(
            "merge-any",
            "merge the notes Bike lights and Bike repairs",
            |world| world.notes.len() == 2 && world.has(&["batteries", "chain"]),
        )
        .may(0, &["Bike lights", "Bike repairs"])
        .note("Bike lights", "", "They need new batteries.")
        .note("Bike repairs", "", "The chain was oiled in May.")
        .note("Boots", "", "Size 42."),
        Task::strict(
            "change-fee",
            "Filmbox is 13.99 € a month now",
            change("Subscriptions", &["filmbox&13.99", "music&9.99"]).lacking(&["12.99"]),
        )
        .note("Subscriptions", "", "Filmbox: 12.99 €\nMusic: 9.99 €")
        .solved_by(&[Edit::Replace("Subscriptions", "12.99", "13.99")]),
        Task::strict(
            "change-flight",
            "Grandma's flight lands at 15:40, not at 14:40",
            change("Flight", &["15:40", "gate b12"]).lacking(&["14:40"]),
        )
        .note("Flight", "", "Grandma lands at 14:40.\nGate B12.")
        .note("Train", "", "Uncle Jo arrives at 14:40.")
        .solved_by(&[Edit::Replace("Flight", "14:40", "15:40")]),
        Task::strict(
            "change-number-of-many",
            "Dora's new number is 555-0199",
            change(
                "Contacts",
                &["anna&0101", "ben&0102", "dora&0199", "emil&0105"],
            )
            .lacking(&["0104"]),
        )
        .note(
            "Contacts",
            "",
            "Anna: 555-0101\nBen: 555-0102\nCara: 555-0103\nDora: 555-0104\nEmil: 555-0105",
        )
        .solved_by(&[Edit::Replace("Contacts", "0104", "0199")]),
        Task::strict(
            "change-german-fee",
            "Der Kurs kostet jetzt 80 Euro statt 65 Euro.",
            change("Töpferkurs", &["19 Uhr", "80 Euro"]).lacking(&["65"]),
        )
        .note("Töpferkurs", "", "Mittwochs um 19 Uhr, 65 Euro im Monat")
        .note("Yoga", "", "Dienstags um 18 Uhr, 40 Euro im Monat")
        .solved_by(&[Edit::Replace("Töpferkurs", "65", "80")]),
        Task::strict(
            "tick-washed",
            "the car is washed",
            change("Chores", &["[x] wash the car", "[ ] mow"]).lacking(&["[ ] wash"]),
        )
        .note("Chores", "", "- [ ] wash the car\n- [ ] mow the lawn")
        .note("Car", "", "Insurance: 310 euros a year.")
        .solved_by(&[Edit::Replace("Chores", "[ ] wash", "[x] wash")]),
    ]
}

/// Ticks, lists and other languages.
pub(super) fn more_edits() -> Vec<Task> {
    vec![
        Task::strict(
            "swap-item",
            "replace the blue towels by white towels on the wish list",
            change("Wish list", &["white towels", "lamp"]).lacking(&["blue"]),
        )
        .note("Wish list", "", "- blue towels\n- lamp")
        .solved_by(&[Edit::Replace("Wish list", "blue", "white")]),
        Task::strict(
            "add-and-new",
            "add salt to the shopping list and note down that the oven light is broken",
            change("Shopping list", &["milk", "salt"])
                .lacking(&["note down"])
                .new_note(&["oven", "light", "broken"])
                .dictated(),
        )
        .note("Shopping list", "", "- milk")
        .solved_by(&[
            Edit::Append("Shopping list", "\n- salt"),
            Edit::Create("Oven", "The oven light is broken."),
        ]),
        Task::strict(
            "add-german-list",
            "Zwiebeln und 2 kg Kartoffeln auf den Einkaufszettel bitte",
            change("Einkaufszettel", &["Reis", "Zwiebeln", "2 kg Kartoffeln"]),
        )
        .note("Einkaufszettel", "", "- Reis")
        .note("Kartoffelsalat", "", "Mit Senf und Gurken.")
        .solved_by(&[Edit::Append(
            "Einkaufszettel",
            "\n- Zwiebeln\n- 2 kg Kartoffeln",
        )]),
        Task::strict(
            "cut-japanese",
            "買い物リストから卵を消して",
            change("買い物リスト", &["牛乳", "豆腐"]).lacking(&["卵"]),
        )
        .note("買い物リスト", "", "- 牛乳\n- 卵\n- 豆腐")
        .solved_by(&[Edit::Replace("買い物リスト", "- 卵\n", "")]),
        Task::strict(
            "write-slips",
            "remeber: teh dor code of the ofice is 8812",
            Expected::default().new_note(&["8812", "code"]).dictated(),
        )
        .note("Office plants", "", "Water them on Mondays.")
        .solved_by(&[Edit::Create(
            "Door code",
            "The door code of the office is 8812.",
        )]),
    ]
}

pub(super) fn questions() -> Vec<Task> {
    let answer = |facts: &[&str], sources: &[&str]| Expected::default().answer(facts, sources);
    let not_said = |tempting: &[&str]| Expected::default().no_answer(tempting);
    let nothing = [Edit::NotFound("The notes do not say it.")];
    vec![
        Task::strict(
            "ask-gas",
            "what was the gas reading?",
            answer(&["9917"], &["Meter readings"]).lacking(&["48213"]),
        )
        .note(
            "Meter readings",
            "",
            "Electricity: 48213\nGas: 9917\nWater: 332",
        )
        .solved_by(&[Edit::Answer("9917", &["Meter readings"])]),
        Task::strict(
            "ask-washer",
            "which washer does the bathroom tap take?",
            answer(&["10 mm"], &["Bathroom tap"]).lacking(&["12 mm"]),
        )
        .note("Kitchen tap", "", "Washer size 12 mm.")
        .note("Bathroom tap", "", "Washer size 10 mm.")
        .solved_by(&[Edit::Answer("10 mm", &["Bathroom tap"])]),
        Task::strict(
            "ask-meeting",
            "会議はどこでありますか？",
            answer(&["二階"], &["会議"]),
        )
        .note(
            "会議",
            "",
            "会議は金曜日の午後3時です。\n場所は二階の部屋です。",
        )
        .solved_by(&[Edit::Answer("二階の部屋です。", &["会議"])]),
        Task::strict(
            "ask-course",
            "Wann ist der Töpferkurs?",
            answer(&["19 Uhr"], &["Töpferkurs"]),
        )
        .note("Töpferkurs", "", "Mittwochs um 19 Uhr, 65 Euro im Monat")
        .note("Yoga", "", "Dienstags um 18 Uhr, 40 Euro im Monat")
        .solved_by(&[Edit::Answer("Mittwochs um 19 Uhr", &["Töpferkurs"])]),
        Task::strict(
            "ask-goalkeeper",
            "who is the goalkeeper?",
            not_said(&["omar"]),
        )
        .note(
            "Football",
            "",
            "Training on Wednesday at 18:00.\nCoach: Omar",
        )
        .solved_by(&nothing),
        Task::strict(
            "ask-boat",
            "what did the boat cost?",
            not_said(&["6", "4", "blue"]),
        )
        .note("Boat", "", "Blue, 6 m long. Moored at pier 4.")
        .solved_by(&nothing),
    ]
}
