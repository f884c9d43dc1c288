//! The set `tuned`: what the program was made better with. How to see in the files whether a task was
//! done: every goal is about facts, never about wording, and none holds on a root that nobody has touched.

use crate::task::Task;

impl Task {
    fn household(self) -> Self {
        self.note(
            "Rosemary",
            "rosemary, herbs",
            "Rosemary needs sun and little water.",
        )
        .note(
            "Bicycle tyres",
            "bicycle, tyres",
            "The bicycle has 28 inch tyres.",
        )
    }
}

/// The tasks, the most telling first.
pub(crate) fn all() -> Vec<Task> {
    let groups = [
        writing(),
        changing(),
        keeping(),
        finding(),
        small_windows(),
        scripts(),
    ];
    groups.into_iter().flatten().collect()
}

/// New notes.
fn writing() -> Vec<Task> {
    vec![
        Task::new(
            "one-note",
            "Save a note that the dentist appointment is on Tuesday at 9.",
            |world| world.notes.len() == 1 && world.has(&["dentist", "tuesday", "9"]),
        )
        .may(1, &[]),
        Task::new(
            "three-notes",
            "Turn this text into three short notes: Basil likes warm places. Mint grows in the \
             shade. Thyme needs dry soil.",
            |world| {
                world.notes.len() >= 3
                    && world.has(&["basil", "warm"])
                    && world.has(&["mint", "shade"])
                    && world.has(&["thyme", "dry"])
            },
        )
        .may(3, &[]),
        Task::new(
            "two-facts",
            "Note down: Anna has the spare key. The boiler is serviced in March.",
            |world| world.has(&["anna", "key"]) && world.has(&["boiler", "march"]),
        )
        .may(2, &[]),
        Task::new(
            "remember",
            "Remember that my favourite tea is sencha.",
            |world| world.has(&["sencha"]) || world.ram.to_string().contains("sencha"),
        )
        .may(1, &[]),
        Task::new(
            "given-title",
            "Save a note titled Door code with the text 2580.",
            |world| {
                world
                    .text("Door code")
                    .is_some_and(|it| it.contains("2580"))
            },
        )
        .may(1, &[]),
        Task::new(
            "numbers",
            "Note down my meter readings: electricity 48213, gas 9917, water 332.",
            |world| ["48213", "9917", "332"].iter().all(|it| world.has(&[it])),
        )
        .may(3, &[]),
    ]
}

/// Notes that are there already.
fn changing() -> Vec<Task> {
    vec![
        Task::new(
            "add-to-a-note",
            "Find my note about the bicycle and add that the pump is in the cellar.",
            |world| world.notes.len() == 2 && world.has(&["28", "pump", "cellar"]),
        )
        .may(0, &["Bicycle tyres"])
        .household(),
        Task::new(
            "correct-a-note",
            "The bicycle has 26 inch tyres, not 28. Correct the note Bicycle tyres.",
            |world| {
                let text = world.text("Bicycle tyres");
                world.notes.len() == 2
                    && text.is_some_and(|it| it.contains("26") && !it.contains("has 28"))
            },
        )
        .may(0, &["Bicycle tyres"])
        .household(),
        Task::new(
            "correct-a-line",
            "Anna's birthday is on 4 May, not on 5 May. Correct the note Birthdays.",
            |world| {
                let text = world.text("Birthdays").unwrap_or_default();
                ["4 May", "9 June", "1 July", "Ben", "Carl"]
                    .iter()
                    .all(|it| text.contains(it))
                    && !text.contains("5 May")
            },
        )
        .may(0, &["Birthdays"])
        .note(
            "Birthdays",
            "birthdays",
            "Anna: 5 May\nBen: 9 June\nCarl: 1 July",
        ),
        Task::new("grow-a-list", "Put bread on the shopping list.", |world| {
            world.notes.len() == 1 && world.all_in("Shopping list", &["milk", "eggs", "bread"])
        })
        .may(0, &["Shopping list"])
        .note("Shopping list", "shopping", "- milk\n- eggs"),
        Task::new(
            "shorten-a-list",
            "The milk is bought. Take milk off the shopping list.",
            |world| {
                let text = world.text("Shopping list").unwrap_or_default();
                text.contains("eggs") && text.contains("flour") && !text.contains("milk")
            },
        )
        .may(0, &["Shopping list"])
        .note("Shopping list", "shopping", "- milk\n- eggs\n- flour"),
    ]
}

/// What stands beside the text of notes: links, issues, RAM, what was noted before.
fn keeping() -> Vec<Task> {
    vec![
        Task::new("link", "Link the note Bicycle tyres to the note Rosemary.", |world| {
            let tyres = world.note("Bicycle tyres");
            let linked = tyres.is_some_and(|it| {
                it["links"].as_array().is_some_and(|links| !links.is_empty())
            });
            linked && world.has(&["28", "tyres"]) && world.has(&["rosemary", "sun"])
        }).may(0, &["Bicycle tyres"])
        .household(),
        Task::new(
            "issue",
            "Report an issue on the note Bicycle tyres: the size may be wrong.",
            |world| {
                let issues = |title| world.note(title).map(|it| it["issues"].as_array().map(Vec::len));
                issues("Bicycle tyres").flatten().is_some_and(|count| count > 0)
                    && world.all_in("Bicycle tyres", &["28"])
            },
        ).may(0, &["Bicycle tyres"])
        .household(),
        Task::new(
            "delete-a-key",
            "Delete the key old_offer from RAM. It is no longer needed.",
            |world| world.ram["old_offer"].is_null() && world.ram["budget"] == "40 euros",
        ).may(0, &[])
        .ram("old_offer", "A used bicycle for 80 euros.")
        .ram("budget", "40 euros"),
        Task::new(
            "half-done",
            "Make sure that my notes say that the bins go out on Friday, and that the paper bin goes \
             out on Monday.",
            |world| {
                let about_friday = |text: &str| text.to_lowercase().contains("friday");
                let friday = world.texts().filter(|text| about_friday(text));
                friday.count() == 1 && world.has(&["paper", "monday"])
            },
        ).may(1, &["Bins"])
        .note("Bins", "bins, friday", "The bins go out on Friday."),
    ]
}

