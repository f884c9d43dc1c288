//! Decides for each verb whether a daemon can answer it, and whether it works with broken files.

use super::arguments::{ConfigVerb, NotesVerb, RamVerb, ReviewVerb, RulesVerb, RunsVerb, Verb};

/// The requirements of a verb.
#[derive(Clone, Copy, Debug)]
pub(super) struct VerbRequirements {
    /// Whether it needs only the root: no files of the caller, no terminal, no model.
    pub(super) is_served: bool,
    /// Whether it only shows the journal, or an effect that it does not apply.
    /// `rehearse` and `replay` do not count: they judge by the files, and defaults would mislead
    /// them.
    pub(super) only_reads: bool,
}

impl VerbRequirements {
    /// Returns the requirements of a verb.
    pub(super) fn of(verb: &Verb) -> Self {
        let (is_served, only_reads) = match verb {
            Verb::Status
            | Verb::Audit(_)
            | Verb::Trace(_)
            | Verb::Why(_)
            | Verb::Prompt { .. }
            | Verb::Ram(RamVerb::List(_) | RamVerb::Get(_) | RamVerb::Export)
            | Verb::Rules(RulesVerb::List(_) | RulesVerb::Show(_) | RulesVerb::Reconcile { .. })
            | Verb::Runs(RunsVerb::List(_) | RunsVerb::Show(_))
            | Verb::Review(ReviewVerb::List(_) | ReviewVerb::Show { .. }) => (true, true),
            Verb::Notes(verb) => of_notes(verb),
            Verb::Undo { dry_run, .. } | Verb::Runs(RunsVerb::Undo { dry_run, .. }) => {
                (true, *dry_run)
            }
            Verb::Runs(RunsVerb::Watch { .. }) => (false, true),
            // A waiting verb waits in the caller's process.
            Verb::Ask { wait, .. } => (!wait, false),
            Verb::Review(ReviewVerb::Edit { changes, .. }) => (!changes.is_empty(), false),
            Verb::Replay(_)
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
            | Verb::Run(_)
            | Verb::Demo(_)
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
        | NotesVerb::Show(_)
        | NotesVerb::Search(_)
        | NotesVerb::History(_)
        | NotesVerb::Diff(_)
        | NotesVerb::Issues(_) => (true, true),
        NotesVerb::Export(options) => (options.json && options.to.is_none(), true),
        NotesVerb::Add(_) | NotesVerb::Delete(_) | NotesVerb::Restore { .. } => (true, false),
        NotesVerb::Edit(asked) => (!asked.changes.is_empty(), false),
        NotesVerb::Import(options) => (options.part, false),
    }
}
