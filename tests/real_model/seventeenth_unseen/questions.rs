//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::dive_log;
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
            "ask-worm-farm",
            "How often does the worm farm want feeding?",
            Expected::default()
                .answer(&["4|four|4th"], &["Worm farm"])
                .lacking(&["9|nine"]),
        )
        .note(
            "Worm farm",
            "garden",
            "Feed it every 4 days, never citrus or onions. Drain the tap on Sundays.",
        )
        .note(
            "Bokashi bucket",
            "garden",
            "Drain it every 9 days, press the lid down hard.",
        )
        .solved_by(&[Edit::Answer("Every 4 days.", &["Worm farm"])]),
        Task::strict(
            "ask-fire-basket",
            "remind me, who forged our fire basket?",
            Expected::default()
                .answer(&["ruairi|blackstock"], &["Fire basket"])
                .lacking(&["tomczyk"]),
        )
        .note(
            "Fire basket",
            "garden",
            "Forged by Ruairi Blackstock, a present from the allotment people. Rub it with oil in April.",
        )
        .note(
            "Balcony railing",
            "house",
            "Welded by Mr Tomczyk, the paint is RAL 7016. Two baskets hang on it.",
        )
        .solved_by(&[Edit::Answer("Ruairi Blackstock.", &["Fire basket"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-stopcock",
            "wheer do i find teh stopcokc in teh holdiay house, its dripping",
            Expected::default()
                .answer(&["stair"], &["Stopcock in the holiday house"])
                .lacking(&["fridge"]),
        )
        .note(
            "Stopcock in the holiday house",
            "",
            "Behind the panel under the stairs, turn it clockwise.",
        )
        .note(
            "Gas tap in the holiday house",
            "",
            "Behind the fridge, the yellow lever. Shut it when we leave.",
        )
        .solved_by(&[Edit::Answer(
            "Behind the panel under the stairs.",
            &["Stopcock in the holiday house"],
        )]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-damp-course",
            "got to decide by tonight, what do hartigan and sousa want for the damp course?",
            Expected::default()
                .answer(
                    &["3450|3,450|3.450|3 450", "2980|2,980|2.980|2 980"],
                    &["Hartigan's quote", "Sousa's quote"],
                )
                .lacking(&["1720|1,720|1.720|1 720"]),
        )
        .note(
            "Hartigan's quote",
            "house",
            "Damp course for 3450 euros, he could start in May.",
        )
        .note(
            "Sousa's quote",
            "house",
            "Damp course in two stages, 2980 euros. Brings her own skip.",
        )
        .note(
            "Wexler's quote",
            "house",
            "Gutters in zinc, 1720 euros, ten years of guarantee.",
        )
        .solved_by(&[Edit::Answer(
            "Hartigan wants 3450 euros, Sousa 2980.",
            &["Hartigan's quote", "Sousa's quote"],
        )]),
        Task::strict(
            "ask-hay-bales",
            "The hay man is on the phone. How many bales a week do Thistle and Moss get through between the two of \
             them?",
            Expected::default()
                .answer(&["9|nine"], &["Thistle", "Moss"])
                .lacking(&["11|eleven"]),
        )
        .note(
            "Thistle",
            "ponies",
            "Eats 4 bales of hay a week, from the net only. Sweet itch in summer.",
        )
        .note(
            "Moss",
            "ponies",
            "Eats 5 bales of hay a week, and a handful of linseed. Afraid of umbrellas.",
        )
        .note(
            "Clover",
            "ponies",
            "Stands at the Yardleys', 2 bales of hay a week, no carrots.",
        )
        .solved_by(&[Edit::Answer("9 bales a week.", &["Thistle", "Moss"])]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-tokens-french",
            "combien de jetons pour le sèche-linge à la laverie, tu sais ?",
            Expected::default()
                .answer(&["2|deux"], &["Laverie"])
                .lacking(&["4|quatre", "5|cinq"]),
        )
        .note(
            "Laverie",
            "quartier",
            "Lave-linge : 4 jetons\nSèche-linge : 2 jetons\nFerme à 21h, le distributeur de lessive est vide.",
        )
        .note(
            "Lavage auto",
            "quartier",
            "5 jetons le programme court, aspirateur compris.",
        )
        .solved_by(&[Edit::Answer("2 jetons.", &["Laverie"])]),
        Task::strict(
            "ask-humidifier-japanese",
            "加湿器のフィルター、何か月に一回替えればいいんだっけ？",
            Expected::default()
                .answer(&["六&月|6&月|半年"], &["加湿器"])
                .lacking(&["二年|2年|2 年"]),
        )
        .note(
            "加湿器",
            "家電",
            "フィルターは六か月に一回替える。\n水は毎朝入れ替える。",
        )
        .note(
            "空気清浄機",
            "家電",
            "フィルターは二年に一回替える。\n窓際には置かない。",
        )
        .solved_by(&[Edit::Answer("六か月に一回です。", &["加湿器"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-lost-fin",
            "somebody lost a fin down in that wreck on one of our dives.. who? and what animal sat in the wheelhouse?",
            Expected::default()
                .answer(&["zeki", "moray|eel"], &["Dive log"])
                .lacking(&["octopus"]),
        )
        .note("Dive log", "diving", &dive_log())
        .note(
            "Wreck of the Philippa",
            "diving",
            "Went down in 1911, lies at 24 metres. An octopus lives in the boiler.",
        )
        .solved_by(&[Edit::Answer(
            "Zeki lost a fin, and a moray eel sat in the wheelhouse.",
            &["Dive log"],
        )]),
        Task::strict(
            "ask-crowd-hob",
            "how long do we still have warranty on the induction hob?",
            Expected::default().answer(&["2029", "mar|03|3"], &["Induction hob"]),
        )
        .note(
            "Induction hob",
            "kitchen",
            "Warranty until March 2029, the receipt is in the blue file. Flat pans only, no copper.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Until March 2029.", &["Induction hob"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_name_and_number()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-funicular-price",
            "how much is a ride on the funicular?",
            Expected::default().no_answer(&["18", "eighteen"]),
        )
        .note(
            "Funicular",
            "holidays",
            "First one up at 8:40, last one down at 17:10. Dogs wear a muzzle.",
        )
        .note(
            "Chairlift",
            "holidays",
            "A ride is 18 euros up and down, shut in a gale.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
    ]
}

fn unknown_name_and_number() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-maiden-name",
            "I'm doing the family tree. What was Grandma Tove's maiden name?",
            Expected::default().no_answer(&["ekelund"]),
        )
        .note(
            "Grandma Tove",
            "family",
            "Born in Ribe in 1931, the youngest of six. Worked in the lace factory.",
        )
        .note(
            "Great-uncle Sten",
            "family",
            "His mother's maiden name was Ekelund. Went to sea at fifteen.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-down-jacket",
            "do you know at how many degrees the down jacket has to be washed",
            Expected::default().no_answer(&["30", "thirty"]),
        )
        .note(
            "Down jacket",
            "clothes",
            "Wash it on its own. Two tennis balls go in the dryer with it.",
        )
        .note(
            "Ski suit",
            "clothes",
            "Wash at 30 degrees, zip closed, no softener.",
        )
        .solved_by(&[Edit::NotFound("It is not noted at how many degrees.")]),
    ]
}
