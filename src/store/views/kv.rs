//! A person's edit of the KV file.
//! Only the keys that the person changed are taken in, and only all of them together. Pure:
//! decides, and touches nothing.

use super::edits::EditDecision;
use crate::core::guard::{Approved, EditedItems, Guard, Refusal, Scope};
use crate::core::journal::event::Change;
use crate::core::memory::Ram;
use crate::core::memory::directory::is_kept;
use crate::core::memory::ram::canonical_key;
use crate::strict_json::{self, JsonProblem};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The members of a KV file.
pub(crate) type Entries = BTreeMap<String, Value>;

/// The values, or absences, that each key had in some period.
pub(crate) type KnownValues = BTreeMap<String, Vec<Option<Value>>>;

/// The content that an edited KV file is compared with.
#[derive(Debug)]
pub(crate) enum KvBase {
    /// The content before the edit.
    Entries(Entries),
    /// The values since the checkpoint, if the content before is unknown.
    /// A value that a key had since then is a leftover, not an edit.
    Known(KnownValues),
}

/// Judges the members of an edited KV file: takes in all its changes to the base, or none.
/// Changes of keys that only the program writes are refused separately. `path` is for the message.
pub(crate) fn judge(
    entries: &Entries,
    base: &KvBase,
    ram: &Ram,
    scope: &Scope,
    path: &Path,
) -> EditDecision {
    let mut differing = match base {
        KvBase::Entries(base) => difference(base, entries),
        KvBase::Known(known) => {
            let mut differing = difference(&entries_in(ram), entries);
            differing.retain(|key, value| {
                let values = known.get(key);
                !values.is_some_and(|values| values.contains(value))
            });
            differing
        }
    };
    let mut judgement = EditDecision::default();
    let kept = differing.extract_if(.., |key, _| is_kept(key));
    if let Some((key, _)) = kept.last() {
        judgement.refusals.push(format!(
            "`{key}` is written by the program alone; the rest was looked at"
        ));
    }
    if differing.is_empty() {
        return judgement;
    }
    match approve(&differing, ram, scope) {
        Ok(changes) => {
            let keys: Vec<&str> = differing.keys().map(String::as_str).collect();
            judgement.message = format!("taken in from {}: {}", path.display(), keys.join(", "));
            judgement.edited.ram_keys = differing.into_keys().collect();
            judgement.changes = changes;
        }
        Err(refusal) => judgement.refusals.push(refusal.message),
    }
    judgement
}

fn approve(
    differing: &BTreeMap<String, Option<Value>>,
    ram: &Ram,
    scope: &Scope,
) -> Result<Vec<Approved<Change>>, Refusal> {
    let nothing = EditedItems::default();
    let guard = Guard::for_user(scope, &nothing);
    let mut ram = ram.clone();
    let mut changes = Vec::with_capacity(differing.len());
    for (key, value) in differing {
        changes.push(match value {
            Some(value) => {
                let change = guard.ram_set(&ram, key, value.clone(), usize::MAX)?;
                ram.set(key.clone(), value.clone());
                change
            }
            None => guard.ram_delete(key)?,
        });
    }
    Ok(changes)
}

/// Returns the members of the file for RAM.
pub(crate) fn entries_in(ram: &Ram) -> Entries {
    let entries = ram.entries();
    entries
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect()
}

/// Parses the members of a KV file.
pub(crate) fn read_entries(bytes: &[u8]) -> Result<Entries, String> {
    let members = object_of(strict_json::parse_exact(bytes))?;
    Ok(members.into_iter().collect())
}

/// Parses the members of an edited KV file, under canonical keys.
/// Another spelling stays if the canonical key exists as well.
pub(crate) fn read_edited(bytes: &[u8]) -> Result<Entries, String> {
    let mut entries = read_entries(bytes)?;
    let others = entries.extract_if(.., |key, _| canonical_key(key) != key);
    for (spelling, value) in others.collect::<Vec<_>>() {
        let key = canonical_key(&spelling);
        if entries.contains_key(key) {
            entries.insert(spelling, value);
        } else {
            entries.insert(key.to_owned(), value);
        }
    }
    Ok(entries)
}

/// Returns the members of a person's JSON object. The error is the reason in words.
pub(crate) fn object_of(parsed: Result<Value, JsonProblem>) -> Result<Map<String, Value>, String> {
    match parsed {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err("it is not a JSON object".to_owned()),
        Err(problem) => Err(format!(
            "line {}, column {}: {}",
            problem.line, problem.column, problem.message
        )),
    }
}

/// Returns the changes in `edited`: a new value, or `None` for a removed key.
fn difference(base: &Entries, edited: &Entries) -> BTreeMap<String, Option<Value>> {
    let changed = edited
        .iter()
        .filter(|(key, value)| base.get(*key) != Some(value));
    let gone = base.keys().filter(|key| !edited.contains_key(*key));
    let changed = changed.map(|(key, value)| (key.clone(), Some(value.clone())));
    changed.chain(gone.map(|key| (key.clone(), None))).collect()
}

/// Returns the message about a missing KV file.
pub(crate) fn was_missing(path: &str) -> String {
    format!("{path} was missing and was written again; to empty RAM, use `ram delete`")
}
