//! The bounds of open files, each with its reason.

/// The limit of open files that is requested where the hard limit allows it; most systems set it.
pub const DESCRIPTORS_WANTED: u64 = 1024;

/// The open files that are reserved for the loop.
/// An idle daemon has 31 open; a model's connection, views, a checkpoint and verbs need some more.
pub const DESCRIPTORS_RESERVED: u64 = 48;

/// The fewest open files for connections at the start of a daemon: two for each of two listeners.
pub const DESCRIPTORS_CONNECTIONS_MIN: u64 = 4;

/// The open files that must be free to create a runtime: it takes five, and its signals four once.
pub const DESCRIPTORS_STARTING: usize = 16;
