//! The directory of keys in RAM and `/storage`: their layer, tags, relations and last use.
//! It follows from the journal's events alone, so that every replay gives the same directory.
//!
//! The keys that the program itself needs are always in RAM and are not listed. A request does not
//! see keys that the model made for another one. A key that a person wrote stays the person's, even
//! if a run changes it later.

use super::path::{ARCHIVE, StorePath};
use super::ram::{CONTEXT, REQUIRED_KEYS, file_of};
use super::{Ram, Storage};
use crate::core::journal::Change;
use crate::ids::RunId;
use crate::limits::{
    CONTEXT_UNUSED_LOOPS, ENRICHMENT_LOOPS, KEY_TAG_CHARS_MAX, KEY_TAGS_MAX, SEARCH_TERMS_MAX,
};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The RAM key that lists the archived keys and explains how to restore them.
pub const ARCHIVED: &str = "archived";
/// The RAM key that holds the result of the last evaluation.
pub const METRICS: &str = "metrics";
/// The tag of keys that no rule moves out of RAM.
pub const PIN: &str = "pin";

/// Returns whether the program itself needs a key, so that it is neither listed nor archived.
pub fn is_own(key: &str) -> bool {
    REQUIRED_KEYS.contains(&key) || is_kept(key)
}

/// Returns whether only the program writes a key.
pub fn is_kept(key: &str) -> bool {
    key == ARCHIVED || key == METRICS
}

