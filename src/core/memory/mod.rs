//! RAM, a flat key-value store, and `/storage`, a tree of values.
//! Every prompt shows RAM, which a person may edit; no prompt shows `/storage` until it is asked
//! for. Owns the typed keys, their coercion and the paths; the guard decides who may write what.

pub mod ram;

pub mod path;
pub mod storage;

pub mod directory;

pub use directory::KeyDirectory;
pub use path::{StorePath, Tree};
pub use ram::{Ram, kept_as_text, structure_in};
pub use storage::{Layers, Leaf, LeafPath, Storage, find_leaves, text_of_leaf, touched_leaves};

/// The `memory` section of the configuration in force.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct MemoryPolicy {
    /// Whether prompts and replies are journaled in full.
    pub retain_full_conversation_logs: bool,
    /// The number of characters of rendered RAM above which the next iteration is paging.
    pub working_memory_character_max: usize,
    pub think_log_source: ThinkLogSource,
    /// The number of characters to which `think_log` is cut.
    pub think_log_max_chars: usize,
    /// The number of words that a name in the trees of the tools may have.
    pub key_token_max: usize,
    /// The number of names that a directory in these trees may hold.
    #[serde(rename = "working_memory_children_max")]
    pub children_max: usize,
    /// Whether results leave the tree after a prompt has shown them.
    #[serde(rename = "system_auto_cleanup")]
    pub auto_cleanup: bool,
}

#[cfg(test)]
impl MemoryPolicy {
    /// Returns the policy of a configuration without a `memory` section.
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

/// The files that hold the two layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryLayout {
    /// One file for RAM and one for `/storage`.
    #[default]
    Split,
    /// One more file that shows both.
    Unified,
}

/// The author of `think_log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkLogSource {
    /// The model's own `ram_add`, else the reply's reasoning, else nothing.
    Auto,
    /// The reply's reasoning, always.
    Reasoning,
    /// The model alone.
    Model,
}
