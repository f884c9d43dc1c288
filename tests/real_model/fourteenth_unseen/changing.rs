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
            "halloween-cobwebs",
            "hallowen list still neds 3 bags of fake cobwbs adn a fog machine, pls add tehm",
            Expected::default().change(
                "Halloween",
                &[
                    "12 paper bats",
                    "face paint",
                    "3&cobweb|three&cobweb|3&cobwb|three&cobwb",
                    "fog machine|fog-machine|fogmachine",
                ],
            ),
        )
        .note("Halloween", "parties", "- 12 paper bats\n- face paint")
        .note(
            "Halloween biscuits",
            "recipes",
            "3 trays, 11 minutes each. The black icing stains, so cover the table.",
        )
        .solved_by(&[Edit::Append(
            "Halloween",
            "\n- 3 bags of fake cobwebs\n- fog machine",
        )]),
        Task::strict(
            "sloe-gin-shaking",
            "What's missing in the sloe gin note: it has to be shaken twice a week, and 2 of the bottles are for \
             Ragnhild. Could you put both in?",
            Expected::default().change(
                "Sloe gin",
                &[
                    "1.5 kg",
                    "december",
                    "shak&twice|shak&two times|shak&2 times|shak&2x|shak&2 x|shak&2×|shak&2 ×",
                    "2&ragnhild|two&ragnhild",
                ],
            ),
        )
        .note(
            "Sloe gin",
            "cellar",
            "1.5 kg of sloes, prick every one. 700 g of sugar.\nIn the dark until December",
        )
        .note(
            "Rhubarb gin",
            "cellar",
            "Strain it after 4 weeks. Two bottles are for the raffle.",
        )
        .solved_by(&[Edit::Append(
            "Sloe gin",
            "\nTo be shaken twice a week\n2 bottles are for Ragnhild",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "alcove-width",
            "got the folding rule out again and the alcove is 134 cm wide. so much for the 143 i wrote down, fix \
             it pls",
            Expected::default()
                .change(
                    "Alcove",
                    &["134", "61 cm|61cm", "9 cm|9cm", "socket&left"],
                )
                .lacking(&["143"]),
        )
        .note(
            "Alcove",
            "bedroom",
            "143 cm wide, 61 cm deep.\nSkirting board: 9 cm high\nThe socket is on the left.",
        )
        .note(
            "Daybed",
            "bedroom",
            "143 cm wide without the arms. The left castor drags.",
        )
        .solved_by(&[Edit::Replace("Alcove", "143", "134")]),
        Task::strict(
            "wedding-band-name",
            "In Wedding music the band has the wrong name. They're the Copper Kettles, not the Copper Pans, sorry!",
            Expected::default()
                .change(
                    "Wedding music",
                    &[
                        "winifred",
                        "14:10",
                        "kettles",
                        "45 min",
                        "moon river",
                    ],
                )
                .lacking(&["pans"]),
        )
        .note(
            "Wedding music",
            "wedding",
            "Church: Winifred on the organ, 14:10\nDinner: the Copper Pans, two sets of 45 minutes\nLast song: \
             Moon River",
        )
        .note(
            "Copper pans",
            "kitchen",
            "Rub them with salt and lemon. Winifred has the smallest one.",
        )
        .solved_by(&[Edit::Replace("Wedding music", "Pans", "Kettles")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "regatta-to-sunday",
            "too much wind on the saturday, so they're sailing the regatta on sunday 10 may instead of the 9th. \
             rest of the note still holds, just change the day",
            Expected::default()
                .change(
                    "Regatta",
                    &[
                        "sunday|sun",
                        "10 May|10. May|May 10|10th|10.5|10.5.|10.05|10.05.|05-10|5/10|05/10|10/5|10/05",
                        "8:45|08:45|8.45|quarter to nine|quarter to 9",
                        "petrel",
                        "318",
                        "dry suit",
                    ],
                )
                .lacking(&[
                    "saturday",
                    "9 May|9. May|May 9|9th|9.5|9.5.|09.05|09.05.|9.05|05-09|5/9|05/09|9/5|09/05",
                ]),
        )
        .note(
            "Regatta",
            "club",
            "Saturday 9 May, briefing at 8:45 by the slipway.\nBoat: Petrel, sail number 318\nBring the dry suit",
        )
        .note(
            "Village dance",
            "",
            "Saturday 9 May, tickets at the baker's. Hendrika keeps us a table.",
        )
        .solved_by(&[Edit::Replace(
            "Regatta",
            "Saturday 9 May",
            "Sunday 10 May",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "open-mic-ticks",
            "The landlord's fine with it and I've booked the PA, so check those two off for the open mic night.",
            Expected::default()
                .change(
                    "Open mic night",
                    &[
                        "[x]&pa system",
                        "[x]&flyers",
                        "[x]&landlord",
                        "[ ]&running order",
                        "[ ]&extension leads",
                    ],
                )
                .lacking(&["[ ]&pa system", "[ ]&landlord"]),
        )
        .note(
            "Open mic night",
            "music",
            "- [ ] book the PA system\n- [x] print the flyers\n- [ ] ask the landlord\n- [ ] running order\n- [ ] \
             find the extension leads",
        )
        .note(
            "Charity gig",
            "music",
            "- [ ] book the PA system\n- [ ] ink stamp for the door\n- [ ] ask the mayor",
        )
        .solved_by(&[
            Edit::Replace("Open mic night", "[ ] book", "[x] book"),
            Edit::Replace("Open mic night", "[ ] ask", "[x] ask"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "venue-millrace-barn",
            "millrace barn wants double all of a sudden?! strike it off the venue shortlist",
            Expected::default()
                .change(
                    "Venue shortlist",
                    &["old granary", "fig tree hall", "ferry restaurant"],
                )
                .lacking(&["millrace", "110"]),
        )
        .note(
            "Venue shortlist",
            "wedding",
            "- Old Granary, with the walled garden\n- Millrace Barn, seats 110\n- Fig Tree Hall\n- the ferry \
             restaurant",
        )
        .note(
            "Barn dance",
            "friends",
            "Millrace Barn, flat shoes. Last bus back at 23:20.",
        )
        .solved_by(&[Edit::Replace(
            "Venue shortlist",
            "- Millrace Barn, seats 110\n",
            "",
        )]),
        Task::strict(
            "bridge-open-again",
            "They've reopened the bridge at long last, so the sentence about the detour can come out of the way to \
             Hendrika's.",
            Expected::default()
                .change(
                    "Way to Hendrika's",
                    &[
                        "exit 14",
                        "6 km",
                        "chapel",
                        "green gate",
                        "harmless",
                    ],
                )
                .lacking(&["detour|brinkley", "bridge"]),
        )
        .note(
            "Way to Hendrika's",
            "friends",
            "Exit 14, then 6 km to the chapel. The bridge is closed, take the detour through Brinkley. Ring the \
             bell at the green gate.\nThe dog is harmless.",
        )
        .note(
            "Bike tour",
            "outings",
            "Over the bridge at Brinkley, 46 km in all. The detour along the canal is muddy.",
        )
        .solved_by(&[Edit::Replace(
            "Way to Hendrika's",
            "The bridge is closed, take the detour through Brinkley. ",
            "",
        )]),
    ]
}
