//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-fleamarket",
            "für den flohmarkt brauchen wir noch wechselgeld und einen pavillon, schreib das mit auf die \
             liste",
            Expected::default().change(
                "Liste Flohmarkt",
                &["tapeziertisch", "kleiderstange", "wechselgeld", "pavillon"],
            ),
        )
        .note(
            "Liste Flohmarkt",
            "flohmarkt",
            "- Tapeziertisch\n- Kleiderstange",
        )
        .note(
            "Standgebühr Flohmarkt",
            "flohmarkt",
            "Drei Meter kosten 24 Euro, zahlbar vor Ort.",
        )
        .solved_by(&[Edit::Append(
            "Liste Flohmarkt",
            "\n- Wechselgeld\n- Pavillon",
        )]),
        Task::strict(
            "german-floor",
            "Frau Wieczorek ist vom ersten in den dritten Stock gezogen, änderst du das bitte bei den \
             Nachbarn?",
            Expected::default()
                .change(
                    "Nachbarn",
                    &["wieczorek&3|wieczorek&dritte", "acar&2", "blume&4"],
                )
                .lacking(&["wieczorek&1", "wieczorek&erste"]),
        )
        .note(
            "Nachbarn",
            "haus",
            "Frau Wieczorek: 1. Stock\nFamilie Acar: 2. Stock\nHerr Blume: 4. Stock",
        )
        .note(
            "Waschküche",
            "haus",
            "Frau Wieczorek wäscht dienstags, wir am Mittwoch.",
        )
        .solved_by(&[Edit::Replace("Nachbarn", "1. Stock", "3. Stock")]),
    ]
}

fn french_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "french-hike",
            "Karim ne vient plus dimanche, tu peux l'enlever de la liste de la rando ?",
            Expected::default()
                .change("Rando de dimanche", &["maëlle|maelle", "odile"])
                .lacking(&["karim"]),
        )
        .note(
            "Rando de dimanche",
            "randonnée",
            "- Maëlle\n- Karim\n- Odile",
        )
        .note(
            "Refuge",
            "randonnée",
            "Karim connaît le gardien, six lits au maximum.",
        )
        .solved_by(&[Edit::Replace("Rando de dimanche", "- Karim\n", "")]),
        Task::strict(
            "japanese-recital",
            "ピアノの発表会のメモに、集合は十時と書き足しておいて。",
            Expected::default().change(
                "ピアノの発表会",
                &["月の光", "市民ホール", "集合", "十時|10時|10:00"],
            ),
        )
        .note(
            "ピアノの発表会",
            "ピアノ",
            "曲は「月の光」。\n会場は市民ホール。",
        )
        .note("ピアノの調律", "ピアノ", "毎年三月に林さんに頼む。")
        .solved_by(&[Edit::Append("ピアノの発表会", "\n集合は十時。")]),
    ]
}
