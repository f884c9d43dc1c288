//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        reminded(),
        nothing_to_note(),
        two_steps_with_whole_notes(),
        two_changes(),
        two_changes_in_german(),
    ]
    .concat()
}

fn reminded() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-cello-back",
            "the borrowed cello has to go back to the music school on 14 march, put in a reminder \
             for me",
            Expected::default().new_note(&[
                "cello",
                "14 Mar|14. Mar|Mar 14|March 14|14th|14.3|14.03|14.3.|14.03.|03-14|3/14|03/14|\
                 14/3|14/03",
            ]),
        )
        .note(
            "Violin strings",
            "music",
            "The E string is steel, the set came from Dragan.",
        )
        .note(
            "Rosin",
            "music",
            "The dark one in winter, it lies in the piano stool.",
        )
        .solved_by(&[Edit::Create(
            "Cello",
            "14 March: the borrowed cello has to go back to the music school.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "never-mind",
            "never mind, i figured it out myself",
            Expected::default(),
        )
        .note(
            "Label printer",
            "office",
            "Takes tape of 12 mm, hold the button for three seconds.",
        )
        .note("Shredder", "office", "No staples, oil it every month."),
        Task::strict(
            "off-to-bed",
            "Haha, okay. I'm off to bed then, good night!",
            Expected::default(),
        )
        .note(
            "Bunk bed",
            "children",
            "Slats of 90 cm, the ladder goes on the left.",
        )
        .note(
            "Night light",
            "children",
            "The moon one is Ylva's, it needs two small batteries.",
        ),
    ]
}

fn two_steps_with_whole_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "camper-and-seats",
            "Delete the Camper hire note, we're going by train after all. And start a new one with \
             our seats: coach 21, seats 65 and 66.",
            Expected::default().delete("Camper hire").new_note(&[
                "coach|carriage|car|wagon",
                "21",
                "65|65,66",
                "66|65,66",
            ]),
        )
        .note(
            "Camper hire",
            "summer",
            "From Rolling Homes in Kempten, 98 euros a day and a deposit of 800.",
        )
        .note(
            "Campsite",
            "summer",
            "Pitch 14 beside the lake, the barrier closes at ten at night.",
        )
        .solved_by(&[
            Edit::Delete("Camper hire"),
            Edit::Create("Seats in the train", "Coach 21, seats 65 and 66."),
        ]),
        Task::strict(
            "festival-and-ticket",
            "earplugs need to go on the festival packing list, plus a separate note that Ignatius \
             still owes me 45 for his ticket",
            Expected::default()
                .change(
                    "Festival packing",
                    &["gaiters", "tent pegs", "earplug|ear plug"],
                )
                .lacking(&["ignatius", "45"])
                .new_note(&["ignatius", "45", "ticket"]),
        )
        .note("Festival packing", "festival", "- gaiters\n- tent pegs")
        .note(
            "Festival acts",
            "festival",
            "Friday: the Tin Sparrows. Sunday: Ludmila and her band.",
        )
        .solved_by(&[
            Edit::Append("Festival packing", "\n- earplugs"),
            Edit::Create(
                "Ticket of Ignatius",
                "Ignatius still owes me 45 for his ticket.",
            ),
        ]),
    ]
}

fn two_changes() -> Vec<Task> {
    vec![
        Task::strict(
            "boiler-and-garage",
            "so the heating man was here and says the boiler should be at 55 degrees and not at \
             65, and while you're at it take the code out of the garage note because we don't \
             have that keypad any more",
            Expected::default()
                .change("Boiler", &["55", "radiators", "october"])
                .lacking(&["65"])
                .change("Garage", &["winter tyres", "left wall", "ladder", "bruno"])
                .lacking(&["5590", "keypad code is"]),
        )
        .note(
            "Boiler",
            "house",
            "Set to 65 degrees. Bleed the radiators in October.",
        )
        .note(
            "Garage",
            "house",
            "Winter tyres hang on the left wall. The keypad code is 5590. The ladder is Bruno's.",
        )
        .note(
            "Laundry room",
            "house",
            "Bed linen at 65 degrees, the drain has to be kept clear.",
        )
        .solved_by(&[
            Edit::Replace("Boiler", "65", "55"),
            Edit::Replace("Garage", " The keypad code is 5590.", ""),
        ]),
    ]
}

fn two_changes_in_german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-management-and-bins",
            "Bei der Hausverwaltung ist jetzt Frau Öztürk zuständig statt Herr Pohl, und der \
             Biomüll wird freitags geholt, nicht mehr mittwochs.",
            Expected::default()
                .change(
                    "Hausverwaltung",
                    &["öztürk|oeztuerk", "15 uhr|15:00|15.00", "zweite|2."],
                )
                .lacking(&["pohl"])
                .change(
                    "Müllabfuhr",
                    &["restmüll&montag", "biomüll&freitag", "papier&donnerstag"],
                )
                .lacking(&["mittwoch"]),
        )
        .note(
            "Hausverwaltung",
            "wohnung",
            "Zuständig ist Herr Pohl, werktags bis 15 Uhr. Das Büro ist im zweiten Stock.",
        )
        .note(
            "Müllabfuhr",
            "wohnung",
            "Restmüll: montags, alle zwei Wochen\nBiomüll: mittwochs\nPapier: jeden ersten \
             Donnerstag",
        )
        .note(
            "Treppenhaus",
            "wohnung",
            "Wir wischen mittwochs, der Eimer steht unter der Treppe.",
        )
        .solved_by(&[
            Edit::Replace("Hausverwaltung", "Herr Pohl", "Frau Öztürk"),
            Edit::Replace("Müllabfuhr", "mittwochs", "freitags"),
        ]),
    ]
}
