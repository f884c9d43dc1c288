//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-axe-throwing",
            "Please make me a new note called Axe throwing. An hour on one lane is 24 euros, shoes have to be closed \
             and Lucjan does the booking because he gets a discount",
            Expected::default().new_titled(
                "Axe throwing",
                &[
                    "hour|60 min|1 h|1h|/h",
                    "24|24.00|twenty-four|twenty four",
                    "shoe",
                    "closed|close-toed|enclosed",
                    "lucjan",
                    "discount|cheaper|reduced|reduction",
                ],
            ),
        )
        .note(
            "Splitting axe",
            "garden",
            "Lent to Lucjan in January. The handle is ash, the sheath hangs by the door.",
        )
        .note(
            "Throw for the sofa",
            "house",
            "Wool, 130 by 170 cm. Wash it by hand and dry it lying down.",
        )
        .solved_by(&[Edit::Create(
            "Axe throwing",
            "An hour on one lane is 24 euros. Closed shoes only. Lucjan does the booking, he gets a discount.",
        )]),
        Task::strict(
            "jot-wallbox-fitter",
            "ok finally got hold of the man who fits the wallbox. he's called mr oyelaran, he's coming on 4 march \
             between 13:00 and 15:30, it's 1180 euros all in, and by then i have to clear out the meter cupboard and \
             look up the wifi password. can you keep that for me somewhere",
            Expected::default().new_note(&[
                "wallbox|wall box|wall-box",
                "oyelaran",
                "4 Mar|4. Mar|Mar 4|March 4|4th|4.3|4.3.|04.03|04.03.|03-04|3/4|03/04|4/3|04/03",
                "13|13:00|13.00|1 pm|1pm|1:00|1.00",
                "15:30|15.30|3:30|3.30|half past three|half past 3|half three",
                "1180|1,180|1.180|1 180|1180.00|1,180.00",
                "meter",
                "wifi|wi-fi|wlan|wireless",
            ]),
        )
        .note(
            "Charging cable",
            "car",
            "Seven metres, lies under the spare wheel. The plug sticks when there is frost.",
        )
        .note(
            "Meter readings",
            "house",
            "Power 18204 in January. The key to the cupboard is on the red ribbon.",
        )
        .solved_by(&[Edit::Create(
            "Wallbox",
            "Mr Oyelaran fits it on 4 March between 13:00 and 15:30, 1180 euros all in.\nBefore that: clear out the \
             meter cupboard, look up the wifi password",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "see-you-spoon",
            "lol my phone turned see you soon into see you spoon and it's gone off to my boss like that",
            Expected::default(),
        )
        .note(
            "Wooden spoons",
            "kitchen",
            "Oil them twice a year. The one with the burn mark is for jam only.",
        )
        .note(
            "Phone contract",
            "papers",
            "Runs until August, 17 euros a month. The notice goes to the Leeds office.",
        ),
        Task::strict(
            "lift-of-waffles",
            "The whole lift smelled of fresh waffles this morning. Somebody in this building knows how to live!",
            Expected::default(),
        )
        .note(
            "Waffles",
            "kitchen",
            "Four eggs, 250 g of flour, buttermilk. The batter rests for half an hour.",
        )
        .note(
            "Lift",
            "",
            "Inspected every June. When it sticks, press the bell for five seconds.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "debating-club-and-lecterns",
            "The debating club starts at 18:20 from now on, no longer at 17:50, so please change that. And one new \
             note on top: Mr Stoltenhoff hires out lecterns at 15 euros a weekend, two at the least.",
            Expected::default()
                .change(
                    "Debating club",
                    &[
                        "wed",
                        "18:20|18.20|6:20|6.20|twenty past six",
                        "chess room",
                        "stopwatch",
                    ],
                )
                .lacking(&[
                    "17:50|17.50|5:50|5.50|ten to six",
                    "stoltenhoff",
                    "lectern",
                    "euro",
                ])
                .new_note(&[
                    "stoltenhoff",
                    "lectern",
                    "15|15.00|fifteen",
                    "weekend",
                    "2|two|pair",
                ]),
        )
        .note(
            "Debating club",
            "school",
            "Wednesdays at 17:50 in the chess room.\nBring a stopwatch",
        )
        .note(
            "Parents' choir",
            "school",
            "Starts at 17:50 in the music room, 4 euros for copies. Mr Stoltenhoff sings bass.",
        )
        .solved_by(&[
            Edit::Replace("Debating club", "17:50", "18:20"),
            Edit::Create(
                "Lecterns",
                "Mr Stoltenhoff hires them out, 15 euros a weekend, at least two.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "cave-tour-and-deli",
            "the cave tour isn't happening, there are bats asleep in there, so bin the note i have on it. and harissa \
             and 2 jars of capers still have to go on the Deli list",
            Expected::default()
                .change(
                    "Deli",
                    &[
                        "black olives",
                        "sheep's cheese",
                        "harissa",
                        "2&caper|two&caper",
                    ],
                )
                .delete("Cave tour"),
        )
        .note(
            "Cave tour",
            "outings",
            "Meet at the lime kiln at 12:50, two hours, 31 euros each. Kerensa lends us overalls.",
        )
        .note(
            "Bat box",
            "garden",
            "Hang it four metres up, facing south. Kerensa has the long ladder.",
        )
        .note("Deli", "shopping", "- black olives\n- sheep's cheese")
        .note(
            "Spice rack",
            "kitchen",
            "- harissa powder\n- caraway\n- 2 jars of bay leaves",
        )
        .solved_by(&[
            Edit::Delete("Cave tour"),
            Edit::Append("Deli", "\n- harissa\n- 2 jars of capers"),
        ]),
    ]
}
