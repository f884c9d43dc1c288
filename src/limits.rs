//! Every bound of the program, each with its reason, and the relations between them. Settings may
//! lower some of them; these are the ceilings.

mod automation;
mod calls;
mod control;
mod files;

pub use automation::{
    CAUSATION_DEPTH_MAX, CLOCK_LEAP_MS_MIN, CONDITION_CHARS_MAX, CONDITION_DEPTH_MAX,
    CONDITION_ERROR_CHARS_MAX, CONDITION_STACK_BYTES, JUDGED_AHEAD_MS_MIN, LATENESS_MINUTES,
    LATENESS_MINUTES_MAX, RECONCILED_ALIKE_MAX, RECONCILED_PENDING_MAX, RECONCILED_SHOWN_MAX,
    RECONCILED_SPANS_MAX, REHEARSAL_BYTES_MAX, REHEARSAL_CALL_MS, REHEARSAL_CALL_SECONDS_MAX,
    REHEARSAL_DAYS, REHEARSAL_DAYS_MAX, RUNS_CAUSED_MAX, SLOTS_CAUGHT_UP_MAX, SLOTS_COUNTED_MAX,
    SLOTS_LOOK_MS_MAX,
};
pub use calls::{
    COMMAND_LINE_BYTES_MAX, COMMAND_OUTPUT_BYTES_MAX, CONSTRAINED_INSTRUCTIONS_MAX,
    DOLLARS_PER_CALL_MAX, ERROR_BODY_BYTES_MAX, MODELS_LISTED_MAX, NO_PROGRESS_MAX,
    NO_PROGRESS_PAUSE_MS_MAX, NO_PROGRESS_PAUSE_MS_MIN, PROSE_AFTER_BYTES, QUOTATION_BYTES_MIN,
    REFUSALS_REMEMBERED, REPEATED_TAIL_BYTES, REPEATED_TAIL_PERIOD_BYTES_MAX, REPLY_HEADERS_MAX,
    SERVER_MESSAGE_CHARS_MAX, STREAM_EVENT_BYTES_MAX, STREAM_EVENTS_MAX,
};
pub use control::{
    API_ALIVE_EVERY_MS, API_BODY_BYTES_MAX, API_CONNECTIONS_MAX, API_HEAD_BYTES_MAX,
    API_HEADERS_MAX, API_KEY_CHARS_MAX, API_LISTENERS_MAX, API_READ_MS_MAX, API_VERBS_MAX,
    API_WRITE_MS_MAX, COMMAND_WAIT_MS, COMMANDS_MAX, DESCRIPTORS_CONNECTIONS_MIN,
    DESCRIPTORS_RESERVED, DESCRIPTORS_STARTING, DESCRIPTORS_WANTED, FOLDER_LOOK_MS_MAX,
    FOLDER_WAIT_MS, FOLDER_WORD_MS, STEP_MS_MAX, STOP_BESIDE_MS, STOP_DEADLINE_MS, STOP_LINE_MS,
    STOP_LOOK_MS, STOP_WAIT_MS,
};
pub use files::{
    EDIT_SETTLE_MS, EDIT_WAIT_MS_MAX, FILE_NAME_BYTES_MAX, IMPORT_COMMIT_NOTES_MAX,
    IMPORT_DEPTH_MAX, IMPORT_FILES_MAX, IMPORT_JSON_BYTES_MAX, IMPORT_MARKDOWN_BYTES_MAX,
    IMPORT_VERSION_MAX, INBOX_ABANDONED_MS, INBOX_SETTLE_MS, RETENTION_GAP_DAYS,
};

/// The largest body of a reply that is read from a provider, in bytes.
/// It is hundreds of times what a small model writes; a longer one means a faulty server.
pub const REPLY_BODY_BYTES_MAX: usize = 1024 * 1024;

/// The largest list of models that is read from a provider, in bytes.
/// `OpenRouter` lists several hundred models with their descriptions.
pub const MODELS_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The longest wait for a connection, in milliseconds.
/// A server on this machine or in a data centre accepts within milliseconds, even while its model
/// thinks.
pub const CONNECT_TIMEOUT_MS: u64 = 5000;

/// The longest wait for the list of models, in milliseconds: it needs no model, so it is quick.
pub const MODELS_TIMEOUT_MS: u64 = 10_000;

/// The longest wait for a model's window or for a count of tokens, in milliseconds.
/// It needs no reply of the model, and a run waits for it.
pub const PROBE_TIMEOUT_MS: u64 = 3000;

/// The smallest window of a model, in tokens.
/// No server has a smaller one; such a number means something else.
pub const WINDOW_TOKENS_MIN: u32 = 256;

/// The largest window of a model, in tokens: above all existing ones.
pub const WINDOW_TOKENS_MAX: u32 = 16_777_216;

