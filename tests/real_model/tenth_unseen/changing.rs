//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), of_days(), one_more_day(), boxes(), removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "lino-ink",
            "plase put black ink adn 3 blades on teh lino prnting list",
            Expected::default().change(
                "Lino printing",
                &["roller", "rice paper", "black&ink", "3&blade|three&blade"],
            ),
        )
        .note("Lino printing", "crafts", "- roller\n- rice paper")
        .note(
            "Kitchen lino",
            "house",
            "Glued down in 2021, three spare tiles are in the loft.",
        )
        .solved_by(&[Edit::Append("Lino printing", "\n- black ink\n- 3 blades")]),
        Task::strict(
            "cookout-buns",
            "there'll be more of us, so we need 10 burger buns for the cookout instead of 6",
            Expected::default()
                .change("Cookout", &["bun&10|bun&ten", "2&mustard", "charcoal&5"])
                .lacking(&["bun&6|bun&six"]),
        )
        .note(
            "Cookout",
            "summer",
            "- 6 burger buns\n- 2 jars of mustard\n- charcoal, 5 kg",
        )
        .note(
            "Burger sauce",
            "recipes",
            "Two spoons of mustard, one of honey. Enough for 6 burger buns.",
        )
        .solved_by(&[Edit::Replace("Cookout", "6 burger", "10 burger")]),
    ]
}

fn of_days() -> Vec<Task> {
    vec![
        Task::strict(
            "orla-drums",
            "orla's drum lesson is on tuesdays now, not fridays any more. time hasn't changed",
            Expected::default()
                .change(
                    "Orla's week",
                    &[
                        "drum&tue",
                        "drum&16:00|drum&16.00|drum&4 pm|drum&4pm|drum&4 p.m|drum&4:00",
                        "ballet&wednesday&15:15",
                        "homework&monday&thursday",
                    ],
                )
                .lacking(&["drum&fri"]),
        )
        .note(
            "Orla's week",
            "children",
            "Drums: Friday, 16:00\nBallet: Wednesday, 15:15\nHomework club: Monday and Thursday",
        )
        .note(
            "Drum kit",
            "music",
            "The neighbours don't mind it on Fridays. The hi-hat clutch is loose.",
        )
        .solved_by(&[Edit::Replace("Orla's week", "Friday", "Tuesday")]),
        Task::strict(
            "school-photographer",
            "The school photographer is coming on 18 March, not on the 11th. Please correct that.",
            Expected::default()
                .change(
                    "School photos",
                    &[
                        "18 Mar|18. Mar|Mar 18|March 18|18th|18.3|18.03|18.3.|18.03.|03-18|3/18|03/18|\
                         18/3|18/03",
                        "8:30|8.30|08:30|half past eight|half past 8",
                        "gym",
                        "green jumper",
                    ],
                )
                .lacking(&[
                    "11 Mar|11. Mar|Mar 11|March 11|11th|11.3|11.03|11.3.|11.03.|03-11|3/11|03/11|\
                     11/3|11/03",
                ]),
        )
        .note(
            "School photos",
            "school",
            "The photographer comes on 11 March at 8:30, in the gym.\nYrsa wants the green jumper.",
        )
        .note(
            "School play",
            "school",
            "On 11 March in the dining hall. Yrsa is the second goose.",
        )
        .solved_by(&[Edit::Replace("School photos", "11 March", "18 March")]),
    ]
}

fn one_more_day() -> Vec<Task> {
    vec![
        Task::strict(
            "oil-delivery",
            "Our oil gets delivered on 21 October between 7 and 9. Would you put that in the heating oil note?",
            Expected::default().change(
                "Heating oil",
                &[
                    "3,000 litres",
                    "filler neck",
                    "deliver|come|brought|bring|arriv",
                    "21 Oct|21. Oct|Oct 21|October 21|21st|21.10|21.10.|10-21|10/21|21/10",
                    "7|07|7:00|07:00|7.00|07.00|seven",
                    "9|09|9:00|09:00|9.00|09.00|nine",
                ],
            ),
        )
        .note(
            "Heating oil",
            "house",
            "Tank: 3,000 litres\nFiller neck: behind the garage",
        )
        .note(
            "Oil lamp",
            "house",
            "Fill it halfway only, the wick is 8 mm wide.",
        )
        .solved_by(&[Edit::Append(
            "Heating oil",
            "\nDelivery: 21 October, between 7 and 9",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "golden-ticks",
            "the cake's ordered and mum has got her dress, so both can be checked off for the golden wedding",
            Expected::default()
                .change(
                    "Golden wedding",
                    &[
                        "[x]&cake",
                        "[ ]&zither",
                        "[x]&cousins",
                        "[x]&dress&mum",
                        "[ ]&slide show",
                    ],
                )
                .lacking(&["[ ]&cake", "[ ]&dress"]),
        )
        .note(
            "Golden wedding",
            "family",
            "- [ ] order the cake\n- [ ] hire the zither player\n- [x] invite the cousins\n- [ ] a dress for \
             Mum\n- [ ] slide show",
        )
        .note(
            "Julian's confirmation",
            "family",
            "- [ ] order the cake\n- [x] book the restaurant",
        )
        .solved_by(&[
            Edit::Replace("Golden wedding", "[ ] order", "[x] order"),
            Edit::Replace("Golden wedding", "[ ] a dress", "[x] a dress"),
        ]),
        Task::strict(
            "disco-wristbands",
            "wristbands for the silent disco are printed, you can tick those",
            Expected::default()
                .change(
                    "Silent disco",
                    &[
                        "[x]&headphones",
                        "[x]&wristbands",
                        "[ ]&cloakroom",
                        "[ ]&fairy lights",
                    ],
                )
                .lacking(&["[ ]&wristbands"]),
        )
        .note(
            "Silent disco",
            "youth club",
            "- [x] rent the headphones\n- [ ] print the wristbands\n- [ ] find somebody for the cloakroom\n\
             - [ ] hang up the fairy lights",
        )
        .note(
            "Film marathon",
            "youth club",
            "- [ ] print the wristbands\n- [ ] bean bags",
        )
        .solved_by(&[Edit::Replace("Silent disco", "[ ] print", "[x] print")]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "circle-halima",
            "Halima's moving to Leeds, so you can take her out of the babysitting circle.",
            Expected::default()
                .change(
                    "Babysitting circle",
                    &["dorota&0163", "joost&0171", "double"],
                )
                .lacking(&["halima", "0137"]),
        )
        .note(
            "Babysitting circle",
            "children",
            "Dorota: 555 0163\nHalima: 555 0137\nJoost: 555 0171\nSaturdays count double.",
        )
        .note(
            "School run",
            "children",
            "Halima drives on Wednesdays, Joost on Fridays.",
        )
        .solved_by(&[Edit::Replace(
            "Babysitting circle",
            "Halima: 555 0137\n",
            "",
        )]),
    ]
}
