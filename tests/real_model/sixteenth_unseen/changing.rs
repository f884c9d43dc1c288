//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "treasure-hunt-lantern",
            "for teh tresure hunt list: 6 eyepaches, and a lantren too. ta",
            Expected::default().change(
                "Treasure hunt",
                &[
                    "20 chocolate coins",
                    "map&sealing wax",
                    "6&eyepatch|six&eyepatch|6&eye patch|six&eye patch|6&eye-patch|six&eye-patch|6&eyepach|\
                     six&eyepach|6&eye pach|six&eye pach",
                    "lantern|lantren",
                ],
            ),
        )
        .note(
            "Treasure hunt",
            "children",
            "- 20 chocolate coins\n- map with sealing wax",
        )
        .note(
            "Lantern walk",
            "children",
            "Starts at the chapel at dusk. Candles are not allowed, only LEDs.",
        )
        .solved_by(&[Edit::Append("Treasure hunt", "\n- 6 eyepatches\n- lantern")]),
        Task::strict(
            "loom-treadle-shuttles",
            "My note about the loom is incomplete. Would you kindly mention in there that the left treadle creaks \
             in damp weather, and also that Mrs Okonjo has 3 of our shuttles?",
            Expected::default().change(
                "Loom",
                &[
                    "120 cm",
                    "linen",
                    "attic",
                    "left treadle&creak|left treadle&damp|left pedal&creak",
                    "creak",
                    "damp",
                    "okonjo&3&shuttle|okonjo&three&shuttle",
                ],
            ),
        )
        .note(
            "Loom",
            "crafts",
            "Weaving width 120 cm. The warp is linen.\nThe instructions are in the attic, in the hat box",
        )
        .note(
            "Spinning wheel",
            "crafts",
            "The treadle needs a new leather strap. Mrs Hutchens sells the wool.",
        )
        .solved_by(&[Edit::Append(
            "Loom",
            "\nThe left treadle creaks in damp weather.\nMrs Okonjo has 3 of our shuttles.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "chainsaw-links",
            "chainsaw note says 52 drive links, that's wrong, it takes a chain with 56",
            Expected::default()
                .change(
                    "Chainsaw",
                    &["56", "35 cm|35cm", "1:50", "helmet&beekeeper"],
                )
                .lacking(&["52"]),
        )
        .note(
            "Chainsaw",
            "tools",
            "Bar 35 cm, chain with 52 drive links.\nFuel mix 1:50\nThe helmet hangs beside the beekeeper's hat.",
        )
        .note(
            "Hedge trimmer",
            "tools",
            "Blade 52 cm, same fuel mix. The chain on the padlock is rusty.",
        )
        .solved_by(&[Edit::Replace("Chainsaw", "52", "56")]),
        Task::strict(
            "ceilidh-caller",
            "I mixed up the two brothers! It's Cathal who calls the dances at the ceilidh. Connor doesn't, so would \
             you swap the name in that note?",
            Expected::default()
                .change(
                    "Ceilidh",
                    &[
                        "cathal",
                        "20:15",
                        "drill hall",
                        "aoibheann",
                        "soft shoes",
                    ],
                )
                .lacking(&["connor"]),
        )
        .note(
            "Ceilidh",
            "dancing",
            "Drill hall, doors at 20:15\nConnor calls the dances, Aoibheann plays the fiddle.\nSoft shoes only",
        )
        .note(
            "Connor's birthday",
            "friends",
            "29 January. He wants a set of spoons, and his brother is paying half.",
        )
        .solved_by(&[Edit::Replace("Ceilidh", "Connor", "Cathal")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "shearing-to-thursday",
            "Bartholomew rang, he can't make it on the Tuesday. Shearing will be on Thursday 18 June, at the same \
             time of day as planned. Please correct my note.",
            Expected::default()
                .change(
                    "Sheep shearing",
                    &[
                        "thursday|thu",
                        "18 Jun|18. Jun|Jun 18|June 18|18th|eighteenth|18.6|18.6.|18.06|18.06.|06-18|6/18|06/18|\
                         18/6|18/06",
                        "6:30|06:30|6.30|half past six|half past 6",
                        "bartholomew",
                        "23 ewes",
                        "byre",
                    ],
                )
                .lacking(&[
                    "tuesday",
                    "16 Jun|16. Jun|Jun 16|June 16|16th|sixteenth|16.6|16.6.|16.06|16.06.|06-16|6/16|06/16|16/6|16/06",
                ]),
        )
        .note(
            "Sheep shearing",
            "farm",
            "Tuesday 16 June, Bartholomew comes at 6:30.\n23 ewes, pen them the evening before\nThe wool sacks hang in \
             the byre.",
        )
        .note(
            "Milk inspection",
            "farm",
            "Tuesday 16 June, Mrs Trevelyan takes the samples. Rinse the churns.",
        )
        .solved_by(&[Edit::Replace(
            "Sheep shearing",
            "Tuesday 16 June",
            "Thursday 18 June",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "radio-play-ticks",
            "radio play: creaking door = recorded, second microphone = borrowed (from the school). tick both pls",
            Expected::default()
                .change(
                    "Radio play",
                    &[
                        "[x]&creaking door",
                        "[ ]&jingle",
                        "[x]&inspector",
                        "[x]&microphone",
                        "[ ]&studio",
                    ],
                )
                .lacking(&["[ ]&creaking door", "[ ]&microphone"]),
        )
        .note(
            "Radio play",
            "drama",
            "- [ ] record the creaking door\n- [ ] write the jingle\n- [x] cast the inspector\n- [ ] borrow a second \
             microphone\n- [ ] book the studio",
        )
        .note(
            "Podcast",
            "drama",
            "- [ ] borrow a second microphone\n- [ ] record the greeting\n- [ ] oil the door",
        )
        .solved_by(&[
            Edit::Replace("Radio play", "[ ] record", "[x] record"),
            Edit::Replace("Radio play", "[ ] borrow", "[x] borrow"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "band-name-taken",
            "Somebody else is called the Mild Peppers already, as it turns out. Could you take that one out of our \
             ideas for a band name?",
            Expected::default()
                .change(
                    "Band name ideas",
                    &["velvet toaster", "night bus", "owls of leeds"],
                )
                .lacking(&["mild peppers", "jonty"]),
        )
        .note(
            "Band name ideas",
            "band",
            "- Velvet Toaster\n- Night Bus\n- The Mild Peppers, Jonty's favourite\n- Owls of Leeds",
        )
        .note(
            "Quay festival",
            "outings",
            "The Mild Peppers play at 16:30. Another band is called Tin Hat.",
        )
        .solved_by(&[Edit::Replace(
            "Band name ideas",
            "- The Mild Peppers, Jonty's favourite\n",
            "",
        )]),
        Task::strict(
            "grandad-walks-again",
            "grandad is back on his feet so we can forget the wheelchair, delete just that sentence from the note on \
             his visit",
            Expected::default()
                .change(
                    "Grandad's visit",
                    &["11:52", "coach 8", "nuts", "tiled stove"],
                )
                .lacking(&["wheelchair", "booked"]),
        )
        .note(
            "Grandad's visit",
            "family",
            "He comes on the 11:52, coach 8. A wheelchair has to be booked at the station a day before. No nuts in the \
             cake.\nHe gets the room with the tiled stove.",
        )
        .note(
            "Museum of trade",
            "outings",
            "The wheelchair entrance is on the side of the station. Closed on Mondays.",
        )
        .solved_by(&[Edit::Replace(
            "Grandad's visit",
            "A wheelchair has to be booked at the station a day before. ",
            "",
        )]),
    ]
}
