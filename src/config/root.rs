//! Finds the root that a working folder belongs to, and checks a root before anything of it is read:
//! it is a folder, and its `data` is no link. Below the root no link is followed, or the checked and
//! locked folder might not be the written one.

use super::files::{self, FileProblem};
use super::load::{CONFIG_PATH, MISSING_HINT};
use super::problem::{ConfigProblem, failure};
use crate::failure::{Code, Failure};
use std::path::Path;

/// The name of the data folder below the root.
const DATA: &str = "data";

/// The folder that marks a root, beside its configuration.
const JOURNAL: &str = "data/journal";

/// Returns the nearest folder, from this one upwards, that is a root.
// A folder above counts only where its data belong to the user of this process: a configuration
// names programs to start.
pub fn root_above(folder: &Path) -> Option<&Path> {
    let exists = |it: &Path, path: &str| files::exists(&it.join(path));
    let is_root = |it: &&Path| exists(it, CONFIG_PATH) || exists(it, JOURNAL);
    let is_own = |it: &Path| {
        [DATA, CONFIG_PATH]
            .iter()
            .all(|path| files::is_own(&it.join(path)))
    };
    let mut above = folder.ancestors().filter(is_root);
    above.find(|it| *it == folder || is_own(it))
}

/// Refuses a root whose `data` is a link, for callers that do not load its files.
pub fn check_data_folder(root: &Path) -> Result<(), Failure> {
    data_link(root).map_or(Ok(()), |problem| Err(failure(&[problem])))
}

/// Returns the problem of the root itself, if it has one.
pub(super) fn problem_of(root: &Path) -> Option<ConfigProblem> {
    match files::check_folder(root) {
        Ok(()) => data_link(root),
        Err(trouble) => Some(no_root(root, &trouble)),
    }
}

fn data_link(root: &Path) -> Option<ConfigProblem> {
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
    let message = format!("this is a link to {shown}, and no link is followed below the root");
    Some(ConfigProblem {
        hint: Some(hint),
        ..ConfigProblem::of_file(Code::DataFolderLinked, DATA.to_owned(), message)
    })
}

/// Words the problem of a root that is no folder, or that cannot be read.
fn no_root(root: &Path, trouble: &FileProblem) -> ConfigProblem {
    let (message, hint) = if let FileProblem::Failed(reason) = trouble {
        (format!("the root cannot be looked at: {reason}"), None)
    } else {
        let message = "there is no such folder, and it is the root";
        (message.to_owned(), Some(MISSING_HINT.to_owned()))
    };
    let code = trouble.code(Code::ConfigJsonInvalid);
    ConfigProblem {
        hint,
        ..ConfigProblem::of_file(code, root.display().to_string(), message)
    }
}
