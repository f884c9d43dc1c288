//! `doctor`: checks everything that a run needs, in the order in which it is needed, and says what
//! to do about what is missing. Changes nothing but a file of its own that it removes again.

use super::audit::{place_text, torn_text};
use super::context::Context;
use super::output::Answer;
use super::text::{count, one_line};
use super::{doctor_folder, doctor_model};
use crate::config::{self, Loaded, Problem, ProviderKind, Severity};
use crate::core::journal::State;
use crate::core::route::ProviderHealth;
use crate::failure::{Code, Failure};
use crate::service::{Holder, holder, now};
use crate::store::disk::RealDisk;
use crate::store::{head_of, verify};
use crate::time::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;

/// A clock before this moment was never set: 2026-01-01.
const CLOCK_MIN: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// How far behind the newest record the clock may be, in milliseconds.
const CLOCK_BACK_MS_MAX: i64 = 5000;

/// Files whose problems are those of the configuration; any other one is a prompt's.
const NO_PROMPTS: [&str; 3] = [config::CONFIG_PATH, config::RULES_PATH, config::MODELS_PATH];

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckStatus {
    /// As it should be.
    Ok,
    /// It works, but something is odd.
    Warn,
    /// It does not work.
    Fail,
}

/// One check.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    name: &'static str,
    status: CheckStatus,
    message: String,
    hint: Option<String>,
    /// Whether its numbers of tokens are an estimate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
}

impl Check {
    /// A check that came out well.
    pub(super) fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self {
            name,
            status: CheckStatus::Ok,
            message: message.into(),
            hint: None,
            estimated: false,
        }
    }

    /// Something odd, and what to try.
    pub(super) fn warn(
        name: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            status: CheckStatus::Warn,
            hint: Some(hint.into()),
            ..Self::ok(name, message)
        }
    }

    /// Something broken, and what to try.
    pub(super) fn fail(
        name: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            status: CheckStatus::Fail,
            ..Self::warn(name, message, hint)
        }
    }

    /// The same check, of one of several.
    pub(super) fn of(mut self, name: &str) -> Self {
        self.message = format!("{name}: {}", self.message);
        self
    }

    /// The same check under another name.
    pub(super) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// The same check, with numbers of tokens that nobody counted.
    pub(super) const fn estimated(mut self, is_estimated: bool) -> Self {
        self.estimated = is_estimated;
        self
    }

    /// How it came out.
    #[cfg(test)]
    pub(super) const fn status(&self) -> CheckStatus {
        self.status
    }

    /// A failure as a check.
    pub(super) fn failed(name: &'static str, failure: Failure) -> Self {
        let hint = failure.hints.into_iter().next().unwrap_or_default();
        Self::fail(name, format!("{}: {}", failure.code, failure.message), hint)
    }
}

#[derive(Debug, Serialize)]
struct Report {
    ok: bool,
    checks: Vec<Check>,
    health: Vec<ProviderHealth>,
}

/// Checks, and fails if anything is broken.
pub(super) fn run(context: &Context) -> Result<Answer, Failure> {
    let (mut checks, mut health) = (Vec::new(), Vec::new());
    let outcome = context.session.files.load();
    checks.extend(files(&outcome));
    let mut state = None;
    match context.session.disk() {
        Ok(mut disk) => {
            if let Ok(loaded) = &outcome {
                state = context.session.state(&loaded.config).ok();
            }
            let notes = state.as_ref().map(|state| state.notes.len());
            checks.extend(doctor_folder::checks(&mut disk, notes));
            checks.push(lock(&mut disk));
            checks.push(journal(&mut disk));
        }
        Err(failure) => checks.push(Check::failed("folder", failure)),
    }
    checks.push(clock(state.as_ref(), now()));
    if let Ok(loaded) = &outcome {
        if loaded.config.provider.kind != ProviderKind::Scripted {
            context.talk("asking the model; one that has to be loaded first may take minutes");
        }
        let state = state.unwrap_or_else(State::empty);
        let Some((asked, healths)) = doctor_model::checks(context, loaded, &state) else {
            return Ok(context.interrupted());
        };
        checks.extend(asked);
        health = healths;
    }
    let ok = !checks.iter().any(|check| check.status == CheckStatus::Fail);
    let report = Report { ok, checks, health };
    Ok(context.answer(&report, || text_of(&report))?.ok_if(ok))
}

