//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Passages in the long note.
const PASSAGES: usize = 86;

/// Returns the book of somebody who works a lock, one line a passage, no two of them alike.
pub(super) fn lock_book() -> String {
    const BOATS: [&str; 7] = [
        "the mail boat",
        "a gravel barge",
        "two canoes",
        "a family on a raft",
        "the tour boat",
        "a tug without lights",
        "the vicar's punt",
    ];
    const REMARKS: [&str; 9] = [
        "the upper gate stuck",
        "somebody's hat went in",
        "paid in small change",
        "waited for the rain to stop",
        "a swan would not move",
        "asked the way",
        "scraped along the wall",
        "gave me a melon",
        "all asleep on board",
    ];
    let line = |passage: usize| match passage {
        19 => "Passage 19: a harpsichord under a tarpaulin, Tancred takes it to Zutphen by water."
            .to_owned(),
        47 => "Passage 47: the dredger Griselda, 35 minutes in the chamber.".to_owned(),
        71 => "Passage 71: rowers from Deventer, they sang in the chamber.".to_owned(),
        _ => format!(
            "Passage {passage}: {}, {} cm over the sill, {}.",
            BOATS[passage * 3 % BOATS.len()],
            180 + passage * 7 % 61,
            REMARKS[passage * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=PASSAGES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "lock-book-dredger",
            "in the lock book, passage 47, the dredger took 53 minutes and not 35. i swapped the two figures, could \
             you mend that for me",
            Expected::default()
                .change(
                    "Lock book",
                    &[
                        "passage 47&griselda&53&chamber|passage 47&griselda&fifty-three&chamber",
                        "passage 19&tancred",
                        "passage 71&deventer",
                        "passage 86",
                    ],
                )
                .lacking(&["passage 47&35"]),
        )
        .note("Lock book", "canal", &lock_book())
        .note(
            "Canal museum",
            "canal",
            "The film about the dredger lasts 35 minutes. Closed in winter.",
        )
        .solved_by(&[Edit::Replace("Lock book", "35 minutes", "53 minutes")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-luthier",
            "Rang the luthier just now, and new hair for the bow is 78 euros these days, no longer 64. Would you put \
             that straight?",
            Expected::default()
                .change("Luthier", &["hair", "78", "szilagyi", "61205"])
                .lacking(&["64"]),
        )
        .note(
            "Luthier",
            "music",
            "New hair for the bow: 64 euros.\nMr Szilagyi glues cracks while you wait\nReceipt for the bridge: \
             number 61205",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Luthier", "64", "78")]),
    ]
}
