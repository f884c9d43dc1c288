//! The flat keys of the older file format and their nested keys. No new key belongs here.

/// A flat key of the older file format that stands for one of `KEYS`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    /// The flat name.
    pub name: &'static str,
    /// The nested key.
    pub target: &'static str,
}

/// The accepted flat keys.
/// The nested key wins where both are given.
pub(super) const ALIASES: &[Alias] = &[
    Alias::of(
        "working_memory_character_max",
        "memory.working_memory_character_max",
    ),
    Alias::of("llm_api_url", "provider.base_url"),
    Alias::of("llm_model", "provider.model"),
    Alias::of("llm_max_tokens", "provider.max_tokens"),
    Alias::of("llm_temperature", "provider.temperature"),
    Alias::of("system_debug_mode", "log.level"),
    Alias::of("system_max_log_entries", "memory.system_max_log_entries"),
    Alias::of("system_auto_cleanup", "memory.system_auto_cleanup"),
    Alias::of("key_token_max", "memory.key_token_max"),
    Alias::of(
        "working_memory_children_max",
        "memory.working_memory_children_max",
    ),
];

impl Alias {
    const fn of(name: &'static str, target: &'static str) -> Self {
        Self { name, target }
    }
}
