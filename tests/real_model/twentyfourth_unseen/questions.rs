//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::pawn_book;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
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
            "ask-sailor-jumper-sleeve",
            "sleeve of the sailor jumper, how many rows was that",
            Expected::default()
                .answer(&["64|sixty-four|sixty four"], &["Sailor jumper"])
                .lacking(&["88|eighty-eight|eighty eight", "38|thirty-eight|thirty eight"]),
        )
        .note(
            "Sailor jumper",
            "knitting",
            "Body: 88 rows\nSleeve: 64 rows\nThe anchor goes on last.",
        )
        .note(
            "Baby cardigan",
            "knitting",
            "Sleeve: 38 rows, in moss stitch. Buttons from the bear jar.",
        )
        .solved_by(&[Edit::Answer("64 rows.", &["Sailor jumper"])]),
        Task::strict(
            "ask-peeling-contest-judge",
            "Could you tell me who we settled on as the judge for the peeling contest?",
            Expected::default()
                .answer(&["achterberg"], &["Potato day"])
                .lacking(&["ignace", "whittaker", "ludmila"]),
        )
        .note(
            "Potato day",
            "village",
            "- tombola: Ignace\n- peeling contest: Mrs Achterberg is the judge\n- music: the Whittaker boys",
        )
        .note(
            "Pumpkin weighing",
            "village",
            "Ludmila is the judge, her scales go up to 300 kilos.",
        )
        .solved_by(&[Edit::Answer("Mrs Achterberg.", &["Potato day"])]),
        Task::strict(
            "ask-rhubarb-variety",
            "there's a whole shelf of rhubarb here in the garden centre and i want the same one we've got at home. \
             which variety is ours??",
            Expected::default()
                .answer(&["timperley"], &["Rhubarb"])
                .lacking(&["invicta"]),
        )
        .note(
            "Rhubarb",
            "garden",
            "Variety: Timperley, behind the compost.\nNo more picking after midsummer",
        )
        .note(
            "Gooseberries",
            "garden",
            "Variety: Invicta. Wear the long gloves, net them in June.",
        )
        .solved_by(&[Edit::Answer("Timperley.", &["Rhubarb"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-guitar-body-grit",
            "wich grit do i sadn teh guitr body wiht in teh last pas",
            Expected::default()
                .answer(&["320"], &["Guitar body"])
                .lacking(&["120", "180"]),
        )
        .note(
            "Guitar body",
            "workshop",
            "First pass: grit 120\nLast pass: grit 320\nThe oil comes a day later.",
        )
        .note(
            "Stair treads",
            "workshop",
            "Last pass: grit 180. Only with the grain, masks on.",
        )
        .solved_by(&[Edit::Answer("Grit 320.", &["Guitar body"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-school-out-wednesday",
            "wednesday pick-ups: when is edmund out of school and when is liv?",
            Expected::default()
                .answer(
                    &[
                        "13:05|13.05|1:05|1.05|five past one",
                        "14:25|14.25|2:25|2.25|twenty-five past two",
                    ],
                    &["Edmund", "Liv"],
                )
                .lacking(&["11:50|11.50|ten to twelve"]),
        )
        .note(
            "Edmund",
            "children",
            "Wednesdays school is out at 13:05. His sports bag hangs in the hall.",
        )
        .note(
            "Liv",
            "children",
            "On Wednesdays out of school at 14:25, by the bicycle gate.",
        )
        .note(
            "Rosalba",
            "children",
            "Wednesdays out at 11:50, she walks home with the neighbours.",
        )
        .solved_by(&[Edit::Answer(
            "Edmund at 13:05, Liv at 14:25.",
            &["Edmund", "Liv"],
        )]),
        Task::strict(
            "ask-sextant-and-barometer",
            "I've got the insurance people on the line. What did I pay for the sextant, and what did the barometer \
             cost me?",
            Expected::default()
                .answer(
                    &["1150|1,150|1.150|1 150|1'150", "290"],
                    &["Sextant", "Barometer"],
                )
                .lacking(&["730"]),
        )
        .note(
            "Sextant",
            "antiques",
            "1,150 euros from the widow in Emden. The box has woodworm.",
        )
        .note(
            "Barometer",
            "antiques",
            "290 euros at the clearance sale. Tap it gently.",
        )
        .note(
            "Ship's bell",
            "antiques",
            "730 euros, and far too loud. Polish it with ash.",
        )
        .solved_by(&[Edit::Answer(
            "The sextant was 1,150 euros and the barometer 290 euros.",
            &["Sextant", "Barometer"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-clothes-line-german",
            "Ich steh grad mit dem Spaten im Garten: Wie tief muss die Bodenhülse für die Wäschespinne?",
            Expected::default()
                .answer(&["55"], &["Wäschespinne"])
                .lacking(&["40"]),
        )
        .note(
            "Wäschespinne",
            "garten",
            "Bodenhülse 55 cm tief, mit Beton.\nIm Herbst Deckel drauf\nDie Leine ist 60 m lang.",
        )
        .note(
            "Sonnenschirm",
            "garten",
            "Bodenhülse 40 cm tief, nur in Kies. Bei Wind zuklappen.",
        )
        .solved_by(&[Edit::Answer("55 cm tief.", &["Wäschespinne"])]),
        Task::strict(
            "ask-soba-place-japanese",
            "蕎麦打ち体験ってどこでやるんだったかな",
            Expected::default()
                .answer(&["公民館"], &["蕎麦打ち体験"])
                .lacking(&["道の駅"]),
        )
        .note(
            "蕎麦打ち体験",
            "お出かけ",
            "場所：公民館の調理室\n持ち物：エプロンと手拭い",
        )
        .note(
            "藍染め体験",
            "お出かけ",
            "場所：道の駅の裏\n汚れてもいい服で行く。",
        )
        .solved_by(&[Edit::Answer("公民館の調理室です。", &["蕎麦打ち体験"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pawned-tuba",
            "somebody pawned a tuba with us once. who was it that got it back, and what did he pay with",
            Expected::default()
                .answer(&["balthasar", "cherries|cherry"], &["Pawn book"])
                .lacking(&["ottoline", "plums|plum"]),
        )
        .note("Pawn book", "shop", &pawn_book())
        .note(
            "Marching band",
            "music",
            "Ottoline lends us her tuba, and all she wants is a crate of plums.",
        )
        .solved_by(&[Edit::Answer(
            "Balthasar, and he paid with cherries.",
            &["Pawn book"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_day_and_person()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-theremin-lesson",
            "What does Feodora charge for a theremin lesson? My nephew would like to know.",
            Expected::default().no_answer(&["26|twenty-six|twenty six"]),
        )
        .note(
            "Theremin lessons",
            "music",
            "Feodora teaches in her attic, on Thursdays. Take your rings off.",
        )
        .note(
            "Zither lessons",
            "music",
            "26 euros for three quarters of an hour. Bring your own picks.",
        )
        .solved_by(&[Edit::NotFound("That is not in the notes.")]),
    ]
}

fn unknown_day_and_person() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-crane-day",
            "what day is the crane coming, i need to warn next door about the noise",
            Expected::default().no_answer(&["19 Feb", "19. Feb", "Feb 19", "February 19", "19th"]),
        )
        .note(
            "Crane",
            "building site",
            "Reaches 24 metres, needs the whole drive. Mind the cable over the gate.",
        )
        .note(
            "Scaffolding",
            "building site",
            "Goes up on 19 February at 7:00. The nets cost extra.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-tadpole-keeper",
            "Did I write down who looks after the tadpoles in the holidays?",
            Expected::default().no_answer(&["absalom"]),
        )
        .note(
            "Tadpoles",
            "school",
            "Half of the water is changed on Mondays. Boiled lettuce, never in the sun.",
        )
        .note(
            "Snails",
            "school",
            "Absalom takes them home in the holidays. Cuttlebone and cucumber.",
        )
        .solved_by(&[Edit::NotFound("Nobody is named.")]),
    ]
}
