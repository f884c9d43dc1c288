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
            "stationery-glue-sticks",
            "pls ad 3 glue stiks adn a bx of paper clipps to teh statonery order",
            Expected::default().change(
                "Stationery order",
                &["envelopes", "toner", "3&glue|three&glue", "clip"],
            ),
        )
        .note(
            "Stationery order",
            "office",
            "- A5 envelopes\n- toner for the ground floor",
        )
        .note(
            "Craft cupboard",
            "children",
            "- glue gun\n- 3 pairs of scissors\n- crêpe paper",
        )
        .solved_by(&[Edit::Append(
            "Stationery order",
            "\n- 3 glue sticks\n- a box of paper clips",
        )]),
        Task::strict(
            "christmas-goose-collect",
            "Two more things for the note on the Christmas goose, if you'd be so kind: Mrs Pohl locks the farm gate \
             at 11 on the 23rd, and it wants 4 hours in the oven at 160 degrees.",
            Expected::default().change(
                "Christmas goose",
                &[
                    "5 kilos",
                    "chestnuts",
                    "pohl",
                    "11|11:00|11.00|eleven",
                    "23|23.12|23.12.|twenty-third|twenty third",
                    "4 h|4h|4-h|four h|four-h",
                    "160",
                ],
            ),
        )
        .note(
            "Christmas goose",
            "food",
            "Ordered, 5 kilos.\nStuffing: chestnuts and apples",
        )
        .note(
            "Christmas tree",
            "home",
            "From the forester on the 20th, 1.80 m at most. Ours had a crooked tip.",
        )
        .solved_by(&[Edit::Append(
            "Christmas goose",
            "\nMrs Pohl locks the farm gate at 11 on the 23rd\n4 hours in the oven at 160 degrees",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "espresso-grind-setting",
            "grinder for the espresso has to be on 9, not 6 - can you correct my note?",
            Expected::default()
                .change(
                    "Espresso machine",
                    &["9|nine", "17 g|17g", "sunday", "73 mm|73mm"],
                )
                .lacking(&["6|six"]),
        )
        .note(
            "Espresso machine",
            "kitchen",
            "Grinder on 6, and 17 g for two cups.\nBackflush it on Sundays\nThe gasket is a 73 mm one",
        )
        .note(
            "Filter coffee",
            "kitchen",
            "Grinder on 6, 60 g for a full pot. Rinse the paper first.",
        )
        .solved_by(&[Edit::Replace("Espresso machine", "6", "9")]),
        Task::strict(
            "speech-therapist-name",
            "Little mix-up on my part: Jaro's speech therapist is called Ms Okonkwo, not Ms Falk. Would you put the \
             right name in the note?",
            Expected::default()
                .change(
                    "Jaro's speech therapy",
                    &[
                        "okonkwo",
                        "wednesday|wed",
                        "14:20|14.20|2:20",
                        "room 8|room eight",
                        "sh sound",
                        "blue folder",
                    ],
                )
                .lacking(&["falk"]),
        )
        .note(
            "Jaro's speech therapy",
            "children",
            "Ms Falk, Wednesdays at 14:20, room 8.\nPractise the sh sound every evening\nBring the blue folder",
        )
        .note(
            "Jaro's class",
            "children",
            "Class teacher: Ms Falk, 22 children. Gym bag on Fridays.",
        )
        .solved_by(&[Edit::Replace(
            "Jaro's speech therapy",
            "Ms Falk",
            "Ms Okonkwo",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "auction-viewing-friday",
            "auction house rang, the viewings now on friday 13 march and not on thursday the 12th. time stays the \
             same. can u change it",
            Expected::default()
                .change(
                    "Auction viewing",
                    &[
                        "13 Mar|13. Mar|Mar 13|Mar. 13|March 13|13th|thirteenth|13.3|13.3.|13.03|13.03.|03-13|3/13|\
                         03/13|13/3|13/03",
                        "friday|fri",
                        "17:45|17.45|5:45|5.45|quarter to six|quarter to 6",
                        "gessler",
                        "208&bureau",
                        "300",
                    ],
                )
                .lacking(&[
                    "12 Mar|12. Mar|Mar 12|Mar. 12|March 12|12th|twelfth|12.3|12.3.|12.03|12.03.|03-12|3/12|03/12|12/3|\
                     12/03",
                    "thursday|thu",
                ]),
        )
        .note(
            "Auction viewing",
            "furniture",
            "Thursday 12 March, 17:45 at Gessler's.\nLook at lot 208, the bureau\nLimit: 300 euros",
        )
        .note(
            "Police bike sale",
            "",
            "Thursday 12 March in the yard, cash only. Bids start at 40 euros.",
        )
        .solved_by(&[Edit::Replace(
            "Auction viewing",
            "Thursday 12 March",
            "Friday 13 March",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-laptop-ticks",
            "The printer's connected and mail is coming in on the new laptop. Tick both off please",
            Expected::default()
                .change(
                    "New laptop",
                    &[
                        "[x]&updates",
                        "[x]&printer",
                        "[x]&mail",
                        "[ ]&photos",
                        "[ ]&old one",
                    ],
                )
                .lacking(&["[ ]&printer", "[ ]&mail"]),
        )
        .note(
            "New laptop",
            "computer",
            "- [x] install the updates\n- [ ] connect the printer\n- [ ] copy the photos\n- [ ] set up the mail\n- [ ] \
             wipe the old one",
        )
        .note(
            "New phone",
            "computer",
            "- [ ] set up the mail\n- [ ] tell Grandma the number\n- [x] buy a case",
        )
        .solved_by(&[
            Edit::Replace("New laptop", "[ ] connect", "[x] connect"),
            Edit::Replace("New laptop", "[ ] set", "[x] set"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "spices-cardamom",
            "Found two bags of cardamom behind the flour, so it doesn't have to be on Spices to buy any more",
            Expected::default()
                .change("Spices to buy", &["sumac", "star anise", "white pepper"])
                .lacking(&["cardamom"]),
        )
        .note(
            "Spices to buy",
            "kitchen",
            "- sumac\n- cardamom, the green one\n- star anise\n- white pepper",
        )
        .note(
            "Chai",
            "recipes",
            "- 6 pods of cardamom\n- a thumb of ginger\n- black tea",
        )
        .solved_by(&[Edit::Replace(
            "Spices to buy",
            "- cardamom, the green one\n",
            "",
        )]),
        Task::strict(
            "pizza-stone-no-oil",
            "Ignacio swears you never oil a pizza stone, so that sentence has to leave the note",
            Expected::default()
                .change(
                    "Pizza stone",
                    &["40 min|forty min", "lowest rack", "soap", "shovel"],
                )
                .lacking(&["oil"]),
        )
        .note(
            "Pizza stone",
            "kitchen",
            "Heat it for 40 minutes on the lowest rack. Rub it with oil first. Never any soap.\nIgnacio has the long \
             shovel",
        )
        .note(
            "Wok",
            "kitchen",
            "Rub it with oil first. Never in the dishwasher, the handle splits.",
        )
        .solved_by(&[Edit::Replace(
            "Pizza stone",
            "Rub it with oil first. ",
            "",
        )]),
    ]
}
