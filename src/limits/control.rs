//! The bounds of the control interface and of a running loop, of its stop, its open files and its
//! data folder, each with its reason.

/// The largest body of a request to the control interface, in bytes.
/// It holds the largest note, escaped twice.
pub const API_BODY_BYTES_MAX: usize = 2 * 1024 * 1024;

// A byte of text takes at most seven bytes in JSON within JSON.
const _: () = assert!(7 * super::NOTE_VALUE_BYTES_MAX <= API_BODY_BYTES_MAX);

/// The largest head of such a request, in bytes.
pub const API_HEAD_BYTES_MAX: usize = 16 * 1024;

/// The most headers of such a request.
pub const API_HEADERS_MAX: usize = 64;

/// The longest time to read a head, and then a body, in milliseconds.
/// It is also the longest silence of an open connection. Clients are on this machine or near it.
pub const API_READ_MS_MAX: u64 = 10_000;

/// The most connections that are open at once; others wait.
pub const API_CONNECTIONS_MAX: usize = 64;

/// The most of those connections that may listen to events, so that others stay free.
pub const API_LISTENERS_MAX: usize = 16;

/// The longest time that a client may leave a response or an event unread, in milliseconds.
pub const API_WRITE_MS_MAX: u64 = 60_000;

/// The time between two signs of life for a listener without events, in milliseconds.
/// A failed write shows that the listener is gone.
pub const API_ALIVE_EVERY_MS: u64 = 15_000;

/// The most verbs that are answered at once; each may read the whole root.
pub const API_VERBS_MAX: usize = 2;

/// The most characters of an idempotency key.
pub const API_KEY_CHARS_MAX: usize = 200;

/// The most commands that wait for the loop at once: more than anybody sends by hand.
pub const COMMANDS_MAX: usize = 64;

/// The longest time that a command waits for the loop, in milliseconds.
/// The loop takes it within milliseconds, unless the disk is full or a large root is being read.
pub const COMMAND_WAIT_MS: u64 = 30_000;

/// The longest step of the loop without a wait, in milliseconds.
/// Reading 100,000 notes from a slow disk takes that long. After it the watchdog gets no sign of
/// life.
pub const STEP_MS_MAX: u64 = 120_000;

// === stop ===

/// The longest time of a stop, in milliseconds, also in the middle of a model call.
/// Unfinished work is left to the next start.
pub const STOP_DEADLINE_MS: u64 = 5000;

/// The part of it for the line that reports unfinished work, in milliseconds: the log may hang.
pub const STOP_LINE_MS: u64 = 250;

/// The longest time that a stop waits for work beside the loop, in milliseconds.
/// Such work is a verb that reads, or a name that a resolver does not answer.
pub const STOP_BESIDE_MS: u64 = 1000;

/// The longest time that `stop` waits for the end of a daemon, in milliseconds: twice its deadline.
pub const STOP_WAIT_MS: u64 = 2 * STOP_DEADLINE_MS;

/// The time between two checks by `stop` whether a daemon has ended, in milliseconds.
pub const STOP_LOOK_MS: u64 = 20;

// === open files ===

/// The limit of open files that is requested where the hard limit allows it; most systems set it.
pub const DESCRIPTORS_WANTED: u64 = 1024;

/// The open files that are reserved for the loop.
/// An idle daemon has 31 open; a model's connection, views, a checkpoint and verbs need some more.
pub const DESCRIPTORS_RESERVED: u64 = 48;

/// The fewest open files for connections at the start of a daemon: two for each of two listeners.
pub const DESCRIPTORS_CONNECTIONS_MIN: u64 = 4;

/// The open files that must be free to create a runtime: it takes five, and its signals four once.
pub const DESCRIPTORS_STARTING: usize = 16;

// === the data folder ===

/// The longest wait for the folder, or for the socket of a starting daemon, in milliseconds.
/// A change takes a fraction of a second, and so does a start.
pub const FOLDER_WAIT_MS: u64 = 10_000;

/// The time after which the verb prints what it waits for, in milliseconds.
pub const FOLDER_WORD_MS: u64 = 1000;

/// The longest pause between two tries, in milliseconds.
pub const FOLDER_LOOK_MS_MAX: u64 = 50;

const _: () = assert!(FOLDER_WORD_MS < FOLDER_WAIT_MS);
