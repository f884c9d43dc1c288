//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        to_a_list(),
        to_a_note(),
        numbers(),
        names(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn to_a_list() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-flat-shopping-typos",
            "fro the flat shoping: dishwahser tabs, 4 lihgt bulbs and olvie oil pls",
            Expected::default().change(
                "Flat shopping",
                &[
                    "bin bags",
                    "oat flakes",
                    "dishwasher&tab|dish washer&tab|dishwahser&tab",
                    "4&bulb|four&bulb",
                    "olive oil|olvie oil",
                ],
            ),
        )
        .note("Flat shopping", "flat", "- bin bags\n- oat flakes")
        .note(
            "Flat kitty",
            "flat",
            "20 euros each by the first of the month, Tarek has the tin. Olive oil comes out of it.",
        )
        .note(
            "Dishwasher",
            "flat",
            "The salt light lies. Ling rinses the filter every 4 weeks.",
        )
        .solved_by(&[Edit::Append(
            "Flat shopping",
            "\n- dishwasher tabs\n- 4 light bulbs\n- olive oil",
        )]),
    ]
}

fn to_a_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-chess-clocks-slow",
            "Please add to what we have on the chess clocks that the two with the red sticker lose a minute an hour, \
             and that the batteries (AA, never the rechargeable ones) come from Kettering's.",
            Expected::default().change(
                "Chess clocks",
                &[
                    "14 of them",
                    "hyacinth",
                    "wooden ones",
                    "two&red|2&red|both&red",
                    "sticker",
                    "minute",
                    "hour",
                    "aa",
                    "recharg",
                    "kettering",
                ],
            ),
        )
        .note(
            "Chess clocks",
            "chess club",
            "14 of them in the metal case, Hyacinth has the key.\nThe wooden ones stay in the cupboard",
        )
        .note(
            "Clock in the hall",
            "house",
            "An hour behind since October. Takes one AA battery, the ladder is in the shed.",
        )
        .note(
            "Kettering's",
            "shops",
            "Closed on Mondays. Watch straps in the back, stickers and stamps in front.",
        )
        .solved_by(&[Edit::Append(
            "Chess clocks",
            "\nThe two with the red sticker lose a minute an hour\nBatteries: AA from Kettering's, never the \
             rechargeable ones",
        )]),
    ]
}

fn numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-flow-temperature",
            "nightingale underfloor heating, flow temp is 38 not 48, would have cooked their floor. fix that",
            Expected::default()
                .change(
                    "Underfloor heating Nightingale",
                    &[
                        "38|thirty-eight|thirty eight",
                        "7 circuits|seven circuits",
                        "coat rack",
                        "two weeks",
                    ],
                )
                .lacking(&["48|forty-eight|forty eight"]),
        )
        .note(
            "Underfloor heating Nightingale",
            "jobs",
            "Flow temperature 48, 7 circuits.\nManifold is behind the coat rack, left screw stripped\nBleed it again \
             in two weeks",
        )
        .note(
            "Heat curve Brandreth",
            "jobs",
            "Flow temperature 48 at minus 10. The pump hums on step three.",
        )
        .note(
            "Nightingale Road",
            "parking",
            "Van only on the left side, ticket machine takes no notes.",
        )
        .solved_by(&[Edit::Replace(
            "Underfloor heating Nightingale",
            "temperature 48",
            "temperature 38",
        )]),
    ]
}

