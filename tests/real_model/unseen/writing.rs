//! New notes, nothing to do, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        for_school_and_village(),
        for_later(),
        nothing_to_do(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn for_school_and_village() -> Vec<Task> {
    vec![
        Task::strict(
            "minutes-village-shop",
            "ok minutes of the village shop meeting, 3 March. there: Moira, Tariq, old Joan. From \
             April we're open Sundays as well, 9 to 12. Tariq gets a quote for a new freezer. We \
             meet again on the 31st, in the vestry this time because of the painters.",
            Expected::default().new_note(&[
                "moira",
                "tariq",
                "joan",
                "3 Mar|3. Mar|03 Mar|Mar 3|Mar. 3|March 3|3rd|third|3.3|3.03|03.03|3/3|03/03|3/03|\
                 03-03",
                "apr",
                "sunday",
                "9|9:00|09:00|9.00|09.00|nine",
                "12|12:00|12.00|noon|twelve|midday",
                "freezer",
                "31|31.3|31.03|thirty-first",
                "vestry",
            ]),
        )
        .note(
            "Village hall meeting",
            "village",
            "17 February. Present: Rashid, old Joan, the two Pritchards.\nThe roof leaks over the \
             stage.",
        )
        .note(
            "Farm shop",
            "village",
            "Honesty box by the door. The lamb is in the freezer at the back.",
        )
        .solved_by(&[Edit::Create(
            "Village shop meeting, 3 March",
            "Present: Moira, Tariq, old Joan\nFrom April open on Sundays as well, 9 to 12\nTariq \
             gets a quote for a new freezer.\nNext meeting on the 31st, in the vestry.",
        )]),
        Task::strict(
            "idea-lost-gloves",
            "New note before it slips my mind, an idea for school: string a washing line along \
             the corridor, with pegs, and hang up all the lost gloves and hats where the parents \
             see them at pick-up. Mr Boateng would have to put up the hooks.",
            Expected::default().new_note(&[
                "washing line|washing-line|clothes line|clothes-line|clothesline",
                "corridor|hallway",
                "peg",
                "glove",
                "parent",
                "boateng",
                "hook",
            ]),
        )
        .note(
            "Lost property cupboard",
            "school",
            "Behind the stage, Mr Boateng has the key. It is emptied before each holiday.",
        )
        .note(
            "Idea for the summer fair",
            "school",
            "Guess how many pegs are in the jar, 50 cents a go.",
        )
        .solved_by(&[Edit::Create(
            "Idea: lost gloves",
            "A washing line along the corridor, with pegs, for all the lost gloves and hats. The \
             parents see them at pick-up.\nMr Boateng would have to put up the hooks.",
        )]),
    ]
}

fn for_later() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-cake-tin",
            "dont let me forget, the round cake tin is solveigs!! she wants it back by friday the \
             9th, her mum turns 80. stick that in a note for me",
            Expected::default().new_note(&[
                "cake tin|cake-tin|cake pan",
                "solveig",
                "fri",
                "9|9th|ninth",
            ]),
        )
        .note(
            "Muffin tray",
            "kitchen",
            "Twelve holes, it belongs to Greta. She is in no hurry.",
        )
        .note(
            "Cake stand",
            "kitchen",
            "Three tiers, from Grandmother. The screw in the middle is a new one.",
        )
        .solved_by(&[Edit::Create(
            "Cake tin",
            "The round cake tin is Solveig's. Give it back by Friday the 9th.",
        )]),
        Task::strict(
            "dictate-street-lamp",
            "Dictation. Title: Letter about the lamp. Text: Dear Sir or Madam, the street lamp \
             outside 42 Orchard Road has been dark since the storm of 11 November. My wife has \
             already fallen over the kerb because of it. I have rung your office twice and was \
             promised a repair both times. Kindly send somebody before Christmas. Yours \
             faithfully, Leonard Pask",
            Expected::default()
                .new_titled(
                    "Letter about the lamp",
                    &[
                        "dear sir or madam",
                        "street lamp outside 42 orchard road",
                        "dark since the storm of 11 november",
                        "fallen over the kerb",
                        "rung your office twice",
                        "promised a repair both times",
                        "somebody before christmas",
                        "yours faithfully",
                        "leonard pask",
                    ],
                )
                .lacking(&["dictation"]),
        )
        .note(
            "Letter to the landlord",
            "letters",
            "Dear Mr Quill, the bell on the second floor is stuck. Posted on 11 November.",
        )
        .note(
            "Light bulbs",
            "house",
            "E14 for the bedside lamp. The box is under the sink.",
        )
        .solved_by(&[Edit::Create(
            "Letter about the lamp",
            "Dear Sir or Madam,\nthe street lamp outside 42 Orchard Road has been dark since the \
             storm of 11 November. My wife has already fallen over the kerb because of it. I have \
             rung your office twice and was promised a repair both times. Kindly send somebody \
             before Christmas.\nYours faithfully,\nLeonard Pask",
        )]),
    ]
}

