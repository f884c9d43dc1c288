//! German, French, Dutch and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_dutch(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-carnival-float",
            "schreib noch auf die liste fürn faschingswagen: 8 rollen krepppapier, und nen generator brauchen wir \
             auch",
            Expected::default().change(
                "Faschingswagen",
                &[
                    "maschendraht",
                    "2 eimer kleister",
                    "8&krepp|acht&krepp",
                    "generator|stromgenerator|stromerzeuger",
                ],
            ),
        )
        .note(
            "Faschingswagen",
            "verein",
            "- 15 m Maschendraht\n- 2 Eimer Kleister",
        )
        .note(
            "Faschingskostüm",
            "verein",
            "Ich gehe als Leuchtturm. Die Papierrollen hat Wiebke.",
        )
        .solved_by(&[Edit::Append(
            "Faschingswagen",
            "\n- 8 Rollen Krepppapier\n- Generator",
        )]),
        Task::strict(
            "german-book-reading",
            "Bitte legen Sie eine neue Notiz an: Die Lesung von Henrike Vollmer findet am 19. März um 19:15 Uhr im \
             Stadtarchiv statt. Karten zu 7 Euro gibt es nur an der Abendkasse.",
            Expected::default().new_note(&[
                "lesung",
                "henrike vollmer",
                "19. März|19 März|19. Mär|19.3|19.3.|19.03|19.03.|03-19|3/19|03/19|neunzehnte",
                "19:15|19.15|19 uhr 15|viertel nach sieben|viertel acht",
                "stadtarchiv",
                "7|sieben|7,00|7.00",
                "abendkasse",
            ]),
        )
        .note(
            "Stadtarchiv",
            "",
            "Der Lesesaal schließt um 17 Uhr. Taschen bleiben im Schrank, 1 Euro Pfand.",
        )
        .note(
            "Theaterkarten",
            "kultur",
            "Reihe 9, liegen an der Kasse auf den Namen Brandl.",
        )
        .solved_by(&[Edit::Create(
            "Lesung von Henrike Vollmer",
            "Am 19. März um 19:15 Uhr im Stadtarchiv. Karten zu 7 Euro nur an der Abendkasse.",
        )]),
    ]
}

fn french_and_dutch() -> Vec<Task> {
    vec![
        Task::strict(
            "french-insurance-expert",
            "L'assurance vient de rappeler : leur expert passera le vendredi 14 novembre, toujours à la même heure. \
             Merci de mettre la note à jour !",
            Expected::default()
                .change(
                    "Expert de l'assurance",
                    &[
                        "vendredi",
                        "14 nov|14/11|14.11|14.11.|14-11|11-14",
                        "9h10|9 h 10|09h10|9:10|09:10",
                        "pelletier",
                        "plafond",
                        "facture",
                    ],
                )
                .lacking(&["mercredi", "12 nov|12/11|12.11|12.11.|12-11|11-12"]),
        )
        .note(
            "Expert de l'assurance",
            "maison",
            "Mercredi 12 novembre à 9h10, M. Pelletier.\nLui montrer les photos du plafond\nRetrouver la facture du \
             parquet",
        )
        .note(
            "Vaccin de Maëlys",
            "famille",
            "Mercredi 12 novembre à 17h20, apporter le carnet et la carte d'assurance.",
        )
        .solved_by(&[Edit::Replace(
            "Expert de l'assurance",
            "Mercredi 12 novembre",
            "Vendredi 14 novembre",
        )]),
        Task::strict(
            "dutch-packing-list",
            "de vlieger is aan flarden gewaaid, dus die mag van de paklijst voor texel af",
            Expected::default()
                .change("Paklijst Texel", &["regenlaarzen", "verrekijker", "oplader"])
                .lacking(&["vlieger"]),
        )
        .note(
            "Paklijst Texel",
            "vakantie",
            "- regenlaarzen\n- verrekijker\n- de rode vlieger\n- oplader",
        )
        .note(
            "Vliegerfeest",
            "uitjes",
            "Joris brengt zijn grote vlieger mee, de friettent gaat om vijf uur open.",
        )
        .solved_by(&[Edit::Replace("Paklijst Texel", "- de rode vlieger\n", "")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-cherry-picnic",
            "お弁当の注文、さっき電話で済ませました。花見の準備のところにチェックを入れてもらえますか。",
            Expected::default()
                .change(
                    "花見の準備",
                    &["[ ]&場所取り", "[x]&敷物", "[x]&お弁当", "[ ]&紙コップ"],
                )
                .lacking(&["[ ]&お弁当"]),
        )
        .note(
            "花見の準備",
            "春",
            "- [ ] 場所取りの当番を決める\n- [x] 敷物を買う\n- [ ] お弁当を注文する\n- [ ] 紙コップを持っていく",
        )
        .note(
            "町内会の集まり",
            "町内会",
            "- [ ] お弁当を注文する\n- [ ] 名札を作る",
        )
        .solved_by(&[Edit::Replace("花見の準備", "[ ] お弁当", "[x] お弁当")]),
    ]
}
