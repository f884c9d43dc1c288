//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-au-pair",
            "Make me a note called Au pair please. Noémie lands on 3 August at 11:55, terminal 2. She gets the \
             garden room and she's vegetarian",
            Expected::default().new_titled(
                "Au pair",
                &[
                    "noémie|noemie",
                    "3 Aug|3. Aug|Aug 3|August 3|3rd|third|3.8|3.8.|03.08|03.08.|08-03|8/3|08/03|3/8|03/08",
                    "11:55|11.55|11h55|five to twelve|5 to 12",
                    "terminal&2|terminal&two|t2",
                    "garden room",
                    "vegetarian|veggie|meat",
                ],
            ),
        )
        .note(
            "Garden room",
            "house",
            "The heater takes an hour. Curtains are to be hemmed, 212 cm.",
        )
        .note(
            "Language school",
            "town",
            "Evening course on Mondays from 19:20, first lesson for free.",
        )
        .solved_by(&[Edit::Create(
            "Au pair",
            "Noémie lands on 3 August at 11:55, terminal 2. She gets the garden room. She is vegetarian.",
        )]),
        Task::strict(
            "remind-yearbook",
            "dont let me forget: yearbook order has to be in by 24 november, 18 euros cash in an envelope for \
             mr castillo",
            Expected::default().new_note(&[
                "yearbook|year book",
                "24 Nov|24. Nov|Nov 24|November 24|24th|24.11|24.11.|11-24|11/24|24/11",
                "18|eighteen",
                "cash",
                "envelope",
                "castillo",
            ]),
        )
        .note(
            "Class photo",
            "school",
            "Row by row at the gym wall, dark tops. Prints are 7 euros each.",
        )
        .note(
            "Envelopes",
            "stationery",
            "Only the padded ones are left, the others are used up.",
        )
        .solved_by(&[Edit::Create(
            "Yearbook order",
            "By 24 November: 18 euros cash in an envelope for Mr Castillo.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "cat-on-keyboard",
            "hehe the cat just walked all over my keyboard, sorry about that",
            Expected::default(),
        )
        .note(
            "Litter tray",
            "cat",
            "Wooden pellets, 15 litres. The shop by the tram depot has it.",
        )
        .note(
            "Keyboard stickers",
            "computer",
            "The Greek ones peel off, wipe the keys with spirit first.",
        ),
        Task::strict(
            "grumpy-traffic",
            "Ugh, an hour in a traffic jam and now I'm grumpy.",
            Expected::default(),
        )
        .note(
            "Traffic lights at the bridge",
            "town",
            "Out of order since Monday. Reported to Mrs Janssens at the council.",
        )
        .note(
            "Rowan jelly",
            "",
            "Nine jars in the hall cupboard, two are for the Peeters.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "tai-chi-and-fee",
            "They've moved tai chi to the Corn Exchange, it's not by the bandstand any more. Can you change \
             that, and make a separate note that Mrs Virtanen collects the 45 euros for the term, cash only?",
            Expected::default()
                .change(
                    "Tai chi",
                    &["wed", "9:30|09:30|9.30|half past nine|half past 9|half nine", "corn exchange", "soles"],
                )
                .lacking(&["bandstand", "virtanen", "45"])
                .new_note(&["virtanen", "45|forty-five|forty five", "cash"]),
        )
        .note(
            "Tai chi",
            "sport",
            "Wednesdays at 9:30 by the bandstand.\nShoes with thin soles",
        )
        .note(
            "Open-air concert",
            "music",
            "By the bandstand, take the folding seats. Blankets are 6 euros.",
        )
        .solved_by(&[
            Edit::Replace("Tai chi", "by the bandstand", "in the Corn Exchange"),
            Edit::Create(
                "Fee for tai chi",
                "Mrs Virtanen collects the 45 euros for the term, cash only.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "rocking-chair-and-wishes",
            "Sold the rocking chair so you can delete the ad for it. And put a foam roller on my birthday wish \
             list please",
            Expected::default()
                .change(
                    "My birthday wishes",
                    &["ankle weights", "desk fan", "foam roller|foam-roller"],
                )
                .delete("Ad for the rocking chair"),
        )
        .note(
            "Ad for the rocking chair",
            "to sell",
            "Beech, one armrest is scratched. 65 euros, to be collected.",
        )
        .note(
            "Ad for the stroller",
            "to sell",
            "Navy, three wheels, with a rain cover. 110 euros.",
        )
        .note("My birthday wishes", "", "- ankle weights\n- desk fan")
        .note(
            "Dad's birthday wishes",
            "",
            "- cufflinks\n- a mat for the rocking chair",
        )
        .solved_by(&[
            Edit::Delete("Ad for the rocking chair"),
            Edit::Append("My birthday wishes", "\n- foam roller"),
        ]),
    ]
}
