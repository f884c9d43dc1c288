//! The bounds of the control interface and of a running loop, each with its reason.

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

/// The most commits that are read at once for a listener.
pub const API_COMMITS_MAX: usize = 256;

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
