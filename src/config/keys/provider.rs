//! The keys of a model server. Each entry of `providers` has the same keys.

use super::super::bounds::{HOUR_MS, WINDOW_TOKENS_MAX, WINDOW_TOKENS_MIN};
use super::super::shape::Shape;
use super::super::table::{Fallback, Key};

/// The rows of `provider`.
pub(super) const KEYS: &[Key] = &[
    Key {
        path: "provider.provider_kind",
        shape: Shape::OneOf(&["lmstudio", "openrouter", "openai", "cli", "scripted"]),
        default: Fallback::Text("lmstudio"),
        doc: "the model server: LM Studio, OpenRouter, any other compatible server, a program on \
              this machine, or replies from a JSONL file",
    },
    Key {
        path: "provider.base_url",
        shape: Shape::BaseUrl,
        default: Fallback::By("the kind's own address"),
        doc: "the server's address up to and including `/v1`; required for `openai`, unused for \
              `scripted`",
    },
    Key {
        path: "provider.model",
        shape: Shape::Text,
        default: Fallback::Text("nvidia/nemotron-3-nano"),
        doc: "the model as the server names it; required for `openrouter`, for `cli` the program's own \
              where none is given, for `scripted` the path of the replies",
    },
    Key {
        path: "provider.timeout_ms",
        shape: Shape::Integer(1, HOUR_MS),
        default: Fallback::Integer(300_000),
        doc: "longest wait for one answer",
    },
    Key {
        path: "provider.max_tokens",
        shape: Shape::Integer(1, 131_072),
        default: Fallback::Integer(4096),
        doc: "most tokens of one answer",
    },
    Key {
        path: "provider.temperature",
        shape: Shape::Number(0.0, 2.0),
        default: Fallback::Number(0.1),
        doc: "sampling temperature",
    },
    Key {
        path: "provider.api_key_env",
        shape: Shape::VariableName,
        default: Fallback::Null,
        doc: "environment variable, or systemd credential in lower case, that holds the API key; \
              a program is given the key under that name; null means `OPENROUTER_API_KEY` for \
              `openrouter` and no key for other kinds",
    },
    Key {
        path: "provider.constrain",
        shape: Shape::OneOf(&["auto", "gbnf", "json_schema", "off"]),
        default: Fallback::Text("auto"),
        doc: "what the server keeps answers to: a grammar (llama.cpp), a JSON schema, nothing; `auto`: \
              what this model was measured to be no worse by, or what its row in `data/models.json` \
              says. What the server cannot do is left out",
    },
    Key {
        path: "provider.fallback_models",
        shape: Shape::Command,
        default: Fallback::Null,
        doc: "for `openrouter`: models that it asks in place of `provider.model` where that one fails, \
              in this order",
    },
    Key {
        path: "provider.attribution",
        shape: Shape::Command,
        default: Fallback::Null,
        doc: "for `openrouter`: the address and the title that calls are listed under there; null \
              tells it neither",
    },
    Key {
        path: "provider.ttl_seconds",
        shape: Shape::OptionalInteger(1, 31_536_000),
        default: Fallback::Null,
        doc: "for `lmstudio`: how long a model that a question loaded stays loaded without another; \
              null leaves it to the server",
    },
    Key {
        path: "provider.stream",
        shape: Shape::Switch,
        default: Fallback::Switch(true),
        doc: "whether answers are read while the model writes them, so that one of which nothing \
              more can count is ended early",
    },
    Key {
        path: "provider.stall_timeout_ms",
        shape: Shape::Integer(1, HOUR_MS),
        default: Fallback::Integer(60_000),
        doc: "longest silence of a model in the middle of a streamed answer; before its first word \
              only `provider.timeout_ms` counts",
    },
    Key {
        path: "provider.context_tokens",
        shape: Shape::OptionalInteger(WINDOW_TOKENS_MIN, WINDOW_TOKENS_MAX),
        default: Fallback::Null,
        doc: "the model's window in tokens, for a server that does not tell it, or if less is wanted: the smaller of both holds, 4096 is assumed while neither is known, and an answer has a quarter of a known one at most",
    },
    Key {
        path: "provider.launch",
        shape: Shape::Launch,
        default: Fallback::Null,
        doc: "`command` that starts a local server when none answers, and `ready_timeout_ms` to \
              wait for it (900000)",
    },
    Key {
        path: "provider.command",
        shape: Shape::CommandLine,
        default: Fallback::Null,
        doc: "for `cli`: the program and its arguments, `{model}` standing for the model; or the one \
              word `claude`, `gemini`, `codex`, `qwen`, `ax-glm` or `ax-grok`, whose arguments are \
              known",
    },
];
