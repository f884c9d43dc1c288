//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        reminders(),
        dictations(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn reminders() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-chimney-sweep-reminder",
            "Kindly make me a reminder, as a new note: the chimney sweep comes to number 14 on 3 October, some time \
             between 8 and 10 in the morning, and the tenants must have cleared their hearths by then. Mrs Adeyemi on \
             the ground floor has to be told in person, because letters she does not open.",
            Expected::default().new_note(&[
                "chimney|sweep",
                "14|fourteen",
                "3 Oct|3. Oct|Oct 3|October 3|3rd|third|3.10|3.10.|03.10|03.10.|10-03|10/3|10/03|3/10|03/10",
                "8|8:00|08:00|8.00|08.00|eight",
                "10|10:00|10.00|and ten|to ten|-ten|ten o'clock|ten in the",
                "hearth|fireplace",
                "adeyemi",
                "person|face to face|tell|told|letter|speak",
            ]),
        )
        .note(
            "Number 9",
            "houses",
            "The chimney of the back room is bricked up. Ground floor: Mr Quill.",
        )
        .note(
            "Window cleaner",
            "houses",
            "Number 14 every other month, between 8 and 10. 45 pounds, in cash.",
        )
        .solved_by(&[Edit::Create(
            "Chimney sweep at number 14",
            "3 October, between 8 and 10 in the morning. The tenants must have cleared their hearths.\nTell Mrs \
             Adeyemi on the ground floor in person.",
        )]),
        Task::strict(
            "cb-skate-comp",
            "new note called skate comp. its sat 13 june at the tunstall bowl, gotta sign up by 5 june, costs 6 quid, \
             helmets a must and mum has to sign the form",
            Expected::default().new_titled(
                "Skate comp",
                &[
                    "13 Jun|13. Jun|Jun 13|June 13|13th|thirteenth|13.6|13.6.|13.06|13.06.|06-13|6/13|06/13|13/6|13/06",
                    "5 Jun|5. Jun|Jun 5|June 5|5th|fifth|5.6|5.6.|05.06|05.06.|06-05|6/5|06/05|5/6|05/06",
                    "tunstall",
                    "6|six|6.00",
                    "helmet",
                    "mum|mother",
                    "form",
                ],
            ),
        )
        .note(
            "Skate shop",
            "",
            "bearings 18 quid, closed sundays, ask for deng",
        )
        .note(
            "Form tutor",
            "school",
            "ms radcliffe, room 13. mum is seeing her in june",
        )
        .solved_by(&[Edit::Create(
            "Skate comp",
            "Sat 13 June at the Tunstall bowl. Sign up by 5 June, 6 quid.\nHelmets a must, mum has to sign the form.",
        )]),
    ]
}

