//! A leaf of `/storage` as a search sees it: its name, its text, and which leaves a change touches.
//! How well it answers a query is `core::notes`' business.

use super::path::{ARCHIVE, StorePath};
use super::ram::text_in;
use super::storage::{Directory, Node, Storage};
use crate::core::journal::Change;
use crate::core::notes::{
    Fields, Matcher, Query, SearchIndex, Searched, index_terms_of_text, search, search_indexed,
};
use crate::time::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The names that lead to a leaf. Sorted as the walk over the tree meets them.
pub type LeafPath = Vec<String>;

/// A file or an empty directory, with the names that lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf<'a> {
    names: Vec<&'a str>,
    node: &'a Node,
}

impl<'a> Leaf<'a> {
    /// What stands at the end of some names, which is a leaf.
    pub fn new(path: &'a [String], node: &'a Node) -> Self {
        let names = path.iter().map(String::as_str).collect();
        Self { names, node }
    }

    /// What stands there.
    pub const fn node(&self) -> &'a Node {
        self.node
    }

    /// Every leaf of a tree, in order.
    pub fn all(storage: &'a Storage) -> impl Iterator<Item = Self> {
        storage.leaves().map(|(names, node)| Self { names, node })
    }

    /// The leaf that stands at the end of some names.
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

    /// What it is called: the key for what is archived, else its path.
    pub fn name(&self) -> String {
        match self.names.as_slice() {
            [ARCHIVE, key] => (*key).to_owned(),
            names => format!("/storage/{}", names.join("/")),
        }
    }

    /// Where it stands.
    pub fn path(&self) -> StorePath {
        StorePath::storage(self.names.iter().map(|name| (*name).to_owned()))
    }

    /// Whether it stands at the end of these names, or below that.
    fn is_in(&self, scope: &[String]) -> bool {
        self.names.len() >= scope.len() && self.names.iter().zip(scope).all(|(a, b)| a == b)
    }

    /// What stands there, as a person reads it.
    pub fn text(&self) -> Cow<'a, str> {
        text_of_leaf(self.node)
    }

    /// The terms under which an index keeps it, each with the fields in which it stands.
    pub fn index_terms(&self) -> BTreeMap<String, Fields> {
        index_terms_of_text(&self.name(), &self.text())
    }
}

impl Searched for Leaf<'_> {
    type Key = LeafPath;

    fn key(&self) -> LeafPath {
        self.names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Leaves have no dates of their own: all are as new.
    fn updated_at(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn score(&self, matcher: &mut Matcher<'_>) -> Option<u32> {
        matcher.score_text(&self.name(), &self.text())
    }
}

/// What stands at a leaf of any tree, as a person reads it.
pub fn text_of_leaf(node: &Node) -> Cow<'_, str> {
    match node {
        Node::File(value) => text_in(value),
        Node::Directory(_) => Cow::Borrowed("{}"),
    }
}

/// The best `limit` leaves in a scope for a query, best first: a word in the name counts 3, in the text
/// 1; ties go by their paths. The scope is the names that lead to it; without any it is the whole tree.
/// `index` is over the tree as it is stored, `drafted` names the leaves where `storage` may differ from
/// that.
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

/// Where there may be a leaf since a change that was none, or another one, before it.
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
            // The directory that it stood in may be empty now.
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
