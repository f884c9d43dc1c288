//! The `/storage` tree: persistent, unbounded, in no prompt.
//! JSON objects are directories, every other value is a file. Operations are total: an impossible
//! place is simply absent. The guard decides what may be written, and `core::notes` computes how
//! well a leaf of the tree matches a query.
//!
//! Trees share their common parts, so that a copy is cheap and a reply can be tried out on one. The
//! journal's reader bounds the depth of values, so that every descent ends.

use super::path::{ARCHIVE, StorePath};
use super::ram::{Ram, file_of, text_in};
use crate::core::journal::Change;
use crate::core::notes::{
    Fields, Matcher, Query, SearchIndex, Searchable, index_terms, search, search_indexed,
};
use crate::time::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

/// A directory: its entries by name, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directory(Arc<BTreeMap<String, Node>>);

/// The node at a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Directory(Directory),
    /// A value that is not an object.
    File(Arc<Value>),
}

/// The `/storage` tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Storage {
    root: Directory,
}

impl Directory {
    /// Returns the entries, sorted by name.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.0.iter().map(|(name, node)| (name.as_str(), node))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<&Node> {
        self.0.get(name)
    }

    /// Returns the entry of a name, with the name as the directory holds it.
    pub(super) fn entry(&self, name: &str) -> Option<(&str, &Node)> {
        let (name, node) = self.0.get_key_value(name)?;
        Some((name, node))
    }

    /// Returns every file and every empty directory below it, in order, each with its path.
    pub fn leaves(&self) -> impl Iterator<Item = (Vec<&str>, &Node)> {
        // The open directories, each with its name.
        let mut stack: Vec<(Option<&str>, Entries<'_>)> = vec![(None, Box::new(self.entries()))];
        std::iter::from_fn(move || {
            loop {
                let (_, entries) = stack.last_mut()?;
                match entries.next() {
                    None => drop(stack.pop()),
                    Some((name, Node::Directory(directory))) if !directory.is_empty() => {
                        stack.push((Some(name), Box::new(directory.entries())));
                    }
                    Some((name, node)) => {
                        let folders = stack.iter().filter_map(|(name, _)| *name);
                        return Some((folders.chain([name]).collect(), node));
                    }
                }
            }
        })
    }

    /// Returns the directory at a path; creates missing directories and replaces files in the way.
    fn enter(&mut self, names: &[String]) -> Option<&mut Self> {
        let mut directory = self;
        for name in names {
            let entries = Arc::make_mut(&mut directory.0);
            let node = entries.entry(name.clone()).or_insert_with(Node::directory);
            if let Node::File(_) = node {
                *node = Node::directory();
            }
            directory = match node {
                Node::Directory(inner) => inner,
                // The lines above made it a directory.
                Node::File(_) => return None,
            };
        }
        Some(directory)
    }
}

impl Node {
    fn directory() -> Self {
        Self::Directory(Directory::default())
    }

    /// Returns the directory, if the node is one.
    pub const fn as_directory(&self) -> Option<&Directory> {
        match self {
            Self::Directory(directory) => Some(directory),
            Self::File(_) => None,
        }
    }

