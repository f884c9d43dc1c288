//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Runs in the long note.
const RUNS: usize = 84;

/// Returns the log of somebody who carries things through the city by bicycle, one line a run, no
/// two of them alike.
pub(super) fn courier_log() -> String {
    const THINGS: [&str; 8] = [
        "a set of keys",
        "two blood samples",
        "a roll of plans",
        "a forgotten laptop",
        "a lunch for six",
        "a signed contract",
        "a pair of spectacles",
        "a box of proofs",
    ];
    const REMARKS: [&str; 9] = [
        "nobody at the door",
        "headwind all along the quay",
        "the lift was out",
        "a tip in coins",
        "wrong house number at first",
        "the bridge was up",
        "they offered me water",
        "chain came off once",
        "signed by the porter",
    ];
    let line = |run: usize| match run {
        19 => "Run 19: a wedding cake, dropped it at the lights, Hartwig forgave me for a bottle \
               of grappa."
            .to_owned(),
        47 => "Run 47: cello strings for Wilhelmina, 25 minutes, rain all the way.".to_owned(),
        66 => "Run 66: a live lobster to the Institute, it got out in the stairwell.".to_owned(),
        _ => format!(
            "Run {run}: {}, {} minutes, {}.",
            THINGS[run * 3 % THINGS.len()],
            27 + run * 7 % 31,
            REMARKS[run * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=RUNS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "courier-log-run-47",
            "courier log, run 47, the cello strings: it wasn't 25 minutes, i looked it up in the \
             app and it was 52. put that straight for me",
            Expected::default()
                .change(
                    "Courier log",
                    &[
                        "run 47&cello&wilhelmina&52&rain|run 47&cello&wilhelmina&fifty-two&rain",
                        "run 19&hartwig",
                        "run 66&lobster",
                        "run 84",
                    ],
                )
                .lacking(&["run 47&25|run 47&twenty-five"]),
        )
        .note("Courier log", "work", &courier_log())
        .note(
            "Cello lessons",
            "music",
            "25 minutes for beginners, then 45. Wilhelmina sells used strings.",
        )
        .solved_by(&[Edit::Replace("Courier log", "25 minutes", "52 minutes")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-toner",
            "We had the wrong toner down for the printer on the second floor. It is 117X it takes, \
             not 117A. Do change it before somebody orders another crate of the stuff.",
            Expected::default()
                .change(
                    "Printer second floor",
                    &["117X|117-X|117 X", "brandvold", "6608", "flap"],
                )
                .lacking(&["117A|117-A|117 A"]),
        )
        .note(
            "Printer second floor",
            "office",
            "Toner 117A, from Brandvold's.\nCode for scanning: 6608\nJammed paper sits behind flap \
             C",
        )
        .note(
            "Printer first floor",
            "office",
            "Toner 117A, from Brandvold's. Prints pink on Mondays.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Printer second floor", "117A", "117X")]),
        Task::strict(
            "crowd-customs-parcel",
            "the parcel from osaka made it through customs, it's on my desk, it smells of tea. so \
             you can chuck the note about it being stuck",
            Expected::default().delete("Parcel stuck in customs"),
        )
        .note(
            "Parcel stuck in customs",
            "post",
            "From Osaka, reference QX 5517. They want to see the invoice and a passport.",
        )
        .note(
            "Parcel to send to Osaka",
            "post",
            "Chocolate and the calendar for Mrs Kuroda. It needs a customs form.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Parcel stuck in customs")]),
    ]
}
