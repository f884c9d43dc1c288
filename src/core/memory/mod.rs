//! RAM, a flat key-value store, and `/storage`, a tree of values.
//! Every prompt shows RAM, which a person may edit; no prompt shows `/storage` until it is asked
//! for. Owns the typed keys, their coercion and the paths; the guard decides who may write what.

pub mod ram;

pub mod path;
pub mod storage;

mod leaf;

pub mod directory;

mod policy;

pub use directory::KeyDirectory;
pub use leaf::{Leaf, LeafPath, find_leaves, text_of_leaf, touched_leaves};
pub use path::{StorePath, Tree};
pub use policy::{MemoryLayout, MemoryPolicy, ThinkLogSource};
pub use ram::{Ram, kept_as_text, structure_in};
pub use storage::{Layers, Storage};
