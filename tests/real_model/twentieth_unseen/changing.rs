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
            "hospital-bag-cable",
            "hosptial bag stil misses 2 nursng bras adn a long chargin cable, can u add thsoe",
            Expected::default().change(
                "Hospital bag",
                &[
                    "slippers",
                    "maternity record",
                    "2&nursing&bra|two&nursing&bra|2&nursng&bra|two&nursng&bra",
                    "long&charg|long&cable",
                ],
            ),
        )
        .note(
            "Hospital bag",
            "birth",
            "- slippers\n- maternity record\n- muesli bars",
        )
        .note(
            "Baby shower",
            "birth",
            "Two cakes from Leontyne, nothing pink. The long table from the cellar.",
        )
        .solved_by(&[Edit::Append(
            "Hospital bag",
            "\n- 2 nursing bras\n- long charging cable",
        )]),
        Task::strict(
            "boiler-pressure-bar",
            "Would you mind adding two things to what we have on the boiler? The pressure ought to be 1.6 bar, and \
             the reset button hides behind the lower flap (took me half an hour to find).",
            Expected::default().change(
                "Boiler",
                &[
                    "october",
                    "kestrel heating",
                    "softener",
                    "pressure&1.6|pressure&1,6",
                    "reset&flap",
                ],
            ),
        )
        .note(
            "Boiler",
            "house",
            "Serviced every October by Kestrel Heating.\nThe water softener stands beside it.",
        )
        .note(
            "Tumble dryer",
            "house",
            "Reset button at the back. Empty the water tank after every load.",
        )
        .solved_by(&[Edit::Append(
            "Boiler",
            "\nPressure: 1.6 bar\nThe reset button is behind the lower flap.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "anouk-shoe-size",
            "measured the kids' feet properly for once.. anouk has a 31, the 29 in Shoe sizes is wrong",
            Expected::default()
                .change("Shoe sizes", &["anouk&31", "wide", "levi&33", "bo&26"])
                .lacking(&["29"]),
        )
        .note(
            "Shoe sizes",
            "children",
            "Levi: 33\nAnouk: 29, wide fit\nBo: 26",
        )
        .note(
            "Roller disco",
            "children",
            "Skates from size 29 on, 3 euros a pair. Levi brings his own.",
        )
        .solved_by(&[Edit::Replace("Shoe sizes", "29", "31")]),
        Task::strict(
            "tax-assistant-name",
            "It's Ms Okonkwo who does our papers at the tax adviser's, I had put Ms Okafor by mistake. Could that \
             be set right?",
            Expected::default()
                .change(
                    "Tax adviser",
                    &[
                        "brandvold",
                        "second floor",
                        "okonkwo",
                        "mornings",
                        "receipts",
                        "march",
                    ],
                )
                .lacking(&["okafor"]),
        )
        .note(
            "Tax adviser",
            "money",
            "Mr Brandvold, second floor.\nMs Okafor does our papers, mornings only\nReceipts by the end of March",
        )
        .note(
            "Parents' evening",
            "school",
            "Ms Okafor, room 12, at 17:20. Ask about the swimming badge.",
        )
        .solved_by(&[Edit::Replace("Tax adviser", "Okafor", "Okonkwo")]),
    ]
}

