//! Settings: those in force, whether they are valid, and a change of one key.

use super::change::change_file;
use super::holder::unread;
use super::session::{Session, now};
use crate::config::{ConfigProblem, KeySet, LoadedConfig, failure, known_key};
use crate::core::automation::all_judged_ahead;
use crate::failure::Failure;
use serde::Serialize;
use serde_json::Value;

/// A setting that is in force.
#[derive(Debug, Serialize)]
pub struct InForceSetting {
    key: &'static str,
    source: Option<&'static str>,
    pub value: Value,
}

/// A setting that was changed.
#[derive(Debug, Serialize)]
pub struct ChangedSetting {
    /// The value in force before, where the file was valid.
    pub before: Option<Value>,
    pub key: &'static str,
    /// The time at which the new value takes effect, in a word.
    taken: &'static str,
    /// The value in force with the new file.
    pub value: Value,
}

/// Returns the files in force.
pub fn show(session: &Session) -> Result<LoadedConfig, Failure> {
    let loaded = session.load()?;
    if let Some(said) = unread(session, &loaded.config) {
        session.warn(&said);
    }
    Ok(loaded)
}

/// Returns one setting as it is in force, with its source.
pub fn get(session: &Session, name: &str) -> Result<InForceSetting, Failure> {
    let key = known_key(name)?.path;
    let loaded = show(session)?;
    let mut all = loaded.settings.all().iter();
    let setting = all.find(|it| it.key.path == key);
    Ok(InForceSetting {
        key,
        value: setting.map(|it| it.value.clone()).unwrap_or_default(),
        source: setting.map(|it| it.source.name()),
    })
}

/// Sets one key to the value of a text, and returns when it takes effect.
pub fn set(session: &Session, key: String, value: String) -> Result<ChangedSetting, Failure> {
    let files = session.files.clone();
    let set = change_file(session, move || files.set_key(&key, &value))?;
    for warning in &set.warnings {
        session.warn(&warning.to_string());
    }
    Ok(ChangedSetting {
        taken: taken(session, &set),
        key: set.key.path,
        before: set.before,
        value: set.after,
    })
}

/// Returns when a new value takes effect, in a word; a person gets a sentence.
fn taken(session: &Session, set: &KeySet) -> &'static str {
    if session.commands.is_none() {
        return "next_command";
    }
    // The daemon reads its files again before its next step, as a start would.
    if let Err(found) = session.files.load() {
        let why = failure(&found).message;
        session.warn(&format!(
            "the daemon goes on with what was last good until this is mended: {why}"
        ));
        return "when_mended";
    }
    if set.waits_for_start() {
        session.inform("hint: the daemon takes this key at its next start");
        return "next_start";
    }
    session.inform("the daemon takes it before its next step");
    "next_step"
}

/// Reads the files as for work that calls a model, and warns of schedules.
///
/// It warns of those that a wrong clock has judged far ahead. A journal that cannot be read gives
/// no warning; `doctor` reports why.
pub fn check(session: &Session) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let mut loaded = session.files.load()?;
    if let Ok(state) = session.state(&loaded.config) {
        let said = all_judged_ahead(&loaded.config.rules, &state, now());
        loaded
            .warnings
            .extend(said.map(ConfigProblem::rules_warning));
    }
    Ok(loaded)
}
