//! The one table of configuration keys: name, shape, default, meaning. Defaults, checks, `config
//! show`, the schema, the table of the topic `config` and the tests all use it, so that none can
//! differ.

use super::shape::Shape;
use super::table::{ConfigKey, DefaultValue};
use crate::limits;

/// The workspace of the shipped configuration; `init` generates a new one.
pub(super) const SHIPPED_WORKSPACE_ID: &str = "6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38";

/// The milliseconds of an hour.
const HOUR_MS: i64 = 3_600_000;

/// The milliseconds of a day.
const DAY_MS: i64 = 24 * HOUR_MS;

/// The ceiling of `memory.working_memory_character_max`.
/// Twelve thousand tokens in every prompt are already more than a small model can use.
const RAM_CHARACTERS_MAX: i64 = 50_000;

/// The bounds of `provider.context_tokens`: those of a window that a server reports.
const WINDOW_TOKENS_MIN: i64 = limits::WINDOW_TOKENS_MIN as i64;
const WINDOW_TOKENS_MAX: i64 = limits::WINDOW_TOKENS_MAX as i64;

/// The ceiling of `memory.think_log_max_chars`.
const THINK_LOG_CHARACTERS_MAX: i64 = 4096;

/// The ceiling of `memory.system_max_log_entries`.
const LOG_ENTRIES_MAX: i64 = limits::LOG_ENTRIES_MAX.cast_signed() as i64;

/// The ceilings of `budget`: more than any server does in a day.
const CALLS_PER_DAY_MAX: i64 = 10_000_000;
const TOKENS_PER_DAY_MAX: i64 = 1_000_000_000_000;

/// The most bytes of one character in UTF-8.
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

