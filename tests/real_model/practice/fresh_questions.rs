//! Questions as people type them, each beside a note that only seems to answer it.

use super::fresh_changing::moving_boxes;
use super::fresh_crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

fn answer(facts: &[&str], sources: &[&str]) -> Expected {
    Expected::default().answer(facts, sources)
}

/// Returns questions that the notes answer, and some that they do not.
pub(super) fn tasks() -> Vec<Task> {
    [
        codes_and_days(),
        lists(),
        compared(),
        in_other_words(),
        from_much(),
        without_answer(),
    ]
    .concat()
}

fn codes_and_days() -> Vec<Task> {
    vec![
        Task::strict(
            "f-ask-wifi",
            "whats the wifi pw at mums",
            answer(&["kirschbaum-88"], &["Wifi at mum's"]).lacking(&["blaumeise"]),
        )
        .note(
            "Wifi at mum's",
            "",
            "Network: Lindenhof\nPassword: kirschbaum-88",
        )
        .note(
            "Wifi at home",
            "",
            "Network: Dachboden\nPassword: blaumeise_12",
        )
        .solved_by(&[Edit::Answer("kirschbaum-88", &["Wifi at mum's"])]),
        Task::strict(
            "f-ask-bin",
            "blue bin, which day again?",
            answer(
                &[
                    "thursday",
                    "second|2nd|other|two weeks|2 weeks|fortnight|alternate",
                ],
                &["Bins"],
            )
            .lacking(&["monday", "wednesday"]),
        )
        .note(
            "Bins",
            "",
            "Grey: Mondays\nBlue: every second Thursday\nGreen: Wednesdays",
        )
        .note("Street sweeping", "", "First Monday of the month.")
        .solved_by(&[Edit::Answer("Every second Thursday.", &["Bins"])]),
        Task::strict(
            "f-ask-vet",
            "what time do I have to be at the vet with Mila?",
            answer(&["16:20|16.20|4:20|4.20"], &["Vet"]).lacking(&["8:40", "8.40"]),
        )
        .note(
            "Vet",
            "",
            "Mila: Thursday 16:20, yearly jab\nBalu: Friday 8:40, teeth",
        )
        .note(
            "Vet opening hours",
            "",
            "Monday to Friday from 8 to 18, Dr Novak.",
        )
        .solved_by(&[Edit::Answer("At 16:20 on Thursday.", &["Vet"])]),
    ]
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "f-ask-still",
            "what do i still need for omis cake",
            answer(&["hazelnuts", "chocolate", "candles"], &["Cake for Omi"])
                .lacking(&["flour", "eggs", "milk"]),
        )
        .note(
            "Cake for Omi",
            "",
            "- [x] flour\n- [ ] hazelnuts\n- [x] eggs\n- [ ] dark chocolate\n- [ ] candles",
        )
        .note("Shopping list", "", "- milk\n- washing powder")
        .solved_by(&[Edit::Answer(
            "Hazelnuts, dark chocolate and candles.",
            &["Cake for Omi"],
        )]),
        Task::strict(
            "f-ask-count",
            "how many have signed up for kubb so far?",
            answer(&["5|five|jo&mehmet&pia&lou&frieda"], &["Kubb sign-ups"])
                .lacking(&["rita", "sven", "olga"]),
        )
        .note(
            "Kubb sign-ups",
            "",
            "- Jo\n- Mehmet\n- Pia\n- Lou\n- Frieda",
        )
        .note("Boule sign-ups", "", "- Rita\n- Sven\n- Olga")
        .solved_by(&[Edit::Answer("Five people.", &["Kubb sign-ups"])]),
        Task::strict(
            "f-ask-about",
            "What do I know about Tante Gerda?",
            answer(
                &["6 May|May 6|6th|6.5|06.05|05-06|05/06", "diabet|sugar"],
                &["Tante Gerda"],
            )
            .lacking(&["whisky"]),
        )
        .note(
            "Tante Gerda",
            "",
            "Birthday: 6 May\nDiabetic, so no sugar in the cake.",
        )
        .note("Onkel Uwe", "", "Birthday: 9 January\nLikes smoky whisky.")
        .note("Gerbera", "", "The gerbera gets little water in winter.")
        .solved_by(&[Edit::Answer(
            "Her birthday is on 6 May. She is diabetic, so no sugar in the cake.",
            &["Tante Gerda"],
        )]),
    ]
}

