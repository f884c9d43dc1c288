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
            "shopping-two",
            "we're out of bin bags and oat milk, can you put both on the shopping list",
            Expected::default().change(
                "Shopping list",
                &[
                    "rice",
                    "washing powder",
                    "limes",
                    "bin bags|bin-bags|binbags",
                    "oat milk|oatmilk",
                ],
            ),
        )
        .note(
            "Shopping list",
            "shopping",
            "- rice\n- washing powder\n- limes",
        )
        .note(
            "Corner shop",
            "shopping",
            "Open on Sundays too, but no cards below 5 euros.",
        )
        .solved_by(&[Edit::Append("Shopping list", "\n- bin bags\n- oat milk")]),
        Task::strict(
            "todo-tick",
            "I've called the insurance. Tick it off in Moving house, please.",
            Expected::default()
                .change(
                    "Moving house",
                    &["[x]&van", "[x]&insurance", "[ ]&curtains"],
                )
                .lacking(&["[ ]&insurance"]),
        )
        .note(
            "Moving house",
            "move",
            "- [x] book the van\n- [ ] call the insurance\n- [ ] take down the curtains",
        )
        .note(
            "Moving boxes",
            "move",
            "Thirty boxes, borrowed from the Abebes.",
        )
        .solved_by(&[Edit::Replace(
            "Moving house",
            "[ ] call the insurance",
            "[x] call the insurance",
        )]),
    ]
}

fn further_lists() -> Vec<Task> {
    vec![
        Task::strict(
            "tour-stop",
            "The guided walk gets one more stop, the old mint. It comes last.",
            Expected::default().change(
                "Stops of the guided walk",
                &["harbour", "fish market", "rope yard", "old mint"],
            ),
        )
        .note(
            "Stops of the guided walk",
            "guiding, walk",
            "1. Harbour steps\n2. Fish market\n3. Rope yard",
        )
        .note(
            "Guide badge",
            "guiding",
            "The badge has to be renewed every three years.",
        )
        .solved_by(&[Edit::Append("Stops of the guided walk", "\n4. Old mint")]),
        Task::strict(
            "baking-typos",
            "pleas ad cinammon and rasins to teh bakign supplies",
            Expected::default().change(
                "Baking supplies",
                &["rye flour", "yeast", "cinnamon|cinammon", "raisins|rasins"],
            ),
        )
        .note("Baking supplies", "baking", "- rye flour\n- yeast")
        .note(
            "Baking tins",
            "baking",
            "The large tin is at Henrike's until Easter.",
        )
        .solved_by(&[Edit::Append("Baking supplies", "\n- cinnamon\n- raisins")]),
    ]
}

fn corrections() -> Vec<Task> {
    vec![
        Task::strict(
            "fee-raised",
            "the climbing gym has put its prices up, a year is 468 euros now instead of 432",
            Expected::default()
                .change("Climbing gym", &["468", "chalk", "22:30"])
                .lacking(&["432"]),
        )
        .note(
            "Climbing gym",
            "climbing",
            "A year costs 432 euros. Open until 22:30. Loose chalk is not allowed.",
        )
        .note(
            "Climbing shoes",
            "climbing",
            "Resoled in May, 55 euros for the pair.",
        )
        .solved_by(&[Edit::Replace("Climbing gym", "432", "468")]),
        Task::strict(
            "brass-moved",
            "From next week on the brass rehearses on Fridays at 19:15. Could you change that, please?",
            Expected::default()
                .change(
                    "Rehearsals",
                    &[
                        "strings&monday&18:30",
                        "woodwind&tuesday&19:00",
                        "brass&friday&19:15|brass&friday&19.15|brass&friday&7:15 pm",
                    ],
                )
                .lacking(&["wednesday", "20:00"]),
        )
        .note(
            "Rehearsals",
            "orchestra",
            "Strings: Monday 18:30\nWoodwind: Tuesday 19:00\nBrass: Wednesday 20:00",
        )
        .note(
            "Music stands",
            "orchestra",
            "Twelve stands are in the van, the rest at the school.",
        )
        .solved_by(&[Edit::Replace(
            "Rehearsals",
            "Wednesday 20:00",
            "Friday 19:15",
        )]),
    ]
}

