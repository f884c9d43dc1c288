//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::mill_book;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        with_typos(),
        from_several(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-rag-rug-strips",
            "rag rug - how wide do the strips have to be cut",
            Expected::default()
                .answer(&["3.5|3,5|three and a half|3 1/2|35 mm|35mm"], &["Rag rug"])
                .lacking(&["8 cm|8cm"]),
        )
        .note(
            "Rag rug",
            "crafts",
            "Cut the strips 3.5 cm wide\nOld bed sheets are best\nNo knots on the upper side",
        )
        .note(
            "Chair pads",
            "crafts",
            "Cut the strips 8 cm wide and plait them. Foam inside.",
        )
        .solved_by(&[Edit::Answer("3.5 cm wide.", &["Rag rug"])]),
        Task::strict(
            "ask-blue-beaker",
            "Agency nurse here, it's my first day on the corridor. One of them will only drink out \
             of the blue beaker. Who was that, please?",
            Expected::default()
                .answer(&["oyelaran"], &["Drinks on the east corridor"])
                .lacking(&["lindqvist", "pardoe", "amadi"]),
        )
        .note(
            "Drinks on the east corridor",
            "care home",
            "- Mrs Lindqvist: decaf, no sugar\n- Mr Oyelaran: only from the blue beaker\n\
             - Miss Pardoe: thickened, two scoops",
        )
        .note(
            "Meals on the east corridor",
            "care home",
            "- Mr Amadi: only from the blue plate\n- Mrs Lindqvist: no nuts",
        )
        .solved_by(&[Edit::Answer(
            "That is Mr Oyelaran.",
            &["Drinks on the east corridor"],
        )]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-felt-slipper",
            "hwo mcuh wool gose inot one felt sliper agian, ned to order smoe tonihgt",
            Expected::default()
                .answer(&["65|sixty-five|sixty five"], &["Felt slippers"])
                .lacking(&["110"]),
        )
        .note(
            "Felt slippers",
            "crafts",
            "65 g of wool for each slipper\nOlive soap and hot water\nRub for forty minutes",
        )
        .note(
            "Felt hat",
            "crafts",
            "110 g of wool. The wooden block is Marjorie's.",
        )
        .solved_by(&[Edit::Answer("65 g of wool.", &["Felt slippers"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-friday-drivers",
            "Who's driving on Friday? I need both: Grandad to his dialysis and the twins to \
             majorettes.",
            Expected::default()
                .answer(&["ruaridh", "gethin"], &["Dialysis", "Majorettes"])
                .lacking(&["morag"]),
        )
        .note(
            "Dialysis",
            "family",
            "Fridays Uncle Ruaridh drives Grandad, back at about two.\nBlanket and flask",
        )
        .note(
            "Majorettes",
            "family",
            "The twins, Fridays at five. Gethin's mum drives them there.\nWhite socks",
        )
        .note(
            "Hymn singing",
            "family",
            "Fridays Auntie Morag drives Nan. The hymn book with large print.",
        )
        .solved_by(&[Edit::Answer(
            "Uncle Ruaridh drives Grandad, Gethin's mum drives the twins.",
            &["Dialysis", "Majorettes"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-calf-milk-german",
            "moin, wie warm muss das wasser für die kälbermilch sein? die kleine steht schon am \
             gatter und brüllt",
            Expected::default()
                .answer(&["42"], &["Kälbermilch"])
                .lacking(&["39"]),
        )
        .note(
            "Kälbermilch",
            "hof",
            "Wasser 42 Grad\n125 g Pulver auf den Liter\nEimer danach heiß ausspülen",
        )
        .note(
            "Lämmermilch",
            "hof",
            "Wasser 39 Grad, kleine Portionen. Der rote Sauger tropft.",
        )
        .solved_by(&[Edit::Answer("42 Grad.", &["Kälbermilch"])]),
        Task::strict(
            "ask-elderberry-jelly-french",
            "Je suis devant la bassine... Combien de sucre, déjà, pour la gelée de sureau ?",
            Expected::default()
                .answer(&["650"], &["Gelée de sureau"])
                .lacking(&["800"]),
        )
        .note(
            "Gelée de sureau",
            "cuisine",
            "650 g de sucre par kilo de jus\nCuire sept minutes\nJamais de baies vertes",
        )
        .note(
            "Gelée de groseille",
            "cuisine",
            "800 g de sucre par kilo de jus. Les pots de Solange.",
        )
        .solved_by(&[Edit::Answer(
            "650 g de sucre par kilo de jus.",
            &["Gelée de sureau"],
        )]),
        Task::strict(
            "ask-lion-dance-japanese",
            "今年の獅子舞、笛を吹くのは誰だったっけ？",
            Expected::default()
                .answer(&["矢島"], &["獅子舞"])
                .lacking(&["小川", "戸田"]),
        )
        .note(
            "獅子舞",
            "祭り",
            "太鼓：小川さん\n笛：矢島さん\n練習は神社の社務所で。",
        )
        .note("神輿", "祭り", "笛：戸田さん\n担ぎ手はあと四人ほしい。")
        .solved_by(&[Edit::Answer("矢島さんです。", &["獅子舞"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-paid-in-ham",
            "somebody once paid the mill in ham instead of money, it's somewhere in the book. who \
             was it and what had we ground for them",
            Expected::default()
                .answer(&["yelland", "buckwheat"], &["Mill book"])
                .lacking(&["cardew"]),
        )
        .note("Mill book", "mill", &mill_book())
        .note(
            "Ham",
            "kitchen",
            "From the Cardews. Hangs in the chimney until Whitsun.",
        )
        .solved_by(&[Edit::Answer(
            "Old Mrs Yelland, and it was buckwheat.",
            &["Mill book"],
        )]),
        Task::strict(
            "ask-crowd-tug-of-war",
            "where on earth do we keep the rope for the tug of war. sports day's on saturday and \
             it's not in the shed",
            Expected::default()
                .answer(&["organ loft|organ-loft"], &["Tug of war"])
                .lacking(&["vestry", "net store"]),
        )
        .note(
            "Tug of war",
            "village",
            "The rope is up in the organ loft, 33 metres.\nEight a side, no hobnails",
        )
        .note(
            "Sack race",
            "village",
            "The sacks are in the vestry cupboard. Two heats.",
        )
        .note(
            "Mooring rope",
            "boat",
            "In the net store, behind the crab pots. Splice the eye again.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer(
            "The rope is up in the organ loft.",
            &["Tug of war"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_person_and_day()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-stump-grinder",
            "what's lomax want per day for the stump grinder",
            Expected::default().no_answer(&["55|fifty-five|fifty five"]),
        )
        .note(
            "Stump grinder",
            "farm",
            "Hired out by Lomax, needs a towbar. Goggles are in the box.",
        )
        .note(
            "Post-hole borer",
            "farm",
            "Hired out by Lomax, 55 pounds a day. Two people to hold it.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
    ]
}

fn unknown_person_and_day() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-sausage-stuffer",
            "I've turned the cellar upside down, so our sausage stuffer must be on loan to \
             someone. To whom? Have I written that down?",
            Expected::default().no_answer(&["halliday"]),
        )
        .note(
            "Sausage stuffer",
            "kitchen",
            "Holds five litres. The small nozzle leaks, put a washer in.",
        )
        .note(
            "Mincer",
            "kitchen",
            "Lent to the Hallidays until they have done the pig.",
        )
        .solved_by(&[Edit::NotFound("Nobody is named.")]),
        Task::strict(
            "ask-crowd-new-vicar",
            "Which date is it that the new vicar starts? The flower ladies are asking me.",
            Expected::default().no_answer(&["7 June|7. June|June 7|7th|seventh"]),
        )
        .note(
            "New vicar",
            "church",
            "Reverend Achebe, has two whippets. Can't abide lilies.",
        )
        .note(
            "New curate",
            "church",
            "Starts on 7 June. Lodges with the Misses Penhale.",
        )
        .among(crowd())
        .solved_by(&[Edit::NotFound("")]),
    ]
}
