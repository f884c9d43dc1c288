//! Changes of a note by its parts. The program composes the whole text, so that a model need not write again
//! what stays.

use super::Tag;
use super::build::Children;
use super::child::Child;
use serde::Serialize;

/// A change of one part of a note. Off unless the prompt file lists its tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum RecordEdit {
    /// Adds to a note's text.
    RecordAppend {
        /// What finds the note.
        key: String,
        /// What is added: the next item of a list, a sentence or a line.
        value: String,
    },
    /// Replaces one line or sentence.
    RecordLine {
        /// What finds the note.
        key: String,
        /// Words that stand in that line and in no other.
        query: String,
        /// The line as it is now.
        value: String,
    },
    /// Takes one line, sentence or item out.
    RecordCut {
        /// What finds the note.
        key: String,
        /// Words that stand in that line and in no other.
        query: String,
    },
    /// Links another note.
    RecordLink {
        /// What finds the note that gets the link.
        key: String,
        /// What finds the note that it leads to.
        title: String,
    },
    /// Gives a note another title.
    RecordTitle {
        /// What finds the note.
        key: String,
        /// The new title.
        title: String,
    },
    /// Puts a note's text behind another's, and deletes it.
    RecordMerge {
        /// What finds the note that goes.
        key: String,
        /// What finds the note that stays.
        title: String,
    },
}

impl RecordEdit {
    /// Returns the instruction's tag.
    pub const fn tag(&self) -> Tag {
        match self {
            Self::RecordAppend { .. } => Tag::RecordAppend,
            Self::RecordLine { .. } => Tag::RecordLine,
            Self::RecordCut { .. } => Tag::RecordCut,
            Self::RecordLink { .. } => Tag::RecordLink,
            Self::RecordTitle { .. } => Tag::RecordTitle,
            Self::RecordMerge { .. } => Tag::RecordMerge,
        }
    }

    /// Returns what finds the note that is changed or goes.
    pub fn key(&self) -> &str {
        match self {
            Self::RecordAppend { key, .. }
            | Self::RecordLine { key, .. }
            | Self::RecordCut { key, .. }
            | Self::RecordLink { key, .. }
            | Self::RecordTitle { key, .. }
            | Self::RecordMerge { key, .. } => key,
        }
    }
}

/// Builds a change of a part of a note.
///
/// # Errors
/// A sentence that says what is wrong with its children.
pub(super) fn build(tag: Tag, children: &mut Children<'_, '_>) -> Result<RecordEdit, String> {
    let key = children.record_key()?;
    Ok(match tag {
        Tag::RecordAppend => RecordEdit::RecordAppend {
            key,
            value: children.required_text(Child::Value)?,
        },
        Tag::RecordLine => RecordEdit::RecordLine {
            key,
            query: children.filled(Child::Query)?,
            value: children.required_text(Child::Value)?,
        },
        Tag::RecordCut => RecordEdit::RecordCut {
            key,
            query: children.filled(Child::Query)?,
        },
        Tag::RecordLink => RecordEdit::RecordLink {
            key,
            title: children.filled(Child::Title)?,
        },
        Tag::RecordTitle => RecordEdit::RecordTitle {
            key,
            title: children.filled(Child::Title)?,
        },
        Tag::RecordMerge => RecordEdit::RecordMerge {
            key,
            title: children.filled(Child::Title)?,
        },
        Tag::StateAdd
        | Tag::StateDelete
        | Tag::RamAdd
        | Tag::RamDelete
        | Tag::RecordAdd
        | Tag::RecordIssue
        | Tag::RecordUpdate
        | Tag::RecordSearch
        | Tag::RecordDelete
        | Tag::Answer
        | Tag::Actions
        | Tag::Thinking
        | Tag::Action
        | Tag::Evaluation
        | Tag::Paging => return Err(format!("<{tag}> changes no part of a note.")),
    })
}
