//! Notes as a whole: put together, renamed, deleted, linked, looked over.

use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Title and text of the notes of the linking task.
const HEARING: [(&str, &str); 3] = [
    (
        "Hearing aids",
        "Size 312 cells, blue dot is left. They go into the drying box at night.",
    ),
    (
        "Audiologist",
        "Mr Szymborski, above the florist's. Check-up twice a year, no charge.",
    ),
    (
        "Ear defenders",
        "The orange pair, for the hedge trimmer only. Spare pads in the tool chest.",
    ),
];

/// Title and text of the notes of the overview task: three about the class reunion, two about other things.
const REUNION: [(&str, &str); 5] = [
    (
        "Old teachers",
        "Class reunion: Mrs Halloran will come, Mr Pettifer has not made up his mind.",
    ),
    (
        "Back room of the Golden Pheasant",
        "Booked for the class reunion, 42 people, the cold buffet.",
    ),
    (
        "Slide show",
        "Dagny scans everybody's pictures for the class reunion, until the end of June.",
    ),
    (
        "Family reunion",
        "By the lake in July, 26 of us. Everybody brings a salad.",
    ),
    (
        "Pottery class",
        "Mondays at six, apron and an old towel. The clay is paid by weight.",
    ),
];

pub(super) fn tasks() -> Vec<Task> {
    [put_together(), renamed(), gone(), linked(), looked_over()].concat()
}

fn put_together() -> Vec<Task> {
    vec![
        Task::strict(
            "quilt-fabric-merge",
            "i've got the quilt in two places, silly me. move everything from Quilt fabric over into Quilt and bin \
             the fabric one afterwards",
            Expected::default()
                .change(
                    "Quilt",
                    &[
                        "log cabin",
                        "9 by 11",
                        "salome",
                        "2.5|2,5",
                        "mustard linen",
                        "shirts",
                        "bamboo",
                        "threadneedle",
                    ],
                )
                .delete("Quilt fabric"),
        )
        .note(
            "Quilt",
            "sewing",
            "Log cabin pattern, 9 by 11 blocks.\nFor Salome's thirtieth birthday",
        )
        .note(
            "Quilt fabric",
            "sewing",
            "2.5 m of the mustard linen\nGrandpa's old shirts\nBamboo wadding, to be ordered from Threadneedle.",
        )
        .note(
            "Curtain fabric",
            "sewing",
            "7 m of the striped cotton, from Threadneedle. Wash it before cutting.",
        )
        .solved_by(&[
            Edit::Append(
                "Quilt",
                "\n2.5 m of the mustard linen\nGrandpa's old shirts\nBamboo wadding, to be ordered from \
                 Threadneedle.",
            ),
            Edit::Delete("Quilt fabric"),
        ]),
    ]
}

fn renamed() -> Vec<Task> {
    vec![
        Task::strict(
            "rename-quiz-team",
            "Our quiz team has had a new name since last night, so would you retitle the note Quiz Pistols to \
             Agatha Quiztie? What's in it can stay as it is.",
            Expected::default().rename("Quiz Pistols", "Agatha Quiztie"),
        )
        .note(
            "Quiz Pistols",
            "pub",
            "Wednesdays at the Anchor from 19:50. Joachim does geography.\nKitty: 47 euros",
        )
        .note(
            "Agatha's birthday",
            "friends",
            "Wants no presents, only a long walk. Joachim drives.",
        )
        .solved_by(&[Edit::Rename("Quiz Pistols", "Agatha Quiztie")]),
    ]
}

fn gone() -> Vec<Task> {
    vec![
        Task::strict(
            "delete-marathon-plan",
            "well my hip has decided for me, no marathon this autumn. drop the training plan",
            Expected::default().delete("Marathon training plan"),
        )
        .note(
            "Marathon training plan",
            "running",
            "Four runs a week, the long one on Sundays, up to 32 km. Rest in week 9.",
        )
        .note(
            "Puppy training plan",
            "dog",
            "Five minutes a day, liver treats. Week 9: past the postman.",
        )
        .note(
            "Running shoes",
            "running",
            "Half a size up, laces with the double loop. Good for 700 km.",
        )
        .solved_by(&[Edit::Delete("Marathon training plan")]),
        Task::strict(
            "delete-rubens-braces",
            "Ruben's braces came off today!!! Nobody needs the note about them any longer, so away with it.",
            Expected::default().delete("Ruben's braces"),
        )
        .note(
            "Ruben's braces",
            "children",
            "Rubber bands day and night, no toffee. Emergency number of the practice: 0471 22 96.",
        )
        .note(
            "Ruben's glasses",
            "children",
            "Spare pair in the satchel. New lenses every autumn.",
        )
        .note(
            "Braces for the shelf",
            "house",
            "Four of them, 20 cm, black. They need the long screws.",
        )
        .solved_by(&[Edit::Delete("Ruben's braces")]),
    ]
}

fn linked() -> Vec<Task> {
    let task = Task::new(
        "link-hearing-aids",
        "hearing aids and audiologist really belong together, so put a link from one of the two notes to the other \
         please",
        |world| {
            let [aids, audiologist, defenders] = HEARING;
            world.are_linked([aids, audiologist], defenders, "hearingaidsandaudiologist")
        },
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "health", text);
    let task = HEARING.iter().fold(task, with);
    vec![
        task.may(0, &["Hearing aids", "Audiologist"])
            .solved_by(&[Edit::Append("Hearing aids", "\n[[Audiologist]]")]),
    ]
}

fn looked_over() -> Vec<Task> {
    let task = Task::new(
        "overview-class-reunion",
        "The class reunion is getting out of hand! Please start me one new note that links every note I have on it, \
         so that I find them all in one place.",
        |world| world.is_looked_over(&REUNION, 3, "startmeonenewnote"),
    );
    let with = |task: Task, (title, text): &(&str, &str)| task.note(title, "", text);
    let task = REUNION.iter().fold(task, with);
    vec![task.may(1, &[]).solved_by(&[Edit::Create(
        "Class reunion",
        "- [[Old teachers]]\n- [[Back room of the Golden Pheasant]]\n- [[Slide show]]",
    )])]
}
