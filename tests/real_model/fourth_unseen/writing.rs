//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        reminded(),
        nothing_to_note(),
        two_steps_with_whole_notes(),
        two_steps_in_notes(),
    ]
    .concat()
}

fn reminded() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-union",
            "could you remind me on 26 april that i have to send the union my new bank details? thx",
            Expected::default().new_note(&[
                "union",
                "bank",
                "26 Apr|26. Apr|Apr 26|April 26|26th|26.4|26.04|26.4.|26.04.|04-26|4/26|04/26|26/4|26/04",
            ]),
        )
        .note(
            "Pay slips",
            "work",
            "They come on the 27th and go into the red folder.",
        )
        .note(
            "Trade fair",
            "work",
            "Our stand is in hall 9, badges are at the west entrance.",
        )
        .solved_by(&[Edit::Create(
            "Bank details for the union",
            "26 April: send the union my new bank details.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "thanks-lovely",
            "that's lovely, thank you so much for your help :)",
            Expected::default(),
        )
        .note(
            "Curling",
            "curling, sport",
            "The rink is ours on Sunday evenings.",
        )
        .note("Crossword", "", "The answers come out on Fridays."),
        Task::strict(
            "rainy-morning",
            "morning! what a grey rainy day, i'd rather have stayed in bed",
            Expected::default(),
        )
        .note(
            "Rain jacket",
            "clothes",
            "Washed without softener, waterproofed in September.",
        )
        .note(
            "Bed linen",
            "household",
            "Two sets for the double bed are with Oda.",
        ),
    ]
}

fn two_steps_with_whole_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "forklift-and-shoes",
            "the forklift course has been cut down to 3 days, my note says 4. and please make a new one: \
             safety shoes are replaced every 18 months, Benedikt orders them",
            Expected::default()
                .change(
                    "Forklift course",
                    &["3 days|three days|3-day|3 day", "hall 6", "photo"],
                )
                .lacking(&["4 days|four days|4-day|4 day"])
                .new_note(&["safety shoe|safety boot", "18|eighteen", "benedikt"]),
        )
        .note(
            "Forklift course",
            "work, training",
            "It takes 4 days, in hall 6. Bring a photo for the licence.",
        )
        .note(
            "Fire drill",
            "work, training",
            "Meeting point is the bicycle stand, count everybody.",
        )
        .solved_by(&[
            Edit::Replace("Forklift course", "4 days", "3 days"),
            Edit::Create(
                "Safety shoes",
                "Replaced every 18 months. Benedikt orders them.",
            ),
        ]),
        Task::strict(
            "stairlift-and-carer",
            "mum's stairlift has been fitted, so the note with the offers can go. and her carer comes at 7:30 \
             now, not at 8:15",
            Expected::default()
                .delete("Stairlift offers")
                .change(
                    "Mum's carer",
                    &[
                        "7:30|07:30|7.30|07.30|half past seven",
                        "ludmila",
                        "sunday",
                    ],
                )
                .lacking(&["8:15|8.15"]),
        )
        .note(
            "Stairlift offers",
            "mum, stairlift",
            "Treppwerk: 7,900 euros\nLiftup: 8,450 euros\nHomeglide: no answer yet",
        )
        .note(
            "Stairlift manual",
            "mum, stairlift",
            "The stop button is under the right armrest.",
        )
        .note(
            "Mum's carer",
            "mum",
            "Ludmila comes at 8:15 every day but Sunday.",
        )
        .solved_by(&[
            Edit::Delete("Stairlift offers"),
            Edit::Replace("Mum's carer", "8:15", "7:30"),
        ]),
    ]
}

fn two_steps_in_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "office-and-van",
            "toner and A4 envelopes should go on the office order, and the van is due for its service at \
             90,000 km, not at 80,000",
            Expected::default()
                .change(
                    "Office order",
                    &["staples", "coffee filters", "toner", "envelope"],
                )
                .change(
                    "Delivery van",
                    &["90,000|90000|90.000|90 000|90'000|90k", "500", "tail lift"],
                )
                .lacking(&["80,000|80000|80.000|80 000|80'000|80k"]),
        )
        .note(
            "Office order",
            "company, office",
            "- staples\n- coffee filters",
        )
        .note(
            "Delivery van",
            "company",
            "Next service at 80,000 km. The tail lift carries 500 kg.",
        )
        .note(
            "Office cleaning",
            "company, office",
            "Every second evening, the alarm is set afterwards.",
        )
        .solved_by(&[
            Edit::Append("Office order", "\n- toner\n- A4 envelopes"),
            Edit::Replace("Delivery van", "80,000", "90,000"),
        ]),
    ]
}
