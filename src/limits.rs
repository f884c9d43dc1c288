//! Every bound of the program, each with its reason where the name does not say it, and the
//! relations between them. Settings may lower some of them; these are the ceilings.

mod automation;

pub use automation::{
    CAUSATION_DEPTH_MAX, CLOCK_LEAP_MS_MIN, CONDITION_CHARS_MAX, CONDITION_DEPTH_MAX,
    CONDITION_ERROR_CHARS_MAX, CONDITION_STACK_BYTES, JUDGED_AHEAD_MS_MIN, LATENESS_MINUTES,
    LATENESS_MINUTES_MAX, RECONCILED_ALIKE_MAX, RECONCILED_PENDING_MAX, RECONCILED_SHOWN_MAX,
    RECONCILED_SPANS_MAX, REHEARSAL_BYTES_MAX, REHEARSAL_CALL_MS, REHEARSAL_CALL_SECONDS_MAX,
    REHEARSAL_DAYS, REHEARSAL_DAYS_MAX, RUNS_CAUSED_MAX, SLOTS_CAUGHT_UP_MAX, SLOTS_COUNTED_MAX,
    SLOTS_LOOK_MS_MAX,
};

/// The largest body of a reply that is read from a provider, in bytes.
/// It is hundreds of times what a small model writes; a longer one means a faulty server.
pub const REPLY_BODY_BYTES_MAX: usize = 1024 * 1024;

/// The largest list of models that is read from a provider, in bytes.
/// `OpenRouter` lists several hundred models with their descriptions.
pub const MODELS_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The longest wait for a connection, in milliseconds.
/// A server accepts within milliseconds, even while its model thinks.
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

pub const LAUNCH_POLL_MS: u64 = 250;

/// The longest line of a launched server's output, in bytes; longer ones are broken.
pub const LAUNCH_LINE_BYTES_MAX: usize = 4096;

pub const LAUNCH_STOP_GRACE_MS: u64 = 2000;
pub const REPLY_TEXT_BYTES_MAX: usize = 256 * 1024;

/// The most instructions taken from one reply.
/// Small models that loop repeat themselves; 64 is far above what one step of work needs.
pub const INSTRUCTIONS_PER_REPLY_MAX: usize = 64;

pub const ELEMENTS_PER_REPLY_MAX: usize = 4096;

/// The deepest nesting of elements that is followed in a reply.
/// Instructions need two levels.
pub const ELEMENT_DEPTH_MAX: usize = 8;

pub const ELEMENT_NAME_BYTES_MAX: usize = 64;

/// The most diagnostics kept for one reply: enough to correct the model, bounded for the journal.
pub const DIAGNOSTICS_MAX: usize = 32;

/// The longest text of a wrong instruction in the example of a right one, in bytes.
/// Prompts are small.
pub const SAMPLE_TEXT_BYTES_MAX: usize = 160;

/// The most names in one comma list of a block: more keys than RAM shows at once.
pub const KEYS_PER_LIST_MAX: usize = 64;

pub const NOTE_VALUE_BYTES_MAX: usize = 256 * 1024;
pub const NOTE_TITLE_BYTES_MAX: usize = 512;
pub const NOTE_KEYWORDS_MAX: usize = 64;
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

pub const INDEX_LOOK_MS: i64 = 30 * 1000;

/// The pause after a search index could not be built, in milliseconds.
/// Searches work without it.
pub const INDEX_RETRY_MS: i64 = 60 * 60 * 1000;

/// The most bytes of notes that one iteration writes.
/// A small change can rewrite a large note, since the journal holds notes whole, and all changes of
/// an iteration share one line.
pub const NOTES_WRITTEN_BYTES_MAX: usize = 4 * 1024 * 1024;

pub const RAM_KEY_BYTES_MAX: usize = 256;

/// The largest RAM value, in bytes.
/// RAM is in each prompt, and windows are small.
pub const RAM_VALUE_BYTES_MAX: usize = 16 * 1024;

/// The deepest nesting of JSON in a RAM value or in an issue's details.
/// The journal's reader allows 128 levels, and a line wraps a value in a few of its own.
pub const JSON_DEPTH_MAX: usize = 64;

/// The largest text or value that one template of a workflow gives, in bytes.
/// It holds four of the largest notes; an expression can repeat a value some hundred times.
pub const RENDERED_TEXT_BYTES_MAX: usize = 1024 * 1024;

/// The most models whose token calibrations are remembered.
/// A root uses one or two; a switch back to a forgotten one costs one cautious prompt.
pub const CALIBRATIONS_MAX: usize = 16;

pub const RAM_KEYS_MAX: usize = 10_000;
pub const KV_FILE_BYTES_MAX: usize = 1024 * 1024;
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

pub const SEARCH_HITS_MAX: usize = 10;
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

pub const OFFER_ALIKE_CHARS: usize = 300;
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

pub const ARCHIVED_LINE_CHARS: usize = 72;
pub const KEY_TAGS_MAX: usize = 16;
pub const KEY_TAG_CHARS_MAX: usize = 64;
pub const KEY_RELATED_MAX: usize = 16;
/// The most keys that one block names.
pub const KEYS_NAMED_MAX: usize = 32;
pub const CONFIG_FILE_BYTES_MAX: usize = 1024 * 1024;

