//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-scout-camp-list",
            "pls ad a tarpualin and 12 tent pegs to teh scout camp list",
            Expected::default().change(
                "Scout camp list",
                &[
                    "3 billy cans",
                    "rope&20 m",
                    "matches",
                    "tarpaulin|tarpualin|tarp",
                    "12&peg|twelve&peg|dozen&peg",
                ],
            ),
        )
        .note(
            "Scout camp list",
            "scouts",
            "- 3 billy cans\n- rope, 20 m\n- matches in a jar",
        )
        .note(
            "Scout hut",
            "scouts",
            "The heating is on the tall switch. The tent poles lean behind the stage.",
        )
        .note(
            "Beach day list",
            "outings",
            "- windbreak and 4 pegs\n- 12 sausages",
        )
        .solved_by(&[Edit::Append(
            "Scout camp list",
            "\n- tarpaulin\n- 12 tent pegs",
        )]),
        Task::strict(
            "cb-telescope-finder",
            "If you'd be so good: my note on the telescope ought to mention that the finder points half a degree too \
             high, and that the spare eyepiece has 9 mm.",
            Expected::default().change(
                "Telescope",
                &[
                    "200 mm",
                    "1200 mm",
                    "collimate",
                    "tripod bag",
                    "finder&half a degree|finder&half degree|finder&half-degree|finder&0.5|finder&0,5|finder&1/2|\
                     finder&½",
                    "finder&high",
                    "eyepiece&9|eyepiece&nine",
                    "spare",
                ],
            ),
        )
        .note(
            "Telescope",
            "astronomy",
            "Mirror 200 mm, focal length 1200 mm.\nCollimate it before every session\nThe tripod bag is under the \
             stairs.",
        )
        .note(
            "Binoculars",
            "astronomy",
            "10 x 50, the left eyepiece is stiff. On loan from Wendell.",
        )
        .solved_by(&[Edit::Append(
            "Telescope",
            "\nThe finder points half a degree too high.\nThe spare eyepiece has 9 mm.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-fish-market-rosanna",
            "sorry, my mistake: the woman at the fish market is Rosanna with an s, i had written Roxanna in the \
             suppliers note",
            Expected::default()
                .change(
                    "Suppliers",
                    &[
                        "rosanna",
                        "pier 3",
                        "5:30|05:30|5.30",
                        "moulin",
                        "30 trays",
                    ],
                )
                .lacking(&["roxanna"]),
        )
        .note(
            "Suppliers",
            "catering",
            "Fish: Roxanna, pier 3, from 5:30\nBread: Moulin, ring the day before\nEggs: 30 trays from the Tollers",
        )
        .note(
            "Hairdresser",
            "",
            "Roxanna, Tuesdays only. 38 pounds with the fringe.",
        )
        .solved_by(&[Edit::Replace("Suppliers", "Roxanna", "Rosanna")]),
        Task::strict(
            "cb-water-meter-flat-3",
            "water meter flat 3 should be 4817 i swapped two digits",
            Expected::default()
                .change(
                    "Water meters",
                    &[
                        "flat 1&3902",
                        "flat 2&5266",
                        "flat 3&4817|flat 3&4,817|flat 3&4.817|flat 3&4 817",
                        "31 december",
                    ],
                )
                .lacking(&["4187|4,187|4.187|4 187"]),
        )
        .note(
            "Water meters",
            "houses",
            "Read on 31 December\nFlat 1: 3902\nFlat 2: 5266\nFlat 3: 4187",
        )
        .note(
            "Electricity meters",
            "houses",
            "Read on 31 December\nFlat 1: 18455\nFlat 2: 20931\nFlat 3: 21740",
        )
        .note(
            "Flat 3",
            "houses",
            "Miss Iwu, since 2019. The water in the shower takes a while to get warm.",
        )
        .solved_by(&[Edit::Replace("Water meters", "4187", "4817")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-jabs-moved",
            "The surgery rang: the twins' jabs are on Wednesday 11 February at 10:40 now, no longer on the Monday. \
             Could you alter my note accordingly?",
            Expected::default()
                .change(
                    "Twins' jabs",
                    &[
                        "wednesday|wed",
                        "11 Feb|11. Feb|Feb 11|February 11|11th|eleventh|11.2|11.2.|11.02|11.02.|02-11|2/11|02/11|\
                         11/2|11/02",
                        "10:40|10.40|twenty to eleven|20 to 11",
                        "lindqvist",
                        "yellow booklets",
                        "swimming",
                    ],
                )
                .lacking(&[
                    "monday",
                    "9 Feb|9. Feb|Feb 9|February 9|9th|ninth|9.2|9.2.|09.02|09.02.|02-09|2/9|02/09|9/2|09/02",
                    "9:20|09:20|9.20|09.20",
                ]),
        )
        .note(
            "Twins' jabs",
            "twins",
            "Monday 9 February at 9:20, Dr Lindqvist.\nBring both yellow booklets\nNo swimming on that day",
        )
        .note(
            "Dog's jabs",
            "pets",
            "Monday 9 February at 17:00, at the vet's. The booklet is in the drawer.",
        )
        .solved_by(&[Edit::Replace(
            "Twins' jabs",
            "Monday 9 February at 9:20",
            "Wednesday 11 February at 10:40",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-theory-test-ticks",
            "did road signs n hazard perception last nite so tick those off on the theory test thing",
            Expected::default()
                .change(
                    "Theory test",
                    &[
                        "[x]&road signs",
                        "[x]&hazard perception",
                        "[ ]&stopping distances",
                        "[x]&first aid",
                        "[ ]&motorway",
                    ],
                )
                .lacking(&["[ ]&road signs", "[ ]&hazard"]),
        )
        .note(
            "Theory test",
            "driving",
            "- [ ] road signs\n- [ ] stopping distances\n- [x] first aid\n- [ ] hazard perception\n- [ ] motorway rules",
        )
        .note(
            "Driving lessons",
            "driving",
            "- [ ] parallel parking\n- [ ] road signs quiz with Kwame\n- [x] hill start",
        )
        .solved_by(&[
            Edit::Replace("Theory test", "[ ] road", "[x] road"),
            Edit::Replace("Theory test", "[ ] hazard", "[x] hazard"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-meals-round",
            "Mrs Oyelaran moves in with her son tomorrow and won't be needing her dinners any longer. Please take her \
             off the meals round.",
            Expected::default()
                .change(
                    "Meals round",
                    &["frobisher&no salt", "pinto&chapel court", "two portions"],
                )
                .lacking(&["oyelaran", "cut small"]),
        )
        .note(
            "Meals round",
            "volunteering",
            "- Mr Frobisher, 12 Elm Row, no salt\n- Mrs Oyelaran, 3 Elm Row, cut small\n- the Pinto sisters, Chapel \
             Court, two portions",
        )
        .note(
            "Christmas cards",
            "",
            "- Mrs Oyelaran\n- the Pinto sisters\n- cousin Bram",
        )
        .solved_by(&[Edit::Replace(
            "Meals round",
            "- Mrs Oyelaran, 3 Elm Row, cut small\n",
            "",
        )]),
        Task::strict(
            "cb-hens-fox",
            "got mesh along the east fence now so no fox gets through there any more. the sentence about the fox can \
             come out of the hens note",
            Expected::default()
                .change(
                    "Hens",
                    &[
                        "nine hens|9 hens",
                        "dusk",
                        "oyster shell",
                        "blue tub",
                        "gustav",
                    ],
                )
                .lacking(&["fox", "east fence"]),
        )
        .note(
            "Hens",
            "poultry",
            "Nine hens, fed at dawn and at dusk. A fox gets in under the east fence. The oyster shell is in the blue \
             tub.\nThe rooster is called Gustav.",
        )
        .note(
            "Ducks",
            "poultry",
            "A fox took two of them in March. Fed at dusk, in the old sink.",
        )
        .solved_by(&[Edit::Replace(
            "Hens",
            "A fox gets in under the east fence. ",
            "",
        )]),
    ]
}
