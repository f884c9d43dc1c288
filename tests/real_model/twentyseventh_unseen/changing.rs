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
            "puppet-theatre-typos",
            "put 6 wodden spoons, sum felt an googley eyes on teh pupet theater lsit",
            Expected::default().change(
                "Puppet theatre list",
                &[
                    "cardboard box",
                    "red curtain",
                    "6&wooden spoon|six&wooden spoon|6&wodden spoon|six&wodden spoon",
                    "felt",
                    "googl&eye",
                ],
            ),
        )
        .note(
            "Puppet theatre list",
            "crafts",
            "- big cardboard box\n- red curtain",
        )
        .note(
            "Theatre tickets",
            "culture",
            "Row 9, seats 4 and 5. Collect them at the box office.",
        )
        .solved_by(&[Edit::Append(
            "Puppet theatre list",
            "\n- 6 wooden spoons\n- felt\n- googly eyes",
        )]),
        Task::strict(
            "cuckoo-clock-winding",
            "In the cuckoo clock note you can also write that it gets wound every 8 days by the left chain, and that \
             Mr Vondra is the one who mends the bellows",
            Expected::default().change(
                "Cuckoo clock",
                &[
                    "triberg",
                    "4 minutes",
                    "8 day|8-day|8th day|eight day|eight-day|eighth day",
                    "left&chain",
                    "vondra",
                    "bellows",
                ],
            ),
        )
        .note(
            "Cuckoo clock",
            "heirlooms",
            "From Triberg, carved in 1962.\nLoses 4 minutes a week",
        )
        .note(
            "Kitchen clock",
            "house",
            "Radio-controlled, hang it near the window or it gets lost.",
        )
        .solved_by(&[Edit::Append(
            "Cuckoo clock",
            "\nWind it every 8 days by the left chain\nMr Vondra mends the bellows",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "vaulting-fee-up",
            "vaulting is 26 euros a lesson from now on instead of 22, update it",
            Expected::default()
                .change(
                    "Vaulting",
                    &["ilse", "26|twenty-six|twenty six", "lesson", "slippers", "jewellery"],
                )
                .lacking(&["22|twenty-two|twenty two"]),
        )
        .note(
            "Vaulting",
            "horses",
            "Thursdays with Ilse, 22 euros a lesson.\nGymnastic slippers, no jewellery",
        )
        .note(
            "Riding hat",
            "horses",
            "22 euros second-hand at the saddler's, size 54.",
        )
        .solved_by(&[Edit::Replace("Vaulting", "22", "26")]),
        Task::strict(
            "panto-prompter",
            "I was told wrong, it isn't Signe who prompts in the panto this year, it's Dorthe. Could you correct that?",
            Expected::default()
                .change(
                    "Village panto",
                    &["19:15", "parish hall", "prompt&dorthe", "ruben", "cow"],
                )
                .lacking(&["signe"]),
        )
        .note(
            "Village panto",
            "stage",
            "First night in the parish hall at 19:15.\nPrompter: Signe, costumes: Ruben\nThe cow takes two people",
        )
        .note(
            "Key to the parish hall",
            "village",
            "Signe has it, ring twice. Hand it back on Mondays.",
        )
        .solved_by(&[Edit::Replace("Village panto", "Signe", "Dorthe")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "asbestos-survey-later",
            "the asbestos man can't make thursday the 8th, he's coming tuesday 13 october instead. same time. change \
             it in the note will you",
            Expected::default()
                .change(
                    "Asbestos survey",
                    &[
                        "13 Oct|13. Oct|Oct 13|Oct. 13|October 13|13th|thirteenth|13.10|13.10.|10-13|10/13|13/10",
                        "tuesday|tue",
                        "9:20|9.20|09:20|twenty past nine|20 past 9|twenty past 9",
                        "hallgrim",
                        "hatch",
                        "dog",
                    ],
                )
                .lacking(&[
                    "8 Oct|8. Oct|08 Oct|Oct 8|Oct. 8|October 8|8th|eighth|8.10|8.10.|08.10|08.10.|10-08|10/8|10/08|\
                     8/10|08/10",
                    "thursday|thu",
                ]),
        )
        .note(
            "Asbestos survey",
            "house",
            "Thursday 8 October at 9:20, Mr Hallgrim.\nClear the space below the loft hatch\nThe dog stays at Mum's",
        )
        .note(
            "Film evening",
            "friends",
            "Thursday 8 October at Pavel's, we bring the popcorn.",
        )
        .solved_by(&[Edit::Replace(
            "Asbestos survey",
            "Thursday 8 October",
            "Tuesday 13 October",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "sidecar-spring-ticks",
            "Sidecar: wheel bearing's greased and the seat is patched. Tick both off please",
            Expected::default()
                .change(
                    "Sidecar in spring",
                    &[
                        "[x]&charge",
                        "[x]&bearing",
                        "[x]&seat",
                        "[ ]&bulb",
                        "[ ]&tyre",
                    ],
                )
                .lacking(&["[ ]&bearing", "[ ]&seat"]),
        )
        .note(
            "Sidecar in spring",
            "garage",
            "- [x] charge the battery\n- [ ] grease the wheel bearing\n- [ ] new bulb for the tail light\n- [ ] patch \
             the seat\n- [ ] pump up the tyre",
        )
        .note(
            "Trailer in spring",
            "garage",
            "- [ ] grease the wheel bearing\n- [ ] new number plate",
        )
        .solved_by(&[
            Edit::Replace("Sidecar in spring", "[ ] grease", "[x] grease"),
            Edit::Replace("Sidecar in spring", "[ ] patch", "[x] patch"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "raclette-no-pumpkin",
            "nobody ever touches the pickled pumpkin, take it off the raclette shopping",
            Expected::default()
                .change("Raclette shopping", &["baby corn", "pearl onions", "600"])
                .lacking(&["pumpkin"]),
        )
        .note(
            "Raclette shopping",
            "food",
            "- baby corn\n- pickled pumpkin\n- pearl onions\n- 600 g of cheese",
        )
        .note(
            "Pickled pumpkin",
            "recipes",
            "Vinegar and water, half and half, with cloves. Keeps until spring.",
        )
        .solved_by(&[Edit::Replace(
            "Raclette shopping",
            "- pickled pumpkin\n",
            "",
        )]),
        Task::strict(
            "tennis-floodlight-free",
            "You can lose the sentence about the floodlights in my tennis court note, they've stopped charging for \
             them.",
            Expected::default()
                .change(
                    "Tennis court",
                    &["court 3", "11 euro", "sweep", "anselm", "22:00"],
                )
                .lacking(&["floodlight", "4 euro"]),
        )
        .note(
            "Tennis court",
            "sport",
            "Court 3 behind the school, 11 euros an hour. Floodlights are 4 euros extra. Sweep it afterwards.\nMr \
             Anselm has the key, back by 22:00",
        )
        .note(
            "Football pitch",
            "sport",
            "The floodlights go off at 21:30. Studs only on the grass.",
        )
        .solved_by(&[Edit::Replace(
            "Tennis court",
            "Floodlights are 4 euros extra. ",
            "",
        )]),
    ]
}
