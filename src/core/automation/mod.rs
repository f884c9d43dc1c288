//! Automation rules: what they wait for and when. Rules are read and checked; nothing fires them
//! yet, and the start says so for each one that is enabled.

mod rule;
mod schedule;
mod zone;

pub use rule::{Rule, RuleTrigger};
pub use schedule::Schedule;
pub use zone::Zone;
