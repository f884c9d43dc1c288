//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days_and_times(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "groceries-sardines",
            "cna you add 2 tins of sardiens and oats to groceries",
            Expected::default().change(
                "Groceries",
                &[
                    "onions",
                    "brown bread",
                    "12 eggs",
                    "2&sardine|2&sardien|two&sardine|two&sardien",
                    "oat",
                ],
            ),
        )
        .note("Groceries", "", "- onions\n- brown bread\n- 12 eggs")
        .note(
            "Granola bars",
            "recipes",
            "200 g of oats, two tins of apricots, honey. 18 minutes.",
        )
        .solved_by(&[Edit::Append("Groceries", "\n- 2 tins of sardines\n- oats")]),
        Task::strict(
            "airport-taxi-driver",
            "Put in the airport taxi note that our driver is called Hamid and that it's 55 euros fixed",
            Expected::default().change(
                "Airport taxi",
                &[
                    "4:40",
                    "30th",
                    "four suitcases",
                    "pushchair",
                    "hamid",
                    "55|fifty-five|fifty five",
                ],
            ),
        )
        .note(
            "Airport taxi",
            "travel",
            "Picks us up at 4:40 on the 30th.\nFour suitcases and a pushchair",
        )
        .note(
            "Airport parking",
            "travel",
            "55 euros a week, the shuttle goes every ten minutes.",
        )
        .solved_by(&[Edit::Append(
            "Airport taxi",
            "\nDriver: Hamid, fixed price of 55 euros",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "podiatrist-number",
            "podiatrist has a new number, it's 555 0177. the old one is dead so please replace it",
            Expected::default()
                .change("Podiatrist", &["lachance", "0177", "noon", "socks"])
                .lacking(&["0129"]),
        )
        .note(
            "Podiatrist",
            "health",
            "Ms Lachance, 555 0129\nRing before noon.\nBring fresh socks.",
        )
        .note(
            "Dermatologist",
            "health",
            "Dr Ferreira, 555 0192. The lift is out of order, fourth floor.",
        )
        .solved_by(&[Edit::Replace("Podiatrist", "0129", "0177")]),
        Task::strict(
            "onboarding-aurelie",
            "There's a mistake in my onboarding note: the new colleague's name is Aurélie, not Amélie.",
            Expected::default()
                .change(
                    "Onboarding",
                    &[
                        "aurélie&roux|aurelie&roux",
                        "1 Sep|1. Sep|Sep 1|Sept 1|September 1|1st|1.9|01.09|1.9.|01.09.|09-01|9/1|09/01|1/9|\
                         01/09",
                        "laptop",
                        "kofi",
                    ],
                )
                .lacking(&["amélie|amelie"]),
        )
        .note(
            "Onboarding",
            "work",
            "Amélie Roux starts on 1 September.\nLaptop: ordered\nDesk by the window, next to Kofi",
        )
        .note(
            "DVDs lent out",
            "",
            "Amélie is with Jonas, the box with the westerns is with Dad.",
        )
        .solved_by(&[Edit::Replace("Onboarding", "Amélie", "Aurélie")]),
    ]
}

fn days_and_times() -> Vec<Task> {
    vec![
        Task::strict(
            "expense-deadline",
            "accounting wants the expense reports by the 20th of the month from now on, please update my note",
            Expected::default()
                .change(
                    "Expense reports",
                    &["20|twentieth", "month", "50&original", "0.30"],
                )
                .lacking(&["25|twenty-fifth"]),
        )
        .note(
            "Expense reports",
            "work",
            "Hand in by the 25th of the month.\nReceipts over 50 euros: the original\nMileage: 0.30 a \
             kilometre",
        )
        .note(
            "Timesheets",
            "work",
            "By the 25th of the month, signed by Olga.",
        )
        .solved_by(&[Edit::Replace("Expense reports", "25th", "20th")]),
        Task::strict(
            "school-bus-late",
            "new timetable for the school bus.. the late one, the 36, goes at 16:00 now, the others stay the \
             same. can you change that?",
            Expected::default()
                .change(
                    "School bus",
                    &[
                        "31&7:12",
                        "31&13:05",
                        "36&16:00|36&16.00|36&16|36&4:00|36&4 pm|36&4pm|36&4 p.m|36&4 o'clock",
                        "36&tue",
                    ],
                )
                .lacking(&["15:50|15.50|3:50"]),
        )
        .note(
            "School bus",
            "school",
            "Bus 31 there: 7:12\nBus 31 back: 13:05\nBus 36 back: 15:50, only on Tuesdays",
        )
        .note(
            "Swimming club",
            "sport",
            "The 36 goes back at 15:50 on Saturdays. Two euros for the hair dryer.",
        )
        .solved_by(&[Edit::Replace("School bus", "15:50", "16:00")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "baby-shower-ticks",
            "Invitations went out this morning and I've bought the balloons. Tick both for the baby shower \
             please",
            Expected::default()
                .change(
                    "Baby shower",
                    &[
                        "[x]&invitations",
                        "[x]&room",
                        "[ ]&cupcakes",
                        "[x]&balloons",
                        "[ ]&guessing game",
                    ],
                )
                .lacking(&["[ ]&invitations", "[ ]&balloons"]),
        )
        .note(
            "Baby shower",
            "parties",
            "- [ ] send the invitations\n- [x] book the room\n- [ ] cupcakes\n- [ ] balloons\n- [ ] guessing \
             game",
        )
        .note(
            "Housewarming",
            "parties",
            "- [ ] send the invitations\n- [ ] balloons\n- [ ] borrow chairs",
        )
        .solved_by(&[
            Edit::Replace("Baby shower", "[ ] send", "[x] send"),
            Edit::Replace("Baby shower", "[ ] balloons", "[x] balloons"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "watchlist-two-off",
            "we've finished Dark Harbour and nobody wants to see Salt Road any more, take those two off the \
             watchlist",
            Expected::default()
                .change("Watchlist", &["ninth juror", "kitchen wars", "penguin summer"])
                .lacking(&["dark harbour", "salt road"]),
        )
        .note(
            "Watchlist",
            "tv",
            "- Dark Harbour\n- The Ninth Juror\n- Salt Road\n- Kitchen Wars, season 2\n- Penguin Summer",
        )
        .note(
            "Books to read",
            "",
            "- Salt Road by M. Petrov\n- A Cold Kitchen",
        )
        .solved_by(&[
            Edit::Replace("Watchlist", "- Dark Harbour\n", ""),
            Edit::Replace("Watchlist", "- Salt Road\n", ""),
        ]),
    ]
}
