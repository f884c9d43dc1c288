//! The one table of configuration keys: name, shape, default, meaning. Defaults, checks, `config
//! show`, the schema, the table of the topic `config` and the tests all use it, so that none can
//! differ.

use super::shape::Shape;
use super::table::{ConfigKey, DefaultValue};
use crate::limits;

/// The workspace of the shipped configuration; `init` generates a new one.
pub(super) const SHIPPED_WORKSPACE_ID: &str = "6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38";

const HOUR_MS: i64 = 3_600_000;

const DAY_MS: i64 = 24 * HOUR_MS;

/// The ceiling of `memory.working_memory_character_max`.
/// Twelve thousand tokens in every prompt are already more than a small model can use.
const RAM_CHARACTERS_MAX: i64 = 50_000;

/// The bounds of `provider.context_tokens`: those of a window that a server reports.
const WINDOW_TOKENS_MIN: i64 = limits::WINDOW_TOKENS_MIN as i64;
const WINDOW_TOKENS_MAX: i64 = limits::WINDOW_TOKENS_MAX as i64;

const THINK_LOG_CHARACTERS_MAX: i64 = 4096;

/// The ceiling of `memory.system_max_log_entries`.
const LOG_ENTRIES_MAX: i64 = limits::LOG_ENTRIES_MAX.cast_signed() as i64;

/// The ceilings of `budget`: more than any server does in a day.
const CALLS_PER_DAY_MAX: i64 = 10_000_000;
const TOKENS_PER_DAY_MAX: i64 = 1_000_000_000_000;

const CHARACTER_BYTES_MAX: usize = 4;

const _: () = assert!(
    RAM_CHARACTERS_MAX.unsigned_abs() * (limits::RAM_HARD_FACTOR * CHARACTER_BYTES_MAX) as u64
        <= limits::KV_FILE_BYTES_MAX as u64,
    "RAM at its largest is still taken in from the KV file"
);
const _: () = assert!(
    THINK_LOG_CHARACTERS_MAX.unsigned_abs() * CHARACTER_BYTES_MAX as u64
        <= limits::RAM_VALUE_BYTES_MAX as u64,
    "think_log is a RAM value"
);

/// Declares the keys: path, accepted values, default and description.
macro_rules! keys {
    ($($path:literal $shape:ident $(($($bound:expr),+))? = $default:ident $(($value:expr))?
        $doc:literal,)*) => {
        /// All keys, in the order of the shipped file.
        /// Each entry of `providers` has the keys of `provider`.
        pub const KEYS: &[ConfigKey] = &[$(ConfigKey {
            path: $path,
            shape: Shape::$shape $(($($bound),+))?,
            default: DefaultValue::$default $(($value))?,
            doc: $doc,
        },)*];
    };
}

