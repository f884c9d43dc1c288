//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_french(), japanese()].concat()
}

fn german_and_french() -> Vec<Task> {
    vec![
        Task::strict(
            "german-advent-party",
            "Könnten Sie bei der Adventsfeier bitte noch Zimtsterne und eine Lichterkette \
             ergänzen?",
            Expected::default().change(
                "Adventsfeier",
                &["glühweingewürz", "servietten", "zimtstern", "lichterkette"],
            ),
        )
        .note("Adventsfeier", "verein", "- Glühweingewürz\n- Servietten")
        .note(
            "Adventskranz",
            "zuhause",
            "- vier rote Kerzen\n- Lichterkette mit 20 Lampen",
        )
        .solved_by(&[Edit::Append(
            "Adventsfeier",
            "\n- Zimtsterne\n- Lichterkette",
        )]),
        Task::strict(
            "french-camping-towels",
            "maëlle a déjà de l'essuie-tout, tu peux le rayer de la liste pour le camping",
            Expected::default()
                .change("Camping", &["sardines", "allumettes"])
                .lacking(&["essuie-tout|essuie tout"]),
        )
        .note(
            "Camping",
            "vacances",
            "- sardines de tente\n- essuie-tout\n- allumettes",
        )
        .note("Courses du gîte", "vacances", "- essuie-tout\n- café moulu")
        .solved_by(&[Edit::Replace("Camping", "- essuie-tout\n", "")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-neighbourhood-fee",
            "自治会の会費、今年から三千六百円だそうです。メモを直してもらえますか",
            Expected::default()
                .change("自治会", &["三千六百|3600|3,600|3千6百", "田辺", "日曜"])
                .lacking(&["三千円|3000円|3,000円"]),
        )
        .note(
            "自治会",
            "近所",
            "会費は一年三千円。\n回覧板は田辺さんに回す。\n公園の掃除は第一日曜日。",
        )
        .note("子ども会", "近所", "会費は三千円。夏祭りは八月。")
        .solved_by(&[Edit::Replace("自治会", "三千円", "三千六百円")]),
    ]
}
