//! The set `everyday`: twelve requests one after another on one root, as a person writes them. Each check
//! looks only at what this request should have changed and answered.

use crate::expected::Expected;
use crate::facts::holds_all;
use crate::task::{Edit, Task};
use crate::world::{World, plain, whole};
use chrono::{Datelike as _, Local, NaiveDate, Weekday};
use serde_json::Value;

/// Notes that an overview has to lead to at least.
const OVERVIEW_MIN: usize = 5;

/// Everything that is to be bought in the course of the set.
const GOODS: [&str; 6] = [
    "lemons",
    "rice",
    "dish soap",
    "batteries",
    "bananas",
    "toothpaste",
];

/// What tells the minutes of the meeting from other notes.
const MINUTES: [&str; 3] = ["samira", "posts", "45"];

/// One request.
pub(crate) struct Request {
    /// Its name on the command line and in the output.
    pub(crate) name: &'static str,
    words: &'static str,
    /// What is expected, from what stands there when it is asked.
    expected: fn(&World) -> Expected,
    /// One way of doing it, for [`verify`].
    solution: &'static [Edit],
}

impl Request {
    /// Returns the request as a task on the root as it is now.
    pub(crate) fn task(&self, before: &World) -> Task {
        Task::strict(self.name, self.words, (self.expected)(before)).solved_by(self.solution)
    }
}

/// Returns the requests in their order.
pub(crate) fn all() -> Vec<Request> {
    let mut requests = noted_first();
    requests.extend(list_and_days());
    requests.extend(looked_back());
    requests
}

fn noted_first() -> Vec<Request> {
    vec![
        Request {
            name: "shopping-list",
            words: "shopping list: lemons, rice, dish soap, AA batteries",
            expected: |_| {
                Expected::default()
                    .new_note(&["lemons", "rice", "dish soap", "batteries"])
                    .dictated()
            },
            solution: &[Edit::Create(
                "Shopping list",
                "- lemons\n- rice\n- dish soap\n- AA batteries",
            )],
        },
        Request {
            name: "minutes",
            words: "minutes of the allotment meeting today: Gerd, Samira and me. the fence gets repaired in \
                    April, Samira orders the posts, the yearly fee goes up to 45 euros. next meeting 20 March",
            expected: |_| {
                Expected::default()
                    .new_note(&[
                        "gerd",
                        "fence",
                        "april",
                        "samira",
                        "posts",
                        "45",
                        "20 March|March 20|20th|20.03|20.3|03-20",
                    ])
                    .dictated()
            },
            solution: &[Edit::Create(
                "Allotment meeting",
                "Gerd, Samira and me. The fence gets repaired in April, Samira orders the posts. The yearly \
                 fee goes up to 45 euros. Next meeting: 20 March.",
            )],
        },
        Request {
            name: "idea",
            words: "idea: make a bench out of the old bed frame and put it under the pear tree",
            expected: |_| {
                Expected::default()
                    .new_note(&["bench", "bed frame", "pear tree"])
                    .dictated()
            },
            solution: &[Edit::Create(
                "Bench",
                "Make a bench out of the old bed frame and put it under the pear tree.",
            )],
        },
        Request {
            name: "recipe",
            words: "Aunt Wilma's lentil soup: 250 g red lentils, 1 onion, 2 carrots, 1 litre of stock. cook 20 \
                    minutes, a dash of vinegar at the end",
            expected: |_| {
                Expected::default()
                    .new_note(&[
                        "250", "lentils", "onion", "carrots", "stock", "20", "vinegar",
                    ])
                    .dictated()
            },
            solution: &[Edit::Create(
                "Lentil soup of Aunt Wilma",
                "250 g red lentils, 1 onion, 2 carrots, 1 litre of stock. Cook 20 minutes, a dash of vinegar.",
            )],
        },
    ]
}

fn list_and_days() -> Vec<Request> {
    vec![
        Request {
            name: "add-to-the-list",
            words: "oh, and bananas and toothpaste, put them on the shopping list too",
            expected: added_to_the_list,
            solution: &[Edit::Append("Shopping list", "\n- bananas\n- toothpaste")],
        },
        Request {
            name: "what-to-buy",
            words: "what do I have to buy?",
            expected: what_to_buy,
            solution: &[Edit::Answer(
                "Lemons, rice, dish soap, batteries, bananas and toothpaste.",
                &["Shopping list"],
            )],
        },
        Request {
            name: "remind",
            words: "remind me on Friday to bring Ole his drill back",
            expected: |_| reminder(Local::now().date_naive()),
            solution: &[Edit::Create("Drill", "Friday: bring Ole his drill back.")],
        },
        Request {
            name: "birthday",
            words: "Grandpa Rolf has his birthday on 9 February, he'll be 85",
            expected: |_| {
                Expected::default()
                    .new_note(&["rolf", "9 Feb|Feb 9|February 9|9th|09.02|9.2|02-09", "85"])
                    .dictated()
            },
            solution: &[Edit::Create(
                "Birthday of Grandpa Rolf",
                "9 February, he'll be 85.",
            )],
        },
    ]
}

