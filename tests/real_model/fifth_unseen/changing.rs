//! Lists, corrections and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), corrections(), of_dates(), removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "records-typos",
            "cna you add Blue Train and the live album by Nina Simone to teh recrods to find pls",
            Expected::default().change(
                "Records to find",
                &["hounds of love", "tapestry", "blue train", "simone"],
            ),
        )
        .note("Records to find", "music", "- Hounds of Love\n- Tapestry")
        .note(
            "Record player",
            "music",
            "Belt drive, the needle was changed in May.",
        )
        .solved_by(&[Edit::Append(
            "Records to find",
            "\n- Blue Train\n- Nina Simone live",
        )]),
        Task::strict(
            "heat-pump-form",
            "the grant form for the heat pump is sent, tick it off please",
            Expected::default()
                .change(
                    "Heat pump",
                    &["[x]&offers", "[x]&grant form", "[ ]&concrete base"],
                )
                .lacking(&["[ ]&grant form"]),
        )
        .note(
            "Heat pump",
            "house",
            "- [x] get three offers\n- [ ] send the grant form\n- [ ] pour the concrete base",
        )
        .note(
            "Loft insulation",
            "house",
            "- [ ] send the grant form\n- [ ] clear out the loft",
        )
        .solved_by(&[Edit::Replace(
            "Heat pump",
            "[ ] send the grant form",
            "[x] send the grant form",
        )]),
        Task::strict(
            "tapas-peppers",
            "for the tapas evening I'd rather have padrón peppers instead of the olives",
            Expected::default()
                .change("Tapas evening", &["tortilla", "pepper", "prawns"])
                .lacking(&["olive"]),
        )
        .note(
            "Tapas evening",
            "cooking",
            "- tortilla\n- olives\n- garlic prawns",
        )
        .note(
            "Cocktail nibbles",
            "cooking",
            "- salted cashews\n- olives\n- cheese straws",
        )
        .solved_by(&[Edit::Replace("Tapas evening", "olives", "padrón peppers")]),
    ]
}

fn corrections() -> Vec<Task> {
    vec![
        Task::strict(
            "grout-weight",
            "it's 21 kg of grout that we need, not 12",
            Expected::default()
                .change(
                    "Bathroom floor",
                    &["tiles&60&30", "grout&silver", "grout&21"],
                )
                .lacking(&["12 kg|12kg|grout&12"]),
        )
        .note(
            "Bathroom floor",
            "renovating",
            "Tiles: 60 by 30 cm, slate\nGrout: silver grey, 12 kg\nSkirting: 9 metres",
        )
        .note(
            "Terrace",
            "renovating",
            "Slabs: 40 by 40 cm\nGravel: 12 sacks of 25 kg",
        )
        .solved_by(&[Edit::Replace("Bathroom floor", "12 kg", "21 kg")]),
        Task::strict(
            "tenant-of-fourteen",
            "the tenant in Beech Lane 14 is Mr Oduya now",
            Expected::default()
                .change("Beech Lane 14", &["oduya", "cellar&11", "ground floor"])
                .lacking(&["rosso"])
                .dictated(),
        )
        .note(
            "Beech Lane 4",
            "flats to let",
            "Tenant: Mrs Finch\nCellar room 2\nSecond floor on the right",
        )
        .note(
            "Beech Lane 14",
            "flats to let",
            "Tenant: Mr Rosso\nCellar room 11\nGround floor on the left",
        )
        .solved_by(&[Edit::Replace("Beech Lane 14", "Mr Rosso", "Mr Oduya")]),
    ]
}

fn of_dates() -> Vec<Task> {
    vec![
        Task::strict(
            "reunion-date",
            "Our class reunion is on the 20th of September, not the 13th. Could you correct that?",
            Expected::default()
                .change(
                    "Class reunion",
                    &[
                        "20 Sep|20. Sep|Sep 20|Sept 20|September 20|20th|20.9|20.09|20.9.|20.09.|09-20|9/20|09/20|20/9|20/09",
                        "blue boar",
                        "gisela",
                    ],
                )
                .lacking(&[
                    "13 Sep|13. Sep|Sep 13|Sept 13|September 13|13th|13.9|13.09|13.9.|13.09.|09-13|9/13|09/13|13/9|13/09",
                ]),
        )
        .note(
            "Class reunion",
            "old friends",
            "On 13 September in the Blue Boar. Gisela collects photos of the teachers.",
        )
        .note(
            "Godson's enrolment",
            "family",
            "On 13 September at ten, in the assembly hall.",
        )
        .solved_by(&[Edit::Replace(
            "Class reunion",
            "13 September",
            "20 September",
        )]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "poncho-off",
            "it's going to stay dry, the rain poncho can come off the marathon bag list",
            Expected::default()
                .change("Marathon bag", &["energy gels", "blister plasters"])
                .lacking(&["poncho"]),
        )
        .note(
            "Marathon bag",
            "marathon",
            "- energy gels\n- rain poncho\n- blister plasters",
        )
        .note(
            "Marathon start",
            "marathon",
            "Block C. Old rain ponchos are collected at the fence.",
        )
        .solved_by(&[Edit::Replace("Marathon bag", "- rain poncho\n", "")]),
        Task::strict(
            "intercom-fixed",
            "The intercom has been repaired, so that bit can come out of the guest info.",
            Expected::default()
                .change("Guest info", &["red box", "dishwasher tabs", "sink"])
                .lacking(&["intercom", "knock"]),
        )
        .note(
            "Guest info",
            "holiday let",
            "The keys are in the red box. The intercom is broken, please knock loudly. Dishwasher tabs are \
             under the sink.",
        )
        .note(
            "Door labels",
            "holiday let",
            "Those for the intercom are 18 by 60 mm.",
        )
        .solved_by(&[Edit::Replace(
            "Guest info",
            " The intercom is broken, please knock loudly.",
            "",
        )]),
    ]
}
