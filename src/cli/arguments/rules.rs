//! The grammar of `rules`. Its doc comments are the help.

use super::forms::since;
use super::{Page, Since};
use crate::time::Timestamp;
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum RulesVerb {
    /// List the rules, with the next time of each schedule
    List(Page),
    /// Print a rule
    Show {
        /// The rule's id
        rule: String,
    },
    /// Add a rule and print it; ids and times that are left out are filled in
    Add {
        /// The rule, a JSON object as it stands in the file; `-` reads standard input
        rule: String,
    },
    /// Remove a rule; runs of it that have not ended fail
    Remove {
        /// The rule's id
        rule: String,
    },
    /// Let a rule open runs
    Enable {
        /// The rule's id
        rule: String,
    },
    /// Let a rule open no runs
    Disable {
        /// The rule's id
        rule: String,
    },
    /// Open a run by a rule, and print its record; the same event again prints the same run
    Trigger {
        /// The rule's id
        rule: String,
        /// The name of the event; else a new one
        #[arg(long, value_name = "E")]
        event_id: Option<String>,
    },
    /// Derive the times of all schedules again and hold them against what became of them
    Reconcile(Stretch),
}

/// A stretch of time.
#[derive(Debug, Args)]
pub(in crate::cli) struct Stretch {
    /// Behind this time, or so long ago, such as 2h; else from the beginning of the journal
    #[arg(long, value_name = "TIME", value_parser = since)]
    pub(in crate::cli) from: Option<Since>,
    /// Up to this time, or so long ago; else now
    #[arg(long, value_name = "TIME", value_parser = since)]
    pub(in crate::cli) to: Option<Since>,
}

pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "such as 2026-02-15T08:30:00Z".to_owned())
}
