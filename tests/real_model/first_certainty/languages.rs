//! German, French, Italian and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_italian(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-german-canasta",
            "Wir spielen Canasta ab jetzt bei der Hannelore, bei Gisela steht ja der Keller unter Wasser. Änderst du \
             das bitte in der Notiz?",
            Expected::default()
                .change(
                    "Canastarunde",
                    &[
                        "hannelore",
                        "zweiten dienstag|2. dienstag",
                        "15:20|15.20",
                        "10 cent",
                        "trudel",
                    ],
                )
                .lacking(&["gisela"]),
        )
        .note(
            "Canastarunde",
            "freundinnen",
            "Jeden zweiten Dienstag bei Gisela, 15:20 Uhr.\nEinsatz: 10 Cent\nTrudel bringt den Likör mit.",
        )
        .note(
            "Gisela",
            "freundinnen",
            "Geburtstag am 8. November, verträgt keine Nüsse. Unsere Kuchenform hat sie noch.",
        )
        .note(
            "Spielkarten",
            "haushalt",
            "Zwei Päckchen in der Schublade, beim blauen fehlt die Herzdame.",
        )
        .solved_by(&[Edit::Replace("Canastarunde", "Gisela", "Hannelore")]),
        Task::strict(
            "ca-german-bath-measure",
            "neue notiz bitte. aufmaß bad petersilie: wanne 170 x 75, abfluss links, fliesen bleiben drin, estrich ist \
             6 cm. angebot bis freitag",
            Expected::default().new_note(&[
                "petersilie",
                "wanne",
                "170",
                "75",
                "abfluss&links|ablauf&links|linksseitig",
                "fliesen&bleib|fliesen&drin|fliesen&behalten",
                "estrich",
                "6|sechs",
                "angebot",
                "freitag|fr.",
            ]),
        )
        .note(
            "Petersilie",
            "balkon",
            "Glatte und krause, je ein Topf. Schnecken absammeln.",
        )
        .note(
            "Bad Schandau",
            "urlaub",
            "Zimmer 6 mit Wanne, Anreise am Freitag ab 15 Uhr.",
        )
        .solved_by(&[Edit::Create(
            "Aufmaß Bad Petersilie",
            "Wanne 170 x 75, Abfluss links\nFliesen bleiben drin\nEstrich 6 cm\nAngebot bis Freitag",
        )]),
    ]
}

fn french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-french-housewarming",
            "pour la crémaillère il nous faut aussi 2 rallonges et un sac de glaçons, tu peux les mettre sur la liste ?",
            Expected::default().change(
                "Crémaillère",
                &[
                    "gobelets",
                    "guirlande",
                    "2&rallonge|deux&rallonge",
                    "glaçon|glacon",
                ],
            ),
        )
        .note("Crémaillère", "fête", "- gobelets\n- guirlande")
        .note(
            "Électricien",
            "maison",
            "M. Vasseur, deux prises à refaire dans l'entrée. Il apporte sa rallonge.",
        )
        .note(
            "Congélateur",
            "maison",
            "Le bac à glaçons est fendu. Dégivrer avant Noël.",
        )
        .solved_by(&[Edit::Append(
            "Crémaillère",
            "\n- 2 rallonges\n- un sac de glaçons",
        )]),
        Task::strict(
            "ca-italian-glasses",
            "ho ritirato gli occhiali e anche la raccomandata in posta, me li spunti nelle commissioni?",
            Expected::default()
                .change(
                    "Commissioni",
                    &[
                        "[x]&occhiali",
                        "[x]&raccomandata",
                        "[x]&calzolaio",
                        "[ ]&chiave",
                        "[ ]&semi",
                    ],
                )
                .lacking(&["[ ]&occhiali", "[ ]&raccomandata"]),
        )
        .note(
            "Commissioni",
            "",
            "- [ ] ritirare gli occhiali dall'ottico\n- [x] scarpe dal calzolaio\n- [ ] raccomandata alla posta\n- [ ] \
             duplicato della chiave\n- [ ] semi per la nonna",
        )
        .note(
            "Cose da chiedere alla nonna",
            "famiglia",
            "- [ ] gli occhiali vecchi\n- [ ] la ricetta dei ravioli",
        )
        .solved_by(&[
            Edit::Replace("Commissioni", "[ ] ritirare", "[x] ritirare"),
            Edit::Replace("Commissioni", "[ ] raccomandata", "[x] raccomandata"),
        ]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-japanese-shogi-fee",
            "将棋クラブの会費、月八百円ではなくて千円だそうです。メモを直しておいてください。",
            Expected::default()
                .change(
                    "将棋クラブ",
                    &[
                        "土曜",
                        "公民館",
                        "会費&1000|会費&1,000|会費&千円",
                        "岡田",
                        "駒",
                    ],
                )
                .lacking(&["800|八百"]),
        )
        .note(
            "将棋クラブ",
            "趣味",
            "毎週土曜の午後二時から、公民館の二階。\n会費は月800円、会計は岡田さん。\n駒は各自で持ってくる。",
        )
        .note(
            "囲碁の会",
            "趣味",
            "会費は月800円。\n湯のみを持っていく。",
        )
        .note(
            "将棋の本",
            "図書",
            "岡田さんから借りている。\n詰将棋の方は読み終わった。",
        )
        .solved_by(&[Edit::Replace("将棋クラブ", "800円", "1000円")]),
    ]
}
