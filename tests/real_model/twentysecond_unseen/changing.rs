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
            "glider-list-balsa",
            "cuold you add blasa sheets and 4 tubse of epoxy to teh glider list",
            Expected::default().change(
                "Glider",
                &[
                    "covering film",
                    "2 servos",
                    "balsa|blasa",
                    "4&epoxy|four&epoxy",
                ],
            ),
        )
        .note(
            "Glider",
            "model flying",
            "- covering film in yellow\n- 2 servos",
        )
        .note(
            "Gliding school",
            "sport",
            "A winch launch is 9 euros. The balsa model in the lobby is not for sale.",
        )
        .solved_by(&[Edit::Append(
            "Glider",
            "\n- balsa sheets\n- 4 tubes of epoxy",
        )]),
        Task::strict(
            "stick-insects-and-eggs",
            "Would you be so good as to add to the note on the stick insects that the bramble has to be sprayed every \
             evening, and that Miss Fotheringay buys spare eggs at 3 euros a dozen",
            Expected::default().change(
                "Stick insects",
                &[
                    "ivy",
                    "brick",
                    "bramble",
                    "spray|mist",
                    "evening|night",
                    "fotheringay",
                    "egg",
                    "3|3.00|three",
                    "dozen|12|twelve",
                ],
            ),
        )
        .note(
            "Stick insects",
            "pets",
            "Never ivy from the roadside.\nThe lid wants a brick on top",
        )
        .note(
            "Snails",
            "pets",
            "Spray them every morning. Miss Fotheringay has a spare tank for the eggs.",
        )
        .solved_by(&[Edit::Append(
            "Stick insects",
            "\nSpray the bramble every evening\nMiss Fotheringay buys spare eggs, 3 euros a dozen",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "daylight-lamp-minutes",
            "read the leaflet again, the daylight lamp is 25 minutes a day and not 40. change that pls",
            Expected::default()
                .change(
                    "Daylight lamp",
                    &[
                        "25|twenty-five|twenty five",
                        "before breakfast",
                        "forearm",
                        "guarantee",
                    ],
                )
                .lacking(&["40|forty"]),
        )
        .note(
            "Daylight lamp",
            "health",
            "40 minutes a day, before breakfast.\nSit a forearm away from it\nUnder guarantee until May",
        )
        .note(
            "Coffee machine",
            "kitchen",
            "Descaling takes 40 minutes, rinse it twice afterwards.",
        )
        .solved_by(&[Edit::Replace("Daylight lamp", "40 minutes", "25 minutes")]),
        Task::strict(
            "mole-removal-doctor",
            "I got the two doctors muddled up, sorry. It's Dr Sunderland who takes the mole off and not Dr Pereira. \
             Could you correct the note?",
            Expected::default()
                .change(
                    "Mole removal",
                    &[
                        "sunderland",
                        "85",
                        "ten days|10 days",
                        "swimming",
                        "3 weeks|three weeks",
                    ],
                )
                .lacking(&["pereira"]),
        )
        .note(
            "Mole removal",
            "health",
            "Dr Pereira takes it off for 85 euros.\nThe stitches stay in for ten days\nNo swimming for 3 weeks",
        )
        .note(
            "Travel jabs",
            "health",
            "Dr Pereira gives them on Thursdays, 60 euros. Bring the yellow booklet.",
        )
        .solved_by(&[Edit::Replace("Mole removal", "Dr Pereira", "Dr Sunderland")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "kite-festival-later",
            "kite festival's been put back a week, it's saturday 10 october now and not the 3rd, can you change the \
             date? everything else stays",
            Expected::default()
                .change(
                    "Kite festival",
                    &[
                        "10 Oct|10. Oct|Oct 10|October 10|10th|10.10|10.10.|10-10|10/10",
                        "11:15|11.15|quarter past eleven|quarter past 11",
                        "rupali",
                        "windsock",
                        "torquil",
                    ],
                )
                .lacking(&[
                    "3 Oct|3. Oct|Oct 3|October 3|3rd|3.10|3.10.|03.10|03.10.|10-03|10/3|10/03|3/10|03/10",
                ]),
        )
        .note(
            "Kite festival",
            "village",
            "Saturday 3 October, flying from 11:15.\nRupali judges the home-made ones.\nWindsock: ask Torquil",
        )
        .note(
            "Mushroom walk",
            "village",
            "Saturday 3 October at nine, from the forester's lodge. Torquil brings baskets.",
        )
        .solved_by(&[Edit::Replace("Kite festival", "3 October", "10 October")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "rain-barrel-ticks",
            "about the rain barrel: slabs are level now and i've fitted the tap. tick those two off please",
            Expected::default()
                .change(
                    "Rain barrel",
                    &[
                        "[ ]&downpipe",
                        "[x]&slab",
                        "[x]&buy",
                        "[x]&tap",
                        "[ ]&quaye",
                    ],
                )
                .lacking(&["[ ]&slab", "[ ]&tap"]),
        )
        .note(
            "Rain barrel",
            "garden",
            "- [ ] saw through the downpipe\n- [ ] level the slabs\n- [x] buy the barrel\n- [ ] fit the tap\n- [ ] \
             show Mrs Quaye how it works",
        )
        .note(
            "Bike shelter",
            "garden",
            "- [ ] level the slabs\n- [ ] order the felt\n- [ ] 12 coach bolts",
        )
        .solved_by(&[
            Edit::Replace("Rain barrel", "[ ] level", "[x] level"),
            Edit::Replace("Rain barrel", "[ ] fit", "[x] fit"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "rhythm-box-kazoo",
            "Somebody trod on the kazoo, cross it off the rhythm box would you",
            Expected::default()
                .change("Rhythm box", &["claves", "maracas", "frog scraper"])
                .lacking(&["kazoo"]),
        )
        .note(
            "Rhythm box",
            "nursery",
            "- claves\n- kazoo with the sticker\n- maracas, one pair\n- frog scraper",
        )
        .note(
            "Party bags",
            "kids",
            "- a kazoo for each child\n- soap bubbles\n- jelly frogs",
        )
        .solved_by(&[Edit::Replace("Rhythm box", "- kazoo with the sticker\n", "")]),
        Task::strict(
            "pool-table-coin",
            "the pool table at the pub is free these days so take out the sentence about the coin",
            Expected::default()
                .change(
                    "Pool table",
                    &["monday", "20:10", "tape", "straight", "crisps"],
                )
                .lacking(&["coin"]),
        )
        .note(
            "Pool table",
            "pub",
            "Ours on Mondays from 20:10. Put a coin in the slot first. The cue with the tape is straight.\nThe loser \
             buys crisps",
        )
        .note(
            "Lockers at the baths",
            "sport",
            "They take a coin and give it back. Number 20 does not shut.",
        )
        .solved_by(&[Edit::Replace(
            "Pool table",
            "Put a coin in the slot first. ",
            "",
        )]),
    ]
}
