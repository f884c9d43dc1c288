//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Contacts in the long note.
const CONTACTS: usize = 83;

/// Returns the log of a radio amateur, one line a contact, no two of them alike.
pub(super) fn radio_log() -> String {
    const PLACES: [&str; 7] = [
        "Murmansk",
        "the Azores",
        "a lorry near Graz",
        "Cape Town",
        "the club in Gdynia",
        "Reykjavik",
        "a balcony in Naples",
    ];
    const REMARKS: [&str; 9] = [
        "a lot of crackle",
        "clear as a bell",
        "he had a new aerial",
        "faded after a minute",
        "spoke about the weather",
        "two of them at once",
        "promised a card",
        "Morse only",
        "a dog barked",
    ];
    let line = |contact: usize| match contact {
        21 => {
            "Contact 21: a trawler off the Faroes, Brynhild at the microphone, hauling in haddock."
                .to_owned()
        }
        52 => "Contact 52: the monks on Athos, with 15 watts and the long wire.".to_owned(),
        74 => "Contact 74: a school in Montevideo, the whole form said hello.".to_owned(),
        _ => format!(
            "Contact {contact}: {}, {} metre band, {}.",
            PLACES[contact * 3 % PLACES.len()],
            [10, 17, 20, 40, 80][contact % 5],
            REMARKS[contact * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=CONTACTS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "radio-log-watts",
            "about contact 52 in the radio log, i had 50 watts there and not 15, a slip of the pen. be so good as to \
             put it right",
            Expected::default()
                .change(
                    "Radio log",
                    &[
                        "contact 52&athos&50&watt&long wire|contact 52&athos&fifty&watt&long wire",
                        "contact 21&brynhild",
                        "contact 74&montevideo",
                        "contact 83",
                    ],
                )
                .lacking(&["contact 52&15"]),
        )
        .note("Radio log", "radio", &radio_log())
        .note(
            "Old valve radio",
            "radio",
            "The dial lamp has 15 watts. Hums until it is warm.",
        )
        .solved_by(&[Edit::Replace("Radio log", "15 watts", "50 watts")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-optician-closing",
            "Stood in front of a locked door today, grr. The optician closes at 18:30 on Thursdays now and no longer \
             at 19:00, can you change that?",
            Expected::default()
                .change(
                    "Optician",
                    &[
                        "18:30|18.30|6:30|6.30|18h30|half past six|half past 6",
                        "thursday",
                        "valdivia",
                        "adjusts",
                        "8842",
                    ],
                )
                .lacking(&["19:00|19.00"]),
        )
        .note(
            "Optician",
            "health",
            "Closes at 19:00 on Thursdays.\nMrs Valdivia adjusts frames for nothing.\nContact lenses: order number \
             8842",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Optician", "19:00", "18:30")]),
    ]
}
