//! The bounds of automation rules and of their rehearsal, each with its reason.

/// The most characters of a condition, or of another expression.
/// A longer one cannot be checked by reading.
pub const CONDITION_CHARS_MAX: usize = 1000;

/// The most nested parts of a condition, as in `a + b + c` or `a.b[0]`.
/// Evaluation is recursive, and without optimisation each part takes 40 KB of a stack of 2 MB.
pub const CONDITION_DEPTH_MAX: usize = 24;

/// The stack that parses a condition, in bytes.
/// Parsing is recursive and its depth is not known before; the worst case takes a third of this
/// without optimisation. Unused stack takes no memory.
pub const CONDITION_STACK_BYTES: usize = 96 * 1024 * 1024;

pub const CONDITION_ERROR_CHARS_MAX: usize = 400;

/// The most missed slots that a rule catches up with at once.
/// More would keep a small model busy for days.
pub const SLOTS_CAUGHT_UP_MAX: usize = 100;

/// The most slots that are counted when they are too old to be checked one by one.
/// A schedule of every second has 3,600 slots an hour.
pub const SLOTS_COUNTED_MAX: usize = 10_000;

/// The least difference of wall and monotonic clock that counts as a jump, in milliseconds.
/// The clocks are read one after the other, and small corrections of the wall clock are normal.
pub const CLOCK_LEAP_MS_MIN: u64 = 2000;

/// The longest time between two checks of the wall clock in a wait for a slot, in milliseconds.
/// The clock may have been set, or the machine may have slept.
pub const SLOTS_LOOK_MS_MAX: u64 = 60_000;

/// The least lead of a rule's records over the clock that is reported, in milliseconds.
/// Shorter times pass by themselves; a wrong zone or summer time causes them.
pub const JUDGED_AHEAD_MS_MIN: i64 = 24 * 60 * 60_000;

/// The most slots after the newest record that a reconciliation counts.
/// They need no check, and there is no end to them.
pub const RECONCILED_PENDING_MAX: u64 = 100_000;

/// The most slots that a reconciliation checks one by one because no record gives their number.
/// A clock that was 70 years ahead leaves two billion slots.
pub const RECONCILED_ALIKE_MAX: u64 = 250_000;

/// The most records of slots without a run that a reconciliation lists.
/// It also bounds the reasons of a rule.
pub const RECONCILED_SPANS_MAX: usize = 1000;

pub const RECONCILED_SHOWN_MAX: usize = 20;

/// The longest chain of runs that cause each other by rules.
/// Longer chains are nearly always loops, which would keep a small model busy for ever.
pub const CAUSATION_DEPTH_MAX: u32 = 3;

/// The most runs that rules may open because of one run, directly or indirectly.
/// The depth alone allows millions, since one run may change a hundred notes; thirty keep a small
/// model busy for an hour.
pub const RUNS_CAUSED_MAX: usize = 32;

/// The default for how late a missed slot may still be caught up with, in minutes.
pub const LATENESS_MINUTES: u64 = 60;

/// The longest time that a rule may set for that, in minutes.
/// A day of every second has about a hundred thousand slots to check.
pub const LATENESS_MINUTES_MAX: u64 = 24 * 60;

// === rehearsal ===

/// The most days of a rehearsal: a year, so that it has every date and both changes of the clock.
pub const REHEARSAL_DAYS_MAX: u32 = 366;

/// The default days of a rehearsal: they have every weekday and the turn of a month.
pub const REHEARSAL_DAYS: u32 = 30;

/// The most bytes that a rehearsal writes.
/// All are in memory, and small machines have a few times that.
pub const REHEARSAL_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The default length of a call in milliseconds, where no run of the root has measured it.
/// It is that of a small model on a small machine.
pub const REHEARSAL_CALL_MS: u64 = 10_000;

/// The longest length of a call that can be given, in seconds: the longest configurable timeout.
pub const REHEARSAL_CALL_SECONDS_MAX: u64 = 3600;
