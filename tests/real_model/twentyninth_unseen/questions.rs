//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::stall_book;
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
            "ask-iron-on-patches",
            "how many seconds was it i have to press down on those iron-on patches?",
            Expected::default()
                .answer(&["25|twenty-five|twenty five"], &["Iron-on patches"])
                .lacking(&["40|forty"]),
        )
        .note(
            "Iron-on patches",
            "sewing",
            "Press down for 25 seconds with a cloth in between. Let them cool before you pull.",
        )
        .note(
            "Fabric glue",
            "sewing",
            "Press together for 40 seconds, wash after two days at the earliest.",
        )
        .solved_by(&[Edit::Answer("25 seconds.", &["Iron-on patches"])]),
        Task::strict(
            "ask-telly-repair",
            "The telly has gone dark again, who was that chap who mended it last winter?",
            Expected::default()
                .answer(&["nakamura"], &["Television"])
                .lacking(&["strobl"]),
        )
        .note(
            "Television",
            "house",
            "Mr Nakamura mended it last winter, a fuse behind the panel. He comes to the house.",
        )
        .note(
            "Record player",
            "house",
            "Strobl mended it last winter, new belt and needle for 55 euros.",
        )
        .solved_by(&[Edit::Answer("Mr Nakamura.", &["Television"])]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-canoe-shed-hook",
            "It's pitch dark at the club. Which hook does the key to the canoe shed hang on?",
            Expected::default()
                .answer(&["9|nine"], &["Club keys"])
                .lacking(&["4|four", "13|thirteen"]),
        )
        .note(
            "Club keys",
            "canoeing",
            "Kitchen key: hook 4\nCanoe shed key: hook 9\nKey to the barrier: with the warden",
        )
        .note(
            "Garage at Gran's",
            "family",
            "The key hangs on hook 13, behind the coats.",
        )
        .solved_by(&[Edit::Answer("On hook 9.", &["Club keys"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-turkey-oven",
            "waht tempratrue dose teh turky go in at",
            Expected::default()
                .answer(
                    &["165|hundred and sixty-five|hundred sixty-five"],
                    &["Turkey"],
                )
                .lacking(&["220|hundred and twenty"]),
        )
        .note(
            "Turkey",
            "recipes",
            "Goes in at 165 degrees, baste every half hour. The tin from Aunt Bibi just fits.",
        )
        .note(
            "Roast potatoes",
            "recipes",
            "At 220 degrees, goose fat, shake them once.",
        )
        .solved_by(&[Edit::Answer("At 165 degrees.", &["Turkey"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-owed-priya-and-marek",
            "Payday! What do I still owe Priya for the theatre and Marek for the petrol?",
            Expected::default()
                .answer(
                    &["46|forty-six|forty six", "31|thirty-one|thirty one"],
                    &["Theatre trip", "Drive to Gdansk"],
                )
                .lacking(&["18|eighteen"]),
        )
        .note(
            "Theatre trip",
            "friends",
            "Priya paid for my seat, I owe her 46 euros. Row K was fine.",
        )
        .note(
            "Drive to Gdansk",
            "friends",
            "I still owe Marek 31 euros for the petrol. The left wiper squeaks.",
        )
        .note(
            "Bowls evening",
            "friends",
            "Owe Thandi 18 euros for the shoes and the chips.",
        )
        .solved_by(&[Edit::Answer(
            "Priya 46 euros, Marek 31 euros.",
            &["Theatre trip", "Drive to Gdansk"],
        )]),
        Task::strict(
            "ask-ferry-and-guesthouse-codes",
            "quick, the booking codes for the ferry and the guesthouse",
            Expected::default()
                .answer(
                    &["QX83", "7TLM"],
                    &["Ferry to Bornholm", "Guesthouse Svaneke"],
                )
                .lacking(&["RB52"]),
        )
        .note(
            "Ferry to Bornholm",
            "holidays",
            "Booking code QX83, be there 40 minutes before. Deck 5 for the car.",
        )
        .note(
            "Guesthouse Svaneke",
            "holidays",
            "The booking code is 7TLM. Breakfast until ten, herring every day.",
        )
        .note(
            "Train to the coast",
            "holidays",
            "Booking code RB52, seats by the window. Change in Malmö.",
        )
        .solved_by(&[Edit::Answer(
            "Ferry: QX83, guesthouse: 7TLM.",
            &["Ferry to Bornholm", "Guesthouse Svaneke"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-babysitter-french",
            "elle prend combien de l'heure déjà, la baby-sitter ?",
            Expected::default()
                .answer(&["11|onze"], &["Baby-sitter"])
                .lacking(&["24|vingt-quatre"]),
        )
        .note(
            "Baby-sitter",
            "enfants",
            "Capucine, libre le vendredi.\nElle prend 11 euros de l'heure\nLa ramener après minuit",
        )
        .note(
            "Professeure de piano",
            "enfants",
            "Elle prend 24 euros de l'heure, partitions comprises.",
        )
        .solved_by(&[Edit::Answer("11 euros de l'heure.", &["Baby-sitter"])]),
        Task::strict(
            "ask-pet-hotel-japanese",
            "ペットホテルのお迎えって何時までだっけ",
            Expected::default()
                .answer(
                    &["六時半|6時半|6:30|18:30|十八時半|18時半|六時三十分|6時30分|18時30分"],
                    &["ペットホテル"],
                )
                .lacking(&["九時|9時|9:00|21:00|21時"]),
        )
        .note(
            "ペットホテル",
            "犬",
            "お迎えは夕方六時半まで。\nいつもの餌を持っていく。\n一泊四千円。",
        )
        .note(
            "クリーニング",
            "家",
            "受け取りは夜九時まで。\n会員証を忘れない。",
        )
        .solved_by(&[Edit::Answer("夕方六時半までです。", &["ペットホテル"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-stall-parasol",
            "somebody once gave us something for the stall, who was that and what did we get?",
            Expected::default()
                .answer(&["castellano", "parasol"], &["Stall book"])
                .lacking(&["whitlock"]),
        )
        .note("Stall book", "market", &stall_book())
        .note(
            "School fair",
            "school",
            "The Whitlocks gave us a trestle table, it has to be back on Sunday.",
        )
        .solved_by(&[Edit::Answer(
            "Mrs Castellano gave you a striped parasol.",
            &["Stall book"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_word_and_day()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-roller-blinds-price",
            "Neighbour wants to know what we paid for the roller blinds in the loft. Do you know?",
            Expected::default().no_answer(&["145", "hundred and forty-five"]),
        )
        .note(
            "Roller blinds in the loft",
            "house",
            "Dark grey, 78 cm wide. Fitted by Jonas from next door but one.",
        )
        .note(
            "Fly screens",
            "house",
            "We paid 145 euros for both, they clip in from the inside.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what they cost.")]),
    ]
}

fn unknown_word_and_day() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-router-password",
            "need the router admin password",
            Expected::default().no_answer(&["kumquat"]),
        )
        .note(
            "Router",
            "internet",
            "Behind the shoe rack. Pull the plug for a minute if the light is red.",
        )
        .note(
            "Streaming",
            "internet",
            "The password is kumquat-88, four screens at once.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-dads-eye-test-day",
            "when is dad's eye test? i have to take him",
            Expected::default().no_answer(&["thursday", "june"]),
        )
        .note(
            "Dad's eye test",
            "family",
            "At Optik Fabian, bring the old glasses. He must not drive afterwards.",
        )
        .note(
            "Dad's hearing check",
            "family",
            "On the first Thursday in June, free of charge. I take him.",
        )
        .solved_by(&[Edit::NotFound("The day is not in the notes.")]),
    ]
}
