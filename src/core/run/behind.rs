//! The origin of a run, kept for the runs that its effects may open, even after its record is gone.

use super::Run;
use crate::core::is_default;
use crate::ids::{RuleId, RunId};
use serde::{Deserialize, Serialize};

/// The origin of a run, as the runs that its effects open need it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behind {
    /// The rule that opened it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
    /// The number of runs before it in a chain, each opened by an effect of the one before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// The first run of that chain; the run itself where none precedes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<RunId>,
}

impl Behind {
    /// Returns the origin of a run.
    pub fn of(run: &Run) -> Self {
        let origin = run.origin.as_ref();
        Self {
            rule: run.rule_id,
            depth: origin.map_or(0, |origin| origin.depth),
            root: origin.and_then(|origin| origin.root).or(Some(run.run_id)),
        }
    }
}
