//! A long note, and a thousand notes around.

use super::crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Stays in the long note.
const STAYS: usize = 78;

/// Returns the guest book of a flat that is let, one line a stay, no two of them alike.
pub(super) fn guest_book() -> String {
    const GUESTS: [&str; 9] = [
        "a couple from Ghent",
        "two sisters from Turin",
        "a family of five",
        "three students",
        "a lady with her dachshund",
        "four cyclists",
        "a retired baker",
        "newlyweds from Brno",
        "a chess team",
    ];
    const REMARKS: [&str; 8] = [
        "left it spotless",
        "asked for an iron",
        "arrived after midnight",
        "want to come again",
        "found the stairs steep",
        "brought us a cheese",
        "used all the coal",
        "liked the view",
    ];
    let line = |stay: usize| match stay {
        21 => {
            "Stay 21: the Okonkwos forgot a teddy under the bed, we posted it to Tromsø.".to_owned()
        }
        46 => "Stay 46: the Haugens broke the glass shelf, we kept 85 euros of the deposit."
            .to_owned(),
        63 => "Stay 63: no guests, the water was off in the whole street.".to_owned(),
        _ => format!(
            "Stay {stay}: {}, {} nights, {}.",
            GUESTS[stay * 4 % GUESTS.len()],
            2 + stay * 5 % 9,
            REMARKS[stay * 3 % REMARKS.len()]
        ),
    };
    let lines: Vec<String> = (1..=STAYS).map(line).collect();
    lines.join("\n")
}

pub(super) fn tasks() -> Vec<Task> {
    [in_a_long_note(), among_many_notes()].concat()
}

fn in_a_long_note() -> Vec<Task> {
    vec![
        Task::strict(
            "guest-book-blender",
            "stay 46 in the guest book needs fixing.. it was the blender they broke, not the glass shelf",
            Expected::default()
                .change(
                    "Guest book",
                    &[
                        "stay 46&haugen&blender&85",
                        "stay 21&teddy&troms",
                        "stay 63&water",
                        "stay 78",
                    ],
                )
                .lacking(&["glass shelf"]),
        )
        .note("Guest book", "letting", &guest_book())
        .note(
            "Glass shelf",
            "bathroom",
            "60 cm by 14, drilled with the 6 mm bit. Two spare clips in the cabinet.",
        )
        .solved_by(&[Edit::Replace("Guest book", "glass shelf", "blender")]),
    ]
}

fn among_many_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "crowd-high-chair",
            "we're getting the high chair on saturday after all, not friday. please change it",
            Expected::default()
                .change("High chair", &["sat", "wójcik|wojcik", "tray"])
                .lacking(&["friday"]),
        )
        .note(
            "High chair",
            "baby",
            "The Wójciks bring us theirs on Friday.\nThe tray is missing, a screw is loose.",
        )
        .among(crowd())
        .solved_by(&[Edit::Replace("High chair", "Friday", "Saturday")]),
        Task::strict(
            "crowd-wisdom-tooth",
            "pls write dwon for me: wisdom tooth is out, no coffee for 3 days, ibuprofen 400 evry 8 hours, \
             stiches come out on teh 27th at dr abiola's",
            Expected::default().new_note(&[
                "wisdom|tooth|teeth",
                "coffee",
                "3 day|three day|3-day|three-day|3 d",
                "ibuprofen",
                "400",
                "8 hour|eight hour|8 hr|8h|8 h|eight-hour|8-hour",
                "27",
                "abiola",
            ]),
        )
        .among(crowd())
        .solved_by(&[Edit::Create(
            "Wisdom tooth",
            "No coffee for 3 days, ibuprofen 400 every 8 hours. Dr Abiola takes the stitches out on the 27th.",
        )]),
    ]
}
