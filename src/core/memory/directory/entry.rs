//! One entry of the directory of keys, and how a person reads it. Decides nothing.

use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Where the value of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// In RAM, and so in each prompt.
    Ram,
    /// In `/storage`.
    Storage,
}

/// What is known about a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyEntry {
    /// Where its value is; absent for a key that was only named.
    pub layer: Option<Layer>,
    /// Its tags.
    pub tags: BTreeSet<String>,
    /// Keys that were named together with it.
    pub related: BTreeSet<String>,
    /// The loop in which it was last written, moved or named.
    pub last_use: u64,
    /// When it was first met.
    pub created_at: Timestamp,
    /// When it was last written, moved or named.
    pub updated_at: Timestamp,
    /// Whether RAM holds it, the archive, or a place of its own in `/storage`.
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

/// What a reply says of a key: all its tags and relations, as they are from then on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyNoted {
    /// The tags.
    pub tags: BTreeSet<String>,
    /// The related keys.
    pub related: BTreeSet<String>,
}

/// The directory as a person reads it.
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
