//! New notes, reminders, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        reminders(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-infection-control-day",
            "could you start a note for me, the infection control refresher is on tuesday 22 october at 13:30 in \
             seminar room C on the fourth floor, we need our badge and it counts for 3 hours. sister Immaculata is \
             running it",
            Expected::default().new_note(&[
                "infection control|infection-control",
                "22 Oct|22. Oct|22nd|Oct 22|Oct. 22|October 22|twenty-second|22.10|22.10.|10-22|22/10|10/22",
                "13:30|13.30|1:30|1.30|half past one|half past 1",
                "room C|seminar C|room: C",
                "fourth|4|4th",
                "badge",
                "3|three",
                "immaculata",
            ]),
        )
        .note(
            "Seminar on wound care",
            "work",
            "Room C in the old wing, 22 places. Ask Dr Faulks for the handout.",
        )
        .note(
            "Badge holder",
            "work",
            "The clip is broken, new ones are at the porter's desk for 3 euros.",
        )
        .solved_by(&[Edit::Create(
            "Infection control refresher",
            "Tuesday 22 October, 13:30, seminar room C on the fourth floor. Bring the badge. Counts for 3 hours. Run \
             by Sister Immaculata.",
        )]),
        Task::strict(
            "ca-tanner-lane-sink",
            "new job. Fairweather, 12 Tanner Lane, top bell. kitchen sink blocked, old lead trap. ring first, big dog. \
             85 callout agreed",
            Expected::default()
                .new_note(&[
                    "fairweather",
                    "12&tanner",
                    "top&bell",
                    "sink",
                    "block|clog",
                    "lead",
                    "trap",
                    "ring|call first|call before|call ahead|phone",
                    "dog",
                    "85|eighty-five|eighty five",
                ])
                .dictated(),
        )
        .note(
            "Tanner Lane 21",
            "jobs",
            "Mrs Obi, the shower tray leaked. Finished in May, 85 for the callout.",
        )
        .note(
            "Lead flashing",
            "stock",
            "Two rolls left, code 4. Order again when the second one is started.",
        )
        .solved_by(&[Edit::Create(
            "Fairweather",
            "12 Tanner Lane, top bell. Kitchen sink blocked, old lead trap. Ring first, big dog. 85 callout agreed.",
        )]),
    ]
}

