//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), of_days(), boxes_and_removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "telescope-list",
            "cuold you add thick socks adn 2 headlamps to teh telescope night list",
            Expected::default().change(
                "Telescope night",
                &[
                    "star chart",
                    "thermos",
                    "thick&sock",
                    "2&headlamp|two&headlamp|2&head lamp|two&head lamp|2&headtorch|two&headtorch\
                     |2&head torch|two&head torch",
                ],
            ),
        )
        .note("Telescope night", "astronomy", "- star chart\n- thermos")
        .note(
            "Telescope",
            "astronomy",
            "Second-hand from Ferdi. The finder points a little too far to the left.",
        )
        .solved_by(&[Edit::Append(
            "Telescope night",
            "\n- thick socks\n- 2 headlamps",
        )]),
        Task::strict(
            "tiling-grout",
            "4 bags of grout won't do, make that 6 on the tiling list",
            Expected::default()
                .change(
                    "Tiling",
                    &["grout&6|grout&six", "spacers&3", "sponge&2|sponge&two"],
                )
                .lacking(&["grout&4|grout&four"]),
        )
        .note(
            "Tiling",
            "bathroom",
            "- 4 bags of grout\n- tile spacers, 3 mm\n- 2 sponges",
        )
        .note(
            "Tiler",
            "bathroom",
            "Mr Sandoval, he wants 4 bags of grout in the hall before he starts.",
        )
        .solved_by(&[Edit::Replace("Tiling", "4 bags", "6 bags")]),
    ]
}

fn of_days() -> Vec<Task> {
    vec![
        Task::strict(
            "bins-day",
            "from now on the recycling is picked up on thursdays",
            Expected::default()
                .change(
                    "Bins",
                    &[
                        "rubbish&monday",
                        "paper&wednesday",
                        "recycling&thu",
                        "glass&friday",
                    ],
                )
                .lacking(&["recycling&tue"])
                .dictated(),
        )
        .note(
            "Bins",
            "house",
            "Rubbish: Monday\nPaper: every other Wednesday\nRecycling: Tuesday\nGlass: first Friday of the \
             month",
        )
        .note(
            "Street sweeper",
            "house",
            "Tuesday from 7:00 on, no parking on our side.",
        )
        .solved_by(&[Edit::Replace(
            "Bins",
            "Recycling: Tuesday",
            "Recycling: Thursday",
        )]),
        Task::strict(
            "graduation-date",
            "Ola graduates on the 27th of June, not on the 26th. Could you fix that in the graduation note?",
            Expected::default()
                .change(
                    "Ola's graduation",
                    &[
                        "27 Jun|27. Jun|Jun 27|June 27|27th|27.6|27.06|27.6.|27.06.|06-27|6/27|06/27|27/6|27/06",
                        "15:00|15.00|3 pm|3pm|3 p.m|15 h|15h",
                        "concert hall",
                        "two|2",
                    ],
                )
                .lacking(&[
                    "26 Jun|26. Jun|Jun 26|June 26|26th|26.6|26.06|26.6.|26.06.|06-26|6/26|06/26|26/6|26/06",
                ]),
        )
        .note(
            "Ola's graduation",
            "family",
            "The ceremony is on 26 June at 15:00 in the concert hall. We have two tickets.",
        )
        .note(
            "Tailor",
            "clothes",
            "Fitting for the linen suit on 26 June, bring the brown shoes.",
        )
        .solved_by(&[Edit::Replace("Ola's graduation", "26 June", "27 June")]),
    ]
}

fn boxes_and_removals() -> Vec<Task> {
    vec![
        Task::strict(
            "lisbon-ticks",
            "passports are renewed and wanda said yes to the plants! tick those two for lisbon pls",
            Expected::default()
                .change(
                    "Lisbon",
                    &[
                        "[x]&passport",
                        "[ ]&tram",
                        "[x]&wanda&plants",
                        "[x]&pay&flat",
                        "[ ]&phrasebook",
                    ],
                )
                .lacking(&["[ ]&passport", "[ ]&wanda"]),
        )
        .note(
            "Lisbon",
            "travel",
            "- [ ] renew the passports\n- [ ] buy the tram tickets\n- [ ] ask Wanda to water the plants\n- [x] \
             pay for the flat\n- [ ] phrasebook",
        )
        .note(
            "Porto",
            "travel",
            "- [ ] renew the passports\n- [x] book the night train",
        )
        .solved_by(&[
            Edit::Replace("Lisbon", "[ ] renew", "[x] renew"),
            Edit::Replace("Lisbon", "[ ] ask Wanda", "[x] ask Wanda"),
        ]),
        Task::strict(
            "pottery-guest",
            "Sadly Bruno can't make the pottery weekend, so please take him off the list of people there.",
            Expected::default()
                .change(
                    "Pottery weekend",
                    &["agnes", "keiko", "saturday", "apron"],
                )
                .lacking(&["bruno"]),
        )
        .note(
            "Pottery weekend",
            "pottery",
            "Coming: Agnes, Bruno, Keiko\nThe kiln is fired on Saturday night.\nBring an apron.",
        )
        .note(
            "Potter's wheel",
            "pottery",
            "Bruno has borrowed it, with 10 kg of clay.",
        )
        .solved_by(&[Edit::Replace("Pottery weekend", "Bruno, ", "")]),
    ]
}
