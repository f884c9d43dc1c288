//! Notes that are there already.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn change(title: &str, facts: &[&str]) -> Expected {
    Expected::default().change(title, facts)
}

pub(super) fn tasks() -> Vec<Task> {
    vec![
        Task::strict(
            "add-fact",
            "the cello lessons cost 22 euros each, put that in the note",
            change("Cello lessons", &["monday", "5", "22"]),
        )
        .note("Cello lessons", "", "Lessons are on Monday at 5.")
        .note("Swimming", "", "The pool is closed in July.")
        .solved_by(&[Edit::Append("Cello lessons", " They cost 22 euros each.")]),
        Task::strict(
            "add-typos",
            "ad onions adn rice to teh shoping list",
            change("Shopping list", &["milk", "eggs", "onions", "rice"]),
        )
        .note("Shopping list", "", "- milk\n- eggs")
        .note("Rice pudding", "", "Stir it for half an hour.")
        .solved_by(&[Edit::Append("Shopping list", "\n- onions\n- rice")]),
        Task::strict(
            "change-price",
            "the gym costs 29 euros now",
            change("Gym", &["29", "22:00"]).lacking(&["25"]),
        )
        .note("Gym", "", "A month costs 25 euros.\nOpen till 22:00.")
        .note("Pool", "", "A ticket costs 6 euros.")
        .solved_by(&[Edit::Replace("Gym", "25", "29")]),
        Task::strict(
            "change-line",
            "the pool opens at 6 now, not 7",
            change("Opening hours", &["pool&6&20", "library&9&17", "post&8&12"])
                .lacking(&["pool&7"]),
        )
        .note(
            "Opening hours",
            "",
            "Library: 9 to 17\nPool: 7 to 20\nPost: 8 to 12",
        )
        .solved_by(&[Edit::Replace("Opening hours", "Pool: 7", "Pool: 6")]),
        Task::strict(
            "change-same-number",
            "Train 12 leaves from platform 4 now.",
            change("Trains", &["train 12", "9:12", "platform 4"]).lacking(&["platform 12"]),
        )
        .note("Trains", "", "Train 12 leaves at 9:12 from platform 12.")
        .solved_by(&[Edit::Replace("Trains", "platform 12", "platform 4")]),
        Task::strict(
            "change-date",
            "the dentist moved my appointment to 5 March",
            change("Dentist", &["5 March|March 5", "10:30"]).lacking(&["3 March"]),
        )
        .note("Dentist", "", "Appointment: 3 March at 10:30.")
        .note("Optician", "", "Appointment: 3 April at 9.")
        .solved_by(&[Edit::Replace("Dentist", "3 March", "5 March")]),
        Task::strict(
            "change-look-alike",
            "insurance for the motorbike went up to 135 euros",
            change("Motorbike", &["insurance", "135"]).lacking(&["120"]),
        )
        .note("Car", "", "The insurance costs 310 euros a year.")
        .note("Motorbike", "", "The insurance costs 120 euros a year.")
        .solved_by(&[Edit::Replace("Motorbike", "120", "135")]),
    ]
}

/// Words, days and things that are done.
pub(super) fn more() -> Vec<Task> {
    vec![
        Task::strict(
            "change-name",
            "the choir has a new director, Paul Weiss",
            change("Choir", &["director&paul weiss", "pianist&tom"]).lacking(&["helga"]),
        )
        .note("Choir", "", "Director: Helga Brandt\nPianist: Tom")
        .solved_by(&[Edit::Replace("Choir", "Helga Brandt", "Paul Weiss")]),
        Task::strict(
            "change-word",
            "the ladder is in the shed now, not in the cellar",
            change("Tools", &["ladder&shed", "saw&hall"]).lacking(&["cellar"]),
        )
        .note(
            "Tools",
            "",
            "The ladder is in the cellar.\nThe saw hangs in the hall.",
        )
        .solved_by(&[Edit::Replace("Tools", "cellar", "shed")]),
        Task::strict(
            "change-day",
            "yoga is on Thursdays from now on",
            change("Yoga", &["thursday", "18:15", "mat"]).lacking(&["tuesday"]),
        )
        .note("Yoga", "", "Every Tuesday at 18:15. Bring a mat.")
        .solved_by(&[Edit::Replace("Yoga", "Tuesday", "Thursday")]),
        Task::strict(
            "tick",
            "I mowed the lawn",
            change("Chores", &["[ ] wash", "[x] mow"]).lacking(&["[ ] mow"]),
        )
        .note("Chores", "", "- [ ] wash the car\n- [ ] mow the lawn")
        .solved_by(&[Edit::Replace("Chores", "[ ] mow", "[x] mow")]),
        Task::strict(
            "cut-sentence",
            "Karl isn't playing at the garden party after all, remove that",
            change("Garden party", &["starts at 4", "chairs"]).lacking(&["karl"]),
        )
        .note(
            "Garden party",
            "",
            "It starts at 4.\nBring chairs.\nKarl plays the accordion.",
        )
        .solved_by(&[Edit::Replace(
            "Garden party",
            "\nKarl plays the accordion.",
            "",
        )]),
        Task::strict(
            "cut-item",
            "Bruno can't come, take him off the guest list",
            change("Guests", &["ida", "selma"]).lacking(&["bruno"]),
        )
        .note("Guests", "", "- Ida\n- Bruno\n- Selma")
        .note("Bruno", "", "He likes chess.")
        .solved_by(&[Edit::Replace("Guests", "- Bruno\n", "")]),
    ]
}

