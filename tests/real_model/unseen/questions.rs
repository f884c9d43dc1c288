//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::brewing_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        from_look_alikes(),
        from_several(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-almonds",
            "At what temperature do I roast the almonds?",
            Expected::default()
                .answer(&["160"], &["Roasted almonds"])
                .lacking(&["150"]),
        )
        .note(
            "Roasted almonds",
            "snacks",
            "160 degrees, 12 minutes, turn them once. Salt at the end.",
        )
        .note(
            "Granola",
            "snacks",
            "150 degrees for 25 minutes, honey to taste.",
        )
        .solved_by(&[Edit::Answer("At 160 degrees.", &["Roasted almonds"])]),
        Task::strict(
            "ask-lemon-tree",
            "lemon tree in winter, how often does it need water?",
            Expected::default()
                .answer(&["ten days|10 days|tenth day|10th day"], &["Lemon tree"])
                .lacking(&["three weeks", "3 weeks"]),
        )
        .note(
            "Lemon tree",
            "plants",
            "Summer: water every evening\nWinter: water every ten days\nNew soil each third spring",
        )
        .note(
            "Olive tree",
            "plants",
            "Winter: water every three weeks, keep it cool",
        )
        .solved_by(&[Edit::Answer("Every ten days.", &["Lemon tree"])]),
    ]
}

fn from_look_alikes() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-filter",
            "which filter size does my 35 mm lens take",
            Expected::default()
                .answer(&["49"], &["35 mm lens"])
                .lacking(&["67"]),
        )
        .note(
            "35 mm lens",
            "camera",
            "The filter size is 49 mm. It was cleaned in March.",
        )
        .note(
            "85 mm lens",
            "camera",
            "The filter size is 67 mm. The focus ring is stiff.",
        )
        .solved_by(&[Edit::Answer("49 mm.", &["35 mm lens"])]),
        Task::strict(
            "ask-mixer",
            "Who did we get the cement mixer from?",
            Expected::default()
                .answer(&["lindgren"], &["Cement mixer"])
                .lacking(&["baumann"]),
        )
        .note(
            "Cement mixer",
            "building",
            "Borrowed from the Lindgrens until the end of June, has to go back clean.",
        )
        .note(
            "Scaffold",
            "building",
            "Rented from Baumann for 12 euros a day.",
        )
        .solved_by(&[Edit::Answer("From the Lindgrens.", &["Cement mixer"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-handball",
            "What day and time do the handball boys train, and the girls?",
            Expected::default()
                .answer(
                    &["tuesday", "17:15|17.15|5:15", "friday", "16:45|16.45|4:45"],
                    &["Handball boys", "Handball girls"],
                )
                .lacking(&["wednesday", "20:00"]),
        )
        .note(
            "Handball boys",
            "handball",
            "They train on Tuesdays at 17:15. Coach: Lasse",
        )
        .note(
            "Handball girls",
            "handball",
            "They train on Fridays at 16:45. Coach: Imke",
        )
        .note(
            "Handball ladies",
            "handball",
            "They train on Wednesdays at 20:00.",
        )
        .solved_by(&[Edit::Answer(
            "The boys on Tuesdays at 17:15, the girls on Fridays at 16:45.",
            &["Handball boys", "Handball girls"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-grill-german",
            "ab wann darf man im hof wieder grillen?",
            Expected::default()
                .answer(
                    &["1. Mai|1 Mai|ersten Mai|erster Mai|1.5|01.05|May 1|1 May|1st"],
                    &["Hausordnung"],
                )
                .lacking(&["juni"]),
        )
        .note(
            "Hausordnung",
            "haus",
            "Grillen im Hof: ab 1. Mai\nWäsche im Hof: nicht sonntags\nFahrräder: nur im Keller",
        )
        .note(
            "Grillabend",
            "haus, feier",
            "Am 14. Juni, Benno bringt die Würstchen mit.",
        )
        .solved_by(&[Edit::Answer("Ab dem 1. Mai.", &["Hausordnung"])]),
        Task::strict(
            "ask-lamb-french",
            "C'est combien de temps de cuisson pour le gigot, déjà ?",
            Expected::default()
                .answer(
                    &[
                        "1 h 20|1h20|1h 20|1 heure 20|1 heure et 20|une heure vingt|une heure et vingt|1:20|\
                         80 min|1 hour 20|1 hour and 20",
                    ],
                    &["Gigot d'agneau"],
                )
                .lacking(&["1 h 45", "1h45", "1h 45"]),
        )
        .note(
            "Gigot d'agneau",
            "cuisine",
            "Four à 180 degrés. Cuisson : 1 h 20. Laisser reposer sous une feuille d'aluminium.",
        )
        .note(
            "Pintade",
            "cuisine",
            "Four à 200 degrés. Cuisson : 1 h 45. Arroser souvent.",
        )
        .solved_by(&[Edit::Answer("1 h 20 de cuisson.", &["Gigot d'agneau"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-wedding-beer",
            "what kind of beer did I brew for Zeynep's wedding",
            Expected::default()
                .answer(&["porter"], &["Brewing log"])
                .lacking(&["stout", "lager", "saison"]),
        )
        .note("Brewing log", "beer, brewing", &brewing_log())
        .note(
            "Zeynep's wedding",
            "wedding, friends",
            "Two o'clock at the town hall. She would like a picnic blanket.",
        )
        .solved_by(&[Edit::Answer("A porter.", &["Brewing log"])]),
        Task::strict(
            "ask-crowd-sleep",
            "When do I have to be there for the sleep study?",
            Expected::default().answer(&["20:30|20.30|8:30|half past eight"], &["Sleep study"]),
        )
        .note(
            "Sleep study",
            "health",
            "Be there at 20:30. Bring pyjamas, no coffee after noon.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("At 20:30.", &["Sleep study"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_number_and_name(), unknown_date()].concat()
}

fn unknown_number_and_name() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-ebike",
            "how many km are on the e-bike by now?",
            Expected::default().no_answer(&["2,350", "2350", "2.350", "500 km", "4417"]),
        )
        .note(
            "E-bike",
            "bike",
            "The battery has 500 Wh, the key number is 4417.",
        )
        .note(
            "Cargo bike",
            "bike",
            "2,350 km on the first of May, new brakes then.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-hotel",
            "Which hotel are Ferdinand and Ayu staying at?",
            Expected::default().no_answer(&["löwen", "loewen", "lowen"]),
        )
        .note(
            "Visit of Ferdinand and Ayu",
            "visitors",
            "They arrive by train on Friday evening. Both are vegetarians.",
        )
        .note(
            "Visit of the Marchettis",
            "visitors",
            "They stay at the hotel Löwen, with breakfast.",
        )
        .solved_by(&[Edit::NotFound("No hotel is named.")]),
    ]
}

fn unknown_date() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-deadline",
            "what's the deadline for the photo competition",
            Expected::default().no_answer(&["31", "august"]),
        )
        .note(
            "Photo competition",
            "competitions",
            "The topic is bridges. Three prints each, in A4.",
        )
        .note(
            "Short story competition",
            "competitions",
            "Closing date is 31 August. At most 2,000 words.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}
