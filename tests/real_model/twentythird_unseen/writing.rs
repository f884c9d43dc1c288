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
            "new-snorkel-trip",
            "pls start a new note called Snorkel trip. 7 june, the boat leaves the slipway at 8:35, bring a fleece \
             for afterwards and tell them beforehand that i get seasick",
            Expected::default().new_titled(
                "Snorkel trip",
                &[
                    "7 Jun|7. Jun|Jun 7|Jun. 7|June 7|7th|seventh|7.6|7.6.|07.06|07.06.|06-07|6/7|06/07|7/6|07/06",
                    "8:35|8.35|08:35|08.35|8h35|8 h 35",
                    "slipway",
                    "fleece",
                    "seasick|sea-sick|sea sick|motion sick",
                ],
            ),
        )
        .note(
            "Travel pills",
            "medicine",
            "Half an hour before setting off, against motion sickness. They make me drowsy.",
        )
        .note(
            "Dog blanket",
            "dog",
            "The grey fleece, wash it at 30. In the boat box, lower shelf.",
        )
        .solved_by(&[Edit::Create(
            "Snorkel trip",
            "7 June, the boat leaves the slipway at 8:35. Bring a fleece for afterwards. Tell them beforehand that I \
             get seasick.",
        )]),
        Task::strict(
            "keep-thatcher-quote",
            "The thatcher has been here at last, such a quiet man. Could you hold on to what he told me? His name's \
             Prendergast, the north side comes to 8,400 euros, the ridge wants doing anew every 12 years, and he has \
             time in April.",
            Expected::default().new_note(&[
                "thatch",
                "prendergast",
                "north",
                "8400|8,400|8.400|8 400|8'400",
                "ridge",
                "12|twelve|twelfth",
                "april|apr",
            ]),
        )
        .note(
            "Ridge walk",
            "hiking",
            "Four hours from the chapel, no shade. The last bus back is at 17:25.",
        )
        .note(
            "Straw bales",
            "garden",
            "Nine of them to sit on, from the farm behind the mill. Back to him in April.",
        )
        .solved_by(&[Edit::Create(
            "Thatcher",
            "Mr Prendergast. North side: 8,400 euros. The ridge has to be redone every 12 years. He has \
             time in April.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "stubbed-toe",
            "ouch ouch ouch. just stubbed my toe on a dumbbell, i'm seeing stars here",
            Expected::default(),
        )
        .note(
            "Dumbbells",
            "fitness",
            "Two of 6 kg, under the bed. Eight minutes each morning, elbows in.",
        )
        .note(
            "Planisphere",
            "night sky",
            "Turn the disc to the date. The red lamp is in the glove box.",
        ),
        Task::strict(
            "specs-on-head",
            "False alarm, people! My specs were sitting on top of my head the whole time :)",
            Expected::default(),
        )
        .note(
            "Fire alarm",
            "office",
            "Tried out on the first Tuesday of the month at 10:10. Everybody goes to the car park.",
        )
        .note(
            "Varifocals",
            "health",
            "310 euros with the hard coating. Two years of guarantee.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "gamelan-and-gong-repairs",
            "Gamelan is in the salt barn from now on rather than in the refectory, could you change that. Plus a \
             separate note please: Ketut repairs gongs, he takes 45 euros apiece and is away all August.",
            Expected::default()
                .change(
                    "Gamelan",
                    &[
                        "tue",
                        "18:50|18.50|6:50|6.50|ten to seven|ten to 7",
                        "salt barn|saltbarn|salt-barn",
                        "shoes",
                    ],
                )
                .lacking(&["refectory", "ketut", "45", "august"])
                .new_note(&[
                    "ketut",
                    "gong",
                    "45|45.00|forty-five|forty five",
                    "august|aug",
                ]),
        )
        .note(
            "Gamelan",
            "music",
            "Tuesdays at 18:50 in the refectory.\nShoes off at the door",
        )
        .note(
            "Soup kitchen",
            "volunteering",
            "In the refectory, Saturdays from eleven. Nerys has the aprons.",
        )
        .solved_by(&[
            Edit::Replace("Gamelan", "the refectory", "the salt barn"),
            Edit::Create(
                "Gong repairs",
                "Ketut repairs gongs for 45 euros apiece. He is away all August.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "mummies-and-kintsugi",
            "we've seen the mummies now (rather spooky) so you can throw out the note on that exhibition. and two \
             fine brushes plus masking tape ought to go on the kintsugi list",
            Expected::default()
                .change(
                    "Kintsugi list",
                    &[
                        "gold powder",
                        "30 g of lacquer",
                        "2&brush|two&brush|pair&brush",
                        "masking tape|masking-tape",
                    ],
                )
                .delete("Mummies exhibition"),
        )
        .note(
            "Mummies exhibition",
            "museum",
            "Until 30 June, tickets with a time slot. The audio guide is 4 euros.",
        )
        .note(
            "Meteorites exhibition",
            "museum",
            "From September on, 11 euros. Closed on Mondays.",
        )
        .note(
            "Kintsugi list",
            "crafts",
            "- gold powder\n- 30 g of lacquer",
        )
        .note(
            "Enamel list",
            "crafts",
            "- copper discs\n- a goose quill\n- a sieve, 80 threads",
        )
        .solved_by(&[
            Edit::Delete("Mummies exhibition"),
            Edit::Append("Kintsugi list", "\n- two fine brushes\n- masking tape"),
        ]),
    ]
}
