//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        titled_note(),
        reminder(),
        chatty_note(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn titled_note() -> Vec<Task> {
    vec![
        Task::strict(
            "new-night-train",
            "Start a note called Night train, please: we leave Zurich on 14 August at 21:55, coach 263, two middle \
             bunks, and the breakfast slip has to be with the conductor by 22:30.",
            Expected::default().new_titled(
                "Night train",
                &[
                    "zurich|zürich|zuerich",
                    "14 Aug|14. Aug|Aug 14|Aug. 14|August 14|14th|fourteenth|14.8|14.8.|14.08|14.08.|08-14|8/14|\
                     08/14|14/8|14/08",
                    "21:55|21.55|9:55|9.55|21h55|five to ten|5 to 10|five to 10",
                    "263",
                    "2|two",
                    "middle",
                    "bunk|berth|couchette",
                    "breakfast",
                    "conductor|attendant|guard",
                    "22:30|22.30|10:30|10.30|22h30|half past ten|half past 10|half ten|half 10",
                ],
            ),
        )
        .note(
            "Night light",
            "house",
            "The one in the hall flickers, it takes an E14 bulb.",
        )
        .note(
            "Train set",
            "children",
            "Oval with a bridge, coach 263 has lost a wheel. The transformer hums.",
        )
        .solved_by(&[Edit::Create(
            "Night train",
            "Leaves Zurich on 14 August at 21:55. Coach 263, two middle bunks.\nBreakfast slip to the conductor by \
             22:30.",
        )]),
    ]
}

fn reminder() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-postal-vote",
            "remind me: postal vote has to be in by 23 feb. red envelope, don't forget to sign the slip, the box at \
             the town hall gets emptied at 6pm",
            Expected::default().new_note(&[
                "vote|voting|ballot",
                "23 Feb|23. Feb|Feb 23|Feb. 23|February 23|23rd|twenty-third|23.2|23.2.|23.02|23.02.|02-23|2/23|\
                 02/23|23/2|23/02",
                "red",
                "envelope",
                "sign",
                "town hall|townhall|town-hall",
                "6pm|6 p|6:00|6.00|6 o'clock|6 in the evening|18:00|18.00|18h|18 h|six",
            ]),
        )
        .note(
            "Town hall",
            "offices",
            "Side entrance with the pram. Registration is on the second floor.",
        )
        .note(
            "Envelopes",
            "desk",
            "A5, without a window. The red ones are for Lunar New Year.",
        )
        .solved_by(&[Edit::Create(
            "Postal vote",
            "Has to be in by 23 February.\nRed envelope, sign the slip\nThe box at the town hall is emptied at 6pm",
        )]),
    ]
}

fn chatty_note() -> Vec<Task> {
    vec![
        Task::strict(
            "osteopath-rahm",
            "Well, that was an hour and a half in traffic for twenty minutes on the bench, but my neck turns again, \
             hurray! So that I don't lose it: the osteopath is Benedikta Rahm, she wants me back on 3 June at 8:15, \
             takes 85 euros, and until then I'm not to lift anything over 10 kilos.",
            Expected::default().new_note(&[
                "osteopath",
                "rahm|benedikta",
                "3 Jun|03 Jun|3. Jun|03. Jun|Jun 3|Jun 03|Jun. 3|June 3|June 03|3rd|third|3.6|3.6.|3.06|3.06.|03.06|\
                 03.06.|06-03|6/3|06/03|3/6|03/06",
                "8:15|08:15|8.15|08.15|8h15|quarter past eight|quarter past 8",
                "85|eighty-five",
                "lift|carry|heavy|heavier",
                "10 k|10k|10-k|ten k|ten-k",
            ]),
        )
        .note(
            "Massage voucher",
            "health",
            "From Aunt Lioba, worth 60 euros. The place by the tram depot.",
        )
        .note(
            "Traffic",
            "work",
            "Never the ring road after 16:00. The bridge is quicker.",
        )
        .solved_by(&[Edit::Create(
            "Osteopath",
            "Benedikta Rahm, next time on 3 June at 8:15, 85 euros.\nUntil then lift nothing over 10 kilos.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "lego-brick-ow",
            "owww just trod on a lego brick with bare feet",
            Expected::default(),
        )
        .note(
            "Lego castle",
            "children",
            "One chain of the drawbridge is missing. The knights are in box 4.",
        )
        .note(
            "Slippers",
            "clothes",
            "Size 39 comes up small. Felt soles, not rubber.",
        ),
        Task::strict(
            "toast-butter-down",
            "Toast landed butter side down again, of course it did. Typical Tuesday.",
            Expected::default(),
        )
        .note(
            "Toaster",
            "kitchen",
            "Level 3, level 5 from the freezer. Shake the crumbs out now and then.",
        )
        .note(
            "Tuesday lunch",
            "work",
            "With Prisca and Emmerich, whoever is last gets the coffees.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ukulele-and-capo",
            "Change of plan for the ukulele group, we meet in the back room of the bakery now instead of the youth \
             club. Please correct that. And make me a separate note that Wilma has lent me her capo until 30 January.",
            Expected::default()
                .change(
                    "Ukulele group",
                    &[
                        "thursday|thu",
                        "18:45|18.45|6:45|6.45|quarter to seven|quarter to 7",
                        "bakery",
                        "back room|backroom|back-room",
                        "blue",
                        "3 euro|three euro",
                    ],
                )
                .lacking(&["youth club|youth-club", "capo", "wilma"])
                .new_note(&[
                    "wilma",
                    "capo",
                    "30 Jan|30. Jan|Jan 30|Jan. 30|January 30|30th|thirtieth|30.1|30.1.|30.01|30.01.|01-30|1/30|\
                     01/30|30/1|30/01",
                ]),
        )
        .note(
            "Ukulele group",
            "music",
            "Thursdays at 18:45 in the youth club.\nThe blue songbook\n3 euros for tea and biscuits",
        )
        .note(
            "Table football",
            "hobby",
            "In the youth club on Mondays. The keeper of the red side wobbles.",
        )
        .note(
            "Guitar",
            "music",
            "New strings from Wilma's brother. My own capo has a worn pad.",
        )
        .solved_by(&[
            Edit::Replace("Ukulele group", "the youth club", "the back room of the bakery"),
            Edit::Create("Capo", "Wilma has lent me hers until 30 January."),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "pressure-cooker-and-oat-bran",
            "pressure cooker went back to the shop, bin the note on it. also put oat bran and 2 jars of tahini on \
             the health food list",
            Expected::default()
                .change(
                    "Health food list",
                    &[
                        "dried figs",
                        "rice cakes",
                        "oat bran|oatbran|oat-bran",
                        "2&tahini|two&tahini",
                    ],
                )
                .delete("Pressure cooker"),
        )
        .note(
            "Pressure cooker",
            "kitchen",
            "Lentils 9 minutes, chickpeas 35. The seal is number 7704.",
        )
        .note(
            "Cooker hood",
            "kitchen",
            "Both filters go in the dishwasher every 6 weeks.",
        )
        .note("Health food list", "shopping", "- dried figs\n- rice cakes")
        .note(
            "Muesli",
            "recipes",
            "- four parts of oats\n- one part of oat bran\n- raisins",
        )
        .solved_by(&[
            Edit::Delete("Pressure cooker"),
            Edit::Append("Health food list", "\n- oat bran\n- 2 jars of tahini"),
        ]),
    ]
}