    /// Returns the value, with directories as objects.
    pub fn to_value(&self) -> Value {
        match self {
            Self::File(value) => value.as_ref().clone(),
            Self::Directory(directory) => {
                let entries = directory.entries();
                let members = entries.map(|(name, node)| (name.to_owned(), node.to_value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    /// Returns the length as JSON, in bytes.
    pub fn bytes(&self) -> usize {
        let mut counted = ByteCounter(0);
        // Counting cannot fail, and every value can be written.
        match serde_json::to_writer(&mut counted, self) {
            Ok(()) => counted.0,
            Err(_) => usize::MAX,
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        if let Value::Object(members) = value {
            let entries = members.into_iter();
            let entries = entries.map(|(name, value)| (name, Self::from(value)));
            Self::Directory(Directory(Arc::new(entries.collect())))
        } else {
            Self::File(Arc::new(value))
        }
    }
}

impl Storage {
    pub const fn root(&self) -> &Directory {
        &self.root
    }

    /// Returns the node at a path below the root.
    pub fn get(&self, parts: &[String]) -> Option<&Node> {
        let (name, parents) = parts.split_last()?;
        let mut directory = &self.root;
        for part in parents {
            directory = directory.get(part)?.as_directory()?;
        }
        directory.get(name)
    }

    /// Returns the directory at a path, which may be the root.
    pub fn directory(&self, parts: &[String]) -> Option<&Directory> {
        if parts.is_empty() {
            return Some(&self.root);
        }
        self.get(parts)?.as_directory()
    }

    /// Returns the value at a path below the root, with directories as objects.
    pub fn value(&self, parts: &[String]) -> Option<Value> {
        self.get(parts).map(Node::to_value)
    }

    /// Returns whether there is a node at a path.
    pub fn has(&self, parts: &[String]) -> bool {
        parts.is_empty() || self.get(parts).is_some()
    }

    /// Sets the value at a path, replacing a value there or files on the way.
    /// Missing parents are created. The root takes only an object.
    pub fn set(&mut self, parts: &[String], value: Value) {
        let node = Node::from(value);
        let Some((name, parents)) = parts.split_last() else {
            if let Node::Directory(directory) = node {
                self.root = directory;
            }
            return;
        };
        if let Some(directory) = self.root.enter(parents) {
            Arc::make_mut(&mut directory.0).insert(name.clone(), node);
        }
    }

    /// Removes the node at a path, with everything below it.
    pub fn remove(&mut self, parts: &[String]) {
        // Checked first, since shared directories on the way are copied only for a real removal.
        let Some((name, parents)) = parts.split_last().filter(|_| self.has(parts)) else {
            return;
        };
        if let Some(directory) = self.root.enter(parents) {
            Arc::make_mut(&mut directory.0).remove(name);
        }
    }

    /// Returns every file and every empty directory, in order, each with its path.
    pub fn leaves(&self) -> impl Iterator<Item = (Vec<&str>, &Node)> {
        self.root.leaves()
    }

    /// Returns the file under `data`: nested, pretty-printed, with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(self)
    }

    /// Parses the tree from the file under `data`.
    pub fn from_file(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

/// RAM and the `/storage` tree together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Layers<'a> {
    /// The content of RAM as in its own file.
    pub working: &'a Ram,
    /// The tree as in its own file.
    pub storage: &'a Storage,
}

impl Layers<'_> {
    /// Returns the file: nested, pretty-printed, with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(self)
    }
}

type Entries<'a> = Box<dyn Iterator<Item = (&'a str, &'a Node)> + 'a>;

impl Serialize for Directory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Directory(directory) => directory.serialize(serializer),
            Self::File(value) => value.as_ref().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Storage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Map::deserialize(deserializer)?;
        let mut storage = Self::default();
        storage.set(&[], Value::Object(members));
        Ok(storage)
    }
}

struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The names on the way to a leaf. Leaf paths sort in the order of a walk over the tree.
pub type LeafPath = Vec<String>;

/// A file or an empty directory, with the names on the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf<'a> {
    names: Vec<&'a str>,
    node: &'a Node,
}

impl<'a> Leaf<'a> {
    /// Returns the leaf at a path, whose node is known to be a leaf.
    pub fn new(path: &'a [String], node: &'a Node) -> Self {
        let names = path.iter().map(String::as_str).collect();
        Self { names, node }
    }

    pub const fn node(&self) -> &'a Node {
        self.node
    }

    /// Returns every leaf of a tree, in order.
    pub fn all(storage: &'a Storage) -> impl Iterator<Item = Self> {
        storage.leaves().map(|(names, node)| Self { names, node })
    }

    /// Returns the leaf at a path, if there is one.
    pub fn at(storage: &'a Storage, path: &[String]) -> Option<Self> {
        let (last, parents) = path.split_last()?;
        let mut names = Vec::with_capacity(path.len());
        let mut directory = storage.root();
        for parent in parents {
            let (name, node) = directory.entry(parent)?;
            names.push(name);
            directory = node.as_directory()?;
        }
        let (name, node) = directory.entry(last)?;
        names.push(name);
        let is_leaf = node.as_directory().is_none_or(Directory::is_empty);
        is_leaf.then_some(Self { names, node })
    }

