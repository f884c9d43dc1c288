//! Lists, corrections, removals and dates in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        lists(),
        one_more_list(),
        corrections(),
        one_more_correction(),
        removals(),
        one_more_removal(),
        dates(),
    ]
    .concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "aquarium-list",
            "for the aquarium I still have to get snail food and a new thermometer, please add them",
            Expected::default().change(
                "To buy for the aquarium",
                &[
                    "filter wool",
                    "test strips",
                    "snail food|snail-food|food for the snail|food for snail",
                    "thermometer",
                ],
            ),
        )
        .note(
            "To buy for the aquarium",
            "aquarium",
            "- filter wool\n- test strips",
        )
        .note(
            "Aquarium inhabitants",
            "aquarium",
            "Twelve neon tetras, four snails and a catfish.",
        )
        .solved_by(&[Edit::Append(
            "To buy for the aquarium",
            "\n- snail food\n- new thermometer",
        )]),
        Task::strict(
            "escape-players",
            "Rosalind and Mateusz want to come along to the escape room too",
            Expected::default().change(
                "Who comes to the escape room",
                &["ingrid", "paolo", "rosalind", "mateusz"],
            ),
        )
        .note(
            "Who comes to the escape room",
            "escape room",
            "- Ingrid\n- Paolo",
        )
        .note(
            "Escape room voucher",
            "escape room",
            "It is worth 60 euros and lies in the desk.",
        )
        .solved_by(&[Edit::Append(
            "Who comes to the escape room",
            "\n- Rosalind\n- Mateusz",
        )]),
    ]
}

fn one_more_list() -> Vec<Task> {
    vec![
        Task::strict(
            "honey-order",
            "Mrs Castellano would like 6 jars of honey, put her down please",
            Expected::default().change(
                "Honey orders",
                &["eduard&4", "milena&2", "castellano&6|castellano&six"],
            ),
        )
        .note(
            "Honey orders",
            "bees, honey",
            "- Eduard: 4 jars\n- Milena: 2 jars",
        )
        .note(
            "Honey harvest",
            "bees, honey",
            "23 kg in July, most of it from the linden trees.",
        )
        .note("Smoker", "bees", "It burns best with dry hay.")
        .solved_by(&[Edit::Append("Honey orders", "\n- Mrs Castellano: 6 jars")]),
    ]
}

fn corrections() -> Vec<Task> {
    vec![
        Task::strict(
            "pressure-reading",
            "i misread tuesday's blood pressure, it was 141/84",
            Expected::default()
                .change(
                    "Blood pressure",
                    &["monday&138&86", "tuesday&141&84", "wednesday&135&88"],
                )
                .lacking(&["131"]),
        )
        .note(
            "Blood pressure",
            "health",
            "Monday: 138/86\nTuesday: 131/84\nWednesday: 135/88",
        )
        .note(
            "Resting pulse",
            "health",
            "Monday: 71\nTuesday: 69\nWednesday: 74",
        )
        .solved_by(&[Edit::Replace("Blood pressure", "131/84", "141/84")]),
        Task::strict(
            "game-lent-on",
            "Heiko gave Catan to Beatriz, so she's got it now",
            Expected::default()
                .change(
                    "Games we have lent",
                    &["azul&ulla", "catan&beatriz", "carcassonne&sunil"],
                )
                .lacking(&["catan: heiko"]),
        )
        .note(
            "Games we have lent",
            "board games",
            "Azul: Ulla\nCatan: Heiko\nCarcassonne: Sunil",
        )
        .note(
            "Game night",
            "board games",
            "The next one is at Heiko's, everybody brings a snack.",
        )
        .solved_by(&[Edit::Replace(
            "Games we have lent",
            "Catan: Heiko",
            "Catan: Beatriz",
        )]),
    ]
}

