//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::running_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        from_look_alikes(),
        from_several(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-yoghurt",
            "how many hours does the yoghurt have to stand again?",
            Expected::default()
                .answer(&["nine|9"], &["Homemade yoghurt"])
                .lacking(&["three hours", "3 hours"]),
        )
        .note(
            "Homemade yoghurt",
            "kitchen",
            "Warm the milk to 85 degrees, let it cool to 43. Stir in two spoons of the last one, then it \
             stands for nine hours.",
        )
        .note(
            "Ricotta",
            "kitchen",
            "Let it drain for three hours, the whey is good for bread.",
        )
        .solved_by(&[Edit::Answer("Nine hours.", &["Homemade yoghurt"])]),
    ]
}

fn from_look_alikes() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-shelf",
            "How much weight can I put on the hallway shelf?",
            Expected::default()
                .answer(&["25"], &["Shelf in the hallway"])
                .lacking(&["15"]),
        )
        .note(
            "Shelf in the hallway",
            "furniture",
            "Four screws of 60 mm. It holds 25 kg.",
        )
        .note(
            "Shelf in the study",
            "furniture",
            "Three screws of 40 mm. It holds 15 kg.",
        )
        .solved_by(&[Edit::Answer("25 kg.", &["Shelf in the hallway"])]),
        Task::strict(
            "ask-lift",
            "lift is stuck with the neighbour in it, who do I call??",
            Expected::default()
                .answer(&["kowalczyk"], &["Lift"])
                .lacking(&["ottmann", "ferreira"]),
        )
        .note(
            "Lift",
            "building",
            "If it is stuck: call Ms Kowalczyk, 555 0142\nYearly inspection: Ottmann Ltd",
        )
        .note(
            "Garage door",
            "building",
            "If it is stuck: call Mr Ferreira, 555 0178",
        )
        .solved_by(&[Edit::Answer("Ms Kowalczyk, 555 0142.", &["Lift"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-chairs",
            "if we put the folding chairs from our garage and the ones at Gran's together, how many is \
             that?",
            Expected::default()
                .answer(&["22|twenty-two|twenty two"], &["Garage", "Gran's house"])
                .lacking(&["60", "82"]),
        )
        .note(
            "Garage",
            "house",
            "Folding chairs: 8. The winter tyres are on the left.",
        )
        .note(
            "Gran's house",
            "gran",
            "Folding chairs: 14, in the cellar. The doorbell is broken.",
        )
        .note(
            "Parish centre",
            "parish",
            "Folding chairs: 60. They may not leave the building.",
        )
        .solved_by(&[Edit::Answer(
            "8 and 14, which makes 22 folding chairs.",
            &["Garage", "Gran's house"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bins-german",
            "an welchem tag wird nochmal die braune tonne geleert?",
            Expected::default()
                .answer(&["montag|monday"], &["Müllabfuhr"])
                .lacking(&["donnerstag", "mittwoch"]),
        )
        .note(
            "Müllabfuhr",
            "haus",
            "Braune Tonne: montags\nGelbe Tonne: jeden zweiten Donnerstag\nPapier: am 9. des Monats",
        )
        .note(
            "Wertstoffhof",
            "haus",
            "Mittwochs bis 19 Uhr offen, Grünschnitt ist umsonst.",
        )
        .solved_by(&[Edit::Answer("Montags.", &["Müllabfuhr"])]),
        Task::strict(
            "ask-code-spanish",
            "¿Cuál era el código del portal de la abuela?",
            Expected::default()
                .answer(&["2580B|2580 B|2580-B"], &["Portal de la abuela"])
                .lacking(&["7714"]),
        )
        .note(
            "Portal de la abuela",
            "códigos",
            "El código es 2580B. El timbre no suena.",
        )
        .note(
            "Portal de la oficina",
            "códigos",
            "El código es 7714A. Después de las ocho hay que llamar.",
        )
        .solved_by(&[Edit::Answer("Es 2580B.", &["Portal de la abuela"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-windmill",
            "who was it that ran to the windmill with me",
            Expected::default()
                .answer(&["oyelaran"], &["Running log"])
                .lacking(&["bettina", "hoekstra"]),
        )
        .note("Running log", "running", &running_log())
        .note(
            "Windmill",
            "outings",
            "Open on the first Sunday of the month, Mr Hoekstra shows the millstones.",
        )
        .solved_by(&[Edit::Answer("Oyelaran.", &["Running log"])]),
        Task::strict(
            "ask-crowd-water",
            "What's our customer number with the water company?",
            Expected::default().answer(&["40-7716-3|4077163|40 7716 3"], &["Water company"]),
        )
        .note(
            "Water company",
            "contracts",
            "Customer number: 40-7716-3. They read the meter in December.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("40-7716-3.", &["Water company"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price_and_name(), unknown_time()].concat()
}

fn unknown_price_and_name() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-sofa",
            "what did the sofa cost us back then?",
            Expected::default().no_answer(&["85", "40"]),
        )
        .note(
            "Sofa",
            "furniture",
            "Bought at Lindholm's. The covers can be washed at 40 degrees.",
        )
        .note(
            "Armchair",
            "furniture",
            "From an online auction, 85 euros. The springs are new.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-teacher",
            "Can you tell me the name of Ida's class teacher?",
            Expected::default().no_answer(&["tremblay", "bakshi"]),
        )
        .note(
            "Ida's school",
            "ida, school",
            "Starts at 8:05. PE on Tuesdays, bring the trainers. Ms Bakshi runs the lost property office.",
        )
        .note(
            "Jonas's school",
            "jonas, school",
            "Starts at 7:50. His class teacher is Mr Tremblay.",
        )
        .solved_by(&[Edit::NotFound("No class teacher of Ida is named.")]),
    ]
}

fn unknown_time() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-museum",
            "until when is the clock museum open on sundays",
            Expected::default().no_answer(&[
                "17:00|17.00|17 o'clock|17h|5 pm|5 p.m|5pm|5:00|five o'clock|\
                 until 5|until 17|till 5|at 5|at 17",
                "7 pm|7pm|7 p.m|7:00|7 o'clock|until 7|till 7",
            ]),
        )
        .note(
            "Clock museum",
            "outings",
            "Tickets are 7 euros, children go in free. The café has good cheesecake.",
        )
        .note(
            "Toy museum",
            "outings",
            "On Sundays it is open until 17:00. Tickets are 6 euros.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}
