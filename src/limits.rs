//! Every bound of the program, each with its reason, and the relations between them.
//! What a person may lower stands in the configuration; these are the ceilings.

mod automation;
mod calls;
mod control;
mod descriptors;
mod files;
mod folder;
mod import;
mod rehearsal;
mod repeats;
mod stop;

pub use automation::{
    CAUSATION_DEPTH_MAX, CLOCK_LEAP_MS_MIN, CONDITION_CHARS_MAX, CONDITION_DEPTH_MAX,
    CONDITION_ERROR_CHARS_MAX, CONDITION_STACK_BYTES, JUDGED_AHEAD_MS_MIN, LATENESS_MINUTES,
    LATENESS_MINUTES_MAX, RECONCILED_ALIKE_MAX, RECONCILED_PENDING_MAX, RECONCILED_SHOWN_MAX,
    RECONCILED_SPANS_MAX, RUNS_CAUSED_MAX, SLOTS_CAUGHT_UP_MAX, SLOTS_COUNTED_MAX,
    SLOTS_LOOK_MS_MAX,
};
pub use calls::{
    COMMAND_LINE_BYTES_MAX, COMMAND_OUTPUT_BYTES_MAX, CONSTRAINED_INSTRUCTIONS_MAX,
    DOLLARS_PER_CALL_MAX, ERROR_BODY_BYTES_MAX, MODELS_LISTED_MAX, PROSE_AFTER_BYTES,
    QUOTATION_BYTES_MIN, REPEATED_TAIL_BYTES, REPEATED_TAIL_PERIOD_BYTES_MAX, REPLY_HEADERS_MAX,
    SERVER_MESSAGE_CHARS_MAX, STREAM_EVENT_BYTES_MAX, STREAM_EVENTS_MAX,
};
pub use descriptors::{
    DESCRIPTORS_CONNECTIONS_MIN, DESCRIPTORS_RESERVED, DESCRIPTORS_STARTING, DESCRIPTORS_WANTED,
};
pub use files::{
    EDIT_SETTLE_MS, EDIT_WAIT_MS_MAX, FILE_NAME_BYTES_MAX, INBOX_ABANDONED_MS, INBOX_SETTLE_MS,
    RETENTION_GAP_DAYS,
};
pub use folder::{FOLDER_LOOK_MS_MAX, FOLDER_WAIT_MS, FOLDER_WORD_MS};
pub use import::{
    IMPORT_COMMIT_NOTES_MAX, IMPORT_DEPTH_MAX, IMPORT_FILES_MAX, IMPORT_JSON_BYTES_MAX,
    IMPORT_MARKDOWN_BYTES_MAX, IMPORT_VERSION_MAX,
};
pub use rehearsal::{
    REHEARSAL_BYTES_MAX, REHEARSAL_CALL_MS, REHEARSAL_CALL_SECONDS_MAX, REHEARSAL_DAYS,
    REHEARSAL_DAYS_MAX,
};
pub use repeats::{
    NO_PROGRESS_MAX, NO_PROGRESS_PAUSE_MS_MAX, NO_PROGRESS_PAUSE_MS_MIN, REFUSALS_REMEMBERED,
};
pub use stop::{STOP_BESIDE_MS, STOP_DEADLINE_MS, STOP_LINE_MS, STOP_LOOK_MS, STOP_WAIT_MS};

pub use control::{
    API_ALIVE_EVERY_MS, API_BODY_BYTES_MAX, API_COMMITS_MAX, API_CONNECTIONS_MAX,
    API_HEAD_BYTES_MAX, API_HEADERS_MAX, API_KEY_CHARS_MAX, API_LISTENERS_MAX, API_READ_MS_MAX,
    API_VERBS_MAX, API_WRITE_MS_MAX, COMMAND_WAIT_MS, COMMANDS_MAX, STEP_MS_MAX,
};

/// Largest answer body read from a provider, in bytes. A 1 MiB answer is already hundreds of times
/// what a small model writes; a longer one is a server gone wrong.
pub const REPLY_BODY_BYTES_MAX: usize = 1024 * 1024;

/// Largest list of models read from a provider, in bytes. `OpenRouter` lists several hundred models
/// with their descriptions, which is more than any answer needs.
pub const MODELS_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Longest wait for a connection, in milliseconds. A server on this machine or in a data centre
/// accepts within milliseconds, however long its model then thinks.
pub const CONNECT_TIMEOUT_MS: u64 = 5000;

