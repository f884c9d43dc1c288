//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        moved_and_gone(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-locksmith",
            "could i have a note titled Locksmith? Bertrand & Sons, 555 0148, 75 euros just to come out, they \
             come any time except on sundays",
            Expected::default().new_titled(
                "Locksmith",
                &["bertrand", "0148", "75|seventy-five|seventy five", "sunday"],
            ),
        )
        .note(
            "Front door",
            "house",
            "Five bolts, the lock is from 2018. Pull the handle up first.",
        )
        .note(
            "Glazier",
            "house",
            "Mr Oduya, 555 0162, also cuts mirrors. Not on Mondays.",
        )
        .solved_by(&[Edit::Create(
            "Locksmith",
            "Bertrand & Sons, 555 0148. 75 euros to come out, any time except on Sundays.",
        )]),
        Task::strict(
            "dictate-funeral",
            "I have to get this down somewhere. Funeral is on Wednesday the 9th, half past eleven, at St \
             Brendan's. No flowers please, donations to the hospice instead. Pia is doing the coffee \
             afterwards.",
            Expected::default()
                .new_note(&[
                    "funeral|burial",
                    "wed",
                    "9|09|ninth",
                    "11:30|11.30|half past eleven|half past 11|half eleven|half 11|11h30",
                    "brendan",
                    "flower&no|flower&instead|flower&without|flower&rather",
                    "donation|donate",
                    "hospice",
                    "pia",
                    "coffee",
                ]),
        )
        .note(
            "Dark suit",
            "clothes",
            "At the cleaner's in Bell Street, the ticket is in the coat.",
        )
        .note(
            "Pia",
            "family",
            "Takes her coffee with oat milk. Her train card runs until March.",
        )
        .solved_by(&[Edit::Create(
            "Funeral",
            "Wednesday the 9th, 11:30, St Brendan's.\nNo flowers, donations to the hospice.\nPia does the \
             coffee afterwards.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "yes-on-penalties",
            "YESSS we won!! on penalties!!! i was screaming so loud lol",
            Expected::default(),
        )
        .note(
            "Parking fines",
            "car",
            "The penalty of 30 euros is paid. The other one is being looked into.",
        )
        .note(
            "Loudspeaker",
            "",
            "The left one crackles, the cable is too short for the shelf.",
        ),
        Task::strict(
            "back-to-work",
            "ok enough chatting, I should really be working. my boss is already looking over",
            Expected::default(),
        )
        .note(
            "Work phone",
            "work",
            "Only on weekdays. The charger is in the second drawer.",
        )
        .note(
            "My boss",
            "work",
            "Back from Graz on Thursday, likes it short.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "fitting-and-florist",
            "Odile can't do the fitting for the bridesmaid dresses on the 5th, it's the 8th of May now. And a \
             separate new note please: Mr Quispe the florist wants 40 percent up front and is closed on \
             Mondays",
            Expected::default()
                .change(
                    "Bridesmaid dresses",
                    &[
                        "8 May|8. May|May 8|8th|8.5|08.05|8.5.|08.05.|05-08|5/8|05/08|8/5|08/05",
                        "16:30|16.30|4:30|4.30|half past four|half past 4|half four",
                        "odile",
                        "three|3",
                        "sage",
                    ],
                )
                .lacking(&[
                    "5 May|5. May|May 5|5th|5.5|05.05|5.5.|05.05.|05-05|5/5|05/05",
                    "quispe",
                ])
                .new_note(&["quispe", "florist|flower", "40|forty", "monday"]),
        )
        .note(
            "Bridesmaid dresses",
            "wedding",
            "Fitting on 5 May at 16:30 at Odile's, for all three of them.\nColour: sage, hem below the knee",
        )
        .note(
            "Ring cushion",
            "wedding",
            "Sewn by Grandma, it has to be with the vicar by 5 May.",
        )
        .solved_by(&[
            Edit::Replace("Bridesmaid dresses", "5 May", "8 May"),
            Edit::Create(
                "Florist",
                "Mr Quispe wants 40 percent up front. Closed on Mondays.",
            ),
        ]),
    ]
}

fn moved_and_gone() -> Vec<Task> {
    vec![
        Task::strict(
            "gate-next-weekend",
            "won't get round to painting the gate, move that from This weekend to Next weekend pls. oh and \
             Jobs for Tilo can be deleted, he's done the lot",
            Expected::default()
                .change("This weekend", &["kettle", "sander"])
                .lacking(&["gate"])
                .change("Next weekend", &["gate", "boot"])
                .delete("Jobs for Tilo"),
        )
        .note(
            "This weekend",
            "to do",
            "- descale the kettle\n- paint the gate\n- take back the sander",
        )
        .note("Next weekend", "to do", "- empty the boot of the car")
        .note(
            "Jobs for Tilo",
            "to do",
            "- sweep the steps\n- flatten the cardboard",
        )
        .note(
            "Tilo",
            "family",
            "Gets 6 euros for an hour of helping. Saving up for a keyboard.",
        )
        .solved_by(&[
            Edit::Replace("This weekend", "- paint the gate\n", ""),
            Edit::Append("Next weekend", "\n- paint the gate"),
            Edit::Delete("Jobs for Tilo"),
        ]),
    ]
}