fn dictations() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-golden-wedding",
            "Take this down while it's fresh, please, it needs a note of its own. The Hargreaves golden wedding: 64 \
             adults and 7 children, two of the children are coeliac. They'd rather have trout than beef. We can get \
             into the marquee from 11:30, and lunch is at quarter past one. Oh, and no lilies on the tables, she \
             can't bear the smell.",
            Expected::default().new_note(&[
                "hargreaves",
                "golden",
                "64|sixty-four|sixty four",
                "7&child|seven&child|7&kid|seven&kid",
                "coeliac|celiac|gluten",
                "trout",
                "11:30|11.30|half past eleven|half past 11|half eleven",
                "quarter past one|quarter past 1|1:15|1.15|13:15|13.15",
                "lilies|lily",
            ]),
        )
        .note(
            "Silver wedding",
            "catering",
            "The Okafors, 48 guests, beef for everybody. The marquee is Danby's.",
        )
        .note(
            "Trout farm",
            "suppliers",
            "Order by Tuesday, 9 pounds a kilo. Children may feed them.",
        )
        .solved_by(&[Edit::Create(
            "Hargreaves golden wedding",
            "64 adults and 7 children, two of them coeliac. Trout in place of beef.\nMarquee from 11:30, lunch at \
             13:15. No lilies on the tables.",
        )]),
        Task::strict(
            "cb-heat-pump-service",
            "note to self - heat pump serviced today by mr ravndal, pressure 1.7 bar, next year he should look at the \
             bearing of the outdoor fan",
            Expected::default()
                .new_note(&[
                    "heat pump|heat-pump|heatpump",
                    "ravndal",
                    "1.7|1,7",
                    "bearing",
                    "fan",
                    "next|following|year|2026|2027",
                ])
                .dictated(),
        )
        .note(
            "Bicycle pump",
            "bicycles",
            "4 bar for the back tyre. Hangs in the passage.",
        )
        .note(
            "Ceiling fan",
            "house",
            "Three speeds, turns the other way in winter. The bearing hums.",
        )
        .solved_by(&[Edit::Create(
            "Heat pump service",
            "Serviced today by Mr Ravndal, pressure 1.7 bar. Next year he should look at the bearing of the outdoor \
             fan.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-feet-up",
            "Both of them asleep before eight, can you believe it. Feet up now, tea in hand!",
            Expected::default(),
        )
        .note(
            "Tea",
            "kitchen",
            "Rooibos for Gran, nothing with caffeine after four.",
        )
        .note(
            "Bedtime",
            "twins",
            "They go off by eight if the nap ends before two. The grey rabbit is Wilma's.",
        ),
        Task::strict(
            "cb-smoker-pellets-already",
            "Not sure I ever wrote it down.. smoker pellets ought to be on my bee shopping list, put them on if \
             they're missing",
            Expected::default(),
        )
        .note(
            "Bee shopping",
            "bees",
            "- 10 brood frames\n- smoker pellets, 2 kg\n- queen marker, white",
        )
        .note(
            "Pellet stove",
            "house",
            "Pellets come in 15 kg sacks from the mill. Sweep the ash on Sundays.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-flower-rota-and-bell-rope",
            "Good morning. On the flower rota it is Mrs Penhaligon who does Easter Day, as Mrs Tripp will be with her \
             daughter in Cork. And I should like a new note saying that the rope of bell 4 is frayed and that \
             Corbett's must be rung about it before Ascension.",
            Expected::default()
                .change(
                    "Flower rota",
                    &[
                        "easter day&penhaligon",
                        "palm sunday&gale",
                        "low sunday&boothroyd",
                        "vases",
                    ],
                )
                .lacking(&["tripp", "rope", "corbett"])
                .new_note(&["bell", "4|four", "rope", "fray", "corbett", "ascension"]),
        )
        .note(
            "Flower rota",
            "church",
            "Palm Sunday: Mrs Gale\nEaster Day: Mrs Tripp\nLow Sunday: Mr Boothroyd\nThe tall vases are in the vestry.",
        )
        .note(
            "Tower key",
            "church",
            "Behind the hymn board. 42 steps, the third one is loose.",
        )
        .note(
            "Brass cleaning",
            "church",
            "Easter Eve: Mrs Tripp and the Gale boys. Rags under the font.",
        )
        .solved_by(&[
            Edit::Replace("Flower rota", "Mrs Tripp", "Mrs Penhaligon"),
            Edit::Create(
                "Rope of bell 4",
                "It is frayed. Ring Corbett's about it before Ascension.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-teething-gel-and-pram",
            "two quick ones while they nap: teething gel goes on the chemist list, and the note about the twin pram \
             can be deleted, a couple from Leeds took it",
            Expected::default()
                .change(
                    "Chemist list",
                    &["nappy cream", "plasters", "teething gel|teething-gel"],
                )
                .delete("Twin pram"),
        )
        .note("Chemist list", "twins", "- nappy cream\n- plasters, the small ones")
        .note(
            "Twin pram",
            "for sale",
            "110 pounds, with the rain cover. The left brake sticks.",
        )
        .note(
            "Twin beds",
            "for sale",
            "70 pounds for the pair, mattresses not included.",
        )
        .note("Supermarket list", "house", "- oat milk\n- wipes")
        .solved_by(&[
            Edit::Append("Chemist list", "\n- teething gel"),
            Edit::Delete("Twin pram"),
        ]),
    ]
}
