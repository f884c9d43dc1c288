//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Books of the long note.
const BOOKS: usize = 70;

/// Returns a diary of the books that somebody read, one line a book, no two of them alike.
pub(super) fn reading_diary() -> String {
    const GENRES: [&str; 7] = [
        "a crime story",
        "short stories",
        "a family novel",
        "a biography",
        "travel writing",
        "poems",
        "science fiction",
    ];
    const REMARKS: [&str; 9] = [
        "could not put it down",
        "the middle drags",
        "a present from Berit",
        "borrowed from Anselmo",
        "read in two evenings",
        "worth a second reading",
        "the ending is weak",
        "read aloud to Mum",
        "fine for the holidays",
    ];
    let line = |book: usize| match book {
        27 => "Book 27: The Glass Orchard, 483 pages, lovely maps.".to_owned(),
        41 => "Book 41: gave up after fifty pages, far too gloomy.".to_owned(),
        53 => "Book 53: The Salt Garden, forgotten on the train to Ulm.".to_owned(),
        _ => format!(
            "Book {book}: {}, {} pages, {}.",
            GENRES[book * 3 % GENRES.len()],
            112 + book * 29 % 331,
            REMARKS[book * 5 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=BOOKS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), changed_among_many(), whole_among_many()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "diary-pages",
            "book 27 in my reading diary has 438 pages, not 483",
            Expected::default()
                .change(
                    "Reading diary",
                    &[
                        "book 27&438",
                        "book 27&orchard",
                        "book 27&maps",
                        "book 53&train",
                        "book 70",
                    ],
                )
                .lacking(&["book 27&483"]),
        )
        .note("Reading diary", "books", &reading_diary())
        .note(
            "Bookcase",
            "books",
            "Seven boards of 90 cm, 483 books are in it.",
        )
        .solved_by(&[Edit::Replace("Reading diary", "483 pages", "438 pages")]),
    ]
}

fn changed_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-props",
            "please add a rotary phone and two suitcases to the props for the play",
            Expected::default().change(
                "Props for the play",
                &[
                    "walking stick",
                    "paper crown",
                    "rotary|phone",
                    "two&suitcase|2&suitcase",
                ],
            ),
        )
        .note(
            "Props for the play",
            "theatre",
            "- walking stick\n- paper crown",
        )
        .among(crowd())
        .solved_by(&[Edit::Append(
            "Props for the play",
            "\n- rotary phone\n- two suitcases",
        )]),
        Task::strict(
            "crowd-byzantine",
            "byzantine history starts at 18:15 now",
            Expected::default()
                .change(
                    "Evening classes",
                    &[
                        "spanish&17:30",
                        "byzantine&18:15|byzantine&18.15|byzantine&6:15|byzantine&quarter past six",
                        "byzantine&tuesday",
                        "byzantine&room 3",
                        "drawing&18:45",
                    ],
                )
                .lacking(&["byzantine&18:45|byzantine&18.45"])
                .dictated(),
        )
        .note(
            "Evening classes",
            "adult education",
            "Spanish: Monday 17:30, room 5\nByzantine history: Tuesday 18:45, room 3\nDrawing: Thursday \
             18:45, room 8",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace(
            "Evening classes",
            "Tuesday 18:45",
            "Tuesday 18:15",
        )]),
    ]
}

fn whole_among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-bank-call",
            "mr brandt from the bank rang, we have to tell him by thursday if we take the fixed rate. can you \
             note that down?",
            Expected::default().new_note(&["brandt", "bank", "thursday", "rate|interest"]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Call from the bank",
            "Mr Brandt from the bank rang: tell him by Thursday if we take the fixed rate.",
        )]),
        Task::strict(
            "crowd-drone",
            "I've sold the drone, so the note Drone permit can be deleted",
            Expected::default().delete("Drone permit"),
        )
        .note(
            "Drone permit",
            "hobbies",
            "Valid for five years, not above 120 metres, not near the airfield.",
        )
        .among(crowd())
        .solved_by(&[Edit::Delete("Drone permit")]),
    ]
}
