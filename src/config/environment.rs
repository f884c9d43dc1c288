//! The environment as a value, so that nothing below `cli` reads the process's own and no test ever
//! sets it; and the time zone of this machine, which it may name. A machine without a known name has
//! no zone here: nothing is guessed, and nothing becomes UTC by accident.

use super::files;
use crate::core::automation::Zone;
use std::collections::BTreeMap;
use std::path::Path;

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
