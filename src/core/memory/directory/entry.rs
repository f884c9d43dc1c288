//! One entry of the directory of keys, and the form in which a person reads it. Decides nothing.

use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The layer that holds the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// RAM, which each prompt shows.
    Ram,
    /// The tree `/storage`.
    Storage,
}

/// The entry of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyEntry {
    /// The layer of its value; absent for a key that was only named.
    pub layer: Option<Layer>,
    /// The tags.
    pub tags: BTreeSet<String>,
    /// The keys that were named together with it.
    pub related: BTreeSet<String>,
    /// The number of the iteration in which it was last written, moved or named.
    pub last_use: u64,
    /// The time at which it first appeared.
    pub created_at: Timestamp,
    /// The time at which it was last written, moved or named.
    pub updated_at: Timestamp,
    /// The places that hold it: RAM, the archive, or a path of its own in `/storage`.
    pub(super) held: Held,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Held {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) ram: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) archive: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) storage: bool,
}

impl Held {
    pub(super) const fn layer(self) -> Option<Layer> {
        if self.ram {
            Some(Layer::Ram)
        } else if self.archive || self.storage {
            Some(Layer::Storage)
        } else {
            None
        }
    }
}

/// The tags and relations that a reply gives to a key. They replace all earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyNoted {
    /// The tags.
    pub tags: BTreeSet<String>,
    /// The related keys.
    pub related: BTreeSet<String>,
}

/// The directory of keys in the form that a person reads.
#[derive(Serialize)]
pub(super) struct File<'a> {
    pub(super) loops: u64,
    pub(super) keys: BTreeMap<&'a str, Shown<'a>>,
}

#[derive(Serialize)]
pub(super) struct Shown<'a> {
    layer: Option<Layer>,
    tags: &'a BTreeSet<String>,
    related: &'a BTreeSet<String>,
    last_use: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> Shown<'a> {
    pub(super) const fn of(entry: &'a KeyEntry) -> Self {
        Self {
            layer: entry.layer,
            tags: &entry.tags,
            related: &entry.related,
            last_use: entry.last_use,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}
