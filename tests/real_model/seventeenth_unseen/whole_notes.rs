//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const CATCH: [(&str, &str); 3] = [
    (
        "Trout lake",
        "Day card 17 euros, from the kiosk. Two fish each, no more.",
    ),
    (
        "Smoking oven",
        "Beech chips, 90 minutes at 70 degrees. Into the brine the night before.",
    ),
    (
        "Swimming lake",
        "The jetty on the far side is out of the wind. The kiosk shuts at six.",
    ),
];

/// Title and text of the notes of the overview task: three about the charity swim, two about other things.
const SWIM: [(&str, &str); 5] = [
    (
        "Sponsor forms",
        "For the charity swim: 80 are printed, Lorcan hands them out at the gate.",
    ),
    (
        "Rules for the water",
        "Charity swim: nobody goes in below 14 degrees, bright caps, a buddy each.",
    ),
    (
        "Finish line tea",
        "Urns for the charity swim come from the parish, 6 litres of milk. Brew from 10:40.",
    ),
    ("Charity shop", "Takes books on Mondays, no encyclopaedias."),
    (
        "Swimming trunks",
        "The striped ones, size L. The cord has come out.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "houseboat-merge",
            "Two notes about the houseboat is one too many. All of Houseboat papers should stand in Houseboat, so \
             carry it over and delete Houseboat papers after that.",
            Expected::default()
                .change(
                    "Houseboat",
                    &[
                        "berth 34",
                        "august",
                        "tallulah",
                        "88-4102",
                        "5 year|five year|5-year|five-year|fifth year|5th year",
                        "grimaldi",
                        "biscuit tin",
                    ],
                )
                .delete("Houseboat papers"),
        )
        .note(
            "Houseboat",
            "boats",
            "Berth 34 in the old dock, the licence runs until August.\nShe is called Tallulah",
        )
        .note(
            "Houseboat papers",
            "boats",
            "Insurance number 88-4102\nSurvey every 5 years, the next one is with Mrs Grimaldi.\nCopies: in the \
             biscuit tin",
        )
        .note(
            "Paper boats",
            "kids",
            "Sixteen for the birthday, wax them first. Mrs Grimaldi's twins want gold ones.",
        )
        .solved_by(&[
            Edit::Append(
                "Houseboat",
                "\nInsurance number 88-4102\nSurvey every 5 years, the next one is with Mrs Grimaldi.\nCopies: in \
                 the biscuit tin",
            ),
            Edit::Delete("Houseboat papers"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-team-heron",
            "since the merger we're called Team Heron at work, so Team Falcon is out of date as a title. can that note \
             be Team Heron too please",
            Expected::default().rename("Team Falcon", "Team Heron"),
        )
        .note(
            "Team Falcon",
            "work",
            "Stand-up at 9:25, Oksana takes the minutes. Backlog: 61 tickets.\nCake on the last Thursday",
        )
        .note(
            "Falconry show",
            "outings",
            "Sit on the left, starts at 15:45. 14 euros, children half.",
        )
        .solved_by(&[Edit::Rename("Team Falcon", "Team Heron")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-ghost-tour",
            "the ghost tour's been cancelled and the money is back on my card already. so that note has had its day, \
             remove it pls",
            Expected::default().delete("Ghost tour"),
        )
        .note(
            "Ghost tour",
            "town",
            "Saturday 31 October, 21:15 at the gallows gate. Four tickets, 16 euros each.",
        )
        .note(
            "Ghost costume",
            "kids",
            "Old sheet, cut it at 120 cm. The chain is from Saturnino.",
        )
        .note(
            "Brewery tour",
            "town",
            "Four tickets for a Saturday, in by the side gate. The card is in the desk.",
        )
        .solved_by(&[Edit::Delete("Ghost tour")]),
        Task::strict(
            "delete-nicotine-patches",
            "Hooray, a whole year without cigarettes! I'm never going to need the note on the nicotine patches again, \
             away with it.",
            Expected::default().delete("Nicotine patches"),
        )
        .note(
            "Nicotine patches",
            "health",
            "Step two: 14 mg for four weeks, a different arm every day. Helpline 555 0164.",
        )
        .note(
            "Patches for the jeans",
            "sewing",
            "Denim from the remnants box, iron them on at two dots.",
        )
        .note(
            "Cigarette cards",
            "collecting",
            "The album of 1934 with the film stars. Two are missing.",
        )
        .solved_by(&[Edit::Delete("Nicotine patches")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-trout",
        "whatever we catch ends up in the smoking oven anyway, so let there be a link between Trout lake and Smoking \
         oven please",
        |world| {
            let [trout, oven, lake] = CATCH;
            world.are_linked([trout, oven], lake, "whateverwecatchendsup")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = CATCH.iter().fold(task, with);
    vec![
        task.may(0, &["Trout lake", "Smoking oven"])
            .solved_by(&[Edit::Append("Trout lake", "\n[[Smoking oven]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-charity-swim",
        "the charity swim is getting out of hand. i want one new note on it that leads to all the others i've got \
         about it, with links",
        |world| world.is_looked_over(&SWIM, 3, "iwantonenewnoteonit"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = SWIM.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Charity swim",
        "- [[Sponsor forms]]\n- [[Rules for the water]]\n- [[Finish line tea]]",
    )])]
}
