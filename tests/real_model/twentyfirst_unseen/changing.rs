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
            "cloakroom-hangers",
            "cuold you put saftey pins and 9 coat hagners on teh cloakroom list pls",
            Expected::default().change(
                "Cloakroom",
                &[
                    "numbered tickets",
                    "14 hooks",
                    "pins",
                    "9&hanger|nine&hanger|9&hagner",
                ],
            ),
        )
        .note(
            "Cloakroom",
            "school ball",
            "- numbered tickets\n- 14 hooks",
        )
        .note(
            "Coat drive",
            "school",
            "Nine bags of coats so far. The pins for the labels are with Thekla.",
        )
        .solved_by(&[Edit::Append(
            "Cloakroom",
            "\n- safety pins\n- 9 coat hangers",
        )]),
        Task::strict(
            "axolotl-heat-and-holidays",
            "Please add to the axolotl's note that the water mustn't get any warmer than 18 degrees, and that Ms \
             Thorvaldsen has him when we're on holiday",
            Expected::default().change(
                "Axolotl",
                &[
                    "bloodworm",
                    "tweezers",
                    "gravel",
                    "18|eighteen",
                    "thorvaldsen",
                    "holiday|vacation|away",
                ],
            ),
        )
        .note(
            "Axolotl",
            "pets",
            "Bloodworms every other day, off the tweezers.\nNo gravel, only sand",
        )
        .note(
            "Water turtle",
            "pets",
            "The water has 25 degrees. Ms Thorvaldsen has got the spare lamp.",
        )
        .solved_by(&[Edit::Append(
            "Axolotl",
            "\nWater: never warmer than 18 degrees\nMs Thorvaldsen has him when we are on holiday",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "sun-sail-short-side",
            "measured again, the short side of the sun sail is 330 cm, not 360. correct it pls",
            Expected::default()
                .change(
                    "Sun sail",
                    &["short side", "330", "wind force 5", "water butt"],
                )
                .lacking(&["360"]),
        )
        .note(
            "Sun sail",
            "garden",
            "The short side is 360 cm.\nTake it down from wind force 5\nThe poles are behind the water butt",
        )
        .note(
            "Beach tent",
            "holidays",
            "360 cm long with the porch. The pegs are for sand only.",
        )
        .solved_by(&[Edit::Replace("Sun sail", "360 cm", "330 cm")]),
        Task::strict(
            "saddle-restuffing",
            "Silly me, I wrote down the wrong name. It's Ms Quillfeather who's restuffing the saddle, not Mr \
             Grosvenor. Could you change that in the note?",
            Expected::default()
                .change(
                    "Saddle",
                    &[
                        "quillfeather",
                        "210",
                        "pure wool",
                        "five weeks|5 weeks",
                    ],
                )
                .lacking(&["grosvenor"]),
        )
        .note(
            "Saddle",
            "riding",
            "Mr Grosvenor is restuffing it for 210 euros.\nFlocking: pure wool\nBack in five weeks",
        )
        .note(
            "Pony cart",
            "riding",
            "Mr Grosvenor looks after the brakes, 95 euros. The left shaft is new.",
        )
        .solved_by(&[Edit::Replace(
            "Saddle",
            "Mr Grosvenor",
            "Ms Quillfeather",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "dragon-boat-later",
            "dragon boat day has been put back by a week, it's saturday 12 september now and not the 5th. please \
             change the date, nothing else moves",
            Expected::default()
                .change(
                    "Dragon boat day",
                    &[
                        "12 Sep|12. Sep|Sep 12|Sep. 12|Sept 12|Sept. 12|September 12|12th|twelfth|12.9|12.9.|12.09|\
                         12.09.|09-12|9/12|09/12|12/9|12/09",
                        "9:40|9.40|09:40|09.40|twenty to ten|twenty to 10|20 to 10",
                        "solvita",
                        "paddles",
                        "corwin",
                    ],
                )
                .lacking(&[
                    "5 Sep|5. Sep|Sep 5|Sep. 5|Sept 5|Sept. 5|September 5|5th|5.9|5.9.|05.09|05.09.|09-05|9/5|09/05|\
                     5/9|05/09",
                ]),
        )
        .note(
            "Dragon boat day",
            "sport",
            "Saturday 5 September, first race at 9:40.\nSolvita drums.\nPaddles: ask Corwin",
        )
        .note(
            "Lake cruise",
            "outings",
            "Saturday 5 September, from the north pier. Corwin has the tickets.",
        )
        .solved_by(&[Edit::Replace(
            "Dragon boat day",
            "5 September",
            "12 September",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "mud-kitchen-ticks",
            "mud kitchen: i've sanded the legs and the sink is in now. tick those two please",
            Expected::default()
                .change(
                    "Mud kitchen",
                    &[
                        "[ ]&worktop",
                        "[x]&legs",
                        "[x]&hinges",
                        "[x]&sink",
                        "[ ]&ojukwu",
                    ],
                )
                .lacking(&["[ ]&legs", "[ ]&sink"]),
        )
        .note(
            "Mud kitchen",
            "kids",
            "- [ ] saw the worktop\n- [ ] sand the legs\n- [x] buy the hinges\n- [ ] fit the sink\n- [ ] get old pans \
             from Mr Ojukwu",
        )
        .note(
            "Climbing frame",
            "kids",
            "- [ ] sand the legs\n- [ ] tighten the nuts\n- [ ] a new rope",
        )
        .solved_by(&[
            Edit::Replace("Mud kitchen", "[ ] sand", "[x] sand"),
            Edit::Replace("Mud kitchen", "[ ] fit", "[x] fit"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "snack-drawer-liquorice",
            "My blood pressure is too high for liquorice, says the doctor, so take it out of the snack drawer will you",
            Expected::default()
                .change("Snack drawer", &["pistachios", "rice cakes", "mango"])
                .lacking(&["liquorice"]),
        )
        .note(
            "Snack drawer",
            "office",
            "- pistachios\n- liquorice wheels\n- rice cakes with salt\n- dried mango",
        )
        .note(
            "Parcel for Jurriaan",
            "presents",
            "- liquorice, the salty sort\n- stroopwafels\n- a card",
        )
        .solved_by(&[Edit::Replace("Snack drawer", "- liquorice wheels\n", "")]),
        Task::strict(
            "jetty-third-plank",
            "the third plank of the jetty has been replaced so take out the sentence that warns of it",
            Expected::default()
                .change(
                    "Jetty",
                    &[
                        "3358",
                        "left",
                        "7 metres|7 m|seven metres",
                        "lake side",
                        "november|nov",
                    ],
                )
                .lacking(&["plank", "loose"]),
        )
        .note(
            "Jetty",
            "boat",
            "Gate code 3358, then turn left. Mind the third plank, it is loose. Boats up to 7 metres on the lake \
             side.\nThe tap is off from November",
        )
        .note(
            "Footbridge",
            "village",
            "The third plank is rotten, reported to the council in June.",
        )
        .solved_by(&[Edit::Replace(
            "Jetty",
            "Mind the third plank, it is loose. ",
            "",
        )]),
    ]
}
