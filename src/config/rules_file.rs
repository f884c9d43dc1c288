//! Changes the rules file: the whole file is checked as at a start, and replaced only if it is
//! valid and unchanged meanwhile. Does not apply the rules.

use super::environment::Environment;
use super::files::{self, FileProblem};
use super::load::{Given, RULES_PATH, load_given, load_without_key};
use super::problem::{self, Problem, Severity};
use crate::core::automation::Rule;
use crate::failure::{Code, Failure};
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::strict_json;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Changes the rules in the file; returns the result of `change` and the new rules.
///
/// # Errors
/// That of `change`, every problem that the new file would have, or the error of the disk.
/// The file then stays as it was.
pub fn change_rules<T>(
    root: &Path,
    environment: &dyn Environment,
    change: impl FnOnce(&mut Vec<Value>) -> Result<T, Failure>,
) -> Result<(T, Arc<[Rule]>), Failure> {
    let before = bytes_of(root)?;
    let mut items = items_of(&before)?;
    let said = change(&mut items)?;
    let text = serde_json::to_string_pretty(&items);
    let text = text.map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    let after = format!("{text}\n").into_bytes();
    let given = Given {
        rules: Some(&after),
        ..Given::default()
    };
    let loaded = load_given(root, environment, given);
    let loaded = loaded.map_err(|found| refused(root, environment, found))?;
    if bytes_of(root)? != before {
        let message = format!("{RULES_PATH} was changed at this very moment; nothing was written");
        return Err(Failure::new(Code::VersionConflict, message));
    }
    files::replace_file(&root.join(RULES_PATH), &after)?;
    Ok((said, loaded.config.rules))
}

/// Words the refusal of a change.
// Where the file itself is valid, the new text exists nowhere, so line numbers would mislead.
fn refused(root: &Path, environment: &dyn Environment, mut found: Vec<Problem>) -> Failure {
    if load_without_key(root, environment).is_err() {
        return problem::failure(&found);
    }
    for problem in found.iter_mut().filter(|it| it.file == RULES_PATH) {
        problem.line = 0;
        problem.file = format!("{RULES_PATH} with this change");
    }
    let failure = problem::failure(&found);
    failure.only_hint("Nothing was written: give the rule again, as the message says.")
}

/// Creates a warning about the rules file as a whole.
pub fn rules_warning(message: String) -> Problem {
    Problem {
        code: Code::RulesInvalid,
        severity: Severity::Warning,
        file: RULES_PATH.to_owned(),
        line: 0,
        column: 0,
        json_path: String::new(),
        message,
        hint: None,
    }
}

fn bytes_of(root: &Path) -> Result<Vec<u8>, Failure> {
    match files::read_file(&root.join(RULES_PATH), CONFIG_FILE_BYTES_MAX) {
        Err(FileProblem::Missing) => Ok(b"[]".to_vec()),
        Err(trouble) => {
            let message = format!("{RULES_PATH}: {trouble}");
            Err(trouble.failure(Code::RulesInvalid, message))
        }
        Ok(bytes) => Ok(bytes),
    }
}

fn items_of(bytes: &[u8]) -> Result<Vec<Value>, Failure> {
    match strict_json::parse(bytes) {
        Ok(Value::Array(items)) => Ok(items),
        Ok(_) => Err(invalid("the rules file must be an array of rules")),
        Err(bad) => Err(invalid(&format!("line {}: {}", bad.line, bad.message))),
    }
}

fn invalid(what: &str) -> Failure {
    Failure::new(Code::RulesInvalid, format!("{RULES_PATH}: {what}"))
}
