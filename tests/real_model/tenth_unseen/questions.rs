//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::flock_book;
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
            "ask-dumplings",
            "how long do i have to steam the dumplings",
            Expected::default()
                .answer(&["12|twelve"], &["Dumplings"])
                .lacking(&["25|twenty-five|twenty five"]),
        )
        .note(
            "Dumplings",
            "cooking",
            "Leek and pork, 40 wrappers. Line the basket with cabbage and steam them for 12 minutes.",
        )
        .note(
            "Steamed pudding",
            "cooking",
            "Butter the mould well, then steam it for 25 minutes.",
        )
        .solved_by(&[Edit::Answer("For 12 minutes.", &["Dumplings"])]),
        Task::strict(
            "ask-burst-pipe",
            "Who at the insurance company is dealing with our burst pipe?",
            Expected::default()
                .answer(&["oyelowo"], &["Burst pipe"])
                .lacking(&["brandvold"]),
        )
        .note(
            "Burst pipe",
            "insurance",
            "Claim 77-204, Ms Oyelowo deals with it. The fans have to run until Friday.",
        )
        .note(
            "Stolen scooter",
            "insurance",
            "Claim 77-318, Mr Brandvold deals with it. The key is still there.",
        )
        .solved_by(&[Edit::Answer("Ms Oyelowo.", &["Burst pipe"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-quail-eggs",
            "waht tempreture does teh incubater need for quail egs",
            Expected::default()
                .answer(&["37.7|37,7"], &["Quail eggs"])
                .lacking(&["37.4|37,4"]),
        )
        .note(
            "Quail eggs",
            "poultry",
            "Incubator: 37.7 degrees. Turn them three times a day, they hatch after 17 days.",
        )
        .note(
            "Goose eggs",
            "poultry",
            "Incubator: 37.4 degrees. Spray them from day nine on.",
        )
        .solved_by(&[Edit::Answer("37.7 degrees.", &["Quail eggs"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-christmas-wishes",
            "what did oddny and iqbal say they'd like for christmas?",
            Expected::default()
                .answer(
                    &[
                        "pasta machine|pasta maker|pasta-machine",
                        "head torch|headtorch|head-torch|headlamp|head lamp",
                    ],
                    &["Oddny", "Iqbal"],
                )
                .lacking(&["globe"]),
        )
        .note(
            "Oddny",
            "family",
            "Wool makes her itch. For Christmas she would like a pasta machine.",
        )
        .note(
            "Iqbal",
            "family",
            "For Christmas he would like a head torch. Takes his coffee black.",
        )
        .note(
            "Gesine",
            "family",
            "For Christmas she would like a globe that lights up.",
        )
        .solved_by(&[Edit::Answer(
            "Oddny would like a pasta machine, Iqbal a head torch.",
            &["Oddny", "Iqbal"],
        )]),
        Task::strict(
            "ask-extinguishers",
            "The inspector wants to know where the fire extinguishers are in the barn and in the smithy. Where?",
            Expected::default()
                .answer(&["ladder", "anvil"], &["Barn", "Smithy"])
                .lacking(&["seat"]),
        )
        .note(
            "Barn",
            "farm",
            "Mind the third step. The fire extinguisher hangs left of the ladder.",
        )
        .note(
            "Smithy",
            "farm",
            "The fire extinguisher stands behind the anvil. Open on the first Sunday.",
        )
        .note(
            "Tractor",
            "farm",
            "The fire extinguisher is under the seat, the beacon flickers.",
        )
        .solved_by(&[Edit::Answer(
            "In the barn left of the ladder, in the smithy behind the anvil.",
            &["Barn", "Smithy"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-table-german",
            "auf welchen namen ist der tisch im ratskeller eigentlich reserviert?",
            Expected::default()
                .answer(&["kettler"], &["Ratskeller"])
                .lacking(&["jablonski"]),
        )
        .note(
            "Ratskeller",
            "essen",
            "Tisch für acht am Samstag, reserviert auf den Namen Kettler. Fensterplatz.",
        )
        .note(
            "Trattoria",
            "essen",
            "Tisch für vier am Dienstag, reserviert auf den Namen Jablonski.",
        )
        .solved_by(&[Edit::Answer("Auf den Namen Kettler.", &["Ratskeller"])]),
        Task::strict(
            "ask-checkup-japanese",
            "健康診断の会場ってどこだったかな？",
            Expected::default()
                .answer(&["保健センター"], &["健康診断"])
                .lacking(&["市民会館"]),
        )
        .note(
            "健康診断",
            "健康",
            "十月十二日、九時から。\n会場は保健センターの二階。\n朝ごはんは食べない。",
        )
        .note(
            "予防接種",
            "健康",
            "会場は市民会館。\n母子手帳を持っていく。",
        )
        .solved_by(&[Edit::Answer("保健センターの二階です。", &["健康診断"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-ram-gate",
            "in which week did the ram break that gate, and who mended it?",
            Expected::default()
                .answer(&["39|thirty-nine|thirty nine", "torvald"], &["Flock book"])
                .lacking(&["yvonne"]),
        )
        .note("Flock book", "sheep", &flock_book())
        .note(
            "Orchard gate",
            "garden",
            "Yvonne mended it in spring, the hinges need grease.",
        )
        .solved_by(&[Edit::Answer(
            "In week 39, and Torvald mended it.",
            &["Flock book"],
        )]),
        Task::strict(
            "ask-crowd-presents",
            "Where on earth did I hide the presents for the twins?",
            Expected::default().answer(&["ironing board"], &["Presents for the twins"]),
        )
        .note(
            "Presents for the twins",
            "birthday",
            "Hidden behind the ironing board, wrapped already. The batteries are still missing.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer(
            "Behind the ironing board.",
            &["Presents for the twins"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_numbers(), unknown_name()].concat()
}

fn unknown_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-minibus-seats",
            "How many seats has Rohan's minibus got?",
            Expected::default().no_answer(&["19", "nineteen"]),
        )
        .note(
            "Rohan",
            "friends",
            "Has a minibus, the sliding door sticks. Lives in Elm Row.",
        )
        .note(
            "Shuttle bus",
            "travel",
            "19 seats, leaves from the station every half hour.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-ring-size",
            "whats marits ring size",
            Expected::default().no_answer(&["54", "fifty-four", "fifty four"]),
        )
        .note(
            "Marit",
            "friends",
            "Likes silver and no stones. She plays the harp, so nothing that rattles.",
        )
        .note(
            "Elin",
            "friends",
            "Ring size 54, prefers gold. Born on a leap day.",
        )
        .solved_by(&[Edit::NotFound("No ring size of hers is noted.")]),
    ]
}

fn unknown_name() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-minutes-taker",
            "do we know yet who's taking the minutes at the allotment meeting?",
            Expected::default().no_answer(&["falkner"]),
        )
        .note(
            "Allotment meeting",
            "allotment",
            "On Thursday in the clubhouse. Agenda: water, hedges, the new lock.",
        )
        .note(
            "Tenants' meeting",
            "house",
            "On Monday in the drying room, Mr Falkner takes the minutes.",
        )
        .solved_by(&[Edit::NotFound("The notes do not name anybody for it.")]),
    ]
}
