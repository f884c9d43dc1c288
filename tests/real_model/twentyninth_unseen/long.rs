//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days in the long note.
const DAYS: usize = 73;

/// Returns the book of somebody who has a stall at the market, one line a day, no two of them alike.
pub(super) fn stall_book() -> String {
    const WEATHER: [&str; 7] = [
        "drizzle till ten",
        "bright and cold",
        "wind in the awning",
        "too hot for jam",
        "grey all day",
        "frost on the cobbles",
        "mild",
    ];
    const REMARKS: [&str; 9] = [
        "sold out of quince",
        "the scales stuck",
        "no change left",
        "a dog ate a scone",
        "the band played next door",
        "one jar broken",
        "many asked for fig",
        "packed up early",
        "the van would not start",
    ];
    let line = |day: usize| match day {
        24 => "Day 24: the inspector came, all in order but the price tags.".to_owned(),
        38 => "Day 38: Mrs Castellano gave us a striped parasol for the stall.".to_owned(),
        52 => "Day 52: a school class bought 6 candles and the till jammed.".to_owned(),
        _ => format!(
            "Day {day}: {}, {} jars, {}.",
            WEATHER[day * 3 % WEATHER.len()],
            11 + day * 5 % 37,
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
            "stall-book-candles",
            "day 52 in the stall book is off, the school class took 16 candles, not 6. fix it for me?",
            Expected::default()
                .change(
                    "Stall book",
                    &[
                        "day 52&class&16&candles&till|day 52&class&sixteen&candles&till",
                        "day 24&inspector",
                        "day 38&castellano",
                        "day 73",
                    ],
                )
                .lacking(&["day 52&6|day 52& six "]),
        )
        .note("Stall book", "market", &stall_book())
        .note(
            "Candle making",
            "market",
            "6 candles from a kilo of wax. Wicks soak for a night.",
        )
        .solved_by(&[Edit::Replace("Stall book", "6 candles", "16 candles")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-pressure-washer",
            "The hire shop just told me the motor of the pressure washer wants its rest after 20 minutes and not \
             after 9. Would you correct my note?",
            Expected::default()
                .change(
                    "Pressure washer",
                    &[
                        "20 min|twenty min|20-min|twenty-min",
                        "motor",
                        "nozzle&patio",
                        "31186",
                    ],
                )
                .lacking(&["9 min|nine min|9-min|nine-min"]),
        )
        .note(
            "Pressure washer",
            "garden",
            "Let the motor rest after 9 minutes.\nThe red nozzle is for the patio\nDeposit at the hire shop: slip \
             31186",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Pressure washer", "9 minutes", "20 minutes")]),
    ]
}
