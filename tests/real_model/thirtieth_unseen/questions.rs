//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::commute_diary;
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
        overview(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-spare-glasses",
            "where did I say my spare glasses are",
            Expected::default()
                .answer(&["glove"], &["Glasses"])
                .lacking(&["sideboard"]),
        )
        .note(
            "Glasses",
            "health",
            "Frame from Optik Nordlicht, minus 2.25 on both sides. The spare pair is \
             in the glove compartment.",
        )
        .note(
            "Wine glasses",
            "kitchen",
            "Twelve of them, two chipped. The spare ones are in the sideboard.",
        )
        .solved_by(&[Edit::Answer("In the glove compartment.", &["Glasses"])]),
        Task::strict(
            "ask-no-more-silvano",
            "how come we don't order from da silvano anymore, my husband is asking",
            Expected::default()
                .answer(&["dip|swore|swear|swor|rude"], &["Takeaways"])
                .lacking(&["40 min", "bergen"]),
        )
        .note(
            "Takeaways",
            "food",
            "Da Silvano: never again, forgot the dip twice and swore at Oma.\nLotus \
             Garden: good, 40 minutes on a Sunday",
        )
        .note(
            "Silvano the barber",
            "",
            "Has moved to Bergen Street. Beard trim without an appointment.",
        )
        .solved_by(&[Edit::Answer(
            "They forgot the dip twice and swore at Oma.",
            &["Takeaways"],
        )]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-grass-stains",
            "Grass stains all over Milo's white trousers AGAIN. What was it that got \
             them out last time?",
            Expected::default()
                .answer(&["vinegar"], &["Stains"])
                .lacking(&["salt", "cold water", "fizzy"]),
        )
        .note(
            "Stains",
            "laundry",
            "Red wine: salt and fizzy water\nGrass: white vinegar, half an \
             hour\nBlood: cold water, never hot",
        )
        .note(
            "Grass seed",
            "garden",
            "For shade, 2 kilos. Rake it in and keep the sparrows off.",
        )
        .solved_by(&[Edit::Answer("White vinegar, half an hour.", &["Stains"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-yorkshire-puddings",
            "hwo mcuh mlik goes inot teh yorkshire puddigns",
            Expected::default()
                .answer(&["200|two hundred"], &["Yorkshire puddings"])
                .lacking(&["350"]),
        )
        .note(
            "Yorkshire puddings",
            "recipes",
            "4 eggs, 200 ml of milk, as much flour as eggs. Smoking hot fat.",
        )
        .note(
            "Pancakes",
            "recipes",
            "3 eggs, 350 ml of milk. Let the batter rest for half an hour.",
        )
        .solved_by(&[Edit::Answer("200 ml of milk.", &["Yorkshire puddings"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pick-up-times",
            "When do I have to fetch Ronja from gymnastics and when Emre from \
             scouts? I've lost track.",
            Expected::default()
                .answer(
                    &[
                        "17:10|17.10|17h10|5:10|5.10|ten past five|10 past 5|ten past 5",
                        "18:40|18.40|18h40|6:40|6.40|twenty to seven|20 to 7|twenty to 7",
                    ],
                    &["Ronja's gymnastics", "Emre's scouts"],
                )
                .lacking(&["19:20", "7:20"]),
        )
        .note(
            "Ronja's gymnastics",
            "children",
            "Fetch her at 17:10 from the side entrance. Hair in a plait.",
        )
        .note(
            "Emre's scouts",
            "children",
            "Fetch him at 18:40, log cabin by the quarry. Torch in winter.",
        )
        .note(
            "Sabine's drama group",
            "children",
            "Fetch her at 19:20. The script is in the green folder.",
        )
        .solved_by(&[Edit::Answer(
            "Ronja at 17:10, Emre at 18:40.",
            &["Ronja's gymnastics", "Emre's scouts"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-granny-parking-french",
            "c'est quoi déjà le numéro de la place de parking de mamie",
            Expected::default()
                .answer(&["47|quarante-sept"], &["Mamie"])
                .lacking(&["112"]),
        )
        .note(
            "Mamie",
            "famille",
            "Place de parking 47, au deuxième sous-sol.\nSonner deux fois, elle \
             entend mal",
        )
        .note(
            "Bureau",
            "travail",
            "Place de parking 112, badge à la ceinture. Cantine au rez-de-chaussée.",
        )
        .solved_by(&[Edit::Answer("La place 47.", &["Mamie"])]),
        Task::strict(
            "ask-hachee-dutch",
            "Hoe lang moet de hachee ook alweer sudderen?",
            Expected::default()
                .answer(&["3 uur|drie uur|3 u|3u"], &["Hachee"])
                .lacking(&["2 uur|twee uur"]),
        )
        .note(
            "Hachee",
            "recepten",
            "Drie uur laten sudderen op laag vuur, met laurier en kruidnagel.",
        )
        .note(
            "Erwtensoep",
            "recepten",
            "Twee uur zachtjes koken. De lepel moet erin blijven staan.",
        )
        .solved_by(&[Edit::Answer("Drie uur, op laag vuur.", &["Hachee"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-found-trombone",
            "Remember the trombone I found on my way to work? Who did I leave it with?",
            Expected::default()
                .answer(&["ferryman|ferry man"], &["Commute diary"])
                .lacking(&["abernathy"]),
        )
        .note("Commute diary", "cycling", &commute_diary())
        .note(
            "Trombone lessons",
            "music",
            "With Mr Abernathy, second floor, Fridays. He lends out mouthpieces.",
        )
        .solved_by(&[Edit::Answer("With the ferryman.", &["Commute diary"])]),
        Task::strict(
            "ask-crowd-bootlaces",
            "what length of laces do my walking boots need?",
            Expected::default()
                .answer(&["180|1.80|1,80|1.8|1,8"], &["Walking boots"])
                .lacking(&["240"]),
        )
        .note(
            "Walking boots",
            "outdoors",
            "Laces: 180 cm, round ones. Wax the seams after rain.",
        )
        .note(
            "Ice skates",
            "sport",
            "Laces: 240 cm, waxed. Sharpen before Advent.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("180 cm.", &["Walking boots"])]),
    ]
}

fn overview() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-gotland-so-far",
            "What have we got noted about our Gotland holiday so far? Tell me all of \
             it in short, I'm on the phone with my sister",
            Expected::default()
                .answer(
                    &[
                        "nynäshamn|nynashamn|11:25|11.25",
                        "sandberg|august|aug|visby",
                        "hjulet|90|ninety",
                    ],
                    &["Ferry to Gotland", "Cottage in Visby", "Bicycles"],
                )
                .lacking(&["sassnitz", "buckthorn"]),
        )
        .note(
            "Ferry to Gotland",
            "travel",
            "From Nynäshamn at 11:25, car deck 3.",
        )
        .note(
            "Cottage in Visby",
            "travel",
            "On Gotland from 2 to 9 August, Mr Sandberg has the key.",
        )
        .note(
            "Bicycles",
            "travel",
            "For Gotland: rent them at Hjulet, 90 kronor a day.",
        )
        .note(
            "Weekend on Rügen",
            "travel",
            "Train to Sassnitz, seat by the window. Buy sea buckthorn jam.",
        )
        .note(
            "Holiday allowance",
            "work",
            "Paid out with the May wages. Ask Gunhild about the form.",
        )
        .solved_by(&[Edit::Answer(
            "The ferry leaves Nynäshamn at 11:25, car deck 3. The cottage in Visby \
             is from 2 to 9 August, Mr Sandberg has the key. Bicycles are from \
             Hjulet, 90 kronor a day.",
            &["Ferry to Gotland", "Cottage in Visby", "Bicycles"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_birthday(), unknown_time()].concat()
}

fn unknown_birthday() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-new-boss-birthday",
            "when is rosalinds birthday? the new boss i mean, not my aunt",
            Expected::default().no_answer(&["july", "march", "3rd", "12th"]),
        )
        .note(
            "New boss",
            "work",
            "Rosalind, came over from the Leeds office. Tea with oat milk, hates emojis.",
        )
        .note(
            "Birthdays",
            "family",
            "Aunt Rosalind: 3 July\nBen: 12 March",
        )
        .solved_by(&[Edit::NotFound(
            "The notes do not say when the new boss has her birthday.",
        )]),
    ]
}

fn unknown_time() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-ski-day-coach",
            "At what time does the coach leave on our ski day?",
            Expected::default().no_answer(&["7:50|7.50|07:50|07.50|ten to eight"]),
        )
        .note(
            "Ski day",
            "club",
            "27 January, the coach goes from the market square. Lars has the tickets.",
        )
        .note(
            "Museum day",
            "club",
            "The coach leaves at 7:50. Packed lunch, no nuts.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}
