//! Lists, corrections and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        lists(),
        further_lists(),
        corrections(),
        corrections_of_one_of_several(),
        corrections_beside_others(),
        removals(),
    ]
    .concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "list-two-more",
            "For the hut we also need wool socks and a whistle, they belong on the packing list.",
            Expected::default().change(
                "Packing list hut",
                &[
                    "sleeping bag",
                    "headlamp",
                    "mug",
                    "wool socks|woollen socks|woolen socks",
                    "whistle",
                ],
            ),
        )
        .note(
            "Packing list hut",
            "packing, hut",
            "- sleeping bag\n- headlamp\n- mug",
        )
        .note(
            "Hut prices",
            "hut",
            "A bed costs 24 euros, half board 51 euros.",
        )
        .solved_by(&[Edit::Append(
            "Packing list hut",
            "\n- wool socks\n- whistle",
        )]),
        Task::strict(
            "list-done",
            "Sowing the carrots is finished, mark it as done in Spring garden.",
            Expected::default()
                .change(
                    "Spring garden",
                    &["[x]&carrots", "[ ]&hinges", "[x]&compost"],
                )
                .lacking(&["[ ]&carrots"]),
        )
        .note(
            "Spring garden",
            "garden",
            "- [ ] sow the carrots\n- [ ] oil the gate hinges\n- [x] order compost",
        )
        .note(
            "Seed swap",
            "garden",
            "Beans for Tamsin, squash from Idris.",
        )
        .solved_by(&[Edit::Replace(
            "Spring garden",
            "[ ] sow the carrots",
            "[x] sow the carrots",
        )]),
    ]
}

fn further_lists() -> Vec<Task> {
    vec![
        Task::strict(
            "list-numbered",
            "The choir sings Ubi caritas now too. Put it at the end of the concert programme.",
            Expected::default().change(
                "Concert programme",
                &["locus iste", "abendlied", "shining night", "ubi caritas"],
            ),
        )
        .note(
            "Concert programme",
            "choir, concert",
            "1. Locus iste\n2. Abendlied\n3. Sure on this shining night",
        )
        .note("Choir dress", "choir", "Black, with a dark green scarf.")
        .solved_by(&[Edit::Append("Concert programme", "\n4. Ubi caritas")]),
        Task::strict(
            "list-typos",
            "cuold you add a gas lantren to the campnig gear",
            Expected::default().change(
                "Camping gear",
                &["tarp", "folding stool", "gas", "lantern|lantren"],
            ),
        )
        .note("Camping gear", "camping", "- tarp\n- folding stool")
        .note(
            "Camping site Luga",
            "camping",
            "The site by the river opens on 1 May.",
        )
        .solved_by(&[Edit::Append("Camping gear", "\n- gas lantern")]),
    ]
}

fn corrections() -> Vec<Task> {
    vec![
        Task::strict(
            "correct-price",
            "The pottery course is 165 euros, I wrote 145 by mistake.",
            Expected::default()
                .change("Pottery course", &["165", "8 October", "room 4"])
                .lacking(&["145"]),
        )
        .note(
            "Pottery course",
            "pottery",
            "The pottery course costs 145 euros and starts on 8 October in room 4.",
        )
        .note(
            "Kiln rules",
            "pottery",
            "The kiln is fired on the first Sunday of the month.",
        )
        .solved_by(&[Edit::Replace("Pottery course", "145", "165")]),
        Task::strict(
            "correct-one-line",
            "Emil's swimming lesson has been moved to Wednesday, 16:45.",
            Expected::default()
                .change(
                    "Swimming lessons",
                    &[
                        "nora&monday&16:00",
                        "emil&wednesday&16:45|emil&wednesday&16.45",
                        "tove&thursday&17:15",
                    ],
                )
                .lacking(&["tuesday", "15:30"]),
        )
        .note(
            "Swimming lessons",
            "swimming, children",
            "Nora: Monday 16:00\nEmil: Tuesday 15:30\nTove: Thursday 17:15",
        )
        .note(
            "Swimming pool",
            "swimming",
            "The pool is closed in the second week of August.",
        )
        .solved_by(&[Edit::Replace(
            "Swimming lessons",
            "Tuesday 15:30",
            "Wednesday 16:45",
        )]),
    ]
}

