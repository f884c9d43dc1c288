//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Batches of the long note.
const BATCHES: usize = 75;

/// Returns a log of home brewing, one line a batch, no two of them alike.
pub(super) fn brewing_log() -> String {
    const BEERS: [&str; 7] = [
        "pale ale",
        "stout",
        "wheat beer",
        "lager",
        "brown ale",
        "saison",
        "bock",
    ];
    const REMARKS: [&str; 8] = [
        "fermented too warm",
        "clear and dry",
        "a little flat",
        "good foam",
        "better after two months",
        "too bitter for most",
        "yeast from the last batch",
        "nobody complained",
    ];
    let line = |batch: usize| match batch {
        17 => "Batch 17: red ale with 53 g of Saaz hops, bottled on a Sunday.".to_owned(),
        48 => "Batch 48: a porter for Zeynep's wedding, smoked malt.".to_owned(),
        66 => "Batch 66: three bottles burst, the sugar was weighed twice.".to_owned(),
        _ => format!(
            "Batch {batch}: {}, {} litres, {}.",
            BEERS[batch * 3 % BEERS.len()],
            10 + batch * 7 % 23,
            REMARKS[batch * 5 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=BATCHES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "log-hops",
            "typo in the brewing log: batch 17 had 35 g of hops, not 53",
            Expected::default()
                .change(
                    "Brewing log",
                    &["batch 17&35&saaz", "batch 48&porter", "batch 75"],
                )
                .lacking(&["53 g", "53g"]),
        )
        .note("Brewing log", "beer, brewing", &brewing_log())
        .note(
            "Hops",
            "beer, brewing",
            "53 g of Saaz are left in the freezer.",
        )
        .solved_by(&[Edit::Replace("Brewing log", "53 g", "35 g")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-errands",
            "Put collecting the new keys on my errands, thanks",
            Expected::default().change("Errands", &["bottles", "suit", "key"]),
        )
        .note(
            "Errands",
            "errands",
            "- return the bottles\n- fetch the suit",
        )
        .among(crowd())
        .solved_by(&[Edit::Append("Errands", "\n- collect the new keys")]),
        Task::strict(
            "crowd-questionnaire",
            "I've sent the questionnaire to the allergy clinic, you can tick that off",
            Expected::default()
                .change(
                    "Allergy clinic",
                    &["[x]&appointment", "[x]&questionnaire", "[ ]&referral"],
                )
                .lacking(&["[ ]&questionnaire"]),
        )
        .note(
            "Allergy clinic",
            "health",
            "- [x] make an appointment\n- [ ] send the questionnaire\n- [ ] ask for the referral",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace(
            "Allergy clinic",
            "[ ] send the questionnaire",
            "[x] send the questionnaire",
        )]),
    ]
}
