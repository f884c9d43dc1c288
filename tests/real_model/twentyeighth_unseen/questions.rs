//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::milk_book;
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
        among_many(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-cafetiere-grams",
            "guests any minute, how much coffee goes in the big cafetiere again?",
            Expected::default()
                .answer(&["58|fifty-eight|fifty eight"], &["Big cafetière"])
                .lacking(&["22|twenty-two|twenty two"]),
        )
        .note(
            "Big cafetière",
            "kitchen",
            "Takes 58 g of coffee, ground coarsely. Four minutes, then press.",
        )
        .note(
            "Moka pot",
            "kitchen",
            "22 g of coffee, ground finely. Small flame, lid open.",
        )
        .solved_by(&[Edit::Answer("58 g.", &["Big cafetière"])]),
        Task::strict(
            "ask-madeira-tip",
            "Somebody told us we absolutely must go to Madeira, do you know who that was?",
            Expected::default()
                .answer(&["ottokar"], &["Madeira"])
                .lacking(&["brigitta"]),
        )
        .note(
            "Madeira",
            "travel",
            "A tip from Ottokar: go in April, stay on the north side. The bus drivers are fearless.",
        )
        .note(
            "Azores",
            "travel",
            "Brigitta told us to go, whales from June on. Pack for four seasons.",
        )
        .solved_by(&[Edit::Answer("That was Ottokar.", &["Madeira"])]),
    ]
}

fn one_of_its_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-wall-plugs",
            "I'm up on the ladder with the drill. What size do I need for the red wall plugs?",
            Expected::default()
                .answer(&["6|six"], &["Wall plugs"])
                .lacking(&["8|eight", "10|ten mm", "12|twelve"]),
        )
        .note(
            "Wall plugs",
            "tools",
            "Grey: 8 mm drill\nRed: 6 mm drill\nWhite: 10 mm drill, for the boiler",
        )
        .note(
            "Dowels",
            "tools",
            "The red box holds the ones of 12 mm, glue is in the blue one.",
        )
        .solved_by(&[Edit::Answer("6 mm.", &["Wall plugs"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-mooring-number",
            "wich nubmer is oru mooring agian, teh harbor mastre is askign",
            Expected::default()
                .answer(&["83|eighty-three|eighty three"], &["Mooring"])
                .lacking(&["17|seventeen"]),
        )
        .note(
            "Mooring",
            "boat",
            "Number 83, second pontoon on the left. The tap is at the ladder.",
        )
        .note(
            "Winter berth",
            "boat",
            "Hall 2, number 17, the cradle is Henk's. Mast off by October.",
        )
        .solved_by(&[Edit::Answer("Number 83.", &["Mooring"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-camp-allergies",
            "filling in the form for the camp. what are finn and rosalind allergic to?",
            Expected::default()
                .answer(&["hazelnut", "plaster"], &["Finn", "Rosalind"])
                .lacking(&["penicillin"]),
        )
        .note(
            "Finn",
            "children",
            "Allergic to hazelnuts. Sleeps with the door ajar, size 128.",
        )
        .note(
            "Rosalind",
            "children",
            "She is allergic to sticking plasters, gauze is fine. Swims like a fish.",
        )
        .note(
            "Bertram",
            "children",
            "Allergic to penicillin. Only eats the crust.",
        )
        .solved_by(&[Edit::Answer(
            "Finn to hazelnuts, Rosalind to sticking plasters.",
            &["Finn", "Rosalind"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-studio-keys-french",
            "à qui on rend les clés du studio de Biarritz en partant ?",
            Expected::default()
                .answer(&["etcheverry"], &["Studio à Biarritz"])
                .lacking(&["bastien"]),
        )
        .note(
            "Studio à Biarritz",
            "vacances",
            "Du 5 au 12 juillet.\nRendre les clés à madame Etcheverry, au rez-de-chaussée\nPoubelles le mardi",
        )
        .note(
            "Studio photo",
            "travail",
            "Rendre les clés à Bastien avant 20 h. Le fond gris est déchiré.",
        )
        .solved_by(&[Edit::Answer(
            "À madame Etcheverry, au rez-de-chaussée.",
            &["Studio à Biarritz"],
        )]),
        Task::strict(
            "ask-barber-japanese",
            "いつもの床屋って、休みは何曜日だったっけ",
            Expected::default()
                .answer(&["木曜"], &["床屋"])
                .lacking(&["火曜"]),
        )
        .note(
            "床屋",
            "町内",
            "定休日は木曜。\n顔そり込みで四千円。\n予約は電話だけ。",
        )
        .note(
            "クリーニング店",
            "町内",
            "定休日は火曜。\nシャツは一枚二百円。",
        )
        .solved_by(&[Edit::Answer("木曜日です。", &["床屋"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-milk-book-present",
            "On one of the milk rounds a family gave us something for the depot. Who were they and what did we get?",
            Expected::default()
                .answer(&["kowalczyk", "walnut"], &["Milk book"])
                .lacking(&["brightwell"]),
        )
        .note("Milk book", "work", &milk_book())
        .note(
            "Bus depot",
            "town",
            "Lost property is at the back. The Brightwells got their umbrella there.",
        )
        .solved_by(&[Edit::Answer(
            "The Kowalczyks gave us a sack of walnuts.",
            &["Milk book"],
        )]),
    ]
}

fn among_many() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-crowd-wheel-nuts",
            "The chap at the tyre place wants the adapter for our wheel nuts, where have we got that?",
            Expected::default()
                .answer(
                    &["glove box|glovebox|glove-box|glove compartment"],
                    &["Wheel nut adapter"],
                )
                .lacking(&["boot"]),
        )
        .note(
            "Wheel nut adapter",
            "car",
            "In the glove box, inside the striped sock. Never hand it over without the code card.",
        )
        .note(
            "Snow brush",
            "car",
            "In the boot, under the mat. The scraper is broken.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer(
            "In the glove box, inside the striped sock.",
            &["Wheel nut adapter"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_number_and_day()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-scaffolding-price",
            "Next door are getting scaffolding too and want to know what ours cost. How much was it?",
            Expected::default().no_answer(&["2,300|2300|2.300|2 300", "twenty-three hundred"]),
        )
        .note(
            "Scaffolding",
            "house",
            "Firm of Rademacher, stood for five weeks. They wrapped up the gutter.",
        )
        .note(
            "Plasterer",
            "house",
            "It cost 2,300 euros for the whole front. He starts at six and sings.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it cost.")]),
    ]
}

fn unknown_number_and_day() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-floorball-number",
            "what number does jonas have on his floorball shirt?",
            Expected::default().no_answer(&["14|fourteen", "92|ninety-two"]),
        )
        .note(
            "Floorball",
            "sport",
            "Jonas plays left wing, stick of 92 cm. Shirts are washed inside out.",
        )
        .note(
            "Basketball",
            "sport",
            "Jonas had number 14 on the shirt, Yusuf has it now.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-internship-start",
            "When does Kasper start his internship? I want to get him a bus pass in time",
            Expected::default().no_answer(&["july", "8"]),
        )
        .note(
            "Kasper's internship",
            "school",
            "At the joiner's, three weeks. Steel-toed boots, Ms Ruiz looks after him.",
        )
        .note(
            "Kasper's language course",
            "school",
            "Starts on 8 July in Brighton. The host family has a parrot.",
        )
        .solved_by(&[Edit::NotFound("It is not noted when he starts.")]),
    ]
}
