//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::zoo_rounds;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        one_of_its_lines(),
        with_typos(),
        from_several(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-piercing-rinse",
            "how often was i meant to rinse the new piercing?",
            Expected::default()
                .answer(
                    &["twice|two times|2 times|2x|2 x|every 12|every twelve"],
                    &["Piercing"],
                )
                .lacking(&["4|four"]),
        )
        .note(
            "Piercing",
            "body",
            "Rinse it with saline twice a day for six weeks. No sauna, no chewing on it.",
        )
        .note(
            "Sinus rinse",
            "health",
            "Four times a day when there is a cold. Lukewarm water.",
        )
        .solved_by(&[Edit::Answer("Twice a day.", &["Piercing"])]),
        Task::strict(
            "ask-stilt-walker",
            "My boss wants the stilt walker from our summer do again. What was her name?",
            Expected::default()
                .answer(&["nwosu|perpetua"], &["Summer do"])
                .lacking(&["lazlo"]),
        )
        .note(
            "Summer do",
            "work",
            "Perpetua Nwosu walked on stilts and juggled. The ribs ran out by eight.",
        )
        .note(
            "Winter do",
            "work",
            "Lazlo swallowed fire in the yard, the boss had mulled wine on his tie.",
        )
        .solved_by(&[Edit::Answer("Perpetua Nwosu.", &["Summer do"])]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-climbing-frame-spanner",
            "Which spanner do I need for the swing hooks on the climbing frame",
            Expected::default()
                .answer(&["17|seventeen"], &["Climbing frame"])
                .lacking(&["13|thirteen", "10|ten mm|ten milli"]),
        )
        .note(
            "Climbing frame",
            "garden",
            "Ladder: 13 mm spanner\nSwing hooks: 17 mm spanner\nSlide: Allen key",
        )
        .note(
            "Bunk bed",
            "children",
            "The hooks of the ladder take the 10 mm spanner, tighten them each autumn.",
        )
        .solved_by(&[Edit::Answer("The 17 mm one.", &["Climbing frame"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-owl-sanctuary",
            "wen dose teh owl santuary shut on sundys",
            Expected::default()
                .answer(
                    &["15:30|15.30|3:30|3.30|15h30|half past three|half past 3|half three"],
                    &["Owl sanctuary"],
                )
                .lacking(&["18:15|18.15|6:15|6.15"]),
        )
        .note(
            "Owl sanctuary",
            "outings",
            "It shuts at 15:30 on Sundays. No flash, prams at the kiosk.",
        )
        .note(
            "Reptile house",
            "outings",
            "Shuts at 18:15 on Sundays. Feeding is worth the wait.",
        )
        .solved_by(&[Edit::Answer("At 15:30.", &["Owl sanctuary"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-cats-drops",
            "drops for mogli and for frida, how many does each of them get",
            Expected::default()
                .answer(&["7|seven", "5|five"], &["Mogli", "Frida"])
                .lacking(&["11|eleven"]),
        )
        .note(
            "Mogli",
            "cats",
            "Gets 7 drops in the evening. Hides behind the washing machine.",
        )
        .note(
            "Frida",
            "cats",
            "5 drops in the evening, with tuna. Scratches when held.",
        )
        .note(
            "Ozzy",
            "cats",
            "11 drops in the evening. Eats anything, even the label.",
        )
        .solved_by(&[Edit::Answer(
            "Mogli 7 drops, Frida 5.",
            &["Mogli", "Frida"],
        )]),
        Task::strict(
            "ask-lent-planer",
            "Neither the planer nor the hot glue gun is in the workshop! Who have I lent those two to?",
            Expected::default()
                .answer(&["ezekiel", "wanda"], &["Planer", "Hot glue gun"])
                .lacking(&["bogdan"]),
        )
        .note(
            "Planer",
            "workshop",
            "Lent to Ezekiel for his front door. The blades want turning.",
        )
        .note(
            "Hot glue gun",
            "workshop",
            "Lent to Wanda for the carnival float, with two packs of sticks.",
        )
        .note(
            "Stapler",
            "workshop",
            "Lent to Bogdan for his chair seats. 8 mm staples.",
        )
        .solved_by(&[Edit::Answer(
            "The planer is with Ezekiel, the hot glue gun with Wanda.",
            &["Planer", "Hot glue gun"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-sauerkraut-german",
            "wie lang muss das sauerkraut nochmal im topf bleiben?",
            Expected::default()
                .answer(&["6|sechs"], &["Sauerkraut"])
                .lacking(&["4|vier"]),
        )
        .note(
            "Sauerkraut",
            "küche",
            "20 g Salz auf ein Kilo Kohl.\nSechs Wochen im Topf lassen\nRand mit Wasser auffüllen",
        )
        .note(
            "Rumtopf",
            "küche",
            "Vier Monate im Topf lassen, nicht rühren. Früchte nach und nach.",
        )
        .solved_by(&[Edit::Answer("Sechs Wochen.", &["Sauerkraut"])]),
        Task::strict(
            "ask-circular-japanese",
            "回覧板って、うちの次はどこの家だったっけ",
            Expected::default()
                .answer(&["小川"], &["回覧板"])
                .lacking(&["石井"]),
        )
        .note(
            "回覧板",
            "町内",
            "うちの次は小川さん。\n三日以内に回す。\n判子を押す。",
        )
        .note("ごみ当番", "町内", "うちの次は石井さん。\n網を片づける。")
        .solved_by(&[Edit::Answer("小川さんです。", &["回覧板"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-zoo-bracelet",
            "somebody handed something in during my zoo rounds, who was that and what was it?",
            Expected::default()
                .answer(&["achterberg", "bracelet"], &["Zoo rounds"])
                .lacking(&["monteiro"]),
        )
        .note("Zoo rounds", "work", &zoo_rounds())
        .note(
            "Lost property at school",
            "children",
            "Mr Monteiro handed in a scarf, the box is emptied at the end of term.",
        )
        .solved_by(&[Edit::Answer(
            "Mrs Achterberg handed in a silver bracelet.",
            &["Zoo rounds"],
        )]),
        Task::strict(
            "ask-crowd-kilt",
            "I'm at the weaver's. How many yards of tartan does the kilt maker want?",
            Expected::default()
                .answer(&["8|eight"], &["Kilt"])
                .lacking(&["12|twelve"]),
        )
        .note(
            "Kilt",
            "clothes",
            "Mr Drummond makes it and wants 8 yards of tartan. Fitting without shoes.",
        )
        .note(
            "Sofa cover",
            "house",
            "12 yards of corduroy, wash it first. The zip goes at the back.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("8 yards.", &["Kilt"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_measure(), unknown_day()].concat()
}

fn unknown_measure() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bathroom-blind",
            "how wide is the roller blind in the bathroom",
            Expected::default().no_answer(&["118", "hundred and eighteen"]),
        )
        .note(
            "Bathroom blind",
            "house",
            "White, rolls up on the right. The chain must not get wet, new ones at Tessmer's.",
        )
        .note(
            "Kitchen blind",
            "house",
            "118 cm wide, with lemons on it. Wipe it, never wash.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say how wide it is.")]),
    ]
}

fn unknown_day() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-latin-class-start",
            "When does the Latin evening class begin? I'd like to put in for the day off",
            Expected::default().no_answer(&["september", "22"]),
        )
        .note(
            "Latin evening class",
            "courses",
            "With Mrs Okafor in room 12, she lends out the red grammar.",
        )
        .note(
            "Greek evening class",
            "courses",
            "Begins on 22 September, the cellar room. Bring a thick exercise book.",
        )
        .solved_by(&[Edit::NotFound("It is not noted when it begins.")]),
    ]
}
