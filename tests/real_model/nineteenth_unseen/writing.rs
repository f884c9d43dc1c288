//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        titled_note(),
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn titled_note() -> Vec<Task> {
    vec![
        Task::strict(
            "new-sleep-lab",
            "Could you open a note titled Sleep lab for me? They want me there on 9 October at 20:40, ward 6, and \
             I'm supposed to bring my own pillow and have no coffee after noon.",
            Expected::default().new_titled(
                "Sleep lab",
                &[
                    "9 Oct|9. Oct|Oct 9|Oct. 9|October 9|9th|ninth|9.10|9.10.|09.10|09.10.|10-09|10/9|10/09|9/10|\
                     09/10",
                    "20:40|20.40|8:40|8.40|20h40|twenty to nine|20 to 9|twenty to 9",
                    "ward&6|ward&six",
                    "pillow",
                    "coffee&noon|coffee&midday|coffee&12",
                ],
            ),
        )
        .note(
            "Bedroom blind",
            "house",
            "The left cord is frayed, 140 cm of new one needed.",
        )
        .note(
            "Physics lab",
            "school",
            "Goggles and closed shoes. Long hair is tied back.",
        )
        .solved_by(&[Edit::Create(
            "Sleep lab",
            "9 October at 20:40, ward 6. Bring my own pillow. No coffee after noon.",
        )]),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "borrowed-leaf-blower",
            "borrowed rashidas leaf blower, has to be back w her by 17 november. needs 2 caps of oil per tank and \
             never before 8 in the morning because of the neighbours. keep that for me",
            Expected::default().new_note(&[
                "rashida",
                "blower",
                "17 Nov|17. Nov|Nov 17|Nov. 17|November 17|17th|seventeenth|17.11|17.11.|11-17|11/17|17/11",
                "2 cap|two cap|2&cap|two&cap",
                "8|8:00|08:00|8.00|eight|8am",
            ]),
        )
        .note(
            "Leaf mould",
            "garden",
            "Chicken wire, a metre across, behind the hazel. Takes two winters.",
        )
        .note(
            "Lent out",
            "",
            "The long spirit level is with Gonzalo, the cake tin with Ottoline.",
        )
        .solved_by(&[Edit::Create(
            "Rashida's leaf blower",
            "Back to Rashida by 17 November.\n2 caps of oil per tank\nNever before 8 in the morning.",
        )]),
        Task::strict(
            "tattoo-appointment",
            "Spent half my lunch break in the tattoo studio, lovely people by the way, smells of oranges. What I'd \
             like you to keep from it is this: Mika does mine on 21 May, it comes to 340 euros, and I mustn't swim \
             for 3 weeks afterwards.",
            Expected::default().new_note(&[
                "mika",
                "tattoo",
                "21 May|21. May|May 21|21st|twenty-first|21.5|21.5.|21.05|21.05.|05-21|5/21|05/21|21/5|21/05",
                "340",
                "swim",
                "3 week|three week",
            ]),
        )
        .note(
            "Swim badge",
            "children",
            "Bronze: 200 metres in a quarter of an hour, one dive.",
        )
        .note(
            "Lunch break",
            "work",
            "The canteen closes at 13:45, the soup is gone by then.",
        )
        .solved_by(&[Edit::Create(
            "Tattoo",
            "Mika does it on 21 May. 340 euros. No swimming for 3 weeks afterwards.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "splinter-out",
            "phew, got the splinter out at last, that thing was tiny",
            Expected::default(),
        )
        .note(
            "Tweezers",
            "bathroom",
            "The slanted ones are in the mirror cabinet, the others pull nothing.",
        )
        .note(
            "Deck boards",
            "house",
            "Larch, 27 mm, screws from below. Two boards are loose.",
        ),
        Task::strict(
            "hiccups-laugh",
            "Hic. Hiccups since breakfast, you'd laugh if you could hear me!",
            Expected::default(),
        )
        .note(
            "Breakfast club",
            "school",
            "Opens at 7:25, porridge or toast. Mrs Delacroix has the list.",
        )
        .note(
            "Plum chutney",
            "recipes",
            "Two kilos of plums, star anise. Eleven small jars.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "geocaching-and-ride",
            "The geocaching meetup isn't at the viewpoint this time, they've put it in the old signal box. Can you \
             change that - and, as a note of its own, that Olek picks me up at 16:20 in the grey van?",
            Expected::default()
                .change(
                    "Geocaching meetup",
                    &["saturday|sat", "17|17:00|five|5", "signal box|signal-box", "swap"],
                )
                .lacking(&["viewpoint", "olek", "16:20"])
                .new_note(&[
                    "olek",
                    "16:20|16.20|4:20|4.20|twenty past four|20 past 4|twenty past 4",
                    "van",
                ]),
        )
        .note(
            "Geocaching meetup",
            "hobby",
            "Saturday at 17:00 at the viewpoint.\nBring something to swap",
        )
        .note(
            "Sledging hill",
            "outings",
            "Below the viewpoint, park by the chapel. The left side is icy.",
        )
        .solved_by(&[
            Edit::Replace("Geocaching meetup", "at the viewpoint", "in the old signal box"),
            Edit::Create(
                "Ride to the meetup",
                "Olek picks me up at 16:20 in the grey van.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "meal-kit-and-lens-fluid",
            "We've cancelled the meal kit, so that note can go. Oh and lens fluid goes on the drugstore list",
            Expected::default()
                .change(
                    "Drugstore list",
                    &["cotton pads", "corn plasters", "lens fluid|lens-fluid"],
                )
                .delete("Meal kit"),
        )
        .note(
            "Meal kit",
            "food",
            "Three dinners for two, 54 euros. Pause it before Wednesday night.",
        )
        .note(
            "Veg crate",
            "food",
            "Every second Friday, empty crate in front of the door. 19 euros.",
        )
        .note("Drugstore list", "", "- cotton pads\n- corn plasters")
        .note(
            "Camera bag",
            "",
            "- two batteries\n- blower for the lens\n- grey card",
        )
        .solved_by(&[
            Edit::Delete("Meal kit"),
            Edit::Append("Drugstore list", "\n- lens fluid"),
        ]),
    ]
}
