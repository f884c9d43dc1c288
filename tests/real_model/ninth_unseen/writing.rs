//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        removal_and_list(),
    ]
    .concat()
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "new-window-cleaner",
            "Start a note called Window cleaner please: Mr Okafor comes every 6 weeks, takes 45 euros in cash \
             and needs the tap in the yard turned on",
            Expected::default().new_titled(
                "Window cleaner",
                &[
                    "okafor",
                    "6 week|six week|6-week|six-week|6th week|sixth week",
                    "45|forty-five|forty five",
                    "cash",
                    "tap",
                ],
            ),
        )
        .note(
            "Yard tap",
            "house",
            "Closed from November to March, the valve is in the cellar.",
        )
        .note(
            "Rain gutters",
            "house",
            "Cleared in autumn by Mr Blaszczyk, 80 euros.",
        )
        .solved_by(&[Edit::Create(
            "Window cleaner",
            "Mr Okafor, every 6 weeks, 45 euros in cash. The tap in the yard has to be on.",
        )]),
        Task::strict(
            "dictate-tyres",
            "ok jot this down before i forget.. guy at the garage says my winter tyres have 5 mm left at the \
             front and 4 at the back so they'll do one more season, and theyre stored on shelf C17 there. \
             thats it cheers",
            Expected::default().new_note(&[
                "tyre|tire",
                "front&5",
                "back&4|rear&4",
                "season|one more|1 more|another|next winter",
                "C17|C 17|C-17",
            ]),
        )
        .note(
            "Roof box",
            "car",
            "Carries 75 kg. The key is on the board in the hall.",
        )
        .note(
            "Number plate",
            "car",
            "The front one is loose, two screws are missing.",
        )
        .solved_by(&[Edit::Create(
            "Winter tyres",
            "5 mm left at the front, 4 mm at the back: good for one more season.\nAt the garage, shelf C17.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "thanks-night",
            "haha you're a star, good night!",
            Expected::default(),
        )
        .note("Star jasmine", "balcony", "Indoors below five degrees.")
        .note("Night bus", "", "The N8 goes on the hour from the theatre."),
        Task::strict(
            "monday-yawn",
            "ugh, mondays. i'm not even properly awake yet",
            Expected::default(),
        )
        .note(
            "Monday club",
            "friends",
            "Meets at Xenia's, everybody brings a bottle.",
        )
        .note("Alarm clock", "", "The snooze button sticks."),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "tuner-and-metronome",
            "The piano tuner is coming at 14:30 instead of 11:00. And please make a separate note that Hildur \
             has got our metronome, she'll give it back after her exam.",
            Expected::default()
                .change(
                    "Piano tuner",
                    &[
                        "14:30|14.30|2:30|2.30|half past two|half past 2|half two",
                        "friday",
                        "95",
                        "sticks",
                    ],
                )
                .lacking(&["11:00|11.00|11 am|11am|11 o'clock"])
                .new_note(&["metronome", "hildur", "exam"]),
        )
        .note(
            "Piano tuner",
            "piano",
            "Comes on Friday at 11:00, 95 euros.\nThe high D sticks, show him.",
        )
        .note(
            "Piano stool",
            "piano",
            "The screw was glued at 11:00, so leave it until tonight.",
        )
        .solved_by(&[
            Edit::Replace("Piano tuner", "11:00", "14:30"),
            Edit::Create(
                "Metronome",
                "Hildur has it and gives it back after her exam.",
            ),
        ]),
    ]
}

fn removal_and_list() -> Vec<Task> {
    vec![
        Task::strict(
            "pinata-and-borrowed",
            "lupe's party is over so you can delete Piñata plan. and in Borrowed things: the gas burner is \
             back with the Nowaks so take that off, but put down the cake stand from Imke",
            Expected::default()
                .delete("Piñata plan")
                .change(
                    "Borrowed things",
                    &["folding table&vikram", "sledge&oona", "cake stand&imke"],
                )
                .lacking(&["gas burner|nowak"]),
        )
        .note(
            "Piñata plan",
            "party",
            "A donkey, filled with 2 kg of sweets, hung from the walnut tree.",
        )
        .note(
            "Piñata shop",
            "party",
            "Behind the station, also has paper lanterns. Shut on Tuesdays.",
        )
        .note(
            "Borrowed things",
            "",
            "- folding table (Vikram)\n- gas burner (Nowaks)\n- sledge (Oona)",
        )
        .solved_by(&[
            Edit::Delete("Piñata plan"),
            Edit::Replace("Borrowed things", "- gas burner (Nowaks)\n", ""),
            Edit::Append("Borrowed things", "\n- cake stand (Imke)"),
        ]),
    ]
}