/// Longest wait for the list of models, in milliseconds: it needs no model, so it is quick.
pub const MODELS_TIMEOUT_MS: u64 = 10_000;

/// Longest wait for what a server tells of a model's window or of the tokens of a prompt, in
/// milliseconds. It needs no answer of the model, and a run waits for it.
pub const PROBE_TIMEOUT_MS: u64 = 3000;

/// Smallest window of a model, in tokens. Nobody serves a smaller one; a server that says so means
/// something else.
pub const WINDOW_TOKENS_MIN: u32 = 256;

/// Largest window of a model, in tokens: above all that there are.
pub const WINDOW_TOKENS_MAX: u32 = 16_777_216;

/// Longest pause that a server may ask for within a call, in milliseconds. A longer one is a limit whose
/// end is known: nothing is asked until then.
pub const RETRY_AFTER_MS_MAX: u64 = 120_000;

/// Longest wait that a server may ask for, in milliseconds: a month's limit, and a day for clocks that differ.
/// Who names a later time is asked again then: one false word must not silence a server for ever.
pub const RESETS_AFTER_MS_MAX: u64 = 32 * 24 * 60 * 60 * 1000;

/// How far away a moment may be for it to be the end of a limit at all, in milliseconds: ten years. What lies
/// behind that is a number that means something else.
pub const RESETS_PLAUSIBLE_MS_MAX: u64 = 3653 * 24 * 60 * 60 * 1000;

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

/// Deepest nesting of elements followed in a reply. Instructions need two levels.
pub const ELEMENT_DEPTH_MAX: usize = 8;

/// Longest element name, in bytes.
pub const ELEMENT_NAME_BYTES_MAX: usize = 64;

/// Most diagnostics kept for one reply: enough to learn from, bounded for the journal.
pub const DIAGNOSTICS_MAX: usize = 32;

/// Longest text of a wrong instruction in the example of a right one, in bytes: prompts are small.
pub const SAMPLE_TEXT_BYTES_MAX: usize = 160;

/// Most names in one comma list of a block: more keys than RAM shows at once.
pub const KEYS_PER_LIST_MAX: usize = 64;

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

/// Longest word of a search index, in bytes: no language has longer ones. Of others the beginning counts.
pub const INDEXED_WORD_BYTES_MAX: usize = 64;

/// Notes, or values of `/storage`, that get a search index. To look at fewer takes two milliseconds.
pub const INDEX_ENTRIES_MIN: usize = 1000;

/// Changed notes or values that a search looks at beside the index before the index is built anew,
/// unless a twentieth of all is more: that is two milliseconds of each search.
pub const INDEX_BEHIND_MIN: usize = 1000;

/// How often it is looked whether the files of a search index are still there, in milliseconds at least.
pub const INDEX_LOOK_MS: i64 = 30 * 1000;

/// Pause after a search index could not be built, in milliseconds. Searches do without meanwhile.
pub const INDEX_RETRY_MS: i64 = 60 * 60 * 1000;

/// Most bytes of notes that one iteration writes. A small change can rewrite a large note, since
/// the journal holds notes whole, and all changes of an iteration share one line.
pub const NOTES_WRITTEN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest RAM key, in bytes.
pub const RAM_KEY_BYTES_MAX: usize = 256;

/// Largest RAM value, in bytes. RAM stands in each prompt, and the windows are small.
pub const RAM_VALUE_BYTES_MAX: usize = 16 * 1024;

/// Deepest nesting of JSON in a RAM value or in an issue's details. The journal's reader gives up at
/// 128 levels, and a line wraps a value in a few of its own.
pub const JSON_DEPTH_MAX: usize = 64;

/// Models whose tokenizers are remembered at once. A root asks one or two; each switch back to one that
/// was forgotten costs one cautious prompt.
pub const CALIBRATIONS_MAX: usize = 16;

/// Most RAM keys.
pub const RAM_KEYS_MAX: usize = 10_000;

/// Largest KV file taken in from a person's hand, in bytes.
pub const KV_FILE_BYTES_MAX: usize = 1024 * 1024;

