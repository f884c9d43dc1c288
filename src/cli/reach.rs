//! How far each verb reaches: whether a daemon can answer it, and whether it goes on where files are broken.

use super::arguments::{ConfigVerb, NotesVerb, RamVerb, ReviewVerb, RulesVerb, RunsVerb, Verb};

/// How far a verb reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Whether it needs nothing but the root: no files of whoever asks, no terminal, no model.
    pub(super) is_served: bool,
    /// Whether it shows what the journal holds, or what would come of it, and changes nothing. Neither
    /// `rehearse` nor `replay` is one: they judge by the files, and defaults would only mislead them.
    pub(super) only_reads: bool,
}

impl Reach {
    /// Returns how far a verb reaches.
    pub(super) fn of(verb: &Verb) -> Self {
        let (is_served, only_reads) = match verb {
            Verb::Status
            | Verb::Audit(_)
            | Verb::Trace { .. }
            | Verb::Why { .. }
            | Verb::Prompt { .. }
            | Verb::Ram(RamVerb::List(_) | RamVerb::Get { .. } | RamVerb::Export)
            | Verb::Rules(RulesVerb::List(_) | RulesVerb::Show { .. } | RulesVerb::Reconcile(_))
            | Verb::Runs(RunsVerb::List { .. } | RunsVerb::Show { .. })
            | Verb::Review(ReviewVerb::List(_) | ReviewVerb::Show { .. }) => (true, true),
            Verb::Notes(verb) => of_notes(verb),
            Verb::Undo { dry_run, .. } | Verb::Runs(RunsVerb::Undo { dry_run, .. }) => {
                (true, *dry_run)
            }
            Verb::Runs(RunsVerb::Watch { .. }) => (false, true),
            // Whoever waits does so at a place of their own.
            Verb::Ask { wait, .. } => (!wait, false),
            Verb::Review(ReviewVerb::Edit { changes, .. }) => (!changes.is_empty(), false),
            Verb::Replay { .. }
            | Verb::Stop
            | Verb::Ram(_)
            | Verb::Rules(_)
            | Verb::Runs(_)
            | Verb::Review(_)
            | Verb::Config(ConfigVerb::Show | ConfigVerb::Get { .. } | ConfigVerb::Set { .. }) => {
                (true, false)
            }
            Verb::Daemon
            | Verb::Init(_)
            | Verb::Once { .. }
            | Verb::Run { .. }
            | Verb::Demo { .. }
            | Verb::Doctor { .. }
            | Verb::Call(_)
            | Verb::Config(ConfigVerb::Check | ConfigVerb::Schema)
            | Verb::Rehearse(_)
            | Verb::Parse(_)
            | Verb::Service(_)
            | Verb::Completions { .. }
            | Verb::Man
            | Verb::Explain { .. }
            | Verb::Help { .. } => (false, false),
        };
        Self {
            is_served,
            only_reads,
        }
    }
}

fn of_notes(verb: &NotesVerb) -> (bool, bool) {
    match verb {
        NotesVerb::List { .. }
        | NotesVerb::Show { .. }
        | NotesVerb::Search { .. }
        | NotesVerb::History { .. }
        | NotesVerb::Diff { .. }
        | NotesVerb::Issues(_) => (true, true),
        NotesVerb::Export(options) => (options.json && options.to.is_none(), true),
        NotesVerb::Add(_) | NotesVerb::Delete { .. } | NotesVerb::Restore { .. } => (true, false),
        NotesVerb::Edit { changes, .. } => (!changes.is_empty(), false),
        NotesVerb::Import(options) => (options.part, false),
    }
}
