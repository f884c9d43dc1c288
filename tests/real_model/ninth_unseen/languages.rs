//! German, French, Japanese and Spanish.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_japanese(), french(), spanish()].concat()
}

fn german_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "german-nursery",
            "die kita macht freitags schon um 14:30 zu, nicht erst 15:30. kannst du das ändern?",
            Expected::default()
                .change(
                    "Kita Pusteblume",
                    &[
                        "freitag&14:30|freitag&14.30|freitag&halb drei|freitag&14 Uhr 30|freitag&14h30",
                        "donnerstag&16:30",
                        "schlafsack",
                    ],
                )
                .lacking(&["15:30|15.30|halb vier"]),
        )
        .note(
            "Kita Pusteblume",
            "kita",
            "Montag bis Donnerstag: bis 16:30\nFreitag: bis 15:30\nDer Schlafsack muss montags mit.",
        )
        .note(
            "Kinderturnen",
            "sport",
            "Freitag um 15:30, alte Halle, Hintereingang.",
        )
        .solved_by(&[Edit::Replace("Kita Pusteblume", "15:30", "14:30")]),
        Task::strict(
            "japanese-cleaning",
            "町内の清掃、日曜の朝九時じゃなくて八時からだって。メモを直しておいてくれる？",
            Expected::default()
                .change(
                    "町内清掃",
                    &["日曜", "八時|8時|8:00|08:00", "公民館", "軍手"],
                )
                .lacking(&["九時|9時|9:00|09:00"]),
        )
        .note(
            "町内清掃",
            "町内会",
            "日曜日の朝九時から。\n集合は公民館の前。\n軍手を持っていく。",
        )
        .note("朝市", "買い物", "日曜日の朝九時まで。港の駐車場で。")
        .solved_by(&[Edit::Replace("町内清掃", "九時", "八時")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-garden-centre",
            "Tu peux mettre du thym et trois sacs de terreau sur la liste de la jardinerie ? merci",
            Expected::default().change(
                "Jardinerie",
                &["bulbes", "ficelle", "thym", "terreau&trois|terreau&3"],
            ),
        )
        .note("Jardinerie", "jardin", "- bulbes de tulipes\n- ficelle")
        .note(
            "Compost",
            "jardin",
            "Retourner en avril, il donne deux sacs de terreau par an.",
        )
        .solved_by(&[Edit::Append("Jardinerie", "\n- thym\n- 3 sacs de terreau")]),
        Task::strict(
            "french-rename",
            "la note Divers 2 ne parle que de la machine à pain, appelle-la plutôt Machine à pain stp",
            Expected::default().rename("Divers 2", "Machine à pain"),
        )
        .note(
            "Divers 2",
            "",
            "Programme 4 pour le pain complet, trois heures quarante. La pale est chez Solène.",
        )
        .note(
            "Divers 3",
            "",
            "Le robinet du fond du jardin se ferme à droite.",
        )
        .solved_by(&[Edit::Rename("Divers 2", "Machine à pain")]),
    ]
}

fn spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "spanish-batteries",
            "ya tengo pilas en casa, quítalas de la lista del súper porfa",
            Expected::default()
                .change("Lista del súper", &["arroz", "servilletas", "vinagre"])
                .lacking(&["pilas"]),
        )
        .note(
            "Lista del súper",
            "compras",
            "- arroz\n- pilas AA\n- servilletas\n- vinagre",
        )
        .note(
            "Linterna",
            "casa",
            "Lleva dos pilas AA. Está en el cajón de la entrada.",
        )
        .solved_by(&[Edit::Replace("Lista del súper", "- pilas AA\n", "")]),
    ]
}
