//! German, French, Italian and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_italian(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-heat-reader",
            "der heizungsableser hat abgesagt, er kommt jetzt erst am 19. november. uhrzeit bleibt gleich",
            Expected::default()
                .change(
                    "Heizungsableser",
                    &[
                        "19. Nov|19 Nov|19.11|19.11.|11-19",
                        "8|8:00|08:00|8.00|acht",
                        "10|10:00|10.00|zehn",
                        "räume",
                    ],
                )
                .lacking(&["12. Nov|12 Nov|12.11|12.11.|11-12"]),
        )
        .note(
            "Heizungsableser",
            "wohnung",
            "Kommt am 12. November zwischen 8 und 10 Uhr.\nAlle Räume müssen offen sein.",
        )
        .note(
            "Laternenfest",
            "kinder",
            "Am 12. November ab 17 Uhr. Punsch bringt jeder selbst mit.",
        )
        .solved_by(&[Edit::Replace("Heizungsableser", "12. Nov", "19. Nov")]),
        Task::strict(
            "german-class-trip",
            "kanst du noch hausschuhe und ein kartenspiel auf die liste für die klassenfahrt setzten?",
            Expected::default().change(
                "Klassenfahrt",
                &[
                    "bettwäsche",
                    "regenjacke",
                    "hausschuh",
                    "kartenspiel|spielkarten",
                ],
            ),
        )
        .note("Klassenfahrt", "schule", "- Bettwäsche\n- Regenjacke")
        .note(
            "Wandertag",
            "schule",
            "Treffpunkt an der Schleuse, Hausschuhe bleiben diesmal im Fach.",
        )
        .solved_by(&[Edit::Append(
            "Klassenfahrt",
            "\n- Hausschuhe\n- Kartenspiel",
        )]),
    ]
}

fn french_and_italian() -> Vec<Task> {
    vec![
        Task::strict(
            "french-leaving-do",
            "c bon j'ai acheté la carte pour le pot de départ de Maëlle, tu peux cocher",
            Expected::default()
                .change(
                    "Pot de départ de Maëlle",
                    &["[ ]&salle", "[x]&carte", "[x]&cagnotte", "[ ]&jus"],
                )
                .lacking(&["[ ]&carte"]),
        )
        .note(
            "Pot de départ de Maëlle",
            "bureau",
            "- [ ] réserver la salle\n- [ ] acheter la carte\n- [x] faire tourner la cagnotte\n- [ ] jus de \
             fruits",
        )
        .note(
            "Noces d'étain",
            "famille",
            "- [ ] acheter la carte\n- [ ] commander le gâteau",
        )
        .solved_by(&[Edit::Replace(
            "Pot de départ de Maëlle",
            "[ ] acheter",
            "[x] acheter",
        )]),
        Task::strict(
            "italian-cantina-keys",
            "mi fai una nuova nota? la signora Pavan ha le chiavi della cantina fino a domenica, poi le lascia \
             in portineria",
            Expected::default().new_note(&["pavan", "chiav", "cantina", "domenica", "portin|portier"]),
        )
        .note(
            "Ascensore",
            "condominio",
            "Fermo il lunedì mattina. Il tasto del quarto piano non si accende.",
        )
        .note(
            "Riunione di condominio",
            "condominio",
            "Giovedì alle 18 nell'atrio, si vota per la facciata.",
        )
        .solved_by(&[Edit::Create(
            "Chiavi della cantina",
            "Le ha la signora Pavan fino a domenica, poi le lascia in portineria.",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-inn-guests",
            "箱根の旅館、四人じゃなくて五人で行くことになったから、メモ直してもらえる？",
            Expected::default()
                .change("箱根の旅館", &["三月八日", "五人|5人|五名|5名", "六時半"])
                .lacking(&["四人|4人|四名|4名"]),
        )
        .note(
            "箱根の旅館",
            "旅行",
            "三月八日から一泊。\n四人で予約した。\n夕食は六時半。",
        )
        .note("お花見", "行事", "四人で行く。\n場所取りは兄がする。")
        .solved_by(&[Edit::Replace("箱根の旅館", "四人", "五人")]),
    ]
}
