//! Runs: their triggers, their progress and their ends.
//! Only a trigger opens a run, and one trigger never opens two.

mod collection;
mod past_runs;
mod record;

pub use collection::Runs;
pub use past_runs::PastRuns;
pub use record::{
    AGENT_NAME, Answer, AnswerSource, ConfiguredServer, OpenRefusal, Origin, Progress,
    RefusedInstruction, Run, RunAncestry, RunState, StopReason, Trigger, Usage,
};
