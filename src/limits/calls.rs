//! The bounds of what comes back from a model server, each with its reason. Nothing else stands here.

/// Largest body of an error answer that is looked at, in bytes: one JSON object, with room.
pub const ERROR_BODY_BYTES_MAX: usize = 64 * 1024;

/// Most models taken from a provider's list.
pub const MODELS_LISTED_MAX: usize = 1000;

/// Most header lines accepted in an answer; servers send ten to thirty.
pub const REPLY_HEADERS_MAX: usize = 64;

/// Longest piece of a server's own error message that is shown, in characters.
pub const SERVER_MESSAGE_CHARS_MAX: usize = 300;

/// Shortest run of bytes that a server's message may share with the key or the prompt before it
/// counts as a quotation of it and is withheld. Shorter runs are common words.
pub const QUOTATION_BYTES_MIN: usize = 16;

/// Largest event of a streamed answer, in bytes. One brings a few characters; a server that sends the
/// whole answer as one event stays below the body's bound.
pub const STREAM_EVENT_BYTES_MAX: usize = 256 * 1024;

/// Most events of one streamed answer. One token is one event, and no answer has so many tokens.
pub const STREAM_EVENTS_MAX: usize = 300_000;

/// Longest line that a command-line provider prints, in bytes: one event with a whole reply in it,
/// and everything else that such programs put beside it.
pub const COMMAND_LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Most output of one run of a command-line provider, in bytes.
pub const COMMAND_OUTPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Prose after instructions from which on it is looked at, in bytes. A model that explains itself writes
/// a paragraph or two between two instructions, and what comes after them counts: of 153 recorded
/// answers none has more than 102 bytes there, and the longest useless tail has 469.
pub const PROSE_AFTER_BYTES: usize = 1200;

/// How much of the same short piece over and over is a model that has lost itself, in bytes. A
/// ruler of dashes in a note is shorter.
pub const REPEATED_TAIL_BYTES: usize = 480;

/// Longest piece that counts as short there, in bytes: it then stands there four times.
pub const REPEATED_TAIL_PERIOD_BYTES_MAX: usize = 120;

/// Most instructions that a constrained reply may have. One step takes one to three; a small model
/// that is kept to form fills whatever room it is given.
pub const CONSTRAINED_INSTRUCTIONS_MAX: usize = 8;

/// Most dollars that one call can cost: whatever a server claims beyond it is no price.
pub const DOLLARS_PER_CALL_MAX: f64 = 10_000.0;
