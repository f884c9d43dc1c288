//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german_and_japanese(), french(), french_in_two_steps()].concat()
}

fn german_and_japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "german-hospital-bag",
            "in omas kliniktasche müssen noch hausschuhe und ein ladekabel, schreibst du das dazu?",
            Expected::default().change(
                "Kliniktasche Oma",
                &["nachthemd", "lesebrille", "hausschuh", "ladekabel"],
            ),
        )
        .note(
            "Kliniktasche Jonna",
            "klinik",
            "- Stillkissen\n- Mutterpass",
        )
        .note("Kliniktasche Oma", "klinik", "- Nachthemd\n- Lesebrille")
        .note(
            "Besuchszeiten",
            "klinik",
            "Täglich 15 bis 19 Uhr, Oma liegt auf Station 4.",
        )
        .solved_by(&[Edit::Append(
            "Kliniktasche Oma",
            "\n- Hausschuhe\n- Ladekabel",
        )]),
        Task::strict(
            "japanese-emergency-bag",
            "防災リュックに乾電池はもういらないから、リストから消しといて",
            Expected::default()
                .change("防災リュック", &["水", "軍手", "ラジオ"])
                .lacking(&["電池"]),
        )
        .note(
            "防災リュック",
            "防災",
            "- 水\n- 乾電池\n- 軍手\n- 手回しラジオ",
        )
        .note("懐中電灯", "防災", "乾電池は単三が四本。玄関の棚にある。")
        .solved_by(&[Edit::Replace("防災リュック", "- 乾電池\n", "")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-pool-hours",
            "le mercredi la piscine ferme à 19h maintenant",
            Expected::default()
                .change(
                    "Piscine",
                    &["lundi", "mercredi&14&19|mercredi&14:00&19:00", "samedi"],
                )
                .lacking(&["mercredi&18|mercredi&18:00"])
                .dictated(),
        )
        .note(
            "Piscine",
            "loisirs",
            "Lundi : 12h-14h\nMercredi : 14h-18h\nSamedi : 9h-13h",
        )
        .note(
            "Médiathèque",
            "loisirs",
            "Mercredi : 14h-18h\nSamedi : 10h-17h",
        )
        .solved_by(&[Edit::Replace("Piscine", "14h-18h", "14h-19h")]),
        Task::strict(
            "french-dance-gala",
            "le gala de danse est repoussé d'une semaine, au 27 juin. tu peux corriger ?",
            Expected::default()
                .change(
                    "Gala de danse",
                    &[
                        "27 juin|27/06|27/6|27.06|27.6|06-27",
                        "15|15:00",
                        "salle des f",
                        "tutu",
                        "couturi",
                    ],
                )
                .lacking(&["20 juin|20/06|20/6|20.06|20.6|06-20"]),
        )
        .note(
            "Gala de danse",
            "enfants",
            "Samedi 20 juin à 15h, salle des fêtes. Récupérer le tutu de Louison chez la couturière.",
        )
        .note(
            "Audition de piano",
            "enfants",
            "Samedi 20 juin à 10h, au conservatoire.",
        )
        .solved_by(&[Edit::Replace("Gala de danse", "20 juin", "27 juin")]),
    ]
}

fn french_in_two_steps() -> Vec<Task> {
    vec![
        Task::strict(
            "french-relay-team",
            "Lilou ne fait plus le relais, tu peux la retirer ? Et Fernand s'ajoute à la course à pied.",
            Expected::default()
                .change(
                    "Relais triathlon",
                    &[
                        "natation&agnès|natation&agnes",
                        "vélo&berthe|velo&berthe",
                        "course&côme|course&come",
                        "course&fernand",
                    ],
                )
                .lacking(&["lilou"]),
        )
        .note(
            "Relais triathlon",
            "sport",
            "Natation : Agnès, Lilou\nVélo : Berthe\nCourse à pied : Côme",
        )
        .note(
            "Anniversaires",
            "amis",
            "Lilou le 3 mars, Fernand le 12 mai, Côme le 30 août.",
        )
        .solved_by(&[
            Edit::Replace("Relais triathlon", ", Lilou", ""),
            Edit::Replace("Relais triathlon", "Côme", "Côme, Fernand"),
        ]),
    ]
}
