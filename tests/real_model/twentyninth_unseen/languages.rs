//! German, French, Japanese and Dutch.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese(), dutch()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-easter-brunch",
            "Auf die Liste für den Osterbrunch müssen noch 20 Eier und ein Glas Meerrettich",
            Expected::default().change(
                "Osterbrunch",
                &[
                    "hefezöpfe",
                    "räucherlachs",
                    "20&eier|zwanzig&eier",
                    "meerrettich",
                ],
            ),
        )
        .note("Osterbrunch", "essen", "- 2 Hefezöpfe\n- Räucherlachs")
        .note(
            "Eier vom Hof",
            "essen",
            "Bei Familie Thormann, Schachteln wieder mitbringen. Zehn Stück 3,80 Euro.",
        )
        .solved_by(&[Edit::Append(
            "Osterbrunch",
            "\n- 20 Eier\n- 1 Glas Meerrettich",
        )]),
        Task::strict(
            "german-parents-day",
            "elternsprechtag wurde verschoben, nicht 6.2. sondern 13.2., uhrzeit bleibt. kannst du das ändern",
            Expected::default()
                .change(
                    "Elternsprechtag",
                    &[
                        "13.2|13.2.|13.02|13.02.|13. Feb|13 Feb|02-13|13/2",
                        "17:40|17.40|17 uhr 40",
                        "raum 212",
                        "lesetagebuch",
                    ],
                )
                .lacking(&["6.2|6.2.|06.02|06.02.|6. Feb|6 Feb|02-06|6/2"]),
        )
        .note(
            "Elternsprechtag",
            "schule",
            "Am 6.2. um 17:40 bei Herrn Quandt, Raum 212.\nNach dem Lesetagebuch fragen",
        )
        .note(
            "Faschingsfeier",
            "schule",
            "Am 6.2. ab der dritten Stunde. Krapfen bringt Familie Sommer mit.",
        )
        .solved_by(&[Edit::Replace("Elternsprechtag", "6.2.", "13.2.")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-sewing-machine",
            "note pour moi : la machine à coudre est chez monsieur Guérin, prête le 12 mars, 65 euros de réparation \
             et il faut apporter le ticket bleu",
            Expected::default().new_note(&[
                "machine à coudre|machine a coudre",
                "guérin|guerin",
                "12 mars|12.3|12.3.|12.03|12.03.|12/3|12/03|03-12",
                "65",
                "ticket",
            ]),
        )
        .note(
            "Rideaux du salon",
            "maison",
            "Ourlet de 8 cm, fil écru. Madame Guérin a le patron.",
        )
        .note(
            "Tickets de tombola",
            "école",
            "Les bleus à 2 euros, les verts à 5. À vendre avant le carnaval.",
        )
        .solved_by(&[Edit::Create(
            "Machine à coudre",
            "Chez M. Guérin, prête le 12 mars.\n65 euros de réparation\nApporter le ticket bleu",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-badminton-place",
            "バドミントンの場所、北小学校じゃなくて市民体育館になりました。メモを直してください",
            Expected::default()
                .change(
                    "バドミントン",
                    &["市民体育館", "土曜", "シャトル", "五百円|500円|5百円"],
                )
                .lacking(&["北小学校"]),
        )
        .note(
            "バドミントン",
            "運動",
            "土曜の夜。\n場所は北小学校。\nシャトルは当番が用意する。\n一回五百円。",
        )
        .note("選挙", "町内", "投票所は北小学校。\nはがきを持っていく。")
        .solved_by(&[Edit::Replace("バドミントン", "北小学校", "市民体育館")]),
    ]
}

fn dutch() -> Vec<Task> {
    vec![
        Task::strict(
            "dutch-barbecue-sauce",
            "haal de satésaus maar van het barbecuelijstje, die maakt joost zelf",
            Expected::default()
                .change("Barbecue", &["houtskool", "maiskolven", "stokbrood"])
                .lacking(&["saté", "sate", "joost"]),
        )
        .note(
            "Barbecue",
            "eten",
            "- houtskool\n- satésaus, twee potten\n- maiskolven\n- stokbrood",
        )
        .note(
            "Joost",
            "vrienden",
            "- jarig op 3 december\n- houdt niet van stokbrood\n- leest graag thrillers",
        )
        .solved_by(&[Edit::Replace("Barbecue", "- satésaus, twee potten\n", "")]),
    ]
}
