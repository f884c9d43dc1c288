//! German, French, Spanish and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), spanish(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-movers-food",
            "setz für die umzugshelfer noch zwei kästen wasser und frikadellen mit auf die liste",
            Expected::default().change(
                "Verpflegung Umzugshelfer",
                &[
                    "20 brötchen",
                    "kaffee",
                    "2&wasser|zwei&wasser",
                    "frikadelle",
                ],
            ),
        )
        .note(
            "Verpflegung Umzugshelfer",
            "umzug",
            "- 20 Brötchen\n- Kaffee",
        )
        .note(
            "Opas Achtzigster",
            "familie",
            "- Frikadellen macht Sigrid\n- Saal bis 23 Uhr\n- Wasser stellt der Wirt",
        )
        .solved_by(&[Edit::Append(
            "Verpflegung Umzugshelfer",
            "\n- 2 Kästen Wasser\n- Frikadellen",
        )]),
        Task::strict(
            "german-island-ferry",
            "Die Fähre nach Spiekeroog fährt doch erst um 13:10 und nicht um 12:40, berichtigst du das bitte?",
            Expected::default()
                .change(
                    "Fähre nach Spiekeroog",
                    &[
                        "13:10|13.10|13 uhr 10|13h10|zehn nach eins",
                        "halbe stunde|30 min|halbe std",
                        "container",
                        "p2",
                    ],
                )
                .lacking(&["12:40|12.40|12 uhr 40|zwanzig vor eins"]),
        )
        .note(
            "Fähre nach Spiekeroog",
            "urlaub",
            "Abfahrt um 12:40, eine halbe Stunde vorher da sein.\nGepäck in den Container\nAuto auf P2 abstellen",
        )
        .note(
            "Fähre nach Juist",
            "urlaub",
            "Abfahrt um 12:40, fährt nur bei Flut. Der Hund kostet extra.",
        )
        .solved_by(&[Edit::Replace("Fähre nach Spiekeroog", "12:40", "13:10")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-trumpet-exam",
            "note-moi ça vite : Timéo passe son examen de trompette samedi 14 mars à 9h45 au conservatoire, salle \
             Fauré, et il faut 12 euros et deux copies de la partition",
            Expected::default().new_note(&[
                "timéo|timeo",
                "trompette",
                "samedi|sam",
                "14 mars|14/03|14/3|14.03|14.3|14-03|03-14",
                "9h45|9 h 45|9h 45|09h45|09 h 45|9:45|09:45|9.45|09.45",
                "conservatoire",
                "fauré|faure",
                "12|12,00|12.00|douze",
                "2&partition|deux&partition",
            ]),
        )
        .note(
            "Conservatoire",
            "musique",
            "Inscriptions en juin, bureau du fond. Fermé le lundi.",
        )
        .note(
            "Trompettes de la mort",
            "champignons",
            "Sous les hêtres, après la pluie. Les sécher sur un fil.",
        )
        .solved_by(&[Edit::Create(
            "Examen de trompette de Timéo",
            "Samedi 14 mars à 9h45 au conservatoire, salle Fauré.\n12 euros\nDeux copies de la partition",
        )]),
    ]
}

fn spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "spanish-beach-parasol",
            "La sombrilla ya la tengo en el coche, quítala de la lista de la playa porfa",
            Expected::default()
                .change(
                    "Lista de la playa",
                    &["toallas", "factor 50", "palas", "nevera"],
                )
                .lacking(&["sombrilla"]),
        )
        .note(
            "Lista de la playa",
            "verano",
            "- toallas\n- crema de factor 50\n- la sombrilla azul\n- palas\n- la nevera pequeña",
        )
        .note(
            "Terraza",
            "casa",
            "- la sombrilla necesita un pie nuevo\n- regar los geranios los martes",
        )
        .solved_by(&[Edit::Replace(
            "Lista de la playa",
            "- la sombrilla azul\n",
            "",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-monthly-parking",
            "月極駐車場の料金、一万円じゃなくて一万二千円でした。メモのほうも直してもらえる？",
            Expected::default()
                .change(
                    "月極駐車場",
                    &[
                        "一万二千円|12000円|12,000円|1万2千円|1万2000円|1万2,000円|一万二千|¥12,000|¥12000",
                        "小林",
                        "7番|七番",
                        "25日|二十五日",
                    ],
                )
                .lacking(&["一万円|10000円|10,000円|1万円"]),
        )
        .note(
            "月極駐車場",
            "車",
            "大家は小林さん。\n区画は7番。\n料金は月一万円。\n振込は毎月25日。",
        )
        .note(
            "トランクルーム",
            "家",
            "料金は月一万円。\n鍵は玄関の引き出し。",
        )
        .solved_by(&[Edit::Replace("月極駐車場", "一万円", "一万二千円")]),
    ]
}
