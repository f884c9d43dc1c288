//! Lists, corrections and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), one_line_of_several(), of_dates(), removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "cheese-making-supplies",
            "can you add wax paper adn a thremometer to teh chese making list",
            Expected::default().change(
                "Cheese making",
                &[
                    "rennet",
                    "muslin",
                    "wax paper|waxed paper|wax-paper|waxpaper",
                    "thermometer|thremometer",
                ],
            ),
        )
        .note("Cheese making", "cheese", "- rennet\n- muslin")
        .note(
            "Cheese counter",
            "cheese",
            "Ask for Roswitha, she wraps it in wax paper. Closed at noon.",
        )
        .solved_by(&[Edit::Append(
            "Cheese making",
            "\n- wax paper\n- thermometer",
        )]),
        Task::strict(
            "climbing-rope-swap",
            "climbing weekend: it's the 60 m rope we need on the list, not the 40",
            Expected::default()
                .change("Climbing weekend", &["60&rope", "helmet", "chalk"])
                .lacking(&["40"]),
        )
        .note(
            "Climbing weekend",
            "climbing",
            "- 40 m rope\n- helmets\n- chalk",
        )
        .note(
            "Climbing hall",
            "climbing",
            "They lend you a 40 m rope for 3 euros. Closed in August.",
        )
        .solved_by(&[Edit::Replace("Climbing weekend", "40 m", "60 m")]),
    ]
}

fn one_line_of_several() -> Vec<Task> {
    vec![
        Task::strict(
            "stoneware-firing",
            "Stoneware came out far too glassy. I'm firing it at 1240 from now on, please change that",
            Expected::default()
                .change(
                    "Firing temperatures",
                    &[
                        "biscuit&950",
                        "earthenware&1060",
                        "stoneware&1240|stoneware&1,240|stoneware&1.240|stoneware&1 240",
                    ],
                )
                .lacking(&["stoneware&1260"]),
        )
        .note(
            "Firing temperatures",
            "pottery",
            "Biscuit: 950\nEarthenware: 1060\nStoneware: 1260",
        )
        .note(
            "Clay order",
            "pottery",
            "Stoneware, four bags of 10 kg, order number 1260.",
        )
        .solved_by(&[Edit::Replace("Firing temperatures", "1260", "1240")]),
        Task::strict(
            "tortoise-vitamins",
            "the tortoise gets her vitamins on wednesdays now",
            Expected::default()
                .change(
                    "Agathe",
                    &["1998", "vitamin&wed", "bath&saturday|bath&sat"],
                )
                .lacking(&["monday"])
                .dictated(),
        )
        .note(
            "Agathe",
            "pets",
            "Greek tortoise, hatched in 1998.\nVitamins: Mondays\nBath: Saturdays",
        )
        .note(
            "Bruno",
            "pets",
            "Grey parrot, talks in the evening.\nVitamins: Mondays\nNuts: three a day",
        )
        .note("Hay", "pets", "From the riding stable, 4 euros a sack.")
        .solved_by(&[Edit::Replace("Agathe", "Mondays", "Wednesdays")]),
    ]
}

fn of_dates() -> Vec<Task> {
    vec![
        Task::strict(
            "flea-market-date",
            "turns out the flea market's a week later, so 20 september and not the 13th. can you fix that",
            Expected::default()
                .change(
                    "Flea market",
                    &[
                        "20 Sep|20. Sep|Sep 20|Sept 20|September 20|20th|20.9|20.09|20.9.|20.09.|\
                     09-20|20/9|20/09|9/20|09/20",
                        "31",
                        "8|8:00|08:00|8.00|08.00|eight",
                        "ottilie",
                        "cash",
                    ],
                )
                .lacking(&[
                    "13 Sep|13. Sep|Sep 13|Sept 13|September 13|13th|13.9|13.09|13.9.|13.09.|\
                     09-13|13/9|13/09|9/13|09/13",
                ]),
        )
        .note(
            "Flea market",
            "selling",
            "13 September from 8:00, our table is number 31. Ottilie brings the cash box.",
        )
        .note(
            "Street party",
            "neighbours",
            "13 September from 15:00, we lend two tables.",
        )
        .solved_by(&[Edit::Replace(
            "Flea market",
            "13 September",
            "20 September",
        )]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "fondue-set-back",
            "The Marchettis brought the fondue set back. Take it off what I've lent out please",
            Expected::default()
                .change(
                    "Lent out",
                    &["sander&jorid", "sleeping pad&pál|sleeping pad&pal"],
                )
                .lacking(&["fondue", "marchetti"]),
        )
        .note(
            "Lent out",
            "",
            "- sander: Jorid\n- fondue set: the Marchettis\n- sleeping pad: Pál",
        )
        .note(
            "Fondue evening",
            "guests",
            "400 g of each cheese. The Marchettis see to the bread, the fondue set is in the cupboard.",
        )
        .solved_by(&[Edit::Replace(
            "Lent out",
            "- fondue set: the Marchettis\n",
            "",
        )]),
    ]
}
