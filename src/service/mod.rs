//! What a person can ask, one file a family: a typed request and its typed answer. Answers alone or within
//! a daemon, whose loop makes the changes then. Knows no words of a command line, no
//! addresses, and not how an answer looks.

pub mod audit;
pub mod import;
pub mod next_prompt;
pub mod notes;
pub mod ram;
pub mod review;
pub mod room_report;
pub mod rules;
pub mod runs;
pub mod status;
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

pub use change::{change_file, command_by, warn_after};
pub use folder::{check_reachable, hold};
pub use holder::{Holder, explained, holder, unread, unread_by};
pub use in_force::InForce;
pub use inbox::{DroppedRequest, drop_request, inbox_requests, is_in_inbox};
pub use list::{Among, List, PAGE_ITEMS, Page, Pagination};
pub use pending_edits::{notes_edited, ram_edited, warn_of_ids, warn_of_notes, warn_of_ram};
pub use run_record::{RunRecord, RunView};
pub use session::{Notices, Session, now};
pub use suggestions::closest;
