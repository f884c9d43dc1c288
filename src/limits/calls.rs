//! The bounds of replies of model servers, and of models that repeat themselves, each with its
//! reason.

/// The largest body of an error response that is read, in bytes: one JSON object, with room.
pub const ERROR_BODY_BYTES_MAX: usize = 64 * 1024;

/// The most models taken from a provider's list.
pub const MODELS_LISTED_MAX: usize = 1000;

/// The most header lines accepted in a response; servers send ten to thirty.
pub const REPLY_HEADERS_MAX: usize = 64;

/// The longest part of a server's error message that is shown, in characters.
pub const SERVER_MESSAGE_CHARS_MAX: usize = 300;

/// The shortest common run of bytes by which a message quotes the key or the prompt.
/// A quote is withheld. Shorter runs are common words.
pub const QUOTATION_BYTES_MIN: usize = 16;

/// The largest event of a streamed reply, in bytes.
/// An event holds a few characters; a whole reply in one event stays below the bound of the body.
pub const STREAM_EVENT_BYTES_MAX: usize = 256 * 1024;

/// The most events of one streamed reply.
/// One token is one event, and no reply has so many tokens.
pub const STREAM_EVENTS_MAX: usize = 300_000;

/// The longest line that a command-line provider prints, in bytes.
/// It is one event with a whole reply in it, and the other fields of such programs.
pub const COMMAND_LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The most output of one run of a command-line provider, in bytes.
pub const COMMAND_OUTPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The prose after instructions from which a tail is checked, in bytes.
/// Models write a paragraph or two between instructions, and what follows counts: of 153 recorded
/// replies none has more than 102 bytes there, and the longest useless tail has 469.
pub const PROSE_AFTER_BYTES: usize = 1200;

/// The length of a repeated short piece that counts as an endless repetition, in bytes.
/// A ruler of dashes in a note is shorter.
pub const REPEATED_TAIL_BYTES: usize = 480;

/// The longest piece that counts as short there, in bytes: it is then repeated four times.
pub const REPEATED_TAIL_PERIOD_BYTES_MAX: usize = 120;

/// The most instructions that a constrained reply may have.
/// One step needs one to three; a small model under a constraint fills whatever room it has.
pub const CONSTRAINED_INSTRUCTIONS_MAX: usize = 8;

/// The most dollars that one call can cost: a higher number from a server is no price.
pub const DOLLARS_PER_CALL_MAX: f64 = 10_000.0;

// === repeats ===

/// The most refusals of a run that are remembered, so that no message repeats.
/// A small model cycles through two or three; each is in the journal with every iteration.
pub const REFUSALS_REMEMBERED: usize = 12;

/// The most iterations in a row that repeat refused instructions and change nothing: two cycles.
pub const NO_PROGRESS_MAX: u32 = 6;

/// The first pause after such an iteration, in milliseconds; it doubles with each.
pub const NO_PROGRESS_PAUSE_MS_MIN: u64 = 1000;

/// The longest pause after such an iteration, in milliseconds.
pub const NO_PROGRESS_PAUSE_MS_MAX: u64 = 60_000;
