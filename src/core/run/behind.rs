//! What is remembered of a run for the runs that its effects may open, also when its record is gone.

use super::Run;
use crate::core::is_default;
use crate::ids::{RuleId, RunId};
use serde::{Deserialize, Serialize};

/// What stands behind a run, for those that its effects may open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behind {
    /// The rule that opened it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
    /// How many runs lie behind it in a row.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// The first run in that row: itself, where none lies behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<RunId>,
}

impl Behind {
    /// What stands behind a run.
    pub fn of(run: &Run) -> Self {
        let origin = run.origin.as_ref();
        Self {
            rule: run.rule_id,
            depth: origin.map_or(0, |origin| origin.depth),
            root: origin.and_then(|origin| origin.root).or(Some(run.run_id)),
        }
    }
}
