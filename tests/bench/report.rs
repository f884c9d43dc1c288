//! What a run of the benches says: one row a goal, as text, as JSON, and as the table of `tests/README.md`.
//! Words and arranges numbers; measures none.

use crate::measure::Pairs;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// What a ratio has to keep to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    fn holds(self, ratio: f64) -> bool {
        match self {
            Self::AtMost(limit) => ratio <= limit,
            Self::AtLeast(limit) => ratio >= limit,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtMost(limit) => format!("at most {limit}"),
            Self::AtLeast(limit) => format!("at least {limit}"),
        }
    }
}

/// What was measured, before it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// The goal's number.
    pub(crate) number: u8,
    /// What is measured.
    pub(crate) what: &'static str,
    /// What it is measured against.
    pub(crate) against: &'static str,
    /// The unit of both raw medians.
    pub(crate) unit: &'static str,
    /// What the ratio has to keep to.
    pub(crate) goal: Goal,
}

/// One line of the result.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    question: Question,
    result: Result<Measured, String>,
    detail: Map<String, Value>,
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    ours: f64,
    /// Absent where the number itself is judged.
    theirs: Option<f64>,
    ratio: f64,
    samples: usize,
}

impl Row {
    /// A ratio of two sides.
    pub(crate) fn of(question: Question, pairs: &Pairs) -> Self {
        let measured = Measured {
            ours: pairs.ours(),
            theirs: Some(pairs.theirs()),
            ratio: pairs.ratio(),
            samples: pairs.len(),
        };
        Self::new(question, Ok(measured))
    }

    /// A number that is judged by itself.
    pub(crate) fn of_number(question: Question, number: f64, samples: usize) -> Self {
        let measured = Measured {
            ours: number,
            theirs: None,
            ratio: number,
            samples,
        };
        Self::new(question, Ok(measured))
    }

    /// Nothing was measured.
    pub(crate) fn skipped(question: Question, reason: impl Into<String>) -> Self {
        Self::new(question, Err(reason.into()))
    }

    fn new(question: Question, result: Result<Measured, String>) -> Self {
        Self {
            question,
            result,
            detail: Map::new(),
        }
    }

    /// The same row with one more fact about it.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }

    /// The row for people.
    pub(crate) fn to_text(&self) -> String {
        let Question {
            number,
            what,
            against,
            unit,
            goal,
        } = self.question;
        let verdict = match &self.result {
            Ok(measured) => {
                let mark = if goal.holds(measured.ratio) {
                    "met"
                } else {
                    "MISSED"
                };
                let (ratio, limit) = (rounded(measured.ratio), goal.text());
                let (sides, rounds) = (sides(measured, unit), measured.samples);
                format!("{ratio} ({limit}), {mark}; {sides}; rounds: {rounds}")
            }
            Err(reason) => format!("skipped: {reason}"),
        };
        let mut lines = vec![format!("goal {number}: {what} / {against}"), verdict];
        let facts = self.detail.iter();
        lines.extend(facts.map(|(name, value)| format!("{name}: {value}")));
        lines.join("\n    ")
    }

    fn to_json(&self) -> Value {
        let Question {
            number,
            what,
            against,
            unit,
            goal,
        } = self.question;
        let mut row = json!({
            "goal": number, "what": what, "against": against, "unit": unit,
            "limit": goal.text(), "detail": self.detail,
        });
        match &self.result {
            Ok(measured) => {
                row["ratio"] = json!(measured.ratio);
                row["ours_median"] = json!(measured.ours);
                row["theirs_median"] = json!(measured.theirs);
                row["samples"] = json!(measured.samples);
                row["met"] = json!(goal.holds(measured.ratio));
            }
            Err(reason) => row["skipped"] = json!(reason),
        }
        row
    }

    fn to_table(&self) -> String {
        let Question {
            number,
            what,
            against,
            unit,
            goal,
        } = self.question;
        let goal_text = goal.text();
        match &self.result {
            Ok(measured) => {
                let mark = if goal.holds(measured.ratio) {
                    "yes"
                } else {
                    "**no**"
                };
                let theirs = measured.theirs.map_or_else(String::new, rounded);
                let (ours, ratio) = (rounded(measured.ours), rounded(measured.ratio));
                format!(
                    "| {number} | {what} | {against} | {ours} | {theirs} | {unit} | {ratio} | {goal_text} | {mark} |"
                )
            }
            Err(_) => format!(
                "| {number} | {what} | {against} | | | {unit} | not measured here | {goal_text} | |"
            ),
        }
    }
}

fn sides(measured: &Measured, unit: &str) -> String {
    let ours = rounded(measured.ours);
    measured.theirs.map_or_else(
        || format!("{ours} {unit}"),
        |theirs| format!("{ours} against {} {unit}", rounded(theirs)),
    )
}

/// Three significant figures are all that such a measurement carries.
fn rounded(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// Everything as one JSON document.
pub(crate) fn to_json(rows: &[Row], machine: &Value, quick: bool) -> Value {
    let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
    json!({"machine": machine, "quick": quick, "rows": rows})
}

/// Returns the table of `tests/README.md`.
pub(crate) fn markdown(rows: &[Row], machine: &Value) -> String {
    let mut table = String::from(
        "| goal | what | against | ours | theirs | unit | ratio | goal | met |\n\
         |--:|---|---|--:|--:|---|--:|---|---|\n",
    );
    for row in rows {
        table.push_str(&row.to_table());
        table.push('\n');
    }
    let fact = |name: &str| machine[name].as_str().unwrap_or_default().to_owned();
    // Writing into a string cannot fail.
    writeln!(
        table,
        "\n{} CPUs ({}), Linux {}, {}; medians; ratio: the median of the ratios of neighbouring rounds.",
        machine["cpus"],
        fact("cpu"),
        fact("kernel"),
        fact("filesystem"),
    )
    .unwrap_or_default();
    table
}
