//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-nativity-props",
            "Schreib für das Krippenspiel bitte noch zwei Laternen und Stroh zu den Requisiten dazu",
            Expected::default().change(
                "Requisiten fürs Krippenspiel",
                &[
                    "hirtenstäbe",
                    "goldpapier",
                    "2&laterne|zwei&laterne",
                    "stroh",
                ],
            ),
        )
        .note(
            "Requisiten fürs Krippenspiel",
            "kirche",
            "- 3 Hirtenstäbe\n- Goldpapier",
        )
        .note(
            "Laternenumzug",
            "kinder",
            "Treffpunkt am Pumpenhaus um 17:20. Ersatzbirnen hat Frau Petersen.",
        )
        .solved_by(&[Edit::Append(
            "Requisiten fürs Krippenspiel",
            "\n- 2 Laternen\n- Stroh",
        )]),
        Task::strict(
            "german-bulky-waste",
            "der sperrmüll wird nicht am 4.11. geholt sondern erst am 11.11., änder das mal bitte",
            Expected::default()
                .change(
                    "Sperrmüll",
                    &[
                        "11.11|11.11.|11. Nov|11 Nov|11-11|11/11|elfter november|elften november",
                        "7 uhr|7:00|7.00|07:00|sieben",
                        "straße|strasse",
                        "matratzen",
                    ],
                )
                .lacking(&["4.11|4.11.|04.11|04.11.|4. Nov|4 Nov|vierte"]),
        )
        .note(
            "Sperrmüll",
            "haus",
            "Abholung am 4.11., ab 7 Uhr an die Straße stellen.\nMatratzen gehen extra",
        )
        .note(
            "Grünschnitt",
            "haus",
            "Abholung am 4.11., nur gebündelt. Höchstens anderthalb Meter lang.",
        )
        .solved_by(&[Edit::Replace("Sperrmüll", "4.11.", "11.11.")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-toy-library",
            "le circuit de billes est déjà rendu, tu peux l'enlever de la liste pour la ludothèque stp",
            Expected::default()
                .change(
                    "À rendre à la ludothèque",
                    &["dînette", "dominos", "marionnettes"],
                )
                .lacking(&["circuit", "billes"]),
        )
        .note(
            "À rendre à la ludothèque",
            "enfants",
            "- la dînette\n- le circuit de billes\n- les dominos géants\n- deux marionnettes",
        )
        .note(
            "Idées cadeaux pour Maël",
            "enfants",
            "- un circuit de billes, en bois\n- un livre sur les requins",
        )
        .solved_by(&[Edit::Replace(
            "À rendre à la ludothèque",
            "- le circuit de billes\n",
            "",
        )]),
        Task::strict(
            "french-driving-lesson",
            "Garde-moi ça quelque part : première leçon de conduite de Solène jeudi à 17h15, départ devant la \
             mairie, le moniteur s'appelle Benali, c'est 48 euros et il lui faut ses lunettes",
            Expected::default().new_note(&[
                "solène|solene",
                "conduite|conduire",
                "jeudi",
                "17h15|17 h 15|17h 15|17:15|17.15",
                "mairie",
                "benali",
                "48",
                "lunettes",
            ]),
        )
        .note(
            "Mairie",
            "village",
            "Fermée le mercredi. Demander madame Roussel pour les extraits.",
        )
        .note(
            "Lunettes de piscine",
            "sport",
            "Taille enfant, le bandeau casse vite. 9 euros.",
        )
        .solved_by(&[Edit::Create(
            "Leçon de conduite de Solène",
            "Première leçon jeudi à 17h15 devant la mairie.\nMoniteur : Benali\n48 euros\nPrendre les lunettes",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-kimono-teacher",
            "着付け教室の先生、田村さんから西野さんに代わったんだって。メモ直しといて",
            Expected::default()
                .change(
                    "着付け教室",
                    &["西野", "二階", "足袋", "二千円|2000円|2,000円|2千円"],
                )
                .lacking(&["田村"]),
        )
        .note(
            "着付け教室",
            "習い事",
            "先生は田村さん。\n場所は呉服屋の二階。\n足袋を忘れない。\n一回二千円。",
        )
        .note(
            "お茶会",
            "習い事",
            "田村さんが車を出してくれる。\n懐紙を買う。",
        )
        .solved_by(&[Edit::Replace("着付け教室", "田村", "西野")]),
    ]
}