/// Largest inbox file, in bytes.
pub const INBOX_FILE_BYTES_MAX: usize = 64 * 1024;

/// Most runs that wait or are under way, of which one at a time is worked on. Behind each stands
/// something that happened once, such as a note of an import or one of the hundred times that a single
/// rule may have caught up with: a hundred would lose what a day of absence brings. Each takes about half
/// a kilobyte of the checkpoint. A request beyond it stays in the inbox, a launch is refused, and what a
/// rule would open stands in the journal as skipped.
pub const RUNS_OPEN_MAX: usize = 1000;

/// How often one run is tried at most, the first time included: nothing that fails ten times will do
/// better the next time, and its record would grow without bound. Whoever wants more asks anew.
pub const RUN_ATTEMPTS_MAX: u32 = 10;

/// Finished runs kept in memory and in the checkpoint; older ones are read from the journal.
pub const RUNS_FINISHED_KEPT: usize = 200;

/// Ids of older runs that are remembered, so that no event opens a second one: three months of a
/// thousand runs a day. So many take 1.6 MB of memory and 3.2 MB of each checkpoint, which is written
/// once in a hundred runs or more.
pub const RUNS_REMEMBERED: usize = 100_000;

/// Hits of one search that are shown to the model.
pub const SEARCH_HITS_MAX: usize = 10;

/// Characters of a note's value shown with a search hit.
pub const SEARCH_PREVIEW_CHARS: usize = 200;

/// Words and phrases that one search looks for; more are left out of the question.
pub const SEARCH_TERMS_MAX: usize = 32;

/// Words of a note's text that it is compared by: about four pages. What comes later decides nothing.
pub const SIMILAR_WORDS_MAX: usize = 1000;

/// Seldom words of a text that are kept to find notes like it. With more than 75 different words
/// and a threshold of 0.8 more would be needed to be sure; that all sixteen fall into the few words
/// that two such notes do not share is a matter of one in millions, unless somebody plans it.
pub const SELDOM_WORDS_MAX: usize = 16;

/// Words of a title that are kept to find notes that mention it.
pub const TITLE_WORDS_MAX: usize = 8;

/// Notes that one new note is compared with, at most: not all of a thousand copies of one form.
pub const COMPARED_NOTES_MAX: usize = 32;

/// Notes looked at for one word, at most: a word of more notes tells nothing.
pub const POSTINGS_READ_MAX: usize = 128;

/// Similar notes that a new note's result shows.
pub const SIMILAR_SHOWN_MAX: usize = 3;

/// Linked notes that a hit names, and the characters of each title; a note with a longer one is named by
/// its id. Ten hits with four links of forty characters are about 400 tokens.
pub const LINKS_SHOWN_MAX: usize = 4;

/// See [`LINKS_SHOWN_MAX`].
pub const LINK_TITLE_CHARS: usize = 40;

/// Notes named by a request or a step that its prompt shows by itself: enough for the one that is
/// meant to be among them, few enough for a window of 4,096 tokens.
pub const FOUND_MAX: usize = 3;

/// Characters of the text of such a note: shown whole where it can be, since it is to be changed.
pub const FOUND_TEXT_CHARS: usize = 1200;

/// Pieces of work that one organising iteration offers. Shown two, a model of 1.5 billion parameters
/// decides about one and forgets the other, which would then count as left alone.
pub const OFFERS_MAX: usize = 1;

/// Longest text of a note that is offered to be written anew, in characters: it is shown whole, since
/// what a small model does not see it does not write.
pub const OFFER_TEXT_CHARS: usize = 600;

/// Characters shown of each of two notes that seem to say the same.
pub const OFFER_ALIKE_CHARS: usize = 300;

/// Characters shown of a note that another might point to.
pub const OFFER_TARGET_CHARS: usize = 80;

/// Offers that are remembered, so that none is made twice: about 250 KB of each checkpoint. Where
/// more were left alone, the oldest may come again.
pub const OFFERS_REMEMBERED: usize = 1000;

/// Newest notes that a look for work always covers.
pub const ORGANIZE_NEWEST: usize = 50;

/// Further notes that a look for work covers, from where the one before ended: some milliseconds.
pub const ORGANIZE_WALK: usize = 500;

/// Notes that the results of one reply show, at most: forty ids and titles are about 2000 tokens.
pub const RESULT_ITEMS_MAX: usize = 40;

