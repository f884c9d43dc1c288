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
            "new-eclipse",
            "can you set up a note named Eclipse? it's on 12 august, deepest at 19:32, we watch it from Gull \
             Hill and Leocadia brings the special glasses",
            Expected::default().new_titled(
                "Eclipse",
                &[
                    "12 Aug|12. Aug|Aug 12|August 12|12th|twelfth|12.8|12.8.|12.08|12.08.|08-12|8/12|08/12|12/8|\
                     12/08",
                    "19:32|19.32|7:32|7.32|19h32|19 h 32",
                    "gull hill",
                    "leocadia",
                    "glasses",
                ],
            ),
        )
        .note(
            "Gull Hill",
            "outings",
            "Kites only on the western slope, sheep graze there until August. Park by the chapel.",
        )
        .note(
            "Sunglasses",
            "",
            "The ones with prescription lie in the glove compartment.",
        )
        .solved_by(&[Edit::Create(
            "Eclipse",
            "12 August, deepest at 19:32. We watch it from Gull Hill. Leocadia brings the special glasses.",
        )]),
        Task::strict(
            "remind-photo-trial",
            "Heads-up for 30 June: cancel the free trial of the photo app before it turns into 64 euros a year. \
             Put that down as a reminder for me, please.",
            Expected::default().new_note(&[
                "30 Jun|30. Jun|Jun 30|June 30|30th|thirtieth|30.6|30.6.|30.06|30.06.|06-30|6/30|06/30|30/6|30/06",
                "cancel",
                "trial",
                "photo",
                "64|sixty-four|sixty four",
            ]),
        )
        .note(
            "Chess magazine",
            "subscriptions",
            "64 euros a year, comes every other month. Mr Eustace wants the old ones.",
        )
        .note(
            "Photo prints",
            "",
            "10 by 15, glossy. The machine by the lifts is the cheaper one.",
        )
        .solved_by(&[Edit::Create(
            "Free trial of the photo app",
            "Cancel it by 30 June, after that it is 64 euros a year.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "mic-one-two",
            "one two, one two.. just checking whether the microphone picks me up",
            Expected::default(),
        )
        .note(
            "Wireless microphone",
            "stage",
            "Channel 2, one set of batteries lasts an evening. Nuno has the receiver.",
        )
        .note(
            "Sound check",
            "stage",
            "Drums first, then the bass. One hour is enough.",
        ),
        Task::strict(
            "stuffed-after-lunch",
            "Oof, I'm so full. That second helping was a mistake, hahaha!",
            Expected::default(),
        )
        .note(
            "Stuffed peppers",
            "recipes",
            "Eight peppers, rice and feta. A second tray goes in the freezer.",
        )
        .note(
            "Lunch club",
            "village",
            "Nine of us, always at Mrs Pendry's. Everybody washes their own plate.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "newsletter-and-printing",
            "The deadline for the parish newsletter is the 9th of the month now, no longer the 14th. Please \
             alter that, then write into a new note that Mr Achterberg does the printing, 32 cents a copy and 8 \
             pages at most.",
            Expected::default()
                .change(
                    "Parish newsletter",
                    &["9|ninth", "separate files", "eunice"],
                )
                .lacking(&["14|fourteenth", "achterberg", "32"])
                .new_note(&[
                    "achterberg",
                    "print",
                    "32|thirty-two|thirty two|0.32|0,32",
                    "8|eight",
                    "page",
                ]),
        )
        .note(
            "Parish newsletter",
            "church",
            "Articles in by the 14th of the month.\nPhotos as separate files\nSend it all to Eunice",
        )
        .note(
            "Parish rooms",
            "church",
            "Keys back by the 14th of the month, Eunice ticks them off.",
        )
        .solved_by(&[
            Edit::Replace("Parish newsletter", "14th", "9th"),
            Edit::Create(
                "Printing the newsletter",
                "Mr Achterberg does it: 32 cents a copy, at most 8 pages.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "kittens-and-scratching-board",
            "every last kitten has found a home, so get rid of the ad for them. what's still missing on pixel's \
             list is a scratching board, add that",
            Expected::default()
                .change(
                    "Pixel's list",
                    &[
                        "salmon paste",
                        "collar",
                        "scratching board|scratching-board|scratch board|scratchboard",
                    ],
                )
                .delete("Ad for the kittens"),
        )
        .note(
            "Ad for the kittens",
            "pets",
            "Four of them, tabby and white, 40 euros each. From nine weeks on.",
        )
        .note(
            "Ad for the rabbit hutch",
            "pets",
            "Two floors, felt roof, 40 euros. Has to be fetched with a trailer.",
        )
        .note(
            "Pixel's list",
            "pets",
            "- salmon paste\n- a collar with a bell",
        )
        .note("Mogli's list", "pets", "- hay rack\n- a board for his run")
        .solved_by(&[
            Edit::Delete("Ad for the kittens"),
            Edit::Append("Pixel's list", "\n- scratching board"),
        ]),
    ]
}
