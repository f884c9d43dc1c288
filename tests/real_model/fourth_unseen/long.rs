//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Nights of the long note.
const NIGHTS: usize = 72;

/// Returns a log of helping toads across a road, one line a night, no two of them alike.
pub(super) fn toad_log() -> String {
    const WEATHER: [&str; 7] = [
        "drizzle",
        "dry and cold",
        "mild, no wind",
        "heavy showers",
        "wet leaves on the road",
        "half moon",
        "mist from the pond",
    ];
    const HELPERS: [&str; 8] = [
        "Ruud", "Ottmar", "Saskia", "Nils", "Yvonne", "Pekka", "Dörte", "Emre",
    ];
    let line = |night: usize| match night {
        31 => "Night 31: 86 toads, warm rain, Ruud fetched a second bucket.".to_owned(),
        52 => "Night 52: Ottmar found a fire salamander by the sluice.".to_owned(),
        64 => "Night 64: ten metres of the fence were trampled down.".to_owned(),
        _ => format!(
            "Night {night}: {} toads, {} newts, {}, with {}.",
            5 + night * 11 % 67,
            night * 5 % 9,
            WEATHER[night * 3 % WEATHER.len()],
            HELPERS[night * 5 % HELPERS.len()]
        ),
    };
    let lines: Vec<String> = (1..=NIGHTS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [
        in_a_long_note(),
        changed_among_many(),
        added_among_many(),
        whole_among_many(),
    ]
    .concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "log-toads",
            "In the toad patrol log it was 68 toads on night 31, I got the two digits the wrong way round.",
            Expected::default()
                .change(
                    "Toad patrol log",
                    &["night 31&68", "night 52&salamander", "night 72"],
                )
                .lacking(&["night 31&86"]),
        )
        .note("Toad patrol log", "toads", &toad_log())
        .note(
            "Toad patrol gear",
            "toads",
            "Eight buckets, 86 reflective vests from the council, five torches.",
        )
        .solved_by(&[Edit::Replace("Toad patrol log", "86 toads", "68 toads")]),
    ]
}

fn changed_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-forms",
            "the health forms for the scout camp are all in, you can tick them off",
            Expected::default()
                .change(
                    "Scout camp",
                    &["[x]&minibus", "[ ]&firewood", "[x]&health form"],
                )
                .lacking(&["[ ]&health form"]),
        )
        .note(
            "Scout camp",
            "scouts",
            "- [x] book the minibus\n- [ ] order firewood\n- [ ] collect the health forms",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace(
            "Scout camp",
            "[ ] collect the health forms",
            "[x] collect the health forms",
        )]),
        Task::strict(
            "crowd-notary",
            "our file at the notary's is being handled by Ms Ferrand now",
            Expected::default()
                .change("Notary", &["118/24", "ferrand", "land register"])
                .lacking(&["quast"])
                .dictated(),
        )
        .note(
            "Notary",
            "house purchase",
            "File 118/24, handled by Mr Quast. Bring the extract from the land register.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Notary", "Mr Quast", "Ms Ferrand")]),
    ]
}

fn added_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-christening",
            "elodie's christening is on 19 june at 10:45, please put that with the rest about it",
            Expected::default().change(
                "Christening of Elodie",
                &[
                    "maud",
                    "yannick",
                    "pilar",
                    "19 Jun|19. Jun|Jun 19|June 19|19th|19.6|19.06|19.6.|19.06.|06-19|6/19|06/19|19/6|19/06",
                    "10:45|10.45|quarter to eleven",
                ],
            ),
        )
        .note(
            "Christening of Elodie",
            "family",
            "Godparents: Maud and Yannick\nCake: Pilar",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Christening of Elodie",
            "\n19 June, 10:45",
        )]),
    ]
}

fn whole_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-hearing-aid",
            "quik note: my haering aid taks size 312 bateries, get them from mrs Lundgren, closed wendsdays",
            Expected::default().new_note(&[
                "hearing|haering",
                "312",
                "batter|bater",
                "lundgren",
                "wednesday|wendsday",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Hearing aid",
            "It takes size 312 batteries. Get them from Mrs Lundgren, closed on Wednesdays.",
        )]),
        Task::strict(
            "crowd-stag",
            "the stag do is over and everybody has paid, so there's no need to keep the note Stag weekend",
            Expected::default().delete("Stag weekend"),
        )
        .note(
            "Stag weekend",
            "friends",
            "Go-karts at 14:00, then the curry house. 85 euros each, to Cormac.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Stag weekend")]),
    ]
}
