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
            "new-ultrasound",
            "Start a note called Ultrasound please. Dr Kowalczyk sees me on 6 March at 8:15, second floor, and I \
             have to drink a litre of water beforehand and bring my pregnancy record.",
            Expected::default().new_titled(
                "Ultrasound",
                &[
                    "kowalczyk",
                    "6 Mar|06 Mar|6. Mar|Mar 6|Mar. 6|March 6|6th|sixth|6.3|6.3.|06.03|06.03.|03-06|3/6|03/06|6/3|\
                     06/03",
                    "8:15|8.15|08:15|08.15|8h15|quarter past eight|quarter past 8",
                    "second floor|2nd floor|second-floor|floor 2|floor two|floor: 2|floor: second|floor: 2nd",
                    "litre|liter|1 l|1l|1000 ml|1,000 ml",
                    "water",
                    "record",
                ],
            ),
        )
        .note(
            "Ultrasonic cleaner",
            "bathroom",
            "Glasses: three minutes, warm water and a drop of soap.",
        )
        .note(
            "Pregnancy yoga",
            "sport",
            "Tuesdays in the community hall, second floor. Bring a blanket.",
        )
        .solved_by(&[Edit::Create(
            "Ultrasound",
            "Dr Kowalczyk, 6 March at 8:15, second floor. Drink a litre of water beforehand. Bring the pregnancy \
             record.",
        )]),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "podcast-with-freya",
            "So it turns out Freya wants me on her podcast, can you believe it? Anyway, here's what I need to hang on \
             to: we record on 14 June at 19:30 in her attic, it'll take about 45 minutes, and no clothes that \
             rustle.",
            Expected::default().new_note(&[
                "freya",
                "podcast",
                "14 Jun|14. Jun|Jun 14|Jun. 14|June 14|14th|fourteenth|14.6|14.6.|14.06|14.06.|06-14|6/14|06/14|14/6|\
                 14/06",
                "19:30|19.30|7:30|07:30|7.30|19h30|half past seven|half past 7|half seven",
                "attic",
                "45|forty-five|forty five|three quarters of an hour|three-quarters of an hour",
                "rustl",
            ]),
        )
        .note(
            "Attic window",
            "house",
            "The pole hangs behind the door, the catch wants a drop of oil.",
        )
        .note(
            "Podcasts for the train",
            "",
            "The one on shipwrecks, and the one Ottmar swears by.",
        )
        .solved_by(&[Edit::Create(
            "Freya's podcast",
            "Recording on 14 June at 19:30 in Freya's attic.\nTakes about 45 minutes\nNo clothes that rustle",
        )]),
        Task::strict(
            "web-domain-renewal",
            "reminder for me pls: renew the web domain before 28 february, 14 euros, bertrand has the login",
            Expected::default().new_note(&[
                "domain",
                "renew",
                "28 Feb|28. Feb|Feb 28|Feb. 28|February 28|28th|twenty-eighth|28.2|28.2.|28.02|28.02.|02-28|2/28|02/28|\
                 28/2|28/02",
                "14|14.00|14,00|fourteen",
                "bertrand",
                "login|log-in|log in|password|credentials|access",
            ]),
        )
        .note(
            "Web shop returns",
            "",
            "30 days, the slip is in the blue folder. Collection costs 4 euros.",
        )
        .note(
            "Bertrand",
            "friends",
            "Moved to 11 Quince Lane, bell says Delorme.",
        )
        .solved_by(&[Edit::Create(
            "Renew the web domain",
            "Before 28 February, 14 euros. Bertrand has the login.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "noughts-and-crosses-lost",
            "lost three rounds of noughts and crosses to a six-year-old. three!!",
            Expected::default(),
        )
        .note(
            "Board game shelf",
            "games",
            "Two dice are missing, the sand timer runs 90 seconds.",
        )
        .note(
            "Chalk board",
            "kitchen",
            "1.20 m by 80 cm, wipe it with vinegar.",
        ),
        Task::strict(
            "paper-cut-ouch",
            "Ouch, paper cut. On the thumb of course, where else",
            Expected::default(),
        )
        .note(
            "Paper round",
            "work",
            "58 houses, start at Elm Row. The terrier at number 12 bites.",
        )
        .note(
            "Thumb piano",
            "music",
            "Seventeen keys, tune the long one to C with the little hammer.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "book-club-and-wheelbarrow",
            "Our book club meets in the bakery from now on, no longer at Nadia's, so please correct that. And make a \
             separate note that Yusuf has our wheelbarrow until Easter.",
            Expected::default()
                .change(
                    "Book club",
                    &[
                        "first tuesday|1st tuesday",
                        "19:15|19.15|7:15|7.15",
                        "bakery",
                        "biscuits",
                    ],
                )
                .lacking(&["nadia", "yusuf", "wheelbarrow|wheel barrow"])
                .new_note(&["yusuf", "wheelbarrow|wheel barrow", "easter"]),
        )
        .note(
            "Book club",
            "reading",
            "Every first Tuesday at 19:15, at Nadia's.\nWhoever chose the book brings the biscuits",
        )
        .note(
            "Nadia",
            "friends",
            "Birthday on 9 August, allergic to kiwi. Likes crime novels.",
        )
        .solved_by(&[
            Edit::Replace("Book club", "at Nadia's", "in the bakery"),
            Edit::Create("Wheelbarrow", "Yusuf has it until Easter."),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "aquarobics-and-celeriac",
            "aquarobics has been cancelled for good, bin that note. and put celeriac on the greengrocer list",
            Expected::default()
                .change("Greengrocer list", &["carrots", "parsley", "celeriac"])
                .delete("Aquarobics"),
        )
        .note(
            "Aquarobics",
            "sport",
            "Mondays at 18:00, lane 1, bring a padlock. 7 euros.",
        )
        .note(
            "Water polo",
            "sport",
            "Mondays at 20:00, the caps are in the kit bag. 5 euros.",
        )
        .note(
            "Greengrocer list",
            "",
            "- 1 kg of carrots\n- flat parsley",
        )
        .note("Soup stock", "", "- onions\n- two leeks\n- bay leaves")
        .solved_by(&[
            Edit::Delete("Aquarobics"),
            Edit::Append("Greengrocer list", "\n- celeriac"),
        ]),
    ]
}
