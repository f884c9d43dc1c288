//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Watches in the long note.
const WATCHES: usize = 80;

/// Returns the log of lifeguards, one line a watch, no two of them alike.
pub(super) fn lifeguard_log() -> String {
    const TOWERS: [&str; 7] = [
        "Dune Tower",
        "the north hut",
        "Harbour Mole",
        "the family beach",
        "Cliff Post",
        "the shallow bay",
        "Pier End",
    ];
    const REMARKS: [&str; 9] = [
        "two wasp stings",
        "a lost bucket",
        "fog until noon",
        "cold soup",
        "one sprained ankle",
        "the whistle broke",
        "kites too low",
        "nothing to report",
        "jellyfish",
    ];
    const RESCUE: &str = "Watch 23: Ismene pulled a boy called Tarquin out of the rip current, his grandfather sent \
                          us a crate of marzipan.";
    let line = |watch: usize| match watch {
        23 => RESCUE.to_owned(),
        56 => "Watch 56: strong wind, the red flag was up until six, two surfers cautioned."
            .to_owned(),
        74 => "Watch 74: the loudspeaker works again.".to_owned(),
        _ => format!(
            "Watch {watch}: {}, {} swimmers, {}.",
            TOWERS[watch * 3 % TOWERS.len()],
            50 + watch * 11 % 70,
            REMARKS[watch * 4 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=WATCHES).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "lifeguard-log-flag",
            "Watch 56 in the lifeguard log says it was the red flag that was up. It was the yellow one, please correct \
             it.",
            Expected::default()
                .change(
                    "Lifeguard log",
                    &[
                        "watch 56&wind&yellow&six&surfer|watch 56&wind&yellow&6&surfer",
                        "watch 23&tarquin",
                        "watch 74&loudspeaker",
                        "watch 80",
                    ],
                )
                .lacking(&["watch 56& red"]),
        )
        .note("Lifeguard log", "beach", &lifeguard_log())
        .note(
            "Flags on the beach",
            "beach",
            "Red flag: nobody goes in. Yellow flag: good swimmers only.",
        )
        .solved_by(&[Edit::Replace("Lifeguard log", "red flag", "yellow flag")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-cattery-price",
            "the cattery has gone up to 19 euros a day, until now it was 16. bring my note up to date pls",
            Expected::default()
                .change(
                    "Cattery",
                    &[
                        "19|nineteen",
                        "own food",
                        "vaccination card",
                        "17:00",
                    ],
                )
                .lacking(&["16|sixteen"]),
        )
        .note(
            "Cattery",
            "pets",
            "16 euros a day, we bring our own food.\nThey want to see the vaccination card.\nTo be fetched before 17:00",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Cattery", "16 euros", "19 euros")]),
        Task::strict(
            "crowd-windscreen",
            "Put this in a note of its own, please. Windscreen repair at Pettersson's on 26 February, I have to drop \
             the car off by 8:15, the excess is 150 euros and the claim number is K-70943.",
            Expected::default().new_note(&[
                "windscreen|windshield",
                "pettersson",
                "26 Feb|26. Feb|Feb 26|February 26|26th|twenty-sixth|26.2|26.2.|26.02|26.02.|02-26|2/26|02/26|26/2|\
                 26/02",
                "8:15|08:15|8.15|08.15|quarter past eight|quarter past 8",
                "150|one hundred and fifty|a hundred and fifty",
                "70943",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Windscreen repair",
            "At Pettersson's on 26 February, drop the car off by 8:15.\nExcess: 150 euros\nClaim number: K-70943",
        )]),
    ]
}
