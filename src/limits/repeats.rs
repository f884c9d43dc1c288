//! The bounds of a model that repeats itself, each with its reason.

/// The most refusals of a run that are remembered, so that no message repeats.
/// A small model cycles through two or three; each is in the journal with every iteration.
pub const REFUSALS_REMEMBERED: usize = 12;

/// The most iterations in a row that repeat refused instructions and change nothing: two cycles.
pub const NO_PROGRESS_MAX: u32 = 6;

/// The first pause after such an iteration, in milliseconds; it doubles with each.
pub const NO_PROGRESS_PAUSE_MS_MIN: u64 = 1000;

/// The longest pause after such an iteration, in milliseconds.
pub const NO_PROGRESS_PAUSE_MS_MAX: u64 = 60_000;
