//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-vinegar-cleaner",
            "auf den putzmittel-zettel kommen noch essigreiniger und drei schwämme",
            Expected::default().change(
                "Putzmittel",
                &[
                    "scheuermilch",
                    "staubtücher",
                    "essigreiniger|essig-reiniger",
                    "3&schwämm|drei&schwämm|3&schwaemm|drei&schwaemm",
                ],
            ),
        )
        .note("Putzmittel", "einkauf", "- Scheuermilch\n- 2 Staubtücher")
        .note(
            "Autowäsche",
            "auto",
            "Drei Schwämme und das weiche Leder. Nie in der prallen Sonne.",
        )
        .solved_by(&[Edit::Append(
            "Putzmittel",
            "\n- Essigreiniger\n- 3 Schwämme",
        )]),
        Task::strict(
            "german-games-evening",
            "Der Spieleabend bei Jörn beginnt erst um 20 Uhr und nicht schon um 19 Uhr. Kannst du das in der Notiz \
             anpassen?",
            Expected::default()
                .change(
                    "Spieleabend",
                    &[
                        "20 uhr|20:00|20.00|20h|20 h|zwanzig uhr|8 uhr|acht uhr",
                        "freitag|fr.|fr,",
                        "jörn",
                        "hinterhaus",
                        "käsestangen",
                        "zwei|2",
                    ],
                )
                .lacking(&["19|neunzehn|7 uhr|sieben"]),
        )
        .note(
            "Spieleabend",
            "freunde",
            "Freitag, 19 Uhr, bei Jörn im Hinterhaus.\nHelga bringt Käsestangen mit\nZwei Neue sind dabei",
        )
        .note(
            "Lesekreis",
            "freunde",
            "Dienstag, 19 Uhr, bei Helga. Diesmal bis Seite 140.",
        )
        .solved_by(&[Edit::Replace("Spieleabend", "19 Uhr", "20 Uhr")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-oysters",
            "on sera plus nombreux que prévu : il faut 5 douzaines d'huîtres pour le réveillon, pas 3. tu corriges ?",
            Expected::default()
                .change(
                    "Huîtres du réveillon",
                    &[
                        "5 douzaine|cinq douzaine",
                        "calibre&2",
                        "kerbrat",
                        "24",
                        "midi",
                        "seigle",
                    ],
                )
                .lacking(&["3|trois"]),
        )
        .note(
            "Huîtres du réveillon",
            "fêtes",
            "3 douzaines, calibre 2, chez Kerbrat au marché.\nRetirer la bourriche le 24 avant midi\nPain de seigle \
             et citrons",
        )
        .note(
            "Blinis",
            "fêtes",
            "3 douzaines, les petits. Crème et aneth, pas de citron pour Armel.",
        )
        .solved_by(&[Edit::Replace("Huîtres du réveillon", "3", "5")]),
        Task::strict(
            "french-bread-oven",
            "Tu peux me noter que le four à pain du village sera allumé samedi 8 mars ? Les pâtons sont à déposer \
             avant 9h30 chez Mme Cazenave, et c'est 2 euros la fournée.",
            Expected::default().new_note(&[
                "pain|four du village|four communal|le four|au four|du four",
                "samedi|sam.",
                "8 mars|08 mars|8/3|8/03|08/03|8.3.|8.03|8.03.|08.03|08.03.|03-08",
                "pâton|paton",
                "9h30|09h30|9 h 30|9h 30|9:30|09:30|9.30|09.30|neuf heures et demie|neuf heures trente",
                "cazenave",
                "2 €|2€|2 euro|2 eur|2,00|2.00|deux euro",
            ]),
        )
        .note(
            "Pain d'épices",
            "recettes",
            "250 g de miel, four à 160 degrés. Meilleur au bout de trois jours.",
        )
        .note(
            "Boulangerie",
            "village",
            "Fermée le samedi après-midi. Mme Cazenave garde une baguette si on téléphone.",
        )
        .solved_by(&[Edit::Create(
            "Four à pain du village",
            "Allumé samedi 8 mars.\nDéposer les pâtons avant 9h30 chez Mme Cazenave\n2 euros la fournée",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-abacus-day",
            "そろばんが木曜日じゃなくて火曜日になりました。メモを変更してください。",
            Expected::default()
                .change(
                    "そろばん",
                    &[
                        "火曜|(火)|毎週火",
                        "四時半|4時半|4:30|16:30|四時三十分|4時30分",
                        "検定",
                        "十一月|11月",
                        "六千円|6000円|6,000円|6千円",
                    ],
                )
                .lacking(&["木"]),
        )
        .note(
            "そろばん",
            "子ども",
            "毎週木曜日、四時半から。\n検定は十一月。\n月謝は六千円。",
        )
        .note(
            "体操教室",
            "子ども",
            "毎週木曜日、五時から。\n帽子はいらない。\nバスは公園の前で待つ。",
        )
        .solved_by(&[Edit::Replace("そろばん", "木曜日", "火曜日")]),
    ]
}
