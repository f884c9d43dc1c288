//! Every bound of the program, each with its reason, and the relations between them.
//! What a person may lower stands in the configuration; these are the ceilings.

/// Largest answer body read from a provider, in bytes. A 1 MiB answer is already hundreds of times
/// what a small model writes; a longer one is a server gone wrong.
pub const REPLY_BODY_BYTES_MAX: usize = 1024 * 1024;

/// Largest list of models read from a provider, in bytes. `OpenRouter` lists several hundred models
/// with their descriptions, which is more than any answer needs.
pub const MODELS_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

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

/// Longest wait for a connection, in milliseconds. A server on this machine or in a data centre
/// accepts within milliseconds, however long its model then thinks.
pub const CONNECT_TIMEOUT_MS: u64 = 5000;

/// Longest wait for the list of models, in milliseconds: it needs no model, so it is quick.
pub const MODELS_TIMEOUT_MS: u64 = 10_000;

/// Longest pause that a server may ask for with `Retry-After`, in milliseconds. Beyond two minutes
/// the run's own back-off decides.
pub const RETRY_AFTER_MS_MAX: u64 = 120_000;

/// Tokens that one call can count at most; whatever a server claims beyond it is cut to it, so that
/// sums over years never wrap.
pub const USAGE_TOKENS_MAX: u64 = 0xffff_ffff;

/// Pause between two looks whether a launched server answers, in milliseconds.
pub const LAUNCH_POLL_MS: u64 = 250;

/// Longest line kept of a launched server's output, in bytes; longer ones are broken.
pub const LAUNCH_LINE_BYTES_MAX: usize = 4096;

/// How long a launched server may take to end by itself, in milliseconds.
pub const LAUNCH_STOP_GRACE_MS: u64 = 2000;

/// Largest model text handed to the parser, in bytes.
pub const REPLY_TEXT_BYTES_MAX: usize = 256 * 1024;

/// Most instructions taken from one reply. Small models that loop repeat themselves; 64 is far
/// above what one step of work needs.
pub const INSTRUCTIONS_PER_REPLY_MAX: usize = 64;

/// Most markup elements looked at in one reply before it is given up as runaway.
pub const ELEMENTS_PER_REPLY_MAX: usize = 4096;

/// Deepest nesting of elements followed in a reply. Instructions need two levels; anything deeper
/// inside a value is that value's text.
pub const ELEMENT_DEPTH_MAX: usize = 8;

/// Longest element name, in bytes.
pub const ELEMENT_NAME_BYTES_MAX: usize = 64;

/// Most diagnostics kept for one reply: enough to learn from, bounded for the journal.
pub const DIAGNOSTICS_MAX: usize = 32;

/// Longest text of a wrong instruction that is given back in the example of a right one, in bytes:
/// the example stands in the next prompt, beside everything else.
pub const SAMPLE_TEXT_BYTES_MAX: usize = 160;

/// Largest value of one note, in bytes.
pub const NOTE_VALUE_BYTES_MAX: usize = 256 * 1024;

/// Longest note title, in bytes.
pub const NOTE_TITLE_BYTES_MAX: usize = 512;

/// Most keywords on one note.
pub const NOTE_KEYWORDS_MAX: usize = 64;

/// Longest single keyword, in bytes.
pub const KEYWORD_BYTES_MAX: usize = 128;

/// Most issues on one note. Nobody reads a longer list; a model that keeps complaining would
/// otherwise make the note grow for ever.
pub const NOTE_ISSUES_MAX: usize = 100;

/// Largest issue, text and details together, in bytes.
pub const ISSUE_BYTES_MAX: usize = 4096;

/// Most bytes of notes that one iteration writes. A small change can rewrite a large note, since
/// the journal holds notes whole, and all changes of an iteration share one line.
pub const NOTES_WRITTEN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest RAM key, in bytes.
pub const RAM_KEY_BYTES_MAX: usize = 256;

/// Largest RAM value, in bytes. RAM stands in each prompt, and the windows are small.
pub const RAM_VALUE_BYTES_MAX: usize = 16 * 1024;

