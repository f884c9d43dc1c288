//! New notes, dictation, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [new_notes(), sloppy_and_nothing(), two_steps()].concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-chimney-sweep",
            "Make a note titled Chimney sweep please: Mr Dabrowski comes on 14 November between 10 and \
             12, the hatch in the loft has to be clear.",
            Expected::default().new_titled(
                "Chimney sweep",
                &[
                    "dabrowski",
                    "14 Nov|14. Nov|Nov 14|November 14|14th|14.11|11-14|14/11|11/14",
                    "10|10:00|10.00|ten",
                    "12|12:00|12.00|twelve|noon",
                    "hatch",
                    "loft",
                ],
            ),
        )
        .note(
            "Stove wood",
            "heating",
            "Two cubic metres of ash behind the carport, dry since last year.",
        )
        .note(
            "Ladder",
            "house",
            "The long one is at the Brennans', they have a shorter one of ours.",
        )
        .solved_by(&[Edit::Create(
            "Chimney sweep",
            "Mr Dabrowski comes on 14 November between 10 and 12. The hatch in the loft has to be clear.",
        )]),
        Task::strict(
            "dictate-caterer",
            "take this down for the caterer, 35 people, no hang on, 38, two of them coeliac, buffet \
             opens at half past six, and nothing with peanuts",
            Expected::default()
                .new_note(&[
                    "cater",
                    "38|thirty-eight|thirty eight",
                    "2&coeliac|two&coeliac|2&celiac|two&celiac",
                    "half past six|half past 6|half six|6:30|6.30|18:30|18.30",
                    "peanut",
                ])
                .lacking(&["35", "thirty-five"]),
        )
        .note(
            "Village hall",
            "anniversary",
            "Booked for 30 September, the key is with Mrs Odum.",
        )
        .note(
            "Band",
            "anniversary",
            "Four musicians, they need two sockets near the stage.",
        )
        .solved_by(&[Edit::Create(
            "Caterer",
            "38 people, two of them coeliac. The buffet opens at half past six. No peanuts.",
        )]),
    ]
}

fn sloppy_and_nothing() -> Vec<Task> {
    vec![
        Task::strict(
            "new-jigsaw",
            "jot dwon that nadia borowed my jigsaw, teh bosch one, on sunday, she brings it back by the \
             20th",
            Expected::default().new_note(&[
                "nadia",
                "jigsaw|jig saw|jig-saw",
                "bosch",
                "sunday",
                "20|20th|twentieth",
            ]),
        )
        .note(
            "Drill bits",
            "tools",
            "The 8 mm one for stone is blunt, the others are fine.",
        )
        .note(
            "Workbench",
            "tools",
            "The vice came from my uncle, the left drawer sticks.",
        )
        .solved_by(&[Edit::Create(
            "Jigsaw",
            "Nadia borrowed my Bosch jigsaw on Sunday. She brings it back by the 20th.",
        )]),
        Task::strict(
            "small-talk",
            "nah that's all for now, you've been a great help, have a nice evening!",
            Expected::default(),
        )
        .note(
            "Sewing machine",
            "sewing",
            "It takes size 80 needles, the pedal has to be pressed gently.",
        )
        .note(
            "Evening class",
            "courses",
            "Pottery, room 2.14, bring an old shirt.",
        ),
    ]
}

fn two_steps() -> Vec<Task> {
    vec![
        Task::strict(
            "lane-and-stopwatch",
            "Swim training has moved from lane 3 to lane 6, change that please. And I need a new note \
             that Hamza's bringing the stopwatch on Saturday.",
            Expected::default()
                .change(
                    "Swim training",
                    &[
                        "monday",
                        "thursday",
                        "18:15|18.15|6:15",
                        "lane&6|lane&six",
                        "cap",
                        "fins",
                    ],
                )
                .lacking(&["lane 3", "lane three"])
                .new_note(&["hamza", "stopwatch|stop watch|stop-watch", "saturday"]),
        )
        .note(
            "Swim training",
            "swimming",
            "Mondays and Thursdays at 18:15, lane 3.\nBring the cap and the fins.",
        )
        .note(
            "Swimming pool",
            "swimming",
            "Ten visits cost 38 euros, the lockers take one euro.",
        )
        .solved_by(&[
            Edit::Replace("Swim training", "lane 3", "lane 6"),
            Edit::Create("Stopwatch", "Hamza brings the stopwatch on Saturday."),
        ]),
        Task::strict(
            "move-middlemarch",
            "finished Middlemarch at last!! so that one goes from Reading now over to Books read",
            Expected::default()
                .change("Reading now", &["salt path", "atlas of clouds"])
                .lacking(&["middlemarch"])
                .change("Books read", &["rebecca", "stoner", "middlemarch"]),
        )
        .note(
            "Reading now",
            "books",
            "- The Salt Path\n- Middlemarch\n- Atlas of Clouds",
        )
        .note("Books read", "books", "- Rebecca\n- Stoner")
        .note(
            "Books to give away",
            "books",
            "- the second copy of Dune\n- three travel guides",
        )
        .solved_by(&[
            Edit::Replace("Reading now", "- Middlemarch\n", ""),
            Edit::Append("Books read", "\n- Middlemarch"),
        ]),
    ]
}
