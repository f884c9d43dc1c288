//! The bounds of the control interface and of what is asked of a loop that lives, each with its reason.
//! Nothing else stands here.

/// Largest body of a request to the control interface, in bytes: the largest note, spelt out twice where
/// it is handed over.
pub const API_BODY_BYTES_MAX: usize = 2 * 1024 * 1024;

// A byte of text takes at most seven where JSON stands within JSON.
const _: () = assert!(7 * super::NOTE_VALUE_BYTES_MAX <= API_BODY_BYTES_MAX);

/// Largest head of such a request, in bytes.
pub const API_HEAD_BYTES_MAX: usize = 16 * 1024;

/// Most headers of one.
pub const API_HEADERS_MAX: usize = 64;

/// How long a head may take, and then a body, in milliseconds; also how long an open connection may be
/// silent. Who asks stands beside the machine or on it.
pub const API_READ_MS_MAX: u64 = 10_000;

/// Connections that are open at once; others wait.
pub const API_CONNECTIONS_MAX: usize = 64;

/// Of those, how many may listen to events: never so many that nobody else gets a word in.
pub const API_LISTENERS_MAX: usize = 16;

/// How long a client may leave an answer or an event unread, in milliseconds.
pub const API_WRITE_MS_MAX: u64 = 60_000;

/// How often a listener is told that nothing has happened, in milliseconds: that is how one that is gone
/// is noticed.
pub const API_ALIVE_EVERY_MS: u64 = 15_000;

/// Commits that are read at once for a listener.
pub const API_COMMITS_MAX: usize = 256;

/// Verbs that are answered at once; each may read the whole root.
pub const API_VERBS_MAX: usize = 2;

/// Characters of an idempotency key.
pub const API_KEY_CHARS_MAX: usize = 200;

/// Commands that wait for the loop at once: more than anybody sends by hand.
pub const COMMANDS_MAX: usize = 64;

/// How long a command waits for the loop, in milliseconds. It has a moment within milliseconds, unless
/// the disk is full or the notes of a large root are being read.
pub const COMMAND_WAIT_MS: u64 = 30_000;

/// Longest step of the loop without a wait, in milliseconds: reading a hundred thousand notes from a
/// slow disk. After that a watchdog is no longer told that all is well.
pub const STEP_MS_MAX: u64 = 120_000;
