//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::rehearsal_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        right_or_wrong(),
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
            "ca-ask-bladder-scanner",
            "where does the bladder scanner live when nobody's got it? bed 6 is waiting",
            Expected::default()
                .answer(&["linen"], &["Bladder scanner"])
                .lacking(&["sluice"]),
        )
        .note(
            "Bladder scanner",
            "ward",
            "Kept in the linen room behind bay 2, on charge. The gel is on the trolley.",
        )
        .note(
            "ECG machine",
            "ward",
            "Kept in the sluice room, leads in the top drawer. Bed 6 has its own.",
        )
        .solved_by(&[Edit::Answer(
            "In the linen room behind bay 2.",
            &["Bladder scanner"],
        )]),
        Task::strict(
            "ca-ask-sock-stitches",
            "How many stitches did I cast on for Emil's socks last time? I have the wool on my lap already.",
            Expected::default()
                .answer(&["64|sixty-four|sixty four"], &["Socks for Emil"])
                .lacking(&["96|ninety-six|ninety six"]),
        )
        .note(
            "Socks for Emil",
            "knitting",
            "Cast on 64 stitches, needles 2.5. The heel after 16 centimetres.",
        )
        .note(
            "Hat for Emil",
            "knitting",
            "Cast on 96 stitches, needles 4. The bobble comes off in the wash.",
        )
        .solved_by(&[Edit::Answer("64 stitches.", &["Socks for Emil"])]),
        Task::strict(
            "ca-ask-pipe-freezer",
            "who's got my pipe freezer",
            Expected::default()
                .answer(&["desmond|achebe"], &["Pipe freezer"])
                .lacking(&["yusuf"]),
        )
        .note(
            "Pipe freezer",
            "tools",
            "Lent to Desmond Achebe until Thursday, with both clamps.",
        )
        .note(
            "Core drill",
            "tools",
            "Lent to Yusuf, he needs it for the school. Bits are worn.",
        )
        .solved_by(&[Edit::Answer("Desmond Achebe.", &["Pipe freezer"])]),
    ]
}

