//! What is no longer so, is done, or is to go, as people type it.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn change(title: &str, facts: &[&str]) -> Expected {
    Expected::default().change(title, facts)
}

/// Returns corrections, removals and ticks.
pub(super) fn tasks() -> Vec<Task> {
    [
        numbers_and_names(),
        days_and_times(),
        of_a_long_note(),
        removals(),
        further_removals(),
        ticks(),
    ]
    .concat()
}

/// Returns a long note: a list of boxes, what is in each and where it stands.
pub(super) fn moving_boxes() -> String {
    const ROOMS: [&str; 4] = ["attic", "hall", "cellar", "study"];
    const THINGS: [&str; 45] = [
        "winter coats",
        "bed linen",
        "cookbooks",
        "Christmas lights",
        "board games",
        "photo albums",
        "tool belt and drill",
        "baking tins",
        "old letters",
        "beach towels",
        "paint brushes",
        "tax folders",
        "cables and chargers",
        "vases",
        "sewing machine",
        "records A to M",
        "records N to Z",
        "ski boots",
        "picture frames",
        "wine glasses",
        "curtains",
        "children's drawings",
        "hiking maps",
        "soup plates",
        "slide projector",
        "fondue set",
        "raclette",
        "waffle iron",
        "camping plates",
        "yoga mats",
        "novels",
        "school reports",
        "candles",
        "spare light bulbs",
        "puppet theatre",
        "tablecloths",
        "wellington boots",
        "printer paper",
        "sleeping bags",
        "model railway",
        "cushions",
        "garden seeds",
        "travel guides",
        "gift wrap",
        "hats and scarves",
    ];
    let line = |(at, things): (usize, &&str)| {
        let number = at + 1;
        format!("Box {number}: {things}, {}", ROOMS[number % ROOMS.len()])
    };
    let lines: Vec<String> = THINGS.iter().enumerate().map(line).collect();
    lines.join("\n")
}

fn numbers_and_names() -> Vec<Task> {
    vec![
        Task::strict(
            "f-fix-fee",
            "nursery fee is 212 a month now, not 198",
            change("Nursery", &["212", "lunch&4", "7:00", "16:30"]).lacking(&["198"]),
        )
        .note(
            "Nursery",
            "",
            "Fee: 198 euros a month\nLunch: 4 euros a day\nOpen from 7:00 to 16:30",
        )
        .note("Music school", "", "Fee: 62 euros a month")
        .solved_by(&[Edit::Replace("Nursery", "198", "212")]),
        Task::strict(
            "f-fix-teacher",
            "the kids have a new teacher, Mr Adeyemi",
            change("School", &["adeyemi", "3b", "room 14", "tuesday"])
                .lacking(&["roth"])
                .dictated(),
        )
        .note(
            "School",
            "",
            "Class 3b, room 14\nTeacher: Ms Roth\nSports on Tuesdays and Fridays",
        )
        .note("School lunch", "", "Ordered until Thursday noon.")
        .solved_by(&[Edit::Replace("School", "Ms Roth", "Mr Adeyemi")]),
        Task::strict(
            "f-fix-spelling",
            "the midwife spells her name Sophia, with ph. can you fix that",
            change(
                "Midwife",
                &["sophia brandl", "tuesday", "10", "0664 5551234"],
            )
            .lacking(&["sofia"]),
        )
        .note(
            "Midwife",
            "",
            "Sofia Brandl comes on Tuesdays at 10. Phone: 0664 5551234",
        )
        .note("Names for the baby", "", "- Levi\n- Sofia\n- Romy")
        .solved_by(&[Edit::Replace("Midwife", "Sofia", "Sophia")]),
    ]
}

fn days_and_times() -> Vec<Task> {
    vec![
        Task::strict(
            "f-fix-day",
            "the dentist is on the 4th now",
            change(
                "Dentist",
                &[
                    "4 Sep|Sep 4|September 4|4th Sep|4th of Sep|4.9|04.09|09-04|4/9|9/4",
                    "15:30",
                    "lindqvist",
                    "booklet",
                ],
            )
            .lacking(&["2 September", "September 2", "2nd"])
            .dictated(),
        )
        .note(
            "Dentist",
            "",
            "2 September at 15:30, Dr Lindqvist. Bring the booklet.",
        )
        .note("Orthodontist of Finn", "", "2 October at 14:00.")
        .solved_by(&[Edit::Replace("Dentist", "2 September", "4 September")]),
        Task::strict(
            "f-fix-bus",
            "bus 61 goes at 7:52 now",
            change("Bus to work", &["61&7:52", "64&7:49", "67&7:58"])
                .lacking(&["7:46"])
                .dictated(),
        )
        .note(
            "Bus to work",
            "",
            "Bus 61: 7:46\nBus 64: 7:49\nBus 67: 7:58",
        )
        .note("Bus to the lake", "", "Bus 9: 10:15, only on weekends")
        .solved_by(&[Edit::Replace("Bus to work", "7:46", "7:52")]),
    ]
}

