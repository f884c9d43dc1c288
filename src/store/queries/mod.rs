//! What the kept journal and the state answer to those who only read. Each question is a function over a
//! disk, for whoever does not hold the root, or over a [`Reader`] of the journal. Never writes.
//!
//! [`Reader`]: super::journal::reader::Reader

pub(in crate::store) mod audit;
pub(in crate::store) mod changed_notes;
pub(in crate::store) mod feed;
pub(in crate::store) mod iterations;
pub(in crate::store) mod notes;
pub(in crate::store) mod pending_edits;
pub(in crate::store) mod replies;
pub(in crate::store) mod runs;
pub(in crate::store) mod slots;
pub(in crate::store) mod state;
pub(in crate::store) mod trace;
pub(in crate::store) mod undo;
pub(in crate::store) mod why;
