//! The files that a person writes, for modules that know neither the environment nor the paths.

use super::environment::{Environment, local_zone};
use super::load::{LoadedConfig, load, load_without_key};
use super::problem::{self, ConfigProblem};
use crate::core::automation::Zone;
use crate::failure::Failure;
use std::fmt;
use std::path::{Path, PathBuf};

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