/// More than one thing at once.
pub(super) fn several() -> Vec<Task> {
    vec![
        Task::strict(
            "two-lists",
            "put screws on the hardware shop list and a rye loaf on the bakery list",
            change("Hardware shop", &["nails", "screws"]).change("Bakery", &["rolls", "rye"]),
        )
        .note("Hardware shop", "", "- nails")
        .note("Bakery", "", "- rolls")
        .solved_by(&[
            Edit::Append("Hardware shop", "\n- screws"),
            Edit::Append("Bakery", "\n- rye loaf"),
        ]),
        Task::strict(
            "swap",
            "on the bakery list, take off the rolls and put a baguette on instead",
            change("Bakery", &["pretzel", "baguette"]).lacking(&["rolls"]),
        )
        .note("Bakery", "", "- rolls\n- pretzel")
        .solved_by(&[Edit::Replace("Bakery", "- rolls", "- baguette")]),
        Task::strict(
            "two-changes",
            "rent goes up to 720 euros and the water bill to 38",
            change("Rent", &["720", "first of the month"])
                .lacking(&["690"])
                .change("Water", &["38"])
                .lacking(&["35"]),
        )
        .note("Rent", "", "The rent is 690 euros.\nIt is due on the first of the month.")
        .note("Water", "", "The bill is 35 euros a month.")
        .solved_by(&[
            Edit::Replace("Rent", "690", "720"),
            Edit::Replace("Water", "35", "38"),
        ]),
        Task::strict(
            "change-and-new",
            "the bus leaves at 7:50 now. also make a new note that the bike is at the repair shop until Friday",
            change("Bus", &["7:50"])
                .lacking(&["8:05"])
                .new_note(&["bike", "repair", "friday"])
                .dictated(),
        )
        .note("Bus", "", "It leaves at 8:05 from the church.")
        .solved_by(&[
            Edit::Replace("Bus", "8:05", "7:50"),
            Edit::Create("Bike", "At the repair shop until Friday."),
        ]),
    ]
}

pub(super) fn whole_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "rename",
            "rename the note Stuff to Camping gear",
            Expected::default().rename("Stuff", "Camping gear"),
        )
        .note("Stuff", "", "- tent\n- stove")
        .solved_by(&[Edit::Rename("Stuff", "Camping gear")]),
        Task::strict(
            "merge",
            "put the note Brushes into the note Paint, I only want one",
            change("Paint", &["sea salt", "badger"]).delete("Brushes"),
        )
        .note("Paint", "", "The paint is called Sea Salt.")
        .note("Brushes", "", "The badger brush is the best.")
        .note("Wallpaper", "", "Two rolls are left.")
        .solved_by(&[
            Edit::Append("Paint", "\nThe badger brush is the best."),
            Edit::Delete("Brushes"),
        ]),
        Task::strict(
            "delete",
            "I don't need the note about the old router any more, delete it",
            Expected::default().delete("Old router"),
        )
        .note("Old router", "", "The password is on its back.")
        .note("Router", "", "It stands in the hall.")
        .solved_by(&[Edit::Delete("Old router")]),
    ]
}
