//! Lists, corrections, boxes, removals and dates in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        lists(),
        one_more_list(),
        corrections(),
        one_more_correction(),
        boxes(),
        removals_and_dates(),
    ]
    .concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "camping-box",
            "the camping box list is missing a tin opener and matches, can you put them on",
            Expected::default().change(
                "Camping box",
                &[
                    "gas stove",
                    "enamel mugs",
                    "tin opener|tin-opener|can opener",
                    "matches",
                ],
            ),
        )
        .note("Camping box", "camping", "- gas stove\n- enamel mugs")
        .note(
            "Tent",
            "camping",
            "Sleeps four, the long pole is splinted with tape.",
        )
        .solved_by(&[Edit::Append("Camping box", "\n- tin opener\n- matches")]),
        Task::strict(
            "street-party-food",
            "Yusuf's doing a potato salad for the street party, stick it in with the rest of the food",
            Expected::default().change(
                "Street party food",
                &[
                    "anneke&quiche",
                    "bram&bread",
                    "yusuf&potato salad|yusuf&potato-salad",
                ],
            ),
        )
        .note(
            "Street party food",
            "street party",
            "- Anneke: two quiches\n- Bram: bread",
        )
        .note(
            "Street party permit",
            "street party",
            "The road may be closed from noon, the barriers come from the council.",
        )
        .solved_by(&[Edit::Append("Street party food", "\n- Yusuf: potato salad")]),
    ]
}

fn one_more_list() -> Vec<Task> {
    vec![
        Task::strict(
            "food-bank-slot",
            "Could you put Gwen in for the Saturday slot at the food bank? She's just said yes :)",
            Expected::default()
                .change(
                    "Food bank shifts",
                    &["friday&marisol", "saturday&9&12&gwen", "sunday&teun"],
                )
                .lacking(&["nobody"]),
        )
        .note(
            "Food bank shifts",
            "food bank",
            "Friday 16-18: Marisol\nSaturday 9-12: nobody yet\nSunday 10-13: Teun",
        )
        .note(
            "Food bank donations",
            "food bank",
            "The bakery gives bread on Saturday, Gwen's neighbour gives eggs.",
        )
        .solved_by(&[Edit::Replace("Food bank shifts", "nobody yet", "Gwen")]),
    ]
}

fn corrections() -> Vec<Task> {
    vec![
        Task::strict(
            "rota-swap",
            "Tom and Priya have swapped, she opens up on Thursday and he does Friday. can you sort the \
             rota",
            Expected::default()
                .change(
                    "Opening rota",
                    &[
                        "wednesday&odette",
                        "thursday&priya",
                        "friday&tom",
                        "saturday&odette",
                    ],
                )
                .lacking(&["thursday: tom", "friday: priya"]),
        )
        .note(
            "Opening rota",
            "shop",
            "Wednesday: Odette\nThursday: Tom\nFriday: Priya\nSaturday: Odette",
        )
        .note(
            "Till",
            "shop",
            "Tom counts the float, the spare rolls are under the counter.",
        )
        .solved_by(&[
            Edit::Replace("Opening rota", "Thursday: Tom", "Thursday: Priya"),
            Edit::Replace("Opening rota", "Friday: Priya", "Friday: Tom"),
        ]),
        Task::strict(
            "cellar-stock",
            "used up 2 jars of passata tonight, so the number on the cellar stock needs changing",
            Expected::default()
                .change(
                    "Cellar stock",
                    &["passata&7|passata&seven", "plum jam&5", "beans&6"],
                )
                .lacking(&["passata: 9", "passata&9 jars"]),
        )
        .note(
            "Cellar stock",
            "cellar, preserves",
            "Passata: 9 jars\nPlum jam: 5 jars\nPickled beans: 6 jars",
        )
        .note(
            "Preserving",
            "preserves",
            "Boil the jars for ten minutes, new rubber rings every year.",
        )
        .solved_by(&[Edit::Replace("Cellar stock", "9 jars", "7 jars")]),
    ]
}

