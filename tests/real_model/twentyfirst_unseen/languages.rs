//! German, French, Dutch and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_dutch(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-bike-tour-straps",
            "Für die Radtour fehlen noch Flickzeug und zwei Spanngurte, schreib die doch bitte mit auf die Liste",
            Expected::default().change(
                "Radtour",
                &[
                    "luftpumpe",
                    "regenhose",
                    "flickzeug",
                    "2&spanngurt|zwei&spanngurt",
                ],
            ),
        )
        .note("Radtour", "urlaub", "- Luftpumpe\n- Regenhose")
        .note(
            "Motorradtour",
            "urlaub",
            "- Spanngurte von Ruprecht\n- Warnweste",
        )
        .solved_by(&[Edit::Append("Radtour", "\n- Flickzeug\n- 2 Spanngurte")]),
        Task::strict(
            "german-garden-hut-size",
            "die gartenlaube hat 24 quadratmeter und nich 20, hab falsch gemessen. kannste das ändern",
            Expected::default()
                .change("Gartenlaube", &["24", "wellblech", "vorstand", "april"])
                .lacking(&["20"]),
        )
        .note(
            "Gartenlaube",
            "kleingarten",
            "Hat 20 Quadratmeter, das Dach ist aus Wellblech.\nSchlüssel hängt beim Vorstand\nWasser erst ab April",
        )
        .note(
            "Kellerabteil",
            "wohnung",
            "Hat 20 Quadratmeter, gleich neben dem Heizraum. Nichts auf den Boden stellen.",
        )
        .solved_by(&[Edit::Replace("Gartenlaube", "20", "24")]),
    ]
}

fn french_and_dutch() -> Vec<Task> {
    vec![
        Task::strict(
            "french-green-class",
            "la classe verte de zélie est décalée d'une semaine, elle part le 19 mai et plus le 12. tu changes ça \
             dans ma note s'il te plaît ?",
            Expected::default()
                .change(
                    "Classe verte",
                    &[
                        "19 mai|19.5|19.5.|19.05|19.05.|05-19|19/5|19/05",
                        "7h40|7 h 40|07h40|07 h 40|7:40|07:40|7.40|07.40",
                        "gymnase",
                        "bottes",
                        "téléphone",
                    ],
                )
                .lacking(&["12 mai|12.5|12.5.|12.05|12.05.|05-12|12/5|12/05"]),
        )
        .note(
            "Classe verte",
            "école",
            "Départ le 12 mai à 7h40, devant le gymnase.\nBottes et lampe de poche\nPas de téléphone",
        )
        .note(
            "Apéro de l'immeuble",
            "quartier",
            "Le 12 mai dans la cour, Firmin apporte les tréteaux.",
        )
        .solved_by(&[Edit::Replace("Classe verte", "12 mai", "19 mai")]),
        Task::strict(
            "dutch-skate-sharpening",
            "bewaar dit even in een nieuwe notitie: schaatsen slijpen kan bij Wijnstekers, Havenkade 14, het kost 9 \
             euro per paar, ze zijn na 2 dagen klaar en op maandag is de winkel dicht",
            Expected::default().new_note(&[
                "schaats",
                "slijp|slepen",
                "wijnstekers",
                "havenkade 14",
                "9|9,00|9.00|negen",
                "2&dag|twee&dag",
                "maandag",
            ]),
        )
        .note(
            "Rolschaatsen",
            "sport",
            "Maat 38, de remblokjes zijn versleten. Te leen bij Femke.",
        )
        .note(
            "Havenfeest",
            "uitjes",
            "Op de Havenkade, de vuurpijlen gaan om elf uur omhoog.",
        )
        .solved_by(&[Edit::Create(
            "Schaatsen slijpen",
            "Bij Wijnstekers, Havenkade 14. 9 euro per paar, na 2 dagen klaar. Maandag dicht.",
        )]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-somen-chopsticks",
            "流しそうめんの持ち物に、めんつゆと割り箸三十膳も足しといてくれる？",
            Expected::default().change(
                "流しそうめんの持ち物",
                &[
                    "竹",
                    "ざる",
                    "めんつゆ|麺つゆ",
                    "箸&三十|箸&30|割りばし&三十|割りばし&30",
                ],
            ),
        )
        .note("流しそうめんの持ち物", "夏", "・竹\n・ざる")
        .note("屋台の準備", "夏", "・割り箸\n・紙皿\n・のれん")
        .solved_by(&[Edit::Append(
            "流しそうめんの持ち物",
            "\n・めんつゆ\n・割り箸三十膳",
        )]),
    ]
}