/// Characters of notes' texts that the results of one reply show, at most. About 2000 tokens, a
/// quarter of a window of 8192.
pub const RESULT_TEXT_CHARS_MAX: usize = 8000;

/// Proposals that may wait for a person, and decisions that may wait to be told: more than anybody reads in
/// one sitting.
pub const PROPOSALS_PENDING_MAX: usize = 200;

/// Decisions about proposals that one prompt tells; the next prompts tell the others.
pub const PROPOSALS_SHOWN_MAX: usize = 10;

/// Results of older iterations that can still be looked up by number.
pub const RESULTS_KEPT_MAX: usize = 20;

/// Characters of a value that one tool call shows, at most: about 500 tokens.
pub const TOOL_TEXT_CHARS_MAX: usize = 2000;

/// Bytes of JSON up to which a directory is shown whole; of a larger one only its list.
pub const DIRECTORY_SHOWN_BYTES_MAX: usize = 64 * 1024;

/// Tool calls that the log keeps, at most. They stand in each checkpoint, with about 200 bytes each.
pub const LOG_ENTRIES_MAX: usize = 1000;

/// Iterations of one run where the loop is not bounded: each hundred are audited as one run.
pub const PERPETUAL_RUN_ITERATIONS: u32 = 100;

/// Time between two looks for journal segments past their age, in milliseconds. Ages are counted
/// in days, and a look reads the whole journal.
pub const RETENTION_EVERY_MS: u64 = 24 * 60 * 60 * 1000;

/// Iterations that must lie between two paging iterations, so that paging never starves work.
pub const PAGING_GAP_ITERATIONS: u32 = 3;

/// RAM may grow to this many times `working_memory_character_max` before `ram_add` is refused.
pub const RAM_HARD_FACTOR: usize = 4;

/// Journal bytes between two checkpoints. Bounds what a start after `kill -9` replays.
pub const CHECKPOINT_EVERY_BYTES: u64 = 1024 * 1024;

/// Longest journal line accepted, in bytes: one full reply's worth of notes and storage, with room.
pub const JOURNAL_LINE_BYTES_MAX: usize = 48 * 1024 * 1024;

/// Deepest path below one of the two trees, in parts.
pub const STORE_PATH_PARTS_MAX: usize = 16;

/// Longest part of such a path, in bytes: an archived RAM key is one.
pub const STORE_PART_BYTES_MAX: usize = RAM_KEY_BYTES_MAX;

/// Most bytes of JSON that one reply, or one verb, puts into `/storage`. They share one line of the
/// journal; the tree itself may grow without bound.
pub const STORAGE_WRITTEN_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Largest file of a deferred view, in bytes. `/storage` has no bound of its own; beyond
/// this a start would not hold it in memory.
pub const DEFERRED_FILE_BYTES_MAX: usize = 4 * 1024 * 1024 * 1024;

/// Iterations after which a RAM key that nobody wrote or named goes to the archive, and a key that was
/// only named is forgotten.
pub const CONTEXT_UNUSED_LOOPS: u64 = 200;

/// Iterations that the enrichment rate is counted over.
pub const ENRICHMENT_LOOPS: usize = 20;

/// RAM is paged out until it is at so many hundredths of `working_memory_character_max`.
pub const PAGED_TO_PERCENT: usize = 75;

/// Of `working_memory_character_max`, how many parts of it there are for one that the list of archived
/// keys may take.
pub const ARCHIVED_LIST_SHARE: usize = 8;

/// Characters of one line in that list.
pub const ARCHIVED_LINE_CHARS: usize = 72;

/// Tags of one key, and characters of each.
pub const KEY_TAGS_MAX: usize = 16;
/// Characters of one tag.
pub const KEY_TAG_CHARS_MAX: usize = 64;
/// Keys that one key is related to, at most.
pub const KEY_RELATED_MAX: usize = 16;
/// Keys that one block names, at most.
pub const KEYS_NAMED_MAX: usize = 32;

/// Largest configuration, prompt or rules file, in bytes.
pub const CONFIG_FILE_BYTES_MAX: usize = 1024 * 1024;

/// Largest script of a scripted provider, in bytes: a long recording, read whole.
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
    // A byte of text takes at most six in JSON.
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
