//! What the models are asked to do, and how to see in the files whether they did.

use serde_json::Value;

/// A task on a root of its own.
pub(crate) struct Task {
    /// Its name in the output.
    pub(crate) name: &'static str,
    /// Notes that exist before: title, keywords, text.
    pub(crate) notes: &'static [(&'static str, &'static str, &'static str)],
    /// What is asked.
    pub(crate) request: &'static str,
    /// Whether notes and RAM show that it was done.
    pub(crate) reached: fn(&[Value], &Value) -> bool,
}

const HOUSEHOLD: &[(&str, &str, &str)] = &[
    (
        "Rosemary",
        "rosemary, herbs",
        "Rosemary needs sun and little water.",
    ),
    (
        "Bicycle tyres",
        "bicycle, tyres",
        "The bicycle has 28 inch tyres.",
    ),
];

/// The tasks, the most telling first.
pub(crate) const TASKS: &[Task] = &[
    Task {
        name: "one note",
        notes: &[],
        request: "Save a note that the dentist appointment is on Tuesday at 9.",
        reached: |notes, _| notes.len() == 1 && any(notes, &["dentist", "tuesday", "9"]),
    },
    Task {
        name: "three notes",
        notes: &[],
        request: "Turn this text into three short notes: Basil likes warm places. Mint grows in the shade. Thyme needs dry soil.",
        reached: |notes, _| {
            notes.len() >= 3
                && any(notes, &["basil", "warm"])
                && any(notes, &["mint", "shade"])
                && any(notes, &["thyme", "dry"])
        },
    },
    Task {
        name: "remember",
        notes: &[],
        request: "Remember that my favourite tea is sencha.",
        reached: |notes, ram| {
            any(notes, &["sencha"]) || ram.to_string().to_lowercase().contains("sencha")
        },
    },
    Task {
        name: "add to a note",
        notes: HOUSEHOLD,
        request: "Find my note about the bicycle and add that the pump is in the cellar.",
        reached: |notes, _| any(notes, &["28", "pump", "cellar"]),
    },
    Task {
        name: "symbols",
        notes: &[],
        request: "Save this as a note titled Shell trick: if a < b && c > d then run cp x & wait",
        reached: |notes, _| any(notes, &["a < b && c > d"]),
    },
    Task {
        name: "correct a note",
        notes: HOUSEHOLD,
        request: "The bicycle has 26 inch tyres, not 28. Correct the note Bicycle tyres.",
        reached: |notes, _| notes.len() == 2 && any(notes, &["26"]) && !any(notes, &["has 28"]),
    },
    Task {
        name: "two facts",
        notes: &[],
        request: "Note down: Anna has the spare key. The boiler is serviced in March.",
        reached: |notes, _| any(notes, &["anna", "key"]) && any(notes, &["boiler", "march"]),
    },
    Task {
        name: "link",
        notes: HOUSEHOLD,
        request: "Link the note Bicycle tyres to the note Rosemary.",
        reached: |notes, _| {
            any(notes, &["28"])
                && notes.iter().any(|note| {
                    note["links"]
                        .as_array()
                        .is_some_and(|links| !links.is_empty())
                })
        },
    },
];

/// Whether one note holds all of the words.
fn any(notes: &[Value], words: &[&str]) -> bool {
    notes.iter().any(|note| {
        let text = format!("{} {}", note["title"], note["value"]).to_lowercase();
        words.iter().all(|word| text.contains(word))
    })
}
