//! German, French, Spanish and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_spanish(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-fire-brigade-fete",
            "Schreib bitte noch Wimpel und zwei Gasflaschen auf die Liste fürs Feuerwehrfest",
            Expected::default().change(
                "Feuerwehrfest",
                &[
                    "bierbänke",
                    "senf",
                    "wimpel",
                    "2&gasflasche|zwei&gasflasche",
                ],
            ),
        )
        .note("Feuerwehrfest", "verein", "- 10 Bierbänke\n- Senf")
        .note(
            "Schützenfest",
            "verein",
            "Antreten um 13 Uhr, Wimpel hat der Wirt. Hilke kassiert.",
        )
        .solved_by(&[Edit::Append("Feuerwehrfest", "\n- Wimpel\n- 2 Gasflaschen")]),
        Task::strict(
            "german-wish-list",
            "jannes hat die kugelbahn schon von oma gekriegt, nimm die mal von seinem wunschzettel runter",
            Expected::default()
                .change(
                    "Wunschzettel von Jannes",
                    &["taucherbrille", "lupe", "torwarthandschuhe"],
                )
                .lacking(&["kugelbahn"]),
        )
        .note(
            "Wunschzettel von Jannes",
            "kinder",
            "- Taucherbrille\n- Kugelbahn\n- Lupe mit Licht\n- Torwarthandschuhe",
        )
        .note(
            "Wunschzettel von Wiebke",
            "kinder",
            "- Kugelbahn, aber aus Holz\n- Stempel",
        )
        .solved_by(&[Edit::Replace(
            "Wunschzettel von Jannes",
            "- Kugelbahn\n",
            "",
        )]),
    ]
}

fn french_and_spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "french-magician",
            "le magicien est réservé et les invitations sont distribuées ! tu peux cocher les deux pour \
             l'anniversaire de Léandre ?",
            Expected::default()
                .change(
                    "Anniversaire de Léandre",
                    &[
                        "[x]&magicien",
                        "[x]&gâteau",
                        "[x]&invitations",
                        "[ ]&pochettes",
                    ],
                )
                .lacking(&["[ ]&magicien", "[ ]&invitations"]),
        )
        .note(
            "Anniversaire de Léandre",
            "enfants",
            "- [ ] réserver le magicien\n- [x] choisir le gâteau\n- [ ] distribuer les invitations\n- [ ] remplir \
             les pochettes surprises",
        )
        .note(
            "Anniversaire de mamie",
            "famille",
            "- [ ] distribuer les invitations\n- [ ] louer la sono",
        )
        .solved_by(&[
            Edit::Replace("Anniversaire de Léandre", "[ ] réserver", "[x] réserver"),
            Edit::Replace("Anniversaire de Léandre", "[ ] distribuer", "[x] distribuer"),
        ]),
        Task::strict(
            "spanish-nanny",
            "apúntame en una nota nueva: la niñera se llama Ainhoa, viene los martes de 16 a 19 h y cobra 11 \
             euros la hora. ah, y tiene alergia a los gatos",
            Expected::default().new_note(&[
                "ainhoa",
                "martes",
                "16|16:00|16.00|4",
                "19|19:00|19.00|7",
                "11|once",
                "alergi|alérgic",
                "gato",
            ]),
        )
        .note(
            "Guardería",
            "niños",
            "Cierra a las 17:30. Llevar babero y una muda.",
        )
        .note(
            "Gato",
            "casa",
            "Medio sobre por la mañana. Odia el transportín azul.",
        )
        .solved_by(&[Edit::Create(
            "Niñera",
            "Ainhoa viene los martes de 16 a 19 h. Cobra 11 euros la hora y tiene alergia a los gatos.",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-clinic-day",
            "整骨院の予約、木曜じゃなくて金曜になった。時間は同じだよ。メモ直しておいてくれる？",
            Expected::default()
                .change("整骨院", &["金曜", "十一時|11時|11:00", "森口", "タオル"])
                .lacking(&["木曜"]),
        )
        .note(
            "整骨院",
            "健康",
            "木曜の十一時に予約した。\n担当は森口さん。\nタオルを持っていく。",
        )
        .note(
            "囲碁の集まり",
            "趣味",
            "木曜の二時から。\n碁盤は公民館にある。",
        )
        .solved_by(&[Edit::Replace("整骨院", "木曜", "金曜")]),
    ]
}
