//! German, French, Spanish and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_spanish(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-garden-pond-ticks",
            "gartenteich: loch ist ausgehoben, und der zaun für die kleinen steht auch. bitte beides als erledigt \
             markieren",
            Expected::default()
                .change(
                    "Gartenteich",
                    &[
                        "[x]&folie",
                        "[x]&loch",
                        "[ ]&pumpe",
                        "[ ]&seerosen",
                        "[x]&zaun",
                    ],
                )
                .lacking(&["[ ]&loch", "[ ]&zaun"]),
        )
        .note(
            "Gartenteich",
            "garten",
            "- [x] Folie bestellen\n- [ ] Loch ausheben\n- [ ] Pumpe anschließen\n- [ ] Seerosen setzen\n- [ ] Zaun \
             für die Kleinen",
        )
        .note(
            "Sandkasten",
            "garten",
            "- [ ] Loch ausheben\n- [ ] Sand liefern lassen",
        )
        .solved_by(&[
            Edit::Replace("Gartenteich", "[ ] Loch", "[x] Loch"),
            Edit::Replace("Gartenteich", "[ ] Zaun", "[x] Zaun"),
        ]),
        Task::strict(
            "german-dog-school-meeting-point",
            "Kannst du bei der Hundeschule bitte den Treffpunkt ändern? Wir treffen uns ab sofort am Freibad und nicht \
             mehr am Wasserturm, dort wird gebaut.",
            Expected::default()
                .change(
                    "Hundeschule",
                    &[
                        "samstag|samstags",
                        "9:40|9.40|09:40|09.40|zwanzig vor zehn",
                        "freibad",
                        "öztürk",
                        "leberwurst",
                    ],
                )
                .lacking(&["wasserturm"]),
        )
        .note(
            "Hundeschule",
            "hund",
            "Samstags um 9:40 Uhr am Wasserturm.\nTrainerin: Frau Öztürk\nLeberwurst in der Tube mitbringen",
        )
        .note(
            "Lauftreff",
            "sport",
            "Mittwochs um 18:20 Uhr am Wasserturm. Stirnlampe nicht vergessen.",
        )
        .solved_by(&[Edit::Replace("Hundeschule", "Wasserturm", "Freibad")]),
    ]
}

fn french_and_spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "french-fencing-room",
            "au fait l'escrime c'est en salle 12 maintenant, plus en salle 7. tu mets la note à jour ?",
            Expected::default()
                .change(
                    "Escrime",
                    &[
                        "jeudi",
                        "18 h 30|18h30|18:30|18.30",
                        "12|douze",
                        "masque",
                        "kerbrat",
                    ],
                )
                .lacking(&["7|sept"]),
        )
        .note(
            "Escrime",
            "sport",
            "Le jeudi à 18 h 30, salle 7.\nMasque prêté par le club\nMme Kerbrat est absente en février",
        )
        .note(
            "Tricot",
            "loisirs",
            "Le lundi à midi, salle 7. Chacun apporte un gâteau à son tour.",
        )
        .solved_by(&[Edit::Replace("Escrime", "salle 7", "salle 12")]),
        Task::strict(
            "spanish-oranges",
            "apúntame en una nota nueva lo de las naranjas: las trae Evaristo desde Alzira, 15 kilos por 24 euros, \
             viernes a las 18:05 en la gasolinera. ¡gracias!",
            Expected::default().new_note(&[
                "naranja|naranjas",
                "evaristo",
                "alzira",
                "15|quince",
                "24|veinticuatro",
                "viernes",
                "18:05|18.05|6:05|6.05|18h05",
                "gasolinera",
            ]),
        )
        .note(
            "Gasolinera",
            "coche",
            "El aire es gratis hasta las diez. Pedir la ficha del lavado dentro.",
        )
        .note(
            "Limonero",
            "terraza",
            "Abono en marzo y en junio. Se lo regaló Nuria a mamá.",
        )
        .solved_by(&[Edit::Create(
            "Naranjas",
            "Las trae Evaristo desde Alzira.\n15 kilos por 24 euros\nViernes a las 18:05 en la gasolinera",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-chorus-start",
            "合唱の練習、開始が七時じゃなくて六時半になったので、メモを直しておいてください。",
            Expected::default()
                .change(
                    "合唱の練習",
                    &[
                        "水曜",
                        "六時半|6時半|６時半|六時三十分|6時30分|６時３０分|6:30|18:30|18時半|18時30分|十八時半",
                        "楽譜",
                        "西村",
                    ],
                )
                .lacking(&["七時|7時|７時|7:00|19時|19:00"]),
        )
        .note(
            "合唱の練習",
            "音楽",
            "水曜の夜\n開始：七時\n楽譜は黒いファイルの中。\n伴奏：西村さん",
        )
        .note(
            "ヨガ教室",
            "運動",
            "開始：七時\nマットを持っていく。",
        )
        .solved_by(&[Edit::Replace("合唱の練習", "七時", "六時半")]),
    ]
}
