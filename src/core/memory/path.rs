//! Paths of the two trees that the model may name: `/working_memory/...` and `/storage/...`.
//! One parser, deny by default: a path consists of plain names, so that it cannot climb, hide or be
//! spelled in two ways. Such a path is a key of this program and never a path of the host.

use crate::core::guard::Refusal;
use crate::core::notes::composed;
use crate::failure::Code;
use crate::limits::{STORE_PART_BYTES_MAX, STORE_PATH_PARTS_MAX};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use unicode_normalization::char::is_combining_mark;

/// The directory of `/storage` for archived RAM keys.
pub const ARCHIVE: &str = "archive";

/// One of the two trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tree {
    /// RAM: bounded, in each prompt.
    WorkingMemory,
    /// The tree `/storage`: persistent, unbounded, in no prompt until asked for.
    Storage,
}

impl Tree {
    /// Returns the name with which a path begins.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WorkingMemory => "working_memory",
            Self::Storage => "storage",
        }
    }
}

/// A path in one of the trees. Without parts it is the root of the tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StorePath {
    tree: Tree,
    parts: Vec<String>,
}

impl StorePath {
    /// Parses a path that a person or the model wrote, and composes its letters (NFC).
    /// One slash at its end is allowed.
    ///
    /// # Errors
    /// `PATH_INVALID` for anything but plain names below one of the two roots.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let invalid = |what: &str| Err(Refusal::new(Code::PathInvalid, what));
        let text = text.trim_matches(' ');
        let named = [Tree::WorkingMemory, Tree::Storage]
            .into_iter()
            .find_map(|tree| {
                let rest = text.strip_prefix('/')?.strip_prefix(tree.name())?;
                (rest.is_empty() || rest.starts_with('/')).then_some((tree, rest))
            });
        let Some((tree, rest)) = named else {
            return invalid("a path begins with /working_memory/ or /storage/");
        };
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let parts: Vec<String> = if rest.is_empty() {
            Vec::new()
        } else {
            rest.split('/').map(|part| composed(part).into()).collect()
        };
        if text.ends_with("//") || parts.iter().any(String::is_empty) {
            return invalid("a path holds no empty part");
        }
        if parts.len() > STORE_PATH_PARTS_MAX {
            return invalid(&format!(
                "a path has at most {STORE_PATH_PARTS_MAX} parts below its root"
            ));
        }
        if parts.iter().any(|part| part.len() > STORE_PART_BYTES_MAX) {
            return invalid(&format!(
                "a part of a path has at most {STORE_PART_BYTES_MAX} bytes"
            ));
        }
        if parts.iter().any(|part| part.chars().all(|it| it == '.')) {
            return invalid("a path holds no `.` and no `..`");
        }
        if !parts.iter().all(|part| is_plain(part)) {
            return invalid("a path holds only letters, digits, `_`, `-` and `.`");
        }
        Ok(Self { tree, parts })
    }

    pub const fn root(tree: Tree) -> Self {
        Self {
            tree,
            parts: Vec::new(),
        }
    }

    /// Returns whether the path is the archive or below it.
    pub fn is_in_archive(&self) -> bool {
        self.tree == Tree::Storage && self.parts.first().is_some_and(|folder| folder == ARCHIVE)
    }

    /// Parses a path in its displayed form, with any names.
    /// It serves to read a place, never to write one.
    pub fn shown(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let root = (parts.next(), parts.next());
        let mut trees = [Tree::WorkingMemory, Tree::Storage].into_iter();
        let tree = trees.find(|tree| root == (Some(""), Some(tree.name())))?;
        let plain = |part: &str| part.replace("~1", "/").replace("~0", "~");
        let parts = parts.map(plain).collect();
        Some(Self { tree, parts })
    }

    /// Returns a path in `/storage` from parts that are not checked, for the program's own use.
    pub fn storage(parts: impl IntoIterator<Item = String>) -> Self {
        Self {
            tree: Tree::Storage,
            parts: parts.into_iter().collect(),
        }
    }

    /// Returns the path at which a RAM key is archived, whatever its characters are.
    pub fn archive(key: &str) -> Self {
        Self::storage([ARCHIVE.to_owned(), key.to_owned()])
    }

    pub const fn tree(&self) -> Tree {
        self.tree
    }

    /// Returns the names below the root, outermost first.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Returns whether the path is the root of a tree.
    pub const fn is_root(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the last name; `None` for a root.
    pub fn name(&self) -> Option<&str> {
        self.parts.last().map(String::as_str)
    }

    /// Returns the key that is archived at this path, if the path is one of an archived key.
    pub fn archived_key(&self) -> Option<&str> {
        match (self.tree, self.parts.as_slice()) {
            (Tree::Storage, [folder, key]) if folder == ARCHIVE => Some(key),
            _ => None,
        }
    }

    /// Returns the path above this one; `None` for a root.
    pub fn parent(&self) -> Option<Self> {
        let (_, parents) = self.parts.split_last()?;
        Some(Self {
            tree: self.tree,
            parts: parents.to_vec(),
        })
    }

    /// Returns a path below this one, from names that are not checked.
    #[must_use]
    pub fn join(&self, names: impl IntoIterator<Item = String>) -> Self {
        let mut path = self.clone();
        path.parts.extend(names);
        path
    }

    /// Returns whether `other` is this path or below it.
    pub fn contains(&self, other: &Self) -> bool {
        self.tree == other.tree && other.parts.starts_with(&self.parts)
    }
}

/// Returns whether a part has only letters, digits, `_`, `-`, `.`, and marks behind letters.
/// Full-width forms look like plain ones, so that two paths would look the same.
fn is_plain(part: &str) -> bool {
    let mut has_letter = false;
    part.chars().all(|character| {
        let full_width = matches!(character, '\u{FF01}'..='\u{FF5E}' | '\u{FFE0}'..='\u{FFE6}');
        let is_of_letter = is_combining_mark(character);
        let is_plain = if is_of_letter {
            has_letter && !is_unseen_or_around(character)
        } else {
            character.is_alphanumeric() || matches!(character, '_' | '-' | '.')
        };
        has_letter = is_of_letter || character.is_alphanumeric();
        is_plain && !full_width
    })
}

/// Returns whether a mark behind a letter is invisible or encloses the letter.
/// An invisible mark would make two paths look the same; no script needs enclosing marks.
const fn is_unseen_or_around(mark: char) -> bool {
    matches!(
        mark,
        '\u{34F}'
            | '\u{488}'..='\u{489}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{1ABE}'
            | '\u{20DD}'..='\u{20E0}'
            | '\u{20E2}'..='\u{20E4}'
            | '\u{A670}'..='\u{A672}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

/// Displays a path as people read it and the journal keeps it.
/// In a part, `~` is written as `~0` and `/` as `~1`, as in JSON pointers.
impl fmt::Display for StorePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.tree.name())?;
        for part in &self.parts {
            write!(f, "/{}", part.replace('~', "~0").replace('/', "~1"))?;
        }
        Ok(())
    }
}

impl Serialize for StorePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Deserializes a path without the checks of [`StorePath::parse`], since its writer did them.
impl<'de> Deserialize<'de> for StorePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::shown(&text).ok_or_else(|| D::Error::custom("a path of neither tree"))
    }
}
