//! German, French, Dutch and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_dutch(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-craft-box",
            "In die Bastelkiste müssen noch Wackelaugen und drei Klebestifte, setz die bitte mit auf die Liste",
            Expected::default().change(
                "Bastelkiste",
                &[
                    "pfeifenputzer",
                    "tonpapier",
                    "wackelaugen",
                    "3&klebestift|drei&klebestift",
                ],
            ),
        )
        .note("Bastelkiste", "kinder", "- Pfeifenputzer\n- Tonpapier")
        .note(
            "Werkzeugkiste",
            "garage",
            "- Schraubzwinge\n- Klebestifte für die Heißklebepistole",
        )
        .solved_by(&[Edit::Append(
            "Bastelkiste",
            "\n- Wackelaugen\n- 3 Klebestifte",
        )]),
        Task::strict(
            "german-beekeeping-fee",
            "der imkerkurs kostet 140 euro und nich 120, hab mich vertan. änder das mal bitte",
            Expected::default()
                .change(
                    "Imkerkurs",
                    &["140", "9:15|09:15|9.15|09.15", "friedhof", "schleier"],
                )
                .lacking(&["120"]),
        )
        .note(
            "Imkerkurs",
            "bienen",
            "Kostet 120 Euro, samstags ab 9:15 Uhr.\nTreffpunkt hinterm Friedhof\nSchleier werden gestellt",
        )
        .note(
            "Obstbaumkurs",
            "garten",
            "Kostet 120 Euro mit Mittagessen. Eigene Schere mitbringen.",
        )
        .solved_by(&[Edit::Replace("Imkerkurs", "120", "140")]),
    ]
}

fn french_and_dutch() -> Vec<Task> {
    vec![
        Task::strict(
            "french-district-council",
            "le conseil de quartier est décalé d'une semaine, c'est le 9 avril et plus le 2. tu peux corriger ma note ?",
            Expected::default()
                .change(
                    "Conseil de quartier",
                    &[
                        "9 avr|9.4|9.4.|09.04|09.04.|04-09|9/4|9/04|09/04",
                        "18h30|18 h 30|18:30|18.30",
                        "mimosa",
                        "pistes cyclables",
                        "plan",
                    ],
                )
                .lacking(&["2 avr|2.4|2.4.|02.04|02.04.|04-02|2/4|2/04|02/04"]),
        )
        .note(
            "Conseil de quartier",
            "quartier",
            "Le 2 avril à 18h30, salle Mimosa.\nSujet : les pistes cyclables\nApporter le plan",
        )
        .note(
            "Vide-dressing",
            "quartier",
            "Le 2 avril, salle Mimosa, 4 euros la table. Clotilde tient la caisse.",
        )
        .solved_by(&[Edit::Replace("Conseil de quartier", "2 avril", "9 avril")]),
        Task::strict(
            "dutch-new-doctor",
            "zet dit even in een nieuwe notitie: onze nieuwe huisarts is dokter Verbruggen, Kastanjelaan 31, bellen kan \
             tussen 8 en 10 en voor herhaalrecepten moet je optie 3 kiezen",
            Expected::default().new_note(&[
                "huisarts|dokter|dr",
                "verbruggen",
                "kastanjelaan 31",
                "8|8:00|08:00|8.00|acht",
                "10|10:00|10.00|tien",
                "recept",
                "3|drie",
            ]),
        )
        .note(
            "Tandarts",
            "gezondheid",
            "Op de Beukenlaan 8, eerste verdieping. Controle in maart.",
        )
        .note(
            "Kastanjes",
            "keuken",
            "Kruisje erin, 25 minuten op 200 graden. Meteen pellen.",
        )
        .solved_by(&[Edit::Create(
            "Nieuwe huisarts",
            "Dokter Verbruggen, Kastanjelaan 31. Bellen tussen 8 en 10. Herhaalrecepten: optie 3.",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-barbecue-charcoal",
            "バーベキューの買い出しリストに、炭と紙コップ二十個も入れといて",
            Expected::default().change(
                "バーベキューの買い出し",
                &["牛肉", "とうもろこし", "炭", "紙コップ&二十|紙コップ&20"],
            ),
        )
        .note("バーベキューの買い出し", "買い物", "・牛肉\n・とうもろこし")
        .note("キャンプ道具", "外遊び", "・炭ばさみ\n・寝袋\n・紙皿")
        .solved_by(&[Edit::Append(
            "バーベキューの買い出し",
            "\n・炭\n・紙コップ二十個",
        )]),
    ]
}
