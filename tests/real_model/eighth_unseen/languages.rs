//! German, French, Spanish and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_french(), spanish_and_japanese()].concat()
}

fn german_and_french() -> Vec<Task> {
    vec![
        Task::strict(
            "german-tyres",
            "Der Reifenwechsel ist jetzt erst am Donnerstag statt am Mittwoch, Uhrzeit bleibt gleich. \
             Kannst du das bei Werkstatt ändern?",
            Expected::default()
                .change(
                    "Werkstatt",
                    &[
                        "reifenwechsel&donnerstag",
                        "reifenwechsel&7:45|reifenwechsel&07:45|reifenwechsel&7.45",
                        "oktober",
                        "25",
                    ],
                )
                .lacking(&["mittwoch"]),
        )
        .note(
            "Werkstatt",
            "auto",
            "Reifenwechsel: Mittwoch, 7:45\nTÜV: fällig im Oktober\nLeihwagen: 25 Euro am Tag",
        )
        .note(
            "Dachbox",
            "auto",
            "Am Mittwoch von Familie Reuter geholt, passt nur auf den Kombi.",
        )
        .solved_by(&[Edit::Replace("Werkstatt", "Mittwoch", "Donnerstag")]),
        Task::strict(
            "french-picnic",
            "tu peux rajouter la crème solaire et des serviettes en papier pour le pique-nique de \
             l'école stp",
            Expected::default().change(
                "Pique-nique de l'école",
                &["gobelets", "nappe", "crème solaire|creme solaire", "serviettes"],
            ),
        )
        .note(
            "Pique-nique de l'école",
            "école",
            "- gobelets\n- nappe",
        )
        .note(
            "Cantine",
            "école",
            "Pas de poisson pour Anouk, le badge est dans son cartable.",
        )
        .solved_by(&[Edit::Append(
            "Pique-nique de l'école",
            "\n- crème solaire\n- serviettes en papier",
        )]),
    ]
}

fn spanish_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "spanish-gym",
            "Ya me di de baja del gimnasio, bórralo de los gastos fijos porfa",
            Expected::default()
                .change("Gastos fijos", &["alquiler&780", "internet&29"])
                .lacking(&["gimnasio", "34"]),
        )
        .note(
            "Gastos fijos",
            "dinero",
            "- Alquiler: 780\n- Gimnasio: 34\n- Internet: 29",
        )
        .note(
            "Rutina de espalda",
            "salud",
            "Diez minutos cada mañana, sin las máquinas del gimnasio.",
        )
        .solved_by(&[Edit::Replace("Gastos fijos", "- Gimnasio: 34\n", "")]),
        Task::strict(
            "japanese-dentist",
            "歯医者の予約、四時じゃなくて五時半になったよ。メモ直しておいて。",
            Expected::default()
                .change(
                    "歯医者",
                    &[
                        "六月三日|6月3日",
                        "五時半|5時半|五時三十分|5時30分|5:30|17:30|17時半|17時30分",
                        "診察券",
                    ],
                )
                .lacking(&["四時", "4時"]),
        )
        .note(
            "歯医者",
            "健康",
            "予約は六月三日の四時。\n診察券は財布の中。",
        )
        .note("美容院", "", "予約は六月八日の四時。担当は中村さん。")
        .solved_by(&[Edit::Replace("歯医者", "四時", "五時半")]),
    ]
}
