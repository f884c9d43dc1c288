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
            "litter-pick-buckets",
            "cna you put hi-vis vesst and 6 bukcets on teh litter pick list",
            Expected::default().change(
                "Litter pick",
                &[
                    "tongs",
                    "12 pairs",
                    "vest|vesst",
                    "6&bucket|six&bucket|6&bukcet",
                ],
            ),
        )
        .note(
            "Litter pick",
            "village",
            "- tongs from the council\n- 12 pairs of gloves",
        )
        .note(
            "Trudi's litter",
            "dogs",
            "Six puppies, born on Sunday. Pick up the whelping box at Anneli's.",
        )
        .solved_by(&[Edit::Append("Litter pick", "\n- hi-vis vests\n- 6 buckets")]),
        Task::strict(
            "ferret-jab-and-claws",
            "Would you be so kind as to add to the note on the ferret that the distemper jab is due in October, and \
             that Mr Pomeroy trims claws for 8 euros",
            Expected::default().change(
                "Ferret",
                &[
                    "rabbit",
                    "latch",
                    "distemper",
                    "oct",
                    "pomeroy",
                    "claw",
                    "8|8.00|eight",
                ],
            ),
        )
        .note(
            "Ferret",
            "pets",
            "Minced rabbit twice a day, never bread.\nThe latch of the run has to click",
        )
        .note(
            "Chinchilla",
            "pets",
            "Dust bath every evening. The next jab is in October, ask Mr Pomeroy.",
        )
        .solved_by(&[Edit::Append(
            "Ferret",
            "\nDistemper jab: due in October\nMr Pomeroy trims claws, 8 euros",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "dehumidifier-tank",
            "measured it, the tank of the dehumidifier holds 4 litres and not 6. change it pls",
            Expected::default()
                .change(
                    "Dehumidifier",
                    &["4|four", "filter", "once a month", "cellar steps"],
                )
                .lacking(&["6|six"]),
        )
        .note(
            "Dehumidifier",
            "house",
            "The tank holds 6 litres.\nWash the filter once a month\nStands at the foot of the cellar steps",
        )
        .note(
            "Fuel can",
            "car",
            "Holds 6 litres, the spout is in the side pocket of the boot.",
        )
        .solved_by(&[Edit::Replace("Dehumidifier", "6 litres", "4 litres")]),
        Task::strict(
            "wing-chair-upholsterer",
            "I mixed up two people, sorry. It's Ms Beaufils who is re-covering the wing chair and not Mr Vandersloot. \
             Can you put that right in the note?",
            Expected::default()
                .change(
                    "Wing chair",
                    &[
                        "beaufils",
                        "430",
                        "bottle green",
                        "5 m",
                        "seven weeks|7 weeks",
                    ],
                )
                .lacking(&["vandersloot"]),
        )
        .note(
            "Wing chair",
            "furniture",
            "Mr Vandersloot is re-covering it for 430 euros.\nFabric: bottle green, 5 metres\nReady in seven weeks",
        )
        .note(
            "Car seats",
            "car",
            "Mr Vandersloot shampoos them, 75 euros. He wants the car for a whole day.",
        )
        .solved_by(&[Edit::Replace(
            "Wing chair",
            "Mr Vandersloot",
            "Ms Beaufils",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "open-gardens-earlier",
            "open gardens is a week earlier than we thought, sunday 14 june and not the 21st, could you change the \
             date. the rest stays",
            Expected::default()
                .change(
                    "Open gardens",
                    &[
                        "14 Jun|14. Jun|Jun 14|June 14|14th|14.6|14.6.|14.06|14.06.|06-14|6/14|06/14|14/6|14/06",
                        "10:30|10.30|half past ten|half past 10|half ten",
                        "greta",
                        "tea urn",
                        "barnaby",
                    ],
                )
                .lacking(&[
                    "21 Jun|21. Jun|Jun 21|June 21|21st|21.6|21.6.|21.06|21.06.|06-21|6/21|06/21|21/6|21/06",
                ]),
        )
        .note(
            "Open gardens",
            "village",
            "Sunday 21 June, gates open at 10:30.\nGreta runs the plant stall.\nTea urn: ask Barnaby",
        )
        .note(
            "Midsummer bonfire",
            "village",
            "Sunday 21 June at dusk, on the common. Barnaby lights it.",
        )
        .solved_by(&[Edit::Replace("Open gardens", "21 June", "14 June")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "wildflower-strip-ticks",
            "for the wildflower strip: turf's lifted and i've put the sign up. tick both off please",
            Expected::default()
                .change(
                    "Wildflower strip",
                    &[
                        "[x]&turf",
                        "[ ]&rake",
                        "[x]&seed",
                        "[x]&sign",
                        "[ ]&pashley",
                    ],
                )
                .lacking(&["[ ]&turf", "[ ]&sign"]),
        )
        .note(
            "Wildflower strip",
            "garden",
            "- [ ] lift the turf\n- [ ] rake it twice\n- [x] order the seed\n- [ ] put the sign up\n- [ ] show it to \
             Mr Pashley",
        )
        .note(
            "Sandpit",
            "garden",
            "- [ ] lift the turf\n- [ ] lay the fleece\n- [ ] 300 kg of sand",
        )
        .solved_by(&[
            Edit::Replace("Wildflower strip", "[ ] lift", "[x] lift"),
            Edit::Replace("Wildflower strip", "[ ] put", "[x] put"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "herb-spiral-lovage",
            "The lovage didn't survive the frost, strike it from the herb spiral will you",
            Expected::default()
                .change("Herb spiral", &["hyssop", "chervil", "woodruff"])
                .lacking(&["lovage"]),
        )
        .note(
            "Herb spiral",
            "garden",
            "- hyssop at the top\n- lovage by the wall\n- chervil\n- woodruff in the shade",
        )
        .note(
            "Frozen herbs",
            "kitchen",
            "- lovage, two bags\n- chervil for the soup\n- parsley",
        )
        .solved_by(&[Edit::Replace("Herb spiral", "- lovage by the wall\n", "")]),
        Task::strict(
            "alarm-panel-beeps",
            "the alarm panel doesn't beep any more since the update so take the sentence about the beeps out",
            Expected::default()
                .change(
                    "Alarm panel",
                    &[
                        "7741",
                        "hash",
                        "green&armed",
                        "siren",
                        "3 minutes|three minutes",
                    ],
                )
                .lacking(&["beep"]),
        )
        .note(
            "Alarm panel",
            "house",
            "Code 7741, then the hash key. Wait for the two beeps. Green light means armed.\nThe siren goes on for 3 \
             minutes",
        )
        .note(
            "Stove alarm",
            "house",
            "Three beeps mean it is low on battery. It takes a square one.",
        )
        .solved_by(&[Edit::Replace(
            "Alarm panel",
            "Wait for the two beeps. ",
            "",
        )]),
    ]
}
