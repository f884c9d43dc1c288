//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::rowing_log;
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
            "ask-yoghurt",
            "How long does the yoghurt have to sit in the maker?",
            Expected::default()
                .answer(&["8|eight"], &["Yoghurt maker"])
                .lacking(&["24|twenty-four|twenty four"]),
        )
        .note(
            "Yoghurt maker",
            "kitchen",
            "A litre of milk, warmed to 42 degrees, then eight hours. The jars go into the fridge at once.",
        )
        .note(
            "Kefir",
            "kitchen",
            "Has to sit for 24 hours, the lid stays loose.",
        )
        .solved_by(&[Edit::Answer("Eight hours.", &["Yoghurt maker"])]),
        Task::strict(
            "ask-lower-brace",
            "how many hours a day was it for the lower brace again",
            Expected::default()
                .answer(&["9|nine"], &["Jarne's braces"])
                .lacking(&["14|fourteen", "7|seven"]),
        )
        .note(
            "Jarne's braces",
            "teeth",
            "Upper: 14 hours a day\nLower: 9 hours a day\nCheck-up every six weeks",
        )
        .note(
            "Night guard",
            "teeth",
            "Mine stays in for 7 hours. Rinse it in cold water.",
        )
        .solved_by(&[Edit::Answer("9 hours a day.", &["Jarne's braces"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-tandem",
            "how mcuh did they charge for teh tandem in gehnt?",
            Expected::default()
                .answer(&["54|fifty-four"], &["Weekend in Ghent"])
                .lacking(&["39|thirty-nine"]),
        )
        .note(
            "Weekend in Ghent",
            "trips",
            "Room 208, with a view of the canal. The tandem was 54 euros for two days.",
        )
        .note(
            "Weekend in Bruges",
            "trips",
            "The tandem was 39 euros and far too small for us.",
        )
        .solved_by(&[Edit::Answer(
            "54 euros for two days.",
            &["Weekend in Ghent"],
        )]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-costume-sizes",
            "What costume sizes do Finja and Corentin need?",
            Expected::default()
                .answer(&["140", "158"], &["Finja", "Corentin"])
                .lacking(&["152"]),
        )
        .note(
            "Finja",
            "school musical",
            "Plays the second witch. Costume size 140.",
        )
        .note(
            "Corentin",
            "school musical",
            "Plays the miller. Costume size 158, no wool.",
        )
        .note(
            "Wanja",
            "school musical",
            "Plays the raven. Costume size 152.",
        )
        .solved_by(&[Edit::Answer(
            "Finja needs size 140, Corentin 158.",
            &["Finja", "Corentin"],
        )]),
        Task::strict(
            "ask-repair-cafe",
            "what have i got in my notes on the repair café",
            Expected::default().answer(
                &["third|3rd", "parish", "wladimir", "ilka"],
                &["Repair café", "Repair café helpers"],
            ),
        )
        .note(
            "Repair café",
            "repair café",
            "Every third Saturday, in the parish centre.",
        )
        .note(
            "Repair café helpers",
            "repair café",
            "Wladimir does the soldering, Ilka the sewing.",
        )
        .note(
            "Sewing machine",
            "",
            "Needles of size 80. Serviced last autumn.",
        )
        .solved_by(&[Edit::Answer(
            "Every third Saturday in the parish centre. Wladimir solders, Ilka sews.",
            &["Repair café", "Repair café helpers"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-tent-german",
            "bis wann muss das zelt wieder beim verleih sein?",
            Expected::default()
                .answer(&["montag", "10|zehn|10:00|10.00"], &["Zeltverleih"])
                .lacking(&["dienstag"]),
        )
        .note(
            "Zeltverleih",
            "sommerfest",
            "Festzelt: 6 mal 12 Meter\nKaution: 150 Euro\nRückgabe: Montag bis 10 Uhr",
        )
        .note(
            "Getränkemarkt",
            "sommerfest",
            "Das Leergut muss bis Dienstag um 18 Uhr zurück sein.",
        )
        .solved_by(&[Edit::Answer("Bis Montag um 10 Uhr.", &["Zeltverleih"])]),
        Task::strict(
            "ask-library-japanese",
            "図書館の本っていつまでに返すんだっけ？",
            Expected::default()
                .answer(&["二十一|21"], &["図書館の本"])
                .lacking(&["十九|19"]),
        )
        .note(
            "図書館の本",
            "図書館",
            "返却は二十一日まで。\n返却ポストは裏口にある。",
        )
        .note("レンタル着物", "成人式", "返却は十九日まで。草履も一緒に。")
        .solved_by(&[Edit::Answer("二十一日までです。", &["図書館の本"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-broken-oar",
            "who was it who broke an oar, back on one of the rowing outings?",
            Expected::default()
                .answer(&["magnus"], &["Rowing log"])
                .lacking(&["benedikta"]),
        )
        .note("Rowing log", "rowing", &rowing_log())
        .note(
            "New oars",
            "rowing",
            "Benedikta orders two, carbon, they come in March.",
        )
        .solved_by(&[Edit::Answer("Magnus, at the weir.", &["Rowing log"])]),
        Task::strict(
            "ask-crowd-cello",
            "where did i put the spare A string for the cello",
            Expected::default().answer(&["lid"], &["Cello"]),
        )
        .note(
            "Cello",
            "cello",
            "Bow rehaired in February. The spare A string is in the pocket of the lid.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("In the pocket of the lid.", &["Cello"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_name_and_colour(), unknown_number()].concat()
}

fn unknown_name_and_colour() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-dog-name",
            "What's the dog sitter's own dog called?",
            Expected::default().no_answer(&["nero", "pippa"]),
        )
        .note(
            "Dog sitter",
            "dog",
            "18 euros a walk. She has a dog of her own, it is afraid of trams.",
        )
        .note(
            "Dog school",
            "dog",
            "On the meadow at 10:00. Nero must not sit next to Pippa.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say it.")]),
        Task::strict(
            "ask-hallway-colour",
            "which colour did we settle on for the hallway",
            Expected::default().no_answer(&[
                "sage", "green", "white", "grey", "gray", "blue", "yellow", "beige", "cream",
            ]),
        )
        .note(
            "Hallway",
            "house, painting",
            "Two coats still to go, then the skirting boards. The ladder is the neighbours'.",
        )
        .note(
            "Bedroom",
            "house, painting",
            "Colour: sage green, silk matt, two tins.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}

fn unknown_number() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-gym-locker",
            "whats the pin for my gym locker",
            Expected::default().no_answer(&["7384", "1234", "0000"]),
        )
        .note(
            "Gym locker",
            "sport",
            "Bottom row, beside the showers. Paid until Easter.",
        )
        .note(
            "Bike locker",
            "commute",
            "PIN 7384, on the side of the ticket hall.",
        )
        .solved_by(&[Edit::NotFound("No PIN is noted for the gym locker.")]),
    ]
}
