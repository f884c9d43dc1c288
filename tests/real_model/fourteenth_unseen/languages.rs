//! German, French, Portuguese and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_portuguese(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-clubhouse-ticks",
            "die fenster im vereinsheim sind abgeklebt und die decke ist auch gestrichen, kannste beides abhaken",
            Expected::default()
                .change(
                    "Vereinsheim",
                    &[
                        "[x]&fenster",
                        "[x]&farbe",
                        "[x]&decke",
                        "[ ]&boden",
                        "[ ]&tresen",
                    ],
                )
                .lacking(&["[ ]&fenster", "[ ]&decke"]),
        )
        .note(
            "Vereinsheim",
            "verein",
            "- [ ] Fenster abkleben\n- [x] Farbe kaufen\n- [ ] Decke streichen\n- [ ] Boden abschleifen\n- [ ] \
             Tresen lackieren",
        )
        .note(
            "Gästezimmer",
            "haus",
            "- [ ] Decke streichen\n- [ ] Schloss ölen",
        )
        .solved_by(&[
            Edit::Replace("Vereinsheim", "[ ] Fenster", "[x] Fenster"),
            Edit::Replace("Vereinsheim", "[ ] Decke", "[x] Decke"),
        ]),
        Task::strict(
            "german-piano-delivery",
            "Die Spedition hat sich gemeldet: Das Klavier kommt erst am 8. Oktober und nicht schon am 1. Bitte in \
             der Notiz ändern.",
            Expected::default()
                .change(
                    "Klavierlieferung",
                    &[
                        "8. Okt|8 Okt|08. Okt|8.10|8.10.|08.10|08.10.|10-08|achte",
                        "10&13",
                        "treppenhaus",
                        "filzgleiter",
                    ],
                )
                .lacking(&["1. Okt|1 Okt|01. Okt|1.10|1.10.|01.10|01.10.|10-01|erste"]),
        )
        .note(
            "Klavierlieferung",
            "musik",
            "Am 1. Oktober zwischen 10 und 13 Uhr.\nVorher das Treppenhaus ausmessen\nFilzgleiter liegen bereit.",
        )
        .note(
            "Schlagzeug",
            "musik",
            "Probestunde am 1. Oktober um 16:40 Uhr, Stöcke selber mitbringen.",
        )
        .solved_by(&[Edit::Replace(
            "Klavierlieferung",
            "1. Oktober",
            "8. Oktober",
        )]),
    ]
}

fn french_and_portuguese() -> Vec<Task> {
    vec![
        Task::strict(
            "french-veg-share",
            "À noter quelque part stp : le panier de l'AMAP se récupère le jeudi de 18h à 19h30 chez Mme Roussel, \
             c'est 22 euros, et il faut rapporter les cagettes vides.",
            Expected::default().new_note(&[
                "panier|amap",
                "jeudi",
                "18h|18 h|18:00|18.00|18",
                "19h30|19 h 30|19:30|19.30",
                "roussel",
                "22|vingt-deux",
                "cagette",
            ]),
        )
        .note(
            "Marché couvert",
            "courses",
            "Mardi et samedi, le fromager part à midi et demi.",
        )
        .note(
            "Bouteilles consignées",
            "courses",
            "À rapporter le jeudi, 20 centimes pièce. Les cagettes vertes aussi.",
        )
        .solved_by(&[Edit::Create(
            "Panier de l'AMAP",
            "Le jeudi de 18h à 19h30 chez Mme Roussel, 22 euros. Rapporter les cagettes vides.",
        )]),
        Task::strict(
            "portuguese-market-list",
            "acrescenta aí à lista da feira duas dúzias de ovos e um molho de coentros, se faz favor",
            Expected::default().change(
                "Lista da feira",
                &[
                    "batata-doce|batata doce",
                    "queijos frescos",
                    "2&dúzia&ovo|duas&dúzia&ovo|2&duzia&ovo|duas&duzia&ovo|2&dz&ovo|24&ovo",
                    "coentro",
                ],
            ),
        )
        .note("Lista da feira", "casa", "- batata-doce\n- 3 queijos frescos")
        .note(
            "Feira medieval",
            "passeios",
            "Entrada 4 euros, trajes à parte. O Zé leva os ovos para a corrida.",
        )
        .solved_by(&[Edit::Append(
            "Lista da feira",
            "\n- 2 dúzias de ovos\n- 1 molho de coentros",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-black-beans",
            "黒豆は母が煮て持ってきてくれるそうなので、お節の材料から外しておいてください。",
            Expected::default()
                .change("お節の材料", &["数の子", "さつまいも", "三つ葉"])
                .lacking(&["黒豆"]),
        )
        .note(
            "お節の材料",
            "正月",
            "- 数の子\n- 黒豆\n- 栗きんとん用のさつまいも\n- 三つ葉",
        )
        .note("丹波のおみやげ", "旅行", "- 黒豆のお菓子、二箱\n- 絵はがき")
        .solved_by(&[Edit::Replace("お節の材料", "- 黒豆\n", "")]),
    ]
}
