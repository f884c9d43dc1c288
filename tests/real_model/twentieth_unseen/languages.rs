//! German, French, Italian and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_italian(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-hut-anhalter",
            "wir schlafen auf der bergtour jetzt doch in der anhalter hütte statt in der steinseehütte, änderst du \
             das mal",
            Expected::default()
                .change(
                    "Bergtour",
                    &[
                        "4 stunden",
                        "anhalter",
                        "lager für 6",
                        "hüttenschlafsäcke",
                    ],
                )
                .lacking(&["steinsee"]),
        )
        .note(
            "Bergtour",
            "berge",
            "Aufstieg gut 4 Stunden.\nÜbernachtung: Steinseehütte, Lager für 6\nHüttenschlafsäcke nicht vergessen",
        )
        .note(
            "Kletterwoche",
            "berge",
            "Steinseehütte im August, Seil und Helme bringt Korbinian mit.",
        )
        .solved_by(&[Edit::Replace(
            "Bergtour",
            "Steinseehütte",
            "Anhalter Hütte",
        )]),
        Task::strict(
            "german-choir-trip-gundula",
            "Gundula hat sich den Fuß gebrochen und kann leider nicht mit auf die Chorfahrt. Nimmst du sie bitte von \
             der Liste der Mitfahrenden?",
            Expected::default()
                .change(
                    "Chorfahrt",
                    &["hannelore", "ansgar", "tietjen", "7:20", "kirchplatz"],
                )
                .lacking(&["gundula", "einzelzimmer"]),
        )
        .note(
            "Chorfahrt",
            "chor",
            "Mitfahrende:\n- Hannelore\n- Gundula (Einzelzimmer)\n- Ansgar\n- Frau Tietjen\nAbfahrt um 7:20 Uhr am \
             Kirchplatz",
        )
        .note(
            "Notenschrank",
            "chor",
            "Gundula hat den einen Schlüssel, den anderen der Küster.",
        )
        .solved_by(&[Edit::Replace(
            "Chorfahrt",
            "- Gundula (Einzelzimmer)\n",
            "",
        )]),
    ]
}

fn french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "french-chimney-sweep",
            "Peux-tu noter que le ramoneur passe le 14 mai vers 9h30, que ça fera 75 euros, et qu'il faudra dégager \
             le devant du poêle ?",
            Expected::default().new_note(&[
                "ramon",
                "14 mai|14.5|14.5.|14.05|14.05.|05-14|14/5|14/05|quatorze mai",
                "9h30|09h30|9 h 30|09 h 30|9:30|09:30|9.30|neuf heures et demie",
                "75|soixante-quinze",
                "dégag|degag",
                "poêle|poele",
            ]),
        )
        .note(
            "Bois de chauffage",
            "maison",
            "Trois stères de hêtre, livrés le 14 octobre. Le devant du garage doit être libre.",
        )
        .note(
            "Plombier",
            "maison",
            "M. Castaing, 75 euros le déplacement. Ne répond jamais avant 9h30.",
        )
        .solved_by(&[Edit::Create(
            "Ramoneur",
            "Le 14 mai vers 9h30, 75 euros. Dégager le devant du poêle.",
        )]),
        Task::strict(
            "italian-rucksack-flasks",
            "mi metti due borracce e i cerotti nella lista dello zaino? grazie mille",
            Expected::default().change(
                "Lista dello zaino",
                &[
                    "giacca a vento",
                    "4 barrette",
                    "2&borrac|due&borrac",
                    "cerott",
                ],
            ),
        )
        .note(
            "Lista dello zaino",
            "montagna",
            "- giacca a vento\n- 4 barrette",
        )
        .note(
            "Zaino di scuola",
            "famiglia",
            "La borraccia di Tommaso perde. Due quaderni a righe per martedì.",
        )
        .solved_by(&[Edit::Append(
            "Lista dello zaino",
            "\n- 2 borracce\n- cerotti",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-car-inspection",
            "車検の日ですが、十一月五日じゃなくて十二日になりました。メモを直しておいてもらえますか。",
            Expected::default()
                .change(
                    "車検",
                    &[
                        "十一月十二日|十一月12日|11月12日|11月十二日|11/12|11-12|11.12",
                        "九時",
                        "代車",
                        "八万円",
                    ],
                )
                .lacking(&["月五日|月5日|11/5|11/05|11-05|11.5|11.05"]),
        )
        .note(
            "車検",
            "車",
            "十一月五日の朝九時に持ち込む。\n代車は頼んである。\n費用は八万円くらい。",
        )
        .note(
            "町内の運動会",
            "町内",
            "十一月五日、雨なら次の日曜。お茶は班長さんが用意する。",
        )
        .solved_by(&[Edit::Replace("車検", "十一月五日", "十一月十二日")]),
    ]
}
