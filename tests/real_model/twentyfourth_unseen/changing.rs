//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        among_look_alikes(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "bird-hide-soup",
            "pleas put 2 tins of soop adn a seat cushin on teh list fro the bird hide",
            Expected::default().change(
                "Bird hide",
                &["flask", "field guide", "2&soup|two&soup", "cushion"],
            ),
        )
        .note("Bird hide", "birds", "- flask\n- field guide")
        .note(
            "Bird table",
            "birds",
            "Sunflower seeds, no bread. Scrub it once a week.",
        )
        .solved_by(&[Edit::Append(
            "Bird hide",
            "\n- 2 tins of soup\n- a seat cushion",
        )]),
        Task::strict(
            "ducklings-lamp-drakes",
            "Ducklings, two additions if I may: their heat lamp is only needed until they're six weeks old. And old \
             Mrs Kowalczyk is going to take the drakes, bless her.",
            Expected::default().change(
                "Ducklings",
                &[
                    "hatched",
                    "bread",
                    "lamp",
                    "6&week|six&week|6&weeks|six&weeks",
                    "kowalczyk",
                    "drake|drakes",
                ],
            ),
        )
        .note(
            "Ducklings",
            "animals",
            "Hatched on 8 April, seven of them.\nNo bread, not even a crumb",
        )
        .note(
            "Guinea fowl",
            "animals",
            "Mrs Kowalczyk has the incubator. They shout at the postman.",
        )
        .solved_by(&[Edit::Append(
            "Ducklings",
            "\nHeat lamp only until they are six weeks old\nMrs Kowalczyk takes the drakes.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "moth-traps-weeks",
            "the packet says moth traps last 10 weeks. i'd put 6, can you set it right",
            Expected::default()
                .change(
                    "Moth traps",
                    &["10|ten", "week|weeks", "wardrobe", "larder", "window"],
                )
                .lacking(&["6|six"]),
        )
        .note(
            "Moth traps",
            "house",
            "Change them every 6 weeks.\nOne in the wardrobe and one in the larder\nNot near an open window",
        )
        .note(
            "Mothballs",
            "house",
            "Good for 6 weeks, and they stink. Only for the chest in the attic.",
        )
        .solved_by(&[Edit::Replace("Moth traps", "6", "10")]),
        Task::strict(
            "cobbler-gianluca",
            "Dear me, I've been calling him by the wrong name for a year. The cobbler is Gianluca, not Gianmarco. \
             Please change it in the note.",
            Expected::default()
                .change("Cobbler", &["gianluca", "boots", "38", "wednesday|wednesdays"])
                .lacking(&["gianmarco"]),
        )
        .note(
            "Cobbler",
            "town",
            "Gianmarco resoles climbing boots.\n38 euros with new eyelets\nClosed on Wednesdays",
        )
        .note(
            "Pizza oven",
            "garden",
            "Gianmarco lends out the long shovel. An hour to heat up.",
        )
        .solved_by(&[Edit::Replace("Cobbler", "Gianmarco", "Gianluca")]),
    ]
}

