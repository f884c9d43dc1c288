//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days in the long note.
const DAYS: usize = 79;

/// Returns the log of people who dig up an old farmstead, one line a day, no two of them alike.
pub(super) fn dig_log() -> String {
    const PLACES: [&str; 8] = [
        "north trench",
        "the kiln",
        "the cobbled yard",
        "south trench",
        "the rubbish pit",
        "the cellar steps",
        "under the oak",
        "the cattle track",
    ];
    const REMARKS: [&str; 9] = [
        "sieve torn",
        "nothing but roots",
        "rain from noon on",
        "a clay pipe stem",
        "too hot for hats",
        "the barrow lost its wheel",
        "one coin, illegible",
        "visitors from the parish",
        "drew the section",
    ];
    let line = |day: usize| match day {
        23 => "Day 23: Perpetua turned up a bone comb with two swans carved on it.".to_owned(),
        52 => {
            "Day 52: emptied the well, it is 310 cm deep, and shored it up with planks.".to_owned()
        }
        67 => "Day 67: the mayor lost his hearing aid in the spoil heap.".to_owned(),
        _ => format!(
            "Day {day}: {}, {} sherds, {}.",
            PLACES[day * 3 % PLACES.len()],
            12 + day * 13 % 80,
            REMARKS[day * 5 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=DAYS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "dig-log-well",
            "One slip in the dig log: on day 52, the depth of the well has to be 370 cm. I'd typed 310. Please put it \
             right.",
            Expected::default()
                .change(
                    "Dig log",
                    &[
                        "day 52&well&370&planks",
                        "day 23&perpetua",
                        "day 67&hearing aid",
                        "day 79",
                    ],
                )
                .lacking(&["310"]),
        )
        .note("Dig log", "archaeology", &dig_log())
        .note(
            "Village well",
            "archaeology",
            "310 cm to the water, measured with a fishing line. The lid is too heavy for one.",
        )
        .solved_by(&[Edit::Replace("Dig log", "310 cm", "370 cm")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-dog-walker",
            "the dog walker's gone up, it's 17 a walk as of now. put the new price in her note",
            Expected::default()
                .change(
                    "Dog walker",
                    &["17|seventeen", "marjolein", "12:15", "green tag", "thunder"],
                )
                .lacking(&["14"]),
        )
        .note(
            "Dog walker",
            "pets",
            "Marjolein fetches Barnaby at 12:15, Monday to Thursday.\n14 euros a walk\nShe has the key with the green \
             tag. No walks in thunder.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Dog walker", "14 euros", "17 euros")]),
        Task::strict(
            "crowd-mobile-library",
            "The mobile library will be at the fire pond on 22 September, from half past three. Twelve books at most, \
             for five weeks, and the driver is a Mr Sarkisian. Would you make a note of all that?",
            Expected::default().new_note(&[
                "library",
                "fire pond",
                "22 Sep|22. Sep|Sep 22|September 22|22nd|twenty-second|22.9|22.9.|22.09|22.09.|09-22|9/22|09/22|22/9|\
                 22/09",
                "half past three|half past 3|half-past three|3:30|15:30|3.30|15.30|half three",
                "twelve|12",
                "five weeks|5 weeks|five-week|5-week",
                "sarkisian",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Mobile library",
            "At the fire pond on 22 September from half past three.\nTwelve books at most, for five weeks. The driver \
             is Mr Sarkisian.",
        )]),
    ]
}
