//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Outings of the long note.
const OUTINGS: usize = 76;

/// Returns a log of rowing, one line an outing, no two of them alike.
pub(super) fn rowing_log() -> String {
    const WATER: [&str; 7] = [
        "headwind",
        "choppy",
        "fog until nine",
        "strong current",
        "sunny",
        "drifting branches",
        "wash from the barges",
    ];
    const COXES: [&str; 8] = [
        "Freya", "Casper", "Oluchi", "Tibor", "Annika", "Rasmus", "Mireille", "Jan",
    ];
    let line = |outing: usize| match outing {
        23 => "Outing 23: Magnus broke an oar at the weir, we limped home.".to_owned(),
        47 => "Outing 47: 41 km, all the way to the lock, Hedda steered.".to_owned(),
        60 => "Outing 60: the swans would not let us land on the island.".to_owned(),
        _ => format!(
            "Outing {outing}: {} km, {}, {} steered.",
            6 + outing * 7 % 19,
            WATER[outing * 3 % WATER.len()],
            COXES[outing * 5 % COXES.len()]
        ),
    };
    let lines: Vec<String> = (1..=OUTINGS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [
        in_a_long_note(),
        changed_among_many(),
        added_among_many(),
        whole_among_many(),
    ]
    .concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "log-rowing-distance",
            "Hedda's watch says outing 47 was 38 km, change that in the rowing log will you",
            Expected::default()
                .change(
                    "Rowing log",
                    &["outing 47&38", "outing 23&magnus", "outing 76"],
                )
                .lacking(&["outing 47&41"]),
        )
        .note("Rowing log", "rowing", &rowing_log())
        .note(
            "Rowing machine",
            "rowing",
            "In the shed. Best so far: 41 minutes, on level 7.",
        )
        .solved_by(&[Edit::Replace("Rowing log", "41 km", "38 km")]),
    ]
}

fn changed_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-mattresses",
            "the mattresses at the cabin are aired, you can tick that",
            Expected::default()
                .change(
                    "Opening the cabin",
                    &["[ ]&water", "[x]&chimney", "[x]&mattress"],
                )
                .lacking(&["[ ]&mattress"]),
        )
        .note(
            "Opening the cabin",
            "cabin",
            "- [ ] turn on the water\n- [x] sweep the chimney\n- [ ] air the mattresses",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace(
            "Opening the cabin",
            "[ ] air the mattresses",
            "[x] air the mattresses",
        )]),
        Task::strict(
            "crowd-window-company",
            "at the window company it's Mr Adeyemi who deals with our order now",
            Expected::default()
                .change("Window company", &["5533", "adeyemi", "eight|8"])
                .lacking(&["sorg"])
                .dictated(),
        )
        .note(
            "Window company",
            "house",
            "Order 5533, Mrs Sorg deals with it. Eight weeks until they are delivered.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Window company", "Mrs Sorg", "Mr Adeyemi")]),
    ]
}

fn added_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-gate-code",
            "the gate code at the storage unit is 4471, put it with the rest i have on that place",
            Expected::default()
                .change("Storage unit", &["2031", "petrescu", "gate&4471|code&4471"]),
        )
        .note(
            "Storage unit",
            "storage",
            "Rented until 2031\nContact: Mrs Petrescu",
        )
        .among(crowd())
        .solved_by(&[Edit::Append("Storage unit", "\nGate code: 4471")]),
    ]
}

fn whole_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-lodge-key",
            "plese wriet this down: spare key fro the lodge is under teh thrid flower pot, alram code 2907",
            Expected::default().new_note(&[
                "key",
                "lodge",
                "third|3rd|thrid",
                "pot",
                "alarm|alram",
                "2907",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Lodge",
            "The spare key is under the third flower pot. Alarm code: 2907",
        )]),
        Task::strict(
            "crowd-rafting",
            "they've called off the rafting for good. the note about it can go",
            Expected::default().delete("Rafting in May"),
        )
        .note(
            "Rafting in May",
            "friends",
            "Wetsuits are theirs, 75 euros each. Meet Leopold at the bridge at 9:30.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Rafting in May")]),
    ]
}