/// The layer that holds the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// RAM, which each prompt shows.
    Ram,
    Storage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyEntry {
    /// The layer of its value; absent for a key that was only named.
    pub layer: Option<Layer>,
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
    held: LayerSet,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LayerSet {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ram: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    archive: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    storage: bool,
}

/// One of the places of a set.
type HeldPlace = fn(&mut LayerSet) -> &mut bool;

impl LayerSet {
    const fn layer(self) -> Option<Layer> {
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
    pub tags: BTreeSet<String>,
    pub related: BTreeSet<String>,
}

/// The directory of keys in the form that a person reads.
#[derive(Serialize)]
struct DirectoryFile<'a> {
    loops: u64,
    keys: BTreeMap<&'a str, DirectoryRow<'a>>,
}

#[derive(Serialize)]
struct DirectoryRow<'a> {
    layer: Option<Layer>,
    tags: &'a BTreeSet<String>,
    related: &'a BTreeSet<String>,
    last_use: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> DirectoryRow<'a> {
    const fn of(entry: &'a KeyEntry) -> Self {
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

/// The directory of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyDirectory {
    /// The number of iterations since the root was created.
    pub loops: u64,
    /// The number of notes and stored values that each of the last iterations added, oldest first.
    pub gains: Vec<u32>,
    keys: BTreeMap<String, KeyEntry>,
    /// The run of the newest iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<RunId>,
    /// The run in which the model made a key, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    made: BTreeMap<String, RunId>,
}

impl KeyDirectory {
    pub fn get(&self, key: &str) -> Option<&KeyEntry> {
        self.keys.get(key)
    }

    /// Returns all keys with their entries, sorted.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &KeyEntry)> {
        self.keys.iter().map(|(key, entry)| (key.as_str(), entry))
    }

    /// Returns the keys that match a tag query, sorted.
    pub fn tagged(&self, query: &TagQuery) -> Vec<&str> {
        let entries = self.entries();
        let found = entries.filter(|(_, entry)| query.is_answered_by(&entry.tags));
        found.map(|(key, _)| key).collect()
    }

    /// Returns the indexes of shown entries in the order in which they get room in a prompt.
    /// The program's own keys come first, then keys by their time of creation, then entries without
    /// one.
    pub fn oldest_first(&self, shown: &[(String, String)]) -> Vec<usize> {
        let age = |at: usize| {
            let key = shown.get(at).map_or("", |(key, _)| key.as_str());
            let created_at = self.get(key).map(|entry| entry.created_at);
            (!is_kept(key), created_at.is_none(), created_at)
        };
        let mut places: Vec<usize> = (0..shown.len()).collect();
        places.sort_by_key(|at| age(*at));
        places
    }

    /// Returns whether a tag keeps a key in RAM.
    pub fn is_pinned(&self, key: &str) -> bool {
        self.get(key).is_some_and(|entry| entry.tags.contains(PIN))
    }

    /// Adds the keys of RAM that are missing, for roots that are older than the directory.
    pub fn take_in(&mut self, ram: &Ram, now: Timestamp) {
        for (key, _) in ram.entries() {
            if !is_own(key) && self.get(key).is_none_or(|entry| !entry.held.ram) {
                self.hold(key, now, Some(|it| &mut it.ram));
            }
        }
    }

    pub fn begin_loop(&mut self, run: RunId) {
        self.run = Some(run);
        self.loops += 1;
        self.gains.push(0);
        let surplus = self.gains.len().saturating_sub(ENRICHMENT_LOOPS);
        self.gains.drain(..surplus);
        if self.loops.is_multiple_of(CONTEXT_UNUSED_LOOPS) {
            self.forget_unheld();
        }
    }

    /// Applies a change of RAM, `/storage` or notes.
    pub fn apply(&mut self, change: &Change, now: Timestamp) {
        if let Some(last) = self.gains.last_mut().filter(|_| change.is_gain()) {
            *last = last.saturating_add(1);
        }
        match change {
            Change::RamSet(set) => {
                if !is_own(&set.key) {
                    self.hold(&set.key, now, Some(|it| &mut it.ram));
                }
            }
            Change::RamDeleted(deleted) => self.let_go(&deleted.key, now, |it| &mut it.ram),
            Change::StorageSet(set) => self.stored(&set.path, Some(&set.value), now),
            Change::StorageDeleted(deleted) => self.stored(&deleted.path, None, now),
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => {}
        }
    }

    /// Applies the tags and relations of a reply. Relations to unknown keys are left out.
    pub fn note(&mut self, noted: &BTreeMap<String, KeyNoted>, now: Timestamp) {
        for key in noted.keys() {
            self.hold(key, now, None);
        }
        for (key, noted) in noted {
            let related = noted.related.iter();
            let related = related.filter(|other| self.keys.contains_key(*other));
            let related = related.cloned().collect();
            if let Some(entry) = self.keys.get_mut(key) {
                entry.related = related;
                entry.tags.clone_from(&noted.tags);
            }
        }
    }

    /// Returns the average number of new notes and stored values for each iteration.
    /// `added` counts the present iteration.
    pub fn enrichment(&self, added: u32) -> f64 {
        let earlier = self.gains.iter().rev().take(ENRICHMENT_LOOPS - 1);
        let loops = u32::try_from(earlier.len() + 1).unwrap_or(u32::MAX);
        let gained = earlier.sum::<u32>().saturating_add(added);
        f64::from(gained) / f64::from(loops)
    }

    /// Returns the archived keys, the last archived first.
    /// They are sorted lazily, only as far as the caller reads.
    pub fn archived(&self) -> impl Iterator<Item = &str> {
        let archived = self.entries().filter(|(_, it)| it.held.archive);
        let ranked = archived.map(|(key, it)| (it.last_use, it.updated_at, Reverse(key)));
        let mut ranked: BinaryHeap<_> = ranked.collect();
        std::iter::from_fn(move || ranked.pop().map(|(.., Reverse(key))| key))
    }

    /// Returns the file under `data`: pretty-printed, with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        let keys = self
            .entries()
            .map(|(key, entry)| (key, DirectoryRow::of(entry)));
        file_of(&DirectoryFile {
            loops: self.loops,
            keys: keys.collect(),
        })
    }

    /// Updates the keys that a change of `/storage` affects.
    fn stored(&mut self, path: &StorePath, value: Option<&Value>, now: Timestamp) {
        let (key, below, place): (_, _, HeldPlace) = match path.parts() {
            [] => return,
            [folder] if folder == ARCHIVE => return self.archive_replaced(value, now),
            [folder, key, below @ ..] if folder == ARCHIVE => (key, below, |it| &mut it.archive),
            [key, below @ ..] => (key, below, |it| &mut it.storage),
        };
        match value {
            Some(_) => self.hold(key, now, Some(place)),
            None if below.is_empty() => self.let_go(key, now, place),
            None => {}
        }
    }

    /// Updates the archived keys after the whole archive was replaced or removed.
    fn archive_replaced(&mut self, value: Option<&Value>, now: Timestamp) {
        let members = || value.and_then(Value::as_object).into_iter().flatten();
        let archived = self.entries().filter(|(_, it)| it.held.archive);
        let mut gone: BTreeSet<String> = archived.map(|(key, _)| key.to_owned()).collect();
        for (key, _) in members() {
            gone.remove(key);
            self.hold(key, now, Some(|it| &mut it.archive));
        }
        for key in gone {
            self.let_go(&key, now, |it| &mut it.archive);
        }
    }

    /// Adds a key or updates its entry, and marks it as used now.
    fn hold(&mut self, key: &str, now: Timestamp, place: Option<HeldPlace>) {
        let last_use = self.loops;
        let entry = self.keys.entry(key.to_owned()).or_insert_with(|| KeyEntry {
            layer: None,
            tags: tags_in(key),
            related: BTreeSet::new(),
            last_use,
            created_at: now,
            updated_at: now,
            held: LayerSet::default(),
        });
        if let Some(place) = place {
            *place(&mut entry.held) = true;
        }
        entry.layer = entry.held.layer();
        entry.last_use = last_use;
        entry.updated_at = now;
    }

    /// Updates a key that lost a place, and forgets it if that was the last one.
    fn let_go(&mut self, key: &str, now: Timestamp, place: HeldPlace) {
        let Some(entry) = self.keys.get_mut(key) else {
            return;
        };
        *place(&mut entry.held) = false;
        entry.layer = entry.held.layer();
        entry.updated_at = now;
        if entry.layer.is_none() {
            self.forget(key);
        }
    }

    /// Forgets a key and the relations of other keys to it.
    fn forget(&mut self, key: &str) {
        let Some(entry) = self.keys.remove(key) else {
            return;
        };
        self.made.remove(key);
        for other in &entry.related {
            if let Some(other) = self.keys.get_mut(other) {
                other.related.remove(key);
            }
        }
    }

    /// Forgets keys that have no value and were not used for a while.
    fn forget_unheld(&mut self) {
        let old = self.loops.saturating_sub(CONTEXT_UNUSED_LOOPS);
        let unheld = |entry: &KeyEntry| entry.layer.is_none() && entry.last_use <= old;
        let gone: Vec<String> = self
            .entries()
            .filter(|(_, entry)| unheld(entry))
            .map(|(key, _)| key.to_owned())
            .collect();
        for key in gone {
            self.forget(&key);
        }
    }

    /// Returns the run in which the model made a key; `None` for a key that a person wrote.
    pub fn maker(&self, key: &str) -> Option<RunId> {
        self.made.get(key).copied()
    }

    /// Returns the run of the newest iteration.
    pub const fn last_run(&self) -> Option<RunId> {
        self.run
    }

    /// Records who makes the key of a change. `ram` is RAM before the change.
    pub fn note_maker(&mut self, change: &Change, is_agent: bool, ram: &Ram) {
        let run = self.run.filter(|_| is_agent);
        match change {
            Change::RamSet(set) if set.key == CONTEXT => {
                self.note_members(ram.get(CONTEXT), &set.value, run);
            }
            Change::RamSet(set) => {
                let is_known = !is_own(&set.key) && self.holds(&set.key);
                self.mark(&set.key, is_known, run);
            }
            Change::RamDeleted(deleted) if is_own(&deleted.key) => {
                self.made.remove(&deleted.key);
            }
            Change::StorageSet(set) => {
                let key = set.path.archived_key();
                let key = key.filter(|key| set.path == StorePath::archive(key));
                // A value that only moves to the archive was not made now.
                if let Some(key) = key.filter(|key| ram.get(key) != Some(&set.value)) {
                    let is_known = self.holds(key);
                    self.mark(key, is_known, run);
                }
            }
            Change::RamDeleted(_)
            | Change::StorageDeleted(_)
            | Change::NoteCreated(_)
            | Change::NoteUpdated(_)
            | Change::NoteDeleted(_) => {}
        }
    }

    /// Records who makes members of `context`, each of which is a key of its own in a prompt.
    fn note_members(&mut self, before: Option<&Value>, after: &Value, run: Option<RunId>) {
        let none = Map::new();
        let before = before.and_then(Value::as_object).unwrap_or(&none);
        let after = after.as_object().unwrap_or(&none);
        for (name, value) in after {
            let present = before.get(name);
            if present != Some(value) {
                self.mark(&member_key(name), present.is_some(), run);
            }
        }
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            self.made.remove(&member_key(name));
        }
    }

    fn holds(&self, key: &str) -> bool {
        self.get(key).is_some_and(|entry| entry.layer.is_some())
    }

    /// Records that a key is written in a run, or by a person.
    /// A known key that the model did not make stays the person's.
    fn mark(&mut self, key: &str, is_known: bool, run: Option<RunId>) {
        match run {
            Some(run) if !is_known || self.made.contains_key(key) => {
                self.made.insert(key.to_owned(), run);
            }
            Some(_) => {}
            None => drop(self.made.remove(key)),
        }
    }
}

