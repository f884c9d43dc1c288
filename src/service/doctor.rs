//! Checks of everything that a run needs, in the order in which it is needed, with hints.
//!
//! Changes nothing but a file of its own, which it removes again.

mod folder;
mod model;

use super::audit::{place_text, torn_text};
use super::holder::{Holder, holder};
use super::session::{Session, now};
use crate::config::{self, Config, ConfigProblem, LoadedConfig, Severity};
use crate::core::journal::State;
use crate::failure::{Code, Failure};
use crate::plain_text::joined;
use crate::provider::LlmProvider;
use crate::store::disk::RealDisk;
use crate::store::{head_of, verify};
use crate::time::Timestamp;
use serde::Serialize;

pub use model::{ask_all, launch};

/// The time before which a clock was never set: 2026-01-01.
const CLOCK_MIN: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// The most that the clock may be behind the newest record, in milliseconds.
const CLOCK_BACK_MS_MAX: i64 = 5000;

/// The files whose problems belong to the configuration. Any other file is a prompt.
const NO_PROMPTS: [&str; 3] = [config::CONFIG_PATH, config::RULES_PATH, config::MODELS_PATH];

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    Ok,
    /// It works, but something is odd.
    Warn,
    Fail,
}

/// A check and its result.
#[derive(Debug, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub status: CheckStatus,
    pub message: String,
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
}

impl Check {
    /// Makes a check that found no problem.
    pub(super) fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self {
            name,
            status: CheckStatus::Ok,
            message: message.into(),
            hint: None,
            estimated: false,
        }
    }

    /// Makes a check that found something odd, with a hint.
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

    /// Makes a check that found something broken, with a hint.
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

    /// Puts a name in front of the message, for one of several checks.
    pub(super) fn of(mut self, name: &str) -> Self {
        self.message = format!("{name}: {}", self.message);
        self
    }

    pub(super) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Says whether the numbers of tokens are an estimate.
    pub(super) const fn estimated(mut self, is_estimated: bool) -> Self {
        self.estimated = is_estimated;
        self
    }

    /// Makes a check of a failure.
    pub fn failed(name: &'static str, failure: Failure) -> Self {
        let hint = failure.hints.into_iter().next().unwrap_or_default();
        Self::fail(name, format!("{}: {}", failure.code, failure.message), hint)
    }
}

/// A way to the providers and programs of the environment.
pub trait DoctorEnvironment {
    /// Makes the provider of a configuration. Opens no connection.
    fn provider(&self, config: &Config) -> Result<Box<dyn LlmProvider>, Failure>;

    /// Returns whether a program is where it would be looked for.
    fn has_program(&self, config: &Config, program: &str) -> bool;
}

/// Checks the files of a root, and returns its state as far as it can be read.
pub fn of_root(
    session: &Session,
    outcome: &Result<LoadedConfig, Vec<ConfigProblem>>,
) -> (Vec<Check>, Option<State>) {
    let mut checks = Vec::from(files(outcome));
    let mut state = None;
    match session.disk() {
        Ok(mut disk) => {
            if let Ok(loaded) = outcome {
                state = session.state(&loaded.config).ok();
            }
            let notes = state.as_ref().map(|state| state.notes.len());
            checks.extend(folder::checks(&mut disk, notes));
            checks.push(lock(&mut disk));
            checks.push(journal(&mut disk));
        }
        Err(failure) => checks.push(Check::failed("folder", failure)),
    }
    checks.push(clock(state.as_ref(), now()));
    (checks, state)
}

/// Checks configuration and prompt, each with its own problems.
fn files(outcome: &Result<LoadedConfig, Vec<ConfigProblem>>) -> [Check; 2] {
    let problems: &[ConfigProblem] = match outcome {
        Ok(loaded) => &loaded.warnings,
        Err(problems) => problems,
    };
    let check = |name: &'static str, of_prompt: bool| {
        let own = |problem: &&ConfigProblem| {
            let code = matches!(
                problem.code,
                Code::PromptJsonInvalid | Code::PromptSchemaInvalid | Code::PromptSegmentEmpty
            );
            // A disk that fails has one code for all files.
            let file = problem.code == Code::DiskError && !NO_PROMPTS.contains(&&*problem.file);
            (code || file) == of_prompt
        };
        let own: Vec<&ConfigProblem> = problems.iter().filter(own).collect();
        let words = joined(&own, "; ");
        let Some(first) = own.first() else {
            return Check::ok(name, "valid");
        };
        let hint = first.hint.clone();
        let hint = hint.unwrap_or_else(|| first.code.page().hint.to_owned());
        if own.iter().any(|it| it.severity == Severity::Error) {
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

/// Checks whether the journal can be started on, and whether every line of it is intact.
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

/// Checks whether the clock was set, and is not behind what was recorded.
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
