//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::ride_log;
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
            "ask-tile-cutter",
            "who's got my tile cutter at the moment",
            Expected::default()
                .answer(&["ruprecht"], &["Lent out"])
                .lacking(&["sunniva"]),
        )
        .note(
            "Lent out",
            "tools",
            "Tile cutter: Ruprecht\nWaffle iron: Sunniva\nTrestles: the Kowalskis",
        )
        .note(
            "Borrowed",
            "tools",
            "Wheelbarrow from Sunniva, the wheel squeaks.",
        )
        .solved_by(&[Edit::Answer("Ruprecht has it.", &["Lent out"])]),
        Task::strict(
            "ask-sauna",
            "I might not make it to the sauna evening. Until when can I cancel it for free?",
            Expected::default()
                .answer(&["tuesday", "noon|midday|12"], &["Sauna evening"])
                .lacking(&["saturday"]),
        )
        .note(
            "Sauna evening",
            "leisure",
            "Thursday at 19:00, booked for six. Can be cancelled free of charge until Tuesday \
             noon.",
        )
        .note(
            "Bowling",
            "leisure",
            "Lane 4, cancelling costs nothing until Saturday.",
        )
        .solved_by(&[Edit::Answer("Until Tuesday noon.", &["Sauna evening"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-spaetzle",
            "how meny egs go into teh spätzle doh",
            Expected::default()
                .answer(&["5|five"], &["Spätzle"])
                .lacking(&["3|three"]),
        )
        .note(
            "Spätzle",
            "recipes",
            "400 g of flour, 5 eggs, 150 ml of sparkling water. Beat it until it blisters.",
        )
        .note(
            "Pancakes",
            "recipes",
            "3 eggs, 250 g of flour, half a litre of milk.",
        )
        .solved_by(&[Edit::Answer("5 eggs.", &["Spätzle"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-check-ups",
            "On which days do Fenja and Caspar have their check-ups?",
            Expected::default()
                .answer(
                    &[
                        "12 Feb|12. Feb|Feb 12|February 12|12th|12.2|12.02|12.2.|12.02.|02-12|\
                         2/12|02/12|12/2|12/02",
                        "4 Apr|4. Apr|Apr 4|April 4|4th|4.4|04.04|4.4.|04.04.|04-04|4/4|04/04",
                    ],
                    &["Fenja", "Caspar"],
                )
                .lacking(&["June|19th"]),
        )
        .note(
            "Fenja",
            "children",
            "In the Hedgehog group. Check-up on 12 February, bring the yellow booklet.",
        )
        .note(
            "Caspar",
            "children",
            "Shoe size 31. Check-up on 4 April, he may pick the plaster.",
        )
        .note(
            "Linnea",
            "children",
            "Learns the recorder. Check-up on 19 June.",
        )
        .solved_by(&[Edit::Answer(
            "Fenja on 12 February and Caspar on 4 April.",
            &["Fenja", "Caspar"],
        )]),
        Task::strict(
            "ask-hedvig",
            "what have i written down about hedvig, anything at all?",
            Expected::default()
                .answer(&["vegetarian", "tove"], &["Cousin Hedvig", "Wedding beds"])
                .lacking(&["graz"]),
        )
        .note(
            "Cousin Hedvig",
            "family",
            "Lives in Bergen and has been a vegetarian for years.",
        )
        .note(
            "Wedding beds",
            "wedding",
            "Hedvig sleeps at Tove's, she arrives on the Friday.",
        )
        .note(
            "Cousin Ottilie",
            "family",
            "Lives in Graz, cats make her sneeze.",
        )
        .solved_by(&[Edit::Answer(
            "She lives in Bergen, is a vegetarian, arrives on the Friday and sleeps at Tove's.",
            &["Cousin Hedvig", "Wedding beds"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-vet-german",
            "Wer in der Tierarztpraxis ist auch sonntags da?",
            Expected::default()
                .answer(&["sommerfeld"], &["Tierarztpraxis"])
                .lacking(&[
                    "wieland und dr. sommerfeld|sommerfeld und dr. wieland",
                    "nguyen",
                ]),
        )
        .note(
            "Tierarztpraxis",
            "hund",
            "Dr. Wieland: nur werktags\nDr. Sommerfeld: auch sonntags, klingeln am Seiteneingang",
        )
        .note(
            "Hundesalon",
            "hund",
            "Bei Frau Nguyen, sonntags geschlossen.",
        )
        .solved_by(&[Edit::Answer("Dr. Sommerfeld.", &["Tierarztpraxis"])]),
        Task::strict(
            "ask-carpool-french",
            "il reste combien de places dans la voiture de Nadège ?",
            Expected::default()
                .answer(&["2|deux"], &["Covoiturage Nadège"])
                .lacking(&["4|quatre"]),
        )
        .note(
            "Covoiturage Nadège",
            "mariage",
            "Départ le samedi matin devant la mairie. Encore 2 places libres dans sa voiture.",
        )
        .note(
            "Covoiturage Thibault",
            "mariage",
            "Départ le vendredi soir. Encore 4 places libres dans son fourgon.",
        )
        .solved_by(&[Edit::Answer("Encore 2 places.", &["Covoiturage Nadège"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hail",
            "on which ride did it hail, and where was that?",
            Expected::default()
                .answer(&["19", "fern"], &["Ride log"])
                .lacking(&["reservoir", "weir"]),
        )
        .note("Ride log", "cycling", &ride_log())
        .note(
            "Rain gear",
            "cycling",
            "The yellow jacket holds out even hail, wash it without softener.",
        )
        .solved_by(&[Edit::Answer(
            "On ride 19, near the top of the Fern Pass.",
            &["Ride log"],
        )]),
        Task::strict(
            "ask-crowd-dishwasher",
            "How wide is the gap for the new dishwasher?",
            Expected::default().answer(&["59.8|59,8"], &["Dishwasher"]),
        )
        .note(
            "Dishwasher",
            "new kitchen",
            "The gap is 59.8 cm wide and 82 cm high. The tap is on the left.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("59.8 cm.", &["Dishwasher"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price_and_age(), unknown_start()].concat()
}

fn unknown_price_and_age() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-treehouse",
            "do my notes say how much a night in the treehouse is?",
            Expected::default().no_answer(&["95", "ninety"]),
        )
        .note(
            "Treehouse",
            "short trips",
            "Booked for two nights in September, breakfast comes in a basket.",
        )
        .note(
            "Yurt",
            "short trips",
            "A night is 95 euros, firewood included.",
        )
        .solved_by(&[Edit::NotFound("No, they do not.")]),
        Task::strict(
            "ask-accordion",
            "In what year was Grandpa's accordion built, do you know?",
            Expected::default().no_answer(&["1962", "62"]),
        )
        .note(
            "Accordion",
            "instruments",
            "Grandpa's, red with white keys. The left strap is torn.",
        )
        .note(
            "Harmonium",
            "instruments",
            "Built in 1962, two of the keys stick.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_start() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-parental-leave",
            "when does rubens parental leave begin",
            Expected::default()
                .no_answer(&["October|1 Oct|Oct 1", "10-01|1.10|01.10|1.10.|01.10."]),
        )
        .note(
            "Ruben",
            "colleagues",
            "Takes four months of parental leave, Anouk stands in for him.",
        )
        .note(
            "Salome",
            "colleagues",
            "Her parental leave begins on 1 October.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say when it begins.")]),
    ]
}
