//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Days of the long note.
const DAYS: usize = 80;

/// Returns a log of a greenhouse, one line a day, no two of them alike.
pub(super) fn greenhouse_log() -> String {
    const SKIES: [&str; 7] = [
        "cloudless",
        "thunder in the evening",
        "a light haze",
        "windy from the west",
        "rain until noon",
        "overcast",
        "sun and clouds in turn",
    ];
    const HELPERS: [&str; 6] = ["Casper", "Noor", "Mattias", "Jolanta", "Ebba", "Rico"];
    let line = |day: usize| match day {
        23 => "Day 23: the roof vent jammed at 38 degrees, Casper propped it open.".to_owned(),
        47 => "Day 47: the first ripe cucumber, 310 grams.".to_owned(),
        66 => "Day 66: a hedgehog was asleep behind the water butt.".to_owned(),
        _ => format!(
            "Day {day}: {} to {} degrees, {}, watered by {}.",
            9 + day * 7 % 8,
            21 + day * 5 % 13,
            SKIES[day * 3 % SKIES.len()],
            HELPERS[day * 5 % HELPERS.len()]
        ),
    };
    let lines: Vec<String> = (1..=DAYS).map(line).collect();
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
            "log-greenhouse",
            "In the greenhouse log, day 23: it wasn't Casper who propped the vent open, it was Noor.",
            Expected::default()
                .change(
                    "Greenhouse log",
                    &[
                        "day 23&vent&38&noor",
                        "day 47&cucumber",
                        "day 66&hedgehog",
                        "day 80",
                    ],
                )
                .lacking(&["day 23&casper"]),
        )
        .note("Greenhouse log", "greenhouse", &greenhouse_log())
        .note(
            "Greenhouse key",
            "greenhouse",
            "Casper has one, the other one is under the blue pot.",
        )
        .solved_by(&[Edit::Replace(
            "Greenhouse log",
            "Casper propped",
            "Noor propped",
        )]),
    ]
}

fn changed_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-chess",
            "hall is booked for the chess tournament, can you check that box",
            Expected::default()
                .change(
                    "Chess tournament",
                    &["[x]&clubs", "[x]&hall", "[ ]&clocks", "[ ]&trophy"],
                )
                .lacking(&["[ ]&hall"]),
        )
        .note(
            "Chess tournament",
            "chess",
            "- [x] invite the clubs\n- [ ] book the hall\n- [ ] borrow six clocks\n- [ ] engrave the trophy",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace(
            "Chess tournament",
            "[ ] book",
            "[x] book",
        )]),
        Task::strict(
            "crowd-phone",
            "our phone contract is 24.90 a month now",
            Expected::default()
                .change(
                    "Phone contract",
                    &["448812", "24.90|24,90|24.9|24,9", "end of may"],
                )
                .lacking(&["29.90|29,90"])
                .dictated(),
        )
        .note(
            "Phone contract",
            "contracts",
            "Customer number 448812\n29.90 euros a month\nRuns until the end of May",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Phone contract", "29.90", "24.90")]),
    ]
}

fn added_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-rabbits",
            "the rabbits get their vaccination on 8 october at 16:20, could you add that to the note about them",
            Expected::default().change(
                "Rabbits",
                &[
                    "pebble",
                    "moss",
                    "aalto",
                    "vaccin|jab",
                    "8 Oct|8. Oct|Oct 8|October 8|Oct 08|October 08|8th|8.10|08.10|8.10.|08.10.|10-08|10/8|10/08\
                     |8/10|08/10",
                    "16:20|16.20|4:20|4.20|twenty past four|16h20",
                ],
            ),
        )
        .note(
            "Rabbits",
            "pets",
            "Pebble is the grey one, Moss the brown one.\nVet: Dr Aalto",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Rabbits",
            "\nVaccination: 8 October, 16:20",
        )]),
    ]
}

fn whole_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-wifi",
            "can u save this somewhere: wifi in the holdiay flat is casa_marina, pasword tuna-4711, router is \
             behind teh tv. thx!",
            Expected::default().new_note(&[
                "wifi|wi-fi|wlan|wireless",
                "casa_marina|casa\\_marina|casa marina",
                "tuna-4711|tuna\\-4711",
                "router",
                "tv|television",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Wifi in the holiday flat",
            "Network: casa_marina\nPassword: tuna-4711\nThe router is behind the TV.",
        )]),
        Task::strict(
            "delete-crowd-deposit",
            "We've finally got the deposit for the old flat back, so the note about it can be deleted.",
            Expected::default().delete("Deposit for the flat in Alder Lane"),
        )
        .note(
            "Deposit for the flat in Alder Lane",
            "flat",
            "1,860 euros, Mrs Thorvald has to pay it back by Easter. Reminded her twice.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Deposit for the flat in Alder Lane")]),
    ]
}
