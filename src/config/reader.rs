//! The files that a person writes, for rooms that know neither the environment nor where the files stand.

use super::config_file::{KeySet, set_key};
use super::environment::Environment;
use super::load::{Loaded, load, load_without_key};
use super::local_zone::local_zone;
use super::problem::{self, Problem};
use super::readable::load_readable;
use super::rules_file::change_rules;
use crate::core::automation::{Rule, Zone};
use crate::failure::Failure;
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the files below a root. Copies read the same ones.
#[derive(Clone)]
pub struct ConfigReader {
    root: PathBuf,
    environment: &'static (dyn Environment + Sync),
}

impl fmt::Debug for ConfigReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ConfigReader").field(&self.root).finish()
    }
}

impl ConfigReader {
    /// Reads below an absolute root, with that environment.
    pub const fn new(root: PathBuf, environment: &'static (dyn Environment + Sync)) -> Self {
        Self { root, environment }
    }

    /// The root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads them for work that calls a model, as [`load`] does.
    pub fn load(&self) -> Result<Loaded, Vec<Problem>> {
        load(&self.root, self.environment)
    }

    /// Reads them for work that calls no model: a missing API key is only a warning.
    pub fn load_without_key(&self) -> Result<Loaded, Failure> {
        load_without_key(&self.root, self.environment).map_err(|found| problem::failure(&found))
    }

    /// Reads what can be read of them, as [`load_readable`] does.
    pub fn load_readable(&self) -> Result<Loaded, Failure> {
        load_readable(&self.root, self.environment).map_err(|found| problem::failure(&found))
    }

    /// Returns what keeps them from being read, if anything does.
    pub fn problems(&self) -> Option<Vec<Problem>> {
        load_without_key(&self.root, self.environment).err()
    }

    /// Changes the rules, as [`change_rules`] does.
    ///
    /// # Errors
    /// Those of [`change_rules`].
    pub fn change_rules<T>(
        &self,
        change: impl FnOnce(&mut Vec<Value>) -> Result<T, Failure>,
    ) -> Result<(T, Arc<[Rule]>), Failure> {
        change_rules(&self.root, self.environment, change)
    }

    /// Sets a key, as [`set_key`] does.
    ///
    /// # Errors
    /// Those of [`set_key`].
    pub fn set_key(&self, name: &str, given: &str) -> Result<KeySet, Failure> {
        set_key(&self.root, self.environment, name, given)
    }

    /// The zone of this machine's clock, where it tells the name.
    pub fn local_zone(&self) -> Option<Zone> {
        local_zone(self.environment)
    }
}
