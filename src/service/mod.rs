//! The services, one file a family: each is a typed request and its typed answer.
//!
//! A service answers alone, or within a daemon, whose loop then makes the changes. It knows no
//! words of a command line, no addresses, and not how an answer looks.

pub mod audit;
pub mod doctor;
pub mod follow;
pub mod import;
pub mod next_prompt;
pub mod notes;
pub mod ram;
pub mod review;
pub mod room_report;
pub mod rules;
pub mod runs;
pub mod settings;
pub mod status;
pub mod stop;
pub mod undo;

mod change;
mod folder;
mod holder;
mod in_force;
mod inbox;
mod list;
mod pending_edits;
mod run_record;
mod session;
mod suggestions;
mod typed_id;

pub use change::warn_after;
pub use folder::{check_reachable, hold};
pub use holder::{Holder, explained, holder};
pub use in_force::InForce;
pub use inbox::{DroppedRequest, drop_request};
pub use list::{Among, List, PAGE_ITEMS, Page, Pagination};
pub use run_record::{RunRecord, RunView};
pub use session::{Notices, Session, now};
pub use suggestions::closest;
