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
            "picnic-hamper-plates",
            "pls put 6 papr plats adn teh corkscrwe on teh picnic hampr list too",
            Expected::default().change(
                "Picnic hamper",
                &["tartan rug", "2 flasks", "6&plate|six&plate", "corkscrew"],
            ),
        )
        .note("Picnic hamper", "outings", "- tartan rug\n- 2 flasks")
        .note(
            "Picnic spots",
            "outings",
            "The weir has shade until three. No dogs on the castle lawn.",
        )
        .solved_by(&[Edit::Append(
            "Picnic hamper",
            "\n- 6 paper plates\n- the corkscrew",
        )]),
        Task::strict(
            "chiropractor-parking",
            "For the chiropractor note: parking behind the pharmacy is free for 90 minutes, and the receptionist is \
             called Imelda. Add that please",
            Expected::default().change(
                "Chiropractor",
                &[
                    "haverkamp",
                    "no lift",
                    "pharmacy",
                    "90|ninety|1.5 h|1½|1 1/2|hour and a half|one and a half",
                    "imelda",
                ],
            ),
        )
        .note(
            "Chiropractor",
            "health",
            "Dr Haverkamp, up on the second floor.\nThere is no lift",
        )
        .note(
            "Pharmacy",
            "health",
            "Closed on Wednesday afternoons. They order by noon for the next day.",
        )
        .solved_by(&[Edit::Append(
            "Chiropractor",
            "\nFree parking behind the pharmacy for 90 minutes\nThe receptionist is called Imelda",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "gazebo-guy-ropes",
            "counted again, the gazebo takes 10 guy ropes. 6 was wrong, can you sort that",
            Expected::default()
                .change(
                    "Gazebo",
                    &[
                        "3 by 4",
                        "10&rope|ten&rope",
                        "poles",
                        "sandbags",
                    ],
                )
                .lacking(&["6|six"]),
        )
        .note(
            "Gazebo",
            "garden",
            "3 by 4 metres, needs 6 guy ropes.\nThe poles are numbered\nOn the terrace: sandbags instead of pegs",
        )
        .note(
            "Tepee",
            "garden",
            "6 guy ropes, one of them is knotted. Smells of last summer.",
        )
        .solved_by(&[Edit::Replace("Gazebo", "6 guy", "10 guy")]),
        Task::strict(
            "plasterer-is-wolny",
            "I've got the wrong man down as our plasterer. He's called Wolny, Dutton was the one who never turned up.",
            Expected::default()
                .change("Plasterer", &["wolny", "hallway", "38", "radiators"])
                .lacking(&["dutton"]),
        )
        .note(
            "Plasterer",
            "house",
            "Mr Dutton, starts with the hallway.\n38 euros an hour, by transfer\nWants the radiators off the wall",
        )
        .note(
            "Drum kit",
            "sold",
            "Sold to Mr Dutton for 260 euros, he fetches the stool later.",
        )
        .solved_by(&[Edit::Replace("Plasterer", "Dutton", "Wolny")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "prom-dress-pushed-back",
            "rosalinds prom dress fitting got pushed back a week, friday 22 may now and not the 15th. same time",
            Expected::default()
                .change(
                    "Rosalind's prom dress",
                    &[
                        "22 May|22. May|May 22|22nd|22.5|22.5.|22.05|22.05.|05-22|5/22|05/22|22/5|22/05",
                        "16:45|16.45|4:45|4.45|quarter to five|quarter to 5",
                        "friday|fri",
                        "bellini",
                        "silver shoes",
                        "ankle",
                    ],
                )
                .lacking(&[
                    "15 May|15. May|May 15|15th|15.5|15.5.|15.05|15.05.|05-15|5/15|05/15|15/5|15/05",
                ]),
        )
        .note(
            "Rosalind's prom dress",
            "family",
            "Fitting: Friday 15 May, 16:45 at Bellini's.\nBring the silver shoes\nThe hem goes down to the ankle",
        )
        .note(
            "Prom tickets",
            "family",
            "On sale until Friday 15 May in the school office, 22 euros each.",
        )
        .solved_by(&[Edit::Replace("Rosalind's prom dress", "15 May", "22 May")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "bathroom-refit-ticks",
            "The basin's ordered and I've emptied the cupboard, can you tick both in the bathroom refit?",
            Expected::default()
                .change(
                    "Bathroom refit",
                    &[
                        "[x]&tiles",
                        "[x]&basin",
                        "[x]&cupboard",
                        "[ ]&electrician",
                        "[ ]&shower",
                    ],
                )
                .lacking(&["[ ]&basin", "[ ]&cupboard"]),
        )
        .note(
            "Bathroom refit",
            "house",
            "- [x] choose the tiles\n- [ ] order the basin\n- [ ] book the electrician\n- [ ] seal the shower \
             wall\n- [ ] empty the cupboard",
        )
        .note(
            "Utility room",
            "house",
            "- [ ] empty the cupboard\n- [ ] hose for the dryer\n- [ ] second socket",
        )
        .solved_by(&[
            Edit::Replace("Bathroom refit", "[ ] order", "[x] order"),
            Edit::Replace("Bathroom refit", "[ ] empty", "[x] empty"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "potluck-no-coleslaw",
            "Dermot can't come to the potluck after all, so his coleslaw drops off the list",
            Expected::default()
                .change("Potluck", &["quiche", "lentil salad", "brownies"])
                .lacking(&["coleslaw", "dermot"]),
        )
        .note(
            "Potluck",
            "food",
            "- quiche: Josune\n- coleslaw: Dermot\n- lentil salad: Ayla\n- brownies: me",
        )
        .note(
            "Dermot's new place",
            "friends",
            "- bell says Kowalik\n- third courtyard\n- likes coleslaw, hates cut flowers",
        )
        .solved_by(&[Edit::Replace("Potluck", "- coleslaw: Dermot\n", "")]),
        Task::strict(
            "recycling-centre-permit",
            "nobody at the recycling centre asks for the permit card any more, you can take that bit out of my note",
            Expected::default()
                .change(
                    "Recycling centre",
                    &[
                        "mill road",
                        "monday",
                        "paint",
                        "thursday",
                        "three trips|3 trips",
                    ],
                )
                .lacking(&["permit"]),
        )
        .note(
            "Recycling centre",
            "house",
            "On Mill Road, shut on Mondays. Have the permit card ready. Paint only on Thursdays.\nThree trips a \
             month cost nothing",
        )
        .note(
            "Resident parking",
            "car",
            "The permit card goes behind the windscreen, 30 euros a year.",
        )
        .solved_by(&[Edit::Replace(
            "Recycling centre",
            "Have the permit card ready. ",
            "",
        )]),
    ]
}
