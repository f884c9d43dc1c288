//! The small model that this program can start by itself: what the configuration says of it.

use serde_json::{Value, json};

/// The smallest model that does the main job.
pub(super) const SMALL_MODEL: &str = "qwen1.5b";

/// What starts it, relative to the root.
pub(super) const LAUNCH: [&str; 3] = ["./data/small-model", "{port}", SMALL_MODEL];

/// How long it may take to arrive and to load, in milliseconds.
pub(super) const READY_TIMEOUT_MS: u64 = 30 * 60 * 1000;

/// The `provider` section for the small model at an address without a path.
pub(super) fn provider(address: &str) -> Value {
    json!({
        "provider_kind": "openai",
        "base_url": format!("{}/v1", address.trim_end_matches('/')),
        "model": SMALL_MODEL,
        "max_tokens": 400,
        "context_tokens": 8192,
        "launch": launch(),
    })
}

/// The value of `provider.launch`.
pub(super) fn launch() -> Value {
    json!({"command": LAUNCH, "ready_timeout_ms": READY_TIMEOUT_MS})
}
