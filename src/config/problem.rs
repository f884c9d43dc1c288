//! The problems of files that a person wrote: collected during a check, located at its end,
//! reported all at once. Never holds a value that could be a secret.

use super::load::RULES_PATH;
use crate::failure::{Code, Failure};
use crate::strict_json::{self, JsonPath, PathSegment};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// The most problems of one file that are reported one by one.
const PROBLEMS_MAX: usize = 100;

/// The weight of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The problem stops the start.
    Error,
    /// The problem is reported; the program goes on.
    Warning,
}

impl Severity {
    /// Returns the severity's name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A problem of a file. It is printed as JSON as it is, and as text as
/// `data/config.json:12:18: loop.max_stay: must be ...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfigProblem {
    pub code: Code,
    pub severity: Severity,
    /// The file, relative to the root where it lies below it.
    pub file: String,
    /// The line, from 1; 0 when the problem has no place in the file.
    pub line: usize,
    /// The column in characters, from 1; 0 when the problem has no place in the file.
    pub column: usize,
    /// The path of the value; empty for the file as a whole.
    pub json_path: String,
    /// The message, without the place.
    pub message: String,
    pub hint: Option<String>,
}

impl ConfigProblem {
    /// Creates an error about a file as a whole.
    pub(super) fn of_file(code: Code, file: String, message: String) -> Self {
        Self {
            code,
            severity: Severity::Error,
            file,
            line: 0,
            column: 0,
            json_path: String::new(),
            message,
            hint: None,
        }
    }

    /// Creates a warning about the rules file as a whole.
    pub fn rules_warning(message: String) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::of_file(Code::RulesInvalid, RULES_PATH.to_owned(), message)
        }
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        if !self.json_path.is_empty() {
            write!(f, ": {}", self.json_path)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Turns the problems of a refused configuration into the one failure of a command.
/// Its code is that of the first error, but that of the disk before any other, since the others may
/// follow from it. The message holds every error and the hints every hint once, with the code's own
/// unless only files are missing. Warnings are left out.
pub fn failure(problems: &[ConfigProblem]) -> Failure {
    let errors: Vec<&ConfigProblem> = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .collect();
    let of_disk = errors.iter().find(|it| it.code == Code::DiskError);
    let code = of_disk
        .or_else(|| errors.first())
        .map_or(Code::ConfigSchemaInvalid, |problem| problem.code);
    let message = match errors.as_slice() {
        [only] => only.to_string(),
        several => several
            .iter()
            .fold(format!("{} problems", several.len()), |text, problem| {
                format!("{text}\n  {problem}")
            }),
    };
    let mut failure = Failure::new(code, message);
    if of_disk.is_some() {
        failure = failure.retry_later();
    }
    let mut hints: Vec<String> = Vec::new();
    for hint in errors.iter().filter_map(|problem| problem.hint.as_ref()) {
        if !hints.contains(hint) {
            hints.push(hint.clone());
        }
    }
    // The code's own hint is about a given place, or replaces a missing hint.
    if errors.iter().any(|it| it.line > 0 || it.hint.is_none()) {
        hints.append(&mut failure.hints);
    }
    if !hints.is_empty() {
        failure.hints = hints;
    }
    failure
}

/// A problem before its place is computed.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) code: Code,
    severity: Severity,
    path: JsonPath,
    /// Whether it is about the key at the end of the path.
    pub(super) at_key: bool,
    pub(super) message: String,
    pub(super) hint: Option<String>,
    /// The message for an unknown key where unknown keys are refused.
    pub(super) refusal: Option<String>,
}

/// The problems of one document during its check.
// Places are computed at the end, and only for problems, as each costs a walk over the text.
#[derive(Debug)]
pub(super) struct Findings {
    code: Code,
    list: Vec<Finding>,
}

impl Findings {
    /// Creates an empty list; its problems have `code` unless another is given.
    pub(super) const fn new(code: Code) -> Self {
        Self {
            code,
            list: Vec::new(),
        }
    }

    /// Adds an error about the value at `path`.
    pub(super) fn error(&mut self, path: JsonPath, message: impl Into<String>) -> &mut Finding {
        self.add(Severity::Error, path, message)
    }

