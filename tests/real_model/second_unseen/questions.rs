//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::voyage_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [from_one_note(), from_several(), in_languages(), from_much()].concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-deposit",
            "how much deposit do we have to pay for the beer keg?",
            Expected::default()
                .answer(&["50|fifty"], &["Beer keg"])
                .lacking(&["25", "96"]),
        )
        .note(
            "Beer keg",
            "party",
            "The keg holds 30 litres. It costs 96 euros. The deposit is 50 euros.",
        )
        .note("Beer tap", "party", "Borrowed from Lou, deposit 25 euros.")
        .solved_by(&[Edit::Answer("The deposit is 50 euros.", &["Beer keg"])]),
        Task::strict(
            "ask-salad",
            "Who was it that brings the salad to the street party?",
            Expected::default()
                .answer(&["jerome"], &["Street party"])
                .lacking(&["nilufar", "bogdan", "clementine"]),
        )
        .note(
            "Street party",
            "street, party",
            "Benches: Nilufar\nSalad: Jerome\nGrill: Bogdan\nDrinks: Clementine",
        )
        .note(
            "Street light",
            "street",
            "The lamp in front of number 8 has been reported.",
        )
        .solved_by(&[Edit::Answer("Jerome brings it.", &["Street party"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-gate",
            "From which gate does Wanda's plane leave?",
            Expected::default()
                .answer(&["B17|B 17"], &["Flight of Wanda"])
                .lacking(&["C4", "C 4"]),
        )
        .note(
            "Flight of Walter",
            "flights",
            "To Tallinn at 13:25\nGate: C4\nSeat: 21F",
        )
        .note(
            "Flight of Wanda",
            "flights",
            "To Bilbao at 13:50\nGate: B17\nSeat: 12A",
        )
        .solved_by(&[Edit::Answer("From gate B17.", &["Flight of Wanda"])]),
        Task::strict(
            "ask-animals",
            "How many rabbits and how many ducks live on the children's farm?",
            Expected::default()
                .answer(&["9|nine", "14|fourteen"], &["Rabbits", "Ducks"])
                .lacking(&["6"]),
        )
        .note(
            "Rabbits",
            "children's farm",
            "There are 9 rabbits on the children's farm, all of them tame.",
        )
        .note(
            "Ducks",
            "children's farm",
            "The children's farm has 14 ducks. They are shut in at dusk.",
        )
        .note(
            "Goats",
            "children's farm",
            "On the children's farm live 6 goats.",
        )
        .solved_by(&[Edit::Answer(
            "9 rabbits and 14 ducks.",
            &["Rabbits", "Ducks"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bin-german",
            "An welchem Tag wird die Biotonne geleert?",
            Expected::default()
                .answer(&["donnerstag"], &["Müllabfuhr"])
                .lacking(&["montag", "dienstag"]),
        )
        .note(
            "Müllabfuhr",
            "müll",
            "Restmüll: Dienstag\nBiotonne: Donnerstag\nPapier: jeden zweiten Montag",
        )
        .note(
            "Wertstoffhof",
            "müll",
            "Samstags bis 13 Uhr offen, Ausweis mitnehmen.",
        )
        .solved_by(&[Edit::Answer("Am Donnerstag.", &["Müllabfuhr"])]),
        Task::strict(
            "ask-drink-japanese",
            "田中さんが好きな飲み物は何でしたか。",
            Expected::default()
                .answer(&["ほうじ茶|焙じ茶"], &["田中さん"])
                .lacking(&["紅茶"]),
        )
        .note(
            "田中さん",
            "友達",
            "田中さんは甘い物が苦手です。飲み物はほうじ茶が好きです。",
        )
        .note("佐藤さん", "友達", "佐藤さんは紅茶とケーキが好きです。")
        .solved_by(&[Edit::Answer("ほうじ茶です。", &["田中さん"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-anchor",
            "who got our anchor free again on the voyage",
            Expected::default()
                .answer(&["henning"], &["Voyage log"])
                .lacking(&["pascal"]),
        )
        .note("Voyage log", "sailing", &voyage_log())
        .note(
            "Sailmaker",
            "sailing",
            "Pascal in Aalborg mends sails over the winter.",
        )
        .solved_by(&[Edit::Answer("Henning freed it.", &["Voyage log"])]),
        Task::strict(
            "ask-crowd-age",
            "What is the minimum age for the zip line?",
            Expected::default().answer(&["11|eleven"], &["Zip line"]),
        )
        .note(
            "Zip line",
            "outing",
            "The minimum age is 11. Helmets are handed out at the hut.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("The minimum age is 11.", &["Zip line"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_name_and_price(), unknown_date_and_place()].concat()
}

fn unknown_name_and_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-boiler-man",
            "what's the name of the man who services our gas boiler?",
            Expected::default().no_answer(&["petrescu"]),
        )
        .note(
            "Gas boiler",
            "heating",
            "It is serviced each October; the last time took two hours.",
        )
        .note(
            "Electrician",
            "house",
            "Mr Petrescu put in the new sockets in the kitchen.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-bowling-price",
            "What does an hour of bowling at the Kegelhof cost?",
            Expected::default().no_answer(&["6.50", "6,50"]),
        )
        .note(
            "Kegelhof",
            "bowling",
            "Eight lanes, open until midnight, book by phone.",
        )
        .note("Minigolf", "minigolf", "A round costs 6.50 euros a head.")
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_date_and_place() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-birthday",
            "When is Noor's birthday again?",
            Expected::default().no_answer(&["17", "august"]),
        )
        .note(
            "Noor",
            "friends",
            "Noor likes liquorice and does not like surprises.",
        )
        .note(
            "Idunn",
            "friends",
            "Idunn's birthday is on 17 August. She collects stamps.",
        )
        .solved_by(&[Edit::NotFound("There is no date in the notes.")]),
        Task::strict(
            "ask-fuses",
            "where do we keep the spare fuses",
            Expected::default().no_answer(&["drawer", "oven"]),
        )
        .note(
            "Fuses",
            "house",
            "16 ampere for the kitchen, 10 ampere for the lights.",
        )
        .note(
            "Spare bulbs",
            "house",
            "They are in the drawer under the oven.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say where.")]),
    ]
}