fn one_more_correction() -> Vec<Task> {
    vec![
        Task::strict(
            "cottage-wifi",
            "wifi password at the cottage is heron-lake-52 now, the old one doesn't work any more",
            Expected::default()
                .change(
                    "Cottage",
                    &["flowerpot", "kestrel", "heron-lake-52", "fridge"],
                )
                .lacking(&["otter41"]),
        )
        .note(
            "Cottage",
            "cottage",
            "Key under the third flowerpot.\nWifi: Kestrel, password otter41.\nWater main behind the \
             fridge.",
        )
        .note("Wifi at home", "home, network", "The password is magpie77.")
        .solved_by(&[Edit::Replace("Cottage", "otter41", "heron-lake-52")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "moving-out-ticks",
            "van's booked and the landlord knows. tick those two on the moving list pls",
            Expected::default()
                .change(
                    "Moving out",
                    &[
                        "[x]&landlord",
                        "[x]&van",
                        "[ ]&electricity",
                        "[x]&boxes",
                    ],
                )
                .lacking(&["[ ]&landlord", "[ ]&van"]),
        )
        .note(
            "Moving out",
            "moving",
            "- [ ] tell the landlord\n- [ ] book the van\n- [ ] cancel the electricity\n- [x] collect \
             boxes",
        )
        .note(
            "New flat",
            "moving",
            "Third floor, the lift is too small for the wardrobe.",
        )
        .solved_by(&[
            Edit::Replace("Moving out", "[ ] tell", "[x] tell"),
            Edit::Replace("Moving out", "[ ] book", "[x] book"),
        ]),
        Task::strict(
            "tap-not-done",
            "The plumber never showed up, so the kitchen tap is not done after all. Please untick it.",
            Expected::default()
                .change(
                    "Flat repairs",
                    &["[ ]&kitchen tap", "[x]&window", "[ ]&cellar light"],
                )
                .lacking(&["[x]&tap"]),
        )
        .note(
            "Flat repairs",
            "flat",
            "- [x] kitchen tap\n- [x] cracked window\n- [ ] cellar light",
        )
        .note("Plumber", "flat", "Mr Esposito, only in the mornings.")
        .solved_by(&[Edit::Replace(
            "Flat repairs",
            "[x] kitchen tap",
            "[ ] kitchen tap",
        )]),
    ]
}

fn removals_and_dates() -> Vec<Task> {
    vec![
        Task::strict(
            "seed-order",
            "nobody here eats kohlrabi so we can leave that out of the seed order",
            Expected::default()
                .change("Seed order", &["radishes", "runner beans"])
                .lacking(&["kohlrabi"]),
        )
        .note(
            "Seed order",
            "vegetable garden",
            "- radishes\n- kohlrabi\n- runner beans",
        )
        .note(
            "Vegetable bed",
            "vegetable garden",
            "Last year the kohlrabi stood next to the lettuce.",
        )
        .solved_by(&[Edit::Replace("Seed order", "- kohlrabi\n", "")]),
        Task::strict(
            "brace-fitting",
            "They've put Milo's brace fitting back by a week, to 19 May. Same time as before.",
            Expected::default()
                .change(
                    "Milo's braces",
                    &[
                        "fitting&19 May|fitting&19. May|fitting&May 19|fitting&19th|fitting&19.5|\
                         fitting&19.05|fitting&05-19|fitting&19/5|fitting&5/19|fitting&19/05|\
                         fitting&05/19",
                        "fitting&15:40|fitting&15.40|fitting&3:40",
                        "check-up&30 June&8:10",
                        "wax",
                    ],
                )
                .lacking(&["12 May", "May 12", "12th"]),
        )
        .note(
            "Milo's braces",
            "milo, dentist",
            "Fitting: 12 May at 15:40\nCheck-up: 30 June at 8:10\nThe wax is in the bathroom cabinet",
        )
        .note(
            "Dentist",
            "dentist",
            "My own cleaning is on 12 May, the practice is above the bank.",
        )
        .solved_by(&[Edit::Replace("Milo's braces", "12 May", "19 May")]),
    ]
}
