//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "caving-bag-typos",
            "cna you ad a spaer torch adn 2 pairs of socks to teh cavign bag lsit pls",
            Expected::default().change(
                "Caving bag",
                &["helmet", "knee pads", "muesli", "torch", "2&sock|two&sock"],
            ),
        )
        .note(
            "Caving bag",
            "outdoors",
            "- helmet\n- knee pads\n- muesli bars",
        )
        .note(
            "Swimming bag",
            "sport",
            "- goggles\n- the thin towel\n- coin for the locker",
        )
        .solved_by(&[Edit::Append(
            "Caving bag",
            "\n- spare torch\n- 2 pairs of socks",
        )]),
        Task::strict(
            "canteen-chip-lost",
            "For the school canteen note: if the chip gets lost it's 5 euros, and Thursday is always veggie day. Can \
             you put both of those in?",
            Expected::default().change(
                "School canteen",
                &[
                    "evening before",
                    "4182",
                    "5 euro|five euro|5 eur|€5|€ 5|5 €|5€|5.00|5,00",
                    "chip|lost|lose|replace",
                    "thu&veg",
                ],
            ),
        )
        .note(
            "School canteen",
            "school",
            "Order by eight the evening before.\nJanina's customer number is 4182",
        )
        .note(
            "Canteen at work",
            "work",
            "Soup with bread is 6 euros. On Thursday it closes at two.",
        )
        .solved_by(&[Edit::Append(
            "School canteen",
            "\nA lost chip costs 5 euros\nThursday is veggie day",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "laser-tag-age",
            "they let kids into laser tag from 9 up, not from 11 as i've got it. pls correct",
            Expected::default()
                .change(
                    "Laser tag",
                    &["9|nine", "14 euro", "vest", "shoes", "birthday room"],
                )
                .lacking(&["11|eleven"]),
        )
        .note(
            "Laser tag",
            "outings",
            "Children from 11 years, 14 euros a round with the vest.\nFlat shoes\nThe birthday room is upstairs.",
        )
        .note(
            "Rope park",
            "outings",
            "Children from 11 years, the red course from 150 cm.",
        )
        .solved_by(&[Edit::Replace("Laser tag", "11", "9")]),
        Task::strict(
            "hygienist-xenia",
            "I muddled up the names at the dentist's, it's Xenia who does my teeth cleaning, not Pilar. Could you \
             sort that out in the note?",
            Expected::default()
                .change(
                    "Teeth cleaning",
                    &[
                        "xenia",
                        "six months|6 months",
                        "85 euro",
                        "insurance",
                        "40",
                        "two hours|2 hours",
                    ],
                )
                .lacking(&["pilar"]),
        )
        .note(
            "Teeth cleaning",
            "health",
            "Every six months with Pilar, 85 euros, the insurance pays 40 of it.\nNo red wine for two hours",
        )
        .note(
            "Spanish conversation",
            "languages",
            "With Pilar in the café by the lock, Tuesdays. She pays for the cake.",
        )
        .solved_by(&[Edit::Replace("Teeth cleaning", "Pilar", "Xenia")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "uniform-sale-moved",
            "school says uniform sale is on 21 september now, not the 14th. still a saturday and same time",
            Expected::default()
                .change(
                    "Uniform sale",
                    &[
                        "21 Sep|21. Sep|Sep 21|Sep. 21|Sept 21|Sept. 21|September 21|21st|21.9|21.9.|21.09|21.09.|\
                         09-21|9/21|09/21|21/9|21/09",
                        "saturday|sat",
                        "9:30|9.30|09:30|09.30|half past nine|half past 9|half nine",
                        "gym",
                        "quayle",
                        "cash",
                        "146",
                    ],
                )
                .lacking(&[
                    "14 Sep|14. Sep|Sep 14|Sep. 14|Sept 14|Sept. 14|September 14|14th|14.9|14.9.|14.09|14.09.|09-14|\
                     9/14|09/14|14/9|14/09",
                ]),
        )
        .note(
            "Uniform sale",
            "school",
            "Saturday 14 September, 9:30 in the gym, Mrs Quayle has the key.\nCash only\nIdris needs a PE top in 146",
        )
        .note(
            "Onion market",
            "town",
            "Saturday 14 September, the early bus is full. Take the trolley.",
        )
        .solved_by(&[Edit::Replace(
            "Uniform sale",
            "14 September",
            "21 September",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "surname-change-ticks",
            "the bank has my new surname now and so does the doctor's, you can tick both off",
            Expected::default()
                .change(
                    "New surname",
                    &[
                        "[x]&passport",
                        "[x]&bank",
                        "[x]&doctor",
                        "[ ]&licence",
                        "[ ]&library",
                    ],
                )
                .lacking(&["[ ]&bank", "[ ]&doctor"]),
        )
        .note(
            "New surname",
            "papers",
            "- [x] passport\n- [ ] bank\n- [ ] driving licence\n- [ ] library card\n- [ ] doctor's surgery",
        )
        .note(
            "Moving in with Jo",
            "papers",
            "- [ ] bank: joint account\n- [ ] doctor's: register\n- [ ] name on the doorbell",
        )
        .solved_by(&[
            Edit::Replace("New surname", "[ ] bank", "[x] bank"),
            Edit::Replace("New surname", "[ ] doctor", "[x] doctor"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "christmas-cards-wetherbys",
            "Ten years without a line from the Wetherbys! I'm not writing to them again, strike them off the \
             Christmas card list",
            Expected::default()
                .change("Christmas cards", &["lavinia", "okafor", "tamsin and piet"])
                .lacking(&["wetherby"]),
        )
        .note(
            "Christmas cards",
            "post",
            "- Aunt Lavinia\n- the Wetherbys, Dorset\n- Dr Okafor\n- Tamsin and Piet",
        )
        .note(
            "Holiday houses",
            "travel",
            "- the Wetherbys in Dorset let the annexe\n- mill near Sligo\n- no stairs for Dad",
        )
        .solved_by(&[Edit::Replace(
            "Christmas cards",
            "- the Wetherbys, Dorset\n",
            "",
        )]),
        Task::strict(
            "car-wash-mirrors",
            "the new car folds its mirrors in on its own so you can take the mirrors out of the car wash note",
            Expected::default()
                .change(
                    "Car wash",
                    &[
                        "programme 3|program 3|programme three",
                        "11 euro",
                        "aerial",
                        "brewery",
                    ],
                )
                .lacking(&["mirror"]),
        )
        .note(
            "Car wash",
            "car",
            "Programme 3 will do, 11 euros. Fold in the mirrors first. Aerial off.\nThe one by the brewery is gentler.",
        )
        .note(
            "Car ferry",
            "travel",
            "Fold in the mirrors first, handbrake on. The deck is locked during the crossing.",
        )
        .solved_by(&[Edit::Replace(
            "Car wash",
            "Fold in the mirrors first. ",
            "",
        )]),
    ]
}