fn reminders() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-semester-fee-due",
            "remind me that the semester fee has to be transferred by 5 february, 312 euros, reference is my student \
             number 77041, otherwise they kick me out lol",
            Expected::default().new_note(&[
                "semester fee|semester&fee",
                "5 Feb|5. Feb|05 Feb|Feb 5|Feb. 5|February 5|Feb 05|5th|fifth|5.2|5.2.|05.02|05.02.|02-05|5/2|05/02|\
                 2/5|02/05",
                "312|312.00|312,00",
                "77041",
            ]),
        )
        .note(
            "Semester ticket",
            "uni",
            "Valid on all regional trains. A bike is 5 euros on top, free after 19:00.",
        )
        .note(
            "University sports",
            "uni",
            "Fee of 31.20 a term, paid in February. Handball is in hall 2.",
        )
        .solved_by(&[Edit::Create(
            "Semester fee",
            "Transfer 312 euros by 5 February. Reference: student number 77041.",
        )]),
        Task::strict(
            "ca-pension-proof-of-life",
            "Good morning, I hope I am not troubling you. Every spring the pension office wants to know whether I am \
             still alive, imagine that, so would you kindly put down for me that the form has to be there by 30 April, \
             that the pharmacist Mrs Zoller may stamp it, and that it goes by registered post? Last year I nearly \
             missed it. Thank you so much, dear.",
            Expected::default().new_note(&[
                "pension",
                "form|proof|certificate|document|paper",
                "30 Apr|30. Apr|30th|Apr 30|Apr. 30|April 30|thirtieth|30.4|30.4.|30.04|30.04.|04-30|30/4|30/04|4/30|\
                 04/30",
                "zoller",
                "stamp",
                "registered",
            ]),
        )
        .note(
            "Pensioners' lunch",
            "parish",
            "Thursdays at 12:15 in the parish room, 6 euros with pudding. Say no to the soup.",
        )
        .note(
            "Pharmacy",
            "health",
            "Mrs Zoller keeps my heart drops ready. Closed on Wednesday afternoons.",
        )
        .solved_by(&[Edit::Create(
            "Form for the pension office",
            "Has to be there by 30 April. The pharmacist Mrs Zoller may stamp it. Send it by registered post.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-hard-sudoku",
            "did the hard sudoku in pen today, start to finish. feeling rather clever",
            Expected::default(),
        )
        .note(
            "Sudoku magazine",
            "",
            "Comes every second Thursday, 4.20 euros. Bettina gets the old ones.",
        )
        .note(
            "Fountain pen",
            "desk",
            "Takes the short cartridges only. The nib was straightened in spring.",
        ),
        Task::strict(
            "ca-lindiwe-already-alto",
            "Lindiwe is singing second alto with us from now on. If she isn't on the list of second altos yet, please \
             put her there.",
            Expected::default(),
        )
        .note(
            "Second altos",
            "choir",
            "- Roswitha\n- Lindiwe\n- Geraldine",
        )
        .note("First altos", "choir", "- Paulina\n- Ottilie\n- Suki"),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-board-three-and-room-fee",
            "bertrand has the flu so board 3 on saturday is ottoline, please change that in the line-up. and \
             separately make me a new note that we owe the community centre 45 euros for the room in march, it goes to \
             ms dragomir",
            Expected::default()
                .change(
                    "Line-up against Otterbourne",
                    &[
                        "14:10",
                        "board 1&hyacinth",
                        "board 2&lundgren",
                        "board 3&ottoline",
                        "board 4&joaquin",
                    ],
                )
                .lacking(&["bertrand", "dragomir", "45"])
                .new_note(&[
                    "45|45.00|45,00|forty-five|forty five",
                    "community centre|community center",
                    "room",
                    "mar",
                    "dragomir",
                ]),
        )
        .note(
            "Line-up against Otterbourne",
            "chess club",
            "Saturday at 14:10, away.\nBoard 1: Hyacinth\nBoard 2: Mr Lundgren\nBoard 3: Bertrand\nBoard 4: Joaquin",
        )
        .note(
            "Line-up of the juniors",
            "chess club",
            "Board 1: Fleur\nBoard 2: Ibrahim\nBoard 3: Fleur's cousin, if he is back by March",
        )
        .note(
            "Community centre",
            "chess club",
            "The alarm is off by 17:55, room 3 has the heater. Ms Dragomir has the key.",
        )
        .solved_by(&[
            Edit::Replace(
                "Line-up against Otterbourne",
                "Board 3: Bertrand",
                "Board 3: Ottoline",
            ),
            Edit::Create(
                "Room in March",
                "We owe the community centre 45 euros for the room in March. Pay Ms Dragomir.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-nits-and-judo-weekend",
            "hurray no more nits, so the note about them can go in the bin. plus on the list for the judo weekend 6 \
             hair ties and a second belt are missing, write them in would you",
            Expected::default()
                .change(
                    "Judo weekend",
                    &[
                        "white suit",
                        "flip-flops",
                        "6&hair tie|six&hair tie|6&hair-tie|six&hair-tie|6&hairtie|six&hairtie",
                        "second&belt|2nd&belt|spare&belt|extra&belt|another belt|2 belts|two belts",
                    ],
                )
                .delete("Nits"),
        )
        .note(
            "Nits",
            "kids",
            "Comb with conditioner every third evening, wash the pillow cases hot. Next look: Sunday.",
        )
        .note("Judo weekend", "kids", "- white suit\n- flip-flops")
        .note(
            "Judo grading",
            "kids",
            "For the yellow belt, Saturday at 11:40. Nails short, hair tied back.",
        )
        .note(
            "Hairdresser",
            "",
            "Tamsin cuts the children for 15 euros, never on Mondays.",
        )
        .solved_by(&[
            Edit::Delete("Nits"),
            Edit::Append("Judo weekend", "\n- 6 hair ties\n- a second belt"),
        ]),
    ]
}