/// Returns the paths at which `/storage` may hold a key: in the archive, or a path of its own.
/// The archive itself is no key's value, but a key of that name may be archived.
pub fn places_of(key: &str) -> impl Iterator<Item = StorePath> {
    let own = (key != ARCHIVE).then(|| StorePath::storage([key.to_owned()]));
    std::iter::once(StorePath::archive(key)).chain(own)
}

/// Returns the name of the member of `context` that a key means.
pub fn member_of(key: &str) -> Option<&str> {
    key.strip_prefix(CONTEXT)?.strip_prefix('.')
}

/// Returns the values of a key with their layers, RAM first.
/// The key `context.NAME` means a member of `context`.
pub fn values_of(ram: &Ram, storage: &Storage, key: &str) -> impl Iterator<Item = (Layer, Value)> {
    let of_context = || ram.get(CONTEXT)?.get(member_of(key)?);
    let in_ram = ram.get(key).or_else(of_context).cloned();
    let in_ram = in_ram.map(|value| (Layer::Ram, value));
    let stored = places_of(key).find_map(|place| storage.value(place.parts()));
    let stored = stored.map(|value| (Layer::Storage, value));
    in_ram.into_iter().chain(stored)
}

fn member_key(name: &str) -> String {
    format!("{CONTEXT}.{name}")
}

