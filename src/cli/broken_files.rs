//! Verbs that only read, where a file that a person writes is broken: they read its valid parts and
//! use defaults for the rest, after a warning. Verbs that change data do not.

use super::arguments::Verb;
use super::context::Context;
use super::output::VerbOutput;
use super::verb_requirements::VerbRequirements;
use crate::config::{self, ConfigProblem, Severity};
use crate::failure::{Code, Exit, Failure};
use crate::plain_text::joined;
use crate::store::disk::Disk as _;
use crate::store::layout;
use std::path::Path;

/// Answers a refused verb without the broken files, where it only reads.
pub(super) fn read_on(
    context: &Context,
    verb: Verb,
    refused: Failure,
) -> Result<VerbOutput, Failure> {
    let may_be_files = refused.exit() == Exit::Config || refused.code == Code::DiskError;
    if !may_be_files || !VerbRequirements::of(&verb).only_reads || !is_root(context) {
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
        // The rule may be in the invalid part of a file.
        Err(failure) if failure.code == Code::RuleNotFound => Err(refused),
        answered => answered,
    }
}

/// Returns the problems that keep the files from being read, if there are any.
pub(super) fn problems(context: &Context) -> Option<Vec<ConfigProblem>> {
    context.session.files.problems()
}

/// Returns the first problem of each file.
fn named(problems: &[ConfigProblem]) -> String {
    let errors = problems.iter().filter(|it| it.severity == Severity::Error);
    let mut firsts: Vec<&ConfigProblem> = Vec::new();
    for problem in errors {
        if firsts.iter().all(|first| first.file != problem.file) {
            firsts.push(problem);
        }
    }
    joined(firsts, "; ")
}

/// Returns whether the folder holds data of this program.
/// Any other folder is an error of the caller.
fn is_root(context: &Context) -> bool {
    let is_there = |name: &str| {
        let mut disk = context.session.disk().ok()?;
        disk.stat(Path::new(name)).ok()?
    };
    is_there(layout::JOURNAL).is_some() || is_there(config::CONFIG_PATH).is_some()
}
