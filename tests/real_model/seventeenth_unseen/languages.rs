//! German, French, Spanish and Japanese.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [german(), french_and_spanish(), japanese()].concat()
}

fn german() -> Vec<Task> {
    vec![
        Task::strict(
            "german-book-bus",
            "Der Bücherbus hält seit Neuestem am Dorfkrug und nicht mehr an der Sparkasse. Kannst du das in meiner \
             Notiz berichtigen?",
            Expected::default()
                .change(
                    "Bücherbus",
                    &["dorfkrug", "montags", "16:10", "16:50", "lüdtke", "juni"],
                )
                .lacking(&["sparkasse"]),
        )
        .note(
            "Bücherbus",
            "dorf",
            "Hält alle zwei Wochen montags an der Sparkasse, 16:10 bis 16:50 Uhr.\nFrau Lüdtke legt uns die Comics \
             zurück.\nDer Leseausweis läuft im Juni ab.",
        )
        .note(
            "Sparkasse",
            "geld",
            "Die Filiale hat mittwochs zu. Herr Brinkmann kennt unser Konto.",
        )
        .solved_by(&[Edit::Replace(
            "Bücherbus",
            "an der Sparkasse",
            "am Dorfkrug",
        )]),
        Task::strict(
            "german-paddling-trip",
            "für die paddeltour brauchen wir noch nen trockensack und 3 schwimmwesten, tust du das mit drauf?",
            Expected::default().change(
                "Paddeltour",
                &[
                    "sonnenhüte",
                    "flickzeug",
                    "trockensack|trockensäcke",
                    "3&schwimmweste|drei&schwimmweste",
                ],
            ),
        )
        .note("Paddeltour", "urlaub", "- Sonnenhüte\n- Flickzeug")
        .note(
            "Paddelboot",
            "urlaub",
            "Liegt umgedreht hinter Ingwers Schuppen, 3 Löcher sind geflickt.",
        )
        .solved_by(&[Edit::Append(
            "Paddeltour",
            "\n- Trockensack\n- 3 Schwimmwesten",
        )]),
    ]
}

fn french_and_spanish() -> Vec<Task> {
    vec![
        Task::strict(
            "french-pony-camp",
            "mahaut a changé d'avis, elle préfère la voile. la note sur le stage de poney, tu peux la supprimer",
            Expected::default().delete("Stage de poney"),
        )
        .note(
            "Stage de poney",
            "enfants",
            "Du 6 au 10 juillet au Haras du Verger, 240 euros, bottes obligatoires.",
        )
        .note(
            "Stage de voile",
            "enfants",
            "La semaine du 13 juillet, 265 euros, prévoir un coupe-vent pour Mahaut.",
        )
        .note(
            "Poney en peluche",
            "enfants",
            "La crinière est à recoudre, fil beige.",
        )
        .solved_by(&[Edit::Delete("Stage de poney")]),
        Task::strict(
            "spanish-paella-rice",
            "me equivoqué con la paella, para ocho personas van 800 gramos de arroz y no 600. cámbialo en la receta \
             porfa",
            Expected::default()
                .change(
                    "Paella",
                    &["800|ochocientos", "azafrán|azafran", "remei", "siete minutos"],
                )
                .lacking(&["600|seiscientos"]),
        )
        .note(
            "Paella",
            "recetas",
            "Para ocho: 600 g de arroz, dos pimientos, azafrán.\nEl caldo, siempre de Casa Remei\nReposar siete \
             minutos tapada",
        )
        .note(
            "Arroz con leche",
            "recetas",
            "600 ml de leche, una rama de canela. Remover sin parar.",
        )
        .solved_by(&[Edit::Replace("Paella", "600 g", "800 g")]),
    ]
}

fn japanese() -> Vec<Task> {
    vec![
        Task::strict(
            "japanese-air-conditioner",
            "新しいメモをお願い。火曜の午後三時にエアコンの修理が来る。業者は林電機で、費用は大家さん持ち。立ち会いは妹に頼んだ。",
            Expected::default().new_note(&[
                "火曜",
                "三時|3時|3 時|15時|15 時|十五時|15:00|3:00",
                "エアコン|クーラー",
                "修理",
                "林電機",
                "大家",
                "妹",
            ]),
        )
        .note(
            "エアコンの掃除",
            "家",
            "フィルターは二週間ごとに洗う。\nリモコンは台所の引き出し。",
        )
        .note(
            "家賃",
            "家",
            "毎月二十七日に引き落とし。\n領収書は大家さんに頼むともらえる。",
        )
        .solved_by(&[Edit::Create(
            "エアコンの修理",
            "火曜の午後三時。\n業者は林電機。\n費用は大家さん持ち。\n立ち会いは妹。",
        )]),
    ]
}
