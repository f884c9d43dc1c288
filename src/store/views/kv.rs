//! A person's edit of the KV file: only the keys that the person changed are taken in, and only
//! all of them together. Pure: decides, and touches nothing.

use super::edits::Judgement;
use crate::core::guard::{Approved, Edited, Guard, Refusal, Scope};
use crate::core::journal::event::Change;
use crate::core::memory::Ram;
use crate::core::memory::directory::is_kept;
use crate::core::memory::ram::canonical_key;
use crate::strict_json::{self, JsonProblem};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The members of a KV file.
pub(crate) type Entries = BTreeMap<String, Value>;

/// The values, or absences, that each key had in some time.
pub(crate) type KnownValues = BTreeMap<String, Vec<Option<Value>>>;

/// What a text of the KV file is compared with.
#[derive(Debug)]
pub(crate) enum Base {
    /// What stood there before it was edited.
    Entries(Entries),
    /// Nobody knows: whatever a key held since the checkpoint is left over from then, not edited.
    Known(KnownValues),
}

/// Decides on the members of a text, which `path` names: takes in what it changes in its base, or refuses it
/// whole.
pub(crate) fn judge(
    entries: &Entries,
    base: &Base,
    ram: &Ram,
    scope: &Scope,
    path: &Path,
) -> Judgement {
    let mut differing = match base {
        Base::Entries(base) => difference(base, entries),
        Base::Known(known) => {
            let mut differing = difference(&entries_in(ram), entries);
            differing.retain(|key, value| {
                let values = known.get(key);
                !values.is_some_and(|values| values.contains(value))
            });
            differing
        }
    };
    let mut judgement = Judgement::default();
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
    let nothing = Edited::default();
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

/// The members that RAM would have in the file.
pub(crate) fn entries_in(ram: &Ram) -> Entries {
    let entries = ram.entries();
    entries
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect()
}

/// The members of a text that a person wrote, under canonical keys.
pub(crate) fn read_edited(bytes: &[u8]) -> Result<Entries, String> {
    read_entries(bytes).map(with_canonical_keys)
}

/// The members of the JSON object in a KV file that we wrote.
pub(crate) fn entries_of(bytes: &[u8]) -> Option<Entries> {
    read_entries(bytes).ok()
}

fn read_entries(bytes: &[u8]) -> Result<Entries, String> {
    match strict_json::parse_exact(bytes) {
        Ok(Value::Object(members)) => Ok(members.into_iter().collect()),
        Ok(_) => Err("it is not a JSON object".to_owned()),
        Err(problem) => Err(in_words(&problem)),
    }
}

/// The same under the keys that their spellings mean, where those are not written as well.
fn with_canonical_keys(mut entries: Entries) -> Entries {
    let is_other = |key: &String| canonical_key(key) != key;
    let others: Vec<String> = entries
        .keys()
        .filter(|key| is_other(key))
        .cloned()
        .collect();
    for spelling in others {
        let key = canonical_key(&spelling);
        if !entries.contains_key(key)
            && let Some(value) = entries.remove(&spelling)
        {
            entries.insert(key.to_owned(), value);
        }
    }
    entries
}

/// A problem in a person's JSON, with its place.
pub(crate) fn in_words(problem: &JsonProblem) -> String {
    format!(
        "line {}, column {}: {}",
        problem.line, problem.column, problem.message
    )
}

/// What `edited` changes: a new value, or `None` for a key that is gone.
fn difference(base: &Entries, edited: &Entries) -> BTreeMap<String, Option<Value>> {
    let changed = edited
        .iter()
        .filter(|(key, value)| base.get(*key) != Some(value));
    let gone = base.keys().filter(|key| !edited.contains_key(*key));
    let changed = changed.map(|(key, value)| (key.clone(), Some(value.clone())));
    changed.chain(gone.map(|key| (key.clone(), None))).collect()
}

/// What a person hears of a KV file that was missing.
pub(crate) fn was_missing(path: &str) -> String {
    format!("{path} was missing and was written again; to empty RAM, use `ram delete`")
}
