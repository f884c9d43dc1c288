//! `replay RUN`: checks whether the retained replies of a run are still decided as they were.

use super::context::Context;
use super::output::Answer;
use super::text::one_line;
use crate::failure::Failure;
use crate::service::runs::{self, NamedRun, ReplayReport};
use std::fmt::Write as _;

/// The most characters of a fact in a line.
const FACT_CHARACTERS_MAX: usize = 200;

/// Runs the verb.
pub(super) fn run(context: &Context, run_id: String) -> Result<Answer, Failure> {
    let report = runs::replay(&context.session, NamedRun { run_id })?;
    let answer = context.answer(&report, || text_of(&report))?;
    Ok(answer.ok_if(report.same))
}

fn text_of(report: &ReplayReport) -> String {
    let mut out = format!("decided with {}\n", report.decided_with);
    for replayed in &report.iterations {
        let word = match replayed.same {
            Some(true) => "the same",
            Some(false) => "differs",
            None => "its reply was not retained",
        };
        // Writing into a string cannot fail.
        writeln!(out, "iteration {}: {word}", replayed.iteration).unwrap_or_default();
        if let Some([then, now]) = &replayed.difference {
            let [then, now] = [then, now].map(|fact| one_line(fact, FACT_CHARACTERS_MAX));
            writeln!(out, "    then: {then}\n    now:  {now}").unwrap_or_default();
        }
    }
    out
}
