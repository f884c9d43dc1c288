//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const BAKING: [(&str, &str); 3] = [
    (
        "Stollen",
        "Two of 900 g. Wrap them up and leave them for three weeks before the first cut.",
    ),
    (
        "Candied peel",
        "Peel of 6 oranges, as much sugar as peel. Dry it on the rack for two days.",
    ),
    (
        "Icing bag",
        "The small star nozzle is lost, Beata has a spare. Boil the cloth.",
    ),
];

/// Title and text of the notes of the overview task: three about the tree-planting day, two about other things.
const PLANTING: [(&str, &str); 5] = [
    (
        "Spades",
        "Tree-planting day: 14 from the scouts, 6 from Mr Odell. Mark the handles.",
    ),
    (
        "Saplings",
        "For the tree-planting day, 60 hornbeams and 15 rowans from the nursery at Thorpe.",
    ),
    (
        "Soup for the helpers",
        "Lentil, two big pots, from noon on the tree-planting day. Ingrid cooks.",
    ),
    (
        "Family tree",
        "Great-grandfather Silas is missing, ask Aunt Moira. It goes back to 1804.",
    ),
    (
        "Clay pots",
        "Into the shed before the frost, 11 in all. The big one has a crack.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "weather-station-merge",
            "move everything from Sensor batteries over into Weather station and get rid of Sensor batteries after \
             that, one note will do",
            Expected::default()
                .change(
                    "Weather station",
                    &[
                        "shed roof",
                        "display&fridge",
                        "wind&two&aa|wind&2&aa|wind&2x&aa",
                        "rain&cr2032",
                        "temperature&three&aaa|temperature&3&aaa|temperature&3x&aaa",
                        "november|nov",
                    ],
                )
                .delete("Sensor batteries"),
        )
        .note(
            "Weather station",
            "garden",
            "On the shed roof, 2.40 m up.\nThe display hangs next to the fridge",
        )
        .note(
            "Sensor batteries",
            "garden",
            "Wind: two AA\nRain: one CR2032\nTemperature: three AAA, change them in November",
        )
        .note(
            "Battery drawer",
            "house",
            "AA on the left, AAA on the right. Flat ones go into the jam jar.",
        )
        .solved_by(&[
            Edit::Append(
                "Weather station",
                "\nWind: two AA\nRain: one CR2032\nTemperature: three AAA, change them in November",
            ),
            Edit::Delete("Sensor batteries"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-spare-room",
            "Spare room isn't spare any longer now that Sanna has moved in! Please retitle that note as Sanna's room",
            Expected::default().rename("Spare room", "Sanna's room"),
        )
        .note(
            "Spare room",
            "house",
            "3.10 m by 4.25 m, walls in Oyster White.\nThe window sticks when it rains",
        )
        .note(
            "Sanna",
            "family",
            "Shoes in 38, hates coconut. Birthday on 2 May.",
        )
        .solved_by(&[Edit::Rename("Spare room", "Sanna's room")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-timeshare",
            "finally rid of the timeshare! throw out the note on it",
            Expected::default().delete("Timeshare"),
        )
        .note(
            "Timeshare",
            "travel",
            "Week 32 in Playa Blanca, flat 5C, 690 euros a year.",
        )
        .note(
            "Playa Blanca",
            "travel",
            "Best grilled sardines at Casa Lupe, park behind the church.",
        )
        .note(
            "Garden share",
            "garden",
            "Half of the beds are for Mrs Iwu, she brings her own hose.",
        )
        .solved_by(&[Edit::Delete("Timeshare")]),
        Task::strict(
            "delete-conservatory",
            "Well, the planning office has turned us down, so there won't be any conservatory on the back of the \
             house. Could you delete what I noted down for it?",
            Expected::default().delete("Conservatory"),
        )
        .note(
            "Conservatory",
            "house",
            "4 by 3 metres, sliding doors. Quote from Hillmann: 18,400 euros.",
        )
        .note(
            "Open day at the conservatory",
            "music",
            "Music school, 7 June. Try the oboe in room 12.",
        )
        .note(
            "Awning",
            "house",
            "Quote from Hillmann: 2,150 euros, the striped one.",
        )
        .solved_by(&[Edit::Delete("Conservatory")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-stollen",
        "my stollen note and the candied peel one belong together, put a link between them please",
        |world| {
            let [stollen, peel, icing] = BAKING;
            world.are_linked([stollen, peel], icing, "mystollennoteandthe")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "baking", text);
    let task = BAKING.iter().fold(task, with);
    vec![
        task.may(0, &["Stollen", "Candied peel"])
            .solved_by(&[Edit::Append("Stollen", "\n[[Candied peel]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-tree-planting",
        "We're planting trees with the whole village in November. Write me a fresh note that links to everything I \
         have on the tree-planting day.",
        |world| world.is_looked_over(&PLANTING, 3, "wereplantingtreeswith"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = PLANTING.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Tree-planting day",
        "- [[Spades]]\n- [[Saplings]]\n- [[Soup for the helpers]]",
    )])]
}
