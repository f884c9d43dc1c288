//! German, French, Portuguese and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_portuguese(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-orthodontist",
            "kieferorthopäde hat angerufen, toms termin ist um 15:20 statt um 14:50. änderst du das bitte?",
            Expected::default()
                .change(
                    "Kieferorthopäde",
                    &[
                        "tom&15:20|tom&15.20|tom&15 uhr 20|tom&15h20",
                        "tom&4. März|tom&4 März|tom&4.3|tom&4.3.|tom&04.03|tom&04.03.|tom&03-04",
                        "mia&14:10",
                        "spangendose",
                    ],
                )
                .lacking(&["14:50|14.50|14 uhr 50"]),
        )
        .note(
            "Kieferorthopäde",
            "kinder",
            "Tom: 4. März, 14:50 Uhr\nMia: 4. März, 14:10 Uhr\nSpangendose mitnehmen",
        )
        .note(
            "Augenarzt",
            "kinder",
            "Tom: 9. April, 14:50 Uhr. Die alte Brille einstecken.",
        )
        .solved_by(&[Edit::Replace("Kieferorthopäde", "14:50", "15:20")]),
        Task::strict(
            "german-water-meter",
            "mach mir mal ne neue notiz: wasserzähler am 3. januar abgelesen, stand 417, frau sievers von den \
             stadtwerken war da",
            Expected::default().new_note(&[
                "wasser",
                "3. Jan|3 Jan|03. Jan|3.1|3.1.|03.01|03.01.|3.01.|01-03|dritte",
                "417",
                "sievers",
                "stadtwerk",
            ]),
        )
        .note(
            "Stromzähler",
            "haus",
            "Im Keller links, Stand 23008 im Dezember.",
        )
        .note(
            "Gartenwasser",
            "haus",
            "Im Oktober abdrehen, der Hahn tropft sonst.",
        )
        .solved_by(&[Edit::Create(
            "Wasserzähler",
            "Am 3. Januar abgelesen, Stand 417. Frau Sievers von den Stadtwerken war da.",
        )]),
    ]
}

fn french_and_portuguese() -> Vec<Task> {
    vec![
        Task::strict(
            "french-crepes-cider",
            "plus besoin d'acheter du cidre pour la soirée crêpes, yann en ramène. tu peux l'enlever de la \
             liste ?",
            Expected::default()
                .change(
                    "Soirée crêpes",
                    &["sarrasin", "œufs|oeufs", "confiture", "chantilly"],
                )
                .lacking(&["cidre"]),
        )
        .note(
            "Soirée crêpes",
            "amis",
            "- farine de sarrasin\n- cidre doux\n- œufs\n- confiture de fraises\n- chantilly",
        )
        .note(
            "Cave",
            "maison",
            "Six bouteilles de cidre, deux de poiré. Ne pas les coucher.",
        )
        .solved_by(&[Edit::Replace("Soirée crêpes", "- cidre doux\n", "")]),
        Task::strict(
            "portuguese-training-day",
            "o treino do duda mudou pra quinta, mesmo horário e mesmo lugar. arruma aí na nota por favor",
            Expected::default()
                .change(
                    "Treino do Duda",
                    &[
                        "quinta",
                        "17h30|17:30|17.30|5:30|5h30",
                        "quadra 2",
                        "joelheira",
                    ],
                )
                .lacking(&["quarta"]),
        )
        .note(
            "Treino do Duda",
            "filhos",
            "Quarta às 17h30, quadra 2.\nLevar água e as joelheiras.",
        )
        .note(
            "Aula de violão",
            "filhos",
            "Quarta às 18h15 com o Nando, a capa rasgou.",
        )
        .solved_by(&[Edit::Replace("Treino do Duda", "Quarta", "Quinta")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-moving-tick",
            "引っ越しのリストの転送届、今日出してきたからチェック入れておいて",
            Expected::default()
                .change(
                    "引っ越し",
                    &["[x]&転送届", "[ ]&鍵", "[x]&電気", "[ ]&カーテン"],
                )
                .lacking(&["[ ]&転送"]),
        )
        .note(
            "引っ越し",
            "家",
            "- [ ] 郵便の転送届\n- [ ] 鍵の返却\n- [x] 電気の解約\n- [ ] カーテンの採寸",
        )
        .note("実家の片付け", "家", "- [ ] 郵便受けの掃除\n- [ ] 古い布団")
        .solved_by(&[Edit::Replace("引っ越し", "[ ] 郵便", "[x] 郵便")]),
    ]
}