/// Most RAM keys.
pub const RAM_KEYS_MAX: usize = 10_000;

/// Largest KV file taken in from a person's hand, in bytes.
pub const KV_FILE_BYTES_MAX: usize = 1024 * 1024;

/// Largest inbox file, in bytes.
pub const INBOX_FILE_BYTES_MAX: usize = 64 * 1024;

/// Most open and queued runs; a request beyond that stays in the inbox.
pub const RUNS_OPEN_MAX: usize = 1000;

/// Finished runs kept in memory and in the checkpoint; older ones are read from the journal.
pub const RUNS_FINISHED_KEPT: usize = 200;

/// Ids of older requests that are remembered, so that none of them is worked on twice: a year of
/// 27 requests a day. They take 320 KB of each checkpoint.
pub const RUNS_REMEMBERED: usize = 10_000;

/// Hits of one search that are shown to the model.
pub const SEARCH_HITS_MAX: usize = 10;

/// Characters of a note's value shown with a search hit.
pub const SEARCH_PREVIEW_CHARS: usize = 200;

/// Words and phrases that one search looks for; more are left out of the question.
pub const SEARCH_TERMS_MAX: usize = 32;

/// Notes that the results of one reply show, at most: forty ids and titles are about 2000 tokens.
pub const RESULT_ITEMS_MAX: usize = 40;

/// Characters of notes' texts that the results of one reply show, at most. About 2000 tokens, a
/// quarter of a window of 8192.
pub const RESULT_TEXT_CHARS_MAX: usize = 8000;

/// Iterations of one run where the loop is not bounded: each hundred are audited as one run.
pub const PERPETUAL_RUN_ITERATIONS: u32 = 100;

/// Time between two looks for journal segments past their age, in milliseconds. Ages are counted
/// in days, and a look reads the whole journal.
pub const RETENTION_EVERY_MS: u64 = 24 * 60 * 60 * 1000;

/// Iterations that must lie between two paging iterations, so that paging never starves work.
pub const PAGING_GAP_ITERATIONS: u32 = 3;

/// RAM may grow to this many times `working_memory_character_max` before `ram_add` is refused.
pub const RAM_HARD_FACTOR: usize = 4;

/// How long a hand edit must lie still before it is judged, in milliseconds. Editors write in
/// several steps; half a second is longer than any of them needs.
pub const EDIT_SETTLE_MS: u64 = 500;

/// How long an inbox file must lie still before it is taken, in milliseconds.
pub const INBOX_SETTLE_MS: u64 = 1000;

/// Journal bytes between two checkpoints. Bounds what a start after `kill -9` replays.
pub const CHECKPOINT_EVERY_BYTES: u64 = 1024 * 1024;

/// Longest journal line accepted, in bytes: one full reply's worth of notes, with room.
pub const JOURNAL_LINE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Largest configuration, prompt or rules file, in bytes.
pub const CONFIG_FILE_BYTES_MAX: usize = 1024 * 1024;

/// Largest script of a scripted provider, in bytes: a long recording, read whole.
pub const SCRIPT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How long a stop may take, in milliseconds, also in the middle of a model call.
pub const STOP_DEADLINE_MS: u64 = 5000;

const _: () = assert!(
    REPLY_TEXT_BYTES_MAX <= REPLY_BODY_BYTES_MAX,
    "text is part of the body"
);
const _: () = assert!(
    NOTE_VALUE_BYTES_MAX <= REPLY_TEXT_BYTES_MAX,
    "a note comes from one reply"
);
const _: () = assert!(
    RAM_VALUE_BYTES_MAX < KV_FILE_BYTES_MAX,
    "a value fits the file"
);
const _: () = assert!(
    // A byte of text takes at most six in JSON.
    6 * (NOTES_WRITTEN_BYTES_MAX + RAM_VALUE_BYTES_MAX * INSTRUCTIONS_PER_REPLY_MAX)
        < JOURNAL_LINE_BYTES_MAX,
    "one commit holds whatever one reply can write"
);
const _: () = assert!(
    LAUNCH_STOP_GRACE_MS < STOP_DEADLINE_MS,
    "a launched server ends within the stop"
);
