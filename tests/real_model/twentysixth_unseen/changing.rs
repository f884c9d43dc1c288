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
            "darkroom-fixer",
            "put 2 paks of matt papr and a botle of fixr on teh darkrom list pls",
            Expected::default().change(
                "Darkroom list",
                &[
                    "developer",
                    "4 film clips",
                    "2&matt&paper|two&matt&paper|2&matt&papr|two&matt&papr",
                    "bottle&fixer|botle&fixer|bottle&fixr|botle&fixr|1&fixer|one&fixer",
                ],
            ),
        )
        .note(
            "Darkroom list",
            "photography",
            "- developer\n- 4 film clips",
        )
        .note(
            "Photo albums",
            "photography",
            "Matt prints only. Two packs of corners are left in the drawer.",
        )
        .solved_by(&[Edit::Append(
            "Darkroom list",
            "\n- 2 packs of matt paper\n- a bottle of fixer",
        )]),
        Task::strict(
            "dog-groomer-card",
            "Two more things for the dog groomer note: she asks for the vaccination card, and a full cut takes 75 \
             minutes. Can you write those in?",
            Expected::default().change(
                "Dog groomer",
                &[
                    "marisol",
                    "52 euro",
                    "monday",
                    "vaccin|jab|immuni",
                    "75|seventy-five|seventy five|1 h 15|1h15|1 hour 15|1:15|1.25|hour and a quarter",
                ],
            ),
        )
        .note(
            "Dog groomer",
            "dog",
            "Marisol, behind the bus depot. 52 euros with claws.\nNever open on Mondays",
        )
        .note(
            "Dog bed",
            "dog",
            "75 cm wide. The cover can be washed at 40 degrees.",
        )
        .solved_by(&[Edit::Append(
            "Dog groomer",
            "\nShe asks for the vaccination card\nA full cut takes 75 minutes",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "sandpit-bags",
            "I got the sandpit wrong, it takes 14 bags of sand rather than 9",
            Expected::default()
                .change(
                    "Sandpit",
                    &["14&sand|fourteen&sand", "25 kg|25kg|25 kilo", "rafters", "larch"],
                )
                .lacking(&["9|nine"]),
        )
        .note(
            "Sandpit",
            "garden",
            "Holds 9 bags of play sand, 25 kg each.\nThe lid is up in the rafters\nLarch boards, oil them in April",
        )
        .note(
            "Flood barrier",
            "house",
            "9 bags of sand beside the cellar door. Tape for the vents.",
        )
        .solved_by(&[Edit::Replace("Sandpit", "9", "14")]),
        Task::strict(
            "stairwell-cleaner",
            "The woman who does our stairwell is called Ms Obrecht, no idea how I came up with Ms Tanaka. Could you \
             change the name in that note?",
            Expected::default()
                .change(
                    "Stairwell cleaning",
                    &[
                        "obrecht",
                        "1st|first",
                        "15th|fifteenth",
                        "hose",
                        "11 euro",
                    ],
                )
                .lacking(&["tanaka"]),
        )
        .note(
            "Stairwell cleaning",
            "house",
            "Ms Tanaka comes on the 1st and the 15th.\nShe needs the key for the hose\n11 euros a flat, into the jar",
        )
        .note(
            "Council",
            "offices",
            "Ms Tanaka does the street lamps, extension 31. Ring before ten.",
        )
        .solved_by(&[Edit::Replace(
            "Stairwell cleaning",
            "Ms Tanaka",
            "Ms Obrecht",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "topping-out-friday",
            "our topping-out ceremony has been put off from 5 to 12 september, still a friday. update the note pls",
            Expected::default()
                .change(
                    "Topping-out ceremony",
                    &[
                        "12 Sep|12. Sep|Sep 12|Sep. 12|Sept 12|Sept. 12|September 12|12th|twelfth|12.9|12.9.|12.09|\
                         12.09.|09-12|9/12|09/12|12/9|12/09",
                        "friday|fri",
                        "15:30|15.30|3:30|3.30|half past three|half past 3|half three",
                        "mill lane",
                        "gerlinde",
                        "helmets",
                    ],
                )
                .lacking(&[
                    "5 Sep|05 Sep|5. Sep|Sep 5|Sep. 5|Sept 5|Sept. 5|September 5|5th|fifth|5.9|5.9.|05.09|05.09.|\
                     09-05|9/5|09/05|5/9|05/09",
                ]),
        )
        .note(
            "Topping-out ceremony",
            "building",
            "Friday 5 September, 15:30 at the site in Mill Lane.\nGerlinde fries the sausages\nHelmets for the \
             children",
        )
        .note(
            "Scaffolding",
            "building",
            "Comes down on Friday 5 September. Move the car the night before.",
        )
        .solved_by(&[Edit::Replace(
            "Topping-out ceremony",
            "5 September",
            "12 September",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "selling-the-car-ticks",
            "Selling the car: I've taken the photos and the second key has turned up. Tick those two, please",
            Expected::default()
                .change(
                    "Selling the car",
                    &[
                        "[x]&wash",
                        "[x]&take photos",
                        "[x]&find&second key",
                        "[ ]&advert",
                        "[ ]&insurance",
                    ],
                )
                .lacking(&["[ ]&photos", "[ ]&second key"]),
        )
        .note(
            "Selling the car",
            "car",
            "- [x] wash it\n- [ ] take photos\n- [ ] find the second key\n- [ ] put the advert online\n- [ ] cancel \
             the insurance",
        )
        .note(
            "Letting the garage",
            "house",
            "- [ ] take photos\n- [ ] second key for the tenant\n- [x] measure the door",
        )
        .solved_by(&[
            Edit::Replace("Selling the car", "[ ] take", "[x] take"),
            Edit::Replace("Selling the car", "[ ] find", "[x] find"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "iceland-whales",
            "take the whale watching off the iceland list, maud gets seasick on a duck pond",
            Expected::default()
                .change(
                    "Iceland list",
                    &["hot pot", "lava tunnel", "puffins"],
                )
                .lacking(&["whale", "húsavík|husavik"]),
        )
        .note(
            "Iceland list",
            "travel",
            "- hot pot in Hofsós\n- whale watching from Húsavík\n- lava tunnel\n- puffins, from the cliff",
        )
        .note(
            "Azores",
            "travel",
            "- whale watching, the early boat\n- tea plantation\n- stew from the volcano",
        )
        .solved_by(&[Edit::Replace(
            "Iceland list",
            "- whale watching from Húsavík\n",
            "",
        )]),
        Task::strict(
            "co-working-booth",
            "At the co-working place nobody has to reserve the phone booth any longer. Please remove that sentence \
             from my note.",
            Expected::default()
                .change(
                    "Co-working",
                    &["17", "12 euro", "coffee", "locker", "6093"],
                )
                .lacking(&["booth|reserve"]),
        )
        .note(
            "Co-working",
            "work",
            "Desk 17, 12 euros a day. Reserve the phone booth the day before. Coffee is included.\nLocker code 6093",
        )
        .note(
            "Reading room",
            "study",
            "Reserve a booth the day before, two hours at most. No coffee.",
        )
        .solved_by(&[Edit::Replace(
            "Co-working",
            "Reserve the phone booth the day before. ",
            "",
        )]),
    ]
}
