//! Queries of the kept journal and the state, for callers that only read.
//! Each query is a function over a disk, for processes that do not hold the root, or over a reader
//! of the journal. Never writes.

pub(crate) mod audit;
pub(crate) mod runs;
pub(crate) mod state;
pub(crate) mod trace;
pub(crate) mod undo;
pub(crate) mod why;
