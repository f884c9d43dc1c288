//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-packing",
            "auf die packliste für föhr müssen noch gummistiefel und der drachen",
            Expected::default().change(
                "Packliste Föhr",
                &["sonnencreme", "badehosen", "gummistiefel", "drachen"],
            ),
        )
        .note(
            "Packliste Föhr",
            "urlaub, föhr",
            "- Sonnencreme\n- Badehosen",
        )
        .note(
            "Ferienwohnung Föhr",
            "urlaub, föhr",
            "Der Schlüssel liegt beim Bäcker in Nieblum.",
        )
        .solved_by(&[Edit::Append(
            "Packliste Föhr",
            "\n- Gummistiefel\n- Drachen",
        )]),
        Task::strict(
            "german-kita",
            "Die Kita schließt freitags jetzt schon um 15 Uhr. Kannst du das bitte ändern?",
            Expected::default()
                .change(
                    "Öffnungszeiten Kita",
                    &["donnerstag&17", "freitag&15|freitag&15:00|freitag&15.00"],
                )
                .lacking(&["freitag&16"]),
        )
        .note(
            "Öffnungszeiten Kita",
            "kita",
            "Montag bis Donnerstag: bis 17 Uhr\nFreitag: bis 16 Uhr",
        )
        .note(
            "Kita Essen",
            "kita",
            "Freitags gibt es Fisch, Nachtisch um 12 Uhr.",
        )
        .solved_by(&[Edit::Replace(
            "Öffnungszeiten Kita",
            "bis 16 Uhr",
            "bis 15 Uhr",
        )]),
    ]
}

fn french_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "french-plumber",
            "Peux-tu faire une nouvelle note : la plombière passe mardi à 8h15 pour le chauffe-eau.",
            Expected::default().new_note(&[
                "plombière|plombiere",
                "mardi",
                "8h15|8 h 15|08h15|8:15|08:15|8.15",
                "chauffe-eau|chauffe eau",
            ]),
        )
        .note(
            "Jardinier",
            "maison",
            "Il taille la haie deux fois par an, 90 euros.",
        )
        .solved_by(&[Edit::Create(
            "Plombière",
            "La plombière passe mardi à 8h15 pour le chauffe-eau.",
        )]),
        Task::strict(
            "japanese-dentist",
            "歯医者の予約は午後三時ではなく、午後四時になりました。直しておいてください。",
            Expected::default()
                .change(
                    "歯医者",
                    &[
                        "六月十日|6月10日",
                        "午後四時|午後4時|16時|16:00",
                        "保険証",
                    ],
                )
                .lacking(&["三時", "午後3時", "15時"]),
        )
        .note(
            "歯医者",
            "歯医者",
            "次の予約は六月十日の午後三時です。\n保険証を持っていく。",
        )
        .note("美容院", "美容院", "予約は電話だけです。火曜日は休み。")
        .solved_by(&[Edit::Replace("歯医者", "午後三時", "午後四時")]),
    ]
}