    /// Adds a warning about the value at `path`.
    pub(super) fn warn(&mut self, path: JsonPath, message: impl Into<String>) -> &mut Finding {
        self.add(Severity::Warning, path, message)
    }

    /// Turns the warnings about unknown keys inside `value` into errors.
    pub(super) fn refuse_unknown(&mut self, value: &Value) {
        for finding in &mut self.list {
            if leading(&finding.path, value).len() == finding.path.0.len()
                && let Some(refusal) = finding.refusal.take()
            {
                finding.severity = Severity::Error;
                finding.message = refusal;
            }
        }
    }

    pub(super) fn append_as_warnings(&mut self, other: Self) {
        self.list
            .extend(other.list.into_iter().map(|finding| Finding {
                severity: Severity::Warning,
                ..finding
            }));
    }

    /// Adds the problems of a merged document that `value`, at `path` of this one, is a part of.
    /// Warnings about other parts were reported with their own file; errors count in any case.
    pub(super) fn take_inside(&mut self, other: Self, path: &JsonPath, value: &Value) {
        for finding in other.list {
            let inside = leading(&finding.path, value);
            if inside.len() == finding.path.0.len() || finding.severity == Severity::Error {
                let path = inside
                    .iter()
                    .fold(path.clone(), |path, step| path.step(step.clone()));
                self.list.push(Finding {
                    code: self.code,
                    path,
                    ..finding
                });
            }
        }
    }

    pub(super) fn refused(&self) -> impl Iterator<Item = &JsonPath> {
        let errors = self.list.iter().filter(|it| it.severity == Severity::Error);
        errors.map(|finding| &finding.path)
    }

    pub(super) fn has_errors(&self) -> bool {
        self.refused().next().is_some()
    }

    /// Returns the problems of a JSON file with their places, in file order.
    pub(super) fn into_problems(self, file: &str, bytes: &[u8]) -> Vec<ConfigProblem> {
        self.into_located(file, |path, at_key| {
            if at_key {
                strict_json::locate_key(bytes, path)
            } else {
                strict_json::locate(bytes, path)
            }
        })
    }

    /// Returns the problems with their places, in file order.
    /// `locate` returns line and column of a path, or of the key at its end.
    // Beyond a bound they are only counted, because each place costs a walk over the file.
    pub(super) fn into_located(
        mut self,
        file: &str,
        locate: impl Fn(&JsonPath, bool) -> (usize, usize),
    ) -> Vec<ConfigProblem> {
        self.list.sort_by_key(|finding| finding.severity);
        let beyond = self.list.len().saturating_sub(PROBLEMS_MAX);
        let first_beyond = self.list.drain(self.list.len() - beyond..).next();
        if let Some(first) = first_beyond {
            let message = format!("and {beyond} problems more");
            let more = self.add(first.severity, JsonPath::default(), message);
            more.code = first.code;
        }
        let located = |finding: Finding| {
            let (line, column) = locate(&finding.path, finding.at_key);
            ConfigProblem {
                code: finding.code,
                severity: finding.severity,
                file: file.to_owned(),
                line,
                column,
                json_path: finding.path.to_string(),
                message: finding.message,
                hint: finding.hint,
            }
        };
        let mut problems: Vec<ConfigProblem> = self.list.into_iter().map(located).collect();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        problems
    }

    fn add(
        &mut self,
        severity: Severity,
        path: JsonPath,
        message: impl Into<String>,
    ) -> &mut Finding {
        let finding = Finding {
            code: self.code,
            severity,
            path,
            at_key: false,
            message: message.into(),
            hint: None,
            refusal: None,
        };
        self.list.push_mut(finding)
    }
}

/// Returns the longest prefix of a path that exists in a value.
fn leading<'a>(path: &'a JsonPath, value: &Value) -> &'a [PathSegment] {
    let mut at = Some(value);
    let inside = path.0.iter().take_while(|step| {
        at = at.and_then(|value| match step {
            PathSegment::Key(key) => value.get(key),
            PathSegment::Index(index) => value.get(index),
        });
        at.is_some()
    });
    let length = inside.count();
    path.0.get(..length).unwrap_or_default()
}
