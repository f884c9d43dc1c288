//! What a crowd of ordinary people asks of its notes, and new notes that they dictate.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn answer(facts: &[&str], sources: &[&str]) -> Expected {
    Expected::default().answer(facts, sources)
}

/// Returns questions, new notes, requests in other languages, and for two things.
pub(super) fn tasks() -> Vec<Task> {
    [
        at_work(),
        at_home(),
        of_appointments(),
        of_money(),
        without_answer(),
        new_notes(),
        in_other_languages(),
        two_things(),
    ]
    .concat()
}

fn at_work() -> Vec<Task> {
    vec![
        Task::strict(
            "g-ask-torque",
            "torque for wheel bolts on the passat?",
            answer(&["120"], &["Wheel bolts"]).lacking(&["200", "110", "30"]),
        )
        .note(
            "Wheel bolts",
            "",
            "Corsa: 110 Nm\nPassat: 120 Nm\nTransit: 200 Nm",
        )
        .note(
            "Passat of Mrs Ekwall",
            "",
            "Oil drain plug: 30 Nm, new washer every time.",
        )
        .note("Torque wrench", "", "Lent to Dieter, back on Monday.")
        .solved_by(&[Edit::Answer("120 Nm", &["Wheel bolts"])]),
        Task::strict(
            "g-ask-sowing",
            "When did I sow the leeks this spring?",
            answer(
                &["2 mar|mar 2|march 2|2nd|2.3|02.03|03-02|2/3|3/2"],
                &["Sowing diary"],
            )
            .lacking(&["18 mar", "march 18", "5 apr", "april 5", "june"]),
        )
        .note(
            "Sowing diary",
            "garden",
            "18 March: peas along the fence. 2 March: leeks and celery in the cold frame. 5 April: \
             carrots.",
        )
        .note("Leek soup", "", "3 leeks, 4 potatoes, 1 litre of stock.")
        .note("Leek moth", "garden", "Net over the leeks from June on.")
        .solved_by(&[Edit::Answer("On 2 March.", &["Sowing diary"])]),
    ]
}

fn at_home() -> Vec<Task> {
    vec![
        Task::strict(
            "g-ask-syrup",
            "hi how much ibuprofen syrup was it again for noor",
            answer(&["3.5|3,5"], &["Noor"]).lacking(&["6 ml", "5 ml"]),
        )
        .note(
            "Noor",
            "",
            "Weighs 14 kg\nIbuprofen syrup: 3.5 ml, three times a day at most\nParacetamol syrup: 6 ml",
        )
        .note("Yusuf", "", "Weighs 21 kg\nIbuprofen syrup: 5 ml")
        .solved_by(&[Edit::Answer("3.5 ml", &["Noor"])]),
        Task::strict(
            "g-ask-cookies",
            "mika is coming over tomorrow, can he eat the peanut cookies?",
            answer(
                &["allerg|no,|no.|not|cannot|can't|avoid|isn't"],
                &["Mika"],
            )
            .lacking(&["yes", "not allergic", "no allerg", "lactose", "milk"]),
        )
        .note(
            "Mika",
            "",
            "Anton's friend. Allergic to nuts, peanuts and kiwi. His mother: 0170 2223344.",
        )
        .note("Mila", "", "Anton's cousin. No milk, she is lactose intolerant.")
        .note("Peanut cookies", "", "12 minutes at 180 degrees.")
        .solved_by(&[Edit::Answer(
            "No, he is allergic to peanuts.",
            &["Mika"],
        )]),
        Task::strict(
            "g-ask-return",
            "um hey can you tell me what is the return number for the boots i ordered",
            answer(&["20817"], &["Parcels to send back"]).lacking(&["20933", "39"]),
        )
        .note(
            "Parcels to send back",
            "",
            "Lamp: RX-20933, until 4 May\nBoots: RX-20817, until 9 May",
        )
        .note("Boots", "", "Size 39, grease them before winter.")
        .solved_by(&[Edit::Answer("RX-20817", &["Parcels to send back"])]),
    ]
}

