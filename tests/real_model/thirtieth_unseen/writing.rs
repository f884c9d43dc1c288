//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        titled_note(),
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        renamed_and_added(),
    ]
    .concat()
}

fn titled_note() -> Vec<Task> {
    vec![
        Task::strict(
            "speed-awareness-course",
            "Right, they caught me doing 41 in a thirty zone. So would you please \
             start a note called Speed awareness course? It's on 14 March at 18:15 \
             in the community college, room 12, and I have to take my licence and 94 \
             pounds along.",
            Expected::default().new_titled(
                "Speed awareness course",
                &[
                    "14 Mar|14. Mar|Mar 14|Mar. 14|March 14|14th|14.3|14.3.|14.03|14.03.|\
                     03-14|3/14|03/14|14/3|14/03",
                    "18:15|18.15|18h15|6:15|6.15|quarter past six|quarter past 6",
                    "college",
                    "room&12|room&twelve",
                    "licence|license",
                    "94|ninety-four",
                ],
            ),
        )
        .note(
            "Speed dating",
            "fun",
            "Nerys swears by it. Seven minutes each, first drink is free.",
        )
        .note(
            "Community garden",
            "",
            "Water butt by the gate, tools in the blue container.",
        )
        .solved_by(&[Edit::Create(
            "Speed awareness course",
            "14 March at 18:15, community college, room 12. Take my licence and 94 \
             pounds along.",
        )]),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "plaster-cast-off",
            "bennos cast comes off on 6 may, dr halloran does it. no football for 5 \
             weeks after that & bring his headphones because the saw is loud. write \
             that down pls",
            Expected::default().new_note(&[
                "benno",
                "cast|plaster",
                "6 May|6. May|May 6|May. 6|6th|6.5|6.5.|06.05|06.05.|05-06|5/6|05/06|6/5|\
                 06/05|sixth",
                "halloran",
                "football|soccer",
                "5 week|five week|5-week|five-week|5 wk|5wk",
                "headphone",
            ]),
        )
        .note(
            "Football boots",
            "children",
            "Size 34, studs screwed in. The left lace is a shoestring.",
        )
        .note(
            "Circular saw",
            "workshop",
            "Blade 190 mm, on loan from the neighbour until autumn.",
        )
        .solved_by(&[Edit::Create(
            "Benno's cast",
            "Comes off on 6 May, Dr Halloran.\nNo football for 5 weeks after \
             that\nBring his headphones, the saw is loud.",
        )]),
        Task::strict(
            "cargo-bike-loan",
            "So it turns out you can borrow a cargo bike from the town for nothing, \
             my taxes at work at last! Please keep this for me somewhere: pick-up is \
             at the Lindenhof depot, they want 40 euros deposit in cash, it has to \
             be back before 19:30 the same day, and Yannick is the one with the key \
             for the battery.",
            Expected::default().new_note(&[
                "cargo",
                "lindenhof",
                "40|forty",
                "cash",
                "19:30|19.30|19h30|7:30|7.30|half past seven|half past 7|half seven",
                "yannick",
                "battery",
            ]),
        )
        .note(
            "Town hall",
            "",
            "Passports on the second floor, take a number from the green machine.",
        )
        .note(
            "Exercise bike",
            "sport",
            "Lent to my sister, the display only shows miles.",
        )
        .solved_by(&[Edit::Create(
            "Cargo bike from the town",
            "Pick-up at the Lindenhof depot.\n40 euros deposit in cash\nBack before \
             19:30 the same day\nYannick has the key for the battery",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "called-young-lady",
            "the man with the parcels just called me young lady, me at 67, haha made \
             my day",
            Expected::default(),
        )
        .note(
            "Parcels",
            "house",
            "Leave them with the Dufours in number 14, never on the step.",
        )
        .note(
            "Ladies' choir",
            "music",
            "Mondays, alto sits by the window. Two songs by heart.",
        ),
        Task::strict(
            "masking-tape-on-it",
            "Not sure whether I've got it down already - we need masking tape from \
             the DIY store. Only put it on that list if it's missing, ok?",
            Expected::default(),
        )
        .note(
            "DIY store",
            "shopping",
            "- two hinges\n- masking tape\n- sandpaper, the fine one",
        )
        .note(
            "Painting the shed",
            "house",
            "Two coats of grey, mask off the window. Felix brings the ladder.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "archery-hall-and-bow",
            "Archery is in the old gym from now on instead of the riding hall, could \
             you fix that in the note. Then I need a separate note that Fenella \
             lends me her bow until 3 June and that I owe her 6 arrows",
            Expected::default()
                .change(
                    "Archery",
                    &[
                        "tuesday|tue",
                        "19:00|19.00|7 pm|7pm|seven",
                        "old gym|old-gym",
                        "sleeve",
                        "arm guard|arm-guard|armguard",
                    ],
                )
                .lacking(&["riding hall", "fenella", "arrows"])
                .new_note(&[
                    "fenella",
                    "bow",
                    "3 Jun|3. Jun|Jun 3|Jun. 3|June 3|3rd|3.6|3.6.|03.06|03.06.|06-03|6/3|\
                     06/03|3/6|03/06|third",
                    "6 arrow|six arrow|arrows&6|arrows&six",
                ]),
        )
        .note(
            "Archery",
            "sport",
            "Tuesday at 19:00 in the riding hall.\nWide sleeves get caught\nBring \
             the arm guard",
        )
        .note(
            "Riding hall",
            "",
            "Fresh sand in spring. The side door sticks, kick it at the bottom.",
        )
        .solved_by(&[
            Edit::Replace("Archery", "riding hall", "old gym"),
            Edit::Create(
                "Fenella's bow",
                "Lent to me until 3 June. I owe her 6 arrows.",
            ),
        ]),
    ]
}

fn renamed_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "new-car-gets-a-name",
            "ok the new car is called Blueberry now, kids voted, so the note New car \
             should be titled Blueberry. and tin foil + 2 lemons onto the corner \
             shop list please",
            Expected::default().rename("New car", "Blueberry").change(
                "Corner shop",
                &["oat biscuits", "blueberries", "foil", "2&lemon|two&lemon"],
            ),
        )
        .note(
            "New car",
            "car",
            "Tyres 2.3 bar all round. Service book is under the boot floor.",
        )
        .note(
            "Corner shop",
            "shopping",
            "- oat biscuits\n- blueberries, frozen",
        )
        .note(
            "New carpet",
            "house",
            "Sisal, four metres wide. The fitter is called Bogdan.",
        )
        .solved_by(&[
            Edit::Rename("New car", "Blueberry"),
            Edit::Append("Corner shop", "\n- tin foil\n- 2 lemons"),
        ]),
    ]
}
