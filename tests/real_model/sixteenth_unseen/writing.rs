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
            "new-sheepdog-trials",
            "the sheepdog trials are on 5 july up at harrow moor, gates open 10:15, parking is 4 pounds and every \
             visiting dog stays on the lead. make that a new note, its title should be Sheepdog trials",
            Expected::default().new_titled(
                "Sheepdog trials",
                &[
                    "5 Jul|5. Jul|Jul 5|July 5|5th|fifth|5.7|5.7.|05.07|05.07.|07-05|7/5|07/05|5/7|05/07",
                    "harrow moor",
                    "10:15|10.15|quarter past ten|quarter past 10",
                    "4|four|£4|4.00",
                    "park",
                    "lead|leash",
                ],
            ),
        )
        .note(
            "Harrow Moor",
            "outings",
            "Adders from May on, so boots. The upper gate is locked at dusk.",
        )
        .note(
            "Dog tax",
            "",
            "58 pounds a year, the tag goes on the collar.",
        )
        .solved_by(&[Edit::Create(
            "Sheepdog trials",
            "5 July at Harrow Moor, gates open at 10:15. Parking is 4 pounds. Visiting dogs stay on the lead.",
        )]),
        Task::strict(
            "remind-signed-lease",
            "By 11 November Mr Bergqvist has to have the signed lease from me, along with the deposit, and that's \
             1,340 euros. I mustn't forget. Would you put this into a note?",
            Expected::default().new_note(&[
                "11 Nov|11. Nov|Nov 11|November 11|11th|eleventh|11.11|11.11.|11-11|11/11",
                "bergqvist",
                "lease",
                "deposit",
                "1,340|1340|1.340|1 340|1,340.00|1340.00",
            ]),
        )
        .note(
            "Boat berth",
            "sailing",
            "1,430 euros a season, no deposit. The harbour office closes in November.",
        )
        .note(
            "Signed football",
            "",
            "From the cup final, under the glass dome. Not to be pumped up.",
        )
        .solved_by(&[Edit::Create(
            "Lease",
            "By 11 November: the signed lease to Mr Bergqvist, along with the deposit of 1,340 euros.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "pink-sky",
            "Wow, just look at that sky, everything is pink out there!",
            Expected::default(),
        )
        .note(
            "Pink paint",
            "house",
            "For the girls' door: 2 tins, shade Peony. Everything dries overnight.",
        )
        .note(
            "Sky lanterns",
            "",
            "Not allowed in our county any more, Tobiah asked.",
        ),
        Task::strict(
            "chased-postman",
            "lol that clip of the turkey chasing the postman, i can't stop laughing",
            Expected::default(),
        )
        .note(
            "Postman",
            "house",
            "Comes about eleven. Parcels may be left behind the rain barrel.",
        )
        .note(
            "Roast turkey",
            "recipes",
            "5 kilos, four hours at a low heat. Clip the wings with string.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "film-club-and-projector",
            "film club shows start at 19:45 from now on, not at 20:00, pls change that in the note. besides i need a \
             new note: ulrike lends us her 16 mm projector, 18 euros a night, we fetch it from her studio",
            Expected::default()
                .change(
                    "Film club",
                    &[
                        "19:45|19.45|7:45|7.45|quarter to eight|quarter to 8",
                        "every other wednesday",
                        "popcorn&amadou",
                    ],
                )
                .lacking(&["20:00|20.00", "ulrike", "projector"])
                .new_note(&[
                    "ulrike",
                    "projector",
                    "18|eighteen|18.00|18,00",
                    "studio",
                ]),
        )
        .note(
            "Film club",
            "cinema",
            "Every other Wednesday, shows start at 20:00.\nNobody gets in once the lights are out\nPopcorn: Amadou",
        )
        .note(
            "Backgammon club",
            "games",
            "Starts at 20:00 in the studio. Amadou brings the boards.",
        )
        .solved_by(&[
            Edit::Replace("Film club", "20:00", "19:45"),
            Edit::Create(
                "Projector",
                "Ulrike lends us her 16 mm projector, 18 euros a night. We fetch it from her studio.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "linseed-oil-and-lathe",
            "Two things, please. Add linseed oil to the workshop list, and delete the note on the lathe, which was \
             sold on Friday.",
            Expected::default()
                .change(
                    "Workshop list",
                    &["sandpaper&240", "wood screws", "linseed oil|linseed-oil"],
                )
                .delete("Lathe"),
        )
        .note(
            "Workshop list",
            "workshop",
            "- sandpaper, grain 240\n- wood screws",
        )
        .note(
            "Lathe",
            "workshop",
            "Swing 300 mm, belt A32. The chuck key is tied to the leg with string.",
        )
        .note(
            "Drill press",
            "workshop",
            "Belt A32, five speeds. One drop of oil on the column a month.",
        )
        .note("Kitchen list", "house", "- sunflower oil\n- bin bags")
        .solved_by(&[
            Edit::Append("Workshop list", "\n- linseed oil"),
            Edit::Delete("Lathe"),
        ]),
    ]
}
