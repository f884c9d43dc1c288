//! The services, one file a family: each is a typed request and its typed answer.
//!
//! A service answers alone, or within a daemon, whose loop then makes the changes. A request is
//! parsed from a command line by clap, where its doc comments are the help texts, or from JSON by
//! serde. A service knows no addresses, and not how an answer looks.

pub mod agents;
pub mod audit;
pub mod budget_report;
pub mod doctor;
pub mod follow;
pub mod import;
pub mod next_prompt;
pub mod notes;
pub mod ram;
pub mod review;
pub mod rules;
pub mod runs;
pub mod settings;
pub mod status;
pub mod stop;
pub mod undo;

mod change;
mod holder;
mod inbox;
mod list;
mod pending_edits;
mod session;
mod typed_id;

pub use change::warn_after;
pub use holder::{Holder, check_reachable, explained, hold, holder};
pub use inbox::{DroppedRequest, drop_request};
pub use list::{List, ListWithIds, PAGE_ITEMS, PageQuery, Pagination};
pub use runs::RunView;
pub use session::{ActiveConfig, Notices, Session, now};
pub use typed_id::closest;
