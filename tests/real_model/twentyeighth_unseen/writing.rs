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
            "new-bone-scan",
            "Can I have a new note called Bone scan please: 3 December, 11:15, level B2 of the clinic. Nothing with \
             metal on, and I have to skip the calcium tablets the day before",
            Expected::default().new_titled(
                "Bone scan",
                &[
                    "3 Dec|03 Dec|3. Dec|03. Dec|Dec 3|Dec. 3|December 3|Dec 03|3rd|third|3.12|3.12.|03.12|03.12.|\
                     12-03|12/3|12/03|3/12|03/12",
                    "11:15|11.15|11h15|quarter past eleven|quarter past 11",
                    "b2|b 2",
                    "metal",
                    "calcium",
                ],
            ),
        )
        .note(
            "Calcium tablets",
            "health",
            "The lemon ones, 90 in a tube. Not together with the iron.",
        )
        .note(
            "Leather belt",
            "clothes",
            "Two more holes, the lady at the market has the punch.",
        )
        .solved_by(&[Edit::Create(
            "Bone scan",
            "3 December, 11:15, level B2 of the clinic.\nNothing with metal on\nNo calcium tablets the day before",
        )]),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "boots-sent-back",
            "sent the boots back this morning, parcel no HX-88213 with DPD. they owe me 79.90 for them and it should \
             be on my account by 4 february, keep that somewhere",
            Expected::default().new_note(&[
                "boot",
                "hx-88213|hx88213|hx 88213",
                "dpd",
                "79.90|79,90|79.9|79,9",
                "4 Feb|04 Feb|4. Feb|04. Feb|Feb 4|Feb. 4|February 4|Feb 04|4th|fourth|4.2|4.2.|04.02|04.02.|02-04|\
                 2/4|02/04|4/2|04/02",
            ]),
        )
        .note(
            "Jarek's boots",
            "children",
            "Size 34 in January, the blue ones leak at the heel.",
        )
        .note(
            "Parcels",
            "house",
            "The Quists take them in until seven, number 12. DPD never rings.",
        )
        .solved_by(&[Edit::Create(
            "Boots sent back",
            "Parcel HX-88213, DPD.\n79.90 should be on the account by 4 February.",
        )]),
        Task::strict(
            "allotment-plot-27",
            "Just off the phone with the allotment lady, goodness, that woman can talk. Anyway, here's what I want \
             to hang on to: plot 27 is ours from 1 March, it comes to 65 pounds a year and they turn the water off \
             in November.",
            Expected::default().new_note(&[
                "allotment|plot",
                "27|twenty-seven|twenty seven",
                "1 Mar|01 Mar|1. Mar|01. Mar|Mar 1|Mar. 1|March 1|Mar 01|1st|first|1.3|1.3.|01.03|01.03.|03-01|3/1|\
                 03/01|1/3|01/03",
                "65|65.00|65,00|sixty-five|sixty five",
                "water&nov|water&11",
            ]),
        )
        .note(
            "Water meter",
            "house",
            "Behind the freezer, read it off each November. Last time 418.",
        )
        .note(
            "Rhubarb",
            "garden",
            "Divide it in autumn, one clump is promised to Mrs Pennington.",
        )
        .solved_by(&[Edit::Create(
            "Allotment",
            "Plot 27 is ours from 1 March.\n65 pounds a year\nThe water is turned off in November.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "zip-unstuck",
            "ha! the zip of my jacket moves again, i could dance",
            Expected::default(),
        )
        .note(
            "Rain jacket",
            "clothes",
            "Wash it without softener, then twenty minutes in the dryer.",
        )
        .note(
            "Barn dance",
            "village",
            "Every last Saturday, shoes without heels. Kerensa calls.",
        ),
        Task::strict(
            "jumper-inside-out",
            "Had my jumper on inside out all day and not one of them said a word. Charming colleagues, I must say!",
            Expected::default(),
        )
        .note(
            "Secret Santa",
            "work",
            "Up to 15 euros. I have drawn Wendeline from accounts.",
        )
        .note(
            "Green jumper",
            "clothes",
            "Moth hole at the cuff, matching wool is in the biscuit tin.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "tap-show-and-shoe-ticket",
            "Doors for the tap show are at 19:15, I'd put down 18:30, change that would you. And I need this in a \
             separate note: Philippa's shoes are at the mender's in Bell Lane, ticket 308, ready on Friday",
            Expected::default()
                .change(
                    "Tap show",
                    &[
                        "19:15|19.15|7:15|7.15|quarter past seven|quarter past 7",
                        "20:00|20.00|8:00|8 pm|8pm|eight",
                        "row f",
                        "4 to 9|4-9|4 - 9",
                    ],
                )
                .lacking(&[
                    "18:30|18.30|6:30|6.30|half past six|half past 6",
                    "bell lane",
                    "308",
                    "philippa",
                ])
                .new_note(&["philippa", "shoe", "bell lane", "308", "friday|fri"]),
        )
        .note(
            "Tap show",
            "dancing",
            "Doors at 18:30, curtain at 20:00.\nRow F, seats 4 to 9",
        )
        .note(
            "Carol service",
            "church",
            "Doors at 18:30, bring a lantern. Philippa reads the second lesson.",
        )
        .solved_by(&[
            Edit::Replace("Tap show", "18:30", "19:15"),
            Edit::Create(
                "Philippa's shoes",
                "At the mender's in Bell Lane, ticket 308, ready on Friday.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "cot-and-picture-hooks",
            "The cot was collected this morning so you can bin that note, and put picture hooks on the list for the \
             hardware shop.",
            Expected::default()
                .change(
                    "Hardware shop list",
                    &[
                        "wood filler",
                        "2 hinges",
                        "picture hook|picture-hook|hooks for pictures",
                    ],
                )
                .delete("Cot"),
        )
        .note(
            "Cot",
            "children",
            "The advert is online, 70 euros without the mattress. Screws are in the bag.",
        )
        .note(
            "Doll's cot",
            "children",
            "Wants a new slat, Ivo has some beech left.",
        )
        .note("Hardware shop list", "", "- wood filler\n- 2 hinges")
        .note(
            "Picture frames",
            "",
            "- two of 30 by 40\n- the oval one for Granny",
        )
        .solved_by(&[
            Edit::Delete("Cot"),
            Edit::Append("Hardware shop list", "\n- picture hooks"),
        ]),
    ]
}