/// All keys, in the order of the shipped file.
/// Each entry of `providers` has the keys of `provider`.
pub const KEYS: &[ConfigKey] = &[
    ConfigKey {
        path: "kind",
        shape: Shape::Literal("kjxlkj_agent"),
        default: DefaultValue::Text("kjxlkj_agent"),
        doc: "what this file configures",
    },
    ConfigKey {
        path: "prompt_path",
        shape: Shape::Path,
        default: DefaultValue::Text("./data/agent-prompt.json"),
        doc: "the prompt file, relative to the root",
    },
    ConfigKey {
        path: "provider.provider_kind",
        shape: Shape::OneOf(&["lmstudio", "openrouter", "openai", "cli", "scripted"]),
        default: DefaultValue::Text("lmstudio"),
        doc: "the model server: LM Studio, OpenRouter, any other compatible server, a program on \
              this machine, or replies from a JSONL file",
    },
    ConfigKey {
        path: "provider.base_url",
        shape: Shape::BaseUrl,
        default: DefaultValue::By("the kind's own address"),
        doc: "the server's address up to and including `/v1`; required for `openai`, unused for \
              `scripted`",
    },
    ConfigKey {
        path: "provider.model",
        shape: Shape::Text,
        default: DefaultValue::Text("nvidia/nemotron-3-nano"),
        doc: "the model as the server names it; required for `openrouter`, for `cli` the program's own \
              where none is given, for `scripted` the path of the replies",
    },
    ConfigKey {
        path: "provider.timeout_ms",
        shape: Shape::Integer(1, HOUR_MS),
        default: DefaultValue::Integer(300_000),
        doc: "longest wait for one answer",
    },
    ConfigKey {
        path: "provider.max_tokens",
        shape: Shape::Integer(1, 131_072),
        default: DefaultValue::Integer(4096),
        doc: "most tokens of one answer",
    },
    ConfigKey {
        path: "provider.temperature",
        shape: Shape::Number(0.0, 2.0),
        default: DefaultValue::Number(0.1),
        doc: "sampling temperature",
    },
    ConfigKey {
        path: "provider.api_key_env",
        shape: Shape::VariableName,
        default: DefaultValue::Null,
        doc: "environment variable, or systemd credential in lower case, that holds the API key; \
              a program is given the key under that name; null means `OPENROUTER_API_KEY` for \
              `openrouter` and no key for other kinds",
    },
    ConfigKey {
        path: "provider.constrain",
        shape: Shape::OneOf(&["auto", "gbnf", "json_schema", "off"]),
        default: DefaultValue::Text("auto"),
        doc: "form that the server keeps replies to: a grammar (llama.cpp), a JSON schema, or none; \
              `auto`: the one that made this model no worse in tests, or the one that its row in \
              `data/models.json` names. A form that the server does not support is not used",
    },
    ConfigKey {
        path: "provider.fallback_models",
        shape: Shape::Command,
        default: DefaultValue::Null,
        doc: "for `openrouter`: models that it asks in place of `provider.model` where that one fails, \
              in this order",
    },
    ConfigKey {
        path: "provider.attribution",
        shape: Shape::Command,
        default: DefaultValue::Null,
        doc: "for `openrouter`: the address and the title that calls are listed under there; null \
              tells it neither",
    },
    ConfigKey {
        path: "provider.ttl_seconds",
        shape: Shape::OptionalInteger(1, 31_536_000),
        default: DefaultValue::Null,
        doc: "for `lmstudio`: how long a model that a question loaded stays loaded without another; \
              null leaves it to the server",
    },
    ConfigKey {
        path: "provider.stream",
        shape: Shape::Switch,
        default: DefaultValue::Switch(true),
        doc: "whether answers are read while the model writes them, so that one of which nothing \
              more can count is ended early",
    },
    ConfigKey {
        path: "provider.stall_timeout_ms",
        shape: Shape::Integer(1, HOUR_MS),
        default: DefaultValue::Integer(60_000),
        doc: "longest silence of a model in the middle of a streamed answer; before its first word \
              only `provider.timeout_ms` counts",
    },
    ConfigKey {
        path: "provider.context_tokens",
        shape: Shape::OptionalInteger(WINDOW_TOKENS_MIN, WINDOW_TOKENS_MAX),
        default: DefaultValue::Null,
        doc: "the model's window in tokens, for a server that does not tell it, or if less is wanted: the smaller of both holds, 4096 is assumed while neither is known, and an answer has a quarter of a known one at most",
    },
    ConfigKey {
        path: "provider.launch",
        shape: Shape::Launch,
        default: DefaultValue::Null,
        doc: "`command` that starts a local server when none answers, and `ready_timeout_ms` to \
              wait for it (900000)",
    },
    ConfigKey {
        path: "provider.command",
        shape: Shape::CommandLine,
        default: DefaultValue::Null,
        doc: "for `cli`: the program and its arguments, `{model}` standing for the model; or the one \
              word `claude`, `gemini`, `codex`, `qwen`, `ax-glm` or `ax-grok`, whose arguments are \
              known",
    },
    ConfigKey {
        path: "providers",
        shape: Shape::Providers,
        default: DefaultValue::Texts(&[]),
        doc: "servers to choose among, by the table of models and then in this order, each with the keys of \
              `provider` but `launch`, and a `name`; while there are any, they are asked in place of \
              `provider`",
    },
    ConfigKey {
        path: "mode",
        shape: Shape::OneOf(&["yolo", "reviewed"]),
        default: DefaultValue::By("`default_mode` of the prompt file"),
        doc: "how changes of notes are applied; `yolo`: at once, inside the scope; `reviewed`: as proposals that \
              a person approves, later and without anybody waiting",
    },
    ConfigKey {
        path: "memory.kv_store_path",
        shape: Shape::Path,
        default: DefaultValue::Text("./data/agent-kv-store.json"),
        doc: "the KV file, relative to the root",
    },
    ConfigKey {
        path: "memory.layout",
        shape: Shape::OneOf(&["split", "unified"]),
        default: DefaultValue::Text("split"),
        doc: "whether RAM and `/storage` have a file each, or `data/memory.json` shows both as well",
    },
    ConfigKey {
        path: "memory.retain_full_conversation_logs",
        shape: Shape::Switch,
        default: DefaultValue::Switch(false),
        doc: "whether prompts and raw replies are kept on disk",
    },
    ConfigKey {
        path: "memory.working_memory_character_max",
        shape: Shape::Integer(16, RAM_CHARACTERS_MAX),
        default: DefaultValue::Integer(2048),
        doc: "characters of RAM above which the agent tidies it up",
    },
    ConfigKey {
        path: "memory.think_log_source",
        shape: Shape::OneOf(&["auto", "reasoning", "model"]),
        default: DefaultValue::Text("auto"),
        doc: "who writes `think_log`: the model or else its reasoning, the reasoning, the model",
    },
    ConfigKey {
        path: "memory.think_log_max_chars",
        shape: Shape::Integer(1, THINK_LOG_CHARACTERS_MAX),
        default: DefaultValue::Integer(512),
        doc: "characters that `think_log` is cut to",
    },
    ConfigKey {
        path: "memory.key_token_max",
        shape: Shape::Integer(1, 64),
        default: DefaultValue::Integer(4),
        doc: "words that a name in the trees of the tools may have",
    },
    ConfigKey {
        path: "memory.working_memory_children_max",
        shape: Shape::Integer(1, 10_000),
        default: DefaultValue::Integer(8),
        doc: "names that a directory in these trees may hold; the roots hold any number",
    },
    ConfigKey {
        path: "memory.system_auto_cleanup",
        shape: Shape::Switch,
        default: DefaultValue::Switch(true),
        doc: "whether results leave `/working_memory/action_result` once a prompt has shown them",
    },
    ConfigKey {
        path: "memory.system_max_log_entries",
        shape: Shape::Integer(1, LOG_ENTRIES_MAX),
        default: DefaultValue::Integer(LOG_ENTRIES_MAX),
        doc: "tool calls that `data/log.json` shows; the journal holds all of them",
    },
    ConfigKey {
        path: "token_budget.max_total",
        shape: Shape::Integer(256, 131_072),
        default: DefaultValue::Integer(4000),
        doc: "tokens of a prompt at most, however large the window; a smaller window scales the whole \
              budget down",
    },
    ConfigKey {
        path: "token_budget.memory",
        shape: Shape::Integer(0, 131_072),
        default: DefaultValue::Integer(1500),
        doc: "tokens that RAM may have in a prompt, apart from plan, steps and request",
    },
    ConfigKey {
        path: "token_budget.todo",
        shape: Shape::Integer(0, 131_072),
        default: DefaultValue::Integer(800),
        doc: "tokens that plan and steps may have in a prompt",
    },
    ConfigKey {
        path: "token_budget.session",
        shape: Shape::Integer(0, 131_072),
        default: DefaultValue::Integer(700),
        doc: "tokens that results and found notes may have in a prompt",
    },
    ConfigKey {
        path: "token_budget.system",
        shape: Shape::Integer(0, 131_072),
        default: DefaultValue::Integer(500),
        doc: "tokens that system parts may have in a prompt beside the prompt file's own, which are \
              always in",
    },
    ConfigKey {
        path: "token_budget.critical_reserve",
        shape: Shape::Integer(0, 131_072),
        default: DefaultValue::Integer(500),
        doc: "tokens of `max_total` kept for what must be in a prompt",
    },
    ConfigKey {
        path: "loop.loop_delay_ms",
        shape: Shape::Integer(0, DAY_MS),
        default: DefaultValue::Integer(1500),
        doc: "pause between iterations",
    },
    ConfigKey {
        path: "loop.idle_delay_ms",
        shape: Shape::Integer(1, DAY_MS),
        default: DefaultValue::Integer(300_000),
        doc: "first pause while idle; it doubles while nothing changes",
    },
    ConfigKey {
        path: "loop.idle_delay_max_ms",
        shape: Shape::Integer(1, 7 * DAY_MS),
        default: DefaultValue::Integer(HOUR_MS),
        doc: "longest pause while idle",
    },
    ConfigKey {
        path: "loop.max_iterations",
        shape: Shape::Iterations(1_000_000),
        default: DefaultValue::Integer(100),
        doc: "iterations of one run; -1 is unlimited",
    },
    ConfigKey {
        path: "loop.auto_advance",
        shape: Shape::Switch,
        default: DefaultValue::Switch(true),
        doc: "whether the state advances by itself when the model does not move it",
    },
    ConfigKey {
        path: "loop.max_stay",
        shape: Shape::Integer(0, 1000),
        default: DefaultValue::Integer(5),
        doc: "how often in a row the model may stay in a state",
    },
    ConfigKey {
        path: "loop.parse_retries",
        shape: Shape::Integer(0, 10),
        default: DefaultValue::Integer(2),
        doc: "how often an unreadable reply is asked for again",
    },
    ConfigKey {
        path: "loop.protocol",
        shape: Shape::OneOf(&["auto", "steps", "xml"]),
        default: DefaultValue::Text("auto"),
        doc: "how requests are worked on: `steps` asks for one line a thing and carries the lines out, \
              `xml` asks for instructions in every state; `auto` takes steps below 8 billion parameters",
    },
    ConfigKey {
        path: "loop.idle_profile",
        shape: Shape::OneOf(&["maintenance", "creative", "enrich", "sleep"]),
        default: DefaultValue::Text("maintenance"),
        doc: "what happens while idle: upkeep, texts, more on what is known (each with its own words in \
              the prompt file), or no calls at all",
    },
    ConfigKey {
        path: "scope.workspace_id",
        shape: Shape::Uuid,
        default: DefaultValue::Text(SHIPPED_WORKSPACE_ID),
        doc: "the one workspace that the agent writes in, a UUID; `init` draws one",
    },
    ConfigKey {
        path: "scope.allowed_note_kinds",
        shape: Shape::Texts,
        default: DefaultValue::Texts(&["note", "template"]),
        doc: "kinds of notes that the agent may write",
    },
    ConfigKey {
        path: "scope.cross_workspace_writes",
        shape: Shape::Switch,
        default: DefaultValue::Switch(false),
        doc: "whether mode `reviewed` may propose notes of other workspaces, for a person to approve; never \
              true with mode `yolo`",
    },
    ConfigKey {
        path: "scope.can_read_workspaces",
        shape: Shape::Uuids,
        default: DefaultValue::Texts(&[]),
        doc: "other workspaces whose notes a search may find; the notes of all the rest are as if they were \
              not there",
    },
    ConfigKey {
        path: "scope.max_notes_per_loop",
        shape: Shape::Integer(1, 1000),
        default: DefaultValue::Integer(10),
        doc: "notes that one iteration may create",
    },
    ConfigKey {
        path: "scope.max_edits_per_loop",
        shape: Shape::Integer(1, 1000),
        default: DefaultValue::Integer(20),
        doc: "edits that one iteration may make",
    },
    ConfigKey {
        path: "notes.similar_threshold",
        shape: Shape::Number(0.5, 1.0),
        default: DefaultValue::Number(0.8),
        doc: "the part of their words that two notes must share to count as near-duplicates",
    },
    ConfigKey {
        path: "notes.refuse_near_duplicates",
        shape: Shape::Switch,
        default: DefaultValue::Switch(false),
        doc: "whether the agent's new note is refused when there is one like it",
    },
    ConfigKey {
        path: "notes.organize_every",
        shape: Shape::Integer(0, 1_000_000),
        default: DefaultValue::Integer(50),
        doc: "changes of notes after which an idle agent puts notes in order; 0 is never",
    },
    ConfigKey {
        path: "retry.max_retries",
        shape: Shape::Integer(0, 20),
        default: DefaultValue::Integer(3),
        doc: "repeats of a failed call",
    },
    ConfigKey {
        path: "retry.base_delay_ms",
        shape: Shape::Integer(1, HOUR_MS),
        default: DefaultValue::Integer(100),
        doc: "pause before the first repeat; it doubles each time",
    },
    ConfigKey {
        path: "retry.max_delay_ms",
        shape: Shape::Integer(1, HOUR_MS),
        default: DefaultValue::Integer(5000),
        doc: "longest pause before a repeat",
    },
    ConfigKey {
        path: "budget.calls_per_day",
        shape: Shape::OptionalInteger(1, CALLS_PER_DAY_MAX),
        default: DefaultValue::Null,
        doc: "requests to model servers in a day (UTC), repeats included; null is 5000 where \
              `openrouter` is asked, and no bound elsewhere",
    },
    ConfigKey {
        path: "budget.tokens_per_day",
        shape: Shape::OptionalInteger(1, TOKENS_PER_DAY_MAX),
        default: DefaultValue::Null,
        doc: "tokens read and written by models in a day (UTC); null is no bound",
    },
    ConfigKey {
        path: "budget.calls_per_run",
        shape: Shape::OptionalInteger(1, CALLS_PER_DAY_MAX),
        default: DefaultValue::Null,
        doc: "requests to model servers for one run, repeats included; then it fails with what it \
              has done kept; null is no bound",
    },
    ConfigKey {
        path: "budget.tokens_per_run",
        shape: Shape::OptionalInteger(1, TOKENS_PER_DAY_MAX),
        default: DefaultValue::Null,
        doc: "tokens read and written by models for one run; null is no bound",
    },
    ConfigKey {
        path: "budget.calls_per_minute",
        shape: Shape::OptionalInteger(1, 60_000),
        default: DefaultValue::Null,
        doc: "requests to model servers in any 60 s, all servers together; null is no bound",
    },
    ConfigKey {
        path: "parser.strict",
        shape: Shape::Switch,
        default: DefaultValue::Switch(false),
        doc: "whether a reply with anything to repair is refused",
    },
    ConfigKey {
        path: "journal.segment_bytes",
        shape: Shape::Integer(4096, 1_073_741_824),
        default: DefaultValue::Integer(8_388_608),
        doc: "size at which a new journal file is begun",
    },
    ConfigKey {
        path: "journal.retention_days",
        shape: Shape::Integer(1, 36_500),
        default: DefaultValue::Integer(365),
        doc: "age at which whole journal files are removed",
    },
    ConfigKey {
        path: "api.socket",
        shape: Shape::Switch,
        default: DefaultValue::Switch(true),
        doc: "whether a daemon listens at `data/control.sock`, which only its owner can open",
    },
    ConfigKey {
        path: "api.tcp",
        shape: Shape::OwnAddress,
        default: DefaultValue::Null,
        doc: "an address such as `127.0.0.1:8787` at which a daemon listens as well; needs the token of `KJXLKJ_API_TOKEN`",
    },
    ConfigKey {
        path: "log.level",
        shape: Shape::OneOf(&["error", "warn", "info", "debug", "trace"]),
        default: DefaultValue::Text("info"),
        doc: "how much is logged",
    },
    ConfigKey {
        path: "log.format",
        shape: Shape::OneOf(&["auto", "text", "json"]),
        default: DefaultValue::Text("auto"),
        doc: "how log lines look; `auto`: text on a terminal, JSON elsewhere",
    },
];
