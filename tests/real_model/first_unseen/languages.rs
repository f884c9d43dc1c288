//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "german-list",
            "Setz bitte noch Quitten auf die Liste für den Wochenmarkt.",
            Expected::default().change(
                "Wochenmarkt",
                &["radieschen", "ziegenkäse", "honig", "quitten"],
            ),
        )
        .note(
            "Wochenmarkt",
            "markt, einkauf",
            "- Radieschen\n- Ziegenkäse\n- Honig",
        )
        .note(
            "Flohmarkt",
            "markt",
            "Der Flohmarkt ist am letzten Sonntag im Monat.",
        )
        .solved_by(&[Edit::Append("Wochenmarkt", "\n- Quitten")]),
        Task::strict(
            "german-correct",
            "Der Hausmeister ist jetzt dienstags im Büro und nicht mehr montags, die Uhrzeit bleibt.",
            Expected::default()
                .change("Hausmeister", &["brandt", "dienstag", "7", "9 Uhr", "büro"])
                .lacking(&["montag"]),
        )
        .note(
            "Hausmeister",
            "haus",
            "Herr Brandt ist montags von 7 bis 9 Uhr im Büro.",
        )
        .note(
            "Hausordnung",
            "haus",
            "Von 13 bis 15 Uhr ist Mittagsruhe, die Treppe ist montags dran.",
        )
        .solved_by(&[Edit::Replace("Hausmeister", "montags", "dienstags")]),
        Task::strict(
            "french-new",
            "Crée une note intitulée Contrôle technique : la voiture passe au garage le 6 février à 10h30.",
            Expected::default().new_titled("Contrôle technique", &[
                "voiture",
                "6 février|6 fevrier|06/02|6/2|06.02|02-06",
                "10h30|10 h 30|10:30|10.30",
            ]),
        )
        .note(
            "Assurance voiture",
            "voiture",
            "La franchise est de 300 euros.",
        )
        .solved_by(&[Edit::Create(
            "Contrôle technique",
            "La voiture passe au garage le 6 février à 10h30.",
        )]),
        Task::strict(
            "japanese-list",
            "買い物リストに卵とごま油を追加してください。",
            Expected::default().change(
                "買い物リスト",
                &["豆腐", "ねぎ", "味噌", "卵|たまご", "ごま油|胡麻油"],
            ),
        )
        .note("買い物リスト", "買い物", "- 豆腐\n- ねぎ\n- 味噌")
        .note("商店街", "買い物", "魚屋は水曜日が休みです。")
        .solved_by(&[Edit::Append("買い物リスト", "\n- 卵\n- ごま油")]),
    ]
}
