//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Visits in the long note.
const VISITS: usize = 84;

/// Returns the book of a school nurse, one line a visit, no two of them alike.
pub(super) fn nurse_book() -> String {
    const COMPLAINTS: [&str; 8] = [
        "a nosebleed",
        "a grazed elbow",
        "tummy ache",
        "a wasp sting",
        "a headache",
        "a loose tooth",
        "sand in the eye",
        "a bumped forehead",
    ];
    const REMEDIES: [&str; 9] = [
        "a wet flannel and ten minutes' rest",
        "a plaster with stars",
        "a glass of water",
        "sent back to sums",
        "lay down until the bell",
        "an ice pack",
        "a phone call to the parents",
        "a biscuit and a chat",
        "some fresh air",
    ];
    let line = |visit: usize| match visit {
        31 => "Visit 31: Kasimir swallowed a shirt button, taken to St Luke's.".to_owned(),
        47 => "Visit 47: Yasmin, temperature 38.4, fetched by her grandfather.".to_owned(),
        70 => "Visit 70: nobody, it was only the fire drill.".to_owned(),
        _ => format!(
            "Visit {visit}: class {}, {}, {}.",
            1 + visit * 5 % 9,
            COMPLAINTS[visit * 3 % COMPLAINTS.len()],
            REMEDIES[visit * 4 % REMEDIES.len()]
        ),
    };
    let lines: Vec<String> = (1..=VISITS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [
        in_a_long_note(),
        changes_among_many_notes(),
        notes_among_many_notes(),
    ]
    .concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "nurse-book-yasmin",
            "I must have misread my own writing: in the nurse book it says Yasmin had 38.4, visit \
             47, but it was 39.4. Could you put that right?",
            Expected::default()
                .change(
                    "Nurse book",
                    &[
                        "visit 47&yasmin&39.4|visit 47&yasmin&39,4",
                        "visit 47&grandfather",
                        "visit 31&kasimir",
                        "visit 70&fire drill",
                        "visit 84",
                    ],
                )
                .lacking(&["38.4|38,4"]),
        )
        .note("Nurse book", "school", &nurse_book())
        .note(
            "Sick room",
            "school",
            "Two beds, the key is at the office. Yasmin waters the plant.",
        )
        .solved_by(&[Edit::Replace("Nurse book", "38.4", "39.4")]),
    ]
}

fn changes_among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-ironing",
            "Mrs Nowak who does our ironing is putting her price up, 16 euros an hour instead of \
             14. Change the note, will you",
            Expected::default()
                .change(
                    "Ironing",
                    &[
                        "nowak",
                        "16|sixteen",
                        "hour",
                        "monday",
                        "wednesday",
                        "hangers",
                    ],
                )
                .lacking(&["14|fourteen"]),
        )
        .note(
            "Ironing",
            "house",
            "Mrs Nowak, 14 euros an hour.\nBring it on Monday, ready on Wednesday\nShirts on our \
             own hangers",
        )
        .note(
            "Help in the garden",
            "house",
            "Mr Novotny, 14 euros an hour, every other Friday.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("Ironing", "14", "16")]),
        Task::strict(
            "crowd-bread-maker",
            "in the bread maker note add this: if the paddle sticks fill the tin with hot water \
             and leave it for ten minutes. learnt that the hard way",
            Expected::default().change(
                "Bread maker",
                &[
                    "programme 4",
                    "yeast",
                    "paddle",
                    "hot water|hot-water",
                    "10&min|ten&min",
                ],
            ),
        )
        .note(
            "Bread maker",
            "kitchen",
            "Programme 4 for the wholemeal loaf\nYeast goes in last, away from the salt",
        )
        .note(
            "Bread bin",
            "kitchen",
            "Wipe it out with vinegar on Saturdays. Crusts go to the hens.",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Bread maker",
            "\nIf the paddle sticks, fill the tin with hot water and leave it for ten minutes.",
        )]),
    ]
}

fn notes_among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-tv-aerial",
            "the chap about the tv aerial is coming mon 22 jan between 8 and 11, mr sikorski. he \
             wants the loft ladder down and 75 euros in cash. make a note of all that for my \
             husband please",
            Expected::default().new_note(&[
                "aerial|antenna",
                "sikorski",
                "22|22.1|22.01|twenty-second",
                "8|8:00|8.00|08:00|08.00|eight",
                "11|11:00|11.00|eleven",
                "ladder",
                "75|75.00|seventy-five",
                "cash",
            ]),
        )
        .note(
            "Satellite dish",
            "house",
            "Taken down in 2019, the bracket is still up. Mr Sikora has the bolts.",
        )
        .note(
            "Loft ladder",
            "house",
            "The pole with the hook is behind the door. Third rung is loose.",
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "TV aerial",
            "Mr Sikorski comes on Monday 22 January between 8 and 11. Have the loft ladder down \
             and 75 euros in cash.",
        )]),
        Task::strict(
            "crowd-paddling-pool",
            "The paddling pool's got a gash you could put your fist through, it's in the bin. \
             Chuck out the note on it as well. The one about the club pool stays, obviously!",
            Expected::default().delete("Paddling pool"),
        )
        .note(
            "Paddling pool",
            "garden",
            "2.40 m across, takes 40 minutes to fill. Patches are in the shed.",
        )
        .note(
            "Club pool",
            "sport",
            "Season ticket 58 euros, closes on 15 September.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Paddling pool")]),
    ]
}
