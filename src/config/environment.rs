//! The environment as a value, so that nothing below `cli` reads the process's own and no test
//! ever sets it. Holds no names: whoever needs a variable names it.

use std::collections::BTreeMap;

/// Where variables are looked up.
pub trait Environment {
    /// The variable's value; `None` when it is unset or not text.
    fn get(&self, name: &str) -> Option<String>;
}

impl Environment for BTreeMap<String, String> {
    fn get(&self, name: &str) -> Option<String> {
        Self::get(self, name).cloned()
    }
}
