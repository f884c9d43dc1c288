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
            "safari-packing",
            "pls ad mosqiuto spray adn 2 sarongs to teh safari packing list",
            Expected::default().change(
                "Safari packing",
                &[
                    "khaki shirts",
                    "binoculars",
                    "mosquito|mosqiuto",
                    "2&sarong|two&sarong",
                ],
            ),
        )
        .note("Safari packing", "travel", "- 3 khaki shirts\n- binoculars")
        .note(
            "Safari park",
            "outings",
            "The giraffes are fed at 14:15. Keep the windows shut, 2 euros for the map.",
        )
        .solved_by(&[Edit::Append("Safari packing", "\n- mosquito spray\n- 2 sarongs")]),
        Task::strict(
            "iguana-lamp-and-vet",
            "Could you add to the iguana note that the UVB lamp needs changing every 9 months and that Dr \
             Szymanski is the vet who knows about reptiles",
            Expected::default().change(
                "Iguana",
                &[
                    "endive",
                    "31 degrees",
                    "uvb",
                    "9 month|nine month|9-month|nine-month",
                    "szymanski",
                ],
            ),
        )
        .note(
            "Iguana",
            "pets",
            "Endive and courgette, never lettuce.\nThe basking spot has to be 31 degrees",
        )
        .note(
            "Hermit crabs",
            "pets",
            "Keep the sand damp. Change the lamp every 12 months.",
        )
        .solved_by(&[Edit::Append(
            "Iguana",
            "\nUVB lamp: change it every 9 months\nVet for reptiles: Dr Szymanski",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "bike-rack-load",
            "the bike rack only takes 45 kilos, not 60! please correct that",
            Expected::default()
                .change(
                    "Bike rack",
                    &[
                        "tow bar",
                        "45|forty-five|forty five",
                        "third bike",
                        "number plate",
                    ],
                )
                .lacking(&["60|sixty"]),
        )
        .note(
            "Bike rack",
            "car",
            "Clamps onto the tow bar, takes 60 kg.\nThird bike: needs the extra arm\nThe number plate for it is \
             behind the shovels.",
        )
        .note(
            "Roof tent",
            "car",
            "Weighs 60 kg, four clamps. Air it before it goes away.",
        )
        .solved_by(&[Edit::Replace("Bike rack", "60", "45")]),
        Task::strict(
            "budapest-bath",
            "I got the name of the bath in my Budapest note wrong. We've booked the Rudas, not the Gellért.",
            Expected::default()
                .change(
                    "Budapest",
                    &["ráday|raday", "17", "rudas", "10:30", "13:10"],
                )
                .lacking(&["gellért|gellert"]),
        )
        .note(
            "Budapest",
            "travel",
            "Flat: Ráday street 17\nSaturday: Gellért bath at 10:30, towels cost extra\nMonday: train home at \
             13:10",
        )
        .note(
            "Postcards to write",
            "",
            "The one of the Gellért hill is for Morag, the tram is for Tariq.",
        )
        .solved_by(&[Edit::Replace("Budapest", "Gellért", "Rudas")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "bingo-week-later",
            "bingo's been put off by a week, so friday 20 february instead of the 13th. everything else as before",
            Expected::default()
                .change(
                    "Bingo evening",
                    &[
                        "20 Feb|20. Feb|Feb 20|February 20|20th|20.2|20.2.|20.02|20.02.|02-20|2/20|02/20|20/2|\
                         20/02",
                        "19:15|19.15|7:15|7.15|quarter past seven|quarter past 7",
                        "ricci",
                        "nibbles",
                    ],
                )
                .lacking(&[
                    "13 Feb|13. Feb|Feb 13|February 13|13th|13.2|13.2.|13.02|13.02.|02-13|2/13|02/13|13/2|13/02",
                ]),
        )
        .note(
            "Bingo evening",
            "club",
            "Friday 13 February, doors open at 19:15.\nMrs Ricci calls out the numbers.\nBring nibbles",
        )
        .note(
            "Cinema club",
            "club",
            "Friday 13 February: the one with the submarine, original version.",
        )
        .solved_by(&[Edit::Replace("Bingo evening", "13 Feb", "20 Feb")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "bee-hotel-ticks",
            "frame for the bee hotel is sawn and all the bamboo is cut, you can tick off those two",
            Expected::default()
                .change(
                    "Bee hotel",
                    &[
                        "[x]&frame",
                        "[x]&logs",
                        "[x]&bamboo",
                        "[ ]&roof",
                        "[ ]&south wall",
                    ],
                )
                .lacking(&["[ ]&frame", "[ ]&bamboo"]),
        )
        .note(
            "Bee hotel",
            "garden",
            "- [ ] saw the frame\n- [x] drill the logs\n- [ ] cut the bamboo\n- [ ] felt for the roof\n- [ ] hang \
             it on the south wall",
        )
        .note(
            "Nesting box",
            "garden",
            "- [ ] saw the frame\n- [ ] felt for the roof\n- [ ] drill the hole, 32 mm",
        )
        .solved_by(&[
            Edit::Replace("Bee hotel", "[ ] saw", "[x] saw"),
            Edit::Replace("Bee hotel", "[ ] cut", "[x] cut"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "croatia-karting",
            "The karting place in Omiš has closed for good, take it off my Croatia ideas please",
            Expected::default()
                .change("Croatia ideas", &["plitvice", "truffle", "rovinj"])
                .lacking(&["karting", "omiš|omis"]),
        )
        .note(
            "Croatia ideas",
            "travel",
            "- Plitvice lakes, the early boat\n- karting in Omiš\n- truffle hunt in Istria\n- sunset at the harbour \
             in Rovinj",
        )
        .note(
            "Weekend with the lads",
            "friends",
            "- karting at the old airfield\n- burgers\n- one night in Rovinj",
        )
        .solved_by(&[Edit::Replace("Croatia ideas", "- karting in Omiš\n", "")]),
        Task::strict(
            "pavlova-vinegar",
            "you can taste the vinegar in the pavlova, so take that bit out of the recipe",
            Expected::default()
                .change(
                    "Pavlova",
                    &[
                        "6 egg white|six egg white",
                        "310 g",
                        "75 min",
                        "oven&cold",
                    ],
                )
                .lacking(&["vinegar", "teaspoon"]),
        )
        .note(
            "Pavlova",
            "recipes",
            "6 egg whites, 310 g of caster sugar. Stir in a teaspoon of vinegar. Bake for 75 minutes.\nLeave it in \
             the oven until it is cold.",
        )
        .note(
            "Swede salad",
            "recipes",
            "One swede, walnuts, a teaspoon of vinegar. Slice them as thin as you can.",
        )
        .solved_by(&[Edit::Replace(
            "Pavlova",
            "Stir in a teaspoon of vinegar. ",
            "",
        )]),
    ]
}
