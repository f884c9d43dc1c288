//! German, French, Japanese and Polish.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese(), polish()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-wg-bathroom-duty",
            "Malte schafft das Bad neben der Uni einfach nicht mehr, das putzt ab jetzt Jorinde. \
             Trägst du das im Putzplan um? Samstags bleibt's.",
            Expected::default()
                .change(
                    "Putzplan",
                    &["bad&jorinde", "samstag|samstags", "fabian", "noa", "müll"],
                )
                .lacking(&["malte"]),
        )
        .note(
            "Putzplan",
            "wg",
            "Küche: Fabian\nBad: Malte, samstags\nFlur und Treppe: Noa\nMüll: wer gerade geht",
        )
        .note(
            "Einkaufsplan",
            "wg",
            "Getränke: Malte, samstags\nBrot und Käse: Fabian",
        )
        .solved_by(&[Edit::Replace("Putzplan", "Malte", "Jorinde")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-kine-thursday",
            "le kiné m'a encore décalée, c'est jeudi 17h45 au lieu de mardi 18h30.. tu peux \
             corriger ?",
            Expected::default()
                .change(
                    "Kiné",
                    &[
                        "jeudi",
                        "17h45|17 h 45|17:45|17.45|six heures moins le quart",
                        "tanneurs",
                        "radio",
                        "séances",
                    ],
                )
                .lacking(&["mardi", "18h30|18 h 30|18:30|18.30"]),
        )
        .note(
            "Kiné",
            "santé",
            "Mardi à 18h30, rue des Tanneurs.\nApporter la radio de l'épaule\nEncore six \
             séances",
        )
        .note(
            "Conseil syndical",
            "immeuble",
            "Mardi à 18h30 dans le hall. Parler du local à vélos.",
        )
        .solved_by(&[Edit::Replace("Kiné", "Mardi à 18h30", "Jeudi à 17h45")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-business-trip-list",
            "あ、出張の持ち物に名刺と変換プラグも足しといて",
            Expected::default().change(
                "出張の持ち物",
                &[
                    "ノートパソコン",
                    "ワイシャツ",
                    "常備薬",
                    "名刺",
                    "変換プラグ|変換アダプタ",
                ],
            ),
        )
        .note(
            "出張の持ち物",
            "仕事",
            "- ノートパソコン\n- ワイシャツ二枚\n- 常備薬",
        )
        .note(
            "温泉旅行の持ち物",
            "旅行",
            "- 文庫本\n- 酔い止め\n- 小さいタオル",
        )
        .solved_by(&[Edit::Append("出張の持ち物", "\n- 名刺\n- 変換プラグ")]),
    ]
}

fn polish() -> Vec<Task> {
    vec![
        Task::strict(
            "polish-squash-court",
            "squash mamy teraz na korcie 5, a nie na 2, popraw to proszę w notatce",
            Expected::default()
                .change(
                    "Squash",
                    &[
                        "czwart",
                        "19:15|19.15|kwadrans po siódmej",
                        "kort&5|kort&pięć|kort&piąty|korcie&5",
                        "recepcj",
                        "ludwik",
                    ],
                )
                .lacking(&["2|dwa|dwójka"]),
        )
        .note(
            "Squash",
            "sport",
            "Czwartek 19:15, kort 2.\nRakiety pożycza recepcja\nLudwik przynosi piłki",
        )
        .note(
            "Badminton",
            "sport",
            "Poniedziałek 20:00, kort 2. Lotki kupuje Bożena.",
        )
        .solved_by(&[Edit::Replace("Squash", "kort 2", "kort 5")]),
    ]
}
