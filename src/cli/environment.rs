//! The one place that reads the process's arguments, environment and working directory.
//! Knows no variable but the root's: every other is named by whoever needs it.

use crate::config::{Environment, Secret, root_above};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The variable that names the root when no option does.
const ROOT: &str = "KJXLKJ_ROOT";

/// The process's own environment.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the environment"
    )]
    fn get(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// The names of the variables that hold one of these secrets.
pub(super) fn holding(secrets: &[&Secret]) -> Vec<String> {
    let is_secret = |value: &str| secrets.iter().any(|it| it.expose() == value.trim());
    let texts = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        is_secret(&value).then_some(name)
    });
    texts.collect()
}

/// The root that the environment names; else the one that the working directory lies in, unless it is to
/// be a root itself; else the working directory.
#[expect(
    clippy::disallowed_methods,
    reason = "a path need not be text, so it is read here as it is"
)]
pub(super) fn root(is_new: bool) -> io::Result<PathBuf> {
    if let Some(root) = std::env::var_os(ROOT).filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(root));
    }
    let here = std::env::current_dir()?;
    let above = if is_new { None } else { root_above(&here) };
    Ok(above.map_or_else(|| here.clone(), Path::to_path_buf))
}

/// The file that this program runs from, where the system tells.
pub(super) fn program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// The words of the command line, the program's name first.
pub(super) fn words() -> Vec<OsString> {
    std::env::args_os().collect()
}
