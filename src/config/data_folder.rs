//! Checks a root before anything of it is read: it is a folder, and its `data` is no link. Below
//! the root no link is followed, or the checked and locked folder might not be the written one.

use super::files::{self, FileProblem};
use super::load::MISSING_HINT;
use super::problem::{Problem, Severity, failure};
use crate::failure::{Code, Failure};
use std::path::Path;

/// The name of the data folder below the root.
const DATA: &str = "data";

/// Refuses a root whose `data` is a link, for callers that do not load its files.
pub fn check_data_folder(root: &Path) -> Result<(), Failure> {
    data_link(root).map_or(Ok(()), |problem| Err(failure(&[problem])))
}

/// Returns the problem of the root itself, if it has one.
pub(super) fn problem_of(root: &Path) -> Option<Problem> {
    match files::check_folder(root) {
        Ok(()) => data_link(root),
        Err(trouble) => Some(no_root(root, &trouble)),
    }
}

fn data_link(root: &Path) -> Option<Problem> {
    let path = root.join(DATA);
    let target = files::link_target(&path)?;
    let (path, shown) = (path.display(), target.display());
    let hint = match target.parent().filter(|_| target.ends_with(DATA)) {
        Some(parent) => format!(
            "Name the root that it belongs to: --root {}.",
            parent.display()
        ),
        None => format!(
            "Put the folder itself where the link is, or mount it there instead of the link: \
             mount --bind {shown} {path}."
        ),
    };
    Some(Problem {
        code: Code::DataFolderLinked,
        severity: Severity::Error,
        file: DATA.to_owned(),
        line: 0,
        column: 0,
        json_path: String::new(),
        message: format!("this is a link to {shown}, and no link is followed below the root"),
        hint: Some(hint),
    })
}

/// Words the problem of a root that is no folder, or that cannot be read.
fn no_root(root: &Path, trouble: &FileProblem) -> Problem {
    let (message, hint) = match trouble {
        FileProblem::Failed(reason) => (format!("the root cannot be looked at: {reason}"), None),
        FileProblem::Missing
        | FileProblem::NotAFile
        | FileProblem::Folder
        | FileProblem::TooLarge(_)
        | FileProblem::Refused(_) => {
            let message = "there is no such folder, and it is the root";
            (message.to_owned(), Some(MISSING_HINT.to_owned()))
        }
    };
    Problem {
        code: trouble.code(Code::ConfigJsonInvalid),
        severity: Severity::Error,
        file: root.display().to_string(),
        line: 0,
        column: 0,
        json_path: String::new(),
        message,
        hint,
    }
}