fn nothing_to_do() -> Vec<Task> {
    vec![
        Task::strict(
            "stock-cubes-already",
            "put stock cubes on the soup kitchen list, but only if they aren't on it already \
             please, last time we ended up with three lots",
            Expected::default(),
        )
        .note(
            "Soup kitchen",
            "parish",
            "- 10 kg of carrots\n- stock cubes\n- bread from Yilmaz",
        )
        .note(
            "Sandwich round",
            "parish",
            "- two dozen eggs\n- cress\n- greaseproof paper",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "water-polo-and-away-game",
            "water polo training is at the outdoor pool now, no more Kingsmead baths, can you fix \
             that. and a separate note about the away game please: 14 June in Harlow, 17:15, \
             Bettina drives, white caps",
            Expected::default()
                .change(
                    "Water polo",
                    &[
                        "monday",
                        "18:45|18.45|6:45|6.45",
                        "outdoor pool|open-air pool|open air pool|lido",
                        "gum shield",
                        "anneliese",
                    ],
                )
                .lacking(&["kingsmead", "harlow"])
                .new_note(&[
                    "14 Jun|14. Jun|Jun 14|Jun. 14|June 14|14th|fourteenth|14.6|14.06|14/6|14/06|\
                     6/14|06/14|06-14",
                    "harlow",
                    "17:15|17.15|5:15|5.15|17h15|quarter past five|quarter past 5",
                    "bettina",
                    "white",
                    "cap",
                ]),
        )
        .note(
            "Water polo",
            "sport",
            "Mondays at 18:45, Kingsmead baths.\nThe gum shield is in the red pouch\nCoach: \
             Anneliese",
        )
        .note(
            "Baby swimming",
            "sport",
            "Saturdays at 9:15, Kingsmead baths. Two nappies and the towel with the hood.",
        )
        .solved_by(&[
            Edit::Replace("Water polo", "Kingsmead baths", "outdoor pool"),
            Edit::Create(
                "Away game",
                "14 June in Harlow, 17:15. Bettina drives. White caps.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "bookcase-and-reading-lamp",
            "The student from across the hall carried the bookcase off this morning, so its note \
             can go. I could still do with a reading lamp and a footstool, would you put those on \
             my charity shop list?",
            Expected::default()
                .change(
                    "Charity shop",
                    &[
                        "plain glasses",
                        "doormat",
                        "reading lamp|reading-lamp|reading light",
                        "footstool|foot stool|foot-stool",
                    ],
                )
                .delete("Bookcase to give away"),
        )
        .note(
            "Bookcase to give away",
            "furniture",
            "Beech, 2.10 m high, one shelf is missing. Free if collected.",
        )
        .note(
            "Wardrobe to give away",
            "furniture",
            "Pine, 1.90 m high. The left door sticks.",
        )
        .note(
            "Charity shop",
            "shopping",
            "- plain glasses, six of them\n- a doormat",
        )
        .solved_by(&[
            Edit::Delete("Bookcase to give away"),
            Edit::Append("Charity shop", "\n- a reading lamp\n- a footstool"),
        ]),
    ]
}
