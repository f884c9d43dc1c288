//! Facts about the tags of keys, and about state that is carried over from retired segments.
//! Retention journals live state again, so that nothing live is lost with a segment.

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

/// The live state of retired segments, journaled again.
/// It follows the notes that are carried over with it, so it also marks the state as complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateCarried {
    /// All entries of RAM.
    pub ram: BTreeMap<String, Value>,
    /// The open and the newest finished runs.
    pub runs: Vec<Run>,
    /// The counters of the state machine.
    pub cycle: Cycle,
    /// The results that no prompt has shown yet.
    pub results: Vec<ActionResult>,
    /// The results by their numbers.
    #[serde(default, skip_serializing_if = "ResultLog::is_empty")]
    pub result_log: ResultLog,
    /// The newest tool calls.
    #[serde(default, skip_serializing_if = "ActionLog::is_empty")]
    pub log: ActionLog,
    /// The version of each note that the agent saw last.
    pub seen: BTreeMap<NoteId, u64>,
    /// The memory of the organizing state.
    #[serde(default, skip_serializing_if = "Organizing::is_empty")]
    pub organizing: Organizing,
    /// The token calibration of each model, learned from past calls.
    #[serde(default, skip_serializing_if = "Calibrations::is_empty")]
    pub calibrations: Calibrations,
    /// The cost of the calls of the newest day.
    #[serde(default, skip_serializing_if = "Spending::is_empty")]
    pub spending: Spending,
    /// The schedule cursor of all rules.
    #[serde(
        rename = "awaited",
        default,
        skip_serializing_if = "ScheduleCursor::is_empty"
    )]
    pub schedule_cursor: ScheduleCursor,
    /// The number of the first kept segment. A journal that begins there, or before, is complete.
    pub first_segment: u32,
}

/// The tags and relations that a reply gives to keys, complete for each key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysNoted {
    /// The tags and relations by key.
    pub keys: BTreeMap<String, KeyNoted>,
}

/// The complete directory of keys, journaled again when segments are retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysCarried {
    /// The directory.
    pub keys: KeyDirectory,
}

/// The ids of the past runs, journaled behind the [`StateCarried`] that they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunsRemembered {
    /// The ids.
    pub past: PastRuns,
}
