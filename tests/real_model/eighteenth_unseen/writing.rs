//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-driving-range",
            "New note please, title it Driving range. A bucket of 40 balls costs 7 euros, the floodlights go off at \
             21:45 and Fergus has a spare token for the machine",
            Expected::default().new_titled(
                "Driving range",
                &[
                    "40&ball|forty&ball",
                    "7|7.00|seven",
                    "light",
                    "21:45|21.45|9:45|9.45|quarter to ten|quarter to 10",
                    "fergus",
                    "token",
                ],
            ),
        )
        .note(
            "Golf umbrella",
            "sport",
            "Lent to Fergus in March. The tip is missing, the cover is in the hall.",
        )
        .note(
            "Bucket for the ash",
            "house",
            "Zinc, 12 litres, stands next to the stove. Never empty it while it is warm.",
        )
        .solved_by(&[Edit::Create(
            "Driving range",
            "A bucket of 40 balls costs 7 euros. The floodlights go off at 21:45. Fergus has a spare token for the \
             machine.",
        )]),
        Task::strict(
            "jot-registry-copy",
            "right, just had the registry office on the line. a certified copy of the birth certificate is 12 euros, i \
             have to go to room 208, they only do it on tuesdays from 8 till 11:30 and i need to bring my id card. can \
             you jot that down somewhere so i've got it",
            Expected::default().new_note(&[
                "birth certificate",
                "12|12.00|twelve",
                "208",
                "tue",
                "8|8:00|08:00|8.00|eight",
                "11:30|11.30|half past eleven|half past 11|half eleven",
                "id card|id-card|identity|your id|my id|bring id|need id|photo id",
            ]),
        )
        .note(
            "Registrar",
            "wedding",
            "Ms Tolentino, she marries us in the tower room. No more than 18 guests.",
        )
        .note(
            "Family tree",
            "family",
            "Copies of the parish books are 3 euros a page. Uncle Desmond has the first four branches.",
        )
        .solved_by(&[Edit::Create(
            "Copy of the birth certificate",
            "Registry office, room 208, Tuesdays 8 to 11:30. A certified copy is 12 euros. Bring my ID card.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "squirrel-stare",
            "lol theres a squirrel on the sill and it looks at me as if i owe it money",
            Expected::default(),
        )
        .note(
            "Squirrel feeder",
            "garden",
            "Hazelnuts only, top it up on Sundays. The perspex front slides upwards.",
        )
        .note(
            "Money for the cleaner",
            "house",
            "In the sugar tin, 48 euros every other week. Her name is Halina.",
        ),
        Task::strict(
            "untied-shoe",
            "Made it onto the bus with one second to spare and both shoes untied. What a start to the day!",
            Expected::default(),
        )
        .note(
            "Shoelaces",
            "clothes",
            "The brown boots take 140 cm, the trainers 110 cm, flat ones.",
        )
        .note(
            "Bus pass",
            "",
            "Runs out at the end of May. The photo on it may be two years old.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "toddler-gym-and-socks",
            "Toddler gym is in the small hall from now on, no longer in the foyer, so please change that. Then one new \
             note besides: Mrs Ferrante sells non-slip socks at 6 euros a pair, sizes up to 26.",
            Expected::default()
                .change(
                    "Toddler gym",
                    &["thu", "10:10|10.10|ten past ten|ten past 10", "small hall", "banana"],
                )
                .lacking(&["foyer", "ferrante", "euro"])
                .new_note(&[
                    "ferrante",
                    "sock",
                    "6|6.00|six",
                    "26|twenty-six|twenty six",
                ]),
        )
        .note(
            "Toddler gym",
            "kids",
            "Thursdays at 10:10 in the foyer.\nBring a banana for afterwards",
        )
        .note(
            "Bake sale",
            "school",
            "The tables are in the foyer, cakes go for 2 euros a slice. Mrs Ferrante has the float.",
        )
        .solved_by(&[
            Edit::Replace("Toddler gym", "the foyer", "the small hall"),
            Edit::Create(
                "Non-slip socks",
                "Mrs Ferrante sells them, 6 euros a pair, sizes up to 26.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "llama-trek-and-asia-shop",
            "they've cancelled the llama trek because of the foot rot, so you can delete what i have on it. also rice \
             vinegar and 3 blocks of tofu need to go on the Asia shop list",
            Expected::default()
                .change(
                    "Asia shop",
                    &[
                        "fish sauce",
                        "glass noodles",
                        "rice vinegar",
                        "3&tofu|three&tofu",
                    ],
                )
                .delete("Llama trek"),
        )
        .note(
            "Llama trek",
            "outings",
            "Meet at the quarry at 13:40, three hours, 29 euros each. Desmond leads Pepito.",
        )
        .note(
            "Llama wool",
            "crafts",
            "Two skeins from the farm shop, 60 euros a kilo. It sheds.",
        )
        .note("Asia shop", "shopping", "- fish sauce\n- glass noodles")
        .note(
            "Farm shop",
            "shopping",
            "- duck eggs\n- cider vinegar\n- 2 blocks of butter",
        )
        .solved_by(&[
            Edit::Delete("Llama trek"),
            Edit::Append("Asia shop", "\n- rice vinegar\n- 3 blocks of tofu"),
        ]),
    ]
}
