//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::toad_log;
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
            "ask-descaler",
            "How long do I leave the descaler in the coffee machine?",
            Expected::default()
                .answer(&["25|twenty-five|twenty five"], &["Coffee machine"])
                .lacking(&["40"]),
        )
        .note(
            "Coffee machine",
            "kitchen",
            "Every two months: fill in the descaler, wait 25 minutes, rinse twice.",
        )
        .note("Kettle", "kitchen", "Vinegar for 40 minutes, then rinse.")
        .solved_by(&[Edit::Answer("For 25 minutes.", &["Coffee machine"])]),
        Task::strict(
            "ask-lens",
            "what strength is my left contact lens again",
            Expected::default()
                .answer(&["2.75|2,75"], &["Contact lenses"])
                .lacking(&["3.25|3,25", "1.5|1,5|1.50|1,50"]),
        )
        .note(
            "Contact lenses",
            "eyes",
            "Left: -2.75\nRight: -3.25\nOne box lasts three months",
        )
        .note("Reading glasses", "eyes", "Left: +1.5\nRight: +1.25")
        .solved_by(&[Edit::Answer("-2.75", &["Contact lenses"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-quartet",
            "waht does teh string quartet want for palying at mums 70th?",
            Expected::default()
                .answer(&["480"], &["Mum's 70th"])
                .lacking(&["260"]),
        )
        .note(
            "Mum's 70th",
            "family, party",
            "Upstairs room at the Golden Hart, 45 people. The string quartet takes 480 euros for two hours.",
        )
        .note(
            "Dad's 75th",
            "family, party",
            "The accordion player took 260 euros. He was too loud.",
        )
        .solved_by(&[Edit::Answer("480 euros for two hours.", &["Mum's 70th"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-exchange",
            "Which town does Itziar come from, and which one does Tomasz?",
            Expected::default()
                .answer(&["vitoria", "poznań|poznan"], &["Itziar", "Tomasz"])
                .lacking(&["nancy"]),
        )
        .note(
            "Itziar",
            "exchange students",
            "Exchange student from Vitoria. She plays water polo.",
        )
        .note(
            "Tomasz",
            "exchange students",
            "Exchange student from Poznań. He stays until Easter.",
        )
        .note(
            "Nadège",
            "exchange students",
            "Exchange student from Nancy. Allergic to horses.",
        )
        .solved_by(&[Edit::Answer(
            "Itziar comes from Vitoria, Tomasz from Poznań.",
            &["Itziar", "Tomasz"],
        )]),
        Task::strict(
            "ask-cider-press",
            "what do my notes say about the cider press?",
            Expected::default().answer(
                &[
                    "smith",
                    "4 Oct|4. Oct|Oct 4|October 4|4th|4.10|04.10|4.10.|04.10.|10-04|4/10|04/10|10/4|10/04",
                ],
                &["Cider press", "Cider press day"],
            ),
        )
        .note(
            "Cider press",
            "cider",
            "It belongs to the village. The key is at the smithy.",
        )
        .note(
            "Cider press day",
            "cider",
            "We have the cider press on 4 October, from 9:00 on.",
        )
        .note("Vinegar", "", "Needs six weeks in a warm place.")
        .solved_by(&[Edit::Answer(
            "It belongs to the village, the key is at the smithy. It is yours on 4 October from 9:00 on.",
            &["Cider press", "Cider press day"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pass-german",
            "was kostet die jahreskarte für den wildpark nochmal?",
            Expected::default()
                .answer(&["58|achtundfünfzig"], &["Wildpark"])
                .lacking(&["72"]),
        )
        .note(
            "Wildpark",
            "ausflug",
            "Tageskarte: 9 Euro\nJahreskarte: 58 Euro\nFutter: 1 Euro",
        )
        .note("Tropenhaus", "ausflug", "Jahreskarte: 72 Euro, montags zu.")
        .solved_by(&[Edit::Answer("58 Euro.", &["Wildpark"])]),
        Task::strict(
            "ask-bath-japanese",
            "鶴の湯って何曜日が休みだったっけ？",
            Expected::default()
                .answer(&["水曜"], &["鶴の湯"])
                .lacking(&["金曜"]),
        )
        .note(
            "鶴の湯",
            "温泉",
            "日帰り入浴は七百円。\n定休日は水曜日。\n露天風呂が広い。",
        )
        .note("亀の湯", "温泉", "定休日は金曜日。タオルは有料です。")
        .solved_by(&[Edit::Answer("水曜日です。", &["鶴の湯"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-salamander",
            "where did the fire salamander turn up on our toad patrol",
            Expected::default()
                .answer(&["sluice"], &["Toad patrol log"])
                .lacking(&["quarry"]),
        )
        .note("Toad patrol log", "toads", &toad_log())
        .note(
            "Newts",
            "newts",
            "The crested newts spawn in the quarry pond.",
        )
        .solved_by(&[Edit::Answer("By the sluice.", &["Toad patrol log"])]),
        Task::strict(
            "ask-crowd-pinball",
            "Who was it that looks after the pinball machine?",
            Expected::default().answer(&["radoslav"], &["Pinball machine"]),
        )
        .note(
            "Pinball machine",
            "games room",
            "Radoslav looks after it, evenings only. The left flipper is weak.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Radoslav.", &["Pinball machine"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_dress_and_beds(), unknown_number()].concat()
}

fn unknown_dress_and_beds() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-dress-code",
            "what's the dress code for the awards dinner?",
            Expected::default().no_answer(&[
                "black",
                "long dress",
                "tuxedo",
                "gown",
                "jacket",
                "casual",
            ]),
        )
        .note(
            "Awards dinner",
            "work",
            "In the spa hotel, at 19:00. Table 12 is ours.",
        )
        .note(
            "Opera ball",
            "evenings out",
            "Black tie for him, long dress for her.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-yurt",
            "How many people can sleep in the yurt?",
            Expected::default().no_answer(&[
                "4", "four", "9", "nine", "5", "five", "6", "six", "8", "eight",
            ]),
        )
        .note(
            "Yurt",
            "holiday",
            "It stands on the meadow from May to September. Wood stove, no power.",
        )
        .note(
            "Tree house",
            "holiday",
            "Sleeps four, the ladder has nine rungs.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_number() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-suitcase",
            "whats the claim number for my lost suitcase",
            Expected::default().no_answer(&["55812", "TRN-"]),
        )
        .note(
            "Lost suitcase",
            "travel",
            "Reported at the airport in Turin on Monday. Dark green with a red strap.",
        )
        .note(
            "Damaged pushchair",
            "travel",
            "Claim number TRN-55812, the airline answers within ten days.",
        )
        .solved_by(&[Edit::NotFound("No claim number is noted.")]),
    ]
}