/// Notes that have to be found first.
fn finding() -> Vec<Task> {
    vec![
        Task::new(
            "one-of-three",
            "Ben has sold his bicycle. Add that to the note about Ben's bicycle.",
            |world| {
                world.all_in("Bicycle of Ben", &["28 inch", "sold"])
                    && world.text("Bicycle of Anna").as_deref()
                        == Some("It is red and has 26 inch.")
                    && world.text("Bicycle of Carl").as_deref()
                        == Some("It is blue and has 20 inch.")
            },
        )
        .may(0, &["Bicycle of Ben"])
        .note(
            "Bicycle of Anna",
            "bicycle, anna",
            "It is red and has 26 inch.",
        )
        .note(
            "Bicycle of Ben",
            "bicycle, ben",
            "It is green and has 28 inch.",
        )
        .note(
            "Bicycle of Carl",
            "bicycle, carl",
            "It is blue and has 20 inch.",
        ),
        Task::new(
            "found-by-its-text",
            "Find the note that mentions the garage and add that the garage door is broken.",
            |world| {
                world.all_in("Winter tyres", &["garage", "shelf", "broken"])
                    && world.text("Ladder").as_deref() == Some("The ladder is in the cellar.")
            },
        )
        .may(0, &["Winter tyres"])
        .note(
            "Winter tyres",
            "tyres",
            "They lie in the garage on the top shelf.",
        )
        .note("Ladder", "ladder", "The ladder is in the cellar."),
        Task::new(
            "answer-in-a-note",
            "Who serviced the boiler? Look it up in my notes and write the answer into a new note \
             titled Answer.",
            |world| world.all_in("Answer", &["meier"]),
        )
        .may(1, &[])
        .note(
            "Boiler",
            "boiler, heating",
            "The boiler was serviced in March by Meier and Sons.",
        )
        .note(
            "Chimney",
            "chimney",
            "The chimney was swept in May by Schulz.",
        ),
    ]
}

/// What does not fit a small window.
fn small_windows() -> Vec<Task> {
    let page =
        "Wind from the west, a little rain, nothing seen all day but gulls and one grey seal. ";
    let logbook = format!("The boat is called Albatros. {}", page.repeat(280));
    let letter = "We are sorry that it took so long, and we hope that you are well all the same. ";
    let letter = letter.repeat(50);
    let full = |word: &str| {
        format!(
            "{word} {}",
            "is kept in the third box on the left. ".repeat(30)
        )
    };
    vec![
        Task::new(
            "long-note",
            "How is the boat called? It stands in the note Logbook. Save a new note titled Boat that \
             says it.",
            |world| {
                world.all_in("Boat", &["albatros"])
                    // Nothing of the long note is lost by being looked at.
                    && world.text("Logbook").is_some_and(|text| text.len() > 20_000)
            },
        ).may(1, &[])
        .note("Logbook", "logbook, boat", &logbook),
        Task::new(
            "long-request",
            format!(
                "Save a note of the new gate code that stands in this letter. {letter}The new gate \
                 code is 4711. {}",
                &letter[..letter.len() / 5]
            ),
            |world| world.has(&["4711"]),
        ).may(1, &[]),
        Task::new(
            "full-ram",
            "Save a note that the gas meter was read on 3 June.",
            |world| {
                let full = |word: &str| {
                    format!("{word} {}", "is kept in the third box on the left. ".repeat(30))
                };
                world.has(&["gas", "3 june"])
                    && ["Wool", "Glue", "Rope"].iter().all(|word| world.holds(&full(word)))
            },
        ).may(1, &[])
        .ram("wool", full("Wool"))
        .ram("glue", full("Glue"))
        .ram("rope", full("Rope")),
    ]
}

/// Characters that get lost easily.
fn scripts() -> Vec<Task> {
    vec![
        Task::new(
            "symbols",
            "Save this as a note titled Shell trick: if a < b && c > d then run cp x & wait",
            |world| world.has(&["a < b && c > d"]),
        )
        .may(1, &[]),
        Task::new(
            "quotes",
            "Save this line of code as a note titled Greeting: print(\"Hello, 'world'!\")",
            |world| world.has(&["print(\"hello, 'world'!\")"]),
        )
        .may(1, &[]),
        Task::new(
            "address",
            "Save the address of the wiki: http://wiki.local/start?page=1&lang=de",
            |world| world.has(&["http://wiki.local/start?page=1&lang=de"]),
        )
        .may(1, &[]),
        Task::new(
            "german",
            "Notiere: Der Schlüssel für den Keller liegt im blauen Topf.",
            |world| world.has(&["schlüssel", "keller", "blauen topf"]),
        )
        .may(1, &[]),
        Task::new(
            "japanese",
            "メモして：歯医者の予約は火曜日の九時です。",
            |world| world.has(&["歯医者", "火曜日", "九時"]),
        )
        .may(1, &[]),
    ]
}
