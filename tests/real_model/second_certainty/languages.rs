//! German, French, Dutch, Portuguese and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_french(), dutch_and_portuguese(), japanese()].concat()
}

fn german_and_french() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-german-kiosk",
            "für den kiosk im freibad fehlen noch 40 eiswaffeln und papierstrohhalme, schreibst du das mit auf die \
             kioskliste?",
            Expected::default().change(
                "Kioskliste",
                &[
                    "6 kisten apfelschorle",
                    "servietten",
                    "senf",
                    "40&waffel|vierzig&waffel",
                    "papier&halm",
                ],
            ),
        )
        .note(
            "Kioskliste",
            "freibad",
            "- 6 Kisten Apfelschorle\n- Servietten\n- Senf",
        )
        .note(
            "Freibad",
            "freizeit",
            "Saisonkarte 65 Euro, ab 19 Uhr halber Preis. Der Kiosk nimmt nur Bargeld.",
        )
        .solved_by(&[Edit::Append(
            "Kioskliste",
            "\n- 40 Eiswaffeln\n- Papierstrohhalme",
        )]),
        Task::strict(
            "cb-french-bike-sale",
            "Pourriez-vous, s'il vous plaît, créer une note : la bourse aux vélos a lieu le samedi 21 mars au gymnase \
             Colette-Besson, on dépose les vélos entre 9 h et 11 h, et l'association retient 12 % du prix de vente. \
             Il faudra une pièce d'identité.",
            Expected::default().new_note(&[
                "bourse",
                "vélo",
                "21 mars|21/3|21/03|21.3|21.3.|21.03|21.03.|21-03|03-21|3/21|03/21",
                "colette-besson|colette besson",
                "9|9:00|09:00|09h|9.00|neuf",
                "11|11:00|11.00|onze",
                "12|douze",
                "identité",
            ]),
        )
        .note(
            "Vélo de Maxime",
            "famille",
            "Freins à changer, 38 euros à l'atelier du quai. La pièce est commandée.",
        )
        .note(
            "Badminton",
            "sport",
            "Au gymnase le jeudi soir, chaussures propres. L'association prête les raquettes.",
        )
        .solved_by(&[Edit::Create(
            "Bourse aux vélos",
            "Samedi 21 mars au gymnase Colette-Besson, dépôt des vélos entre 9 h et 11 h. L'association retient 12 % \
             du prix de vente. Apporter une pièce d'identité.",
        )]),
    ]
}

fn dutch_and_portuguese() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-dutch-dentist",
            "de tandarts belde net, sem moet niet op dinsdag maar op donderdag 8 januari komen, zelfde tijd. pas je dat \
             even aan in de notitie?",
            Expected::default()
                .change(
                    "Tandarts Sem",
                    &[
                        "donderdag",
                        "8 jan|8-1|08-01|8/1|08/01|8.1|8.1.|08.01|08.01.|01-08",
                        "15:50|15.50|15u50|tien voor vier",
                        "terpstra",
                        "beugel",
                        "een uur",
                    ],
                )
                .lacking(&["dinsdag", "6 jan|6-1|06-01|6/1|06/01|6.1|06.01|01-06"]),
        )
        .note(
            "Tandarts Sem",
            "gezin",
            "Dinsdag 6 januari om 15:50, bij mevrouw Terpstra.\nBeugel meenemen\nDaarna mag hij een uur niet eten.",
        )
        .note(
            "Tandarts Noor",
            "gezin",
            "Dinsdag 6 januari om 11:20, alleen controle. Zij houdt niet van de muntsmaak.",
        )
        .solved_by(&[Edit::Replace(
            "Tandarts Sem",
            "Dinsdag 6 januari",
            "Donderdag 8 januari",
        )]),
        Task::strict(
            "cb-portuguese-guests",
            "a beatriz afinal não vem ao magusto, podes tirá-la da lista de convidados?",
            Expected::default()
                .change(
                    "Convidados do magusto",
                    &["tio anselmo", "vizinhos", "dona lurdes"],
                )
                .lacking(&["beatriz", "vegetariana"]),
        )
        .note(
            "Convidados do magusto",
            "festas",
            "- o tio Anselmo\n- a Beatriz (vegetariana)\n- os vizinhos de cima\n- a dona Lurdes",
        )
        .note(
            "Aniversário da Beatriz",
            "festas",
            "17 de fevereiro, gosta de aguarelas. O Anselmo trata do bolo.",
        )
        .solved_by(&[Edit::Replace(
            "Convidados do magusto",
            "- a Beatriz (vegetariana)\n",
            "",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-japanese-membership-fee",
            "自治会の会費、年3600円と書いていましたが、正しくは4200円です。メモを直しておいてください。",
            Expected::default()
                .change(
                    "自治会",
                    &[
                        "4200|4,200|四千二百|4千2百|四二〇〇",
                        "小林",
                        "集金",
                        "回覧板&大野",
                    ],
                )
                .lacking(&["3600|3,600|三千六百|3千6百|三六〇〇"]),
        )
        .note(
            "自治会",
            "近所",
            "会費は年3600円、班長の小林さんに払う。\n集金は五月の連休明け\n回覧板は隣の大野さんへ",
        )
        .note(
            "子ども会",
            "近所",
            "会費は月300円。夏祭りは小林さんの庭に集合。",
        )
        .solved_by(&[Edit::Replace("自治会", "3600円", "4200円")]),
    ]
}
