//! Bounds of automation rules, each with its reason. Nothing here can be configured.

/// Characters of a rule's condition: a page is more than anybody can check by reading.
pub const CONDITION_CHARS_MAX: usize = 1000;

/// Parts of it that may hang on each other, as in `a + b + c` or `a.b[0]`: it is answered by recursion, and
/// without optimisation each takes forty kilobytes of a stack that has two megabytes.
pub const CONDITION_DEPTH_MAX: usize = 24;

/// Stack that one is read with. It is read by recursion before anybody can tell how deep it goes; the
/// worst that its characters can hold takes a third of this without optimisation. Memory is taken only as
/// far as it is used.
pub const CONDITION_STACK_BYTES: usize = 96 * 1024 * 1024;

/// Characters that are told of what is wrong with one.
pub const CONDITION_ERROR_CHARS_MAX: usize = 400;

/// Slots that a rule that wants each of them is caught up with at once. More would keep a small model
/// busy for days.
pub const SLOTS_CAUGHT_UP_MAX: usize = 100;

/// Slots that are counted when they are too old to be looked at one by one; a schedule of every second
/// has three thousand an hour.
pub const SLOTS_COUNTED_MAX: usize = 10_000;

/// How far the clock on the wall may go apart from the one that nobody sets before it counts as put, or the
/// machine as having slept, in milliseconds. The two are read one after the other, and the first is kept
/// right by pulling it a little.
pub const CLOCK_LEAP_MS_MIN: u64 = 2000;

/// How long nobody looks at the clock on the wall while a slot is waited for between two iterations, in
/// milliseconds: it may have been put, or the machine have slept.
pub const SLOTS_LOOK_MS_MAX: u64 = 60_000;

/// How far into the future the times of a rule may be judged before somebody is told, in milliseconds: less
/// passes by itself, and is what a zone or a summer time that was set wrong leaves.
pub const JUDGED_AHEAD_MS_MIN: i64 = 24 * 60 * 60_000;

/// Slots behind the newest record that a reconciliation counts: nothing can be wrong with them, and there is
/// no end to them.
pub const RECONCILED_PENDING_MAX: u64 = 100_000;

/// Slots that a reconciliation looks at one by one in stretches of which no record tells how many there are,
/// over all of them. A clock that was seventy years ahead leaves two thousand million in one.
pub const RECONCILED_ALIKE_MAX: u64 = 250_000;

/// Records of slots that opened nothing, and the reasons of a rule, that a reconciliation names.
pub const RECONCILED_SPANS_MAX: usize = 1000;

/// Slots that a reconciliation names as wrong.
pub const RECONCILED_SHOWN_MAX: usize = 20;

/// Runs that may cause each other in a row, by rules. Longer chains are loops nearly always, and a small
/// model would work on them for ever.
pub const CAUSATION_DEPTH_MAX: u32 = 3;

/// Runs that rules may open for what one run did, and for what those did in turn. The depth alone leaves
/// room for millions, since one run may change a hundred notes; a small model is busy with thirty for an
/// hour.
pub const RUNS_CAUSED_MAX: usize = 32;

/// How long ago a slot may be that a rule wants caught up with, in minutes, if it does not say.
pub const LATENESS_MINUTES: u64 = 60;

/// How long ago a rule may want that to be, in minutes: a day of every second is a hundred thousand
/// slots to look at.
pub const LATENESS_MINUTES_MAX: u64 = 24 * 60;
