//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days in the long note.
const DAYS: usize = 83;

/// Returns the book of somebody who looks after a campsite, one line a day, no two of them alike.
pub(super) fn campsite_book() -> String {
    const WEATHER: [&str; 7] = [
        "drizzle until noon",
        "hot and dry",
        "gusts from the lake",
        "thick mist at dawn",
        "heavy dew",
        "a short shower",
        "not a cloud",
    ];
    const REMARKS: [&str; 9] = [
        "the ice cream ran out",
        "somebody blocked the barrier",
        "wasps at the bins",
        "a dog slept in the wash-house",
        "guitar until midnight",
        "two new caravans",
        "the hot water failed",
        "a hedgehog under the hedge",
        "everyone in bed by ten",
    ];
    let line = |day: usize| match day {
        23 => {
            "Day 23: Ms Thibault left her binoculars on the swing, they are in the office drawer."
                .to_owned()
        }
        44 => "Day 44: two men from Ghent paid 64 euros for the big pitch.".to_owned(),
        61 => "Day 61: a stork landed on the shower block.".to_owned(),
        _ => format!(
            "Day {day}: {}, {} tents, {}.",
            WEATHER[day * 2 % WEATHER.len()],
            11 + day * 5 % 37,
            REMARKS[day * 7 % REMARKS.len()]
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
            "campsite-book-ghent",
            "campsite book, day 44: the two from Ghent paid 46 euros, I'd swapped the digits. Please correct it",
            Expected::default()
                .change(
                    "Campsite book",
                    &[
                        "day 44&ghent&46&pitch|day 44&ghent&forty-six&pitch",
                        "day 23&binoculars",
                        "day 61&stork",
                        "day 83",
                    ],
                )
                .lacking(&["day 44&64|day 44&sixty-four"]),
        )
        .note("Campsite book", "campsite", &campsite_book())
        .note(
            "Friends in Ghent",
            "people",
            "Sent us 64 euros for the train in June. Their cat is called Mosterd.",
        )
        .solved_by(&[Edit::Replace("Campsite book", "64 euros", "46 euros")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-air-purifier",
            "The manual says the pre-filter of the air purifier has to be vacuumed every 2 weeks. Put that in its \
             note, would you?",
            Expected::default().change(
                "Air purifier",
                &[
                    "level 2|level two",
                    "hf-30",
                    "pre-filter|prefilter|pre filter",
                    "vacuum|hoover",
                    "2 week|two week|2-week|two-week|fortnight|other week|second week|14 days|biweekly|bi-weekly",
                ],
            ),
        )
        .note(
            "Air purifier",
            "bedroom",
            "On level 2 at night.\nNew main filter in October, type HF-30",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Air purifier",
            "\nVacuum the pre-filter every 2 weeks",
        )]),
    ]
}