fn right_or_wrong() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ask-scholarship-day",
            "am i right that the scholarship comes on the 15th? i'm skint",
            Expected::default().answer(&["28|28th|twenty-eighth|twenty eighth"], &["Scholarship"]),
        )
        .note(
            "Scholarship",
            "money",
            "430 euros, on the 28th of every month. A report to Mrs Adeyemi each term.",
        )
        .note(
            "Rent",
            "money",
            "385 euros to Mr Hollis, on the 15th of every month.",
        )
        .solved_by(&[Edit::Answer(
            "No, it comes on the 28th of every month.",
            &["Scholarship"],
        )]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ask-oral-exam",
            "waht room is teh oral exma in botany in adn at what tiem",
            Expected::default()
                .answer(
                    &["2.114", "8:50|08:50|8.50|08.50|ten to nine|10 to 9"],
                    &["Oral exam in botany"],
                )
                .lacking(&["auditorium", "14:15|14.15|2:15"]),
        )
        .note(
            "Oral exam in botany",
            "uni",
            "Room 2.114, 8:50 with Prof Sandoval. Student card on the table.",
        )
        .note(
            "Written exam in botany",
            "uni",
            "In the auditorium at 14:15, seats by surname. Pencil only.",
        )
        .solved_by(&[Edit::Answer(
            "In room 2.114, at 8:50.",
            &["Oral exam in botany"],
        )]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ask-trophies-and-boards",
            "What did the club spend on the trophies and the new boards put together? The treasurer wants one figure \
             from me tonight.",
            Expected::default()
                .answer(
                    &["194|194.00|194,00|hundred and ninety-four|hundred ninety-four"],
                    &["Trophies", "New boards"],
                )
                .lacking(&["284", "330", "404"]),
        )
        .note(
            "Trophies",
            "chess club",
            "Three cups for 74 euros with the engraving, from Sillitoe's.",
        )
        .note(
            "New boards",
            "chess club",
            "Eight roll-up ones, 120 euros for all of them. The green ones smell.",
        )
        .note(
            "New clocks",
            "chess club",
            "Six digital ones, 210 euros for all of them. Two years of guarantee.",
        )
        .solved_by(&[Edit::Answer("194 euros.", &["Trophies", "New boards"])]),
        Task::strict(
            "ca-ask-sound-check-and-key",
            "quick one, what time is our sound check at the corn exchange and who has the key for st ansgar's?",
            Expected::default()
                .answer(
                    &[
                        "16:25|16.25|4:25|4.25|twenty-five past four|25 past 4",
                        "wilhelmina|prout",
                    ],
                    &["Corn Exchange", "St Ansgar's"],
                )
                .lacking(&["15:35|15.35|3:35|3.35", "odhran"]),
        )
        .note(
            "Corn Exchange",
            "concerts",
            "Sound check at 16:25, one dressing room for all. No candles.",
        )
        .note(
            "St Ansgar's",
            "concerts",
            "Wilhelmina Prout has the key. The heating goes on at noon.",
        )
        .note(
            "Guildhall",
            "concerts",
            "Odhran has the key, sound check at 15:35. Steps for the back row.",
        )
        .solved_by(&[Edit::Answer(
            "The sound check at the Corn Exchange is at 16:25, and Wilhelmina Prout has the key for St Ansgar's.",
            &["Corn Exchange", "St Ansgar's"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ask-hardware-store-spanish",
            "oye, los sábados hasta qué hora abre la ferretería?",
            Expected::default()
                .answer(
                    &["13:30|13.30|13h30|13 h 30|1:30|1.30|una y media"],
                    &["Ferretería Bustos"],
                )
                .lacking(&["14:15|14.15|2:15|dos y cuarto"]),
        )
        .note(
            "Ferretería Bustos",
            "barrio",
            "De lunes a viernes hasta las 20:00, los sábados hasta las 13:30. Hacen copias de llaves.",
        )
        .note(
            "Farmacia de la plaza",
            "barrio",
            "Los sábados hasta las 14:15, después hay que tocar el timbre.",
        )
        .solved_by(&[Edit::Answer(
            "Hasta las 13:30.",
            &["Ferretería Bustos"],
        )]),
        Task::strict(
            "ca-ask-pacemaker-german",
            "wann war opas herzschrittmacher nochmal bei der kontrolle, also das letzte mal mein ich",
            Expected::default()
                .answer(
                    &["14. Feb|14 Feb|14.2|14.2.|14.02|14.02.|02-14|14/2|14/02|vierzehnte"],
                    &["Herzschrittmacher von Opa"],
                )
                .lacking(&["sept", "3.9.|03.09."]),
        )
        .note(
            "Herzschrittmacher von Opa",
            "gesundheit",
            "Letzte Kontrolle am 14. Februar, die Batterie hält bis 2031. Der Ausweis steckt im Geldbeutel.",
        )
        .note(
            "Hörgerät von Opa",
            "gesundheit",
            "Letzte Kontrolle am 3. September bei Frau Demirel, Batterien Größe 13.",
        )
        .solved_by(&[Edit::Answer(
            "Am 14. Februar.",
            &["Herzschrittmacher von Opa"],
        )]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ask-fainting",
            "which rehearsal was it when ingeborg fainted, and who caught her?",
            Expected::default()
                .answer(
                    &["23|23rd|twenty-three|twenty-third", "caspian"],
                    &["Rehearsal log"],
                )
                .lacking(&["theodora"]),
        )
        .note("Rehearsal log", "choir", &rehearsal_log())
        .note(
            "First aid in the choir",
            "choir",
            "Theodora has the bag. She caught Ruben when he slipped off the podium.",
        )
        .solved_by(&[Edit::Answer(
            "It was rehearsal 23, and Caspian caught her.",
            &["Rehearsal log"],
        )]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    vec![
        Task::strict(
            "ca-ask-easter-open-fee",
            "how much is the entry fee for the easter open again?",
            Expected::default().no_answer(&["12", "twelve", "6 euro", "six euro"]),
        )
        .note(
            "Easter open",
            "chess club",
            "Seven rounds, the first one on Good Friday at 10:30. The juniors set up the boards.",
        )
        .note(
            "Whitsun blitz",
            "chess club",
            "Entry fee 12 euros, juniors half of it. 15 rounds, five minutes each.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
        Task::strict(
            "ca-ask-walking-frame",
            "What was the name of that nice young man who repaired my walking frame? I should like to bake him \
             something.",
            Expected::default().no_answer(&["osei"]),
        )
        .note(
            "Walking frame",
            "",
            "Repaired in March, the left brake is new, 25 euros. The basket carries 5 kilos.",
        )
        .note(
            "Ramp at the front door",
            "",
            "Mr Osei built it, a very nice young man. Salt it when it freezes.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}