/// The most agents in `data/agents`.
pub const AGENTS_MAX: usize = 256;

/// The most bytes of the words of one agent, which stand in each of its prompts.
pub const AGENT_WORDS_BYTES_MAX: usize = 16 * 1024;

/// The largest prompt file, in bytes: the shipped one has thousands of worked examples.
pub const PROMPT_FILE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The largest script of a scripted provider, in bytes: a long recording, read whole.
pub const SCRIPT_BYTES_MAX: usize = 64 * 1024 * 1024;

// === calls of models ===

/// The largest body of an error response that is read, in bytes: one JSON object, with room.
pub const ERROR_BODY_BYTES_MAX: usize = 64 * 1024;

pub const MODELS_LISTED_MAX: usize = 1000;

/// The most header lines accepted in a response; servers send ten to thirty.
pub const REPLY_HEADERS_MAX: usize = 64;

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

pub const NO_PROGRESS_PAUSE_MS_MAX: u64 = 60_000;

// === the control interface ===

/// The largest body of a request to the control interface, in bytes.
/// It holds the largest note, escaped twice.
pub const API_BODY_BYTES_MAX: usize = 2 * 1024 * 1024;

pub const API_HEAD_BYTES_MAX: usize = 16 * 1024;
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

// === files of a person ===

/// The time that an edited file must stay unchanged before it is read, in milliseconds.
/// Editors write in several steps; half a second is longer than any of them needs.
pub const EDIT_SETTLE_MS: u64 = 500;

/// The longest wait for an edit that is being written, in milliseconds.
/// A slower writer is not waited for: the file is read once it stays unchanged.
pub const EDIT_WAIT_MS_MAX: u64 = 1000;

pub const INBOX_SETTLE_MS: u64 = 1000;

/// The time that an unfinished file of `ask` must stay unchanged to count as abandoned, in ms.
/// Writing takes milliseconds; a slow disk may delay a sync for some seconds.
pub const INBOX_ABANDONED_MS: u64 = 60_000;

/// The longest name of a file, in bytes: the bound of the file systems of Linux.
pub const FILE_NAME_BYTES_MAX: usize = 255;

/// The longest plausible time between two commits, in days: three years.
/// A longer one shows that the clock is or was wrong, and adds nothing to the age of older lines.
pub const RETENTION_GAP_DAYS: u32 = 3 * 365;

// === import of notes ===

/// The most files and folders that one import lists.
/// It refuses a wrong folder, such as a home folder, before anything is read.
pub const IMPORT_FILES_MAX: usize = 200_000;

pub const IMPORT_DEPTH_MAX: usize = 32;

/// The largest Markdown file of an import, in bytes: the largest note and its head with all issues.
pub const IMPORT_MARKDOWN_BYTES_MAX: usize =
    NOTE_VALUE_BYTES_MAX + 2 * NOTE_ISSUES_MAX * ISSUE_BYTES_MAX + 64 * 1024;

/// The largest JSON file of an import, in bytes: the notes of ten years; it is read whole.
pub const IMPORT_JSON_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The most notes that one commit of an import writes.
/// Each takes some hundred bytes of its line besides its text, which
/// [`NOTES_WRITTEN_BYTES_MAX`] bounds.
pub const IMPORT_COMMIT_NOTES_MAX: usize = 1000;

/// The highest version that an imported note may begin with, so that there is always a next one.
pub const IMPORT_VERSION_MAX: u64 = 1_000_000_000;

const _: () = {
    // Text is part of the body, and a note comes from one reply.
    assert!(REPLY_TEXT_BYTES_MAX <= REPLY_BODY_BYTES_MAX);
    assert!(NOTE_VALUE_BYTES_MAX <= REPLY_TEXT_BYTES_MAX);
    // A value fits the file.
    assert!(RAM_VALUE_BYTES_MAX < KV_FILE_BYTES_MAX);
    // One commit holds whatever one reply can write. A byte of text takes at most six bytes in JSON.
    assert!(
        STORAGE_WRITTEN_BYTES_MAX
            + 6 * (NOTES_WRITTEN_BYTES_MAX + RAM_VALUE_BYTES_MAX * INSTRUCTIONS_PER_REPLY_MAX)
            < JOURNAL_LINE_BYTES_MAX
    );
    // A path is part of how deep the tree is nested.
    assert!(STORE_PATH_PARTS_MAX < JSON_DEPTH_MAX);
    // A launched server, and what runs beside the loop, end within the stop.
    assert!(LAUNCH_STOP_GRACE_MS + STOP_BESIDE_MS + STOP_LINE_MS < STOP_DEADLINE_MS);
    // A byte of text takes at most seven bytes in JSON within JSON.
    assert!(7 * NOTE_VALUE_BYTES_MAX <= API_BODY_BYTES_MAX);
    assert!(FOLDER_WORD_MS < FOLDER_WAIT_MS);
    assert!(EDIT_SETTLE_MS < EDIT_WAIT_MS_MAX);
};
