//! The bounds of a model that repeats itself, each with its reason. Nothing else stands here.

/// Refusals of a run that are remembered, so that none is told twice in the same words. A small model
/// goes round among two or three; each stands in the journal with every iteration.
pub const REFUSALS_REMEMBERED: usize = 12;

/// Iterations in a row that may repeat what was refused and change nothing: two whole cycles.
pub const NO_PROGRESS_MAX: u32 = 6;

/// First pause after such an iteration, in milliseconds; it doubles with each.
pub const NO_PROGRESS_PAUSE_MS_MIN: u64 = 1000;

/// Longest pause after such an iteration, in milliseconds.
pub const NO_PROGRESS_PAUSE_MS_MAX: u64 = 60_000;
