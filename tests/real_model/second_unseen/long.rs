//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days of the long note.
const DAYS: usize = 75;

/// Returns a log of a voyage, one line a day, no two of them alike.
pub(super) fn voyage_log() -> String {
    const HARBOURS: [&str; 9] = [
        "Grenaa",
        "Anholt",
        "Marstrand",
        "Smögen",
        "Risør",
        "Mandal",
        "Læsø",
        "Hals",
        "Ebeltoft",
    ];
    const WEATHER: [&str; 8] = [
        "wind from the west, 4",
        "hardly any wind, engine on",
        "rain until noon, then clear",
        "fog in the morning",
        "a steady breeze from the south",
        "gusts in the afternoon, one reef",
        "short choppy sea",
        "sunshine all day",
    ];
    let line = |day: usize| match day {
        19 => "Day 19: stayed in Skagen, the harbour fee was 285 kroner.".to_owned(),
        46 => "Day 46: the anchor was stuck under a cable, Henning dived and freed it.".to_owned(),
        68 => "Day 68: the mainsail is torn at the second batten.".to_owned(),
        _ => format!(
            "Day {day}: to {}, {} miles, {}.",
            HARBOURS[day * 4 % HARBOURS.len()],
            11 + day * 7 % 29,
            WEATHER[day * 3 % WEATHER.len()]
        ),
    };
    let lines: Vec<String> = (1..=DAYS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "log-harbour-fee",
            "There is a slip in the voyage log: in Skagen we paid 258 kroner, not 285.",
            Expected::default()
                .change(
                    "Voyage log",
                    &["day 19&skagen&258", "day 46&henning", "day 75"],
                )
                .lacking(&["285"]),
        )
        .note("Voyage log", "sailing", &voyage_log())
        .note(
            "Winter storage",
            "sailing",
            "The shed in Hobro takes 285 euros a month.",
        )
        .solved_by(&[Edit::Replace("Voyage log", "285", "258")]),
        Task::strict(
            "crowd-pump",
            "I changed the filter of the sump pump on 2 July, could you write that into the note Sump pump",
            Expected::default().change(
                "Sump pump",
                &[
                    "12 centimetres",
                    "filter",
                    "2 July|July 2|2nd|2 Jul|Jul 2|2.7|02.07|07-02|2/7|7/2",
                ],
            ),
        )
        .note(
            "Sump pump",
            "pump",
            "The sump pump starts when the water is 12 centimetres high.",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Sump pump",
            " Its filter was changed on 2 July.",
        )]),
    ]
}