fn among_look_alikes() -> Vec<Task> {
    vec![
        Task::strict(
            "spelt-loaf-price",
            "at the bakery on the square the spelt loaf is 5.40 now. daylight robbery",
            Expected::default()
                .change(
                    "Bakery on the square",
                    &["spelt", "5.40|5,40", "monday|mondays", "pretzel|pretzels"],
                )
                .lacking(&["4.80|4,80"]),
        )
        .note(
            "Bakery by the bridge",
            "shops",
            "Spelt loaf 5.10\nThey keep one back for me",
        )
        .note(
            "Bakery on the square",
            "shops",
            "Spelt loaf 4.80\nClosed on Mondays\nOrder pretzels a day ahead",
        )
        .note(
            "Market on the square",
            "shops",
            "Cheese from the van with the goat on it. Over by half past twelve.",
        )
        .solved_by(&[Edit::Replace("Bakery on the square", "4.80", "5.40")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "mushroom-walk-three-weeks-later",
            "Far too dry at the moment, there's nothing growing. So the mushroom walk isn't on Sunday 4 October but \
             on Sunday 25 October, same time and same place. Could you change it?",
            Expected::default()
                .change(
                    "Mushroom walk",
                    &[
                        "25 Oct|25. Oct|Oct 25|Oct. 25|October 25|25th|twenty-fifth|25.10|25.10.|10-25|10/25|25/10",
                        "sunday|sun",
                        "13:20|13.20|1:20|1.20|twenty past one|twenty past 1",
                        "forest car park",
                        "basket|baskets",
                        "egon",
                    ],
                )
                .lacking(&[
                    "4 Oct|4. Oct|Oct 4|Oct. 4|October 4|4th|fourth|4.10|4.10.|04.10|04.10.|10-04|10/4|10/04|4/10|\
                     04/10",
                ]),
        )
        .note(
            "Mushroom walk",
            "nature",
            "Sunday 4 October at 13:20, forest car park B.\nBaskets, no plastic bags.\nEgon brings his dog",
        )
        .note(
            "Apple day",
            "nature",
            "Sunday 4 October from eleven. Bring crates, the press is booked.",
        )
        .solved_by(&[Edit::Replace("Mushroom walk", "4 October", "25 October")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "carousel-horse-ticks",
            "carousel horse has got its ear glued back on AND a brand new tail :D check off both of them",
            Expected::default()
                .change(
                    "Carousel horse",
                    &[
                        "[x]&strip",
                        "[x]&glue",
                        "[ ]&gold leaf",
                        "[x]&tail",
                        "[ ]&stand",
                    ],
                )
                .lacking(&["[ ]&glue", "[ ]&tail"]),
        )
        .note(
            "Carousel horse",
            "workshop",
            "- [x] strip the paint\n- [ ] glue the ear on\n- [ ] gold leaf for the bridle\n- [ ] fit a new tail\n\
             - [ ] build the stand",
        )
        .note(
            "Plaster elephant",
            "workshop",
            "- [ ] glue the ear on\n- [ ] two coats of grey",
        )
        .solved_by(&[
            Edit::Replace("Carousel horse", "[ ] glue", "[x] glue"),
            Edit::Replace("Carousel horse", "[ ] fit", "[x] fit"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "spelling-bee-dagny",
            "dagny dropped out of the spelling bee team, strike her off the list",
            Expected::default()
                .change("Spelling bee team", &["kwabena", "petrosyan", "lisbet"])
                .lacking(&["dagny", "hyphens"]),
        )
        .note(
            "Spelling bee team",
            "club",
            "- Kwabena\n- Dagny, weak on hyphens\n- Petrosyan\n- Lisbet",
        )
        .note(
            "Street chess",
            "club",
            "Dagny keeps the pieces, Kwabena the clock. Not in the rain.",
        )
        .solved_by(&[Edit::Replace(
            "Spelling bee team",
            "- Dagny, weak on hyphens\n",
            "",
        )]),
        Task::strict(
            "rope-ferry-no-bell",
            "You needn't ring a bell for the rope ferry these days, it comes over on its own. Would you cut the \
             sentence with the bell from the note but leave everything else in?",
            Expected::default()
                .change(
                    "Rope ferry",
                    &[
                        "easter",
                        "october|oct",
                        "bikes|bike",
                        "back",
                        "2.50|2,50",
                        "coins",
                    ],
                )
                .lacking(&["bell", "twice"]),
        )
        .note(
            "Rope ferry",
            "outings",
            "Runs from Easter to October. Ring the bell twice to be fetched. Bikes go at the back.\n2.50 a head, coins \
             only",
        )
        .note(
            "Hermitage",
            "outings",
            "Ring the bell twice, somebody comes. The path is steep after the spring.",
        )
        .solved_by(&[Edit::Replace(
            "Rope ferry",
            "Ring the bell twice to be fetched. ",
            "",
        )]),
    ]
}
