//! What a person writes, read once: layers merged, every problem reported with its place, and one
//! resolved [`Config`] that the rest of the program sees. Nothing else sees raw keys.

mod resolved;

pub use resolved::{
    Config, JournalPolicy, Launch, LogConfig, LogFormat, ProviderConfig, ProviderKind, Secret,
};