fn corrections_of_one_of_several() -> Vec<Task> {
    vec![
        Task::strict(
            "parcel-weight",
            "I put Tobias's parcel on the scales again: 5 kg, not 4.",
            Expected::default()
                .change("Parcels", &["agnes&4&jam", "tobias&5&books"])
                .lacking(&["tobias&4"]),
        )
        .note(
            "Parcels",
            "post",
            "To Agnes: 4 kg, jam and socks\nTo Tobias: 4 kg, books",
        )
        .note("Post office", "post", "Closed between 12:30 and 14:00.")
        .solved_by(&[Edit::Replace("Parcels", "To Tobias: 4", "To Tobias: 5")]),
        Task::strict(
            "donation-later",
            "Giving blood has been put off from 22 May to 29 May. Same time, same place.",
            Expected::default()
                .change(
                    "Blood donation",
                    &[
                        "29 May|May 29|29th|29.5|29.05|05-29|29/5|5/29",
                        "17:00",
                        "fire station",
                        "eat",
                    ],
                )
                .lacking(&["22 May", "May 22", "22nd"]),
        )
        .note(
            "Blood donation",
            "health",
            "Next time: 22 May, 17:00, at the fire station. Eat something before.",
        )
        .note(
            "Eye test",
            "health",
            "The last one was on 22 February, all fine.",
        )
        .solved_by(&[Edit::Replace("Blood donation", "22 May", "29 May")]),
    ]
}

fn corrections_beside_others() -> Vec<Task> {
    vec![
        Task::strict(
            "tyre-pressure",
            "the tyres of the caravan need 3.8 bar, what i wrote there is wrong",
            Expected::default()
                .change("Caravan tyres", &["3.8|3,8", "185 R14"])
                .lacking(&["3.5", "3,5"]),
        )
        .note(
            "Caravan tyres",
            "caravan, tyres",
            "Pressure: 3.5 bar\nSize: 185 R14",
        )
        .note("Van tyres", "van, tyres", "Pressure: 3.5 bar\nSize: 215 R16")
        .note(
            "Caravan awning",
            "caravan",
            "One pole is bent, a new one is ordered.",
        )
        .solved_by(&[Edit::Replace("Caravan tyres", "3.5", "3.8")]),
        Task::strict(
            "quiz-both",
            "Two things: Malik joins the quiz team, and the entry fee in Quiz night is 4 euros now instead \
             of 3.",
            Expected::default()
                .change("Quiz team", &["solveig", "dermot", "malik"])
                .change("Quiz night", &["thursday", "20:00", "anchor", "4 euro|4 €|€4|€ 4|4€|4 EUR"])
                .lacking(&["3 euro", "3 €", "€3", "€ 3", "3€", "3 EUR"]),
        )
        .note("Quiz team", "quiz", "- Solveig\n- Dermot")
        .note(
            "Quiz night",
            "quiz",
            "Thursdays at 20:00 in the Anchor. The entry fee is 3 euros.",
        )
        .note(
            "Quiz questions",
            "quiz",
            "We are weak on geography and on football.",
        )
        .solved_by(&[
            Edit::Append("Quiz team", "\n- Malik"),
            Edit::Replace("Quiz night", "3 euros", "4 euros"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "rota-leaver",
            "Piet has moved out. Please take him off the cleaning rota.",
            Expected::default()
                .change("Cleaning rota", &["hanneke", "oluwaseun", "mirela"])
                .lacking(&["piet"]),
        )
        .note(
            "Cleaning rota",
            "flat share",
            "- Hanneke\n- Piet\n- Oluwaseun\n- Mirela",
        )
        .note(
            "Deposits",
            "flat share",
            "Piet gets 350 euros back, Mirela paid 400.",
        )
        .solved_by(&[Edit::Replace("Cleaning rota", "- Piet\n", "")]),
        Task::strict(
            "lift-sentence",
            "the lift in the office works again, you can cut the sentence about it from Office access",
            Expected::default()
                .change("Office access", &["badge", "bikes", "basement", "21:00"])
                .lacking(&["lift", "stairs"]),
        )
        .note(
            "Office access",
            "office",
            "The badge opens both doors. The lift is broken, take the stairs. Bikes go in the basement. The \
             alarm is on from 21:00.",
        )
        .note(
            "Office plants",
            "office",
            "The fern beside the lift needs water twice a week.",
        )
        .solved_by(&[Edit::Replace(
            "Office access",
            " The lift is broken, take the stairs.",
            "",
        )]),
    ]
}
