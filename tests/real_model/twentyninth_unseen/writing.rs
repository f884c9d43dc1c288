//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        titled_note(),
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn titled_note() -> Vec<Task> {
    vec![
        Task::strict(
            "new-eye-laser",
            "New note please, call it Eye laser: I'm due on 14 November at 8:15, second floor. No contact lenses for \
             10 days before, and somebody has to drive me home.",
            Expected::default().new_titled(
                "Eye laser",
                &[
                    "14 Nov|14. Nov|Nov 14|Nov. 14|November 14|14th|fourteenth|14.11|14.11.|11-14|11/14|14/11",
                    "8:15|8.15|08:15|08.15|8h15|quarter past eight|quarter past 8",
                    "second floor|2nd floor|floor 2|floor two|2. floor",
                    "lens",
                    "10 day|ten day|10-day|ten-day",
                    "home",
                ],
            ),
        )
        .note(
            "Reading glasses",
            "health",
            "One pair by the bed, one in the car. 1.5 is enough.",
        )
        .note(
            "Laser printer",
            "office",
            "Toner TN-36, third floor. Feed thick paper from the back.",
        )
        .solved_by(&[Edit::Create(
            "Eye laser",
            "14 November at 8:15, second floor.\nNo contact lenses for 10 days before.\nSomebody has to drive me home.",
        )]),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "feeding-pumpkin-next-door",
            "feeding pumpkin (next doors cat) 3 to 10 august, half a tin at night, key is under the blue pot and the \
             litter goes in the grey bin. write that down quick",
            Expected::default().new_note(&[
                "pumpkin",
                "3|3rd|third|03|3.8|3.8.|03.08|03.08.|3/8|03/08|8/3|08/03|08-03",
                "10 Aug|10. Aug|10th|tenth|Aug 10|August 10|-10|- 10|to 10|until 10|till 10|10.8|10.8.|10.08|10.08.|\
                 10/8|10/08|8/10|08/10|08-10",
                "aug|08|8",
                "half a tin|half tin|½ tin|1/2 tin|0.5 tin|half a can",
                "blue&pot",
                "litter&grey|litter&gray",
            ]),
        )
        .note(
            "Pumpkin soup",
            "recipes",
            "With ginger and half a tin of coconut milk. Serves five.",
        )
        .note(
            "Bins",
            "house",
            "Grey on Tuesdays, blue every other Friday.",
        )
        .solved_by(&[Edit::Create(
            "Feeding Pumpkin",
            "Next door's cat, 3 to 10 August.\nHalf a tin at night\nThe key is under the blue pot\nLitter goes in \
             the grey bin",
        )]),
        Task::strict(
            "nursery-start-tamsin",
            "Just off the phone with the nursery, took forever, they had the radio on all the time. Anyway, keep this \
             somewhere: Tamsin starts on 1 September, it's 412 euros a month, and she needs wellies and a set of \
             spare clothes there.",
            Expected::default().new_note(&[
                "tamsin",
                "1 Sep|1. Sep|1st|first of Sep|Sep 1|Sep. 1|Sept 1|Sept. 1|September 1|1.9|1.9.|01.09|01.09.|09-01|\
                 9/1|09/01|1/9|01/09",
                "412",
                "wellies|wellington|rubber boots",
                "spare|change of clothes",
            ]),
        )
        .note(
            "Plant nursery",
            "garden",
            "Ask for the seconds, they are half the price. Shut in January.",
        )
        .note(
            "Radio",
            "kitchen",
            "Station 4 is jazz. The aerial has to point at the fridge.",
        )
        .solved_by(&[Edit::Create(
            "Nursery",
            "Tamsin starts on 1 September.\n412 euros a month\nShe needs wellies and a set of spare clothes.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "sunburnt-nose",
            "forgot my hat again and now my nose looks like a tomato haha",
            Expected::default(),
        )
        .note(
            "Sun cream",
            "holidays",
            "Factor 50 for the little ones, the stick for faces.",
        )
        .note(
            "Tomato seedlings",
            "garden",
            "Prick them out at four leaves. Nine pots on the sill.",
        ),
        Task::strict(
            "cows-from-the-train",
            "There are so many cows outside this train window, and every single one is staring at me.",
            Expected::default(),
        )
        .note(
            "Train to work",
            "travel",
            "7:04 from platform 2, the last carriage is the quiet one.",
        )
        .note(
            "Window putty",
            "house",
            "Knead it warm. Wait two weeks before painting.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "knit-night-and-ball-winder",
            "Knit night has moved from Pia's to the library cafe, would you change that. And make me a separate note: \
             Ulrike lends me her ball winder until 8 March.",
            Expected::default()
                .change(
                    "Knit night",
                    &["tuesday|tue", "19:00|19|7 pm|7pm|seven", "library", "mug"],
                )
                .lacking(&["pia", "ulrike", "winder"])
                .new_note(&[
                    "ulrike",
                    "winder",
                    "8 Mar|8. Mar|8th|eighth|Mar 8|Mar. 8|March 8|8.3|8.3.|08.03|08.03.|03-08|3/8|03/08|8/3|08/03",
                ]),
        )
        .note(
            "Knit night",
            "hobby",
            "Tuesday at 19:00, at Pia's.\nBring your own mug",
        )
        .note(
            "Sock wool",
            "hobby",
            "Pia's blue is sold out everywhere. 75 g for size 42.",
        )
        .solved_by(&[
            Edit::Replace("Knit night", "at Pia's", "in the library cafe"),
            Edit::Create(
                "Ball winder",
                "Ulrike lends it to me until 8 March.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "gym-membership-and-foil",
            "gym membership has run out so thats one note less, delete it. foil and dishwasher tabs need to go on the \
             supermarket list btw",
            Expected::default()
                .change(
                    "Supermarket list",
                    &["oatmeal", "tinned peas", "foil", "dishwasher"],
                )
                .delete("Gym membership"),
        )
        .note(
            "Gym membership",
            "sport",
            "29 euros a month, cancel in writing. The card is in the blue wallet.",
        )
        .note(
            "Museum membership",
            "culture",
            "Two adults, 64 euros a year. Free coffee on Sundays.",
        )
        .note("Supermarket list", "", "- oatmeal\n- tinned peas")
        .note(
            "Dishwasher",
            "",
            "- salt is low\n- the lower arm sticks\n- filter every month",
        )
        .solved_by(&[
            Edit::Delete("Gym membership"),
            Edit::Append("Supermarket list", "\n- foil\n- dishwasher tabs"),
        ]),
    ]
}
