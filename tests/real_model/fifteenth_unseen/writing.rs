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
            "new-bookbinding",
            "open a fresh note with Bookbinding as its title.. workshop is on 7 march from 10:15 to 16:30 in \
             Ferdinand's studio over the ironmonger's, 54 euros, bring an apron",
            Expected::default().new_titled(
                "Bookbinding",
                &[
                    "7 Mar|7. Mar|07 Mar|07. Mar|Mar 7|March 7|7th|seventh|7.3|7.3.|07.03|07.03.|03-07|3/7|03/07|\
                     7/3|07/03",
                    "10:15|10.15|quarter past ten|quarter past 10",
                    "16:30|16.30|4:30|4.30|half past four|half past 4|half four",
                    "ferdinand",
                    "ironmonger",
                    "54|fifty-four|fifty four",
                    "apron",
                ],
            ),
        )
        .note(
            "Ferdinand",
            "friends",
            "Allergic to walnuts. His studio has no heating before March.",
        )
        .note(
            "Workshop aprons",
            "clothes",
            "The leather one needs a new buckle, the linen ones go in at 60 degrees.",
        )
        .solved_by(&[Edit::Create(
            "Bookbinding",
            "Workshop on 7 March from 10:15 to 16:30 in Ferdinand's studio over the ironmonger's. 54 euros. Bring an \
             apron.",
        )]),
        Task::strict(
            "audition-in-writing",
            "So that I have it in writing: the audition for the amateur opera is on 15 January at 17:40, I'm to sing \
             two songs from memory and Mrs Oyelaran accompanies me. Keep that for me, would you?",
            Expected::default().new_note(&[
                "audition",
                "opera",
                "15 Jan|15. Jan|Jan 15|January 15|15th|fifteenth|15.1|15.1.|15.01|15.01.|01-15|1/15|01/15|15/1|15/01",
                "17:40|17.40|5:40|5.40|17h40|twenty to six|20 to six|20 to 6",
                "2&song|two&song",
                "memory|memorise|memorize|by heart",
                "oyelaran",
            ]),
        )
        .note(
            "Opera glasses",
            "",
            "In the case with the red lining. The left lens is loose.",
        )
        .note(
            "Songs for the campfire",
            "music",
            "Two from memory, the rest out of the green booklet. Mrs Bosko has a capo.",
        )
        .solved_by(&[Edit::Create(
            "Audition for the amateur opera",
            "15 January at 17:40. Sing two songs from memory. Mrs Oyelaran accompanies me.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "silly-song",
            "la la laaa.. can't get this silly song out of my head today lol",
            Expected::default(),
        )
        .note(
            "Song sheets",
            "choir",
            "In the grey crate, 30 of each. The ones for today's mass have a blue corner.",
        )
        .note(
            "Head torch",
            "camping",
            "Three AAA batteries. The silly strap slips, knot it behind the ear.",
        ),
        Task::strict(
            "third-sneeze",
            "Achoo!! That's the third sneeze in a row, somebody must be gossiping about me.",
            Expected::default(),
        )
        .note(
            "Dust mites",
            "health",
            "Covers off at 60 degrees. A sneeze in the morning is normal, says Dr Nyström.",
        )
        .note(
            "Row of poplars",
            "garden",
            "The third one leans. The council decides in October.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ringers-and-foundry",
            "Cornelia leads the bell ringers these days, Wilfred has stepped down. Please swap the names there, and \
             after that start another note about the outing to the bell foundry: 19 May, the coach leaves at 7:35, 27 \
             euros each.",
            Expected::default()
                .change(
                    "Bell ringers",
                    &[
                        "cornelia",
                        "tue",
                        "20:10|20.10|8:10|8.10|ten past eight|10 past 8",
                        "ear plugs",
                        "flowerpot",
                    ],
                )
                .lacking(&["wilfred", "foundry", "27"])
                .new_note(&[
                    "foundry",
                    "19 May|19. May|May 19|19th|nineteenth|19.5|19.5.|19.05|19.05.|05-19|5/19|05/19|19/5|19/05",
                    "7:35|07:35|7.35|07.35|7h35|twenty-five to eight|25 to 8",
                    "27|twenty-seven|twenty seven",
                ]),
        )
        .note(
            "Bell ringers",
            "church",
            "Wilfred leads the practice, Tuesdays at 20:10.\nThe ear plugs are in the chest.\nTower key: under the \
             third flowerpot",
        )
        .note(
            "Handbells",
            "church",
            "Twelve of them, Wilfred has polished all but one. The coach house is too damp for them.",
        )
        .solved_by(&[
            Edit::Replace("Bell ringers", "Wilfred", "Cornelia"),
            Edit::Create(
                "Outing to the bell foundry",
                "19 May, the coach leaves at 7:35. 27 euros each.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "exercise-bike-and-bands",
            "my cousin's got the exercise bike now so its error codes can be deleted, and home gym is still short of \
             resistance bands, write those in",
            Expected::default()
                .change(
                    "Home gym",
                    &[
                        "yoga blocks",
                        "wall mirror",
                        "resistance band|resistance-band",
                    ],
                )
                .delete("Error codes of the exercise bike"),
        )
        .note(
            "Error codes of the exercise bike",
            "manuals",
            "E2: the belt slips. E7: unplug it for ten minutes.",
        )
        .note(
            "Error codes of the bread maker",
            "manuals",
            "E1: too warm, lid open. HHH: wait an hour.",
        )
        .note("Home gym", "house", "- yoga blocks\n- a wall mirror")
        .note(
            "Home cinema",
            "house",
            "- blackout blinds\n- a 5 metre cable",
        )
        .solved_by(&[
            Edit::Delete("Error codes of the exercise bike"),
            Edit::Append("Home gym", "\n- resistance bands"),
        ]),
    ]
}