fn one_more_correction() -> Vec<Task> {
    vec![
        Task::strict(
            "postage-austria",
            "Sending a parcel to Austria has become dearer: 11.20 from now on. Please update my shipping \
             prices.",
            Expected::default()
                .change(
                    "Shipping prices",
                    &[
                        "germany&4.90",
                        "austria&11.20|austria&11,20|austria&11.2",
                        "switzerland&14.30",
                    ],
                )
                .lacking(&["9.50", "9,50"]),
        )
        .note(
            "Shipping prices",
            "shop, parcels",
            "Germany: 4.90 euros\nAustria: 9.50 euros\nSwitzerland: 14.30 euros",
        )
        .note(
            "Shipping times",
            "shop, parcels",
            "Germany: 2 days\nAustria: 4 days\nSwitzerland: 6 days",
        )
        .note(
            "Packaging",
            "shop, parcels",
            "The small cartons come from Wellmann, 25 to a bundle.",
        )
        .solved_by(&[Edit::Replace("Shipping prices", "9.50", "11.20")]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "visa-photos",
            "got the photos for the visa done today, tick them off",
            Expected::default()
                .change(
                    "Visa papers",
                    &["[x]&form", "[x]&photo", "[ ]&bank statement"],
                )
                .lacking(&["[ ]&photo"]),
        )
        .note(
            "Visa papers",
            "travel, visa",
            "- [x] form\n- [ ] photos\n- [ ] bank statement",
        )
        .note(
            "Consulate",
            "travel, visa",
            "Only open in the mornings, bags stay at the door.",
        )
        .solved_by(&[Edit::Replace("Visa papers", "[ ] photos", "[x] photos")]),
        Task::strict(
            "pharmacy-delivery",
            "The pharmacy has stopped delivering. Could you cut that from the note?",
            Expected::default()
                .change(
                    "Pharmacy",
                    &["18:30|18.30", "13:00|13.00", "haddad", "prescription"],
                )
                .lacking(&["deliver"]),
        )
        .note(
            "Pharmacy",
            "health",
            "Open until 18:30, on Saturdays until 13:00. They deliver to the door. Ms Haddad keeps our \
             prescriptions.",
        )
        .note(
            "First aid box",
            "health",
            "Plasters and gauze were replaced in spring.",
        )
        .solved_by(&[Edit::Replace("Pharmacy", " They deliver to the door.", "")]),
    ]
}

fn one_more_removal() -> Vec<Task> {
    vec![
        Task::strict(
            "episode-dropped",
            "the tram strike episode isn't happening, take it off the planned ones",
            Expected::default()
                .change("Episodes planned", &["night buses", "cable cars"])
                .lacking(&["tram"]),
        )
        .note(
            "Episodes planned",
            "podcast",
            "- Night buses\n- The tram strike\n- Cable cars",
        )
        .note(
            "Episodes published",
            "podcast",
            "- The first metro\n- A tram for the harbour",
        )
        .note(
            "Microphones",
            "podcast",
            "Two, the black one hums when it gets warm.",
        )
        .solved_by(&[Edit::Replace("Episodes planned", "- The tram strike\n", "")]),
    ]
}

fn dates() -> Vec<Task> {
    vec![
        Task::strict(
            "jab-moved",
            "they've moved my second rabies jab to 6 March, it was going to be 27 February",
            Expected::default()
                .change(
                    "Jabs for Kenya",
                    &[
                        "yellow fever",
                        "first&13",
                        "second&6 Mar|second&6. Mar|second&Mar 6|second&March 6|second&6th|second&6.3|\
                         second&06.03|second&03-06|second&6/3|second&3/6|second&06/03|second&03/06",
                    ],
                )
                .lacking(&["27 Feb", "Feb 27", "February 27", "27th"]),
        )
        .note(
            "Jabs for Kenya",
            "travel, health",
            "Yellow fever: 30 January\nRabies, first: 13 February\nRabies, second: 27 February",
        )
        .note(
            "Malaria tablets",
            "travel, health",
            "One a day with food, to be started on 27 February.",
        )
        .solved_by(&[Edit::Replace("Jabs for Kenya", "27 February", "6 March")]),
        Task::strict(
            "driving-test",
            "My driving test is on 21 September at 8:40. Put that in with the driving lessons, will you?",
            Expected::default().change(
                "Driving lessons",
                &[
                    "sandoval",
                    "38",
                    "test",
                    "21 Sep|21. Sep|Sep 21|Sept 21|September 21|21st|21.9|21.09|09-21|21/9|9/21|21/09|09/21",
                    "8:40|08:40|8.40|08.40",
                ],
            ),
        )
        .note(
            "Driving lessons",
            "driving licence",
            "With Mr Sandoval, 38 euros each.",
        )
        .note(
            "Driving theory",
            "driving licence",
            "Passed on 3 July with one mistake.",
        )
        .solved_by(&[Edit::Append(
            "Driving lessons",
            "\nThe driving test is on 21 September at 8:40.",
        )]),
    ]
}
