//! `replay RUN`: whether the retained replies of a run are still decided as they were.

use super::context::Context;
use super::output::Answer;
use super::text::one_line;
use crate::daemon::{Replayed, replay};
use crate::failure::Failure;
use crate::ids::RunId;
use crate::service::runs::run_id_of;
use serde::Serialize;
use std::fmt::Write as _;

/// Characters of a fact that a line shows.
const FACT_CHARACTERS_MAX: usize = 200;

/// What a reply is decided with.
const DECIDED_WITH: &str =
    "the mode and the bound of that time; the configuration and the rule's action as they are now";

#[derive(Debug, Serialize)]
struct Report {
    run_id: RunId,
    same: bool,
    decided_with: &'static str,
    iterations: Vec<Replayed>,
}

/// Answers the verb.
pub(super) fn run(context: &Context, run: &str) -> Result<Answer, Failure> {
    let loaded = context.session.load()?;
    let run_id = run_id_of(&context.session, run)?;
    let iterations = replay(
        &mut context.session.disk()?,
        &loaded.config,
        &loaded.prompt,
        run_id,
    )?;
    let report = Report {
        run_id,
        same: iterations.iter().all(|it| it.same != Some(false)),
        decided_with: DECIDED_WITH,
        iterations,
    };
    let answer = context.answer(&report, || text_of(&report))?;
    Ok(answer.ok_if(report.same))
}

fn text_of(report: &Report) -> String {
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