/// Configuration and prompt, each with its own problems.
fn files(outcome: &Result<Loaded, Vec<Problem>>) -> [Check; 2] {
    let problems: &[Problem] = match outcome {
        Ok(loaded) => &loaded.warnings,
        Err(problems) => problems,
    };
    let check = |name: &'static str, of_prompt: bool| {
        let own = |problem: &&Problem| {
            let code = matches!(
                problem.code,
                Code::PromptJsonInvalid | Code::PromptSchemaInvalid | Code::PromptSegmentEmpty
            );
            // A disk that fails has one code for all files.
            let file = problem.code == Code::DiskError && !NO_PROMPTS.contains(&&*problem.file);
            (code || file) == of_prompt
        };
        let own: Vec<&Problem> = problems.iter().filter(own).collect();
        let words: Vec<String> = own.iter().map(ToString::to_string).collect();
        let words = words.join("; ");
        let Some(first) = own.first() else {
            return Check::ok(name, "valid");
        };
        let hint = first.hint.clone();
        let hint = hint.unwrap_or_else(|| first.code.page().hint.to_owned());
        if own
            .iter()
            .any(|problem| problem.severity == Severity::Error)
        {
            Check::fail(name, words, hint)
        } else {
            Check::warn(name, words, hint)
        }
    };
    [check("config", false), check("prompt", true)]
}

fn lock(disk: &mut RealDisk) -> Check {
    let message = match holder(disk) {
        Some(holder) if holder.is_daemon() => {
            format!("a daemon runs, process {}", holder.process)
        }
        Some(Holder { process, status }) => {
            let name = status.purpose.name();
            format!("held by {name}, process {process}; no daemon runs")
        }
        None => "free; no daemon runs".to_owned(),
    };
    Check::ok("lock", message)
}

/// Whether the journal can be started on, and whether every line of it holds.
fn journal(disk: &mut RealDisk) -> Check {
    let verified = match head_of(disk).and_then(|_| verify(disk)) {
        Ok(verified) => verified,
        Err(error) => return Check::failed("journal", error.into()),
    };
    if let Some(bad) = &verified.first_bad {
        return Check::failed("journal", Failure::new(bad.code, place_text(bad)));
    }
    let mut said = if verified.head.seq == 0 {
        "empty; nothing has been committed yet".to_owned()
    } else {
        format!("intact, commit {} is the last", verified.head.seq)
    };
    if let Some(torn) = torn_text(&verified) {
        said = format!("{said}; torn tail, {torn}");
    }
    Check::ok("journal", said)
}

/// Whether the clock was set, and has not gone back behind what was recorded.
fn clock(state: Option<&State>, now: Timestamp) -> Check {
    let hint = "Set the clock, and let it be kept by NTP: timedatectl set-ntp true.";
    if now < CLOCK_MIN {
        return Check::fail("clock", format!("it says {now}, which is long past"), hint);
    }
    let runs = state
        .into_iter()
        .flat_map(|state| state.runs.newest_first());
    let times = runs.flat_map(|run| [Some(run.queued_at), run.started_at, run.completed_at]);
    let ahead = "If it is right now, it was ahead then: `status` names the rules that this has silenced. \
                 Else set it, and let it be kept by NTP: timedatectl set-ntp true.";
    match times.flatten().max() {
        Some(last) if last > now.plus_millis(CLOCK_BACK_MS_MAX) => {
            let message = format!("it says {now}, but something was recorded at {last}");
            Check::warn("clock", message, ahead)
        }
        Some(_) | None => Check::ok("clock", now.to_string()),
    }
}

fn text_of(report: &Report) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let status = super::record::word(&check.status);
        let message = one_line(&check.message, 1000);
        // Writing into a string cannot fail.
        writeln!(text, "{status:4}  {:10}  {message}", check.name).unwrap_or_default();
        if let Some(hint) = &check.hint {
            writeln!(text, "      hint: {}", one_line(hint, 500)).unwrap_or_default();
        }
    }
    let with = |status| {
        let same = report.checks.iter().filter(|check| check.status == status);
        same.count()
    };
    let failed = count(with(CheckStatus::Fail), "failure");
    let warned = count(with(CheckStatus::Warn), "warning");
    text + &format!("{failed}, {warned}\n")
}

#[cfg(test)]
mod tests {
    use super::{CheckStatus, clock};
    use crate::core::journal::State;
    use crate::core::run::{Run, Trigger};
    use crate::ids::{EventId, RunId};
    use crate::time::Timestamp;
    use uuid::Uuid;

    #[test]
    fn a_clock_that_went_back_is_noticed() {
        let at = Timestamp::from_millis;
        let mut state = State::empty();
        let event = EventId("start".to_owned());
        let queued_at = at(1_900_000_000_000);
        let run = Run::queued(RunId(Uuid::nil()), event, Trigger::Start, queued_at);
        state.runs.queue(run);
        for (now, expected) in [
            (at(0), CheckStatus::Fail),
            (queued_at.plus_millis(-60_000), CheckStatus::Warn),
            (queued_at.plus_millis(-1000), CheckStatus::Ok),
            (queued_at.plus_millis(1), CheckStatus::Ok),
        ] {
            assert_eq!(clock(Some(&state), now).status, expected, "{now}");
        }
    }
}