keys! {
    "kind" Literal("kjxlkj_agent") = Text("kjxlkj_agent")
        "what this file configures",
    "prompt_path" Path = Text("./data/agent-prompt.json")
        "the prompt file, relative to the root",
    "provider.provider_kind" OneOf(&["lmstudio", "openrouter", "openai", "cli", "scripted"])
        = Text("lmstudio")
        "the model server: LM Studio, OpenRouter, any other compatible server, a program on this \
         machine, or replies from a JSONL file",
    "provider.base_url" BaseUrl = By("the kind's own address")
        "the server's address up to and including `/v1`; required for `openai`, unused for \
         `scripted`",
    "provider.model" Text = Text("nvidia/nemotron-3-nano")
        "the model as the server names it; required for `openrouter`, for `cli` the program's own \
         where none is given, for `scripted` the path of the replies",
    "provider.timeout_ms" Integer(1, HOUR_MS) = Integer(300_000)
        "longest wait for one answer",
    "provider.max_tokens" Integer(1, 131_072) = Integer(4096)
        "most tokens of one answer",
    "provider.temperature" Number(0.0, 2.0) = Number(0.1)
        "sampling temperature",
    "provider.api_key_env" VariableName = Null
        "environment variable, or systemd credential in lower case, that holds the API key; a \
         program is given the key under that name; null means `OPENROUTER_API_KEY` for \
         `openrouter` and no key for other kinds",
    "provider.constrain" OneOf(&["auto", "gbnf", "json_schema", "off"]) = Text("auto")
        "form that the server keeps replies to: a grammar (llama.cpp), a JSON schema, or none; \
         `auto`: the one that made this model no worse in tests, or the one that its row in \
         `data/models.json` names. A form that the server does not support is not used",
    "provider.fallback_models" Command = Null
        "for `openrouter`: models that it asks in place of `provider.model` where that one fails, \
         in this order",
    "provider.attribution" Command = Null
        "for `openrouter`: the address and the title that calls are listed under there; null tells \
         it neither",
    "provider.ttl_seconds" OptionalInteger(1, 31_536_000) = Null
        "for `lmstudio`: how long a model that a question loaded stays loaded without another; \
         null leaves it to the server",
    "provider.stream" Switch = Switch(true)
        "whether answers are read while the model writes them, so that one of which nothing more \
         can count is ended early",
    "provider.stall_timeout_ms" Integer(1, HOUR_MS) = Integer(60_000)
        "longest silence of a model in the middle of a streamed answer; before its first word only \
         `provider.timeout_ms` counts",
    "provider.context_tokens" OptionalInteger(WINDOW_TOKENS_MIN, WINDOW_TOKENS_MAX) = Null
        "the model's window in tokens, for a server that does not tell it, or if less is wanted: \
         the smaller of both holds, 4096 is assumed while neither is known, and an answer has a \
         quarter of a known one at most",
    "provider.launch" Launch = Null
        "`command` that starts a local server when none answers, and `ready_timeout_ms` to wait \
         for it (900000)",
    "provider.command" CommandLine = Null
        "for `cli`: the program and its arguments, `{model}` standing for the model; or the one \
         word `claude`, `gemini`, `codex`, `qwen`, `ax-glm` or `ax-grok`, whose arguments are \
         known",
    "providers" Providers = Texts(&[])
        "servers to choose among, by the table of models and then in this order, each with the \
         keys of `provider` but `launch`, and a `name`; while there are any, they are asked in \
         place of `provider`",
    "mode" OneOf(&["yolo", "reviewed"]) = By("`default_mode` of the prompt file")
        "how changes of notes are applied; `yolo`: at once, inside the scope; `reviewed`: as \
         proposals that a person approves, later and without anybody waiting",
    "memory.kv_store_path" Path = Text("./data/agent-kv-store.json")
        "the KV file, relative to the root",
    "memory.layout" OneOf(&["split", "unified"]) = Text("split")
        "whether RAM and `/storage` have a file each, or `data/memory.json` shows both as well",
    "memory.retain_full_conversation_logs" Switch = Switch(false)
        "whether prompts and raw replies are kept on disk",
    "memory.working_memory_character_max" Integer(16, RAM_CHARACTERS_MAX) = Integer(2048)
        "characters of RAM above which the agent tidies it up",
    "memory.think_log_source" OneOf(&["auto", "reasoning", "model"]) = Text("auto")
        "who writes `think_log`: the model or else its reasoning, the reasoning, the model",
    "memory.think_log_max_chars" Integer(1, THINK_LOG_CHARACTERS_MAX) = Integer(512)
        "characters that `think_log` is cut to",
    "memory.key_token_max" Integer(1, 64) = Integer(4)
        "words that a name in the trees of the tools may have",
    "memory.working_memory_children_max" Integer(1, 10_000) = Integer(8)
        "names that a directory in these trees may hold; the roots hold any number",
    "memory.system_auto_cleanup" Switch = Switch(true)
        "whether results leave `/working_memory/action_result` once a prompt has shown them",
    "memory.system_max_log_entries" Integer(1, LOG_ENTRIES_MAX) = Integer(LOG_ENTRIES_MAX)
        "tool calls that `data/log.json` shows; the journal holds all of them",
    "token_budget.max_total" Integer(256, 131_072) = Integer(4000)
        "tokens of a prompt at most, however large the window; a smaller window scales the whole \
         budget down",
    "token_budget.memory" Integer(0, 131_072) = Integer(1500)
        "tokens that RAM may have in a prompt, apart from plan, steps and request",
    "token_budget.todo" Integer(0, 131_072) = Integer(800)
        "tokens that plan and steps may have in a prompt",
    "token_budget.session" Integer(0, 131_072) = Integer(700)
        "tokens that results and found notes may have in a prompt",
    "token_budget.system" Integer(0, 131_072) = Integer(500)
        "tokens that system parts may have in a prompt beside the prompt file's own, which are \
         always in",
    "token_budget.critical_reserve" Integer(0, 131_072) = Integer(500)
        "tokens of `max_total` kept for what must be in a prompt",
    "loop.loop_delay_ms" Integer(0, DAY_MS) = Integer(1500)
        "pause between iterations",
    "loop.idle_delay_ms" Integer(1, DAY_MS) = Integer(300_000)
        "first pause while idle; it doubles while nothing changes",
    "loop.idle_delay_max_ms" Integer(1, 7 * DAY_MS) = Integer(HOUR_MS)
        "longest pause while idle",
    "loop.max_iterations" Iterations(1_000_000) = Integer(100)
        "iterations of one run; -1 is unlimited",
    "loop.auto_advance" Switch = Switch(true)
        "whether the state advances by itself when the model does not move it",
    "loop.max_stay" Integer(0, 1000) = Integer(5)
        "how often in a row the model may stay in a state",
    "loop.parse_retries" Integer(0, 10) = Integer(2)
        "how often an unreadable reply is asked for again",
    "loop.protocol" OneOf(&["auto", "steps", "xml"]) = Text("auto")
        "how requests are worked on: `steps` asks for one line a thing and carries the lines out, \
         `xml` asks for instructions in every state; `auto` takes steps below 8 billion parameters",
    "loop.idle_profile" OneOf(&["maintenance", "creative", "enrich", "sleep"]) = Text("maintenance")
        "what happens while idle: upkeep, texts, more on what is known (each with its own words in \
         the prompt file), or no calls at all",
    "scope.workspace_id" Uuid = Text(SHIPPED_WORKSPACE_ID)
        "the one workspace that the agent writes in, a UUID; `init` draws one",
    "scope.allowed_note_kinds" Texts = Texts(&["note", "template"])
        "kinds of notes that the agent may write",
    "scope.cross_workspace_writes" Switch = Switch(false)
        "whether mode `reviewed` may propose notes of other workspaces, for a person to approve; \
         never true with mode `yolo`",
    "scope.can_read_workspaces" Uuids = Texts(&[])
        "other workspaces whose notes a search may find; the notes of all the rest are as if they \
         were not there",
    "scope.max_notes_per_loop" Integer(1, 1000) = Integer(10)
        "notes that one iteration may create",
    "scope.max_edits_per_loop" Integer(1, 1000) = Integer(20)
        "edits that one iteration may make",
    "notes.similar_threshold" Number(0.5, 1.0) = Number(0.8)
        "the part of their words that two notes must share to count as near-duplicates",
    "notes.refuse_near_duplicates" Switch = Switch(false)
        "whether the agent's new note is refused when there is one like it",
    "notes.organize_every" Integer(0, 1_000_000) = Integer(50)
        "changes of notes after which an idle agent puts notes in order; 0 is never",
    "retry.max_retries" Integer(0, 20) = Integer(3)
        "repeats of a failed call",
    "retry.base_delay_ms" Integer(1, HOUR_MS) = Integer(100)
        "pause before the first repeat; it doubles each time",
    "retry.max_delay_ms" Integer(1, HOUR_MS) = Integer(5000)
        "longest pause before a repeat",
    "budget.calls_per_day" OptionalInteger(1, CALLS_PER_DAY_MAX) = Null
        "requests to model servers in a day (UTC), repeats included; null is 5000 where \
         `openrouter` is asked, and no bound elsewhere",
    "budget.tokens_per_day" OptionalInteger(1, TOKENS_PER_DAY_MAX) = Null
        "tokens read and written by models in a day (UTC); null is no bound",
    "budget.calls_per_run" OptionalInteger(1, CALLS_PER_DAY_MAX) = Null
        "requests to model servers for one run, repeats included; then it fails with what it has \
         done kept; null is no bound",
    "budget.tokens_per_run" OptionalInteger(1, TOKENS_PER_DAY_MAX) = Null
        "tokens read and written by models for one run; null is no bound",
    "budget.calls_per_minute" OptionalInteger(1, 60_000) = Null
        "requests to model servers in any 60 s, all servers together; null is no bound",
    "parser.strict" Switch = Switch(false)
        "whether a reply with anything to repair is refused",
    "journal.segment_bytes" Integer(4096, 1_073_741_824) = Integer(8_388_608)
        "size at which a new journal file is begun",
    "journal.retention_days" Integer(1, 36_500) = Integer(365)
        "age at which whole journal files are removed",
    "api.socket" Switch = Switch(true)
        "whether a daemon listens at `data/control.sock`, which only its owner can open",
    "api.tcp" OwnAddress = Null
        "an address such as `127.0.0.1:8787` at which a daemon listens as well; needs the token of \
         `KJXLKJ_API_TOKEN`",
    "log.level" OneOf(&["error", "warn", "info", "debug", "trace"]) = Text("info")
        "how much is logged",
    "log.format" OneOf(&["auto", "text", "json"]) = Text("auto")
        "how log lines look; `auto`: text on a terminal, JSON elsewhere",
}
