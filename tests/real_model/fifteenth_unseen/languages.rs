//! German, French, Italian and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_italian(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-ice-rink",
            "leg ma ne neue notiz an: eisbahn macht am 14. november auf, leihschlittschuhe kosten 5 euro und \
             dienstags ist ab 20 uhr eisdisco. handschuhe sind pflicht",
            Expected::default().new_note(&[
                "eisbahn",
                "14. Nov|14 Nov|14.11|14.11.|11-14|11/14|vierzehnte",
                "schlittschuh",
                "5|fünf|5,00|5.00",
                "dienstag",
                "20 uhr|20:00|20.00|20h|20 h|8 uhr abends",
                "disco|disko",
                "handschuh",
            ]),
        )
        .note(
            "Schlittschuhe",
            "sport",
            "Größe 38, die Kufen schleift Herr Wendt. 5 Euro das Paar.",
        )
        .note(
            "Tanzkreis",
            "freizeit",
            "Dienstags ab 20 Uhr, Halbschuhe mit Ledersohle sind Pflicht.",
        )
        .solved_by(&[Edit::Create(
            "Eisbahn",
            "Macht am 14. November auf. Leihschlittschuhe kosten 5 Euro. Dienstags ist ab 20 Uhr Eisdisco. Handschuhe \
             sind Pflicht.",
        )]),
        Task::strict(
            "german-kale-dinner",
            "Zum Grünkohlessen kommen noch zwei dazu, also brauchen wir den Tisch für 19 Leute und nicht für 17. \
             Trag das bitte so ein.",
            Expected::default()
                .change(
                    "Grünkohlessen",
                    &[
                        "19|neunzehn",
                        "18:30|18.30|halb sieben",
                        "22:40",
                        "margret",
                    ],
                )
                .lacking(&["17|siebzehn"]),
        )
        .note(
            "Grünkohlessen",
            "verein",
            "Tisch für 17 Leute, ab 18:30 Uhr.\nDer Bus fährt um 22:40 Uhr zurück.\nMargret hält die Rede",
        )
        .note(
            "Boßeltour",
            "verein",
            "17 Leute, zwei Bollerwagen. Grünkohl gibt es danach keinen.",
        )
        .solved_by(&[Edit::Replace("Grünkohlessen", "17", "19")]),
    ]
}

fn french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "french-tricycle",
            "le tricycle, finalement on le garde pour le petit dernier. tu l'enlèves de ce qu'on vend au \
             vide-grenier ?",
            Expected::default()
                .change(
                    "À vendre au vide-grenier",
                    &["lampe de chevet", "skis de maud", "deux cadres"],
                )
                .lacking(&["tricycle"]),
        )
        .note(
            "À vendre au vide-grenier",
            "maison",
            "- la lampe de chevet\n- le tricycle\n- les skis de Maud\n- deux cadres dorés",
        )
        .note(
            "À réparer",
            "maison",
            "- le tricycle, roue gauche\n- la pendule du grenier",
        )
        .solved_by(&[Edit::Replace(
            "À vendre au vide-grenier",
            "- le tricycle\n",
            "",
        )]),
        Task::strict(
            "italian-village-fair-ticks",
            "i volantini sono stampati e le panche le ho noleggiate: per la sagra segna come fatte tutte e due le cose, \
             grazie mille",
            Expected::default()
                .change(
                    "Sagra",
                    &[
                        "[x]&panche",
                        "[x]&banda",
                        "[x]&volantini",
                        "[ ]&salsicce",
                        "[ ]&griglia",
                    ],
                )
                .lacking(&["[ ]&panche", "[ ]&volantini"]),
        )
        .note(
            "Sagra",
            "paese",
            "- [ ] noleggiare le panche\n- [x] chiamare la banda\n- [ ] stampare i volantini\n- [ ] ordinare le \
             salsicce\n- [ ] pulire la griglia",
        )
        .note(
            "Torneo di bocce",
            "paese",
            "- [ ] stampare i volantini\n- [ ] segnare il campo",
        )
        .solved_by(&[
            Edit::Replace("Sagra", "[ ] noleggiare", "[x] noleggiare"),
            Edit::Replace("Sagra", "[ ] stampare", "[x] stampare"),
        ]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-sports-day",
            "運動会の持ち物に、日焼け止めとおにぎり八個を書き足してもらっていい？",
            Expected::default().change(
                "運動会の持ち物",
                &[
                    "水筒",
                    "レジャーシート",
                    "日焼け止め|日焼止め|日やけ止め",
                    "おにぎり&8|おにぎり&八|おむすび&8|おむすび&八",
                ],
            ),
        )
        .note("運動会の持ち物", "学校", "- 水筒\n- レジャーシート")
        .note("遠足のお弁当", "学校", "- おにぎり三個\n- 卵焼き")
        .solved_by(&[Edit::Append(
            "運動会の持ち物",
            "\n- 日焼け止め\n- おにぎり八個",
        )]),
    ]
}
