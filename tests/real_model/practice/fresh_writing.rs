//! New notes as people type them, and a word of thanks that is none.

use crate::expected::Expected;
use crate::task::{Edit, Task};
use chrono::{Datelike as _, Local, NaiveDate, Weekday};

fn new_note(facts: &[&str]) -> Expected {
    Expected::default().new_note(facts).dictated()
}

/// Returns requests for new notes, and one for nothing.
pub(super) fn tasks() -> Vec<Task> {
    [
        longer(),
        to_look_up(),
        words(),
        reminded(Local::now().date_naive()),
    ]
    .concat()
}

fn longer() -> Vec<Task> {
    vec![
        Task::strict(
            "f-new-minutes",
            "minutes parents council 12 march: Aylin, Jörg and me. summer party is on 28 june, Jörg asks \
             for the tents, budget 350 euros, next meeting 16 april",
            new_note(&[
                "12 Mar|Mar 12|March 12|12th Mar|12th of Mar|12.3|12.03|03-12|12/3|3/12|12/03",
                "aylin",
                "jörg&tent|jorg&tent|joerg&tent",
                "28 Jun|Jun 28|June 28|28th Jun|28th of Jun|28.6|28.06|06-28|28/6|6/28|28/06",
                "350",
                "16 Apr|Apr 16|April 16|16th Apr|16th of Apr|16.4|16.04|04-16|16/4|4/16|16/04",
            ]),
        )
        .note("Tent", "", "Our tent sleeps 3, the poles are in the cellar.")
        .note("Jörg", "", "Works at the town hall.")
        .solved_by(&[Edit::Create(
            "Parents council 12 March",
            "Aylin, Jörg and me.\nThe summer party is on 28 June.\nJörg asks for the tents.\nBudget: 350 \
             euros.\nNext meeting: 16 April.",
        )]),
        Task::strict(
            "f-new-recipe",
            "courgette fritters\n2 courgettes\n80 g flour\n1 egg\n150 g feta\n\ngrate, squeeze out the \
             water, mix, fry 3 min each side",
            new_note(&[
                "courgettes&2|two courgettes",
                "80&flour",
                "egg",
                "150&feta",
                "grate",
                "squeeze",
                "3 min|3min|three min",
            ]),
        )
        .note("Courgettes", "garden", "Sown on 20 April under glass.")
        .note("Potato fritters", "recipe", "1 kg potatoes, 1 onion, 2 eggs.")
        .solved_by(&[Edit::Create(
            "Courgette fritters",
            "- 2 courgettes\n- 80 g flour\n- 1 egg\n- 150 g feta\n\nGrate, squeeze out the water, mix, fry \
             3 minutes each side.",
        )]),
    ]
}

fn to_look_up() -> Vec<Task> {
    vec![
        Task::strict(
            "f-new-phone",
            "save this number: Halvorsen, piano tuner, 040 5567812",
            new_note(&[
                "halvorsen",
                "piano",
                "040 5567812|0405567812|040-5567812|040/5567812|(040) 5567812",
            ]),
        )
        .note("Guitar teacher", "", "Ms Ito, 040 7712309.")
        .solved_by(&[Edit::Create("Halvorsen", "Piano tuner, 040 5567812.")]),
        Task::strict(
            "f-new-wifi",
            "wifi in the holiday flat is Fjordnett_5G, pw tr0lltunga!",
            new_note(&["fjordnett_5g", "tr0lltunga!"]),
        )
        .note(
            "Wifi at the office",
            "",
            "Network: Guest, password: welcome22",
        )
        .solved_by(&[Edit::Create(
            "Wifi in the holiday flat",
            "Network: Fjordnett_5G\nPassword: tr0lltunga!",
        )]),
        Task::strict(
            "f-new-measure",
            "measured the bathroom window: 62 cm wide 114 high",
            new_note(&["bathroom", "window", "62", "114"]),
        )
        .note("Kitchen window", "", "98 cm wide, 120 cm high.")
        .note("Blinds shop", "", "Cuts to size, closed on Mondays.")
        .solved_by(&[Edit::Create("Bathroom window", "62 cm wide, 114 cm high.")]),
    ]
}

fn words() -> Vec<Task> {
    vec![
        Task::strict(
            "f-new-quote",
            "keep this quote for me: \"What is done in love is done well.\" Van Gogh",
            new_note(&["what is done in love is done well", "gogh"]),
        )
        .note("Museum", "", "The Monet rooms are open until 9 June.")
        .solved_by(&[Edit::Create(
            "Quote of Van Gogh",
            "\"What is done in love is done well.\"",
        )]),
        Task::strict("f-thanks", "ok great, thx!!", Expected::default())
            .note("Great-aunt Thea", "", "Lives in Oslo, sends parcels.")
            .note("Shopping list", "", "- oats\n- soap"),
    ]
}

fn reminded(today: NaiveDate) -> Vec<Task> {
    let is_saturday = |day: &NaiveDate| day.weekday() == Weekday::Sat;
    let saturday = today.iter_days().skip(1).find(is_saturday);
    let saturday = saturday.unwrap_or(today);
    let forms = [
        "%Y-%m-%d", "%-d %b", "%b %-d", "%B %-d", "%-d.%-m.", "%d.%m.", "%m/%d", "%d/%m",
    ];
    let day = forms.iter().fold("saturday".to_owned(), |day, form| {
        format!("{day}|{}", saturday.format(form))
    });
    vec![
        Task::strict(
            "f-new-remind",
            "remind me on saturday to return the carpet cleaner to Vera",
            new_note(&["carpet cleaner", "vera", &day]),
        )
        .note("Vera", "", "Lives at number 9, likes ginger biscuits.")
        .note("Carpet", "", "Wool, 2 by 3 metres, bought in 2018.")
        .solved_by(&[Edit::Create(
            "Carpet cleaner",
            "Saturday: return the carpet cleaner to Vera.",
        )]),
    ]
}
