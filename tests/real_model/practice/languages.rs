//! Requests and notes that are not in English.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "german-add",
            "Setz bitte Butter und Käse auf die Einkaufsliste",
            Expected::default().change("Einkaufsliste", &["Milch", "Brot", "Butter", "Käse"]),
        )
        .note("Einkaufsliste", "", "- Milch\n- Brot")
        .solved_by(&[Edit::Append("Einkaufsliste", "\n- Butter\n- Käse")]),
        Task::strict(
            "german-change",
            "Der Termin beim Zahnarzt ist jetzt um 11 Uhr",
            Expected::default()
                .change("Zahnarzt", &["4. Juni", "11 Uhr"])
                .lacking(&["9 Uhr"]),
        )
        .note("Zahnarzt", "", "Termin am 4. Juni um 9 Uhr")
        .note("Friseur", "", "Termin am 6. Juni um 9 Uhr")
        .solved_by(&[Edit::Replace("Zahnarzt", "9 Uhr", "11 Uhr")]),
        Task::strict(
            "german-ask",
            "Wo hängt der Schlüssel vom Keller?",
            Expected::default().answer(&["hinter der Tür"], &["Keller"]),
        )
        .note(
            "Keller",
            "",
            "Der Schlüssel hängt hinter der Tür.\nDas Licht ist kaputt.",
        )
        .solved_by(&[Edit::Answer("Hinter der Tür.", &["Keller"])]),
        Task::strict(
            "japanese-add",
            "買い物リストに豆腐を追加して",
            Expected::default().change("買い物リスト", &["牛乳", "卵", "豆腐"]),
        )
        .note("買い物リスト", "", "- 牛乳\n- 卵")
        .note("本", "", "図書館の本は金曜日に返す。")
        .solved_by(&[Edit::Append("買い物リスト", "\n- 豆腐")]),
        Task::strict(
            "japanese-ask",
            "電車は何時に出ますか？",
            Expected::default().answer(&["7時20分"], &["電車"]),
        )
        .note(
            "電車",
            "",
            "電車は7時20分に出ます。\n駅まで歩いて10分です。",
        )
        .solved_by(&[Edit::Answer("7時20分に出ます。", &["電車"])]),
        Task::strict(
            "french-add",
            "ajoute du beurre et des pommes à la liste de courses",
            Expected::default().change("Liste de courses", &["lait", "beurre", "pommes"]),
        )
        .note("Liste de courses", "", "- lait")
        .solved_by(&[Edit::Append("Liste de courses", "\n- beurre\n- pommes")]),
    ]
}
