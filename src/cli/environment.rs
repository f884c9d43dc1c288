//! The one place that reads the process's arguments, environment and working directory.
//! Knows no variable but the root's: every other is named by whoever needs it.

use crate::config::{Environment, Secret};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

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

/// The root that the environment names, else the working directory.
#[expect(
    clippy::disallowed_methods,
    reason = "a path need not be text, so it is read here as it is"
)]
pub(super) fn root() -> io::Result<PathBuf> {
    match std::env::var_os(ROOT).filter(|value| !value.is_empty()) {
        Some(root) => Ok(PathBuf::from(root)),
        None => std::env::current_dir(),
    }
}

/// The file that this program runs from, where the system tells.
pub(super) fn program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// The words of the command line, the program's name first.
pub(super) fn words() -> Vec<OsString> {
    std::env::args_os().collect()
}
