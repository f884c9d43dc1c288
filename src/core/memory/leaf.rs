//! Leaves of `/storage` for a search: their names and texts, and the leaves that a change touches.
//! `core::notes` computes how well a leaf matches a query.

use super::path::{ARCHIVE, StorePath};
use super::ram::text_in;
use super::storage::{Directory, Node, Storage};
use crate::core::journal::Change;
use crate::core::notes::{
    Fields, Matcher, Query, SearchIndex, Searchable, index_terms, search, search_indexed,
};
use crate::time::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

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

    /// Returns the node.
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

    /// Returns the path.
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
