//! The JSON form of the state in a checkpoint.
//! Its members and their order are permanent; the fields of the state are not.

use super::event::Cycle;
use super::state::State;
use crate::core::agent::{ActionLog, ActionResult, ResultLog, WorkingMemory};
use crate::core::automation::ScheduleCursor;
use crate::core::is_default;
use crate::core::memory::{KeyDirectory, Ram};
use crate::core::notes::OrganizeState;
use crate::core::prompt::Calibrations;
use crate::core::review::Proposals;
use crate::core::route::Spending;
use crate::core::run::Runs;
use crate::ids::{NoteId, RunId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The state without notes and `/storage`, which have files of their own.
#[derive(Serialize, Deserialize)]
struct Snapshot<'a> {
    ram: Cow<'a, Ram>,
    #[serde(default)]
    keys: Cow<'a, KeyDirectory>,
    runs: Cow<'a, Runs>,
    cycle: Cycle,
    results: Cow<'a, [ActionResult]>,
    #[serde(default)]
    result_log: Cow<'a, ResultLog>,
    #[serde(default)]
    log: Cow<'a, ActionLog>,
    seen: Cow<'a, BTreeMap<NoteId, u64>>,
    #[serde(default, skip_serializing_if = "is_default")]
    organizing: Cow<'a, OrganizeState>,
    #[serde(default)]
    calibrations: Cow<'a, Calibrations>,
    #[serde(default, skip_serializing_if = "is_default")]
    spending: Spending,
    #[serde(default, skip_serializing_if = "is_default")]
    awaited: Cow<'a, ScheduleCursor>,
    #[serde(default, skip_serializing_if = "is_default")]
    proposals: Cow<'a, Proposals>,
    #[serde(default, skip_serializing_if = "is_default")]
    private: Cow<'a, BTreeMap<RunId, WorkingMemory>>,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let memory = &self.main;
        let snapshot = Snapshot {
            ram: Cow::Borrowed(&memory.ram),
            keys: Cow::Borrowed(&memory.keys),
            runs: Cow::Borrowed(&self.runs),
            cycle: memory.cycle,
            results: Cow::Borrowed(&memory.results),
            result_log: Cow::Borrowed(&memory.result_log),
            log: Cow::Borrowed(&memory.log),
            seen: Cow::Borrowed(&memory.seen),
            organizing: Cow::Borrowed(&self.organizing),
            calibrations: Cow::Borrowed(&self.calibrations),
            spending: self.spending,
            awaited: Cow::Borrowed(&self.schedule_cursor),
            proposals: Cow::Borrowed(&self.proposals),
            private: Cow::Borrowed(&self.private),
        };
        snapshot.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Snapshot::deserialize(deserializer)?;
        Ok(Self {
            main: WorkingMemory {
                ram: read.ram.into_owned(),
                keys: read.keys.into_owned(),
                cycle: read.cycle,
                results: read.results.into_owned(),
                result_log: read.result_log.into_owned(),
                log: read.log.into_owned(),
                seen: read.seen.into_owned(),
            },
            runs: read.runs.into_owned(),
            organizing: read.organizing.into_owned(),
            calibrations: read.calibrations.into_owned(),
            spending: read.spending,
            schedule_cursor: read.awaited.into_owned(),
            proposals: read.proposals.into_owned(),
            private: read.private.into_owned(),
            ..Self::default()
        })
    }
}
