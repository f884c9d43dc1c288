//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::long::lock_book;
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
            "ask-whetstone-fillet-knife",
            "what angle does the fillet knife get on the whetstone",
            Expected::default()
                .answer(&["16|sixteen"], &["Whetstone"])
                .lacking(&["22|twenty-two|twenty two", "30|thirty"]),
        )
        .note(
            "Whetstone",
            "kitchen",
            "Cleaver: 22 degrees\nFillet knife: 16 degrees\nLay it in water for a while first.",
        )
        .note(
            "Chisels",
            "workshop",
            "30 degrees on the wheel, then the leather. Fearghal has the wide one.",
        )
        .solved_by(&[Edit::Answer("16 degrees.", &["Whetstone"])]),
        Task::strict(
            "ask-father-christmas",
            "Who was going to be Father Christmas this time?",
            Expected::default()
                .answer(&["torquil"], &["Christmas fair"])
                .lacking(&["sandoval", "ximena", "osric"]),
        )
        .note(
            "Christmas fair",
            "parish",
            "- mulled wine: the Sandovals\n- Father Christmas: Torquil, in his own beard\n- chestnuts: Ximena",
        )
        .note(
            "Fancy dress box",
            "parish",
            "Osric has taken the red coat home to mend it, the wings are torn.",
        )
        .solved_by(&[Edit::Answer("Torquil.", &["Christmas fair"])]),
        Task::strict(
            "ask-box-camera",
            "I'm in the photo shop and it's gone clean out of my head what kind of film Grandpa's box camera takes. \
             Could you have a look?",
            Expected::default()
                .answer(&["620"], &["Grandpa's box camera"])
                .lacking(&["127"]),
        )
        .note(
            "Grandpa's box camera",
            "photos",
            "Film: 620, eight pictures on a roll.\nThe red window lets the light in.",
        )
        .note(
            "Aunt Verity's folding camera",
            "photos",
            "Film: 127. The bellows have a hole, black tape helps.",
        )
        .solved_by(&[Edit::Answer("620 film.", &["Grandpa's box camera"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hunting-exam",
            "hwo mnay ponits do yuo ned to pas teh huntng exam",
            Expected::default()
                .answer(&["45|forty-five|forty five"], &["Hunting exam"])
                .lacking(&["24|twenty-four|twenty four"]),
        )
        .note(
            "Hunting exam",
            "courses",
            "You pass with 45 points\nIn the forestry office, room 8\nThe shooting part is in May",
        )
        .note(
            "Sailing exam",
            "courses",
            "You pass with 24 points, knots come first. Bring a pencil.",
        )
        .solved_by(&[Edit::Answer("45 points.", &["Hunting exam"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-cats-on-ferry",
            "what does mungo weigh and what does pepita.. the ferry people want it for both",
            Expected::default()
                .answer(&["6.2|6,2", "3.9|3,9"], &["Mungo", "Pepita"])
                .lacking(&["5.4|5,4"]),
        )
        .note(
            "Mungo",
            "cats",
            "Weighs 6.2 kilos since the diet. Hates the basket.",
        )
        .note(
            "Pepita",
            "cats",
            "She weighs 3.9 kilos. The chip is behind the left ear.",
        )
        .note(
            "Rasputin",
            "cats",
            "Weighs 5.4 kilos and really lives next door.",
        )
        .solved_by(&[Edit::Answer(
            "Mungo weighs 6.2 kilos, Pepita 3.9.",
            &["Mungo", "Pepita"],
        )]),
        Task::strict(
            "ask-hospital-floors",
            "I'm wandering about this hospital like a lost sheep! On what floor is the X-ray, and on what floor the \
             plaster room?",
            Expected::default()
                .answer(
                    &["third|3|3rd", "sixth|6|6th"],
                    &["X-ray", "Plaster room"],
                )
                .lacking(&["ninth|9th"]),
        )
        .note(
            "X-ray",
            "hospital",
            "Third floor, behind the glass door. Take the old pictures along.",
        )
        .note(
            "Plaster room",
            "hospital",
            "Sixth floor, only in the mornings. Mind the ramp.",
        )
        .note(
            "Blood lab",
            "hospital",
            "Ninth floor. Nothing to eat before, nobody to talk to.",
        )
        .solved_by(&[Edit::Answer(
            "The X-ray is on the third floor, the plaster room on the sixth.",
            &["X-ray", "Plaster room"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-oil-tank-german",
            "wie viel geht bei uns nochmal in den öltank rein?",
            Expected::default()
                .answer(&["3200|3.200|3,200|3 200|3'200"], &["Öltank"])
                .lacking(&["4500|4.500|4,500|4 500|4'500"]),
        )
        .note(
            "Öltank",
            "heizung",
            "Fasst 3200 Liter, innen beschichtet.\nPrüfung alle fünf Jahre\nDer Peilstab hängt an der Kellertreppe.",
        )
        .note(
            "Zisterne",
            "garten",
            "Fasst 4500 Liter. Die Pumpe darf nicht trocken laufen.",
        )
        .solved_by(&[Edit::Answer("3200 Liter.", &["Öltank"])]),
        Task::strict(
            "ask-shamisen-japanese",
            "三味線のお稽古って何曜日でしたっけ？",
            Expected::default()
                .answer(&["木曜"], &["三味線の稽古"])
                .lacking(&["火曜"]),
        )
        .note(
            "三味線の稽古",
            "習い事",
            "木曜の夕方六時から。\n撥は先生が貸してくれる。",
        )
        .note(
            "尺八の会",
            "習い事",
            "火曜の夜七時から。\n公民館の和室。",
        )
        .solved_by(&[Edit::Answer("木曜日です。", &["三味線の稽古"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-harpsichord-passage",
            "who was it that came through the lock with a harpsichord, and what town was it going to?",
            Expected::default()
                .answer(&["tancred", "zutphen"], &["Lock book"])
                .lacking(&["leopoldine", "kortrijk"]),
        )
        .note("Lock book", "canal", &lock_book())
        .note(
            "Early music evening",
            "music",
            "Leopoldine brings her harpsichord from Kortrijk, four men have to carry it.",
        )
        .solved_by(&[Edit::Answer("Tancred, to Zutphen.", &["Lock book"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_day_and_person()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-butterfly-house",
            "how much is it to get into the butterfly house",
            Expected::default().no_answer(&["13|thirteen"]),
        )
        .note(
            "Butterfly house",
            "outings",
            "Hot and damp, leave the coats in the car. The blue ones sit down on your sleeve.",
        )
        .note(
            "Reptile house",
            "outings",
            "13 euros, under fives go free. Feeding is on Sundays.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
    ]
}

fn unknown_day_and_person() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-archive-appointment",
            "I'd like to book the train, so on what day is my appointment at the city archive?",
            Expected::default().no_answer(&["6 Nov", "6. Nov", "Nov 6", "November 6", "6th"]),
        )
        .note(
            "City archive",
            "family tree",
            "Reading room 2, pencils only. Mr Sixtus gets out the census lists.",
        )
        .note(
            "Diocesan archive",
            "family tree",
            "On 6 November at 9:50, the parish registers from 1740 on. They lend you gloves.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-dry-stone-wall",
            "who built that dry-stone wall for us, have i got that anywhere",
            Expected::default().no_answer(&["merrick"]),
        )
        .note(
            "Dry-stone wall",
            "garden",
            "Eleven metres of sandstone, lizards in the gaps. Never lean the ladder on it.",
        )
        .note(
            "Raised beds",
            "garden",
            "Built by Merrick, larch, 40 cm high. Fill up the soil in March.",
        )
        .solved_by(&[Edit::NotFound("Nobody is noted.")]),
    ]
}
