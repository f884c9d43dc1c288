//! Lists, corrections, boxes, removals and a move in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days(),
        boxes(),
        removals(),
        moves(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "lambing-typos",
            "ned iodine, 2 haet lamp bulbs an da bag of colostrum on th elambing list, cant tpye \
             got a lamb udner one arm",
            Expected::default().change(
                "Lambing",
                &[
                    "long gloves",
                    "old towels",
                    "marker spray",
                    "iodine",
                    "2&bulb|two&bulb",
                    "colostrum",
                ],
            ),
        )
        .note(
            "Lambing",
            "farm",
            "- long gloves\n- old towels\n- marker spray",
        )
        .note(
            "Calving",
            "farm",
            "- ropes\n- iodine\n- the jack from Uncle Merv",
        )
        .solved_by(&[Edit::Append(
            "Lambing",
            "\n- iodine\n- 2 heat lamp bulbs\n- a bag of colostrum",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "relief-milker-torquil",
            "The relief milker signs himself Torquil, so it isn't Tarquin, as I had it. Can his \
             note be put right before he turns up and sees it?",
            Expected::default()
                .change(
                    "Relief milker",
                    &[
                        "torquil",
                        "5:15|5.15|05:15|05.15|quarter past five|quarter past 5",
                        "box room",
                        "sunday",
                    ],
                )
                .lacking(&["tarquin"]),
        )
        .note(
            "Relief milker",
            "farm",
            "Tarquin, comes at 5:15 in the morning.\nSleeps in the box room\nNever on Sundays",
        )
        .note(
            "Milk recorder",
            "farm",
            "Tarquin from the dairy board, every six weeks. He likes flapjacks.",
        )
        .solved_by(&[Edit::Replace("Relief milker", "Tarquin", "Torquil")]),
        Task::strict(
            "lace-bobbin-pairs",
            "counted the fan edging again, this time with my glasses on :-) it takes 22 pairs of \
             bobbins. correct my note would you dear",
            Expected::default()
                .change(
                    "Fan edging",
                    &["22|twenty-two|twenty two", "pair", "bobbin", "80", "gimp"],
                )
                .lacking(&["26|twenty-six|twenty six"]),
        )
        .note(
            "Fan edging",
            "lace",
            "26 pairs of bobbins\nLinen thread, number 80\nThe gimp goes in before the footside",
        )
        .note(
            "Lace bookmark",
            "lace",
            "26 pairs of bobbins, cotton. Starch it at the end.",
        )
        .solved_by(&[Edit::Replace("Fan edging", "26", "22")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "day-centre-thursdays",
            "they rang from the day centre, dad's been moved to thursdays. minibus same time as \
             ever thank god",
            Expected::default()
                .change(
                    "Day centre",
                    &[
                        "dad",
                        "thursday",
                        "minibus",
                        "8:50|8.50|08:50|08.50|ten to nine",
                        "glasses",
                        "raffle",
                    ],
                )
                .lacking(&["monday"]),
        )
        .note(
            "Day centre",
            "family",
            "Dad goes on Mondays, the minibus comes at 8:50.\nHe needs his reading glasses\n\
             Raffle money in the tin",
        )
        .note(
            "Lunch club",
            "family",
            "Dad on Mondays at noon, in the chapel room. 4 pounds.",
        )
        .solved_by(&[Edit::Replace("Day centre", "Mondays", "Thursdays")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "morris-kit-ticks",
            "For the morris kit: the bells are sewn on (my thumb looks like a pincushion), and the \
             hankies have been through the wash. Those two can be ticked.",
            Expected::default()
                .change(
                    "Morris kit",
                    &[
                        "[x]&shoe",
                        "[x]&bell",
                        "[x]&hank",
                        "[ ]&ribbon",
                        "[ ]&melodeon",
                    ],
                )
                .lacking(&["[ ]&bell", "[ ]&hank"]),
        )
        .note(
            "Morris kit",
            "dancing",
            "- [x] whiten the shoes\n- [ ] sew the bells on\n- [ ] wash the hankies\n\
             - [ ] new ribbons for the hats\n- [ ] mend the melodeon strap",
        )
        .note(
            "Maypole kit",
            "dancing",
            "- [ ] sew the bells on\n- [ ] wash the ribbons",
        )
        .solved_by(&[
            Edit::Replace("Morris kit", "[ ] sew", "[x] sew"),
            Edit::Replace("Morris kit", "[ ] wash", "[x] wash"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "post-round-collie",
            "Poor old boy, the collie at Gorsefield has died. So please take the sentence about \
             him out of Round 6. The rest of it holds for whoever does my round while I'm off.",
            Expected::default()
                .change(
                    "Round 6",
                    &["mill", "41", "lane", "floods", "van keys", "hook 3"],
                )
                .lacking(&["collie", "biscuit"]),
        )
        .note(
            "Round 6",
            "post",
            "Start at the mill, 41 boxes. At Gorsefield there are biscuits for the collie. The \
             lane floods after rain.\nVan keys back on hook 3",
        )
        .note(
            "Round 9",
            "post",
            "36 boxes. The collie at Netherby only barks, he wants a biscuit.",
        )
        .solved_by(&[Edit::Replace(
            "Round 6",
            "At Gorsefield there are biscuits for the collie. ",
            "",
        )]),
    ]
}

fn moves() -> Vec<Task> {
    vec![
        Task::strict(
            "move-hessian",
            "hessian's on the wrong list.. the ironmonger hasn't stocked it for years. shift it \
             from his onto the one for the country store, ta",
            Expected::default()
                .change("Ironmonger", &["40&coach bolts", "lamp wick"])
                .lacking(&["hessian"])
                .change(
                    "Country store",
                    &["sheep nuts", "fence wire", "3&hessian|three&hessian"],
                ),
        )
        .note(
            "Ironmonger",
            "shopping",
            "- 40 coach bolts\n- 3 metres of hessian\n- lamp wick",
        )
        .note(
            "Country store",
            "shopping",
            "- sheep nuts\n- electric fence wire",
        )
        .note(
            "Nursery",
            "shopping",
            "- hessian sacks for the tree ferns\n- grit",
        )
        .solved_by(&[
            Edit::Replace("Ironmonger", "- 3 metres of hessian\n", ""),
            Edit::Append("Country store", "\n- 3 metres of hessian"),
        ]),
    ]
}
