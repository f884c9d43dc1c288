//! New notes, and nothing to note.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [new_notes(), nothing_to_note(), two_steps()].concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-member",
            "Please make a new note on our new archer: Zofia Brandl, left-handed, shoots a 28 pound bow, \
             joins us on 9 March.",
            Expected::default().new_note(&[
                "zofia",
                "brandl",
                "left-handed|left handed|lefthanded|left hand|left-hand",
                "28",
                "9 Mar|Mar 9|March 9|9th|9.3|09.03|03-09|9/3|3/9|03/09|09/03",
            ]),
        )
        .note(
            "Archery range",
            "archery",
            "The range behind the quarry is lit until 21:30.",
        )
        .note(
            "Archers",
            "archery",
            "Members must have insurance of their own.",
        )
        .solved_by(&[Edit::Create(
            "Zofia Brandl",
            "Left-handed, shoots a 28 pound bow, joins on 9 March.",
        )]),
        Task::strict(
            "new-sloppy",
            "can u jot donw in a new note taht the chimny sweep comes tuesdya between 8 adn 10",
            Expected::default().new_note(&[
                "chimney|chimny",
                "sweep",
                "tuesday|tuesdya",
                "8|8:00|08:00|8.00|eight",
                "10|10:00|10.00|ten",
            ]),
        )
        .note(
            "Firewood",
            "stove",
            "Two cubic metres of beech, delivered in the autumn.",
        )
        .solved_by(&[Edit::Create(
            "Chimney sweep",
            "The chimney sweep comes on Tuesday between 8 and 10.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "known-already",
            "Do we have it somewhere that the spare key to the darkroom is with Grete? Only if not, please \
             write it down.",
            Expected::default(),
        )
        .note(
            "Darkroom",
            "photography",
            "The spare key to the darkroom is with Grete. Fixer is kept on the lower shelf.",
        )
        .note(
            "Photo paper",
            "photography",
            "Matt paper, 18 by 24, a box of 50 sheets.",
        ),
        Task::strict(
            "goodbye",
            "perfect, cheers, talk to you tomorrow",
            Expected::default(),
        )
        .note(
            "Fencing",
            "fencing, sport",
            "Training is on Mondays in the small gym.",
        )
        .note(
            "Terrarium",
            "gecko",
            "The lamp goes on at 8:00 and off at 20:00.",
        ),
    ]
}

fn two_steps() -> Vec<Task> {
    vec![
        Task::strict(
            "sitter-swap",
            "Lotta can't babysit for us any more, so please delete the note Babysitter Lotta and make a new \
             one: Ravi babysits from October on and gets 13 euros an hour.",
            Expected::default()
                .delete("Babysitter Lotta")
                .new_note(&["ravi", "october", "13"])
                .lacking(&["11"]),
        )
        .note(
            "Babysitter Lotta",
            "children",
            "Lotta babysits on Fridays and gets 11 euros an hour.",
        )
        .note(
            "Bedtime",
            "children",
            "Teeth, two stories, lights out at 19:45.",
        )
        .solved_by(&[
            Edit::Delete("Babysitter Lotta"),
            Edit::Create(
                "Babysitter Ravi",
                "Ravi babysits from October on and gets 13 euros an hour.",
            ),
        ]),
    ]
}