/// The longest pause that is kept within a call, in milliseconds.
/// A longer one is a limit whose end is known: no call is made until then.
pub const RETRY_AFTER_MS_MAX: u64 = 120_000;

/// The longest wait that a server may ask for, in milliseconds.
/// It is a month's limit, and a day for clocks that differ. After it the server is asked again, so
/// that one wrong value does not block it for ever.
pub const RESETS_AFTER_MS_MAX: u64 = 32 * 24 * 60 * 60 * 1000;

/// The farthest moment that can be the end of a limit, in milliseconds: ten years.
/// A later one is a number that means something else.
pub const RESETS_PLAUSIBLE_MS_MAX: u64 = 3653 * 24 * 60 * 60 * 1000;

/// The most tokens that one call can count.
/// A higher count from a server is cut to it, so that sums over years never wrap.
pub const USAGE_TOKENS_MAX: u64 = 0xffff_ffff;

/// The pause between two checks whether a launched server answers, in milliseconds.
pub const LAUNCH_POLL_MS: u64 = 250;

/// The longest line of a launched server's output, in bytes; longer ones are broken.
pub const LAUNCH_LINE_BYTES_MAX: usize = 4096;

/// The time that a launched server has to end by itself, in milliseconds.
pub const LAUNCH_STOP_GRACE_MS: u64 = 2000;

/// The largest reply that is parsed, in bytes.
pub const REPLY_TEXT_BYTES_MAX: usize = 256 * 1024;

/// The most instructions taken from one reply.
/// Small models that loop repeat themselves; 64 is far above what one step of work needs.
pub const INSTRUCTIONS_PER_REPLY_MAX: usize = 64;

/// The most markup elements of one reply before it counts as runaway.
pub const ELEMENTS_PER_REPLY_MAX: usize = 4096;

/// The deepest nesting of elements that is followed in a reply.
/// Instructions need two levels.
pub const ELEMENT_DEPTH_MAX: usize = 8;

/// The longest element name, in bytes.
pub const ELEMENT_NAME_BYTES_MAX: usize = 64;

/// The most diagnostics kept for one reply: enough to correct the model, bounded for the journal.
pub const DIAGNOSTICS_MAX: usize = 32;

/// The longest text of a wrong instruction in the example of a right one, in bytes.
/// Prompts are small.
pub const SAMPLE_TEXT_BYTES_MAX: usize = 160;

/// The most names in one comma list of a block: more keys than RAM shows at once.
pub const KEYS_PER_LIST_MAX: usize = 64;

/// The largest value of one note, in bytes.
pub const NOTE_VALUE_BYTES_MAX: usize = 256 * 1024;

/// The longest title of a note, in bytes.
pub const NOTE_TITLE_BYTES_MAX: usize = 512;

/// The most keywords of one note.
pub const NOTE_KEYWORDS_MAX: usize = 64;

/// The longest keyword, in bytes.
pub const KEYWORD_BYTES_MAX: usize = 128;

/// The most issues on one note.
/// Nobody reads a longer list; a model that keeps complaining would otherwise make the note grow
/// for ever.
pub const NOTE_ISSUES_MAX: usize = 100;

/// The largest issue, text and details together, in bytes.
pub const ISSUE_BYTES_MAX: usize = 4096;

/// The longest word of a search index, in bytes; of longer ones only the beginning is indexed.
pub const INDEXED_WORD_BYTES_MAX: usize = 64;

/// The fewest notes, or values of `/storage`, that get a search index.
/// Fewer are read within 2 ms.
pub const INDEX_ENTRIES_MIN: usize = 1000;

/// The fewest changed notes or values that make a search build its index anew.
/// A twentieth of all is the bound where that is more. To search that many beside the index takes
/// two milliseconds.
pub const INDEX_BEHIND_MIN: usize = 1000;

/// The shortest time between two checks of the files of a search index, in milliseconds.
pub const INDEX_LOOK_MS: i64 = 30 * 1000;

/// The pause after a search index could not be built, in milliseconds.
/// Searches work without it.
pub const INDEX_RETRY_MS: i64 = 60 * 60 * 1000;

/// The most bytes of notes that one iteration writes.
/// A small change can rewrite a large note, since the journal holds notes whole, and all changes of
/// an iteration share one line.
pub const NOTES_WRITTEN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The longest RAM key, in bytes.
pub const RAM_KEY_BYTES_MAX: usize = 256;

/// The largest RAM value, in bytes.
/// RAM is in each prompt, and windows are small.
pub const RAM_VALUE_BYTES_MAX: usize = 16 * 1024;

/// The deepest nesting of JSON in a RAM value or in an issue's details.
/// The journal's reader allows 128 levels, and a line wraps a value in a few of its own.
pub const JSON_DEPTH_MAX: usize = 64;

