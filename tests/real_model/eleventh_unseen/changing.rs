//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), names(), of_days(), of_times(), boxes(), removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "sushi-wasabi",
            "we'er out of wasabi, can yuo put taht adn a pack of nori on teh list for sushi nigth",
            Expected::default().change("Sushi night", &["rice vinegar", "avocado", "wasabi", "nori"]),
        )
        .note("Sushi night", "cooking", "- rice vinegar\n- 2 avocados")
        .note(
            "Sushi bar",
            "eating out",
            "The corner table is the quiet one. Their wasabi is the real thing.",
        )
        .solved_by(&[Edit::Append("Sushi night", "\n- wasabi\n- a pack of nori")]),
        Task::strict(
            "chutney-sugar",
            "made it again and 400 g of sugar is far too sweet, put 280 g in the mango chutney recipe",
            Expected::default()
                .change(
                    "Mango chutney",
                    &["sugar&280", "6&mango", "vinegar&250", "50 min"],
                )
                .lacking(&["400"]),
        )
        .note(
            "Mango chutney",
            "recipes",
            "6 mangoes\n400 g of sugar\n250 ml of vinegar\nSimmer for 50 minutes, fill the jars while it is hot.",
        )
        .note(
            "Nut brittle",
            "recipes",
            "400 g of sugar, the same of hazelnuts. Stir until it is amber.",
        )
        .solved_by(&[Edit::Replace("Mango chutney", "400 g", "280 g")]),
    ]
}

fn names() -> Vec<Task> {
    vec![
        Task::strict(
            "interview-name",
            "I spelled the woman's name wrong in the note for my job interview, she's Ms Thorvik and not Ms \
             Thorsvik",
            Expected::default()
                .change(
                    "Job interview",
                    &[
                        "monday&10:15",
                        "third floor",
                        "thorvik",
                        "sales",
                        "certificates",
                    ],
                )
                .lacking(&["thorsvik"]),
        )
        .note(
            "Job interview",
            "work",
            "Monday at 10:15, third floor.\nMs Thorsvik and a colleague from sales.\nTake the certificates \
             along.",
        )
        .note(
            "Job fair",
            "work",
            "Hall 4, from nine o'clock. Ms Brezina at stand 22 knew my old firm.",
        )
        .solved_by(&[Edit::Replace("Job interview", "Thorsvik", "Thorvik")]),
    ]
}

fn of_days() -> Vec<Task> {
    vec![
        Task::strict(
            "car-boot-date",
            "they've put the car boot sale back by a week, so it's Sunday 21 September now",
            Expected::default()
                .change(
                    "Car boot sale",
                    &[
                        "21 Sep|21. Sep|Sep 21|Sept 21|September 21|21st|21.9|21.09|21.9.|21.09.|09-21|9/21|\
                         09/21|21/9|21/09",
                        "8:00|08:00|8.00|08.00|8 am|8am|8 a.m|8 o'clock|eight",
                        "pitch 37",
                        "nadia",
                    ],
                )
                .lacking(&[
                    "14 Sep|14. Sep|Sep 14|Sept 14|September 14|14th|14.9|14.09|14.9.|14.09.|09-14|9/14|09/14|\
                     14/9|14/09",
                ]),
        )
        .note(
            "Car boot sale",
            "",
            "Sunday 14 September, set up from 8:00.\nPitch 37, Nadia brings the trestles.",
        )
        .note(
            "Car wash",
            "car",
            "The free voucher runs out on 14 September. Fold the mirrors in.",
        )
        .solved_by(&[Edit::Replace("Car boot sale", "14 September", "21 September")]),
    ]
}

fn of_times() -> Vec<Task> {
    vec![
        Task::strict(
            "volleyball-mixed",
            "fyi the mixed group in volleyball only starts at 19:45 from now on, can you update that",
            Expected::default()
                .change(
                    "Volleyball",
                    &[
                        "women&tuesday&18:30",
                        "mixed&thu",
                        "mixed&19:45|mixed&19.45|mixed&7:45|mixed&7.45|mixed&quarter to eight|\
                         mixed&quarter to 8",
                        "juniors&19:15",
                        "knee pads",
                    ],
                )
                .lacking(&["mixed&19:15|mixed&19.15|mixed&7:15"]),
        )
        .note(
            "Volleyball",
            "sport",
            "Women: Tuesday 18:30\nMixed: Thursday 19:15\nJuniors: Friday 19:15\nBring the knee pads.",
        )
        .note(
            "Beach volleyball",
            "sport",
            "The mixed teams meet at 19:15 by the kiosk, from June on.",
        )
        .solved_by(&[Edit::Replace("Volleyball", "Thursday 19:15", "Thursday 19:45")]),
        Task::strict(
            "hostel-check-in",
            "Can you add to the note about the hostel that check-in is from 3 to 10 pm and that towels cost 4 \
             euros?",
            Expected::default().change(
                "Hostel in Ljubljana",
                &[
                    "metelkova",
                    "breakfast",
                    "check|arriv",
                    "3|03:00|3:00|3.00|15|15:00|15.00|three",
                    "10|10:00|10.00|22|22:00|22.00",
                    "towel",
                    "4|4.00|4,00|four",
                ],
            ),
        )
        .note(
            "Hostel in Ljubljana",
            "travel",
            "Metelkova street, the house with the blue doors.\nBreakfast is in the yard.",
        )
        .note(
            "Towels",
            "house",
            "The big ones were 19 euros each, wash them at 60 degrees.",
        )
        .solved_by(&[Edit::Append(
            "Hostel in Ljubljana",
            "\nCheck-in: 3 to 10 pm\nTowels: 4 euros",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "sleepover-ticks",
            "sleeping bags are aired and the pizzas are in the freezer, tick those off on the sleepover list. \
             film is still undecided",
            Expected::default()
                .change(
                    "Sleepover",
                    &[
                        "[x]&sleeping bag",
                        "[ ]&film",
                        "[x]&parents",
                        "[x]&pizza",
                        "[ ]&lamp",
                    ],
                )
                .lacking(&["[ ]&sleeping", "[ ]&pizza"]),
        )
        .note(
            "Sleepover",
            "children",
            "- [ ] air the sleeping bags\n- [ ] choose a film\n- [x] ask Bo's parents\n- [ ] pizzas into the \
             freezer\n- [ ] find the night lamp",
        )
        .note(
            "Class party",
            "children",
            "- [ ] choose a film\n- [ ] pizzas for 24",
        )
        .solved_by(&[
            Edit::Replace("Sleepover", "[ ] air", "[x] air"),
            Edit::Replace("Sleepover", "[ ] pizzas", "[x] pizzas"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "mortgage-answered",
            "The bank answered two of my mortgage questions, the early repayment one and who pays the valuer. \
             You can delete those two.",
            Expected::default()
                .change(
                    "Mortgage questions",
                    &["10&15", "dad&guarantor", "insurance"],
                )
                .lacking(&["repay", "valuer"]),
        )
        .note(
            "Mortgage questions",
            "house",
            "- early repayment: what does it cost?\n- fixed for 10 years or for 15?\n- who pays the valuer?\n\
             - can Dad be the guarantor?\n- is the life insurance a must?",
        )
        .note(
            "Mortgage offers",
            "house",
            "Alder Bank: 3.4 percent, early repayment free of charge.\nNorth Bank: 3.1 percent, the valuer is \
             extra.",
        )
        .solved_by(&[
            Edit::Replace(
                "Mortgage questions",
                "- early repayment: what does it cost?\n",
                "",
            ),
            Edit::Replace("Mortgage questions", "- who pays the valuer?\n", ""),
        ]),
    ]
}
