//! Runs: their triggers, their progress and their ends.
//! Only a trigger opens a run, and one trigger never opens two.

mod answer;
mod behind;
mod collection;
mod missing;
mod past;
mod record;
mod server;
mod usage;

pub use answer::{Answer, Source};
pub use behind::Behind;
pub use collection::Runs;
pub use past::PastRuns;
pub use record::{
    AGENT_NAME, OpenRefusal, Origin, Progress, Refused, Run, RunState, StopReason, Trigger,
};
pub use server::ConfiguredServer;
pub use usage::Usage;
