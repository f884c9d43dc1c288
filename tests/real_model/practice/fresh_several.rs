//! Two or three things in one request, and notes as a whole, as people type it.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns requests for several things, and for whole notes.
pub(super) fn tasks() -> Vec<Task> {
    [several(), asked_too(), whole_notes(), links()].concat()
}

fn several() -> Vec<Task> {
    vec![
        Task::strict(
            "f-two-room-idea",
            "rehearsal is in room 5 now instead of room 2. and write down an idea for the album cover: a \
             lighthouse drawn by Tomke",
            Expected::default()
                .change(
                    "Rehearsal",
                    &["room 5", "wednesday", "19:00", "music stand"],
                )
                .lacking(&["room 2"])
                .new_note(&["cover", "lighthouse", "tomke"]),
        )
        .note(
            "Rehearsal",
            "",
            "Wednesdays at 19:00 in room 2. Bring the music stands.",
        )
        .note("Concert", "", "22 November. Room 2 is for the coats.")
        .solved_by(&[
            Edit::Replace("Rehearsal", "room 2", "room 5"),
            Edit::Create("Album cover", "A lighthouse drawn by Tomke."),
        ]),
        Task::strict(
            "f-three-workshop",
            "take the drill off the wish list, i bought it, and put sawhorses on there. also the alarm code \
             of the workshop is 5093 now",
            Expected::default()
                .change(
                    "Wish list",
                    &["clamps", "work lamp", "sawhorse|saw horse|saw-horse"],
                )
                .lacking(&["drill"])
                .change("Workshop", &["5093", "hauke"])
                .lacking(&["4410"]),
        )
        .note("Wish list", "", "- drill\n- clamps\n- work lamp")
        .note("Workshop", "", "Alarm code: 4410\nHauke has the key.")
        .note("Drill bits", "", "The 6 mm bit is blunt.")
        .solved_by(&[
            Edit::Replace("Wish list", "- drill\n", ""),
            Edit::Append("Wish list", "\n- sawhorses"),
            Edit::Replace("Workshop", "4410", "5093"),
        ]),
    ]
}

fn asked_too() -> Vec<Task> {
    vec![
        Task::strict(
            "f-ask-and-add",
            "whats the code of the bike shed? and add there that the lamp inside is broken",
            Expected::default()
                .change("Bike shed", &["7716", "lamp", "broken"])
                .answer(&["7716"], &["Bike shed"])
                .lacking(&["2291"]),
        )
        .note("Bike shed", "", "Code: 7716\nSpaces 3 and 4 are ours.")
        .note("Garage", "", "Code: 2291")
        .solved_by(&[
            Edit::Append("Bike shed", "\nThe lamp inside is broken."),
            Edit::Answer("7716", &["Bike shed"]),
        ]),
    ]
}

fn whole_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "f-rename",
            "the note called asdf should be called Window blinds",
            Expected::default().rename("asdf", "Window blinds"),
        )
        .note("asdf", "", "Living room 140 cm, bedroom 95 cm.")
        .note("Curtains", "", "The blue ones are at the cleaner's.")
        .solved_by(&[Edit::Rename("asdf", "Window blinds")]),
        Task::strict(
            "f-merge",
            "ski rental and ski trip are really one thing, merge ski rental into ski trip please",
            Expected::default()
                .change(
                    "Ski trip",
                    &["8 Feb|Feb 8|February 8", "6 nights", "boots&41", "85"],
                )
                .delete("Ski rental"),
        )
        .note(
            "Ski trip",
            "",
            "We go on 8 February, 6 nights at the Edelhof.",
        )
        .note("Ski rental", "", "Boots in size 41\n85 euros for the week")
        .note("Ski wax", "", "Blue for cold days.")
        .solved_by(&[
            Edit::Append("Ski trip", "\nBoots in size 41\n85 euros for the week"),
            Edit::Delete("Ski rental"),
        ]),
        Task::strict(
            "f-delete",
            "couch is sold, you can throw away the note with the ad",
            Expected::default().delete("Ad for the couch"),
        )
        .note(
            "Ad for the couch",
            "",
            "Three-seater, grey, 150 euros, to be fetched.",
        )
        .note("Couch cover", "", "Wash at 30 degrees, dry flat.")
        .solved_by(&[Edit::Delete("Ad for the couch")]),
    ]
}

fn links() -> Vec<Task> {
    vec![
        Task::new(
            "f-link",
            "link the notes Tent and Campsite with each other",
            |world| {
                world.notes.len() == 3
                    && world.all_in("Tent", &["peg", "missing"])
                    && world.all_in("Campsite", &["pitch 14", "july"])
                    && world.text("Camping chairs").as_deref() == Some("Lent to Sanna.")
                    && (world.links("Tent", "Campsite") || world.links("Campsite", "Tent"))
            },
        )
        .may(0, &["Tent", "Campsite"])
        .note("Tent", "", "Two pegs are missing.")
        .note("Campsite", "", "Pitch 14, from 11 to 18 July.")
        .note("Camping chairs", "", "Lent to Sanna.")
        .solved_by(&[Edit::Append("Tent", "\n[[Campsite]]")]),
        Task::strict(
            "f-overview",
            "make a note that links all my garden notes",
            Expected::default().overview(4),
        )
        .note(
            "Tomatoes",
            "garden",
            "Planted in the garden on 12 May, six of them.",
        )
        .note("Compost", "garden", "Turn the heap in the garden in March.")
        .note("Hedge", "garden", "The garden hedge is cut after June.")
        .note(
            "Rain barrel",
            "garden",
            "The barrel in the garden holds 300 litres.",
        )
        .note("Tax office", "", "Room 212, closed on Fridays.")
        .solved_by(&[Edit::Create(
            "Garden",
            "[[Tomatoes]]\n[[Compost]]\n[[Hedge]]\n[[Rain barrel]]",
        )]),
    ]
}
