//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-cellar-shelving",
            "pack auf die einkaufsliste fürs kellerregal noch 8 winkel und eine tüte dübel drauf",
            Expected::default().change(
                "Einkaufsliste Kellerregal",
                &[
                    "3 bretter",
                    "holzleim",
                    "8&winkel|acht&winkel",
                    "dübel|duebel",
                ],
            ),
        )
        .note(
            "Einkaufsliste Kellerregal",
            "heimwerken",
            "- 3 Bretter, 120 cm\n- Holzleim",
        )
        .note(
            "Gartentor",
            "heimwerken",
            "Die Winkel hat Onkel Heiner geschweißt, zweimal streichen.",
        )
        .solved_by(&[Edit::Append(
            "Einkaufsliste Kellerregal",
            "\n- 8 Winkel\n- eine Tüte Dübel",
        )]),
        Task::strict(
            "german-voice-coach",
            "Stimmbildung ist ab sofort bei Frau Dörnbach, Herr Quast hat aufgehört. Kannst du das in der Notiz \
             ändern?",
            Expected::default()
                .change(
                    "Stimmbildung",
                    &[
                        "dörnbach|doernbach",
                        "17:40|17.40|17 Uhr 40",
                        "208",
                        "trinkflasche",
                        "24 euro",
                    ],
                )
                .lacking(&["quast"]),
        )
        .note(
            "Stimmbildung",
            "musik",
            "Montags um 17:40 bei Herrn Quast, Zimmer 208.\nTrinkflasche mitnehmen, vorher keine Milch\n30 Minuten \
             für 24 Euro",
        )
        .note(
            "Notenständer",
            "musik",
            "Herr Quast leiht uns zwei, der dritte steht im Keller.",
        )
        .solved_by(&[Edit::Replace(
            "Stimmbildung",
            "Herrn Quast",
            "Frau Dörnbach",
        )]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-mosaic-time",
            "l'atelier mosaïque c'est à 18h30 maintenant, pas à 19h, tu peux rectifier ?",
            Expected::default()
                .change(
                    "Atelier mosaïque",
                    &[
                        "mercredi",
                        "18h30|18 h 30|18h 30|18:30|18.30|six heures et demie",
                        "colbert",
                        "pince",
                        "tablier",
                        "yannick",
                    ],
                )
                .lacking(&["19h|19 h|19:00|19.00|sept heures"]),
        )
        .note(
            "Atelier mosaïque",
            "loisirs",
            "Le mercredi à 19h, salle Colbert.\nApporter une pince et un vieux tablier\nDemander la colle à Yannick",
        )
        .note(
            "Cours de tango",
            "loisirs",
            "Le vendredi à 19h, salle Colbert aussi. Semelles en cuir.",
        )
        .solved_by(&[Edit::Replace("Atelier mosaïque", "19h", "18h30")]),
        Task::strict(
            "french-van-inspection",
            "Fais-moi une nouvelle note stp : le contrôle technique de la camionnette, c'est le 6 mai à 8h45 chez \
             Lemarchand, 79 euros, et il faut apporter la carte grise",
            Expected::default().new_note(&[
                "camionnette",
                "contrôle|controle",
                "6 mai|06 mai|6/5|6/05|06/05|6.5|6.5.|06.05|06.05.|05-06",
                "8h45|8 h 45|8h 45|08h45|08 h 45|8:45|08:45|8.45|08.45|neuf heures moins le quart",
                "lemarchand",
                "79",
                "carte grise",
            ]),
        )
        .note(
            "Vélo cargo",
            "transports",
            "Pression 3,2 à l'arrière. L'antivol est sous le siège.",
        )
        .note(
            "Carte de fidélité",
            "courses",
            "Celle du marchand de légumes, encore deux tampons.",
        )
        .solved_by(&[Edit::Create(
            "Contrôle technique de la camionnette",
            "Le 6 mai à 8h45 chez Lemarchand.\n79 euros\nApporter la carte grise",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-yarn-shopping",
            "毛糸屋さんの買い物メモに、5号の棒針と段数マーカーも足しといてくれる？",
            Expected::default().change(
                "毛糸屋さんの買い物",
                &["並太", "とじ針", "5号&棒針|五号&棒針", "段数マーカー"],
            ),
        )
        .note(
            "毛糸屋さんの買い物",
            "手芸",
            "・生成りの並太 四玉\n・とじ針",
        )
        .note("編みかけのセーター", "手芸", "棒針は8号。\n袖があと十段。")
        .solved_by(&[Edit::Append(
            "毛糸屋さんの買い物",
            "\n・5号の棒針\n・段数マーカー",
        )]),
    ]
}
