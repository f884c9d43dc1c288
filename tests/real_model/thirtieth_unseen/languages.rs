//! German, French, Japanese and Spanish.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese(), spanish()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-nappy-bag",
            "schreib noch feuchttücher und eine ersatzhose auf die liste für die \
             wickeltasche, danke",
            Expected::default().change(
                "Wickeltasche",
                &[
                    "6 windeln",
                    "schnuller",
                    "feuchttücher|feuchttuch|feuchte tücher",
                    "hose",
                ],
            ),
        )
        .note("Wickeltasche", "baby", "- 6 Windeln\n- Schnuller")
        .note(
            "Strandtasche",
            "urlaub",
            "- Sonnensegel\n- Eimer und Schaufel",
        )
        .solved_by(&[Edit::Append(
            "Wickeltasche",
            "\n- Feuchttücher\n- Ersatzhose",
        )]),
        Task::strict(
            "german-shelter-bus",
            "Zum Tierheim fährt die 64, die 46 habe ich da falsch aufgeschrieben. \
             Bitte verbessern.",
            Expected::default()
                .change(
                    "Tierheim",
                    &[
                        "64",
                        "waldfriedhof",
                        "10 minuten|zehn minuten",
                        "dienstags",
                        "brinkmann",
                    ],
                )
                .lacking(&["46"]),
        )
        .note(
            "Tierheim",
            "ehrenamt",
            "Mit dem Bus 46 bis Waldfriedhof, dann 10 Minuten zu Fuß.\nHunde \
             ausführen nur dienstags\nFutterspenden an Frau Brinkmann",
        )
        .note(
            "Tierarzt",
            "hund",
            "Mit dem Bus 46 bis Marktplatz. Impfpass mitnehmen.",
        )
        .solved_by(&[Edit::Replace("Tierheim", "46", "64")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-english-lessons",
            "Les cours d'anglais d'Inès passent du mardi au jeudi, l'heure ne change \
             pas. Tu peux corriger dans la note ?",
            Expected::default()
                .change(
                    "Cours d'anglais d'Inès",
                    &[
                        "jeudi",
                        "17h30|17 h 30|17h 30|17:30|17.30",
                        "whitlock",
                        "cahier rouge",
                        "24 euro",
                    ],
                )
                .lacking(&["mardi"]),
        )
        .note(
            "Cours d'anglais d'Inès",
            "enfants",
            "Le mardi à 17h30 chez Mrs Whitlock.\nApporter le cahier rouge\n24 euros \
             la séance",
        )
        .note(
            "Judo d'Inès",
            "enfants",
            "Le mardi à 14h15, dojo du port. Ceinture à recoudre.",
        )
        .solved_by(&[Edit::Replace("Cours d'anglais d'Inès", "mardi", "jeudi")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-curry-shopping",
            "カレーの材料に玉ねぎ三個と福神漬けも足しといて。明日買いに行くから",
            Expected::default().change(
                "カレーの材料",
                &[
                    "じゃがいも",
                    "豚肉",
                    "玉ねぎ&三|玉ねぎ&3|玉葱&三|玉葱&3|玉ネギ&三|玉ネギ&3|たまねぎ&三|\
                     たまねぎ&3|タマネギ&三|タマネギ&3",
                    "福神漬",
                ],
            ),
        )
        .note("カレーの材料", "料理", "・じゃがいも\n・豚肉")
        .note(
            "ホットケーキ",
            "料理",
            "玉子は二個。\n牛乳を少し減らすとふっくらする。",
        )
        .solved_by(&[Edit::Append("カレーの材料", "\n・玉ねぎ 三個\n・福神漬け")]),
    ]
}

fn spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "spanish-drill-returned",
            "Rocío ya me ha devuelto el taladro, quítalo de las cosas prestadas porfa",
            Expected::default()
                .change("Cosas prestadas", &["escalera&nacho", "sillas&cuñado"])
                .lacking(&["taladro", "rocío|rocio"]),
        )
        .note(
            "Cosas prestadas",
            "casa",
            "- la escalera, a Nacho\n- el taladro, a Rocío\n- dos sillas plegables, \
             a mi cuñado",
        )
        .note(
            "Caja de herramientas",
            "casa",
            "El taladro va en el cajón de abajo, las brocas en la lata.",
        )
        .solved_by(&[Edit::Replace(
            "Cosas prestadas",
            "- el taladro, a Rocío\n",
            "",
        )]),
    ]
}
