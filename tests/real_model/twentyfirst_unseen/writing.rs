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
            "new-launderette",
            "Please make me a new note with the title Launderette. The 12 kilo drum costs 9 euros, the last wash has \
             to be in by 20:15 and Gwendal at the counter sells soap",
            Expected::default().new_titled(
                "Launderette",
                &[
                    "12&kilo|12&kg|twelve&kilo|twelve&kg",
                    "9|9.00|nine",
                    "20:15|20.15|8:15|8.15|quarter past eight|quarter past 8",
                    "gwendal",
                    "soap",
                ],
            ),
        )
        .note(
            "Lavender soap",
            "bathroom",
            "From the nuns, 4 euros a bar. Gwendal is allergic to it.",
        )
        .note(
            "Drum kit",
            "music",
            "The snare is 14 inches. No playing after 20:00, says the caretaker.",
        )
        .solved_by(&[Edit::Create(
            "Launderette",
            "The 12 kilo drum costs 9 euros. The last wash has to be in by 20:15. Gwendal at the counter sells soap.",
        )]),
        Task::strict(
            "jot-sworn-translator",
            "finally got through to the sworn translator.. mrs oyarzabal charges 34 euros a page, she needs 6 working \
             days, i can only fetch it on thursdays from 14 till 16:45 and she has to see the original diploma, a copy \
             won't do. could you put all that somewhere for me",
            Expected::default().new_note(&[
                "translat",
                "oyarzabal",
                "34|34.00|thirty-four|thirty four",
                "6&day|six&day",
                "thu",
                "14|14:00|14.00|2pm|2 pm|2 p.m.|2:00|two",
                "16:45|16.45|4:45|4.45|quarter to five|quarter to 5",
                "original",
                "diploma",
            ]),
        )
        .note(
            "School certificates",
            "papers",
            "In the blue folder, the originals are with Mum. Copies are 20 cents a page.",
        )
        .note(
            "Interpreter",
            "school",
            "Ms Ashworth comes along to the parents' evening, the first hour is free.",
        )
        .solved_by(&[Edit::Create(
            "Sworn translator",
            "Mrs Oyarzabal: 34 euros a page, 6 working days. Fetch it on Thursdays from 14 till 16:45. She has to see \
             the original diploma, no copy.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "pigeon-commuter",
            "haha a pigeon just hopped onto the tram, rode two stops and got off again like a proper commuter",
            Expected::default(),
        )
        .note(
            "Pigeon spikes",
            "balcony",
            "Three metres for the rail, glued and not screwed. The landlord pays half.",
        )
        .note(
            "Lost umbrella",
            "",
            "The tram people keep it for four weeks, shelf 9, ask for Petronella.",
        ),
        Task::strict(
            "burnt-tongue",
            "Burnt my tongue on the very first sip, like every single morning. I'll never learn!",
            Expected::default(),
        )
        .note(
            "Thermos mug",
            "kitchen",
            "The blue one leaks, its seal is 58 mm wide. Not for the dishwasher.",
        )
        .note(
            "Burn ointment",
            "medicine",
            "In the drawer under the microwave, use it up by March.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "parkour-and-crash-mat",
            "Parkour meets at the skate bowl from now on, not at the multi-storey any more, so please change that. And \
             besides, in a separate note: Auberon hires out his crash mat for 11 euros a day, ring him after 19:00.",
            Expected::default()
                .change(
                    "Parkour",
                    &[
                        "wed",
                        "17:50|17.50|5:50|5.50|ten to six|ten to 6",
                        "skate bowl|skatebowl|skate-bowl",
                        "trousers",
                    ],
                )
                .lacking(&["multi", "auberon", "euro"])
                .new_note(&[
                    "auberon",
                    "mat",
                    "11|11.00|eleven",
                    "19|19:00|19.00|7|7:00|seven",
                ]),
        )
        .note(
            "Parkour",
            "sport",
            "Wednesdays at 17:50 at the multi-storey.\nLong trousers only",
        )
        .note(
            "Parking space",
            "car",
            "Level 3 of the multi-storey, 62 euros a month. Auberon has the other chip.",
        )
        .solved_by(&[
            Edit::Replace("Parkour", "the multi-storey", "the skate bowl"),
            Edit::Create(
                "Crash mat",
                "Auberon hires it out for 11 euros a day. Ring him after 19:00.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "bog-walk-and-bike-shop",
            "the bog walk's been called off, there's a storm warning, so get rid of my note on it. and handlebar tape \
             and 2 brake cables still have to go on the bike shop list",
            Expected::default()
                .change(
                    "Bike shop",
                    &[
                        "inner tube",
                        "chain oil",
                        "handlebar tape",
                        "2&brake cable|two&brake cable",
                    ],
                )
                .delete("Bog walk"),
        )
        .note(
            "Bog walk",
            "outings",
            "Meet at the peat shed at 14:20, two hours, 13 euros each. Emeric leads.",
        )
        .note(
            "Bog garden",
            "garden",
            "Line the pit with foil, a hole every 40 cm. Emeric has pitcher plants to spare.",
        )
        .note("Bike shop", "shopping", "- inner tube\n- chain oil")
        .note(
            "Boat shop",
            "shopping",
            "- sail tape\n- 6 metres of rope\n- a shackle",
        )
        .solved_by(&[
            Edit::Delete("Bog walk"),
            Edit::Append("Bike shop", "\n- handlebar tape\n- 2 brake cables"),
        ]),
    ]
}