/// The separators of the parts of a name, in the scripts that people write lists in.
const COMMAS: [char; 3] = [',', '\u{3001}', '\u{ff0c}'];

/// The quotes around a tag of several words.
const QUOTES: [char; 3] = ['"', '\u{201c}', '\u{201d}'];

/// Returns the tags that a key's name gives: its parts, if separators divide it.
pub fn tags_in(key: &str) -> BTreeSet<String> {
    if !key.contains(COMMAS) {
        return BTreeSet::new();
    }
    let parts = key.split(COMMAS).map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .take(KEY_TAGS_MAX)
        .map(|part| part.chars().take(KEY_TAG_CHARS_MAX).collect())
        .collect()
}

/// A query by tags. `tag:a tag:b` means both, `tag:a|b` one of them. Case does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagQuery {
    /// The groups of tags; a key matches if it has one tag of each group.
    groups: Vec<Vec<String>>,
}

impl TagQuery {
    /// Parses the tags of a query. Returns them with the rest of the query.
    pub fn parse(query: &str) -> (Self, String) {
        let mut is_quoted = false;
        let ends_word = |character: char| {
            is_quoted ^= QUOTES.contains(&character);
            !is_quoted && (character.is_whitespace() || COMMAS.contains(&character))
        };
        let mut words = query.split(ends_word).filter(|word| !word.is_empty());
        let (mut groups, mut others) = (Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            let group = match tags_asked_for(word) {
                None => {
                    others.push(word);
                    continue;
                }
                // Small models put a blank behind the colon.
                Some("") => words.next().unwrap_or_default(),
                Some(tags) => tags,
            };
            let group: Vec<String> = group
                .split('|')
                .map(|tag| form(tag.trim_matches(QUOTES)))
                .filter(|tag| !tag.is_empty())
                .collect();
            if !group.is_empty() && groups.len() < SEARCH_TERMS_MAX {
                groups.push(group);
            }
        }
        (Self { groups }, others.join(" "))
    }

    /// Returns whether the query has no tag.
    pub const fn is_blank(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns whether a key with these tags matches.
    pub fn is_answered_by(&self, tags: &BTreeSet<String>) -> bool {
        if self.is_blank() || tags.is_empty() {
            return false;
        }
        let forms: BTreeSet<String> = tags.iter().map(|tag| form(tag)).collect();
        let mut groups = self.groups.iter();
        groups.all(|group| group.iter().any(|tag| forms.contains(tag)))
    }
}

/// Returns the text behind `tag:`.
fn tags_asked_for(word: &str) -> Option<&str> {
    let (head, tags) = word.split_once(':')?;
    head.eq_ignore_ascii_case("tag").then_some(tags)
}

/// Returns the form in which tags are compared.
fn form(tag: &str) -> String {
    tag.trim().to_lowercase()
}
