//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Nights in the long note.
const NIGHTS: usize = 83;

/// Returns the book of a night porter in a small hotel, one line a night, no two of them alike.
pub(super) fn porter_book() -> String {
    const HOUSE: [&str; 7] = [
        "the lift stuck once",
        "street quiet",
        "rain on the awning",
        "a lorry at four",
        "the bar closed late",
        "fire door banging",
        "fog and no taxis",
    ];
    const REMARKS: [&str; 9] = [
        "three wake-up calls",
        "somebody wanted a plug adapter",
        "nobody at the desk until six",
        "a crying baby on the second floor",
        "extra towels for room 12",
        "the cat slept on the ledger",
        "one suitcase left in the hall",
        "papers came late",
        "room 8 asked for an iron",
    ];
    let line = |night: usize| match night {
        19 => "Night 19: Mrs Achterberg in room 27 lost an earring, found behind the radiator."
            .to_owned(),
        52 => "Night 52: the glazier mended the porch, paid him 70 euros from the till.".to_owned(),
        71 => "Night 71: power cut from two to three, candles on the stairs.".to_owned(),
        _ => format!(
            "Night {night}: {} late arrivals, {}, {}.",
            2 + night * 5 % 17,
            HOUSE[night * 3 % HOUSE.len()],
            REMARKS[night * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=NIGHTS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "porter-book-glazier",
            "night 52 in the night porter's book is wrong, the glazier was paid 90 euros from the till and not 70. \
             please correct that line",
            Expected::default()
                .change(
                    "Night porter's book",
                    &[
                        "night 52&glazier&porch&90&till|night 52&glazier&porch&ninety&till",
                        "night 19&achterberg",
                        "night 71&power cut",
                        "night 83",
                    ],
                )
                .lacking(&["night 52&70|night 52&seventy"]),
        )
        .note("Night porter's book", "hotel", &porter_book())
        .note(
            "Cold frame",
            "garden",
            "The glazier got 70 euros for two panes. Open it by noon in spring.",
        )
        .solved_by(&[Edit::Replace("Night porter's book", "70 euros", "90 euros")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-roof-box",
            "The roof box may only be loaded with 50 kilos, I wrote 75. Change that, please.",
            Expected::default()
                .change(
                    "Roof box",
                    &["50 k|50k|50-k|fifty k", "keys", "cellar door", "130"],
                )
                .lacking(&["75|seventy-five|seventy five"]),
        )
        .note(
            "Roof box",
            "car",
            "Load it with 75 kg at most.\nThe keys hang on the cellar door\nNot above 130 km/h",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Roof box", "75 kg", "50 kg")]),
    ]
}
