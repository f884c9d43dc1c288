//! The bounds of open files, each with its reason. Nothing else stands here.

/// Files that may be open at once where the hard limit allows it: what most systems give anyway.
pub const DESCRIPTORS_WANTED: u64 = 1024;

/// Files that are kept for the loop: an idle daemon has 31 open, and a model's connection, views, a
/// checkpoint and verbs that read take some more.
pub const DESCRIPTORS_RESERVED: u64 = 48;

/// Files that are left for connections where a daemon starts: two at each of two doors.
pub const DESCRIPTORS_CONNECTIONS_MIN: u64 = 4;

/// Files that can still be opened where a runtime is made: it takes five, and its signals four once.
pub const DESCRIPTORS_STARTING: usize = 16;
