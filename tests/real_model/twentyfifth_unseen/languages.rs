//! German, French and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-sledge-hire",
            "beim schlittenverleih sind es jetzt 9 euro am tag statt 7, kannst du das in der notiz ändern?",
            Expected::default()
                .change(
                    "Schlittenverleih",
                    &["9|9,00|9.00|neun", "talstation", "ausweis", "16:30"],
                )
                .lacking(&["7|7,00|7.00|sieben"]),
        )
        .note(
            "Schlittenverleih",
            "winter",
            "An der Talstation, 7 Euro am Tag.\nAls Pfand den Ausweis dalassen\nBis 16:30 Uhr zurückbringen",
        )
        .note(
            "Langlaufloipe",
            "winter",
            "Die Tageskarte kostet 7 Euro, Kinder frei. Parken am Friedhof.",
        )
        .solved_by(&[Edit::Replace("Schlittenverleih", "7 Euro", "9 Euro")]),
        Task::strict(
            "german-bike-coding",
            "Halt mir bitte fest, dass die Fahrradcodierung am 8. Mai ab 15:30 Uhr am Marktplatz ist. Kostet 16 Euro, \
             und ich brauche Ausweis und Kaufbeleg.",
            Expected::default().new_note(&[
                "codier|kodier",
                "8. Mai|8 Mai|08. Mai|8.5|8.5.|08.05|08.05.|05-08|8/5|08/05|achten Mai|achter Mai",
                "15:30|15.30|15 uhr 30|15h30|halb vier|halb 4",
                "markt",
                "16|16,00|16.00|sechzehn",
                "ausweis",
                "beleg|quittung|rechnung",
            ]),
        )
        .note(
            "Fahrradkeller",
            "haus",
            "Den Schlüssel hat Frau Lorenz. Das Licht geht nach zwei Minuten aus.",
        )
        .note(
            "Wochenmarkt",
            "einkauf",
            "Samstags bis 13 Uhr, der Käsestand ist am Brunnen.",
        )
        .solved_by(&[Edit::Create(
            "Fahrradcodierung",
            "Am 8. Mai ab 15:30 Uhr am Marktplatz, 16 Euro.\nAusweis und Kaufbeleg mitnehmen",
        )]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-school-supplies",
            "Rajoute deux cahiers de brouillon et une équerre à la liste de rentrée s'il te plaît",
            Expected::default().change(
                "Liste de rentrée",
                &[
                    "compas",
                    "trousse",
                    "surligneurs",
                    "2&brouillon|deux&brouillon",
                    "équerre|equerre",
                ],
            ),
        )
        .note(
            "Liste de rentrée",
            "école",
            "- un compas\n- une trousse bleue\n- 4 surligneurs",
        )
        .note(
            "Boîte à couture",
            "maison",
            "- équerre de tailleur\n- craie blanche\n- dé à coudre",
        )
        .solved_by(&[Edit::Append(
            "Liste de rentrée",
            "\n- 2 cahiers de brouillon\n- une équerre",
        )]),
        Task::strict(
            "french-sofa-bed-gone",
            "le clic-clac est vendu, la note peut partir à la poubelle",
            Expected::default().delete("Clic-clac"),
        )
        .note(
            "Clic-clac",
            "maison",
            "140 sur 190, housse grise. À vendre 90 euros.",
        )
        .note(
            "Canapé du salon",
            "maison",
            "Livraison en mai, trois places, tissu vert.",
        )
        .note(
            "Poubelles",
            "maison",
            "Les jaunes le mardi soir, les vertes le vendredi.",
        )
        .solved_by(&[Edit::Delete("Clic-clac")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-mochi-pounding",
            "餅つきの買い物メモに、きな粉と海苔も入れといて",
            Expected::default().change(
                "餅つきの買い物",
                &[
                    "もち米",
                    "あんこ",
                    "片栗粉",
                    "きな粉|黄粉|きなこ|黄な粉",
                    "海苔|のり|ノリ",
                ],
            ),
        )
        .note(
            "餅つきの買い物",
            "年末",
            "- もち米 五キロ\n- あんこ\n- 片栗粉",
        )
        .note(
            "おせちの買い物",
            "年末",
            "- 数の子\n- かまぼこ\n- 栗きんとん",
        )
        .solved_by(&[Edit::Append("餅つきの買い物", "\n- きな粉\n- 海苔")]),
    ]
}
