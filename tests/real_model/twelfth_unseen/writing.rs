//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        moved_and_gone(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-parcel-locker",
            "New note called Parcel locker please: it's behind the petrol station on Mill Road, parcels stay in \
             there for 7 days and then go back to the depot in Wexford",
            Expected::default().new_titled(
                "Parcel locker",
                &[
                    "petrol|filling station|gas station",
                    "mill road|mill rd",
                    "7 day|seven day|7-day|seven-day|7 d|a week|one week|1 week",
                    "wexford",
                ],
            ),
        )
        .note(
            "Post office",
            "town",
            "In the bookshop on Mill Road, shut on Wednesday afternoons.",
        )
        .note(
            "Gym locker",
            "",
            "Number 64, bring a padlock. They clear them out at the end of the month.",
        )
        .solved_by(&[Edit::Create(
            "Parcel locker",
            "Behind the petrol station on Mill Road. Parcels stay for 7 days, then they go back to the depot \
             in Wexford.",
        )]),
        Task::strict(
            "dictate-chickenpox",
            "jot this down pls.. juno has had chickenpox since tuesday. zinc lotion 3x a day, and she can go \
             back to nursery when all the spots are crusted over. dr menon wants to see her on the 16th",
            Expected::default().new_note(&[
                "juno",
                "chickenpox|chicken pox|chicken-pox",
                "tue",
                "zinc",
                "3|three|thrice",
                "nursery|daycare|kindergarten|preschool",
                "crust|scab",
                "menon",
                "16|sixteenth",
            ]),
        )
        .note(
            "Juno",
            "children",
            "Shoe size 25. Her rain trousers hang in the nursery.",
        )
        .note(
            "Sun rash",
            "health",
            "The lotion helps after two days, keep the sleeves long.",
        )
        .solved_by(&[Edit::Create(
            "Juno has chickenpox",
            "Since Tuesday. Zinc lotion 3x a day. Back to nursery when all the spots are crusted over.\nDr \
             Menon wants to see her on the 16th.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "phew-friday",
            "phew, finally friday! gonna put my feet up now",
            Expected::default(),
        )
        .note(
            "Friday market",
            "town",
            "The olive man is on the left, he packs up at one.",
        )
        .note(
            "Foot bath",
            "health",
            "A handful of salt, 38 degrees, no longer than a quarter of an hour.",
        ),
        Task::strict(
            "brb-door",
            "hang on, somebody's at the door. be right back",
            Expected::default(),
        )
        .note(
            "Garage door",
            "house",
            "The remote needs a flat battery, CR2032. It sticks when it rains.",
        )
        .note(
            "Back pain",
            "health",
            "Knees up on a chair for ten minutes, then walk a bit.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "webinar-and-slides",
            "Pension webinar is at 11:30 now instead of 10:00, can you fix that. And write a separate note that \
             Kieran from HR has the slides, his extension is 4417",
            Expected::default()
                .change(
                    "Pension webinar",
                    &[
                        "14 Oct|14. Oct|Oct 14|October 14|14th|14.10|14.10.|10-14|10/14|14/10",
                        "11:30|11.30|half past eleven|half past 11|half eleven",
                        "link",
                        "chat",
                    ],
                )
                .lacking(&["10:00|10.00|10 am|10am|10 a.m", "kieran", "4417"])
                .new_note(&["kieran", "hr|human resources", "slide", "4417"]),
        )
        .note(
            "Pension webinar",
            "work",
            "Tuesday 14 October at 10:00, the link comes by mail.\nQuestions go into the chat.",
        )
        .note(
            "Pension letters",
            "papers",
            "The grey folder. Their hotline opens at 10:00 and is busy until noon.",
        )
        .solved_by(&[
            Edit::Replace("Pension webinar", "10:00", "11:30"),
            Edit::Create(
                "Slides of the webinar",
                "Kieran from HR has them, extension 4417.",
            ),
        ]),
    ]
}

fn moved_and_gone() -> Vec<Task> {
    vec![
        Task::strict(
            "ikea-leftover",
            "Been to IKEA, got everything except the shower curtain. Put that on the Hardware store list \
             instead and then delete the IKEA list.",
            Expected::default()
                .change(
                    "Hardware store",
                    &["wall plugs", "masking tape", "shower curtain|shower-curtain"],
                )
                .lacking(&["duvet", "tealight", "frame"])
                .delete("IKEA"),
        )
        .note(
            "IKEA",
            "to buy",
            "- duvet cover\n- shower curtain\n- tealights\n- 2 picture frames",
        )
        .note("Hardware store", "to buy", "- wall plugs\n- masking tape")
        .note(
            "IKEA gift card",
            "",
            "46 euros are left on it, it's in the blue purse.",
        )
        .solved_by(&[
            Edit::Append("Hardware store", "\n- shower curtain"),
            Edit::Delete("IKEA"),
        ]),
    ]
}
