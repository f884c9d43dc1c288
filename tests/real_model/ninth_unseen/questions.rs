//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::greenhouse_log;
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
            "ask-brine",
            "how much salt goes in the brine for the gherkins again?",
            Expected::default()
                .answer(&["50|fifty"], &["Gherkins"])
                .lacking(&["18"]),
        )
        .note(
            "Gherkins",
            "preserving",
            "Brine: 50 grams of salt to the litre. Two heads of dill a jar, then six weeks in the dark.",
        )
        .note(
            "Sauerkraut",
            "preserving",
            "18 grams of salt to the kilo, weigh it down with a stone.",
        )
        .solved_by(&[Edit::Answer("50 grams to the litre.", &["Gherkins"])]),
        Task::strict(
            "ask-tetanus",
            "When is my next tetanus jab due?",
            Expected::default()
                .answer(&["2029"], &["Vaccinations"])
                .lacking(&["2026"]),
        )
        .note(
            "Vaccinations",
            "health",
            "Tetanus: last one in 2019, next one in 2029\nTick fever: last one in 2023, next one in 2028",
        )
        .note(
            "Flicka",
            "pony",
            "The pony gets its tetanus jab in 2026, the farrier comes every two months.",
        )
        .solved_by(&[Edit::Answer("In 2029.", &["Vaccinations"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-curtains",
            "waht size do teh curtians in the livng room have to be",
            Expected::default()
                .answer(
                    &["245|2.45|2,45", "140|1.40|1,40|1.4|1,4"],
                    &["Living room"],
                )
                .lacking(&["180|1.80|1.8"]),
        )
        .note(
            "Living room",
            "house",
            "Walls: eggshell. Curtains: 245 cm long and 140 cm wide. The shelf takes twelve brackets.",
        )
        .note(
            "Bedroom",
            "house",
            "Walls: dove blue. Curtains: 180 cm long and 110 cm wide.",
        )
        .solved_by(&[Edit::Answer(
            "245 cm long and 140 cm wide.",
            &["Living room"],
        )]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-eggs",
            "I want to make the marble cake AND the lemon tart on Saturday, how many eggs is that altogether?",
            Expected::default().answer(&["9|nine"], &["Marble cake", "Lemon tart"]),
        )
        .note(
            "Marble cake",
            "baking",
            "4 eggs, 250 g of butter, 300 g of flour, two spoons of cocoa. 55 minutes at 175 degrees.",
        )
        .note(
            "Lemon tart",
            "baking",
            "5 eggs, three lemons, 150 g of sugar, cream. Best on the second day.",
        )
        .note(
            "Pancakes",
            "baking",
            "3 eggs, 200 g of flour, milk until it runs off the spoon.",
        )
        .solved_by(&[Edit::Answer(
            "Nine: four for the marble cake and five for the lemon tart.",
            &["Marble cake", "Lemon tart"],
        )]),
        Task::strict(
            "ask-saturday",
            "until when are the library and the recycling yard open on saturdays",
            Expected::default()
                .answer(
                    &[
                        "13:00|13.00|13|1 pm|1pm|1 p.m|1:00|1.00|one o'clock|1 o'clock|until 1|till 1|at 1",
                        "15:30|15.30|3:30|3.30|half past three|half past 3|half three",
                    ],
                    &["Library", "Recycling yard"],
                )
                .lacking(&["11:45"]),
        )
        .note(
            "Library",
            "town",
            "Monday to Friday until 18:30\nSaturday until 13:00\nCards are renewed at the desk",
        )
        .note(
            "Recycling yard",
            "town",
            "Saturday until 15:30, otherwise closed from noon on. Only with the green card.",
        )
        .note("Post office", "town", "Saturday until 11:45, queue on the left.")
        .solved_by(&[Edit::Answer(
            "The library until 13:00, the recycling yard until 15:30.",
            &["Library", "Recycling yard"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-paint-german",
            "welche nummer hatte nochmal die wandfarbe im flur?",
            Expected::default()
                .answer(&["3042"], &["Flur"])
                .lacking(&["1187"]),
        )
        .note(
            "Flur",
            "wohnung",
            "Wandfarbe: Salbei, Nummer 3042\nGarderobe: acht Haken",
        )
        .note(
            "Arbeitszimmer",
            "wohnung",
            "Wandfarbe: Sand, Nummer 1187\nZwei Steckdosen fehlen",
        )
        .solved_by(&[Edit::Answer("Salbei, Nummer 3042.", &["Flur"])]),
        Task::strict(
            "ask-gift-japanese",
            "おばあちゃんの誕生日、何をあげることにしたんだっけ？",
            Expected::default()
                .answer(
                    &["ひざ掛け|膝掛け|ひざかけ|膝かけ"],
                    &["おばあちゃんの誕生日"],
                )
                .lacking(&["靴下"]),
        )
        .note(
            "おばあちゃんの誕生日",
            "家族",
            "十一月二日。\nプレゼントはひざ掛け。\n妹と半分ずつ払う。",
        )
        .note("父の日", "家族", "プレゼントは靴下。\nカードも書く。")
        .solved_by(&[Edit::Answer("ひざ掛けです。", &["おばあちゃんの誕生日"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hedgehog",
            "where in the greenhouse was that hedgehog sleeping, and on what day was it?",
            Expected::default()
                .answer(&["water butt", "66|sixty-six"], &["Greenhouse log"])
                .lacking(&["compost"]),
        )
        .note("Greenhouse log", "greenhouse", &greenhouse_log())
        .note(
            "Hedgehog house",
            "garden",
            "By the compost heap, filled with dry leaves in October.",
        )
        .solved_by(&[Edit::Answer(
            "Behind the water butt, on day 66.",
            &["Greenhouse log"],
        )]),
        Task::strict(
            "ask-crowd-mattress",
            "who's got our air mattress?",
            Expected::default().answer(&["zdenka"], &["Air mattress"]),
        )
        .note(
            "Air mattress",
            "lent",
            "Zdenka has it until Whitsun, and the foot pump too.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Zdenka.", &["Air mattress"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_numbers(), unknown_day()].concat()
}

fn unknown_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-door-code",
            "whats the door code at the climbing hall",
            Expected::default().no_answer(&["5093"]),
        )
        .note(
            "Climbing hall",
            "sport",
            "Open until 22:00. The ten-visit card is in the blue wallet.",
        )
        .note(
            "Band room",
            "music",
            "Door code 5093, the light switch is on the left.",
        )
        .solved_by(&[Edit::NotFound("No door code is noted for it.")]),
        Task::strict(
            "ask-horse-age",
            "How old is Tamsin's horse?",
            Expected::default().no_answer(&["27", "twenty-seven", "twenty seven"]),
        )
        .note(
            "Tamsin",
            "friends",
            "Her horse is called Juniper, a chestnut with white socks. She rides on Tuesdays.",
        )
        .note(
            "Donkey farm",
            "outings",
            "The oldest donkey is 27 years old. Carrots are welcome.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_day() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-leasing-form",
            "by when do i have to hand in the form for the bike leasing?",
            Expected::default().no_answer(&["july", "31"]),
        )
        .note(
            "Bike leasing",
            "work",
            "Through the company. The form is in the top drawer, Petra has the stamp.",
        )
        .note(
            "Tax return",
            "papers",
            "Has to be handed in by 31 July, the forms are in the grey folder.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say until when.")]),
    ]
}