fn of_appointments() -> Vec<Task> {
    vec![
        Task::strict(
            "g-ask-feet",
            "Good morning, at what time does the lady for my feet come? Thank you.",
            answer(
                &["9:45|09:45|9.45|09.45|quarter to ten|quarter to 10"],
                &["Chiropodist"],
            )
            .lacking(&["11:15", "14:00"]),
        )
        .note(
            "Chiropodist",
            "",
            "Mrs Abara comes to the house every sixth Tuesday at 9:45. 34 euros, in cash.",
        )
        .note("Hairdresser", "", "Sandra comes on Fridays at 11:15.")
        .note("Bridge", "", "Ladies' round, Wednesdays at 14:00.")
        .solved_by(&[Edit::Answer("At 9:45.", &["Chiropodist"])]),
        Task::strict(
            "g-ask-resit",
            "when n where is the stats resit",
            answer(
                &[
                    "24 mar|mar 24|march 24|24th|24.3|24.03|03-24|24/3|3/24",
                    "hall c",
                ],
                &["Exams in spring"],
            )
            .lacking(&["rotunda", "2 april", "april 2", "library"]),
        )
        .note(
            "Exams in spring",
            "",
            "Statistics resit: 24 March, 9:00, lecture hall C\nMicroeconomics: 2 April, 14:00, rotunda",
        )
        .note(
            "Stats study group",
            "",
            "Sundays at 16:00 in the library, with Femi and Ana.",
        )
        .solved_by(&[Edit::Answer(
            "24 March at 9:00 in lecture hall C.",
            &["Exams in spring"],
        )]),
    ]
}

fn of_money() -> Vec<Task> {
    vec![
        Task::strict(
            "g-ask-unpaid",
            "who hasnt paid their dues yet??",
            answer(&["lindner", "saito"], &["Dues this year"])
                .lacking(&["okafor", "petrov", "marlow"]),
        )
        .note(
            "Dues this year",
            "club",
            "Okafor: paid\nLindner: open\nPetrov: paid\nSaito: open",
        )
        .note("Waiting list", "club", "Marlow wants to join in autumn.")
        .solved_by(&[Edit::Answer("Lindner and Saito.", &["Dues this year"])]),
        Task::strict(
            "g-ask-funds",
            "What do we have in the cash tin and the bank together please?",
            answer(&["515"], &["Club money"]).lacking(&["620", "1135", "1,135"]),
        )
        .note("Club money", "club", "Cash tin: 85 euros\nBank: 430 euros")
        .note(
            "Club outing",
            "club",
            "The coach costs 620 euros, paid from the bank in June.",
        )
        .solved_by(&[Edit::Answer(
            "515 euros: 85 in the tin and 430 in the bank.",
            &["Club money"],
        )]),
    ]
}

fn without_answer() -> Vec<Task> {
    let not_said = |tempting: &[&str]| Expected::default().no_answer(tempting);
    let nothing = [Edit::NotFound("The notes do not say it.")];
    vec![
        Task::strict(
            "g-ask-blood",
            "what blood group does grandpa have",
            not_said(&["a positive", "a+"]),
        )
        .note(
            "Grandpa",
            "",
            "Ramipril 5 mg in the morning. Blood pressure on Monday: 138 to 84.",
        )
        .note("Grandma", "", "Blood group: A positive. Wears size 38.")
        .solved_by(&nothing),
        Task::strict(
            "g-ask-plumber",
            "how much did the plumber charge us last time?",
            not_said(&["145", "euro"]),
        )
        .note(
            "Plumber",
            "",
            "Mr Toth, 040 771122. Repaired the kitchen tap on 3 February.",
        )
        .note(
            "Electrician",
            "",
            "Charged 145 euros for the sockets in the hall.",
        )
        .solved_by(&nothing),
        Task::strict(
            "g-ask-mark",
            "my mark in organic chem??",
            not_said(&["1.7", "2.3", "1,7", "2,3"]),
        )
        .note(
            "Organic chemistry",
            "",
            "Exam on 11 July, 90 minutes. Bring the model kit.",
        )
        .note("Marks", "", "Physics: 1.7\nMaths: 2.3")
        .note("Lab coat", "", "In locker 52.")
        .solved_by(&nothing),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "g-new-guesthouse",
            "Please write down for me: the lady at the bakery recommends the guesthouse Waldfrieden in Bad \
             Urach, one should ask for a room with a balcony",
            Expected::default().new_note(&["waldfrieden", "urach", "balcon"]),
        )
        .note("Bakery", "", "Closed on Mondays. Rye bread on Thursdays.")
        .note("Guesthouse in Husum", "", "Noisy, but a good breakfast.")
        .solved_by(&[Edit::Create(
            "Guesthouse Waldfrieden",
            "In Bad Urach. Ask for a room with a balcony.",
        )]),
        Task::strict(
            "g-new-rattle",
            "new note. corsa d rattling at idle = heat shield loose, two clamps fix it",
            Expected::default().new_note(&["corsa", "rattl", "heat shield|heatshield", "clamp"]),
        )
        .note("Corsa brakes", "", "Rear drums stick after standing.")
        .note("Hose clamps", "", "In the third drawer.")
        .solved_by(&[Edit::Create(
            "Corsa D rattle",
            "Rattling at idle: the heat shield is loose. Two clamps fix it.",
        )]),
        Task::strict(
            "g-new-thesis",
            "make me a note called Thesis ideas w/ heat pumps in old houses, district heating, night trains",
            Expected::default().new_titled(
                "Thesis ideas",
                &["heat pump", "old house", "district heating", "night train"],
            ),
        )
        .note("Thesis rules", "", "60 pages, two printed copies.")
        .solved_by(&[Edit::Create(
            "Thesis ideas",
            "- heat pumps in old houses\n- district heating\n- night trains",
        )]),
        Task::strict(
            "g-new-sizes",
            "emil wears shoe size 31 now and trousers in 122, pls remember",
            Expected::default()
                .new_note(&["emil", "31", "122"])
                .dictated(),
        )
        .note("Clara", "", "Shoe size 27, dresses in 104.")
        .note("Shoe shop", "", "Kids' shoes on the second floor.")
        .solved_by(&[Edit::Create("Emil", "Shoe size: 31\nTrousers: 122")]),
    ]
}

