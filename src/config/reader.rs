//! The files that a person writes, for modules that know neither the environment nor the paths; the
//! environment as a value, so that nothing below `cli` reads the process's own and no test ever sets
//! it; and the time zone of this machine, which it may name. A machine without a known name has no
//! zone here: nothing is guessed, and nothing becomes UTC by accident.

use super::files;
use super::load::{LoadedConfig, load, load_without_key};
use super::problem::{self, ConfigProblem};
use crate::core::automation::Zone;
use crate::failure::Failure;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A source of variables.
pub trait Environment {
    /// Returns the variable's value; `None` when it is unset or not text.
    fn get(&self, name: &str) -> Option<String>;
}

impl Environment for BTreeMap<String, String> {
    fn get(&self, name: &str) -> Option<String> {
        Self::get(self, name).cloned()
    }
}

/// The variable that names the zone for one process.
const TZ: &str = "TZ";

/// The link to the zone of the machine.
const LOCAL_TIME: &str = "/etc/localtime";

/// The folder of zones in a path; the rest of the path is the name of the zone.
const FOLDER: &str = "zoneinfo/";

/// Returns the zone of `TZ`, else that of the machine; `None` where it has no known name.
pub(super) fn local_zone(environment: &dyn Environment) -> Option<Zone> {
    let zone = environment.get(TZ).filter(|zone| !zone.is_empty());
    let zone = zone.or_else(|| files::target_of(Path::new(LOCAL_TIME)))?;
    let name = zone.trim_start_matches(':');
    Zone::parse(name.rsplit_once(FOLDER).map_or(name, |(_, name)| name))
}

/// A reader of the files below a root.
/// Copies read the same root.
#[derive(Clone)]
pub struct ConfigReader {
    root: PathBuf,
    pub(super) environment: &'static (dyn Environment + Sync),
}

impl fmt::Debug for ConfigReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ConfigReader").field(&self.root).finish()
    }
}

impl ConfigReader {
    /// Creates a reader for an absolute root, with that environment.
    pub const fn new(root: PathBuf, environment: &'static (dyn Environment + Sync)) -> Self {
        Self { root, environment }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the files for work that calls a model, as [`load`] does.
    pub fn load(&self) -> Result<LoadedConfig, Vec<ConfigProblem>> {
        load(&self.root, self.environment)
    }

    /// Reads the files for work that calls no model: a missing API key is only a warning.
    pub fn load_without_key(&self) -> Result<LoadedConfig, Failure> {
        load_without_key(&self.root, self.environment).map_err(|found| problem::failure(&found))
    }

    /// Returns the problems that keep the files from being read, if there are any.
    pub fn problems(&self) -> Option<Vec<ConfigProblem>> {
        load_without_key(&self.root, self.environment).err()
    }

    /// Returns the time zone of this machine, where its name is known.
    pub fn local_zone(&self) -> Option<Zone> {
        local_zone(self.environment)
    }
}
