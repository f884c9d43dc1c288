//! Goal 15: how long the days of a month take with fifty rules, when nobody has to live through them. The
//! disk is the memory and the model a script, so the loop itself is measured.

use crate::floor::runtime;
use crate::measure::{Outcome, float, median, now_ns};
use crate::product::folder;
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::config;
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::daemon::{Rehearsal, Script, rehearse, stop_pair};
use kjxlkj_agent::limits::REHEARSAL_BYTES_MAX;
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const REHEARSAL: Question = Question {
    number: 15,
    what: "rehearsal of 30 days with 50 rules, each once a day",
    against: "nothing: the number itself",
    unit: "s",
    goal: Goal::AtMost(5.0),
};

const RULES: u64 = 50;
const DAYS: i64 = 30;
const FROM: &str = "2026-03-10T00:30:00Z";

/// Measures the goal; a quick one lives through a day alone, which tells only that it works.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let (days, rounds) = if quick { (1, 1) } else { (DAYS, 5) };
    let folder = folder()?;
    prepare(folder.path())?;
    let mut seconds = Vec::new();
    let mut calls = 0;
    for _ in 0..rounds {
        let since = now_ns();
        calls = run(folder.path(), days)?;
        seconds.push(float(now_ns() - since) / 1e9);
    }
    let row = Row::of_number(REHEARSAL, median(&seconds), rounds)
        .with("rules", RULES)
        .with("days", days)
        .with("calls", calls);
    Ok(vec![row])
}

fn prepare(root: &Path) -> Outcome<()> {
    config::init(root)?;
    let nothing: BTreeMap<String, String> = BTreeMap::new();
    let Ok(loaded) = config::load(root, &nothing) else {
        return Err("what a new root is given cannot be read".into());
    };
    let workspace = loaded.config.scope.workspace_id;
    let rules: Vec<Value> = (0..RULES)
        .map(|number| {
            json!({
                "rule_id": format!("00000000-0000-4000-8000-{number:012}"),
                "workspace_id": workspace,
                "trigger": "automation_schedule.cron",
                "condition_json": {"cron": format!("{} {} * * *", number % 60, number % 24)},
                "action_json": {"kind": "kjxlkj_agent"},
                "enabled": true,
                "created_at": FROM,
                "updated_at": FROM,
            })
        })
        .collect();
    Ok(fs::write(
        root.join("data/rules.json"),
        json!(rules).to_string(),
    )?)
}

/// Rehearses, and gives how often the model was asked.
fn run(root: &Path, days: i64) -> Outcome<u64> {
    let nothing: BTreeMap<String, String> = BTreeMap::new();
    let Ok(loaded) = config::load(root, &nothing) else {
        return Err("the rules cannot be read".into());
    };
    let from = Timestamp::parse(FROM).ok_or("no time")?;
    let rehearsal = Rehearsal {
        config: loaded.config,
        prompt: loaded.prompt,
        state: State::default(),
        from,
        to: from.plus_millis(days * DAY_MS),
        script: Script::built_in(),
        call_ms: None,
        bytes_max: REHEARSAL_BYTES_MAX,
    };
    let (handle, stop) = stop_pair();
    let report = runtime()?.block_on(Box::pin(rehearse(rehearsal, handle, stop)))?;
    let expected = RULES * u64::try_from(days)?;
    if report.reconciled.ran + report.reconciled.skipped != expected {
        return Err(format!("{:?} instead of {expected} slots", report.reconciled).into());
    }
    Ok(report.total.usage.calls)
}
