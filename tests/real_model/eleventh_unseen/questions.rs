//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::guest_book;
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
            "ask-change-trains",
            "where was it that i have to change for bregenz?",
            Expected::default()
                .answer(&["ulm"], &["Getting to Bregenz"])
                .lacking(&["plattling"]),
        )
        .note(
            "Getting to Bregenz",
            "travel",
            "The 7:42 on platform 5, change in Ulm. The theatre is on the lake side.",
        )
        .note(
            "Getting to Zwiesel",
            "travel",
            "The 9:05 on platform 11, change in Plattling. Somebody picks us up.",
        )
        .solved_by(&[Edit::Answer("In Ulm.", &["Getting to Bregenz"])]),
        Task::strict(
            "ask-rugby-bus",
            "What time does the bus leave for home at the end of the rugby tour?",
            Expected::default()
                .answer(
                    &["16:20|16.20|4:20|4.20|twenty past four|twenty past 4|20 past 4"],
                    &["Rugby tour"],
                )
                .lacking(&["6:45|6.45|06:45", "17:10"]),
        )
        .note(
            "Rugby tour",
            "rugby",
            "Bus out: Friday at 6:45 from the clubhouse\nBus home: Sunday at 16:20 from the pitch in Galway\n\
             Mouthguards and a towel",
        )
        .note(
            "Rugby training",
            "rugby",
            "Sunday at 17:10 when there is no match, otherwise Tuesday.",
        )
        .solved_by(&[Edit::Answer("On Sunday at 16:20.", &["Rugby tour"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-hay-fever",
            "hwo many of teh hay fevre drops do i have to taek",
            Expected::default()
                .answer(&["5|five"], &["Hay fever"])
                .lacking(&["3|three"]),
        )
        .note(
            "Hay fever",
            "health",
            "The drops: five of them under the tongue each morning. Keep the bottle in the fridge.",
        )
        .note(
            "Ear ache",
            "health",
            "The drops: three of them into the left ear at night.",
        )
        .solved_by(&[Edit::Answer("Five drops each morning.", &["Hay fever"])]),
    ]
}

fn from_several() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-owed",
            "how much do I still owe gitte and how much samir",
            Expected::default()
                .answer(
                    &["34|thirty-four|thirty four", "12|twelve"],
                    &["Gitte", "Samir"],
                )
                .lacking(&["27"]),
        )
        .note(
            "Gitte",
            "friends",
            "Paid for my concert ticket, I owe her 34 euros. Allotment by the railway.",
        )
        .note(
            "Samir",
            "friends",
            "Plays the lute. I owe him 12 euros for petrol.",
        )
        .note(
            "Jolien",
            "friends",
            "I owe her 27 euros for the book parcel. Vegan since spring.",
        )
        .solved_by(&[Edit::Answer(
            "You owe Gitte 34 euros and Samir 12 euros.",
            &["Gitte", "Samir"],
        )]),
        Task::strict(
            "ask-cannot-eat",
            "Matilda and Hugo are staying for supper tomorrow. What is it that each of them can't eat?",
            Expected::default()
                .answer(&["celery", "milk|dairy"], &["Matilda", "Hugo"])
                .lacking(&["kiwi"]),
        )
        .note(
            "Matilda",
            "children's friends",
            "Can't eat celery, not even in stock. Her mum picks her up at seven.",
        )
        .note(
            "Hugo",
            "children's friends",
            "Afraid of big dogs. Can't have milk, water is fine with him.",
        )
        .note(
            "Zuri",
            "children's friends",
            "Can't eat kiwi. Lives above the chemist's.",
        )
        .solved_by(&[Edit::Answer(
            "Matilda can't eat celery, Hugo can't have milk.",
            &["Matilda", "Hugo"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-pellets-german",
            "wer ist nochmal unser ansprechpartner bei der firma mit den pellets?",
            Expected::default()
                .answer(&["tischbein"], &["Pellets"])
                .lacking(&["wendt"]),
        )
        .note(
            "Pellets",
            "haus",
            "Vier Tonnen von Grabowski Energie, Ansprechpartner ist Herr Tischbein. Der Schlauch reicht 30 \
             Meter.",
        )
        .note(
            "Gastank",
            "haus",
            "Gemietet, Ansprechpartnerin ist Frau Wendt. Prüfung alle zwei Jahre.",
        )
        .solved_by(&[Edit::Answer("Herr Tischbein.", &["Pellets"])]),
        Task::strict(
            "ask-umbrella-japanese",
            "折りたたみ傘、どこに置いてきたんだっけ",
            Expected::default()
                .answer(&["ロマン"], &["折りたたみ傘"])
                .lacking(&["映画館"]),
        )
        .note(
            "折りたたみ傘",
            "忘れ物",
            "紺色で、柄は木。\n喫茶ロマンに置いてきた。\n来週取りに行く。",
        )
        .note(
            "手袋",
            "忘れ物",
            "茶色の革。\n映画館に置いてきた。\n電話で確認済み。",
        )
        .solved_by(&[Edit::Answer("喫茶ロマンです。", &["折りたたみ傘"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-teddy",
            "which guests forgot a teddy in our flat, and where did we post it?",
            Expected::default()
                .answer(&["okonkwo", "tromsø|tromso|tromsö|tromsoe"], &["Guest book"])
                .lacking(&["delft"]),
        )
        .note("Guest book", "letting", &guest_book())
        .note(
            "Lost and found",
            "letting",
            "A green scarf, posted to Delft. One earring is still here.",
        )
        .solved_by(&[Edit::Answer(
            "The Okonkwos, and we posted it to Tromsø.",
            &["Guest book"],
        )]),
        Task::strict(
            "ask-crowd-insoles",
            "how long am i supposed to wear my new insoles per day in the first week",
            Expected::default()
                .answer(&["2|two"], &["Insoles"]),
        )
        .note(
            "Insoles",
            "feet",
            "In the first week wear them for two hours a day, later as long as you like. Never in the wash.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Two hours a day.", &["Insoles"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    [unknown_price(), unknown_place_and_time()].concat()
}

fn unknown_price() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-flute-rental",
            "what are we paying a month for the flute again",
            Expected::default().no_answer(&["14", "fourteen", "4471"]),
        )
        .note(
            "Flute",
            "music",
            "Rented from Klangwerk, serial number 4471. The cleaning rod is in the case.",
        )
        .note(
            "Ukulele",
            "music",
            "Rented from Saitenladen, 14 euros a month. The second string buzzes.",
        )
        .solved_by(&[Edit::NotFound("The notes do not say what it costs.")]),
    ]
}

fn unknown_place_and_time() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-new-address",
            "I want to send Aunt Roswitha a card. What's her new address?",
            Expected::default().no_answer(&["linden", "18"]),
        )
        .note(
            "Aunt Roswitha",
            "family",
            "Moved in April, the cats came along. Collects snow globes.",
        )
        .note(
            "Uncle Reinhold",
            "family",
            "New address: 18 Linden Row, Emsdetten. Ring twice.",
        )
        .solved_by(&[Edit::NotFound("")]),
        Task::strict(
            "ask-log-splitter",
            "until when can we keep the log splitter",
            Expected::default().no_answer(&["saturday", "10:00", "10 o'clock"]),
        )
        .note(
            "Log splitter",
            "hired",
            "From Mr Aubert, 7 tonnes. Runs on petrol, never leave it alone.",
        )
        .note(
            "Carpet washer",
            "hired",
            "From the drugstore, has to be back on Saturday by 10:00.",
        )
        .solved_by(&[Edit::NotFound("It is not noted until when.")]),
    ]
}
