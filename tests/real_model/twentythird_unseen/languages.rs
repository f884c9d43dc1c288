//! German, French, Spanish and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_spanish(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-balcony-solar-ticks",
            "beim balkonkraftwerk ist die halterung jetzt dran und beim netzbetreiber angemeldet hab ichs auch, hak \
             die zwei mal ab",
            Expected::default()
                .change(
                    "Balkonkraftwerk",
                    &[
                        "[x]&module",
                        "[x]&halterung",
                        "[ ]&steckdose",
                        "[x]&netzbetreiber",
                        "[ ]&nachbarn",
                    ],
                )
                .lacking(&["[ ]&halterung", "[ ]&netzbetreiber"]),
        )
        .note(
            "Balkonkraftwerk",
            "strom",
            "- [x] Module bestellen\n- [ ] Halterung montieren\n- [ ] Steckdose prüfen lassen\n- [ ] beim \
             Netzbetreiber anmelden\n- [ ] Nachbarn Bescheid sagen",
        )
        .note(
            "Markise",
            "balkon",
            "- [ ] Halterung montieren\n- [ ] Stoff aussuchen",
        )
        .solved_by(&[
            Edit::Replace("Balkonkraftwerk", "[ ] Halterung", "[x] Halterung"),
            Edit::Replace("Balkonkraftwerk", "[ ] beim", "[x] beim"),
        ]),
        Task::strict(
            "german-care-service-time",
            "Der Pflegedienst kommt zu Mama jetzt schon um 7:10 Uhr und nicht mehr um 8:30 Uhr. Könntest du das \
             bitte berichtigen?",
            Expected::default()
                .change(
                    "Pflegedienst",
                    &[
                        "7:10|7.10|07:10|07.10|zehn nach sieben",
                        "ulrika",
                        "hausschlüssel",
                        "kühlschrank",
                    ],
                )
                .lacking(&["8:30|8.30|08:30|08.30|halb neun"]),
        )
        .note(
            "Pflegedienst",
            "mama",
            "Kommt täglich um 8:30 Uhr.\nSchwester Ulrika hat den Hausschlüssel\nDie Mappe liegt auf dem Kühlschrank",
        )
        .note(
            "Ergotherapie",
            "mama",
            "Donnerstags um 8:30 Uhr, im Anbau. Schwester Ulrika bringt sie hin.",
        )
        .solved_by(&[Edit::Replace("Pflegedienst", "8:30", "7:10")]),
    ]
}

fn french_and_spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "french-cat-sitter",
            "finalement c'est mme abgrall qui garde le chat et pas mme loiseau, tu peux rectifier stp",
            Expected::default()
                .change(
                    "Garde du chat",
                    &[
                        "abgrall",
                        "matin",
                        "soir",
                        "60 g",
                        "litière",
                    ],
                )
                .lacking(&["loiseau"]),
        )
        .note(
            "Garde du chat",
            "vacances",
            "Mme Loiseau passe matin et soir.\nCroquettes : 60 g par repas\nLitière au fond du garage",
        )
        .note(
            "Arrosage",
            "jardin",
            "Mme Loiseau a son propre tuyau. Jamais avant 21 h en juillet.",
        )
        .solved_by(&[Edit::Replace("Garde du chat", "Loiseau", "Abgrall")]),
        Task::strict(
            "spanish-sevillanas",
            "Oye, guárdame esto por favor: clases de sevillanas los martes a las 19:25 en el centro cívico, la profe \
             se llama Rocío, son 28 euros al mes y hay que llevar falda larga",
            Expected::default().new_note(&[
                "sevillana",
                "martes",
                "19:25|19.25|7:25|7.25|19h25",
                "centro cívico|centro civico",
                "rocío|rocio",
                "28|veintiocho",
                "falda",
            ]),
        )
        .note(
            "Centro cívico",
            "barrio",
            "Cierra a las 21:00. La llave del armario la tiene Amparo.",
        )
        .note(
            "Modista",
            "ropa",
            "El dobladillo de la falda, 14 euros. Solo por las tardes.",
        )
        .solved_by(&[Edit::Create(
            "Clases de sevillanas",
            "Los martes a las 19:25 en el centro cívico.\nProfe: Rocío\n28 euros al mes\nLlevar falda larga",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-year-end-gifts",
            "桜井さんに「お歳暮はもう結構です」って言われちゃったから、リストから外しておいてくれる？",
            Expected::default()
                .change("お歳暮", &["大久保", "ハム", "叔母", "浜田"])
                .lacking(&["桜井", "昆布"]),
        )
        .note(
            "お歳暮",
            "年末",
            "- 大久保さん：ハム\n- 桜井さん：昆布\n- 叔母：お茶\n- 浜田さん：りんご",
        )
        .note(
            "忘年会",
            "年末",
            "幹事は桜井さん。\n会費は四千円。",
        )
        .solved_by(&[Edit::Replace("お歳暮", "- 桜井さん：昆布\n", "")]),
    ]
}