fn of_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "f-fix-box",
            "box 18 is in the garage now, not in the cellar",
            change(
                "Moving boxes",
                &["box 18&ski boots&garage", "box 17&hall", "box 45"],
            )
            .lacking(&["box 18&cellar"]),
        )
        .note("Moving boxes", "", &moving_boxes())
        .note("Garage", "", "The door sticks. Rent: 55 euros a month.")
        .solved_by(&[Edit::Replace(
            "Moving boxes",
            "ski boots, cellar",
            "ski boots, garage",
        )]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "f-cut-nappies",
            "got the nappies, take them off the shopping list",
            change("Shopping list", &["bananas", "wipes", "oats"]).lacking(&["nappies"]),
        )
        .note(
            "Shopping list",
            "",
            "- bananas\n- nappies\n- wipes\n- oats",
        )
        .note("Day care bag", "", "- spare clothes\n- nappies")
        .solved_by(&[Edit::Replace("Shopping list", "- nappies\n", "")]),
        Task::strict(
            "f-cut-sentence",
            "the thing about the parking permit in the note Flat isnt true anymore, pls remove it",
            change("Flat", &["940", "bins", "yard", "meter", "behind the door"])
                .lacking(&["parking", "permit"]),
        )
        .note(
            "Flat",
            "",
            "Rent 940 euros warm. Parking only with a permit. The bins are in the yard. The meter is \
             behind the door.",
        )
        .note("Flat swap", "", "Lyon in August, they have a parking space.")
        .solved_by(&[Edit::Replace("Flat", " Parking only with a permit.", "")]),
    ]
}

fn further_removals() -> Vec<Task> {
    vec![
        Task::strict(
            "f-cut-person",
            "Tilda is away over christmas, take her out of the secret santa",
            change("Secret Santa", &["15", "ruben", "malik", "jette"]).lacking(&["tilda"]),
        )
        .note(
            "Secret Santa",
            "",
            "Budget: 15 euros\nWho: Ruben, Tilda, Malik, Jette",
        )
        .note("Tilda", "", "Vegetarian, plays the viola.")
        .solved_by(&[Edit::Replace("Secret Santa", "Tilda, ", "")]),
        Task::strict(
            "f-cut-line",
            "nobody walks the dog on wednesdays any more, delete that line",
            change("Dog walks", &["monday&ines", "friday&ines", "sunday&bo"])
                .lacking(&["wednesday", "paco"]),
        )
        .note(
            "Dog walks",
            "",
            "Monday: Ines\nWednesday: Paco\nFriday: Ines\nSunday: Bo",
        )
        .note("Dog food", "", "A new sack comes every fourth Wednesday.")
        .solved_by(&[Edit::Replace("Dog walks", "Wednesday: Paco\n", "")]),
    ]
}

fn ticks() -> Vec<Task> {
    vec![
        Task::strict(
            "f-tick-tax",
            "sent off the tax return!!",
            change(
                "Paperwork",
                &["[x]&tax return", "[ ]&passport", "[x]&address"],
            )
            .lacking(&["[ ]&tax return"]),
        )
        .note(
            "Paperwork",
            "",
            "- [ ] tax return\n- [ ] renew passport\n- [x] change of address",
        )
        .note("Tax adviser", "", "Ms Keller, 110 euros an hour.")
        .solved_by(&[Edit::Replace(
            "Paperwork",
            "[ ] tax return",
            "[x] tax return",
        )]),
        Task::strict(
            "f-tick-two",
            "windows are cleaned and the gutter is done too",
            change(
                "Before winter",
                &["[x]&windows", "[x]&gutter", "[ ]&radiators", "[ ]&wood"],
            )
            .lacking(&["[ ]&windows", "[ ]&gutter"]),
        )
        .note(
            "Before winter",
            "",
            "- [ ] clean the windows\n- [ ] bleed the radiators\n- [ ] clear the gutter\n- [ ] stack the wood",
        )
        .note("Window cleaner", "", "18 euros an hour, comes in April.")
        .solved_by(&[
            Edit::Replace("Before winter", "[ ] clean", "[x] clean"),
            Edit::Replace("Before winter", "[ ] clear", "[x] clear"),
        ]),
    ]
}
