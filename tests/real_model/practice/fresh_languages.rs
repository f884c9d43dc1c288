//! Requests in other languages, as people type them.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns requests in German, French, Spanish, Italian and Japanese.
pub(super) fn tasks() -> Vec<Task> {
    [german_and_french(), southern(), japanese()].concat()
}

fn german_and_french() -> Vec<Task> {
    vec![
        Task::strict(
            "f-german-tick",
            "hab die Reifen gewechselt, hak das mal ab",
            Expected::default()
                .change("Auto", &["[x]&reifen", "[ ]&tüv", "[x]&scheibenwischer"])
                .lacking(&["[ ]&reifen"]),
        )
        .note(
            "Auto",
            "",
            "- [ ] Reifen wechseln\n- [ ] TÜV-Termin machen\n- [x] Scheibenwischer kaufen",
        )
        .note("Fahrrad", "", "- [ ] Reifen aufpumpen\n- [ ] Kette ölen")
        .solved_by(&[Edit::Replace(
            "Auto",
            "[ ] Reifen wechseln",
            "[x] Reifen wechseln",
        )]),
        Task::strict(
            "f-french-ask",
            "c'est quoi le digicode de chez Manon ?",
            Expected::default()
                .answer(&["47B09"], &["Manon"])
                .lacking(&["1852"]),
        )
        .note(
            "Manon",
            "",
            "12 rue des Lilas, quatrième étage.\nDigicode : 47B09",
        )
        .note(
            "Bureau",
            "",
            "Digicode : 1852A, demander Manon à l'accueil.",
        )
        .solved_by(&[Edit::Answer("47B09", &["Manon"])]),
    ]
}

fn southern() -> Vec<Task> {
    vec![
        Task::strict(
            "f-spanish-new",
            "apunta que el cumple de Inés es el 14 de marzo y que le gustan las orquídeas",
            Expected::default()
                .new_note(&[
                    "inés|ines",
                    "14 de marzo|14 marzo|14/03|14/3|14.03|14.3|03-14",
                    "orquídea|orquidea",
                ])
                .dictated(),
        )
        .note("Cumple de Pablo", "", "El 2 de julio. Le gusta el café.")
        .note("Orquídeas", "", "Regar una vez por semana.")
        .solved_by(&[Edit::Create(
            "Cumple de Inés",
            "El 14 de marzo. Le gustan las orquídeas.",
        )]),
        Task::strict(
            "f-italian-add",
            "aggiungi costume e crema solare alla lista per il mare",
            Expected::default().change(
                "Lista per il mare",
                &["asciugamani", "occhiali da sole", "costume", "crema solare"],
            ),
        )
        .note("Lista per il mare", "", "- asciugamani\n- occhiali da sole")
        .note("Lista per la montagna", "", "- scarponi\n- giacca a vento")
        .solved_by(&[Edit::Append(
            "Lista per il mare",
            "\n- costume\n- crema solare",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "f-japanese-day",
            "歯医者の予約、木曜日になりました。時間は同じです。",
            Expected::default()
                .change("歯医者", &["木曜", "10時|十時|10:00", "保険証"])
                .lacking(&["水曜"])
                .dictated(),
        )
        .note(
            "歯医者",
            "",
            "予約は水曜日の10時です。\n保険証を持って行く。",
        )
        .note("美容院", "", "予約は水曜日の15時です。")
        .solved_by(&[Edit::Replace("歯医者", "水曜日", "木曜日")]),
    ]
}
