//! The map of `kjxlkj-agent`: a note-keeping agent beside a small local model.
//!
//! Four sentences decide the rest. The model proposes, the daemon disposes. One journal, many
//! views. One iteration, one commit. Decisions are pure, effects are few.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")
)]

pub mod failure;
pub mod ids;
pub mod limits;
pub mod strict_json;
pub mod time;

pub mod core;

pub mod config;

pub mod store;

pub mod provider;

pub mod daemon;

pub mod telemetry;

pub mod cli;
