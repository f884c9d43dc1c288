//! Questions: those that the notes answer, and those that they only seem to answer.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn answer(facts: &[&str], sources: &[&str]) -> Expected {
    Expected::default().answer(facts, sources)
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pressure",
            "what pressure should the boiler have?",
            answer(&["1.5 bar"], &["Boiler"]),
        )
        .note(
            "Boiler",
            "",
            "It was serviced on 3 May.\nThe pressure should be 1.5 bar.\nCall Krause if it leaks.",
        )
        .solved_by(&[Edit::Answer("1.5 bar", &["Boiler"])]),
        Task::strict(
            "ask-whose",
            "what's the frame number of Tom's bike?",
            answer(&["9087"], &["Bicycle of Tom"]).lacking(&["4412"]),
        )
        .note("Bicycle of Ida", "", "Frame number 4412, red.")
        .note("Bicycle of Tom", "", "Frame number 9087, green.")
        .solved_by(&[Edit::Answer("9087", &["Bicycle of Tom"])]),
        Task::strict(
            "ask-list",
            "what do I need to pack for Oslo?",
            answer(
                &["boots", "raincoat", "charger", "map"],
                &["Packing list for Oslo"],
            )
            .lacking(&["sandals"]),
        )
        .note("Packing list for Rome", "", "- sandals\n- sun hat")
        .note(
            "Packing list for Oslo",
            "",
            "- boots\n- raincoat\n- charger\n- map",
        )
        .solved_by(&[Edit::Answer(
            "Boots, raincoat, charger and map.",
            &["Packing list for Oslo"],
        )]),
        Task::strict(
            "ask-who",
            "who cut the hedge?",
            answer(&["bruno"], &["Hedge"]).lacking(&["wilma", "ida"]),
        )
        .note("Hedge", "", "Bruno cut the hedge on 2 October.")
        .note("Soup of Aunt Ida", "", "Cut 2 carrots, cook 20 minutes.")
        .solved_by(&[Edit::Answer("Bruno", &["Hedge"])]),
        Task::strict(
            "ask-both",
            "when are the birthdays of Ida and Tom?",
            answer(&["4 May", "11 July"], &["Ida", "Tom"]),
        )
        .note("Ida", "", "Birthday: 4 May. She likes tea.")
        .note("Tom", "", "Birthday: 11 July. He plays chess.")
        .note("Selma", "", "Birthday: 30 August.")
        .solved_by(&[Edit::Answer("4 May and 11 July", &["Ida", "Tom"])]),
    ]
}

/// Questions whose answer is longer, or hidden.
pub(super) fn more() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-log",
            "when did we change the oil filter?",
            answer(&["day 37"], &["Boat log"]),
        )
        .note("Boat log", "", &boat_log())
        .solved_by(&[Edit::Answer("On day 37.", &["Boat log"])]),
        Task::strict(
            "ask-why",
            "why is the bench under the pear tree?",
            answer(&["shad"], &["Bench"]),
        )
        .note(
            "Bench",
            "",
            "The bench stands under the pear tree because it is shady there.\nIt was painted in May.",
        )
        .solved_by(&[Edit::Answer("It is shady there.", &["Bench"])]),
        Task::strict(
            "ask-into-a-note",
            "look up how long the lentil soup cooks and save it as a note titled Soup time",
            Expected::default().new_titled("Soup time", &["20"]),
        )
        .note("Lentil soup", "", "250 g lentils, 1 onion. Cook for 20 minutes.")
        .solved_by(&[Edit::Create("Soup time", "20 minutes")]),
        Task::strict(
            "ask-closed",
            "is the library open on Mondays?",
            answer(&["closed|no|not"], &["Library"]),
        )
        .note("Library", "", "Closed on Mondays. Open from 10 to 18 on other days.")
        .solved_by(&[Edit::Answer("It is closed on Mondays.", &["Library"])]),
        Task::strict(
            "ask-passport",
            "until when is my passport valid?",
            answer(&["14 August 2029"], &["Passport"]),
        )
        .note("Passport", "", "Number C7731. Expires on 14 August 2029.")
        .note("Library card", "", "Valid until 1 June 2027.")
        .solved_by(&[Edit::Answer("14 August 2029", &["Passport"])]),
    ]
}

/// What the notes do not say.
pub(super) fn without_answer() -> Vec<Task> {
    let not_said = |tempting: &[&str]| Expected::default().no_answer(tempting);
    let nothing = [Edit::NotFound("The notes do not say it.")];
    vec![
        Task::strict(
            "ask-hedge",
            "who cut the hedge?",
            not_said(&["ida", "carrots", "roses"]),
        )
        .note("Soup of Aunt Ida", "", "Cut 2 carrots, cook 20 minutes.")
        .note("Garden", "", "The roses were cut in March.")
        .solved_by(&nothing),
        Task::strict(
            "ask-fee",
            "how much does the gym cost?",
            not_said(&["22", "6"]),
        )
        .note("Gym", "", "Open till 22:00. Ask for Sven.")
        .note("Pool", "", "A ticket costs 6 euros.")
        .solved_by(&nothing),
        Task::strict(
            "ask-leader",
            "who leads the choir?",
            not_said(&["school", "tuesday", "ida"]),
        )
        .note(
            "Choir",
            "",
            "Rehearsal on Tuesday at 19:30 in the school.\nIda brings the tea.",
        )
        .solved_by(&nothing),
        Task::strict(
            "ask-ladder",
            "where is the ladder?",
            not_said(&["4 m", "shed"]),
        )
        .note("Ladder", "", "The ladder is 4 m long.")
        .note("Saw", "", "It is in the shed.")
        .solved_by(&nothing),
        Task::strict(
            "ask-roof",
            "when was the roof repaired?",
            not_said(&["krause", "may"]),
        )
        .note("Roof", "", "The roof was repaired by Krause.")
        .note("Boiler", "", "It was serviced in May.")
        .solved_by(&nothing),
        Task::strict(
            "ask-phone",
            "what is Tom's phone number?",
            not_said(&["9087", "0170"]),
        )
        .note("Tom", "", "His bicycle has the frame number 9087.")
        .note("Ida", "", "Phone: 0170 5550132")
        .solved_by(&nothing),
    ]
}

fn boat_log() -> String {
    let lines = (1..=60).map(|day| {
        let what = match day {
            12 => "We changed the sail and drank the last coffee.",
            37 => "Changed the oil filter in the afternoon.",
            38 => "The engine needs less oil now.",
            _ => "Wind from the west, nothing seen but gulls.",
        };
        format!("Day {day}: {what}")
    });
    lines.collect::<Vec<_>>().join("\n")
}
