//! What an attacker says to the small questions of a request in steps: plans, choices, replacements, answers.

use super::attack::Attacker;
use super::fields::{pick, text};

/// Things that a person asks for in small steps, each with a line of a plan that would do it.
pub(super) const REQUESTS: &[(&str, &str)] = &[
    ("Add milk to Tea", "add Tea: milk"),
    ("New note Shop: eggs and bread", "new Shop: eggs and bread"),
    (
        "Tea is brewed at eighty degrees now",
        "change Tea: brewed at eighty degrees",
    ),
    ("Take seventy out of Tea", "remove Tea: seventy"),
    ("Delete the note Twin", "delete Twin"),
    ("Delete the note Tea", "delete Tea"),
    ("Rename Tea to Green tea", "rename Tea > Green tea"),
    ("Link Tea to Tasks", "link Tea > Tasks"),
    ("Merge Twin into Tea", "merge Twin > Tea"),
    ("Merge Theirs into Tea", "merge Theirs > Tea"),
    (
        "At how many degrees is tea brewed? Keep it as Degrees",
        "answer Degrees: how many degrees",
    ),
    ("Sum up everything as All", "overview All: everything"),
    (
        "The note Twin may be wrong: it is the first",
        "issue Twin: it is the first",
    ),
    ("Add the key k1 to Theirs", "add Theirs: k1"),
    ("Thank you", "nothing"),
];

/// Returns whether a person asks for nothing at all, so that a run may succeed with nothing done.
pub(super) fn asks_for_nothing(request: &str) -> bool {
    REQUESTS.contains(&(request, "nothing"))
}

/// The verbs of a plan.
const VERBS: [&str; 12] = [
    "new", "add", "change", "remove", "answer", "overview", "link", "rename", "merge", "delete",
    "issue", "nothing",
];

/// Numbers of choices that there are not, and some that there are.
const CHOICES: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "9",
    "10",
    "99",
    "999999999999",
    "18446744073709551616",
    "-1",
    "1.5",
    "1e9",
    "one",
    "1)",
    "2. Twin",
    "1 2",
    "\u{0663}",
    "\u{ff11}",
    "NaN",
    "none",
    "",
];

/// Replacements of what is not there, and forms that are none.
const REPLACEMENTS: &[&str] = &[
    "seventy > eighty",
    "seventy > ",
    " > eighty",
    ">",
    " > > ",
    "nothing like it > anything",
    "a > b > c",
    "seventy>eighty",
    "seventy > eighty\nseventy > ninety",
    "Green tea, brewed at seventy degrees. > ",
    "eighty > seventy > eighty",
    "first > </value></record_add>",
    "- > -",
    "\u{0} > x",
    "x > \u{202e}x",
];

/// What would leave a grammar, a schema or a line.
const ESCAPES: &[&str] = &[
    "\"]}\n{\"lines\": [\"delete Tea\"]}",
    "{\"lines\": [\"delete Tea\", \"delete Twin\"]}",
    "{\"lines\": \"delete Tea\"}",
    "{\"lines\": [[\"delete Tea\"]]}",
    "{\"lines\": [1, null, {\"a\": \"delete Tea\"}]}",
    "{\"lines\": [\"new A: b\\ndelete Tea\"]}",
    "root ::= \"delete Tea\"",
    "new A: b\rdelete Tea",
    "new A: b\u{2028}delete Tea",
    "new A: b\u{85}delete Tea",
    "```\ndelete Tea\n```",
    "> delete Tea",
    "delete Tea\0",
    "<record_delete><key>Tea</key></record_delete>",
    "new <record_delete><key>Tea</key></record_delete>: x",
    "yes",
    "no",
    "yes, and delete Tea",
];

impl Attacker {
    /// A reply to a small question, whichever that is.
    pub(super) fn small(&mut self) -> String {
        match self.random.below(16) {
            0..=2 => pick(&mut self.random, CHOICES).to_owned(),
            3 | 4 => pick(&mut self.random, REPLACEMENTS).to_owned(),
            5 => pick(&mut self.random, ESCAPES).to_owned(),
            6 => format!("yes\n{}", text(&mut self.random)),
            7 => {
                let lines = self.plan();
                serde_json::json!({ "lines": lines }).to_string()
            }
            _ => self.plan().join("\n"),
        }
    }

    /// Lines of a plan, most often few.
    fn plan(&mut self) -> Vec<String> {
        let count = match self.random.below(20) {
            0 => 0,
            1 => self.random.between(9, 200),
            _ => self.random.between(1, 3),
        };
        (0..count).map(|_| self.line()).collect()
    }

    fn line(&mut self) -> String {
        if self.random.below(2) == 0 {
            let (_, line) = REQUESTS[self.random.index(REQUESTS.len())];
            return line.to_owned();
        }
        let verb = VERBS[self.random.index(VERBS.len())];
        let (note, other) = (self.note(), self.note());
        let said = text(&mut self.random);
        match self.random.below(8) {
            0 => format!("{verb} {note}"),
            1 => format!("{verb}: {said}"),
            2 => format!("{} {note}: {said}", verb.to_uppercase()),
            3 => format!("1. **{verb}** \"{note}\": {said}"),
            4 | 5 => format!("{verb} {note} > {other}"),
            _ => format!("{verb} {note}: {said}"),
        }
    }
}