fn in_other_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "g-de-ask",
            "bis wann muss mein auto zum tüv",
            answer(
                &["oktober 2026|10/2026|10.2026|10/26|2026-10|oktober 26"],
                &["Mein Auto"],
            )
            .lacking(&["januar", "april", "2027"]),
        )
        .note(
            "Mein Auto",
            "",
            "TÜV: Oktober 2026\nÖlwechsel: April\nReifendruck: 2,4 bar",
        )
        .note("Auto von Papa", "", "TÜV: Januar 2027")
        .solved_by(&[Edit::Answer("Bis Oktober 2026.", &["Mein Auto"])]),
        Task::strict(
            "g-de-buffet",
            "Heike bringt Kartoffelsalat mit, schreib das bitte noch auf die Buffetliste fürs Sommerfest",
            Expected::default().change(
                "Buffet Sommerfest",
                &["kartoffelsalat&heike", "nudelsalat", "melone"],
            ),
        )
        .note(
            "Buffet Sommerfest",
            "",
            "- Nudelsalat (Ayse)\n- Brot (Karl)\n- Melone (Tina)",
        )
        .note("Kartoffelsalat", "", "Mit Brühe, ohne Mayonnaise.")
        .note("Sommerfest Helfer", "", "Aufbau: Karl\nAbbau: Murat")
        .solved_by(&[Edit::Append(
            "Buffet Sommerfest",
            "\n- Kartoffelsalat (Heike)",
        )]),
        Task::strict(
            "g-fr-yoga",
            "le yoga c'est à 18h45 maintenant",
            Expected::default()
                .change(
                    "Yoga",
                    &["18h45|18:45|18 h 45", "mardi", "salle 2", "tapis"],
                )
                .lacking(&["18h15", "18:15"])
                .dictated(),
        )
        .note("Yoga", "", "Mardi à 18h15, salle 2\nApporter un tapis")
        .note("Pilates", "", "Jeudi à 18h15, salle 1")
        .solved_by(&[Edit::Replace("Yoga", "18h15", "18h45")]),
    ]
}

fn two_things() -> Vec<Task> {
    vec![
        Task::strict(
            "g-two-raffle",
            "Jansen gave 50 for the raffle, not 40. also make a new note that the auditors come on 9 November",
            Expected::default()
                .change("Raffle donors", &["jansen&50", "bakery&25"])
                .lacking(&["40"])
                .new_note(&[
                    "audit",
                    "9 Nov|Nov 9|November 9|9th|9.11|09.11|11-09|9/11|11/9",
                ]),
        )
        .note(
            "Raffle donors",
            "club",
            "Jansen: 40 euros\nBakery: 25 euros",
        )
        .note("Audit last year", "club", "Two receipts were missing.")
        .solved_by(&[
            Edit::Replace("Raffle donors", "40", "50"),
            Edit::Create("Auditors", "They come on 9 November."),
        ]),
        Task::strict(
            "g-two-herbs",
            "basil died so take it off the windowsill list, and chives go on the balcony list",
            Expected::default()
                .change("Windowsill", &["thyme", "aloe"])
                .lacking(&["basil", "chives"])
                .change("Balcony", &["chives", "geraniums", "strawberries"])
                .lacking(&["basil"]),
        )
        .note("Windowsill", "", "- thyme\n- basil\n- aloe")
        .note("Balcony", "", "- geraniums\n- strawberries")
        .note("Pesto", "", "Two bunches of basil, 50 g pine nuts.")
        .solved_by(&[
            Edit::Replace("Windowsill", "- basil\n", ""),
            Edit::Append("Balcony", "\n- chives"),
        ]),
    ]
}
