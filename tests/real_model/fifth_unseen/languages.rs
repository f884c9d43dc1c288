//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_french(), japanese()].concat()
}

fn german_and_french() -> Vec<Task> {
    vec![
        Task::strict(
            "german-wine-tasting",
            "zur weinprobe bringt lothar das baguette mit, nicht annegret",
            Expected::default()
                .change(
                    "Weinprobe",
                    &["käse&jutta", "baguette&lothar", "gläser&volker"],
                )
                .lacking(&["annegret"]),
        )
        .note(
            "Weinprobe",
            "freunde",
            "Käse: Jutta\nBaguette: Annegret\nGläser: Volker",
        )
        .note(
            "Weinkeller",
            "zuhause",
            "Annegrets Riesling liegt ganz unten, der soll noch ruhen.",
        )
        .solved_by(&[Edit::Replace("Weinprobe", "Annegret", "Lothar")]),
        Task::strict(
            "french-day-camp",
            "au centre aéré la sortie c'est 17h15, pas 17h45, tu corriges stp ?",
            Expected::default()
                .change(
                    "Centre aéré",
                    &[
                        "accueil&8h30",
                        "sortie&17h15|sortie&17 h 15|sortie&17:15|sortie&17.15",
                        "pique-nique&mercredi",
                    ],
                )
                .lacking(&["17h45|17 h 45|17:45|17.45"]),
        )
        .note(
            "Centre aéré",
            "enfants",
            "Accueil : 8h30\nSortie : 17h45\nPique-nique : le mercredi",
        )
        .note(
            "Cours d'escrime",
            "enfants",
            "Le lundi à 17h45, la tenue est prêtée.",
        )
        .solved_by(&[Edit::Replace("Centre aéré", "17h45", "17h15")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-cram-school",
            "塾の先生、中村先生から小林先生に変わったって。メモ直しておいて",
            Expected::default()
                .change("塾", &["木曜", "小林", "月謝"])
                .lacking(&["中村"]),
        )
        .note(
            "塾",
            "子ども",
            "毎週木曜日の六時から。\n先生は中村先生。\n月謝は一万二千円。",
        )
        .note("書道", "子ども", "中村先生の教室。筆は自分で持っていく。")
        .solved_by(&[Edit::Replace("塾", "中村先生", "小林先生")]),
    ]
}
