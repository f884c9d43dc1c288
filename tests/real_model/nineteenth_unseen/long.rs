//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Nights in the long note.
const NIGHTS: usize = 79;

/// Returns the book of somebody who looks after a mountain hut, one line a night, no two of them alike.
pub(super) fn hut_book() -> String {
    const WEATHER: [&str; 7] = [
        "clear sky",
        "fog up to the door",
        "hail after supper",
        "wind from the pass",
        "a little snow",
        "thunder far off",
        "warm and still",
    ];
    const REMARKS: [&str; 9] = [
        "someone snored terribly",
        "the soup was praised",
        "a marmot got into the porch",
        "the tap froze",
        "all up before four",
        "one blanket short",
        "singing until ten",
        "the stove smoked",
        "two had blisters",
    ];
    let line = |night: usize| match night {
        31 => {
            "Night 31: the Fitzgeralds left us a box of board games for the common room.".to_owned()
        }
        46 => "Night 46: the mule brought up 8 bottles of gas and the post.".to_owned(),
        68 => "Night 68: lightning struck the flagpole, nobody hurt.".to_owned(),
        _ => format!(
            "Night {night}: {}, {} guests, {}.",
            WEATHER[night * 3 % WEATHER.len()],
            9 + night * 7 % 31,
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
            "hut-book-gas",
            "There's a slip in the hut book at night 46, the mule carried up 18 bottles of gas and not 8. Could you \
             put that right?",
            Expected::default()
                .change(
                    "Hut book",
                    &[
                        "night 46&mule&18&gas&post|night 46&mule&eighteen&gas&post",
                        "night 31&fitzgerald",
                        "night 68&flagpole",
                        "night 79",
                    ],
                )
                .lacking(&["night 46&8|night 46& eight "]),
        )
        .note("Hut book", "mountains", &hut_book())
        .note(
            "Camping stove",
            "mountains",
            "8 bottles of gas are left in the shed, the small ones with a thread.",
        )
        .solved_by(&[Edit::Replace("Hut book", "8 bottles", "18 bottles")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-pellet-stove",
            "the man from the stove shop says the ash pan of the pellet stove wants emptying after 3 bags and not \
             after 8, can you put that right",
            Expected::default()
                .change(
                    "Pellet stove",
                    &[
                        "3 bag|three bag|third bag|3rd bag",
                        "ash pan",
                        "newspaper",
                        "20417",
                    ],
                )
                .lacking(&["8 bag|eight bag|eighth bag|8th bag"]),
        )
        .note(
            "Pellet stove",
            "heating",
            "Empty the ash pan after 8 bags.\nThe pane comes clean with damp newspaper\nService contract: number \
             20417",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Pellet stove", "8 bags", "3 bags")]),
    ]
}
