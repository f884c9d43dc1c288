//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::reading_diary;
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
            "ask-worktop",
            "How many coats of oil does the worktop get?",
            Expected::default()
                .answer(&["3|three"], &["Worktop"])
                .lacking(&["2|two"]),
        )
        .note(
            "Worktop",
            "kitchen",
            "Walnut, oiled on Whit Monday. Three coats, with a day in between.",
        )
        .note(
            "Deck planks",
            "outside",
            "Two coats of oil each spring, with the wide brush.",
        )
        .solved_by(&[Edit::Answer("Three coats.", &["Worktop"])]),
        Task::strict(
            "ask-slow-cooker",
            "how long do beans take in the slow cooker again",
            Expected::default()
                .answer(&["7|seven"], &["Slow cooker"])
                .lacking(&["22"]),
        )
        .note(
            "Slow cooker",
            "cooking",
            "Beans: 7 hours on low\nPulled pork: 9 hours on low",
        )
        .note(
            "Pressure cooker",
            "cooking",
            "Beans: 22 minutes\nPotatoes: 12 minutes",
        )
        .solved_by(&[Edit::Answer("7 hours on low.", &["Slow cooker"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-needle",
            "wich needel do i ned for jeans on teh sewing mashine?",
            Expected::default()
                .answer(&["100"], &["Sewing machine"])
                .lacking(&["75"]),
        )
        .note(
            "Sewing machine",
            "sewing",
            "Jeans: needle 100\nSilk: needle 60\nOil it after every tenth hour",
        )
        .note(
            "Overlocker",
            "sewing",
            "Takes needle 75, the knife is blunt.",
        )
        .solved_by(&[Edit::Answer("Needle 100.", &["Sewing machine"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-contracts",
            "what do we pay a month for the phone and for the internet?",
            Expected::default()
                .answer(&["18", "39"], &["Phone contract", "Internet contract"])
                .lacking(&["74"]),
        )
        .note(
            "Phone contract",
            "contracts",
            "18 euros a month, can be cancelled at any time.",
        )
        .note(
            "Internet contract",
            "contracts",
            "39 euros a month, until the end of next year.",
        )
        .note(
            "Electricity contract",
            "contracts",
            "74 euros a month, from the municipal works.",
        )
        .solved_by(&[Edit::Answer(
            "18 euros for the phone and 39 euros for the internet.",
            &["Phone contract", "Internet contract"],
        )]),
        Task::strict(
            "ask-grandfather-clock",
            "what do my notes say about the grandfather clock?",
            Expected::default().answer(&["sunday", "hruska"], &["Grandfather clock", "Clockmaker"]),
        )
        .note(
            "Grandfather clock",
            "house",
            "Wind it on Sundays. It strikes only the full hours.",
        )
        .note(
            "Clockmaker",
            "house",
            "Mr Hruska cleaned the grandfather clock in March.",
        )
        .note(
            "Piggy bank",
            "",
            "The stopper is taped, open it in December.",
        )
        .solved_by(&[Edit::Answer(
            "Wind it on Sundays, it strikes only the full hours. Mr Hruska cleaned it in March.",
            &["Grandfather clock", "Clockmaker"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-fence-german",
            "welche farbe hat nochmal der lack für den gartenzaun?",
            Expected::default()
                .answer(&["moosgrün|moosgruen|moos-grün"], &["Gartenzaun"])
                .lacking(&["kastanie"]),
        )
        .note(
            "Gartenzaun",
            "garten",
            "Lack: moosgrün, zwei Dosen\nLatten: Lärche, 1,20 m",
        )
        .note("Gartentor", "garten", "Lasur: Kastanie\nSchloss: klemmt")
        .solved_by(&[Edit::Answer("Moosgrün.", &["Gartenzaun"])]),
        Task::strict(
            "ask-floor-french",
            "C'est à quel étage déjà, l'orthophoniste de Jules ?",
            Expected::default()
                .answer(&["3|trois"], &["Orthophoniste"])
                .lacking(&["rez-de-chaussée"]),
        )
        .note(
            "Orthophoniste",
            "Jules",
            "Cabinet au 3e étage, sonner chez Delvaux. Séance le mardi à 16 heures.",
        )
        .note(
            "Ostéopathe",
            "santé",
            "Cabinet au rez-de-chaussée, porte bleue.",
        )
        .solved_by(&[Edit::Answer("Au 3e étage.", &["Orthophoniste"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-lost-book",
            "which book did I forget on the train",
            Expected::default()
                .answer(&["salt garden"], &["Reading diary"])
                .lacking(&["orchard"]),
        )
        .note("Reading diary", "books", &reading_diary())
        .note(
            "Reading lamp",
            "books",
            "Bulb with a small screw base, at most 25 watts.",
        )
        .solved_by(&[Edit::Answer("The Salt Garden.", &["Reading diary"])]),
        Task::strict(
            "ask-crowd-marquee",
            "Who did we rent the marquee from?",
            Expected::default().answer(&["zeltwerk"], &["Marquee"]),
        )
        .note(
            "Marquee",
            "celebrations",
            "Rented from Zeltwerk, 6 by 12 metres. Has to be back by Monday noon.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("From Zeltwerk.", &["Marquee"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price_and_age(), unknown_start()].concat()
}

fn unknown_price_and_age() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-tattoo",
            "what did I pay for the tattoo?",
            Expected::default().no_answer(&["60", "sixty"]),
        )
        .note(
            "Tattoo",
            "body",
            "A swallow on the left shoulder, by Juno. Keep it out of the sun.",
        )
        .note(
            "Piercing",
            "body",
            "60 euros, change the stud after six weeks.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-parrot",
            "how old is our parrot now?",
            Expected::default().no_answer(&["2019", "5 years|6 years|7 years|8 years"]),
        )
        .note(
            "Parrot",
            "birds",
            "Coco likes walnuts and can say good night. His cage is cleaned on Fridays.",
        )
        .note("Canary", "birds", "Hatched in 2019, sings best at noon.")
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_start() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-paragliding",
            "When does the paragliding course start?",
            Expected::default().no_answer(&["3 July|July 3|3rd|3. July", "9:00|9.00|9 am|nine"]),
        )
        .note(
            "Paragliding course",
            "sport",
            "At the Kranzhorn, with Ferdi. Boots have to cover the ankle.",
        )
        .note(
            "Surfing course",
            "sport",
            "Starts on 3 July at 9:00, wetsuits are there.",
        )
        .solved_by(&[Edit::NotFound("No start is noted.")]),
    ]
}
