//! How large RAM may grow and who writes `think_log`. Plain values from the configuration.

/// The `memory` section as it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryPolicy {
    /// Whether requests and replies are journaled in full.
    pub retain_full_conversation_logs: bool,
    /// Characters of RAM as rendered, above which the next iteration is paging.
    pub working_memory_character_max: usize,
    /// Who writes `think_log`.
    pub think_log_source: ThinkLogSource,
    /// Characters that `think_log` is cut to.
    pub think_log_max_chars: usize,
    /// Words that a name in the trees of the tools may have.
    pub key_token_max: usize,
    /// Names that a directory in these trees may hold.
    pub children_max: usize,
    /// Whether results leave the tree once a prompt has shown them.
    pub auto_cleanup: bool,
}

#[cfg(test)]
impl MemoryPolicy {
    /// Returns the policy of a configuration that says nothing of it.
    pub(crate) const fn sample() -> Self {
        Self {
            retain_full_conversation_logs: false,
            working_memory_character_max: 2048,
            think_log_source: ThinkLogSource::Auto,
            think_log_max_chars: 512,
            key_token_max: 4,
            children_max: 8,
            auto_cleanup: true,
        }
    }
}

/// Which files hold the two layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryLayout {
    /// RAM and `/storage` have a file each.
    #[default]
    Split,
    /// One more file shows both.
    Unified,
}

/// Who writes `think_log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkLogSource {
    /// The model's own `ram_add` wins, else the reply's reasoning, else it is emptied.
    Auto,
    /// Always the reply's reasoning.
    Reasoning,
    /// Only the model.
    Model,
}
