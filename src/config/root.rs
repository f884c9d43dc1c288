//! Finds the root that a working folder belongs to. Reads names and owners only.

use super::CONFIG_PATH;
use super::files::{exists, is_own};
use std::path::Path;

/// The name of the data folder.
const DATA: &str = "data";

/// The folder that marks a root, beside its configuration.
const JOURNAL: &str = "data/journal";

/// Returns the nearest folder, from this one upwards, that is a root.
// A folder above counts only where its data belong to the user of this process: a configuration
// names programs to start.
pub fn root_above(folder: &Path) -> Option<&Path> {
    let is_root = |it: &&Path| exists(&it.join(CONFIG_PATH)) || exists(&it.join(JOURNAL));
    let own = |it: &Path| is_own(&it.join(DATA)) && is_own(&it.join(CONFIG_PATH));
    let mut above = folder.ancestors().filter(is_root);
    above.find(|it| *it == folder || own(it))
}
