//! The small model that this program can start by itself, and its configuration.

use serde_json::{Value, json};

/// The smallest model that does the main job.
pub(super) const SMALL_MODEL: &str = "qwen1.5b";

/// The launch command, relative to the root.
pub(super) const LAUNCH: [&str; 3] = ["./data/small-model", "{port}", SMALL_MODEL];

/// The longest time to download and load it, in milliseconds.
pub(super) const READY_TIMEOUT_MS: u64 = 30 * 60 * 1000;

/// Returns the `provider` section for the small model at an address without a path.
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

/// Returns the value of `provider.launch`.
pub(super) fn launch() -> Value {
    json!({"command": LAUNCH, "ready_timeout_ms": READY_TIMEOUT_MS})
}