/// The most models whose token calibrations are remembered.
/// A root uses one or two; a switch back to a forgotten one costs one cautious prompt.
pub const CALIBRATIONS_MAX: usize = 16;

/// The most RAM keys.
pub const RAM_KEYS_MAX: usize = 10_000;

/// The largest edited KV file that is read, in bytes.
pub const KV_FILE_BYTES_MAX: usize = 1024 * 1024;

/// The largest inbox file, in bytes.
pub const INBOX_FILE_BYTES_MAX: usize = 64 * 1024;

/// The most runs that wait or are under way, of which one at a time is worked on.
/// Each comes from something that happened once, such as an imported note or one of the hundred
/// slots that a single rule may catch up with: a bound of a hundred would lose the events of a day
/// of absence. Each takes about half a kilobyte of the checkpoint. Beyond it, a request stays in
/// the inbox, a launch is refused, and the journal records the runs of rules as skipped.
pub const RUNS_OPEN_MAX: usize = 1000;

/// The most attempts at one run, the first one included.
/// A run that fails ten times will fail again, and its record would grow without bound. A new
/// request starts a new run.
pub const RUN_ATTEMPTS_MAX: u32 = 10;

/// The most finished runs in memory and in the checkpoint; older ones are read from the journal.
pub const RUNS_FINISHED_KEPT: usize = 200;

/// The most ids of older runs that are remembered, so that no event opens a second run.
/// They are three months of a thousand runs a day. They take 1.6 MB of memory and 3.2 MB of each
/// checkpoint, which is written once in a hundred runs or more.
pub const RUNS_REMEMBERED: usize = 100_000;

/// The most hits of one search that are shown to the model.
pub const SEARCH_HITS_MAX: usize = 10;

/// The most characters of a note's value that a search hit shows.
pub const SEARCH_PREVIEW_CHARS: usize = 200;

/// The most words and phrases that one search looks for; further ones are ignored.
pub const SEARCH_TERMS_MAX: usize = 32;

/// The most words of a note's text that are compared: about four pages.
pub const SIMILAR_WORDS_MAX: usize = 1000;

/// The most rare words of a text that are kept to find similar notes.
/// With more than 75 different words and a threshold of 0.8, certainty would need more; but that
/// two such notes share none of sixteen has a chance of one in millions, unless somebody plans it.
pub const SELDOM_WORDS_MAX: usize = 16;

/// The most words of a title that are kept to find notes that mention it.
pub const TITLE_WORDS_MAX: usize = 8;

/// The most notes that one new note is compared with: not all of a thousand copies of one form.
pub const COMPARED_NOTES_MAX: usize = 32;

/// The most notes that are read for one word: a word of more notes is no evidence.
pub const POSTINGS_READ_MAX: usize = 128;

/// The most similar notes that a new note's result shows.
pub const SIMILAR_SHOWN_MAX: usize = 3;

/// The most linked notes that a hit names.
/// Ten hits with four links of forty characters are about 400 tokens.
pub const LINKS_SHOWN_MAX: usize = 4;

/// The most characters of a linked note's title; a note with a longer one is named by its id.
pub const LINK_TITLE_CHARS: usize = 40;

/// The most notes named by a request or a step that its prompt shows.
/// They are enough to contain the right one, and few enough for a window of 4,096 tokens.
pub const FOUND_MAX: usize = 3;

/// The most characters of the text of such a note: whole where possible, since it is to be changed.
pub const FOUND_TEXT_CHARS: usize = 1200;

/// The most offers of work in one organising iteration.
/// Of two, a model of 1.5 billion parameters decides about one and forgets the other, which would
/// then count as declined.
pub const OFFERS_MAX: usize = 1;

/// The longest text of a note that is offered to be rewritten, in characters.
/// It is shown whole, since a small model drops text that it does not see.
pub const OFFER_TEXT_CHARS: usize = 600;

/// The most characters that are shown of each of two near-duplicates.
pub const OFFER_ALIKE_CHARS: usize = 300;

/// The most characters that are shown of a note that another might link to.
pub const OFFER_TARGET_CHARS: usize = 80;

/// The most offers that are remembered, so that none is made twice.
/// They take about 250 KB of each checkpoint. Where more were declined, the oldest may come again.
pub const OFFERS_REMEMBERED: usize = 1000;

/// The number of newest notes that each search for work covers.
pub const ORGANIZE_NEWEST: usize = 50;

/// The number of further notes that a search for work covers, from where the last one ended.
pub const ORGANIZE_WALK: usize = 500;

/// The most notes that the results of one reply show: forty ids and titles are about 2000 tokens.
pub const RESULT_ITEMS_MAX: usize = 40;

/// The most characters of notes' texts that the results of one reply show.
/// They are about 2000 tokens, a quarter of a window of 8192.
pub const RESULT_TEXT_CHARS_MAX: usize = 8000;