fn looked_back() -> Vec<Request> {
    vec![
        Request {
            name: "what-was-decided",
            words: "what did we decide at the allotment meeting?",
            expected: what_was_decided,
            solution: &[Edit::Answer(
                "The fence gets repaired in April, and the fee goes up to 45 euros.",
                &["Allotment meeting"],
            )],
        },
        Request {
            name: "take-off-the-list",
            words: "I've got the rice, take it off the list",
            expected: taken_off_the_list,
            solution: &[Edit::Replace("Shopping list", "- rice\n", "")],
        },
        Request {
            name: "in-german",
            words: "Notier bitte: Frau Özdemir gießt vom 2. bis 9. Mai unsere Blumen",
            expected: |_| {
                Expected::default()
                    .new_note(&["özdemir", "blumen", "2.", "9. Mai|09.05|05-09"])
                    .dictated()
            },
            solution: &[Edit::Create(
                "Blumen",
                "Frau Özdemir gießt vom 2. bis 9. Mai unsere Blumen.",
            )],
        },
        Request {
            name: "overview",
            words: "make me an overview with links to all my notes",
            expected: |_| Expected::default().overview(OVERVIEW_MIN),
            solution: &[Edit::Create(
                "Overview",
                "[[Shopping list]] [[Allotment meeting]] [[Bench]] [[Drill]] [[Blumen]]",
            )],
        },
    ]
}

/// Returns the title of a note that holds all facts.
fn title_of(world: &World, facts: &[&str]) -> Option<String> {
    let facts: Vec<String> = facts.iter().map(|&it| it.to_owned()).collect();
    let mut notes = world.notes.iter();
    let found = notes.find(|note| holds_all(&whole(note), &facts))?;
    Some(plain(&found["title"]))
}

/// Returns the title of the shopping list, and what stands on it.
fn list_in(world: &World) -> Option<(String, Vec<&'static str>)> {
    let title = title_of(world, &["lemons", "batteries"])?;
    let text = world.text(&title).unwrap_or_default();
    let is_on_it = |it: &&str| holds_all(&text, &[(*it).to_owned()]);
    Some((title, GOODS.into_iter().filter(is_on_it).collect()))
}

fn added_to_the_list(before: &World) -> Expected {
    let Some((title, mut goods)) = list_in(before) else {
        return Expected::default().new_note(&GOODS[4..]);
    };
    goods.extend(&GOODS[4..]);
    Expected::default().change(&title, &goods)
}

fn what_to_buy(before: &World) -> Expected {
    list_in(before).map_or_else(Expected::never, |(title, goods)| {
        Expected::default().answer(&goods, &[&title])
    })
}

fn taken_off_the_list(before: &World) -> Expected {
    let found = list_in(before).filter(|(_, goods)| goods.contains(&"rice"));
    found.map_or_else(Expected::never, |(title, mut goods)| {
        goods.retain(|it| *it != "rice");
        Expected::default()
            .change(&title, &goods)
            .lacking(&["rice"])
    })
}

fn what_was_decided(before: &World) -> Expected {
    title_of(before, &MINUTES).map_or_else(Expected::never, |title| {
        Expected::default().answer(&["fence", "april", "45"], &[&title])
    })
}

/// Expects a note with the matter and its day: by name, or as a date.
fn reminder(today: NaiveDate) -> Expected {
    let is_friday = |day: &NaiveDate| day.weekday() == Weekday::Fri;
    let friday = today.iter_days().skip(1).find(is_friday).unwrap_or(today);
    let forms = [
        "%Y-%m-%d", "%-d %b", "%b %-d", "%B %-d", "%-d.%-m.", "%d.%m.", "%m/%d",
    ];
    let day = forms.iter().fold("friday|freitag".to_owned(), |day, form| {
        format!("{day}|{}", friday.format(form))
    });
    Expected::default()
        .new_note(&["drill", "ole", &day])
        .dictated()
}

/// Fails if a check of a request holds before anything was done, or does not hold when it was done.
pub(crate) fn verify() {
    let mut world = World {
        notes: Vec::new(),
        ram: Value::Null,
        storage: Value::Null,
        run: Value::Null,
    };
    for request in all() {
        world.run = Value::Null;
        let task = request.task(&world);
        world = task.verify_on(&world);
    }
}
