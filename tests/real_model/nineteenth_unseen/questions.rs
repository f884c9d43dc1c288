//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::hut_book;
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
            "ask-salt-dough",
            "how long do the salt dough figures have to dry again before the kids can paint them?",
            Expected::default()
                .answer(&["36|thirty-six|thirty six"], &["Salt dough"])
                .lacking(&["12|twelve"]),
        )
        .note(
            "Salt dough",
            "crafts",
            "Two cups of flour, one of salt. The figures have to dry for 36 hours, then paint them.",
        )
        .note(
            "Window clings",
            "crafts",
            "Leave the paint on the foil for 12 hours, then peel it off.",
        )
        .solved_by(&[Edit::Answer("36 hours.", &["Salt dough"])]),
        Task::strict(
            "ask-towing",
            "Somebody's blocking our drive again! Who was it we rang for the towing last time?",
            Expected::default()
                .answer(&["adeyemi"], &["Blocked drive"])
                .lacking(&["brandt"]),
        )
        .note(
            "Blocked drive",
            "house",
            "Adeyemi towed it last time, took under an hour. Take a picture of the plate first.",
        )
        .note(
            "Car won't start",
            "car",
            "Last time we rang Brandt, he brought a cable and charged nothing.",
        )
        .solved_by(&[Edit::Answer("Adeyemi.", &["Blocked drive"])]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-chalet-tins",
            "I'm standing here with a sack full of empty tins. Which colour of bag is that at the chalet?",
            Expected::default()
                .answer(&["yellow"], &["Chalet rubbish"])
                .lacking(&["purple", "green"]),
        )
        .note(
            "Chalet rubbish",
            "mountains",
            "Paper: purple bag\nTins: yellow bag\nGlass: down to the bus stop",
        )
        .note(
            "Rubbish at home",
            "house",
            "Tins go into the green bag, put it out on the kerb by six.",
        )
        .solved_by(&[Edit::Answer("The yellow bag.", &["Chalet rubbish"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-wine-fridge",
            "waht temprature shuold teh wine frige be on",
            Expected::default()
                .answer(&["11|eleven"], &["Wine fridge"])
                .lacking(&["18|eighteen"]),
        )
        .note(
            "Wine fridge",
            "cellar",
            "Keep it on 11 degrees. The lower rack rattles, felt helps.",
        )
        .note(
            "Chest freezer",
            "cellar",
            "Temperature: minus 18 degrees. Defrost it in January.",
        )
        .solved_by(&[Edit::Answer("On 11 degrees.", &["Wine fridge"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-sponsored-laps",
            "They'll be at the door to collect any minute. What did I promise Anouk per lap and Tobias per length?",
            Expected::default()
                .answer(
                    &["40|0.40|0,40|forty", "75|0.75|0,75|seventy-five|seventy five"],
                    &["Sponsored run", "Sponsored swim"],
                )
                .lacking(&["15|0.15|0,15|fifteen"]),
        )
        .note(
            "Sponsored run",
            "school",
            "Anouk gets 40 cents a lap from me, it is for the animal shelter.",
        )
        .note(
            "Sponsored swim",
            "school",
            "I promised Tobias 75 cents a length. The lifeboat gets it.",
        )
        .note(
            "Sponsored read",
            "school",
            "Elif: 15 cents a page. She reads fast.",
        )
        .solved_by(&[Edit::Answer(
            "Anouk 40 cents a lap, Tobias 75 cents a length.",
            &["Sponsored run", "Sponsored swim"],
        )]),
        Task::strict(
            "ask-hat-sizes",
            "hat sizes of grandad and jelena pls, im in the shop",
            Expected::default()
                .answer(&["61|sixty-one", "54|fifty-four"], &["Grandad", "Jelena"])
                .lacking(&["57|fifty-seven"]),
        )
        .note(
            "Grandad",
            "family",
            "Hat size 61, takes his tea black. Plays cards on Wednesdays.",
        )
        .note(
            "Jelena",
            "family",
            "Her hat size is 54. Allergic to wool, loves mustard yellow.",
        )
        .note(
            "Uncle Casimir",
            "family",
            "Hat size 57, never wears one. Collects corkscrews.",
        )
        .solved_by(&[Edit::Answer(
            "Grandad 61, Jelena 54.",
            &["Grandad", "Jelena"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-christmas-tip-german",
            "wie viel kriegt die zeitungsfrau nochmal von uns zu weihnachten?",
            Expected::default()
                .answer(&["25|fünfundzwanzig"], &["Zeitungsfrau"])
                .lacking(&["15|fünfzehn"]),
        )
        .note(
            "Zeitungsfrau",
            "haus",
            "Kommt gegen fünf Uhr.\nZu Weihnachten bekommt sie 25 Euro im Umschlag\nAbbestellen über die Hotline",
        )
        .note(
            "Müllabfuhr",
            "haus",
            "Zu Weihnachten 15 Euro für die Männer, dazu Plätzchen.",
        )
        .solved_by(&[Edit::Answer("25 Euro.", &["Zeitungsfrau"])]),
        Task::strict(
            "ask-weeding-japanese",
            "町内の草むしり、集合は何時だったかな？",
            Expected::default()
                .answer(
                    &["七時半|7時半|7:30|七時三十分|7時30分"],
                    &["町内の草むしり"],
                )
                .lacking(&["九時|9時|9:00"]),
        )
        .note(
            "町内の草むしり",
            "町内",
            "朝の七時半に神社の前に集合。\n軍手と鎌を持っていく。\n雨なら中止。",
        )
        .note("防災訓練", "町内", "朝の九時に校庭に集合。\n水筒を持っていく。")
        .solved_by(&[Edit::Answer("朝の七時半です。", &["町内の草むしり"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hut-common-room",
            "who was it that left us something for the common room of the hut, and what was it?",
            Expected::default()
                .answer(&["fitzgerald", "game"], &["Hut book"])
                .lacking(&["lindholm"]),
        )
        .note("Hut book", "mountains", &hut_book())
        .note(
            "Office kitchen",
            "work",
            "The Lindholms left us a toaster, it stands in the common room on the third floor.",
        )
        .solved_by(&[Edit::Answer(
            "The Fitzgeralds left a box of board games.",
            &["Hut book"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_number_and_day()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-gravestone-price",
            "What did we pay for Granny's gravestone? My brother wants to settle his half",
            Expected::default().no_answer(&["190", "hundred and ninety"]),
        )
        .note(
            "Granny's gravestone",
            "family",
            "Grey granite, letters in bronze. Mr Vasko the mason sets it after the frost.",
        )
        .note(
            "Grave plants",
            "family",
            "The nursery does it for 190 euros a year, begonias in summer.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it cost.")]),
    ]
}

fn unknown_number_and_day() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-sim-puk",
            "whats the puk of my sim card",
            Expected::default().no_answer(&["4471"]),
        )
        .note(
            "SIM card",
            "phone",
            "Prepaid, tops itself up by 5 euros. The old one is in the pen tray.",
        )
        .note(
            "Tablet",
            "phone",
            "The PIN is 4471, the children know it as well.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-foot-care-day",
            "on what day does the foot care lady come to mum?",
            Expected::default().no_answer(&["friday", "march"]),
        )
        .note(
            "Foot care for Mum",
            "care",
            "Ms Ferreira, 34 euros. Have a bowl of warm water ready.",
        )
        .note(
            "Hairdresser for Mum",
            "care",
            "Comes to the house on the second Friday in March, wash and set.",
        )
        .solved_by(&[Edit::NotFound("It is not noted on which day she comes.")]),
    ]
}
