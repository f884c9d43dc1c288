//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::radio_log;
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
            "ask-glaze-temperature",
            "how hot does the kiln have to get for the glaze",
            Expected::default()
                .answer(&["1240|1,240|1.240|1 240"], &["Kiln"])
                .lacking(&["980", "1010|1,010"]),
        )
        .note(
            "Kiln",
            "pottery",
            "Biscuit firing: 980 degrees\nGlaze firing: 1240 degrees\nLeave the lid shut for a night.",
        )
        .note(
            "Raku day",
            "pottery",
            "1010 degrees, then into the sawdust. Petronella brings the tongs.",
        )
        .solved_by(&[Edit::Answer("1240 degrees.", &["Kiln"])]),
        Task::strict(
            "ask-projector-borrower",
            "Who has my projector at the moment?",
            Expected::default()
                .answer(&["ismene"], &["Lent out"])
                .lacking(&["tobiah", "oyelaran", "casimir"]),
        )
        .note(
            "Lent out",
            "things",
            "- ladder: Tobiah\n- projector: Ismene, until the end of May\n- fondue set: Mr Oyelaran",
        )
        .note(
            "Film evening",
            "friends",
            "Casimir has the screen, everybody brings a cushion.",
        )
        .solved_by(&[Edit::Answer("Ismene has it.", &["Lent out"])]),
        Task::strict(
            "ask-stove-lamp",
            "I'm standing in the hardware shop and for the life of me I can't remember which bulb goes into the \
             oven. Could you look it up?",
            Expected::default()
                .answer(&["e14|e 14|e-14"], &["Oven"])
                .lacking(&["g9"]),
        )
        .note(
            "Oven",
            "kitchen",
            "Bulb: E14, 25 watts, heat-proof.\nThe glass of the door lifts out.",
        )
        .note(
            "Extractor hood",
            "kitchen",
            "Two bulbs, G9. The filter goes in the dishwasher.",
        )
        .solved_by(&[Edit::Answer("E14, 25 watts, heat-proof.", &["Oven"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pool-closing",
            "untill waht tiem is teh indor pool open on fridys",
            Expected::default()
                .answer(
                    &["21:45|21.45|9:45|9.45|quarter to ten|quarter to 10"],
                    &["Indoor pool"],
                )
                .lacking(&["17:30|17.30|5:30", "20:15|20.15|8:15"]),
        )
        .note(
            "Indoor pool",
            "sport",
            "Fridays until 21:45\nSundays until 17:30\nA euro for the locker",
        )
        .note(
            "Ice rink",
            "sport",
            "Fridays until 20:15, skates are extra. Closed from April on.",
        )
        .solved_by(&[Edit::Answer("Until 21:45.", &["Indoor pool"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-two-wifi",
            "whats the wifi password at mum's and whats the one at the cabin.. the boys keep asking",
            Expected::default()
                .answer(
                    &["moorhen62", "gravelpit88"],
                    &["Wifi at Mum's", "Wifi at the cabin"],
                )
                .lacking(&["blotter17"]),
        )
        .note(
            "Wifi at Mum's",
            "passwords",
            "Password moorhen62, the box is behind the dresser.",
        )
        .note(
            "Wifi at the cabin",
            "passwords",
            "Password gravelpit88. Works only by the window.",
        )
        .note(
            "Wifi at the office",
            "passwords",
            "Password blotter17, changes every quarter.",
        )
        .solved_by(&[Edit::Answer(
            "At Mum's it is moorhen62, at the cabin gravelpit88.",
            &["Wifi at Mum's", "Wifi at the cabin"],
        )]),
        Task::strict(
            "ask-paper-and-glass",
            "On which day do they collect the paper, and on which one the glass?",
            Expected::default()
                .answer(&["wednesday", "monday"], &["Paper bin", "Glass box"])
                .lacking(&["friday"]),
        )
        .note(
            "Paper bin",
            "rubbish",
            "Every other Wednesday, out by six in the morning. No pizza cartons.",
        )
        .note(
            "Glass box",
            "rubbish",
            "The first Monday of the month. Lids off.",
        )
        .note(
            "Garden waste",
            "rubbish",
            "Fridays, from March on. Tie up the branches.",
        )
        .solved_by(&[Edit::Answer(
            "The paper every other Wednesday, the glass on the first Monday of the month.",
            &["Paper bin", "Glass box"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-deposit-box-german",
            "Welche Nummer hat nochmal unser Schließfach bei der Bank?",
            Expected::default()
                .answer(&["2317"], &["Schließfach"])
                .lacking(&["5082"]),
        )
        .note(
            "Schließfach",
            "bank",
            "Nummer 2317, im Untergeschoss.\nDer zweite Schlüssel liegt bei Notarin Quandt.",
        )
        .note(
            "Postfach",
            "post",
            "Nummer 5082, leeren am Samstag. Der Schlüssel hängt am Brett.",
        )
        .solved_by(&[Edit::Answer("Nummer 2317.", &["Schließfach"])]),
        Task::strict(
            "ask-calligraphy-fee-japanese",
            "書道教室の月謝っていくらだっけ？",
            Expected::default()
                .answer(&["六千五百|6500|6,500|6千5百|六五〇〇"], &["書道教室"])
                .lacking(&["七千二百|7200|7,200"]),
        )
        .note(
            "書道教室",
            "習い事",
            "毎週水曜、公民館の二階。\n月謝は六千五百円。\n半紙は自分で持っていく。",
        )
        .note(
            "そろばん教室",
            "習い事",
            "月謝は七千二百円。\n検定は年に三回。",
        )
        .solved_by(&[Edit::Answer("六千五百円です。", &["書道教室"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-trawler-operator",
            "that trawler i once had on the radio, who was at the microphone and where were they?",
            Expected::default()
                .answer(&["brynhild", "faroe"], &["Radio log"])
                .lacking(&["sunniva"]),
        )
        .note("Radio log", "radio", &radio_log())
        .note(
            "Fish stall",
            "",
            "Sunniva sells straight from the trawler, by the crane. Haddock only on Saturdays.",
        )
        .solved_by(&[Edit::Answer("Brynhild, off the Faroes.", &["Radio log"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_day_and_person()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-kayak-hire",
            "what do they take for a kayak per day",
            Expected::default().no_answer(&["14|fourteen"]),
        )
        .note(
            "Kayaks",
            "outings",
            "Doubles only, wear old shoes. The hire hut is below the weir.",
        )
        .note(
            "Pedal boats",
            "outings",
            "14 euros per hour, the swan costs the same. No dogs.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
    ]
}

fn unknown_day_and_person() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-cataract-date",
            "I have to ask for leave in good time, so on what date is Grandpa's cataract operation?",
            Expected::default().no_answer(&["17 Apr", "Apr 17", "April 17", "17th", "17. Apr"]),
        )
        .note(
            "Grandpa's cataract operation",
            "family",
            "In the day clinic, second entrance. Nothing to eat from midnight on, I drive him home.",
        )
        .note(
            "Grandma's cataract operation",
            "family",
            "On 17 April at 7:40, the left eye first. Aunt Isolde drives.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-accordion-mender",
            "is it down anywhere who's mending the accordion",
            Expected::default().no_answer(&["lundqvist"]),
        )
        .note(
            "Accordion",
            "music",
            "Two reeds stick and the bellows leak. The case stands in the wardrobe.",
        )
        .note(
            "Harmonium",
            "music",
            "Mended by Lundqvist, the pedals squeak less now.",
        )
        .solved_by(&[Edit::NotFound("Nobody is noted.")]),
    ]
}