fn names() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-midwife-name",
            "I got the midwife's name wrong, she's Marijke Hoogland and not Hoogveld... My wife noticed, luckily before \
             I said it to her face. Would you correct the note please?",
            Expected::default()
                .change(
                    "Midwife",
                    &[
                        "marijke hoogland",
                        "wed",
                        "9:40|09:40|9.40|09.40",
                        "555 0182",
                        "towel",
                        "yellow booklet",
                    ],
                )
                .lacking(&["hoogveld"]),
        )
        .note(
            "Midwife",
            "baby",
            "Marijke Hoogveld, comes on Wednesdays at 9:40.\nHer mobile: 555 0182\nLay out a towel and the yellow \
             booklet.",
        )
        .note(
            "Birth class",
            "baby",
            "Mrs Hoogstra, room 5, thick socks. Wednesdays are for second babies.",
        )
        .note(
            "Names for the baby",
            "baby",
            "Fenna, Wessel, Jurre. Marijke was Grandma's wish.",
        )
        .solved_by(&[Edit::Replace("Midwife", "Hoogveld", "Hoogland")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-rose-show-coach",
            "The parish office rang, the coach to the rose show doesn't go on 24 June but on 1 July, because of the \
             road works. Please put that right, otherwise Edeltraud and I will be standing there all alone.",
            Expected::default()
                .change(
                    "Rose show",
                    &[
                        "1 Jul|1. Jul|01 Jul|01. Jul|1st|first|Jul 1|Jul. 1|July 1|1.7|1.7.|01.07|01.07.|07-01|1/7|\
                         01/07|7/1|07/01",
                        "8:20|08:20|8.20|08.20|twenty past eight",
                        "bakery",
                        "edeltraud",
                        "18:45",
                        "32 euros",
                    ],
                )
                .lacking(&[
                    "24 Jun|24. Jun|24th|Jun 24|Jun. 24|June 24|twenty-fourth|24.6|24.6.|24.06|24.06.|06-24|24/6|\
                     24/06|6/24|06/24",
                ]),
        )
        .note(
            "Rose show",
            "outings",
            "Coach on 24 June, 8:20 from the bakery.\nEdeltraud brings the egg sandwiches\nBack around 18:45, the 32 \
             euros are paid",
        )
        .note(
            "Roses on the balcony",
            "flowers",
            "Last feed on 24 June, then only water. Greenfly: soft soap.",
        )
        .note(
            "Parish office",
            "parish",
            "Tuesdays and Fridays from 8:20, ring twice. Mrs Pohl does the coaches.",
        )
        .solved_by(&[Edit::Replace("Rose show", "24 June", "1 July")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-erasmus-boxes",
            "transcript is uploaded and prof lindqvist sent his letter today, tick those two for erasmus",
            Expected::default()
                .change(
                    "Erasmus application",
                    &[
                        "[x]&three universities",
                        "[x]&transcript",
                        "[x]&lindqvist",
                        "[ ]&language certificate",
                        "[ ]&motivation",
                    ],
                )
                .lacking(&["[ ]&transcript", "[ ]&lindqvist"]),
        )
        .note(
            "Erasmus application",
            "uni",
            "- [x] choose three universities\n- [ ] upload the transcript\n- [ ] letter from Prof Lindqvist\n- [ ] \
             language certificate\n- [ ] motivation, one page",
        )
        .note(
            "Housing office",
            "uni",
            "- [ ] upload the passport photo\n- [ ] letter from the bank\n- [x] form B",
        )
        .solved_by(&[
            Edit::Replace("Erasmus application", "[ ] upload", "[x] upload"),
            Edit::Replace("Erasmus application", "[ ] letter", "[x] letter"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ave-verum-off",
            "we're leaving out the Ave verum, the tenors just don't get up there. can it come off the summer programme",
            Expected::default()
                .change(
                    "Summer programme",
                    &["abendlied", "long day closes", "shenandoah"],
                )
                .lacking(&["ave verum"]),
        )
        .note(
            "Summer programme",
            "choir",
            "- Abendlied\n- Ave verum\n- The long day closes\n- Shenandoah",
        )
        .note(
            "Christmas programme",
            "choir",
            "- In dulci jubilo\n- Ave verum\n- Maria durch ein Dornwald ging",
        )
        .note(
            "Summer holidays",
            "choir",
            "No rehearsal from 20 July, the tenors meet at the lido.",
        )
        .solved_by(&[Edit::Replace("Summer programme", "- Ave verum\n", "")]),
        Task::strict(
            "ca-rosie-eggs",
            "Little Rosie can eat eggs again, the doctor tested her on Friday. Would you take the sentence about the \
             eggs out of the note on her visits? Everything else is still true.",
            Expected::default()
                .change(
                    "When Rosie stays with us",
                    &[
                        "19:40",
                        "rabbit",
                        "night light",
                        "green bag",
                        "555 0119",
                    ],
                )
                .lacking(&["egg", "spots"]),
        )
        .note(
            "When Rosie stays with us",
            "family",
            "Bed at 19:40, with the rabbit. No eggs, they bring her out in spots. The night light stays on.\nSwimming \
             things: in the green bag\nMum's number at work: 555 0119",
        )
        .note(
            "When Anton stays with us",
            "family",
            "No peanuts at all. Bed at 20:15, he reads until he drops.",
        )
        .note(
            "Egg man",
            "shopping",
            "Mr Hask, Fridays before ten. Ten brown ones, the boxes go back.",
        )
        .solved_by(&[Edit::Replace(
            "When Rosie stays with us",
            "No eggs, they bring her out in spots. ",
            "",
        )]),
    ]
}
