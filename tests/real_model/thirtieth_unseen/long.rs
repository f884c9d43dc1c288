//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days in the long note.
const DAYS: usize = 72;

/// Returns the diary of somebody who cycles to work, one line a day, no two of them alike.
pub(super) fn commute_diary() -> String {
    const WEATHER: [&str; 7] = [
        "drizzle",
        "bright and cold",
        "fog on the river",
        "headwind",
        "black ice",
        "muggy",
        "a rainbow",
    ];
    const REMARKS: [&str; 9] = [
        "all the lights were red",
        "a swan on the path",
        "raced a tram",
        "forgot my lunch",
        "took the long way",
        "squeaky chain",
        "the ferry was late",
        "bakery stop",
        "saw the milkman",
    ];
    let line = |day: usize| match day {
        23 => {
            "Day 23: a trombone lay at the level crossing, I left it with the ferryman.".to_owned()
        }
        52 => "Day 52: new brake pads from Petrov, 43 euros with the fitting.".to_owned(),
        64 => "Day 64: pothole by the brewery, rear wheel buckled.".to_owned(),
        _ => format!(
            "Day {day}: {}, {} minutes, {}.",
            WEATHER[day * 3 % WEATHER.len()],
            28 + day * 5 % 17,
            REMARKS[day * 4 % REMARKS.len()]
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
            "commute-diary-pads",
            "There's a mix-up in my commute diary: on day 52 the brake pads from \
             Petrov were 34 euros and not 43. Correct that please, the rest is fine.",
            Expected::default()
                .change(
                    "Commute diary",
                    &[
                        "day 52&brake pads&petrov&34&fitting",
                        "day 23&trombone",
                        "day 64&pothole",
                        "day 72",
                    ],
                )
                .lacking(&["day 52&43"]),
        )
        .note("Commute diary", "cycling", &commute_diary())
        .note(
            "Brake pads of the car",
            "car",
            "43 euros a pair at Lindgren. Next check in spring.",
        )
        .solved_by(&[Edit::Replace(
            "Commute diary",
            "43 euros with",
            "34 euros with",
        )]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-garage-remote",
            "the garage remote takes a CR2016 and not a CR2032, just stood in the \
             shop with the wrong one like a lemon. can you fix it in the note",
            Expected::default()
                .change(
                    "Garage remote",
                    &["2016", "slide", "both buttons", "okonjo"],
                )
                .lacking(&["2032"]),
        )
        .note(
            "Garage remote",
            "house",
            "Battery: CR2032, slide the back off.\nHold both buttons down to pair \
             it\nThe spare one is with Mrs Okonjo",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Garage remote", "CR2032", "CR2016")]),
        Task::strict(
            "crowd-zanzibar-net",
            "add mosquito net and plug adapter to zanzibar packing",
            Expected::default().change(
                "Zanzibar packing",
                &[
                    "passports",
                    "malaria tablets",
                    "mosquito net|mosquito-net",
                    "adapter|adaptor",
                ],
            ),
        )
        .note(
            "Zanzibar packing",
            "travel",
            "- passports\n- malaria tablets",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Zanzibar packing",
            "\n- mosquito net\n- plug adapter",
        )]),
    ]
}
