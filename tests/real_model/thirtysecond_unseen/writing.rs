//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        minutes_and_idea(),
        recipe_and_reminder(),
        dictated(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn minutes_and_idea() -> Vec<Task> {
    vec![
        Task::strict(
            "minutes-roof-terrace",
            "can you take the minutes down for me, im on the stairs with my hands full. roof \
             terrace meeting, present were solveig, bartek, mrs anand and me. terrace shuts at \
             22:30 from now on. bartek gets two quotes for the railing. no shisha up there any \
             more. next meeting 6 may at mrs anands",
            Expected::default().new_note(&[
                "terrace",
                "solveig",
                "bartek",
                "anand",
                "22:30|22.30|22h30|22 h 30|10:30|10.30|half past ten|half past 10|half ten",
                "railing|railings",
                "two|2",
                "quote|quotation|offer|estimate",
                "shisha",
                "6 May|06 May|6. May|May 6|May 06|6th|sixth|6.5|6.5.|06.05|06.05.|05-06|5/6|05/06|\
                 6/5|06/05",
            ]),
        )
        .note(
            "Minutes cellar meeting",
            "house",
            "Present: Bartek, Mrs Anand. The third lock-up is to be cleared by Easter.",
        )
        .note(
            "Garden chairs",
            "house",
            "Four of them are Solveig's, the parasol is nobody's. Bring them in when it blows.",
        )
        .solved_by(&[Edit::Create(
            "Minutes roof terrace meeting",
            "Present: Solveig, Bartek, Mrs Anand and me\n- The terrace shuts at 22:30.\n- Bartek \
             gets two quotes for the railing.\n- No more shisha up there\nNext meeting: 6 May at \
             Mrs Anand's",
        )]),
        Task::strict(
            "idea-ticket-inspector",
            "quick before it's gone!! idea for a short story: a ticket inspector on the number 11 \
             tram who is terrified of dogs, and the one passenger who never has a ticket is an old \
             lady with a greyhound called Marzipan. own note pls",
            Expected::default().new_note(&[
                "inspector",
                "11|eleven",
                "tram",
                "dogs|dog",
                "lady|woman",
                "greyhound",
                "marzipan",
            ]),
        )
        .note(
            "Story about the lighthouse",
            "writing",
            "Two brothers, one bed, no boat until spring. 4,000 words at most.",
        )
        .note(
            "Tram 11",
            "city",
            "Every eight minutes, every twenty after nine. The inspectors get on at the abattoir.",
        )
        .solved_by(&[Edit::Create(
            "Story: the ticket inspector",
            "A ticket inspector on the number 11 tram is terrified of dogs. The only passenger who \
             never has a ticket is an old lady with a greyhound called Marzipan.",
        )]),
    ]
}

fn recipe_and_reminder() -> Vec<Task> {
    vec![
        Task::strict(
            "recipe-shakshuka",
            "Okay, my flatmate finally gave away how she makes her shakshuka and I want the recipe \
             among my notes. So that's one onion, two red peppers, a tin of tomatoes, a teaspoon \
             of cumin and half a teaspoon of harissa. Let it bubble for fifteen minutes, make four \
             hollows, an egg into each, lid on, another six minutes. Feta on top if there is any. \
             That's all there is to it, imagine.",
            Expected::default().new_note(&[
                "shakshuka",
                "onion|onions",
                "two&pepper|2&pepper",
                "tomato|tomatoes",
                "cumin",
                "half&harissa|1/2&harissa|½&harissa|0.5&harissa",
                "15|fifteen|quarter of an hour",
                "four|4",
                "egg|eggs",
                "six|6",
                "feta",
            ]),
        )
        .note(
            "Nergis's lentil soup",
            "kitchen",
            "Two cups of red lentils, a teaspoon of cumin, 25 minutes. Lemon at the table.",
        )
        .note(
            "Egg cups",
            "kitchen",
            "Six of them belong to the flatmate, the chipped one is ours.",
        )
        .solved_by(&[Edit::Create(
            "Shakshuka",
            "- 1 onion\n- 2 red peppers\n- a tin of tomatoes\n- a teaspoon of cumin\n- half a \
             teaspoon of harissa\nLet it bubble for 15 minutes, make 4 hollows, an egg in each, \
             lid on, 6 minutes more. Feta on top.",
        )]),
        Task::strict(
            "remind-pressure-cuff",
            "don't let me forget, this blood pressure cuff they strapped on me has got to be back \
             at the surgery on wednesday by 11, second floor, and the diary sheet with it. make a \
             new note of that. it pumps itself up every time i want to type so excuse the misteaks",
            Expected::default().new_note(&[
                "cuff|blood pressure|blood-pressure",
                "surgery|practice|doctor|doctors|clinic",
                "wednesday|wed",
                "11|11:00|11.00|eleven",
                "second floor|second-floor|2nd floor|2nd-floor|floor 2|floor two|floor: 2|\
                 floor: second",
                "diary",
            ]),
        )
        .note(
            "Blood pressure tablets",
            "health",
            "One in the morning with plenty of water. Repeat prescription by phone only.",
        )
        .note(
            "Surgery hours",
            "health",
            "Shut on Friday afternoons. The lift stops on the second floor only.",
        )
        .solved_by(&[Edit::Create(
            "Take back the blood pressure cuff",
            "To the surgery on Wednesday by 11, second floor. Take the diary sheet along.",
        )]),
    ]
}

fn dictated() -> Vec<Task> {
    vec![
        Task::strict(
            "dictate-out-of-office",
            "Please write this down under the title Out of office, exactly as I say it: Thanks for \
             your message. I am away until 22 August and my inbox stays shut. For urgent layouts \
             please ring Pernille on 0170 555 2318. Everything else gets an answer in the week \
             after. Tove",
            Expected::default()
                .new_titled(
                    "Out of office",
                    &[
                        "thanks for your message",
                        "I am away until 22 August and my inbox stays shut",
                        "for urgent layouts please ring Pernille on 0170 555 2318",
                        "everything else gets an answer in the week after",
                        "tove",
                    ],
                )
                .lacking(&["exactly as I say"])
                .dictated(),
        )
        .note(
            "Office plants",
            "work",
            "Pernille waters them while I am away, the fig only every second week.",
        )
        .note(
            "Email footer",
            "work",
            "Tove Ekblad, layouts and lettering. No telephone number in it, please.",
        )
        .solved_by(&[Edit::Create(
            "Out of office",
            "Thanks for your message. I am away until 22 August and my inbox stays shut. For \
             urgent layouts please ring Pernille on 0170 555 2318. Everything else gets an answer \
             in the week after. Tove",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "pan-pipes-on-hold",
            "still on hold with the broadband lot. pan pipes. always the same pan pipes. lalala la \
             la, i'm losing it",
            Expected::default(),
        )
        .note(
            "Broadband contract",
            "flat",
            "100 megabits, 34.90 a month. Two months' notice, in writing.",
        )
        .note(
            "Pan pipes evening",
            "music",
            "In the crypt, doors at half past seven. Bring a cushion.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "capoeira-and-berimbau",
            "Capoeira has gone up again, from now on they take 49 a month instead of 44, so \
             correct that, will you. Also start a note on berimbau strings: Jurandir cuts them out \
             of old tyres, 5 euros apiece, and only after the Thursday class.",
            Expected::default()
                .change(
                    "Capoeira",
                    &[
                        "49|49.00|49,00|forty-nine",
                        "month|monthly",
                        "mirror room",
                        "third floor|3rd floor",
                    ],
                )
                .lacking(&["44|forty-four", "jurandir"])
                .new_note(&[
                    "berimbau",
                    "string|strings",
                    "jurandir",
                    "tyre|tyres|tire|tires",
                    "5|five|5.00|5,00",
                    "thursday|thu",
                ]),
        )
        .note(
            "Capoeira",
            "sport",
            "44 euros a month, mirror room on the third floor.\nWhite trousers, barefoot",
        )
        .note(
            "Samba drumming",
            "music",
            "44 euros a term. Jurandir tunes the big ones, hands off.",
        )
        .solved_by(&[
            Edit::Replace("Capoeira", "44", "49"),
            Edit::Create(
                "Berimbau strings",
                "Jurandir cuts them out of old tyres, 5 euros each. Only after the Thursday class.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "night-desk-and-flat-viewing",
            "LAST night shift at the hotel done, i am free!!! bin the note with the night desk \
             rota. then put Brunnenstrasse on the flat viewings list, that one's sunday 11:45, \
             third floor at the back",
            Expected::default()
                .change(
                    "Flat viewings",
                    &[
                        "kanalufer",
                        "speicher",
                        "brunnenstr",
                        "sunday|sun",
                        "11:45|11.45|quarter to twelve|quarter to 12",
                        "third floor|3rd floor|floor 3|floor three|third-floor|3rd-floor",
                        "back|rear",
                    ],
                )
                .delete("Night desk rota"),
        )
        .note(
            "Night desk rota",
            "hotel",
            "Mondays Ruben, Tuesdays to Thursdays me, weekends whoever loses the toss.",
        )
        .note(
            "Hotel staff discount",
            "hotel",
            "30 percent in the sister house, good for a year after leaving.",
        )
        .note(
            "Flat viewings",
            "flat",
            "- Kanalufer 8, Friday 17:30, ground floor\n- Am Speicher 21, Saturday 10:00, no lift",
        )
        .note(
            "Flat inventory",
            "flat",
            "- two armchairs\n- the mirror with the crack\n- a hob, bought from Ruben",
        )
        .solved_by(&[
            Edit::Delete("Night desk rota"),
            Edit::Append(
                "Flat viewings",
                "\n- Brunnenstrasse, Sunday 11:45, third floor at the back",
            ),
        ]),
    ]
}
