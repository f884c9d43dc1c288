//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::shift_log;
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
            "ask-kombucha",
            "how long does the kombucha have to stand?",
            Expected::default()
                .answer(&["9|nine"], &["Kombucha"])
                .lacking(&["24|twenty-four"]),
        )
        .note(
            "Kombucha",
            "kitchen",
            "80 g of sugar, a litre and a half of black tea. Let it stand for 9 days with a cloth on top.",
        )
        .note(
            "Kefir",
            "kitchen",
            "Half a litre of milk. Let it stand for 24 hours, no metal spoons.",
        )
        .solved_by(&[Edit::Answer("For 9 days.", &["Kombucha"])]),
        Task::strict(
            "ask-budgies",
            "Who did we agree on for feeding the budgies while we're away?",
            Expected::default()
                .answer(&["lindgren"], &["Budgies"])
                .lacking(&["timo"]),
        )
        .note(
            "Budgies",
            "pets",
            "Mrs Lindgren feeds them while we're away, two spoons of millet a day. The cage key is on the nail.",
        )
        .note(
            "Goldfish",
            "pets",
            "Timo feeds them while we're away. One pinch, not more.",
        )
        .solved_by(&[Edit::Answer("Mrs Lindgren.", &["Budgies"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-oven-bulb",
            "whcih bulb does teh oven need agian",
            Expected::default()
                .answer(&["e14|e 14|e-14"], &["Oven"])
                .lacking(&["g9"]),
        )
        .note(
            "Oven",
            "kitchen",
            "Bulb: E14, 25 watts. The left knob is loose, the grill takes four minutes.",
        )
        .note(
            "Cooker hood",
            "kitchen",
            "Bulb: G9. Put the filter in the dishwasher once a month.",
        )
        .solved_by(&[Edit::Answer("An E14 with 25 watts.", &["Oven"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-leave-left",
            "how many days of leave have lena and raj got left?",
            Expected::default()
                .answer(&["11|eleven", "6|six"], &["Lena", "Raj"])
                .lacking(&["19|nineteen"]),
        )
        .note(
            "Lena",
            "team",
            "Has 11 days of leave left. Works from home on Wednesdays.",
        )
        .note(
            "Raj",
            "team",
            "New badge since May. Has 6 days of leave left.",
        )
        .note(
            "Colm",
            "team",
            "Has 19 days of leave left, wants all of them in August.",
        )
        .solved_by(&[Edit::Answer(
            "Lena has 11 days left, Raj has 6.",
            &["Lena", "Raj"],
        )]),
        Task::strict(
            "ask-arrivals",
            "What time does Aunt Vera get in on Saturday, and what time Uncle Gus?",
            Expected::default()
                .answer(
                    &["14:08|14.08|14h08|2:08|2.08", "17:35|17.35|17h35|5:35|5.35"],
                    &["Aunt Vera", "Uncle Gus"],
                )
                .lacking(&["19:15|7:15"]),
        )
        .note(
            "Aunt Vera",
            "family",
            "Her train gets in at 14:08 on Saturday, platform 6. She takes the sofa bed.",
        )
        .note(
            "Uncle Gus",
            "family",
            "Lands on Saturday at 17:35, terminal B. Doesn't like lifts.",
        )
        .note(
            "Cousin Malik",
            "family",
            "Comes by bus on Saturday, gets in at 19:15. Sleeps at Nell's.",
        )
        .solved_by(&[Edit::Answer(
            "Aunt Vera at 14:08, Uncle Gus at 17:35.",
            &["Aunt Vera", "Uncle Gus"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-tip-french",
            "elle ferme à quelle heure le samedi, la déchetterie ?",
            Expected::default()
                .answer(&["16|16:00|16.00|seize|4 heures|4h"], &["Déchetterie"])
                .lacking(&["17", "18h30|18:30"]),
        )
        .note(
            "Déchetterie",
            "ville",
            "En semaine : jusqu'à 18h30\nLe samedi : jusqu'à 16h\nCarte verte obligatoire",
        )
        .note(
            "Médiathèque",
            "ville",
            "Le samedi : jusqu'à 17h. Fermée le lundi.",
        )
        .solved_by(&[Edit::Answer("À 16h.", &["Déchetterie"])]),
        Task::strict(
            "ask-bulky-japanese",
            "粗大ごみの受付番号、何番だった？",
            Expected::default()
                .answer(&["5521"], &["粗大ごみ"])
                .lacking(&["3098"]),
        )
        .note(
            "粗大ごみ",
            "家",
            "本棚とソファ。\n受付番号は5521。\n金曜の朝に出す。",
        )
        .note(
            "掃除機の修理",
            "家",
            "受付番号は3098。\n二週間ぐらいかかる。",
        )
        .solved_by(&[Edit::Answer("5521番です。", &["粗大ごみ"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-shift-cover",
            "who was it I covered for until six, and what do I get for it?",
            Expected::default()
                .answer(&["bahar", "sunday"], &["Shift log"])
                .lacking(&["fredrik"]),
        )
        .note("Shift log", "work", &shift_log())
        .note(
            "Parking space",
            "work",
            "Fredrik lets me use his on Thursdays, he gets a jar of honey for it.",
        )
        .solved_by(&[Edit::Answer(
            "For Bahar, and she gives you a free Sunday.",
            &["Shift log"],
        )]),
        Task::strict(
            "ask-crowd-crochet",
            "what size hook did i use for the crochet bunny",
            Expected::default().answer(&["3.5|3,5|3 1/2|three and a half"], &["Crochet bunny"]),
        )
        .note(
            "Crochet bunny",
            "presents",
            "Hook: 3.5 mm, mint green cotton. 22 rounds for each ear.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("A 3.5 mm hook.", &["Crochet bunny"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_name(), unknown_numbers()].concat()
}

fn unknown_name() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-perfume",
            "what's mum's perfume called again? want to get her some",
            Expected::default().no_answer(&["nuit", "verte"]),
        )
        .note(
            "Mum",
            "family",
            "Glove size 7. Has nearly used up her perfume, and wants no more scarves.",
        )
        .note(
            "Aunt Berit",
            "family",
            "Her perfume is called Nuit Verte. Sings in two choirs.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it is called.")]),
    ]
}

fn unknown_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-rental-plate",
            "What's the licence plate of our rental car?",
            Expected::default().no_answer(&["482"]),
        )
        .note(
            "Rental car",
            "travel",
            "A grey estate, picked up at the harbour. Return it with a full tank.",
        )
        .note(
            "Company van",
            "work",
            "Licence plate TR-KL 482, the diesel card is in the visor.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-hockey-tram",
            "which tram goes to the hockey hall",
            Expected::default().no_answer(&["9", "nine"]),
        )
        .note(
            "Hockey hall",
            "sport",
            "By the canal, the entrance is at the back. They sharpen skates for 8 euros.",
        )
        .note(
            "Judo hall",
            "sport",
            "Tram 9 to the last stop, then past the school.",
        )
        .solved_by(&[Edit::NotFound("It is not noted which one.")]),
    ]
}
