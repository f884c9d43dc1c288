//! Reads the process's arguments, environment and working directory; nothing else does. Knows no
//! variable but the root's: the callers name the others.

use crate::config::{Environment, Secret, root_above};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The variable that names the root without an option.
const ROOT: &str = "KJXLKJ_ROOT";

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

/// Returns the names of the variables that hold one of these secrets.
pub(super) fn holding(secrets: &[&Secret]) -> Vec<String> {
    let is_secret = |value: &str| secrets.iter().any(|it| it.expose() == value.trim());
    let texts = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        is_secret(&value).then_some(name)
    });
    texts.collect()
}

/// Returns the root: that of the environment, else the one around the working directory, else that.
/// With `is_new` the working directory becomes a root, so the folders above it do not count.
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

/// Returns the file that this program runs from, where the system knows it.
pub(super) fn program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

pub(super) fn words() -> Vec<OsString> {
    std::env::args_os().collect()
}
