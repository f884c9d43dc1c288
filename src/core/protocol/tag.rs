//! The names of the top-level elements and the set of them that a prompt file allows.
//! Owns no grammar: what stands inside a tag is `parse`'s business.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The top-level elements that the program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// Ask for a state.
    StateAdd,
    /// Leave a state.
    StateDelete,
    /// Set a RAM key.
    RamAdd,
    /// Remove a RAM key.
    RamDelete,
    /// Create a note.
    RecordAdd,
    /// Flag something about a note.
    RecordIssue,
    /// Replace a note's text.
    RecordUpdate,
    /// Find notes.
    RecordSearch,
    /// Delete a note. An extension: off unless the prompt file lists it.
    RecordDelete,
    /// Add to a note's text. This and the next five are extensions, too.
    RecordAppend,
    /// Replace one line of a note.
    RecordLine,
    /// Take one line out of a note.
    RecordCut,
    /// Link a note to another.
    RecordLink,
    /// Give a note another title.
    RecordTitle,
    /// Put one note into another.
    RecordMerge,
    /// Answer the person's question. This and the next five are off unless the prompt file lists them.
    Answer,
    /// Holds tool calls.
    Actions,
    /// Analysis and planning, with the keys that matter.
    Thinking,
    /// A tool call inside `<actions>` or with a `<kind>`, else what to store on disk.
    Action,
    /// What the work came to.
    Evaluation,
    /// What to put away, to bring back and to delete.
    Paging,
}

impl Tag {
    /// Every tag, in the order of the documentation.
    pub const ALL: [Self; 21] = [
        Self::StateAdd,
        Self::StateDelete,
        Self::RamAdd,
        Self::RamDelete,
        Self::RecordAdd,
        Self::RecordIssue,
        Self::RecordUpdate,
        Self::RecordSearch,
        Self::RecordDelete,
        Self::RecordAppend,
        Self::RecordLine,
        Self::RecordCut,
        Self::RecordLink,
        Self::RecordTitle,
        Self::RecordMerge,
        Self::Answer,
        Self::Actions,
        Self::Thinking,
        Self::Action,
        Self::Evaluation,
        Self::Paging,
    ];

    /// The element name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StateAdd => "state_add",
            Self::StateDelete => "state_delete",
            Self::RamAdd => "ram_add",
            Self::RamDelete => "ram_delete",
            Self::RecordAdd => "record_add",
            Self::RecordIssue => "record_issue",
            Self::RecordUpdate => "record_update",
            Self::RecordSearch => "record_search",
            Self::RecordDelete => "record_delete",
            Self::RecordAppend => "record_append",
            Self::RecordLine => "record_line",
            Self::RecordCut => "record_cut",
            Self::RecordLink => "record_link",
            Self::RecordTitle => "record_title",
            Self::RecordMerge => "record_merge",
            Self::Answer => "answer",
            Self::Actions => "actions",
            Self::Thinking => "thinking",
            Self::Action => "action",
            Self::Evaluation => "evaluation",
            Self::Paging => "paging",
        }
    }

    /// Returns whether the tag is off unless the prompt file lists it.
    pub const fn is_extension(self) -> bool {
        self.is_dialect()
            || matches!(
                self,
                Self::RecordDelete
                    | Self::RecordAppend
                    | Self::RecordLine
                    | Self::RecordCut
                    | Self::RecordLink
                    | Self::RecordTitle
                    | Self::RecordMerge
            )
    }

    /// Whether it is an answer or belongs to the dialects of tool calls and blocks. Their names, common words all
    /// of them, mean nothing where no such tag is switched on.
    pub const fn is_dialect(self) -> bool {
        matches!(
            self,
            Self::Answer
                | Self::Actions
                | Self::Thinking
                | Self::Action
                | Self::Evaluation
                | Self::Paging
        )
    }

    /// The tag with that element name; names are case-sensitive.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The set of tags that a prompt file switches on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AllowedTags {
    bits: u32,
}

impl AllowedTags {
    /// The eight tags of the shipped prompt file: all but the extensions.
    pub fn shipped() -> Self {
        Tag::ALL
            .into_iter()
            .filter(|tag| !tag.is_extension())
            .collect()
    }

    /// Whether none is switched on: the answer is prose.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether a tag of the dialects is switched on.
    pub fn has_dialect(self) -> bool {
        let mut tags = Tag::ALL.into_iter();
        tags.any(|tag| tag.is_dialect() && self.contains(tag))
    }

    /// Whether `tag` is switched on.
    pub const fn contains(self, tag: Tag) -> bool {
        self.bits & (1 << tag as u16) != 0
    }
}

impl FromIterator<Tag> for AllowedTags {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let bits = tags.into_iter().fold(0, |bits, tag| bits | 1 << tag as u16);
        Self { bits }
    }
}
