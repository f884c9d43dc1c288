//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const MOTHS: [(&str, &str); 3] = [
    (
        "Cashmere jumpers",
        "Cold wash, dry them flat. The grey one has a hole at the cuff.",
    ),
    (
        "Lavender bags",
        "Two in every drawer, new filling each September. Muslin, not cotton.",
    ),
    (
        "Lavender honey",
        "From the man with the three-wheeler, 9 euros a jar. Never in hot tea.",
    ),
];

/// Title and text of the notes of the overview task: three about the vintage rally, two about other things.
const RALLY: [(&str, &str); 5] = [
    (
        "Route cards",
        "Vintage rally: print 45 of them, the ford at mile 16 in bold.",
    ),
    (
        "Lunch stop",
        "At the Plough for the vintage rally, ploughman's for 90, ready at 12:50.",
    ),
    (
        "Marshals",
        "Eleven for the vintage rally, orange waistcoats. Two have yet to say yes.",
    ),
    (
        "Vintage clothes shop",
        "Down the steps by the arcade, closed on Wednesdays.",
    ),
    (
        "Climate rally",
        "Meet under the clock at 15:30, cardboard signs only.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "pop-up-cafe-merge",
            "What's in Pop-up café kit belongs in Pop-up café, so bring it across completely. Once that is done the \
             kit note can disappear.",
            Expected::default()
                .change(
                    "Pop-up café",
                    &[
                        "telephone exchange",
                        "11:30",
                        "permit 2284",
                        "folding tables",
                        "svetlana",
                        "hat box",
                    ],
                )
                .delete("Pop-up café kit"),
        )
        .note(
            "Pop-up café",
            "projects",
            "In the old telephone exchange, Sundays from 11:30.\nPermit 2284",
        )
        .note(
            "Pop-up café kit",
            "projects",
            "Two folding tables\nThe card reader is with Svetlana.\nBunting: in the hat box",
        )
        .note(
            "Bicycle repair kit",
            "projects",
            "Patches, two levers, in the tin by the folding tables.",
        )
        .solved_by(&[
            Edit::Append(
                "Pop-up café",
                "\nTwo folding tables\nThe card reader is with Svetlana.\nBunting: in the hat box",
            ),
            Edit::Delete("Pop-up café kit"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-sewing-room",
            "petra moved out in spring and i sew in there now. please retitle the note petra's room as Sewing room",
            Expected::default().rename("Petra's room", "Sewing room"),
        )
        .note(
            "Petra's room",
            "house",
            "11 square metres, two sockets. The window sticks in summer.\nRadiator key: top drawer",
        )
        .note(
            "Letters for Petra",
            "house",
            "Send them on to Hafenweg 8. Catalogues go in the bin.",
        )
        .solved_by(&[Edit::Rename("Petra's room", "Sewing room")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-search-poster",
            "Kiwi flew back in through the kitchen window all by himself!!! We don't need the text for the search \
             poster any more, delete it.",
            Expected::default().delete("Search poster"),
        )
        .note(
            "Search poster",
            "pets",
            "Green parakeet, answers to Kiwi, 50 euros reward. Ring 555 0139.",
        )
        .note(
            "Poster for the bazaar",
            "school",
            "A2, yellow, text by Mr Lindholm. One for the kitchen window too.",
        )
        .note(
            "Kiwi plant",
            "garden",
            "The female one is by the wall. Frost in April kills the buds.",
        )
        .solved_by(&[Edit::Delete("Search poster")]),
        Task::strict(
            "delete-tandem",
            "the tandem's far too wobbly for the two of us so we're leaving it.. you can scrap the note on it",
            Expected::default().delete("Tandem"),
        )
        .note(
            "Tandem",
            "to buy",
            "Second-hand, 890 euros, dark red. Mr Ilunga keeps it for us until Friday.",
        )
        .note(
            "Tandem jump",
            "vouchers",
            "From 4000 metres, for two. The voucher runs out in October.",
        )
        .note(
            "Unicycle",
            "to sell",
            "Dark red, wobbly pedal. Mr Ilunga's boy would like it.",
        )
        .solved_by(&[Edit::Delete("Tandem")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-cashmere",
        "Cashmere jumpers and Lavender bags belong together really, tie those two notes to each other with a link",
        |world| {
            let [jumpers, bags, honey] = MOTHS;
            world.are_linked([jumpers, bags], honey, "cashmerejumpersandlavender")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = MOTHS.iter().fold(task, with);
    vec![
        task.may(0, &["Cashmere jumpers", "Lavender bags"])
            .solved_by(&[Edit::Append("Cashmere jumpers", "\n[[Lavender bags]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-vintage-rally",
        "i keep losing track with the vintage rally. write a new note for me that gathers it all, i mean with links to \
         every note that has to do with the rally for the old cars",
        |world| world.is_looked_over(&RALLY, 3, "writeanewnoteforme"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = RALLY.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Vintage rally",
        "- [[Route cards]]\n- [[Lunch stop]]\n- [[Marshals]]",
    )])]
}