/// The most proposals that wait for a person, and the most decisions that wait to be shown.
/// They are more than anybody reads in one sitting.
pub const PROPOSALS_PENDING_MAX: usize = 200;

/// The most decisions about proposals that one prompt shows; the next prompts show the others.
pub const PROPOSALS_SHOWN_MAX: usize = 10;

/// The most results of older iterations that can be looked up by number.
pub const RESULTS_KEPT_MAX: usize = 20;

/// The most characters of a value that one tool call shows: about 500 tokens.
pub const TOOL_TEXT_CHARS_MAX: usize = 2000;

/// The most bytes of JSON of a directory that is shown whole; of a larger one only its list is.
pub const DIRECTORY_SHOWN_BYTES_MAX: usize = 64 * 1024;

/// The most tool calls in the log.
/// Each takes about 200 bytes of each checkpoint.
pub const LOG_ENTRIES_MAX: usize = 1000;

/// The iterations that are audited as one run where the loop is not bounded.
pub const PERPETUAL_RUN_ITERATIONS: u32 = 100;

/// The time between two searches for journal segments past their age, in milliseconds.
/// Ages are counted in days, and a search reads the whole journal.
pub const RETENTION_EVERY_MS: u64 = 24 * 60 * 60 * 1000;

/// The fewest iterations between two paging iterations, so that paging never starves work.
pub const PAGING_GAP_ITERATIONS: u32 = 3;

/// The multiple of `working_memory_character_max` at which `ram_add` is refused.
pub const RAM_HARD_FACTOR: usize = 4;

/// The journal bytes between two checkpoints.
/// They bound what a start after `kill -9` replays.
pub const CHECKPOINT_EVERY_BYTES: u64 = 1024 * 1024;

/// The longest accepted journal line, in bytes: the notes and storage of one full reply, with room.
pub const JOURNAL_LINE_BYTES_MAX: usize = 48 * 1024 * 1024;

/// The deepest path below one of the two trees, in parts.
pub const STORE_PATH_PARTS_MAX: usize = 16;

/// The longest part of such a path, in bytes: an archived RAM key is one.
pub const STORE_PART_BYTES_MAX: usize = RAM_KEY_BYTES_MAX;

/// The most bytes of JSON that one reply, or one verb, puts into `/storage`.
/// They share one line of the journal; the tree itself may grow without bound.
pub const STORAGE_WRITTEN_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The largest file of a deferred view, in bytes.
/// `/storage` has no bound of its own; a larger file would not fit the memory of a start.
pub const DEFERRED_FILE_BYTES_MAX: usize = 4 * 1024 * 1024 * 1024;

/// The iterations after which an unused RAM key is archived.
/// A key that was only named is then forgotten.
pub const CONTEXT_UNUSED_LOOPS: u64 = 200;

/// The number of iterations that the enrichment rate is counted over.
pub const ENRICHMENT_LOOPS: usize = 20;

/// The percentage of `working_memory_character_max` that paging reduces RAM to.
pub const PAGED_TO_PERCENT: usize = 75;

/// The divisor of `working_memory_character_max` that gives the room for the list of archived keys.
pub const ARCHIVED_LIST_SHARE: usize = 8;

/// The most characters of one line in that list.
pub const ARCHIVED_LINE_CHARS: usize = 72;

/// The most tags of one key.
pub const KEY_TAGS_MAX: usize = 16;
/// The most characters of one tag.
pub const KEY_TAG_CHARS_MAX: usize = 64;
/// The most keys that one key is related to.
pub const KEY_RELATED_MAX: usize = 16;
/// The most keys that one block names.
pub const KEYS_NAMED_MAX: usize = 32;

/// The largest configuration or rules file, in bytes.
pub const CONFIG_FILE_BYTES_MAX: usize = 1024 * 1024;

/// The largest prompt file, in bytes: the shipped one has thousands of worked examples.
pub const PROMPT_FILE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The largest script of a scripted provider, in bytes: a long recording, read whole.
pub const SCRIPT_BYTES_MAX: usize = 64 * 1024 * 1024;

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
    // A byte of text takes at most six bytes in JSON.
    STORAGE_WRITTEN_BYTES_MAX
        + 6 * (NOTES_WRITTEN_BYTES_MAX + RAM_VALUE_BYTES_MAX * INSTRUCTIONS_PER_REPLY_MAX)
        < JOURNAL_LINE_BYTES_MAX,
    "one commit holds whatever one reply can write"
);
const _: () = assert!(
    STORE_PATH_PARTS_MAX < JSON_DEPTH_MAX,
    "a path is part of how deep the tree is nested"
);
const _: () = assert!(
    LAUNCH_STOP_GRACE_MS + STOP_BESIDE_MS + STOP_LINE_MS < STOP_DEADLINE_MS,
    "a launched server, and what runs beside the loop, end within the stop"
);
