//! The grammar of `review`. Its doc comments are the help texts.

use super::{FieldChanges, Page};
use clap::{Args, Subcommand};

#[derive(Clone, Debug, Subcommand)]
pub(in crate::cli) enum ReviewVerb {
    /// List the proposals that wait, oldest first
    List(Page),
    /// Print a proposal beside the note as it is
    Show {
        /// Its number
        number: u64,
    },
    /// Let proposals happen; where a note has changed since, both changes are put together, or both
    /// texts are shown and the proposal goes on waiting
    Approve(Which),
    /// Let a proposal happen with changes of your own; without any, edit it in `$VISUAL` or `$EDITOR`
    Edit {
        /// Its number
        number: u64,
        #[command(flatten)]
        changes: FieldChanges,
    },
    /// Turn proposals down
    Reject {
        #[command(flatten)]
        which: Which,
        /// Why; the model is told
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
}

/// The proposals to decide on.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct Which {
    /// Their numbers
    #[arg(value_name = "NUMBER", required_unless_present = "all")]
    pub(in crate::cli) numbers: Vec<u64>,
    /// All that wait
    #[arg(long, conflicts_with = "numbers")]
    pub(in crate::cli) all: bool,
}