fn corrections_of_one_of_several() -> Vec<Task> {
    vec![
        Task::strict(
            "correct-same-number",
            "For the bedroom 6 litres of paint will do instead of 10.",
            Expected::default()
                .change("Paint to order", &["hallway&10", "bedroom&6&sage"])
                .lacking(&["bedroom&10"]),
        )
        .note(
            "Paint to order",
            "paint, renovation",
            "Hallway: 10 litres of chalk white\nBedroom: 10 litres of sage",
        )
        .note(
            "Painter",
            "renovation",
            "Mr Okafor paints for 38 euros an hour.",
        )
        .solved_by(&[Edit::Replace("Paint to order", "Bedroom: 10", "Bedroom: 6")]),
        Task::strict(
            "correct-date",
            "Book club is on 19 January now, not on the 12th. Time and place stay.",
            Expected::default()
                .change(
                    "Book club",
                    &[
                        "19 Jan|January 19|19th|19.1|19.01|01-19",
                        "19:30",
                        "paula",
                        "anthology",
                    ],
                )
                .lacking(&["12 January", "12th"]),
        )
        .note(
            "Book club",
            "books",
            "Next meeting: 12 January, 19:30, at Paula's. Bring the anthology.",
        )
        .note("Library", "books", "Two novels are due back on 3 February.")
        .solved_by(&[Edit::Replace("Book club", "12 January", "19 January")]),
    ]
}

fn corrections_beside_others() -> Vec<Task> {
    vec![
        Task::strict(
            "correct-distractor",
            "The bakery at the station closes at 18:30 from now on.",
            Expected::default()
                .change(
                    "Bakery at the station",
                    &["6:00", "18:30|18.30|6:30 pm"],
                )
                .lacking(&["20:00"]),
        )
        .note(
            "Bakery on Elm Street",
            "bakery",
            "Opens at 7:00 and closes at 18:00. Good rye.",
        )
        .note(
            "Bakery at the station",
            "bakery",
            "Opens at 6:00 and closes at 20:00.",
        )
        .note(
            "Station",
            "station, trains",
            "Lockers are behind platform 2 and close at 23:00.",
        )
        .solved_by(&[Edit::Replace("Bakery at the station", "20:00", "18:30")]),
        Task::strict(
            "two-steps-both",
            "Add crumpets to the brunch menu, and in the brunch invitation change the start from 11:00 \
             to 11:30.",
            Expected::default()
                .change("Brunch menu", &["kedgeree", "fruit salad", "crumpets"])
                .change("Brunch invitation", &["11:30|11.30", "terrace", "saturday"])
                .lacking(&["11:00"]),
        )
        .note("Brunch menu", "brunch", "- kedgeree\n- fruit salad")
        .note(
            "Brunch invitation",
            "brunch",
            "Dear all, brunch is on Saturday at 11:00 on the terrace.",
        )
        .note("Brunch playlist", "brunch, music", "Bossa nova, no trumpets.")
        .solved_by(&[
            Edit::Append("Brunch menu", "\n- crumpets"),
            Edit::Replace("Brunch invitation", "11:00", "11:30"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "remove-name",
            "Bram works somewhere else now, drop him from the carpool.",
            Expected::default()
                .change("Carpool", &["ayla", "jonte", "selin"])
                .lacking(&["bram"]),
        )
        .note("Carpool", "carpool, work", "- Ayla\n- Bram\n- Jonte\n- Selin")
        .note(
            "Parking",
            "work",
            "Space 31 is ours; Bram had space 32 until June.",
        )
        .solved_by(&[Edit::Replace("Carpool", "- Bram\n", "")]),
        Task::strict(
            "remove-sentence",
            "Candles upstairs are allowed again. Take that rule out of the cabin rules.",
            Expected::default()
                .change("Cabin rules", &["shoes", "porch", "sauna", "22:00", "shed"])
                .lacking(&["candle"]),
        )
        .note(
            "Cabin rules",
            "cabin",
            "Shoes stay in the porch. The sauna closes at 22:00. No candles upstairs. The wood is behind \
             the shed.",
        )
        .note(
            "Cabin dates",
            "cabin",
            "Ours from 3 to 10 July, then the Hallbergs.",
        )
        .solved_by(&[Edit::Replace("Cabin rules", " No candles upstairs.", "")]),
    ]
}
