//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::lifeguard_log;
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
            "ask-deer-fence",
            "how deep do the posts of the deer fence go in",
            Expected::default()
                .answer(&["80|eighty|0.8|0.80"], &["Deer fence"])
                .lacking(&["50|fifty"]),
        )
        .note(
            "Deer fence",
            "garden",
            "The posts go in 80 cm deep, one every three metres. Mesh from the cooperative.",
        )
        .note(
            "Washing line",
            "garden",
            "The posts go in 50 cm deep, with quick cement.",
        )
        .solved_by(&[Edit::Answer("80 cm.", &["Deer fence"])]),
        Task::strict(
            "ask-slide-evening",
            "Tell me, who's bringing the projector to the slide evening?",
            Expected::default()
                .answer(&["gudmund"], &["Slide evening"])
                .lacking(&["marwan"]),
        )
        .note(
            "Slide evening",
            "friends",
            "Gudmund brings the projector, Zofia has the screen. After supper, with the lights off.",
        )
        .note(
            "Committee meeting",
            "club",
            "Marwan brings the projector, three quarters of an hour at most.",
        )
        .solved_by(&[Edit::Answer("Gudmund.", &["Slide evening"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-ear-specialist",
            "on wich flor is teh ear speciallist",
            Expected::default()
                .answer(&["third|3rd|3"], &["Ear specialist"])
                .lacking(&["fifth|5th|5"]),
        )
        .note(
            "Ear specialist",
            "health",
            "Dr Imanishi, third floor, the lift takes ages. Bring the old hearing test.",
        )
        .note(
            "Eye clinic",
            "health",
            "Fifth floor, the doors are heavy. No driving afterwards.",
        )
        .solved_by(&[Edit::Answer("On the third floor.", &["Ear specialist"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-kitchen-measures",
            "I'm standing in the furniture shop! How high is our kitchen island and how wide is the gap for the fridge?",
            Expected::default()
                .answer(
                    &["91|ninety-one|0.91", "62|sixty-two|0.62"],
                    &["Kitchen island", "Fridge gap"],
                )
                .lacking(&["48"]),
        )
        .note(
            "Kitchen island",
            "kitchen",
            "91 cm high, with an oak top. Oil it twice a year.",
        )
        .note(
            "Fridge gap",
            "kitchen",
            "62 cm wide. The socket sits behind the left corner.",
        )
        .note(
            "Wine rack",
            "kitchen",
            "48 cm wide, two screws are missing.",
        )
        .solved_by(&[Edit::Answer(
            "The kitchen island is 91 cm high, the gap for the fridge 62 cm wide.",
            &["Kitchen island", "Fridge gap"],
        )]),
        Task::strict(
            "ask-town-walk-years",
            "got a tour group tomorrow, in which years were the salt house and the plague chapel built",
            Expected::default()
                .answer(&["1612", "1734"], &["Salt house", "Plague chapel"])
                .lacking(&["1488"]),
        )
        .note(
            "Salt house",
            "town walk",
            "Built in 1612, the roof is held by nine oak beams. Mind the step.",
        )
        .note(
            "Plague chapel",
            "town walk",
            "Built in 1734 by the survivors. The key is at the baker's.",
        )
        .note(
            "Mint tower",
            "town walk",
            "Built in 1488, coins were struck on the ground floor.",
        )
        .solved_by(&[Edit::Answer(
            "The salt house in 1612, the plague chapel in 1734.",
            &["Salt house", "Plague chapel"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-alpine-hut-german",
            "bis wann müssen wir bei der abreise eigentlich aus der almhütte raus sein?",
            Expected::default()
                .answer(&["9:30|09:30|9.30|09.30|halb zehn|halb 10"], &["Almhütte"])
                .lacking(&["11 uhr|11:00|11.00|elf uhr"]),
        )
        .note(
            "Almhütte",
            "urlaub",
            "Anreise: ab 15 Uhr\nAbreise: bis 9:30 Uhr\nBettwäsche selber mitbringen",
        )
        .note(
            "Ferienhaus in Dangast",
            "urlaub",
            "Abreise: bis 11 Uhr, die Schlüssel in den Kasten.",
        )
        .solved_by(&[Edit::Answer("Bis 9:30 Uhr.", &["Almhütte"])]),
        Task::strict(
            "ask-miso-teacher-japanese",
            "味噌作り教室の先生、何てお名前でしたっけ？",
            Expected::default()
                .answer(&["大野"], &["味噌作り教室"])
                .lacking(&["小沢"]),
        )
        .note(
            "味噌作り教室",
            "習い事",
            "先生は大野さん。\n参加費は三千円。\nエプロンを忘れずに。",
        )
        .note(
            "そば打ち体験",
            "習い事",
            "先生は小沢さん。\n打ったそばは持ち帰れる。",
        )
        .solved_by(&[Edit::Answer("大野さんです。", &["味噌作り教室"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-rip-current",
            "What was the name of the boy we pulled out of the rip current, and what did his grandfather send \
             us for it?",
            Expected::default()
                .answer(&["tarquin", "marzipan"], &["Lifeguard log"])
                .lacking(&["leopold"]),
        )
        .note("Lifeguard log", "beach", &lifeguard_log())
        .note(
            "Thank-you cards",
            "",
            "One for Leopold's grandfather, he sent us a smoked ham. The boy wants a sticker on his.",
        )
        .solved_by(&[Edit::Answer(
            "The boy was called Tarquin, his grandfather sent a crate of marzipan.",
            &["Lifeguard log"],
        )]),
        Task::strict(
            "ask-crowd-time-capsule",
            "which year are we allowed to dig up the time capsule",
            Expected::default().answer(&["2041"], &["Time capsule"]),
        )
        .note(
            "Time capsule",
            "family",
            "Under the slab behind the swing, to be dug up in 2041. Cosmo put his milk tooth in.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("In 2041.", &["Time capsule"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_day_and_owner()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-bagpipe-price",
            "What do we pay for one of the bagpipe lessons?",
            Expected::default().no_answer(&["38|thirty-eight|thirty eight"]),
        )
        .note(
            "Bagpipe lessons",
            "music",
            "With Mr Urquhart, in the boat shed because of the noise. Bring the practice chanter.",
        )
        .note(
            "Harp lessons",
            "music",
            "We pay 38 euros for one, ten of them are cheaper.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what they cost.")]),
    ]
}

fn unknown_day_and_owner() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hen-party-date",
            "is there a date for birgittas hen party yet?",
            Expected::default()
                .no_answer(&["13 June", "13. June", "June 13", "13th", "Jun 13", "13 Jun"]),
        )
        .note(
            "Birgitta's hen party",
            "friends",
            "Canoes first, then the brewery. Veils for everyone, Lovisa has the playlist.",
        )
        .note(
            "Imogen's hen party",
            "friends",
            "On 13 June, on the roof terrace. Everyone in yellow.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-steamer-owner",
            "I've still got that wallpaper steamer standing here. Whose is it, does it say?",
            Expected::default().no_answer(&["ghislaine"]),
        )
        .note(
            "Wallpaper steamer",
            "borrowed",
            "Takes 12 minutes to heat up. Has to go back clean and empty.",
        )
        .note(
            "Tile cutter",
            "borrowed",
            "It is Ghislaine's, with a spare wheel. She needs it in autumn.",
        )
        .solved_by(&[Edit::NotFound("It is not noted whose it is.")]),
    ]
}