    /// Returns the name: the key of an archived value, else the path.
    pub fn name(&self) -> String {
        match self.names.as_slice() {
            [ARCHIVE, key] => (*key).to_owned(),
            names => format!("/storage/{}", names.join("/")),
        }
    }

    pub fn path(&self) -> StorePath {
        StorePath::storage(self.names.iter().map(|name| (*name).to_owned()))
    }

    /// Returns whether the leaf is at this path or below it.
    fn is_in(&self, scope: &[String]) -> bool {
        self.names.len() >= scope.len() && self.names.iter().zip(scope).all(|(a, b)| a == b)
    }

    /// Returns the text as a person reads it.
    pub fn text(&self) -> Cow<'a, str> {
        text_of_leaf(self.node)
    }

    /// Returns the terms under which an index keeps the leaf, each with its fields.
    pub fn index_terms(&self) -> BTreeMap<String, Fields> {
        index_terms(&self.name(), &[], &self.text())
    }
}

impl Searchable for Leaf<'_> {
    type Key = LeafPath;

    fn key(&self) -> LeafPath {
        self.names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Returns the same time for all leaves, since they have no dates of their own.
    fn updated_at(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn score(&self, matcher: &mut Matcher<'_>) -> Option<u32> {
        matcher.score_text(&self.name(), &self.text())
    }
}

/// Returns the text of a leaf as a person reads it.
pub fn text_of_leaf(node: &Node) -> Cow<'_, str> {
    match node {
        Node::File(value) => text_in(value),
        Node::Directory(_) => Cow::Borrowed("{}"),
    }
}

/// Returns the best `limit` leaves of a scope for a query, best first.
/// A word in the name counts 3, in the text 1; ties go by path. The scope is a path, or the whole
/// tree if it is empty. `index` covers the stored tree; `drafted` names the leaves that may differ
/// from it in `storage`.
pub fn find_leaves<'a>(
    storage: &'a Storage,
    scope: &[String],
    query: &Query,
    limit: usize,
    index: &dyn SearchIndex,
    drafted: &BTreeSet<LeafPath>,
) -> Vec<Leaf<'a>> {
    let Some(candidates) = index.leaf_candidates(query) else {
        let all = Leaf::all(storage).filter(|leaf| leaf.is_in(scope));
        return search(all, query, limit);
    };
    let leaf = |path: &LeafPath| Leaf::at(storage, path).filter(|leaf| leaf.is_in(scope));
    let stored = |path: LeafPath| leaf(&path).filter(|_| !drafted.contains(&path));
    let touched = drafted.iter().filter_map(leaf);
    search_indexed(candidates, query, limit, stored, touched)
}

/// Returns the paths at which a change may have added or replaced a leaf.
pub fn touched_leaves(change: &Change) -> Vec<LeafPath> {
    match change {
        Change::StorageSet(set) => {
            let mut leaves = Vec::new();
            let mut open = vec![(set.path.parts().to_vec(), &set.value)];
            while let Some((path, value)) = open.pop() {
                match value.as_object().filter(|members| !members.is_empty()) {
                    Some(members) => open.extend(members.iter().map(|(name, member)| {
                        let path = path.iter().chain([name]).cloned().collect();
                        (path, member)
                    })),
                    None => leaves.push(path),
                }
            }
            leaves
        }
        Change::StorageDeleted(deleted) => {
            // The directory above it may be empty now, and so a leaf.
            let parent = deleted.path.parent().filter(|it| !it.is_root());
            parent.iter().map(|it| it.parts().to_vec()).collect()
        }
        Change::RamSet(_)
        | Change::RamDeleted(_)
        | Change::NoteCreated(_)
        | Change::NoteUpdated(_)
        | Change::NoteDeleted(_) => Vec::new(),
    }
}
