//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_japanese(), french(), french_in_two_steps()].concat()
}

fn german_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "german-school-cone",
            "in die schultüte für mats kommen noch ein radiergummi und eine trillerpfeife",
            Expected::default().change(
                "Schultüte Mats",
                &["buntstifte", "brotdose", "radiergummi", "trillerpfeife"],
            ),
        )
        .note(
            "Schultüte Frida",
            "einschulung",
            "- Springseil\n- Wachsmalkreide",
        )
        .note("Schultüte Mats", "einschulung", "- Buntstifte\n- Brotdose")
        .note(
            "Einschulungsfeier",
            "einschulung",
            "In der Turnhalle, die Großeltern sitzen oben.",
        )
        .solved_by(&[Edit::Append(
            "Schultüte Mats",
            "\n- Radiergummi\n- Trillerpfeife",
        )]),
        Task::strict(
            "japanese-fireworks",
            "花火大会は八月三日じゃなくて八月十日でした。直してくれる？",
            Expected::default()
                .change(
                    "花火大会",
                    &[
                        "八月十日|8月10日|8/10|08-10|8.10",
                        "七時半|7時半|七時三十分|7時30分|19時半|19時30分|19:30|7:30",
                        "河川敷",
                    ],
                )
                .lacking(&["八月三日|8月3日|8/3|08-03"]),
        )
        .note(
            "花火大会",
            "夏",
            "八月三日の夜七時半から。\n橋の近くの河川敷で見る。",
        )
        .note("盆踊り", "夏", "盆踊りは八月三日、駅前の公園で。")
        .solved_by(&[Edit::Replace("花火大会", "八月三日", "八月十日")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-canteen",
            "le repas à la cantine est passé à 4,80, c'était 4,35",
            Expected::default()
                .change(
                    "Cantine",
                    &["repas&4,80|repas&4.80|repas&4,8|repas&4.8", "1,20", "jeudi"],
                )
                .lacking(&["4,35|4.35"]),
        )
        .note(
            "Cantine",
            "école",
            "Repas : 4,35 euros\nGoûter : 1,20 euro\nInscription avant le jeudi midi",
        )
        .note(
            "Étude du soir",
            "école",
            "4,35 euros la semaine, jusqu'à 18 heures.",
        )
        .solved_by(&[Edit::Replace("Cantine", "4,35", "4,80")]),
        Task::strict(
            "french-rink",
            "On n'a plus besoin de réserver pour la patinoire, tu peux enlever ça de la note ?",
            Expected::default()
                .change("Patinoire", &["5 euros|5 €|5€", "patins", "gants"])
                .lacking(&["réserv|reserv"]),
        )
        .note(
            "Patinoire",
            "loisirs",
            "Entrée 5 euros, patins compris. Il faut réserver la veille. Gants obligatoires.",
        )
        .note(
            "Théâtre de marionnettes",
            "loisirs",
            "Il faut réserver deux semaines avant.",
        )
        .solved_by(&[Edit::Replace(
            "Patinoire",
            " Il faut réserver la veille.",
            "",
        )]),
    ]
}

fn french_in_two_steps() -> Vec<Task> {
    vec![
        Task::strict(
            "french-fair",
            "Basile ne s'occupe plus des sandwichs à la kermesse, tu peux l'enlever ? Et Romane vient aider à \
             la buvette.",
            Expected::default()
                .change(
                    "Kermesse",
                    &[
                        "buvette&titouan",
                        "buvette&romane",
                        "sandwich&nour",
                        "tombola&coralie",
                    ],
                )
                .lacking(&["basile"]),
        )
        .note(
            "Kermesse",
            "école",
            "Buvette : Titouan\nSandwichs : Basile, Nour\nTombola : Coralie",
        )
        .note(
            "Lots de la tombola",
            "école",
            "Un panier garni de Romane, deux places de cinéma de Basile.",
        )
        .solved_by(&[
            Edit::Replace("Kermesse", "Titouan", "Titouan, Romane"),
            Edit::Replace("Kermesse", "Basile, ", ""),
        ]),
    ]
}
