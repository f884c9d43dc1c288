//! The grammar of `notes`. Its doc comments are the help texts.

use super::Page;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Clone, Debug, Subcommand)]
pub(in crate::cli) enum NotesVerb {
    /// List the notes, last changed first
    List {
        /// The deleted ones, last deleted first, as far back as the journal is kept
        #[arg(long)]
        deleted: bool,
        #[command(flatten)]
        page: Page,
    },
    /// Print a note
    Show {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
        /// As it was in that version, also of a deleted note by its id; `history` lists them
        #[arg(long, value_name = "N")]
        version: Option<u64>,
    },
    /// Find the notes in which every word of a query occurs, best first; where there is none, those with most
    /// of the words
    Search {
        /// Words; quotes make a phrase
        #[arg(allow_hyphen_values = true)]
        query: String,
        #[command(flatten)]
        page: Page,
    },
    /// Add a note and print it
    Add(NoteFields),
    /// Change fields of a note and print it; without any, edit it in `$VISUAL` or `$EDITOR`
    Edit {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
        /// The version that the change is based on; where the note has gone on since, it is refused
        #[arg(long, value_name = "N")]
        version: Option<u64>,
        #[command(flatten)]
        changes: FieldChanges,
    },
    /// Delete a note; its history stays, and the command that brings it back is printed
    Delete {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
    },
    /// List every version of a note, oldest first, also of a deleted one by its id
    History {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
        #[command(flatten)]
        page: Page,
    },
    /// Print what differs between two versions of a note as a unified diff, also of a deleted one by its id
    Diff {
        /// Its id, exact title or exact keywords
        note: String,
        /// The earlier version; else the one before the later one
        from: Option<u64>,
        /// The later version; else the last
        to: Option<u64>,
    },
    /// Bring back an earlier version of a note as its next one, also of a deleted note by its id
    Restore {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
        /// The version; else the one before the last change
        #[arg(long, value_name = "N")]
        version: Option<u64>,
    },
    /// List what was flagged about notes
    Issues(Page),
    /// Write notes out, as Markdown with a head or as JSON Lines
    Export(ExportOptions),
    /// Take in notes from Markdown files and folders of them, or from JSON
    Import(ImportOptions),
}

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ExportOptions {
    /// Only these: id, title or exact keywords
    #[arg(value_name = "NOTE")]
    pub(in crate::cli) notes: Vec<String>,
    /// Where to: a folder for Markdown, a file for JSON or for one note; `-` is standard output
    #[arg(long, value_name = "PLACE")]
    pub(in crate::cli) to: Option<PathBuf>,
    /// JSON Lines: one note a line, as its file holds it
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Write over files that are there
    #[arg(long)]
    pub(in crate::cli) force: bool,
}

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ImportOptions {
    /// Markdown files, folders of them, or JSON files
    #[arg(required = true, value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Read every file as JSON, and of folders the JSON files; `-` is standard input
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Say what would happen, and change nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Take in a part of an import that somebody else reads; `-` is standard input
    #[arg(long, hide = true, conflicts_with = "dry_run")]
    pub(in crate::cli) part: bool,
}

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct NoteFields {
    /// The text; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    pub(in crate::cli) value: String,
    /// The title; else the date and time
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) title: Option<String>,
    /// Keywords, separated by commas
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) keywords: Option<String>,
    /// The kind; else `note`
    #[arg(long)]
    pub(in crate::cli) kind: Option<String>,
}

/// The changes of a note's fields.
/// An absent field stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct FieldChanges {
    /// Another title
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) title: Option<String>,
    /// Other keywords, separated by commas
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) keywords: Option<String>,
    /// Another text; `-` reads standard input
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) value: Option<String>,
    /// Another kind
    #[arg(long)]
    pub(in crate::cli) kind: Option<String>,
    /// The note as Markdown with a head, as `notes export` writes it; `-` reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true,
          conflicts_with_all = ["title", "keywords", "value", "kind"])]
    pub(in crate::cli) markdown: Option<String>,
}

impl FieldChanges {
    /// Returns whether no field is given.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
