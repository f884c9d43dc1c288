//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const BENCH: [(&str, &str); 3] = [
    (
        "Seat foam",
        "Density 40, 8 cm thick. Cut it with the bread knife, slowly.",
    ),
    (
        "Piping cord",
        "6 mm, 9 metres of it. The strips for it are cut on the bias.",
    ),
    (
        "Net curtains",
        "Wash at 30 with a handful of salt, hang them up wet.",
    ),
];

/// Title and text of the notes of the overview task: three about the hackathon, two about other things.
const HACKATHON: [(&str, &str); 5] = [
    (
        "Pizza order",
        "For the hackathon: 28 large ones, a third without meat. Da Enzo wants to know by Tuesday.",
    ),
    (
        "Extension leads",
        "We need 14 at the hackathon, the janitor lends us nine.",
    ),
    (
        "Prize for the winners",
        "Hackathon: a golden keyboard, Samira sprays it. Runners-up get mugs.",
    ),
    (
        "Pizza stone",
        "Half an hour on the lowest rack before the first one goes in.",
    ),
    (
        "Server cupboard",
        "The key hangs behind the plan. Fan filter changed in April.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "hair-dye-merge",
            "Shades tried and Hair colour are really the same thing. Can you move all of Shades tried over to Hair \
             colour and then delete it?",
            Expected::default()
                .change(
                    "Hair colour",
                    &[
                        "kirsch",
                        "gloves",
                        "chestnut&red",
                        "copper&3 week|copper&three week",
                        "mocha&best",
                    ],
                )
                .delete("Shades tried"),
        )
        .note(
            "Hair colour",
            "bathroom",
            "From Salon Kirsch, two tubes.\nThe gloves are in the left drawer",
        )
        .note(
            "Shades tried",
            "bathroom",
            "Chestnut: too red\nCopper: washed out after 3 weeks\nMocha: the best so far",
        )
        .note(
            "Lampshades",
            "house",
            "The green one is from the widow Kirsch. Bulb not above 40 watts.",
        )
        .solved_by(&[
            Edit::Append(
                "Hair colour",
                "\nChestnut: too red\nCopper: washed out after 3 weeks\nMocha: the best so far",
            ),
            Edit::Delete("Shades tried"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-dragon-visit",
            "before my mother-in-law gets to see my phone: the note The dragon comes has to be called Visit from \
             Hildegard",
            Expected::default().rename("The dragon comes", "Visit from Hildegard"),
        )
        .note(
            "The dragon comes",
            "family",
            "Train gets in at noon on Good Friday.\nNo onions, no draughts, decaf",
        )
        .note(
            "Hildegard of Bingen",
            "books",
            "Back to the parish library, shelf by the stairs. The spelt biscuits are on page 61.",
        )
        .solved_by(&[Edit::Rename("The dragon comes", "Visit from Hildegard")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-dash-cam",
            "insurance couldn't care less about a dash cam so we're not getting one. delete that one pls",
            Expected::default().delete("Dash cam"),
        )
        .note(
            "Dash cam",
            "car",
            "With night vision 129 euros, sticks behind the mirror. Ask Torvald about the cable.",
        )
        .note(
            "Reversing camera",
            "car",
            "Goes blind in the rain, wipe it. Torvald wired it up.",
        )
        .note(
            "Car insurance",
            "car",
            "Change by the end of November. The glass is covered, the marten is not.",
        )
        .solved_by(&[Edit::Delete("Dash cam")]),
        Task::strict(
            "delete-subletting",
            "The student has found something nearer to the campus, and to be honest I'd rather keep the room to \
             myself, so please get rid of what I had about subletting it.",
            Expected::default().delete("Subletting the room"),
        )
        .note(
            "Subletting the room",
            "house",
            "October to February, 390 euros with heating. Landlord has said yes in writing.",
        )
        .note(
            "Box room",
            "house",
            "The shelf on the left belongs to the landlord. Skylight sticks.",
        )
        .note(
            "Student discount",
            "money",
            "Ten per cent at the bookshop on the campus until February.",
        )
        .solved_by(&[Edit::Delete("Subletting the room")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-bench-cushions",
        "I always need Seat foam and Piping cord together when I do the bench cushions. Put a link between the two \
         notes please",
        |world| {
            let [foam, cord, curtains] = BENCH;
            world.are_linked([foam, cord], curtains, "ialwaysneedseatfoam")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "sewing", text);
    let task = BENCH.iter().fold(task, with);
    vec![
        task.may(0, &["Seat foam", "Piping cord"])
            .solved_by(&[Edit::Append("Seat foam", "\n[[Piping cord]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-hackathon",
        "i've got notes on the hackathon all over the place, make me one new note as an overview that links to each \
         of them",
        |world| world.is_looked_over(&HACKATHON, 3, "ivegotnotesonthehackathon"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = HACKATHON.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Hackathon",
        "- [[Pizza order]]\n- [[Extension leads]]\n- [[Prize for the winners]]",
    )])]
}