fn compared() -> Vec<Task> {
    vec![
        Task::strict(
            "f-ask-cheaper",
            "which campsite is cheaper, the one by the lake or the one in the woods?",
            answer(&["tannengrund|woods|24"], &["Campsite Tannengrund"]).lacking(&[
                "lake is cheaper",
                "seeblick is cheaper",
                "lake is the cheaper",
                "seeblick is the cheaper",
            ]),
        )
        .note(
            "Campsite Seeblick",
            "",
            "By the lake. 31 euros a night for a tent and two people.",
        )
        .note(
            "Campsite Tannengrund",
            "",
            "In the woods. 24 euros a night for a tent and two people.",
        )
        .note("Camping stove", "", "A gas cartridge costs 7 euros.")
        .solved_by(&[Edit::Answer(
            "The one in the woods: 24 euros a night, 31 by the lake.",
            &["Campsite Tannengrund", "Campsite Seeblick"],
        )]),
        Task::strict(
            "f-ask-sunday",
            "is the sauna open on sundays?",
            answer(&["yes|open|12|12:00"], &["Sauna"]).lacking(&["not open", "closed on sunday"]),
        )
        .note(
            "Sauna",
            "",
            "Tuesday to Saturday 10 to 22, Sunday 12 to 20. Closed on Mondays.",
        )
        .note("Swimming pool", "", "Closed on Sundays in winter.")
        .solved_by(&[Edit::Answer("Yes, from 12 to 20.", &["Sauna"])]),
    ]
}

fn in_other_words() -> Vec<Task> {
    vec![
        Task::strict(
            "f-ask-heating",
            "who do I call when the heating breaks down?",
            answer(&["haas|44170"], &["Boiler"]).lacking(&["mr lang", "90022"]),
        )
        .note(
            "Boiler",
            "",
            "Serviced every October. If it leaks or stays cold: Thermo Haas, 0821 44170.",
        )
        .note("Chimney sweep", "", "Mr Lang, 0821 90022.")
        .solved_by(&[Edit::Answer("Thermo Haas, 0821 44170.", &["Boiler"])]),
        Task::strict(
            "f-ask-books",
            "when do the borrowed books have to go back",
            answer(
                &["17 Oct|Oct 17|October 17|17th|17.10|10-17|10/17|17/10"],
                &["Library"],
            )
            .lacking(&["12 October", "October 12"]),
        )
        .note("Library", "", "3 novels on loan, due on 17 October.")
        .note(
            "Bookshop",
            "",
            "The atlas is ordered and can be fetched from 12 October.",
        )
        .solved_by(&[Edit::Answer("On 17 October.", &["Library"])]),
        Task::strict(
            "f-ask-reason",
            "remind me, why did we quit the gym?",
            answer(&["shower", "cold"], &["Gym"]).lacking(&["knee"]),
        )
        .note(
            "Gym",
            "",
            "Cancelled in June because the showers were always cold. It was 29 euros a month.",
        )
        .note("Badminton", "", "Paused because of Eva's knee.")
        .solved_by(&[Edit::Answer(
            "Because the showers were always cold.",
            &["Gym"],
        )]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "f-ask-box",
            "which box is the raclette in?",
            answer(&["27"], &["Moving boxes"]).lacking(&["box 26", "box 28"]),
        )
        .note("Moving boxes", "", &moving_boxes())
        .note("Raclette", "", "200 g of cheese for each person.")
        .solved_by(&[Edit::Answer("In box 27.", &["Moving boxes"])]),
        Task::strict(
            "f-ask-hat",
            "how many stitches do i cast on for the grey hat?",
            answer(&["96|ninety-six|ninety six"], &["Grey hat"]).lacking(&["48"]),
        )
        .note(
            "Grey hat",
            "knitting",
            "Cast on 96 stitches with 4 mm needles, rib for 5 cm.",
        )
        .note(
            "Grey mittens",
            "knitting",
            "Cast on 48 stitches with 3 mm needles.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("96 stitches.", &["Grey hat"])]),
    ]
}

fn without_answer() -> Vec<Task> {
    let not_said = |tempting: &[&str]| Expected::default().no_answer(tempting);
    let nothing = [Edit::NotFound("The notes do not say it.")];
    vec![
        Task::strict(
            "f-ask-dog",
            "how old is frau petersens dog",
            not_said(&["2016", "third", "years"]),
        )
        .note(
            "Frau Petersen",
            "",
            "Third floor. Her dog is called Watson. She has our spare key.",
        )
        .note("Lotte", "", "Our cat, born in 2016.")
        .solved_by(&nothing),
        Task::strict(
            "f-ask-tyres",
            "What did the winter tyres cost?",
            not_said(&["89", "205", "55", "16", "euro"]),
        )
        .note(
            "Winter tyres",
            "",
            "205/55 R16, fitted in November at the garage in Mill Lane.",
        )
        .note("Car", "", "The oil change was 89 euros.")
        .solved_by(&nothing),
        Task::strict(
            "f-ask-key",
            "where's the spare key for the cabin?",
            not_said(&["nowak", "50"]),
        )
        .note(
            "Cabin",
            "",
            "6 beds, a wood stove, water from the well. Deposit for the key: 50 euros.",
        )
        .note("House", "", "The spare key is with the Nowaks.")
        .solved_by(&nothing),
        Task::strict(
            "f-ask-mail",
            "lisas email?",
            not_said(&["@", "0176", "posteo"]),
        )
        .note("Lisa", "", "Phone 0176 3344556, lives in Bremen.")
        .note("Liam", "", "liam@posteo.example, lives in Leeds.")
        .solved_by(&nothing),
    ]
}