fn among_look_alikes() -> Vec<Task> {
    vec![
        Task::strict(
            "shed-padlock-code",
            "padlock on the shed has a new code: 7316",
            Expected::default()
                .change("Shed padlock", &["7316", "oil", "first frost"])
                .lacking(&["2094"]),
        )
        .note(
            "Gate padlock",
            "garden",
            "Code 5581\nMr Tanaka next door knows it.",
        )
        .note(
            "Shed padlock",
            "garden",
            "Code 2094\nA drop of oil before the first frost",
        )
        .note(
            "Shed roof",
            "garden",
            "Felt, 7 by 3 metres, nailed down again after the storm.",
        )
        .solved_by(&[Edit::Replace("Shed padlock", "2094", "7316")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "technician-to-thursday",
            "the internet man can't make it on the monday so he's coming thursday 26 march instead of the 23rd, \
             same hours as before",
            Expected::default()
                .change(
                    "Broadband technician",
                    &[
                        "thursday|thu",
                        "26 Mar|26. Mar|Mar 26|March 26|26th|26.3|26.3.|26.03|26.03.|03-26|3/26|03/26|26/3|26/03",
                        "8&12",
                        "shoe cupboard",
                        "660417",
                    ],
                )
                .lacking(&[
                    "monday",
                    "23 Mar|23. Mar|Mar 23|March 23|23rd|23.3|23.3.|23.03|23.03.|03-23|3/23|03/23|23/3|23/03",
                ]),
        )
        .note(
            "Broadband technician",
            "flat",
            "Monday 23 March, between 8 and 12.\nThe socket is behind the shoe cupboard.\nCustomer number 660417",
        )
        .note(
            "Landlord's visit",
            "flat",
            "Monday 23 March at 14:30, he wants to see the damp patch.",
        )
        .solved_by(&[Edit::Replace(
            "Broadband technician",
            "Monday 23 March",
            "Thursday 26 March",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "van-conversion-ticks",
            "Insulation's in and the swivel seat is mounted too! Mark both of them as done for the van, would you?",
            Expected::default()
                .change(
                    "Van conversion",
                    &[
                        "[x]&window",
                        "[x]&insulation",
                        "[ ]&solar",
                        "[x]&swivel seat",
                        "[ ]&curtain rail",
                    ],
                )
                .lacking(&["[ ]&insulation", "[ ]&swivel"]),
        )
        .note(
            "Van conversion",
            "camping",
            "- [x] cut out the window\n- [ ] fit the insulation\n- [ ] lay the solar cable\n- [ ] mount the swivel \
             seat\n- [ ] curtain rail",
        )
        .note(
            "Attic conversion",
            "house",
            "- [ ] fit the insulation\n- [ ] order the skylight",
        )
        .solved_by(&[
            Edit::Replace("Van conversion", "[ ] fit", "[x] fit"),
            Edit::Replace("Van conversion", "[ ] mount", "[x] mount"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "baby-name-cordelia",
            "my cousin has just called her daughter cordelia.. so that's out for us, off the baby names with it",
            Expected::default()
                .change("Baby names", &["marguerite", "ottilie", "benedict"])
                .lacking(&["cordelia", "sister"]),
        )
        .note(
            "Baby names",
            "birth",
            "- Marguerite\n- Cordelia, after Gran's sister\n- Ottilie\n- Benedict",
        )
        .note(
            "King Lear",
            "theatre",
            "Cordelia is played by Saoirse. Row F, the interval is after act three.",
        )
        .solved_by(&[Edit::Replace(
            "Baby names",
            "- Cordelia, after Gran's sister\n",
            "",
        )]),
        Task::strict(
            "knee-no-more-ice",
            "I saw the physiotherapist yesterday and she says ice only slows things down. So kindly take the \
             sentence about the ice out of the knee exercises and leave the others be.",
            Expected::default()
                .change(
                    "Knee exercises",
                    &[
                        "twenty squats",
                        "wall",
                        "stretch",
                        "calf",
                        "bottom step",
                        "stairs",
                    ],
                )
                .lacking(&["ice on|ice the", "10 min|ten min"]),
        )
        .note(
            "Knee exercises",
            "health",
            "Twenty squats against the wall. Then ice on the knee for 10 minutes. Stretch the calf on the bottom \
             step.\nNo stairs with the shopping",
        )
        .note(
            "Shoulder exercises",
            "health",
            "Red band, 15 times each side. Ice on it for 10 minutes.",
        )
        .solved_by(&[Edit::Replace(
            "Knee exercises",
            "Then ice on the knee for 10 minutes. ",
            "",
        )]),
    ]
}
