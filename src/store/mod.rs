//! Placeholder.

pub mod disk;
