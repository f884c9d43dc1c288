//! German, French, Japanese and Swedish.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french(), japanese(), swedish()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-maypole-two-changes",
            "beim maibaum stimmt zweierlei noch nicht: der stamm kommt vom huber und nicht vom \
             lechner, und aufgestellt wird schon am 29. april. besserst du das aus?",
            Expected::default()
                .change(
                    "Maibaum",
                    &[
                        "29. Apr|29 Apr|29.4|29.04|04-29|29/4",
                        "18 uhr|18:00|18.00|18h|um 18|sechs uhr",
                        "feuerwehrhaus",
                        "huber",
                        "24",
                        "sigrun",
                        "marlies",
                    ],
                )
                .lacking(&["30", "lechner"]),
        )
        .note(
            "Maibaum",
            "dorf",
            "Aufstellen am 30. April um 18 Uhr am Feuerwehrhaus\nStamm vom Lechner, 24 Meter\n\
             Kuchen: Sigrun und Marlies",
        )
        .note(
            "Sonnwendfeuer",
            "dorf",
            "Holz vom Lechner, ab dem 30. Mai wird aufgeschichtet.",
        )
        .solved_by(&[
            Edit::Replace("Maibaum", "30. April", "29. April"),
            Edit::Replace("Maibaum", "Lechner", "Huber"),
        ]),
        Task::strict(
            "german-farm-women-baking",
            "Gerade hat die Vorsitzende der Landfrauen angerufen: Für die Backaktion brauchen wir \
             auch noch 3 Kilo Quark und Backpapier. Schreib das doch bitte dazu, sonst vergesse \
             ich es.",
            Expected::default().change(
                "Backaktion",
                &[
                    "hefe",
                    "kardamom",
                    "schürzen",
                    "3&quark|drei&quark",
                    "backpapier",
                ],
            ),
        )
        .note(
            "Backaktion",
            "landfrauen",
            "- 8 Päckchen Hefe\n- Kardamom\n- Schürzen",
        )
        .note(
            "Kochabend",
            "landfrauen",
            "- 2 Kilo Quark\n- Schnittlauch\n- Leinöl",
        )
        .solved_by(&[Edit::Append("Backaktion", "\n- 3 Kilo Quark\n- Backpapier")]),
    ]
}

fn french() -> Vec<Task> {
    vec![
        Task::strict(
            "french-neighbours-party",
            "pour la fête des voisins tu peux enlever les rallonges de la liste, maëlle en a tout \
             un carton dans son garage",
            Expected::default()
                .change("Fête des voisins", &["nappes", "2 glacières", "palets"])
                .lacking(&["rallonge"]),
        )
        .note(
            "Fête des voisins",
            "rue",
            "- nappes en papier\n- rallonges\n- 2 glacières\n- jeu de palets",
        )
        .note(
            "Bal du 14 juillet",
            "village",
            "- lampions\n- rallonges\n- caisse",
        )
        .solved_by(&[Edit::Replace("Fête des voisins", "- rallonges\n", "")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-rice-planting",
            "田植えの苗は大塚さんが運んでくれることになったよ。メモ直しといて。",
            Expected::default()
                .change("田植え", &["六月一日", "八時", "大塚", "長靴"])
                .lacking(&["佐野"]),
        )
        .note(
            "田植え",
            "農作業",
            "六月一日の朝八時に集合\n苗の運搬：佐野さん\n長靴と着替えを持っていく。",
        )
        .note(
            "稲刈り",
            "農作業",
            "コンバイン：佐野さん\n九月の終わりごろ。",
        )
        .solved_by(&[Edit::Replace("田植え", "佐野", "大塚")]),
    ]
}

fn swedish() -> Vec<Task> {
    vec![
        Task::strict(
            "swedish-crayfish-party",
            "Gör en ny anteckning, är du snäll: kräftskiva hos Gunvor lördagen den 23 augusti \
             klockan 17. Vi tar med oss två bröd, och så hattarna från i fjol. Barnen får komma!",
            Expected::default().new_note(&[
                "kräft",
                "gunvor",
                "lördag",
                "23 aug|23. aug|23:e aug|aug 23|23/8|23/08|08-23|23.8|23.08",
                "17|5|fem",
                "två&bröd|2&bröd",
                "hatt",
                "barn",
            ]),
        )
        .note(
            "Gunvors nycklar",
            "grannar",
            "Hänger hos oss på krok 4. Tomaterna ska ha vatten varannan dag.",
        )
        .note(
            "Surströmming",
            "mat",
            "Bara utomhus! Burkarna står i jordkällaren.",
        )
        .solved_by(&[Edit::Create(
            "Kräftskiva",
            "Hos Gunvor lördagen den 23 augusti klockan 17. Barnen får komma.\n\
             Ta med: två bröd, hattarna från i fjol",
        )]),
    ]
}
