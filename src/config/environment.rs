//! The environment as a value, so that nothing below `cli` reads the process's own and no test ever
//! sets it. Holds no names: the callers name the variables.

use std::collections::BTreeMap;

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
