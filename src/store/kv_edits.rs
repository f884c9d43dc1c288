//! A person's edit of the KV file: only the keys that the person changed are taken in, and only
//! all of them together.

use super::Store;
use super::disk::Disk as _;
use super::edits::{own_draft, user_draft};
use super::error::Error;
use super::quarantine::{self, Found};
use super::views::View;
use crate::core::guard::{Approved, Edited, Guard, Refusal};
use crate::core::journal::event::{Change, ViewRestored};
use crate::core::journal::{Cause, Event};
use crate::core::memory::directory::is_kept;
use crate::core::memory::ram::canonical_key;
use crate::strict_json::{self, JsonProblem};
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

/// The members of a KV file.
pub(super) type Entries = BTreeMap<String, Value>;

impl Store {
    /// Compares the KV file with what it should hold.
    pub(super) fn look_at_kv(&mut self, now: Timestamp) -> Result<(), Error> {
        let path = self.views.kv_path.clone();
        let failed = |error| Error::file("look at", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        if self.views.is_ours(View::Kv, stat.as_ref()) {
            self.edits.forget(View::Kv);
            return Ok(());
        }
        if !self.edits.is_settled(View::Kv, stat, now) {
            return Ok(());
        }
        let bytes_max = self.bytes_max(View::Kv);
        let bytes = match quarantine::find(self.disk.as_mut(), &path, bytes_max)? {
            Found::Nothing => return self.restore_kv(now),
            Found::Odd(reason) => {
                self.set_odd_aside(&path, &path, &reason, now)?;
                self.views.stats.remove(&View::Kv);
                self.put_again(View::Kv)?;
                self.edits.forget(View::Kv);
                return Ok(());
            }
            Found::Bytes(bytes) => bytes,
        };
        let suspect = self.edits.kv_suspect;
        let good = self.state.ram.to_file();
        let unfinished = self.edits.is_stale(&bytes) || good.starts_with(&bytes);
        let judged = bytes != self.views.kv_bytes && !(suspect && unfinished);
        // From here on the file as it stands is what the next exchange brings out.
        self.views.remember(View::Kv, stat);
        let was = std::mem::replace(&mut self.views.kv_bytes, bytes.clone());
        if judged {
            let base = (!suspect).then(|| self.ram_entries());
            if let Err(error) = self.judge_kv(&bytes, base.as_ref(), now) {
                self.views.kv_bytes = was;
                self.views.stats.remove(&View::Kv);
                return Err(error);
            }
        }
        // It is rewritten also when nothing but its form differs.
        if self.views.kv_bytes == bytes && bytes != self.state.ram.to_file() {
            self.put_again(View::Kv)?;
        }
        self.edits.forget(View::Kv);
        Ok(())
    }

    /// Says that a file was missing, before it is written again: one that is there again is not missed
    /// any more.
    pub(super) fn say_missing(
        &mut self,
        view: View,
        message: String,
        now: Timestamp,
    ) -> Result<(), Error> {
        let path = self.views.path(view).display().to_string();
        let restored = Event::ViewRestored(ViewRestored::missing(path));
        self.commit(own_draft(Cause::plain("edit"), vec![restored], now))?;
        self.edits.report.notices.push(message);
        self.views.stats.remove(&view);
        Ok(())
    }

    /// A missing file is not a reset: it is written again.
    fn restore_kv(&mut self, now: Timestamp) -> Result<(), Error> {
        let message = kv_was_missing(&self.views.kv_path.display().to_string());
        self.say_missing(View::Kv, message, now)?;
        self.edits.forget(View::Kv);
        self.put_again(View::Kv)?;
        Ok(())
    }

    /// Takes in what a text changes in `base`, or refuses it whole. Without a base, whatever a key
    /// held since the checkpoint is left over from then, not edited.
    pub(super) fn judge_kv(
        &mut self,
        bytes: &[u8],
        base: Option<&Entries>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let path = self.views.kv_path.clone();
        let entries = match read_entries(bytes) {
            Ok(entries) => with_canonical_keys(entries),
            Err(reason) => return self.refuse_edit(&path, bytes, &reason, now),
        };
        let mut differing = if let Some(base) = base {
            difference(base, &entries)
        } else {
            let known = self.values_since()?;
            let mut differing = difference(&self.ram_entries(), &entries);
            differing.retain(|key, value| {
                let values = known.get(key);
                !values.is_some_and(|values| values.contains(value))
            });
            differing
        };
        let kept = differing.extract_if(.., |key, _| is_kept(key));
        if let Some((key, _)) = kept.last() {
            let reason = format!("`{key}` is written by the program alone; the rest was looked at");
            self.refuse_edit(&path, bytes, &reason, now)?;
        }
        if differing.is_empty() {
            return Ok(());
        }
        match self.approve_kv(&differing) {
            Ok(changes) => {
                self.commit(user_draft(changes, now))?;
                let keys: Vec<&str> = differing.keys().map(String::as_str).collect();
                let message = format!("taken in from {}: {}", path.display(), keys.join(", "));
                self.edits.report.taken.push(message);
                self.edits
                    .report
                    .edited
                    .ram_keys
                    .extend(differing.into_keys());
                Ok(())
            }
            Err(refusal) => self.refuse_edit(&path, bytes, &refusal.message, now),
        }
    }

    fn approve_kv(
        &self,
        differing: &BTreeMap<String, Option<Value>>,
    ) -> Result<Vec<Approved<Change>>, Refusal> {
        let nothing = Edited::default();
        let guard = Guard::for_user(&self.options.scope, &nothing);
        let mut ram = self.state.ram.clone();
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

    fn ram_entries(&self) -> Entries {
        self.state
            .ram
            .entries()
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect()
    }
}

/// The members of the JSON object in a KV file that we wrote.
pub(super) fn entries_of(bytes: &[u8]) -> Option<Entries> {
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
pub(super) fn in_words(problem: &JsonProblem) -> String {
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
pub(super) fn kv_was_missing(path: &str) -> String {
    format!("{path} was missing and was written again; to empty RAM, use `ram delete`")
}
