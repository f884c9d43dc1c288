//! The grammar of `rules`. Its doc comments are the help texts.

use super::forms::since;
use super::{Page, Since};
use crate::core::automation::RuleTrigger;
use crate::time::Timestamp;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Clone, Debug, Subcommand)]
pub(in crate::cli) enum RulesVerb {
    /// List the rules, with the next time of each schedule
    List(Page),
    /// Print a rule
    Show {
        /// The rule's id, or the beginning of it
        rule: String,
    },
    /// Add a rule and print it; ids and times that are left out are filled in
    Add(NewRule),
    /// Remove a rule; runs of it that have not ended fail
    Remove {
        /// The rule's id, or the beginning of it
        rule: String,
    },
    /// Let a rule open runs
    Enable {
        /// The rule's id, or the beginning of it
        rule: String,
    },
    /// Let a rule open no runs
    Disable {
        /// The rule's id, or the beginning of it
        rule: String,
    },
    /// Open a run by a rule, and print its record; the same event again prints the same run
    Trigger {
        /// The rule's id, or the beginning of it
        rule: String,
        /// The name of the event; else a new one
        #[arg(long, value_name = "E")]
        event_id: Option<String>,
    },
    /// Derive the times of all schedules again and hold them against what became of them
    Reconcile(Stretch),
}

/// A rule to add: as a whole, or by its parts.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct NewRule {
    /// The rule, a JSON object as it stands in the file; `-` reads standard input
    #[arg(
        required_unless_present_any = ["cron", "on"],
        conflicts_with_all = ["cron", "on", "timezone", "ask"]
    )]
    pub(in crate::cli) rule: Option<String>,
    /// Open a run at these times: minute, hour, day, month, day of the week, as "0 9 * * 1-5"
    #[arg(long, value_name = "TIMES", conflicts_with = "on")]
    pub(in crate::cli) cron: Option<String>,
    /// The zone of the clock that these times are read from, as Europe/Berlin; else that of this machine
    #[arg(long, value_name = "ZONE", requires = "cron")]
    pub(in crate::cli) timezone: Option<String>,
    /// Open a run when this happens
    #[arg(long, value_enum, value_name = "EVENT")]
    pub(in crate::cli) on: Option<RuleEvent>,
    /// The request that its runs work on; `-` reads standard input
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) ask: Option<String>,
}

/// An event that opens runs of a rule without a schedule.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(in crate::cli) enum RuleEvent {
    /// A note is created
    NoteCreated,
    /// A note is created or updated
    NoteChanged,
    /// A note is deleted
    NoteDeleted,
    /// A person launches it with `rules trigger`
    Manual,
}

impl RuleEvent {
    /// Returns the trigger of such a rule.
    pub(in crate::cli) const fn trigger(self) -> &'static str {
        let [changed, created, deleted, _, manual] = RuleTrigger::NAMES;
        match self {
            Self::NoteCreated => created,
            Self::NoteChanged => changed,
            Self::NoteDeleted => deleted,
            Self::Manual => manual,
        }
    }
}

/// A span of time.
#[derive(Clone, Debug, Args)]
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
