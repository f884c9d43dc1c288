//! RAM: the flat key-value store that every prompt shows and a person may edit.
//! Owns the typed keys and their coercion; never decides who may write what.

pub mod ram;

mod policy;

pub use policy::{MemoryPolicy, ThinkLogSource};
pub use ram::Ram;
