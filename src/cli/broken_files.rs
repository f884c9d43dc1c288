//! Verbs that only read, where a file that a person writes cannot be read: they go on with what can be read
//! of it and with defaults for the rest, after a warning. Nothing that changes something does.

use super::arguments::{NotesVerb, RamVerb, ReviewVerb, RulesVerb, RunsVerb, Verb};
use super::context::Context;
use super::output::Answer;
use crate::config::{self, Problem, Severity};
use crate::failure::{Code, Exit, Failure};
use crate::store::disk::Disk as _;
use crate::store::layout;
use std::path::Path;

/// The answer of a verb that was refused: where it only reads, and files are broken, without them.
pub(super) fn read_on(context: &Context, verb: Verb, refused: Failure) -> Result<Answer, Failure> {
    let may_be_files = refused.exit() == Exit::Config || refused.code == Code::DiskError;
    if !may_be_files || !only_reads(&verb) || !is_root(context) {
        return Err(refused);
    }
    let Some(problems) = problems(context) else {
        return Err(refused);
    };
    context.warn(&format!(
        "{}; what cannot be read of it counts as not written, and nothing starts or is changed so: \
         `config check` tells more",
        named(&problems)
    ));
    let mut makeshift = context.clone();
    makeshift.session.is_makeshift = true;
    match super::answer(&makeshift, verb) {
        // It may stand in what cannot be read.
        Err(failure) if failure.code == Code::RuleNotFound => Err(refused),
        answered => answered,
    }
}

/// What keeps the files from being read, if anything does.
pub(super) fn problems(context: &Context) -> Option<Vec<Problem>> {
    context.session.files.problems()
}

/// The first problem of each file.
fn named(problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|it| it.severity == Severity::Error);
    let mut firsts: Vec<&Problem> = Vec::new();
    for problem in errors {
        if firsts.iter().all(|first| first.file != problem.file) {
            firsts.push(problem);
        }
    }
    let firsts: Vec<String> = firsts.iter().map(ToString::to_string).collect();
    firsts.join("; ")
}

/// Whether anything was ever kept here; any other folder is a slip in the command line.
fn is_root(context: &Context) -> bool {
    let is_there = |name: &str| {
        let mut disk = context.session.disk().ok()?;
        disk.stat(Path::new(name)).ok()?
    };
    is_there(layout::JOURNAL).is_some() || is_there(config::CONFIG_PATH).is_some()
}

/// Whether a verb shows what the journal holds, or what would come of it, and changes nothing. Neither
/// `rehearse` nor `replay` is one: they judge by the files, and defaults would only mislead them.
fn only_reads(verb: &Verb) -> bool {
    match verb {
        Verb::Status
        | Verb::Audit(_)
        | Verb::Trace { .. }
        | Verb::Why { .. }
        | Verb::Prompt { .. }
        | Verb::Undo { dry_run: true, .. } => true,
        Verb::Ram(verb) => matches!(
            verb,
            RamVerb::List(_) | RamVerb::Get { .. } | RamVerb::Export
        ),
        Verb::Notes(verb) => matches!(
            verb,
            NotesVerb::List { .. }
                | NotesVerb::Show { .. }
                | NotesVerb::Search { .. }
                | NotesVerb::History { .. }
                | NotesVerb::Diff { .. }
                | NotesVerb::Issues(_)
                | NotesVerb::Export(_)
        ),
        Verb::Rules(verb) => matches!(
            verb,
            RulesVerb::List(_) | RulesVerb::Show { .. } | RulesVerb::Reconcile(_)
        ),
        Verb::Runs(verb) => matches!(
            verb,
            RunsVerb::List { .. }
                | RunsVerb::Show { .. }
                | RunsVerb::Watch { .. }
                | RunsVerb::Undo { dry_run: true, .. }
        ),
        Verb::Review(verb) => matches!(verb, ReviewVerb::List(_) | ReviewVerb::Show { .. }),
        Verb::Daemon
        | Verb::Stop
        | Verb::Init { .. }
        | Verb::Once { .. }
        | Verb::Run { .. }
        | Verb::Ask { .. }
        | Verb::Demo { .. }
        | Verb::Doctor { .. }
        | Verb::Call(_)
        | Verb::Config(_)
        | Verb::Undo { dry_run: false, .. }
        | Verb::Rehearse(_)
        | Verb::Replay { .. }
        | Verb::Parse(_)
        | Verb::Service(_)
        | Verb::Completions { .. }
        | Verb::Man
        | Verb::Explain { .. }
        | Verb::Help { .. } => false,
    }
}
