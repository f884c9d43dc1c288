//! German, French, Italian, Japanese and Spanish.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_japanese(), french_and_italian(), spanish()].concat()
}

fn german_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "german-tent-camp",
            "isomatte hat jonte schon eine, die kann von der liste fürs zeltlager wieder runter",
            Expected::default()
                .change("Zeltlager", &["stirnlampe", "besteck", "mückenspray"])
                .lacking(&["isomatte"]),
        )
        .note(
            "Zeltlager",
            "ferien",
            "- Stirnlampe\n- Isomatte\n- Besteck\n- Mückenspray",
        )
        .note(
            "Jonte",
            "kinder",
            "Schuhgröße 36. Seine Isomatte ist die blaue.",
        )
        .solved_by(&[Edit::Replace("Zeltlager", "- Isomatte\n", "")]),
        Task::strict(
            "japanese-culture-fair",
            "文化祭の買い出しリストに、紙コップと風船も入れといて",
            Expected::default().change(
                "文化祭の買い出し",
                &[
                    "画用紙",
                    "ガムテープ",
                    "紙コップ|紙カップ",
                    "風船|ふうせん|バルーン",
                ],
            ),
        )
        .note("文化祭の買い出し", "学校", "- 画用紙\n- ガムテープ")
        .note(
            "文化祭の係",
            "学校",
            "受付は森さん。\n風船は体育館の入口で配る。",
        )
        .solved_by(&[Edit::Append("文化祭の買い出し", "\n- 紙コップ\n- 風船")]),
    ]
}

fn french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "french-watercolour",
            "l'aquarelle a lieu en salle 12 maintenant et plus en salle 7, tu peux le changer dans ma note ?",
            Expected::default()
                .change(
                    "Aquarelle",
                    &[
                        "mardi",
                        "18h|18 h|18:00",
                        "salle&12",
                        "300",
                        "pinceaux",
                    ],
                )
                .lacking(&["salle 7|salle sept"]),
        )
        .note(
            "Aquarelle",
            "cours",
            "Mardi à 18h, salle 7.\nPapier de 300 g, deux pinceaux plats.",
        )
        .note("Poterie", "cours", "Jeudi à 19h, salle 7. Prendre un tablier.")
        .solved_by(&[Edit::Replace("Aquarelle", "salle 7", "salle 12")]),
        Task::strict(
            "italian-road-tax",
            "ho pagato il bollo della macchina, puoi spuntarlo?",
            Expected::default()
                .change(
                    "Macchina",
                    &[
                        "[x]&bollo",
                        "[ ]&gomme",
                        "[x]&revisione",
                        "[ ]&tappetini",
                    ],
                )
                .lacking(&["[ ]&bollo"]),
        )
        .note(
            "Macchina",
            "veicoli",
            "- [ ] cambiare le gomme\n- [ ] pagare il bollo\n- [x] revisione\n- [ ] lavare i tappetini",
        )
        .note(
            "Furgone",
            "veicoli",
            "- [ ] pagare il bollo\n- [x] cambio dell'olio",
        )
        .solved_by(&[Edit::Replace("Macchina", "[ ] pagare", "[x] pagare")]),
    ]
}

fn spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "spanish-rename-watering",
            "cámbiale el título a Nota 9 porfa, que se llame Riego por goteo",
            Expected::default().rename("Nota 9", "Riego por goteo"),
        )
        .note(
            "Nota 9",
            "",
            "Diez minutos al amanecer, los geranios dos veces. El programador lleva una pila de 9 V.",
        )
        .note("Nota 8", "", "El electricista se llama Eusebio y cobra en mano.")
        .solved_by(&[Edit::Rename("Nota 9", "Riego por goteo")]),
    ]
}
