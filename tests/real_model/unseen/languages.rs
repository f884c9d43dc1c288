//! German, French, Japanese and Italian.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        german(),
        french_and_italian(),
        more_french_and_italian(),
        japanese(),
    ]
    .concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-jam-sugar",
            "Zum Marmeladekochen fehlt mir noch Gelierzucker, drei Packungen, und neue Deckel. \
             Schreibst du mir das bitte mit auf den Zettel dafür?",
            Expected::default().change(
                "Marmelade kochen",
                &[
                    "johannisbeeren",
                    "etiketten",
                    "3&gelierzucker|drei&gelierzucker",
                    "deckel",
                ],
            ),
        )
        .note(
            "Marmelade kochen",
            "küche",
            "- 2 kg Johannisbeeren\n- Etiketten",
        )
        .note(
            "Apfelmus kochen",
            "küche",
            "- Zimtstangen\n- 10 Gläser mit Deckel",
        )
        .solved_by(&[Edit::Append(
            "Marmelade kochen",
            "\n- 3 Packungen Gelierzucker\n- neue Deckel",
        )]),
    ]
}

fn french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "french-clafoutis",
            "Note-moi la recette du clafoutis de Mamie : 500 g de cerises, 4 œufs, 25 cl de lait, \
             100 g de farine, 80 g de sucre, et 40 minutes au four à 180. Surtout ne pas enlever \
             les noyaux, elle y tient !",
            Expected::default().new_note(&[
                "clafoutis",
                "500",
                "cerise",
                "4|quatre",
                "œuf|oeuf",
                "25|250",
                "lait",
                "100",
                "farine",
                "80",
                "sucre",
                "40|quarante",
                "180",
                "noyau|dénoyaut",
            ]),
        )
        .note(
            "Tarte aux cerises",
            "cuisine",
            "Pâte brisée, 600 g de cerises sans les noyaux. 35 minutes à 200 °C.",
        )
        .note(
            "Moule en terre",
            "cuisine",
            "Prêté à Solène. Ne pas le mettre au four à vide.",
        )
        .solved_by(&[Edit::Create(
            "Clafoutis de Mamie",
            "500 g de cerises\n4 œufs\n25 cl de lait\n100 g de farine\n80 g de sucre\n40 minutes \
             au four à 180 °C\nNe pas enlever les noyaux.",
        )]),
    ]
}

fn more_french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "italian-condominium-meeting",
            "l'assemblea di condominio slitta di una settimana, non è più mercoledì 8 ma mercoledì \
             15 maggio, stessa ora. mi correggi la nota?",
            Expected::default()
                .change(
                    "Assemblea di condominio",
                    &[
                        "mercoled",
                        "15 mag|15.5|15.05|15/5|15/05|05-15|quindici maggio",
                        "18:30|18.30|6:30|6.30",
                        "sala del cinema",
                        "ferri",
                        "tetto",
                    ],
                )
                .lacking(&["8 mag|08 mag|8.5|8.05|08.05|8/5|8/05|08/05|05-08|otto maggio"]),
        )
        .note(
            "Assemblea di condominio",
            "casa",
            "Mercoledì 8 maggio alle 18:30, sala del cinema.\nPortare la delega della signora \
             Ferri\nSi vota sul tetto",
        )
        .note(
            "Riunione di classe",
            "scuola",
            "Mercoledì 8 maggio alle 17:10, aula 3B. Si sceglie la gita.",
        )
        .solved_by(&[Edit::Replace(
            "Assemblea di condominio",
            "8 maggio",
            "15 maggio",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-new-year-party",
            "新年会ですが、中村さんは来られないそうです。参加者から外しておいてもらえますか。",
            Expected::default()
                .change("新年会", &["一月十八日", "鳥善", "木下", "藤井"])
                .lacking(&["中村"]),
        )
        .note(
            "新年会",
            "集まり",
            "一月十八日、駅前の鳥善。\n参加者：\n- 木下さん\n- 中村さん（お酒なし）\n- 藤井さん",
        )
        .note(
            "釣りの会",
            "集まり",
            "参加者：\n- 中村さん\n- 横山さん\n餌は現地で買う。",
        )
        .solved_by(&[Edit::Replace("新年会", "- 中村さん（お酒なし）\n", "")]),
        Task::strict(
            "japanese-baby-things-ticks",
            "ベビーベッド今日届いた！肌着の水通しも終わったから、赤ちゃんの準備のその二つ、チェック\
             入れといて",
            Expected::default()
                .change(
                    "赤ちゃんの準備",
                    &[
                        "[x]&母子手帳",
                        "[x]&ベビーベッド",
                        "[x]&肌着",
                        "[ ]&チャイルドシート",
                        "[ ]&おむつ",
                    ],
                )
                .lacking(&["[ ]&ベビーベッド", "[ ]&肌着"]),
        )
        .note(
            "赤ちゃんの準備",
            "家族",
            "- [x] 母子手帳ケース\n- [ ] ベビーベッド\n- [ ] 肌着の水通し\n- [ ] チャイルドシート\n\
             - [ ] おむつ",
        )
        .note("姉の出産祝い", "家族", "- [ ] 肌着\n- [ ] のし袋")
        .solved_by(&[
            Edit::Replace("赤ちゃんの準備", "[ ] ベビーベッド", "[x] ベビーベッド"),
            Edit::Replace("赤ちゃんの準備", "[ ] 肌着", "[x] 肌着"),
        ]),
    ]
}
