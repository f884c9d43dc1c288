//! German, French, Dutch and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_dutch(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-travel-pharmacy",
            "In die Reiseapotheke gehören noch eine Zeckenzange und zwei Kühlkompressen, schreib die bitte mit drauf",
            Expected::default().change(
                "Reiseapotheke",
                &[
                    "pinzette",
                    "reisetabletten",
                    "zeckenzange",
                    "2&kühlkompresse|zwei&kühlkompresse",
                ],
            ),
        )
        .note("Reiseapotheke", "urlaub", "- Pinzette\n- Reisetabletten")
        .note(
            "Hundeapotheke",
            "hund",
            "- Zeckenhalsband\n- Pfotensalbe\n- Kühlkompresse",
        )
        .solved_by(&[Edit::Append(
            "Reiseapotheke",
            "\n- Zeckenzange\n- 2 Kühlkompressen",
        )]),
        Task::strict(
            "german-donkey-hike",
            "die eselwanderung dauert 5 stunden und nich 3, hatte mich verlesen. kannst das mal ändern?",
            Expected::default()
                .change(
                    "Eselwanderung",
                    &[
                        "5|fünf",
                        "9:45|09:45|9.45|09.45",
                        "sägewerk",
                        "möhren",
                    ],
                )
                .lacking(&["3|drei"]),
        )
        .note(
            "Eselwanderung",
            "ausflug",
            "Dauert 3 Stunden, los geht's um 9:45 Uhr.\nTreffpunkt am Sägewerk\nMöhren sind erlaubt",
        )
        .note(
            "Planwagenfahrt",
            "ausflug",
            "Dauert 3 Stunden mit Kaffee und Kuchen. Mindestens acht Personen.",
        )
        .solved_by(&[Edit::Replace("Eselwanderung", "3 Stunden", "5 Stunden")]),
    ]
}

fn french_and_dutch() -> Vec<Task> {
    vec![
        Task::strict(
            "french-belote-contest",
            "le concours de belote est repoussé d'une semaine, c'est le 20 novembre et plus le 13. tu peux changer ça \
             dans ma note ?",
            Expected::default()
                .change(
                    "Concours de belote",
                    &[
                        "20 nov|20.11|20.11.|11-20|20/11",
                        "19h45|19 h 45|19:45|19.45",
                        "lavande",
                        "11 euros",
                        "tapis",
                    ],
                )
                .lacking(&["13 nov|13.11|13.11.|11-13|13/11"]),
        )
        .note(
            "Concours de belote",
            "loisirs",
            "Le 13 novembre à 19h45, salle Lavande.\nInscription : 11 euros la paire\nApporter un tapis de jeu",
        )
        .note(
            "Loto des pompiers",
            "village",
            "Le 13 novembre, salle Lavande, 5 euros le carton. Honorine vend les gâteaux.",
        )
        .solved_by(&[Edit::Replace(
            "Concours de belote",
            "13 novembre",
            "20 novembre",
        )]),
        Task::strict(
            "dutch-bike-parking",
            "maak hier even een nieuwe notitie van: de fietsenstalling achter het station kost 75 euro per jaar, ik \
             heb plek 214, om 1 uur 's nachts gaat hij dicht en de beheerder heet Teun",
            Expected::default().new_note(&[
                "fietsenstalling|fietsen",
                "station",
                "75|75,00|75.00",
                "jaar",
                "214",
                "1|1:00|01:00|1.00|01.00|een uur|één uur",
                "dicht|sluit|gesloten",
                "teun",
            ]),
        )
        .note(
            "Bakfiets",
            "vervoer",
            "Geleend van Teun tot eind april. De voorrem piept als het regent.",
        )
        .note(
            "Treinkaart",
            "vervoer",
            "Geldig tot 14 juni, alleen in het weekend. Ligt in de bovenste la.",
        )
        .solved_by(&[Edit::Create(
            "Fietsenstalling",
            "Achter het station, 75 euro per jaar, plek 214. Dicht om 1 uur 's nachts. Beheerder: Teun.",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-sweet-potato-dig",
            "芋掘りの持ち物リストに、長靴と新聞紙五枚も足しといて",
            Expected::default().change(
                "芋掘りの持ち物",
                &["軍手", "水筒", "長靴", "新聞紙&五|新聞紙&5"],
            ),
        )
        .note("芋掘りの持ち物", "子ども", "・軍手\n・水筒")
        .note("潮干狩りの道具", "外遊び", "・熊手\n・長靴\n・バケツ")
        .solved_by(&[Edit::Append("芋掘りの持ち物", "\n・長靴\n・新聞紙五枚")]),
    ]
}
