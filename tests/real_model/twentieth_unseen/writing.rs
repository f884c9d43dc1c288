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
            "new-blood-donation",
            "need a new note called Blood donation. van is by the town hall on 3 september from 16:15, drink \
             lots beforehand, take the donor card",
            Expected::default().new_titled(
                "Blood donation",
                &[
                    "3 Sep|3. Sep|Sep 3|September 3|3rd|third|3.9|3.9.|03.09|03.09.|09-03|9/3|09/03|3/9|03/09",
                    "16:15|16.15|4:15|4.15|16h15|16 h 15|quarter past 4|quarter past four",
                    "town hall",
                    "drink",
                    "donor card|donor's card|donor-card",
                ],
            ),
        )
        .note(
            "Town hall",
            "offices",
            "Passport counter on the first floor, closed on Wednesdays. Draw a number by the lifts.",
        )
        .note(
            "Blood pressure",
            "health",
            "Twice a day, sitting, left arm. The cuff is in the bread bin.",
        )
        .solved_by(&[Edit::Create(
            "Blood donation",
            "3 September from 16:15, van by the town hall. Drink lots beforehand, take the donor card.",
        )]),
        Task::strict(
            "note-allergy-results",
            "Would you be so kind as to keep a record of what Dr Marchetti told me over the phone this morning: \
             the allergy test shows birch and hazelnut, the nasal spray is to be taken in the evening, and in \
             18 months we test again.",
            Expected::default().new_note(&[
                "marchetti",
                "birch",
                "hazel",
                "spray",
                "evening",
                "18 mo|18-mo|eighteen mo|year and a half|1.5 years|one and a half years",
            ]),
        )
        .note(
            "Hazelnut hedge",
            "",
            "Nine bushes along the lane, cut every third winter.",
        )
        .note(
            "Eye drops",
            "health",
            "One in the morning, one in the evening. Thrown away four weeks after opening.",
        )
        .solved_by(&[Edit::Create(
            "Allergy test",
            "Dr Marchetti: birch and hazelnut. Nasal spray in the evening. Next test in 18 months.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "wrong-window-sorry",
            "oops sorry, wrong window!! that was meant for somebody else",
            Expected::default(),
        )
        .note(
            "Window cleaner",
            "house",
            "Comes every six weeks, 35 euros in cash. The attic window he leaves out.",
        )
        .note(
            "Somebody else's umbrella",
            "",
            "Green with a duck's head, left here after the raclette. Not Iolanthe's.",
        ),
        Task::strict(
            "cold-bed-grumble",
            "Brrrr, so cold this morning. I just don't want to leave my bed, haha",
            Expected::default(),
        )
        .note(
            "Bedroom radiator",
            "house",
            "On 2 at night, on 3 in the morning. Gurgles when it is very cold.",
        )
        .note(
            "Bed slats",
            "house",
            "Two are cracked, 70 cm long. Glue does not hold.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "driving-lesson-and-theory",
            "A driving lesson costs 58 euros from now on, not 52, so please correct that. Besides I need a fresh \
             note about the theory test: it's at the Hillcrest centre, 30 questions, and you may make 3 mistakes \
             at the most.",
            Expected::default()
                .change(
                    "Driving lessons",
                    &[
                        "58|fifty-eight|fifty eight",
                        "45 min",
                        "petrol station",
                        "abernathy",
                    ],
                )
                .lacking(&["52|fifty-two", "hillcrest", "theory"])
                .new_note(&[
                    "theory",
                    "hillcrest",
                    "30|thirty",
                    "question",
                    "3|three",
                    "mistake|error|wrong",
                ]),
        )
        .note(
            "Driving lessons",
            "driving",
            "52 euros for 45 minutes.\nMeet at the petrol station\nMr Abernathy drives the blue Corsa.",
        )
        .note(
            "First-aid course",
            "driving",
            "52 euros, one Saturday from nine. Bring a cushion and a sandwich.",
        )
        .solved_by(&[
            Edit::Replace("Driving lessons", "52", "58"),
            Edit::Create(
                "Theory test",
                "At the Hillcrest centre. 30 questions, at most 3 mistakes.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "loco-sold-and-layout",
            "somebody's actually bought the steam loco, so the ad for it can go. oh and two left-hand points \
             belong on the layout list, i keep forgetting those",
            Expected::default()
                .change(
                    "Layout list",
                    &[
                        "fine ballast",
                        "12 street lamps",
                        "2&left&point|two&left&point|pair&left&point",
                    ],
                )
                .delete("Ad for the steam loco"),
        )
        .note(
            "Ad for the steam loco",
            "model railway",
            "H0, black, with tender, 160 euros. Smoke unit replaced, original box.",
        )
        .note(
            "Ad for the tank wagons",
            "model railway",
            "Six of them, 45 euros for the lot. One coupling is bent.",
        )
        .note(
            "Layout list",
            "model railway",
            "- fine ballast\n- 12 street lamps",
        )
        .note(
            "Signal box list",
            "model railway",
            "- brass wire\n- points motor, 16 volts",
        )
        .solved_by(&[
            Edit::Delete("Ad for the steam loco"),
            Edit::Append("Layout list", "\n- two left-hand points"),
        ]),
    ]
}
