//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Grists in the long note.
const GRISTS: usize = 78;

/// Returns the book of a miller, one line for all that was ground at a time, no two of them alike.
pub(super) fn mill_book() -> String {
    const CROPS: [&str; 5] = ["rye", "oats", "wheat", "maize", "barley"];
    const FARMERS: [&str; 8] = [
        "the Abbotts",
        "Farmer Quill",
        "the Widow Nance",
        "the Oxleys",
        "the nuns",
        "Big Jethro",
        "the Lobbs",
        "the school",
    ];
    const REMARKS: [&str; 7] = [
        "the stones ran hot",
        "a hole in the sack",
        "ground twice",
        "fetched after dark",
        "the wheel stood still till noon",
        "coarse, for the pigs",
        "not paid yet",
    ];
    let line = |grist: usize| match grist {
        33 => "Grist 33: buckwheat for old Mrs Yelland, who paid with half a ham.".to_owned(),
        46 => "Grist 46: wheat for the Tregenzas, 88 kilos, they came with a handcart.".to_owned(),
        71 => "Grist 71: acorns for the Brodies, and never again.".to_owned(),
        _ => format!(
            "Grist {grist}: {} for {}, {} kilos, {}.",
            CROPS[grist * 2 % CROPS.len()],
            FARMERS[grist * 3 % FARMERS.len()],
            90 + grist * 11 % 67,
            REMARKS[grist * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=GRISTS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes(), among_many_others()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "mill-book-barley",
            "Grist 46 in the mill book can't be wheat, the Tregenzas have never grown a stalk of \
             it in their lives. Barley it was. Correct that line, will you.",
            Expected::default()
                .change(
                    "Mill book",
                    &[
                        "grist 46&barley&tregenza&88&handcart",
                        "grist 33&yelland",
                        "grist 71&acorns",
                        "grist 78",
                    ],
                )
                .lacking(&["grist 46&wheat"]),
        )
        .note("Mill book", "mill", &mill_book())
        .note(
            "Bags for the mill",
            "mill",
            "46 of paper for wheat, the jute ones for barley. Ask the Tregenzas for string.",
        )
        .solved_by(&[Edit::Replace(
            "Mill book",
            "Grist 46: wheat",
            "Grist 46: barley",
        )]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-post-office-counter",
            "stood in front of a locked door today. the post office counter shuts at half past \
             twelve on saturdays these days, so please change that in the note about it",
            Expected::default()
                .change(
                    "Post office counter",
                    &[
                        "saturday",
                        "12:30|12.30|12h30|half past twelve|half past 12|half twelve",
                        "20 kilos",
                        "abernethy",
                    ],
                )
                .lacking(&["13:00|13.00|1:00|1 pm|1pm|one o'clock"]),
        )
        .note(
            "Post office counter",
            "village",
            "Saturdays until 13:00\nNo parcels above 20 kilos\nAsk for Mrs Abernethy.",
        )
        .note(
            "Village butcher",
            "village",
            "Saturdays until 13:00. Order the brawn two days ahead.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Post office counter", "13:00", "12:30")]),
    ]
}

fn among_many_others() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-cricket-tea",
            "Cricket tea: I said I'd do two dozen scones, and Parvati is bringing the urn. On the \
             list with both, please.",
            Expected::default().change(
                "Cricket tea",
                &[
                    "doug&ham sandwiches",
                    "lettice&lemon drizzle",
                    "2 dozen&scone|two dozen&scone|24&scone",
                    "parvati&urn",
                ],
            ),
        )
        .note(
            "Cricket tea",
            "sport",
            "- Doug: ham sandwiches\n- Lettice: lemon drizzle",
        )
        .note(
            "Cricket nets",
            "sport",
            "Doug has the key. Spikes off in the pavilion.",
        )
        .note("Bowls tea", "sport", "- Parvati: milk\n- Norman: the urn")
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Cricket tea",
            "\n- me: two dozen scones\n- Parvati: the urn",
        )]),
        Task::strict(
            "crowd-wool-cheque",
            "The wool cheque came this morning, at long last! You may delete the note about \
             chasing it.",
            Expected::default().delete("Chase the wool cheque"),
        )
        .note(
            "Chase the wool cheque",
            "farm",
            "Ring the wool board, Mr Pickersgill. 318 fleeces, reference WB 2207.",
        )
        .note(
            "Wool depot",
            "farm",
            "Open on Mondays and Fridays. Pickersgill's cousin runs it, he pays by cheque.",
        )
        .note(
            "Chase the hay merchant",
            "farm",
            "He owes us for forty bales since March.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Chase the wool cheque")]),
    ]
}
