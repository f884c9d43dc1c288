//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::dig_log;
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
            "ask-dinghy-varnish",
            "I've just put the first coat of varnish on the dinghy. For how many hours does it have to dry now?",
            Expected::default()
                .answer(&["36|thirty-six|thirty six"], &["Dinghy"])
                .lacking(&["20|twenty"]),
        )
        .note(
            "Dinghy",
            "boats",
            "Two coats of varnish, 36 hours of drying after each. Matthias has got the rowlocks.",
        )
        .note(
            "Canoe",
            "boats",
            "One coat of resin, 20 hours of drying. The thwart is cracked.",
        )
        .solved_by(&[Edit::Answer("For 36 hours.", &["Dinghy"])]),
        Task::strict(
            "ask-planetarium-name",
            "planetarium tickets.. under what name did i reserve them",
            Expected::default()
                .answer(&["vandermeer"], &["Planetarium"])
                .lacking(&["osei"]),
        )
        .note(
            "Planetarium",
            "outings",
            "4 tickets, reserved under the name Vandermeer. The seats tip back.",
        )
        .note(
            "Ice show",
            "outings",
            "Tickets reserved under the name Osei, block C. Thick socks!",
        )
        .solved_by(&[Edit::Answer(
            "Under the name Vandermeer.",
            &["Planetarium"],
        )]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-detergent-wool",
            "hwo mcuh detergnet do i put in fro the wool thigns",
            Expected::default()
                .answer(&["25|twenty-five|twenty five"], &["Detergent"])
                .lacking(&["70", "45", "8.40"]),
        )
        .note(
            "Detergent",
            "household",
            "Towels: 70 ml\nWool things: 25 ml\nSports things: 45 ml",
        )
        .note(
            "Wool shop",
            "knitting",
            "The grey wool is 8.40 a ball. Ask for Mrs Tennyson.",
        )
        .solved_by(&[Edit::Answer("25 ml.", &["Detergent"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pocket-money",
            "Granny would like to know how much pocket money Otis gets, and how much Philippine does.",
            Expected::default()
                .answer(
                    &["3.50|3,50|3.5|three fifty|three euros fifty|three and a half", "6|six"],
                    &["Otis", "Philippine"],
                )
                .lacking(&["9|nine"]),
        )
        .note(
            "Otis",
            "family",
            "Pocket money: 3.50 euros a week. He doesn't like peas.",
        )
        .note(
            "Philippine",
            "family",
            "Gets 6 euros of pocket money a week. Allergic to horses.",
        )
        .note(
            "Casimir",
            "family",
            "Pocket money: 9 euros a week, paid on Fridays by Granny.",
        )
        .solved_by(&[Edit::Answer(
            "Otis gets 3.50 euros a week and Philippine 6 euros.",
            &["Otis", "Philippine"],
        )]),
        Task::strict(
            "ask-trade-fair-halls",
            "in which hall is the caterers stand at the fair and in which one the printers",
            Expected::default()
                .answer(&["c7", "f2"], &["Caterer's stand", "Printer's stand"])
                .lacking(&["b4"]),
        )
        .note(
            "Caterer's stand",
            "trade fair",
            "Hall C7 of the fair, opposite the cloakroom. They let you taste.",
        )
        .note(
            "Printer's stand",
            "trade fair",
            "At the fair they are in hall F2. Collect the paper samples.",
        )
        .note(
            "Carpet maker's stand",
            "trade fair",
            "Hall B4 of the fair, beside the escalator. Ask for tiles.",
        )
        .solved_by(&[Edit::Answer(
            "The caterer's in hall C7, the printer's in hall F2.",
            &["Caterer's stand", "Printer's stand"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pizza-van-french",
            "C'est quel soir déjà qu'on peut aller au camion à pizzas sur la place ?",
            Expected::default()
                .answer(&["mercredi"], &["Camion à pizzas"])
                .lacking(&["vendredi"]),
        )
        .note(
            "Camion à pizzas",
            "courses",
            "Sur la place le mercredi soir\nCommander avant 18h30\nPas de carte bleue",
        )
        .note(
            "Poissonnier",
            "courses",
            "Sur la place le vendredi, les huîtres sont à commander.",
        )
        .solved_by(&[Edit::Answer("Le mercredi soir.", &["Camion à pizzas"])]),
        Task::strict(
            "ask-tatami-japanese",
            "畳を替えてもらうのは、一枚いくらでしたか。",
            Expected::default()
                .answer(
                    &["六千八百|6800|6,800|六、八〇〇|六八〇〇|6千8百|6千八百"],
                    &["畳替え"],
                )
                .lacking(&["三千五百|3500|3,500"]),
        )
        .note(
            "畳替え",
            "家",
            "一枚六千八百円。\n中川さんに頼む。\n家具は前の日に動かしておく。",
        )
        .note(
            "障子の張り替え",
            "家",
            "一枚三千五百円。\n破れにくい紙にする。",
        )
        .solved_by(&[Edit::Answer("一枚六千八百円です。", &["畳替え"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-dig-comb",
            "For the exhibition label: by whom was the bone comb found on the dig, and which animals are carved on it?",
            Expected::default()
                .answer(&["perpetua", "swan"], &["Dig log"])
                .lacking(&["anselm", "hares"]),
        )
        .note("Dig log", "archaeology", &dig_log())
        .note(
            "Horn comb",
            "antiques",
            "With two hares on the back. Anselm found it at the flea market.",
        )
        .solved_by(&[Edit::Answer(
            "Perpetua found it, two swans are carved on it.",
            &["Dig log"],
        )]),
        Task::strict(
            "ask-crowd-samovar",
            "the tap of our samovar drips again. who did i say can solder it",
            Expected::default().answer(&["zbigniew"], &["Samovar"]),
        )
        .note(
            "Samovar",
            "house",
            "From Tula, about 1896. If the tap drips, Zbigniew can solder it. No lemon juice on the brass.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Zbigniew.", &["Samovar"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_time_and_giver()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-popcorn-machine-price",
            "Doing the budget for the party. How much is the popcorn machine for one evening?",
            Expected::default().no_answer(&["145", "hundred"]),
        )
        .note(
            "Popcorn machine",
            "party",
            "From Mr Solberg, who also brings the paper bags. It needs a socket of its own.",
        )
        .note(
            "Karaoke machine",
            "party",
            "145 euros for one evening, two microphones.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
    ]
}

fn unknown_time_and_giver() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-catacombs-time",
            "at what time does our tour of the catacombs start?",
            Expected::default().no_answer(&["16:45", "16.45", "4:45", "quarter to five"]),
        )
        .note(
            "Tour of the catacombs",
            "travel",
            "Meet at the iron gate, bring a jumper. Prospero is our guide.",
        )
        .note(
            "Tour of the glassworks",
            "travel",
            "Starts at 16:45, at the side door. Closed shoes only.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-orchid-giver",
            "Thank-you cards are next! Who was it that gave us the orchid?",
            Expected::default().no_answer(&["eberhard"]),
        )
        .note(
            "Orchid",
            "plants",
            "Dip it in rainwater once a week. It came on the day of our wedding.",
        )
        .note(
            "Azalea",
            "plants",
            "Given to us by Eberhard at the wedding. Wants half shade.",
        )
        .solved_by(&[Edit::NotFound("It is not noted who gave it.")]),
    ]
}
