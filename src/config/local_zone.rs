//! The zone of this machine's clock, by its name. A machine that does not tell the name has none here:
//! nothing is guessed, and nothing becomes universal time by accident.

use super::environment::Environment;
use super::files;
use crate::core::automation::Zone;
use std::path::Path;

/// The variable that names the zone for one process.
const TZ: &str = "TZ";

/// What points to the zone of the machine.
const LOCAL_TIME: &str = "/etc/localtime";

/// Where zones lie, one a file, named by what is behind.
const FOLDER: &str = "zoneinfo/";

/// The zone that `TZ` names, else that of the machine; `None` where neither is known by its name.
pub fn local_zone(environment: &dyn Environment) -> Option<Zone> {
    let zone = environment.get(TZ).filter(|zone| !zone.is_empty());
    let zone = zone.or_else(|| files::target_of(Path::new(LOCAL_TIME)))?;
    let name = zone.trim_start_matches(':');
    Zone::parse(name.rsplit_once(FOLDER).map_or(name, |(_, name)| name))
}
