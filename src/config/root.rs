//! The root that a working folder lies in. Looks at names and owners only.

use super::CONFIG_PATH;
use super::files::{exists, is_own};
use std::path::Path;

/// The folder of the data.
const DATA: &str = "data";

/// What a root is known by, beside its configuration.
const JOURNAL: &str = "data/journal";

/// The nearest folder, from this one upwards, that is a root. One above it counts only where its
/// data belong to who runs this program: a configuration names programs to start.
pub fn root_above(folder: &Path) -> Option<&Path> {
    let is_root = |it: &&Path| exists(&it.join(CONFIG_PATH)) || exists(&it.join(JOURNAL));
    let own = |it: &Path| is_own(&it.join(DATA)) && is_own(&it.join(CONFIG_PATH));
    let mut above = folder.ancestors().filter(is_root);
    above.find(|it| *it == folder || own(it))
}
