//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::build_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        in_a_hurry(),
        from_one_note(),
        from_several(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn in_a_hurry() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-ask-stopcock",
            "Water's coming through the kitchen ceiling!! where is the stopcock",
            Expected::default()
                .answer(&["stair"], &["Stopcock"])
                .lacking(&["garage", "freezer"]),
        )
        .note(
            "Stopcock",
            "house",
            "Under the third stair, behind the shoe rack. Turn it clockwise.",
        )
        .note(
            "Gas tap",
            "house",
            "In the garage, behind the freezer. A quarter turn.",
        )
        .note(
            "Kitchen ceiling",
            "house",
            "Painted in May, two coats of chalk white.",
        )
        .solved_by(&[Edit::Answer(
            "Under the third stair, behind the shoe rack.",
            &["Stopcock"],
        )]),
        Task::strict(
            "cb-ask-nans-wifi",
            "nans wifi password??",
            Expected::default()
                .answer(&["toffee-hammer-88"], &["Nan's wifi"])
                .lacking(&["grey-otter-41"]),
        )
        .note(
            "Nan's wifi",
            "",
            "network larkspur, password toffee-hammer-88",
        )
        .note(
            "Dad's office wifi",
            "",
            "network bluebarn, password grey-otter-41",
        )
        .solved_by(&[Edit::Answer("It is toffee-hammer-88.", &["Nan's wifi"])]),
        Task::strict(
            "cb-ask-paella-rice",
            "hwo many gramms of rice did i recon per persn for teh paella",
            Expected::default()
                .answer(&["85|eighty-five|eighty five"], &["Paella"])
                .lacking(&["70|seventy"]),
        )
        .note(
            "Paella",
            "catering",
            "Per person: 85 g of rice, two prawns, a slice of lemon. The big pan feeds sixty.",
        )
        .note(
            "Risotto",
            "catering",
            "Per person: 70 g of rice and a ladle of stock. Stir!",
        )
        .solved_by(&[Edit::Answer("85 g per person.", &["Paella"])]),
    ]
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-ask-queen-dot",
            "what colour dot has the queen in hive 2 got",
            Expected::default()
                .answer(&["yellow"], &["Hive 2"])
                .lacking(&["green"]),
        )
        .note(
            "Hive 2",
            "bees",
            "The queen has a yellow dot, she is from Slovenia. Two supers on.",
        )
        .note(
            "Hive 5",
            "bees",
            "The queen has a green dot, a bad-tempered lot. One super on.",
        )
        .solved_by(&[Edit::Answer("A yellow one.", &["Hive 2"])]),
        Task::strict(
            "cb-ask-vestry-door",
            "I am standing in the paint shop and cannot for the life of me recall which RAL number the vestry door has. \
             Would you look it up?",
            Expected::default()
                .answer(&["5004"], &["Vestry door"])
                .lacking(&["6009"]),
        )
        .note(
            "Vestry door",
            "church",
            "Repainted in RAL 5004, gloss. The hinges want graphite, not oil.",
        )
        .note(
            "Notice board",
            "church",
            "The frame is RAL 6009, matt. The key is on the vestry hook.",
        )
        .solved_by(&[Edit::Answer("RAL 5004, gloss.", &["Vestry door"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-ask-shoe-sizes",
            "My mother-in-law is buying sandals for the little ones. What size does Wilma take, and what size Emil?",
            Expected::default()
                .answer(
                    &["24|twenty-four|twenty four", "26|twenty-six|twenty six"],
                    &["Wilma", "Emil"],
                )
                .lacking(&["29|twenty-nine"]),
        )
        .note(
            "Wilma",
            "twins",
            "Shoe size 24, narrow feet. Won't sleep without the grey rabbit.",
        )
        .note(
            "Emil",
            "twins",
            "Shoe size 26, velcro only. No egg for now.",
        )
        .note(
            "Rafi",
            "family",
            "Shoe size 29. Our nephew, he is into diggers.",
        )
        .solved_by(&[Edit::Answer(
            "Wilma takes 24 and Emil 26.",
            &["Wilma", "Emil"],
        )]),
        Task::strict(
            "cb-ask-trinity-sunday",
            "I'm printing the pew sheet and need two names for Trinity Sunday: who reads the lesson, and who does the \
             coffee?",
            Expected::default()
                .answer(&["abernathy", "nwosu"], &["Readers", "Coffee rota"])
                .lacking(&["osgood", "lambert", "yardley"]),
        )
        .note(
            "Readers",
            "church",
            "Lesson on Whit Sunday: Mr Osgood\nLesson on Trinity Sunday: Miss Abernathy",
        )
        .note(
            "Coffee rota",
            "church",
            "Whit Sunday: the Lamberts\nTrinity Sunday: Dr Nwosu\nMilk is in the vestry fridge.",
        )
        .note(
            "Collection",
            "church",
            "Whit Sunday: Mr Osgood\nTrinity Sunday: Mr Yardley",
        )
        .solved_by(&[Edit::Answer(
            "Miss Abernathy reads the lesson, Dr Nwosu does the coffee.",
            &["Readers", "Coffee rota"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-ask-sourdough-german",
            "wie oft wollte der sauerteig nochmal gefüttert werden?",
            Expected::default()
                .answer(&["5|fünf"], &["Sauerteig"])
                .lacking(&["9|neun"]),
        )
        .note(
            "Sauerteig",
            "küche",
            "Heißt Hubertus und steht im Kühlschrank. Alle 5 Tage füttern, mit 60 g Roggenmehl.",
        )
        .note(
            "Kombucha",
            "küche",
            "Alle 9 Tage neu ansetzen, mit 70 g Zucker. Das Tuch muss sauber sein.",
        )
        .solved_by(&[Edit::Answer("Alle 5 Tage.", &["Sauerteig"])]),
        Task::strict(
            "cb-ask-pool-portuguese",
            "A que horas abre a piscina municipal ao sábado? É para levar lá os miúdos.",
            Expected::default()
                .answer(
                    &["8h30|8:30|08h30|08:30|8.30|8 h 30|oito e meia"],
                    &["Piscina municipal"],
                )
                .lacking(&["10h15|10:15|dez e um quarto"]),
        )
        .note(
            "Piscina municipal",
            "família",
            "Ao sábado abre às 8h30, a touca é obrigatória. O cacifo leva uma moeda de 1 euro.",
        )
        .note(
            "Ludoteca municipal",
            "família",
            "Ao sábado abre às 10h15, só para miúdos até aos 12 anos.",
        )
        .solved_by(&[Edit::Answer("Às 8h30.", &["Piscina municipal"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-ask-gudgeon-pin",
            "Where on earth did that gudgeon pin turn up in the end? I must have put it in the build log at the time.",
            Expected::default()
                .answer(&["vacuum|hoover"], &["Build log"])
                .lacking(&["compost"]),
        )
        .note("Build log", "model engineering", &build_log())
        .note(
            "Garden gate",
            "garden",
            "The lost hinge pin turned up in the compost. Grease it in spring.",
        )
        .solved_by(&[Edit::Answer(
            "In the bag of the vacuum cleaner.",
            &["Build log"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    vec![
        Task::strict(
            "cb-ask-piano-tuner-number",
            "what was the number of the piano tuner again, I'd like to ring him today",
            Expected::default().no_answer(&["552318", "552 318", "01904"]),
        )
        .note(
            "Piano tuner",
            "music",
            "Mr Vasilenko, every other spring. He takes his coffee black.",
        )
        .note(
            "Organ builder",
            "music",
            "Ring 01904 552318 and ask for the workshop.",
        )
        .solved_by(&[Edit::NotFound("His number is not in the notes.")]),
        Task::strict(
            "cb-ask-camper-tank",
            "We're working out the diesel money for Brittany. How many litres does the tank of the camper van hold?",
            Expected::default().no_answer(&["72", "seventy-two", "seventy two"]),
        )
        .note(
            "Camper van",
            "travel",
            "Diesel, the tank cap wants a firm push. Belongs to Ottilie's brother.",
        )
        .note(
            "Removal van",
            "moving",
            "The tank holds 72 litres of diesel, return it full. White, with a dent.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}
