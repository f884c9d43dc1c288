//! Facts about what is known beside the notes: what a reply says of keys, and what retention journals
//! again of segments that go, so that nothing live is lost with them.

use super::event::Cycle;
use crate::core::agent::{ActionLog, ActionResult, ResultLog};
use crate::core::automation::ScheduleCursor;
use crate::core::memory::KeyDirectory;
use crate::core::memory::directory::KeyNoted;
use crate::core::notes::Organizing;
use crate::core::prompt::Calibrations;
use crate::core::route::Spending;
use crate::core::run::{PastRuns, Run};
use crate::ids::NoteId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What was live in segments that are retired, journaled again. It comes after the notes that are
/// carried over with it, so it also says that nothing is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateCarried {
    /// RAM, whole.
    pub ram: BTreeMap<String, Value>,
    /// Open and newest finished runs.
    pub runs: Vec<Run>,
    /// The cycle.
    pub cycle: Cycle,
    /// Results not yet shown.
    pub results: Vec<ActionResult>,
    /// Results by their numbers.
    #[serde(default, skip_serializing_if = "ResultLog::is_empty")]
    pub result_log: ResultLog,
    /// The newest tool calls.
    #[serde(default, skip_serializing_if = "ActionLog::is_empty")]
    pub log: ActionLog,
    /// Versions last shown to the agent.
    pub seen: BTreeMap<NoteId, u64>,
    /// What putting notes in order has to remember.
    #[serde(default, skip_serializing_if = "Organizing::is_empty")]
    pub organizing: Organizing,
    /// What past calls have shown of each model's tokenizer.
    #[serde(default, skip_serializing_if = "Calibrations::is_empty")]
    pub calibrations: Calibrations,
    /// What calls have cost on the newest day.
    #[serde(default, skip_serializing_if = "Spending::is_empty")]
    pub spending: Spending,
    /// What is known of the time of all rules.
    #[serde(
        rename = "awaited",
        default,
        skip_serializing_if = "ScheduleCursor::is_empty"
    )]
    pub schedule_cursor: ScheduleCursor,
    /// The first segment that is kept. A journal that begins there, or before, is whole.
    pub first_segment: u32,
}

/// What a reply says of keys: for each, all its tags and relations from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysNoted {
    /// The keys.
    pub keys: BTreeMap<String, KeyNoted>,
}

/// The directory of keys, whole, when segments are retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysCarried {
    /// The directory.
    pub keys: KeyDirectory,
}

/// The ids of runs that ended before those in [`StateCarried`], which it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunsRemembered {
    /// The ids.
    pub past: PastRuns,
}
