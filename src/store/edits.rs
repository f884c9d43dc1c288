//! A person's edit of the KV file: noticed, left alone until it lies still, then either taken in
//! as one commit by the user or put beside the file with the reason, and never just overwritten.

use super::boot::own_draft;
use super::disk::{FileKind, FileStat};
use super::error::Error;
use super::scan::{self, Place};
use super::views::{Displaced, View};
use super::{Store, quarantine};
use crate::core::guard::{Approved, Edited, Guard, Refusal};
use crate::core::journal::event::{Change, EditRefused, ViewRestored};
use crate::core::journal::{Actor, ActorType, Cause, Draft, Event, Hash};
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::{EDIT_SETTLE_MS, KV_FILE_BYTES_MAX};
use crate::strict_json;
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// What looking for edits came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReport {
    /// What a person changed: these are committed now.
    pub edited: Edited,
    /// An edit is being written; look again soon.
    pub waiting: bool,
    /// What a person should hear.
    pub notices: Vec<String>,
}

/// Edits that were seen and are not judged yet.
#[derive(Debug, Default)]
pub(super) struct Watch {
    candidates: BTreeMap<View, Candidate>,
    /// Strangers' files in the notes folder, by name.
    pub(super) strangers: BTreeMap<String, Candidate>,
    /// After a stop that was not in good order: what files may hold without being edited.
    pub(super) unclean: Option<Unclean>,
    /// Whether the KV file has not been judged since such a stop.
    kv_suspect: bool,
    /// Where the slow look over the notes goes on.
    pub(super) next_note: usize,
    /// How the notes folder looked when it was last listed.
    pub(super) folder: Option<FileStat>,
    /// Whether the note files were compared with what they should hold.
    pub(super) compared: bool,
    /// The versions since the checkpoint of notes whose files are not understood after a stop that
    /// was not in good order: what a file has in common with one of these is not an edit.
    pub(super) versions: BTreeMap<NoteId, Vec<Note>>,
}

/// What is known about the time since the checkpoint.
#[derive(Debug)]
pub(super) struct Unclean {
    /// Digests of views written since then.
    pub(super) known: BTreeSet<Hash>,
    /// Where the tail begins.
    pub(super) from: Place,
}

/// A file that is not as it was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    stat: Option<FileStat>,
    since: Timestamp,
}

impl Candidate {
    /// Whether the file has lain still for long enough; starts again when it changed.
    pub(super) fn lies_still(
        slot: &mut Option<Self>,
        stat: Option<FileStat>,
        now: Timestamp,
        settle_ms: u64,
    ) -> bool {
        let settle_ms = i64::try_from(settle_ms).unwrap_or(i64::MAX);
        match slot {
            Some(candidate) if candidate.stat == stat => {
                now.millis.saturating_sub(candidate.since.millis) >= settle_ms
            }
            _ => {
                *slot = Some(Self { stat, since: now });
                // A file whose last change is long past was finished before we looked.
                let changed_ms = stat.map_or(now.millis, |stat| stat.modified_ns / 1_000_000);
                (settle_ms..=i64::MAX).contains(&now.millis.saturating_sub(changed_ms))
            }
        }
    }
}

impl Watch {
    /// What to make of files that differ, after a start.
    pub(super) fn after_start(clean: bool, known: BTreeSet<Hash>, from: Place) -> Self {
        let unclean = (!clean).then_some(Unclean { known, from });
        Self {
            unclean,
            kv_suspect: !clean,
            ..Self::default()
        }
    }

    /// Whether bytes are an old view that a power cut left behind: empty, all NUL, or known.
    pub(super) fn is_stale(&self, bytes: &[u8]) -> bool {
        let nothing = bytes.iter().all(|byte| *byte == 0);
        let known = |unclean: &Unclean| unclean.known.contains(&Hash::of(bytes));
        self.unclean
            .as_ref()
            .is_some_and(|unclean| nothing || known(unclean))
    }
}

impl Store {
    /// Takes in what a person changed in the KV file and in note files. Also writes what is owed,
    /// so that nothing is looked at before it is in place.
    pub fn take_edits(&mut self, now: Timestamp) -> Result<EditReport, Error> {
        self.settle()?;
        let mut report = EditReport::default();
        for displaced in std::mem::take(&mut self.views.displaced) {
            self.take_displaced(&displaced, now, &mut report)?;
        }
        self.look_at_kv(now, &mut report)?;
        if self.edits.compared {
            self.look_at_notes(now, &mut report)?;
        }
        Ok(report)
    }

    fn take_displaced(
        &mut self,
        displaced: &Displaced,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        match displaced.view {
            View::Kv => {
                let base = strict_json::parse(&displaced.base)
                    .ok()
                    .and_then(entries_of);
                let base = base.unwrap_or_else(|| self.ram_entries());
                self.judge_kv(&displaced.bytes, &base, now, report)
            }
            View::Note(id) => self.judge_note(id, &displaced.bytes, now, report),
        }
    }

    fn look_at_kv(&mut self, now: Timestamp, report: &mut EditReport) -> Result<(), Error> {
        let path = self.views.kv_path.clone();
        let failed = |error| Error::file("look at", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        if self.views.is_ours(View::Kv, stat.as_ref()) {
            self.edits.candidates.remove(&View::Kv);
            self.edits.kv_suspect = false;
            return Ok(());
        }
        if !self.is_settled(View::Kv, stat, now) {
            report.waiting = true;
            return Ok(());
        }
        let Some(stat) = stat.filter(|stat| stat.kind == FileKind::File) else {
            return self.restore_kv(stat.is_some(), now, report);
        };
        match self.disk.read(&path, KV_FILE_BYTES_MAX) {
            Ok(bytes) if bytes == self.views.kv_bytes => {
                self.views.stats.insert(View::Kv, stat);
                Ok(())
            }
            Ok(bytes) => {
                let base = self.ram_entries();
                // From here on the file as it stands is what the next exchange brings out.
                self.views.stats.insert(View::Kv, stat);
                self.judge_kv(&bytes, &base, now, report)
            }
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let reason = format!("it is larger than {KV_FILE_BYTES_MAX} bytes");
                self.views.stats.insert(View::Kv, stat);
                self.refuse_kv(None, &reason, now, report)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Whether a changed view has lain still for long enough.
    pub(super) fn is_settled(
        &mut self,
        view: View,
        stat: Option<FileStat>,
        now: Timestamp,
    ) -> bool {
        let mut slot = self.edits.candidates.remove(&view);
        let settled = Candidate::lies_still(&mut slot, stat, now, EDIT_SETTLE_MS);
        if !settled && let Some(candidate) = slot {
            self.edits.candidates.insert(view, candidate);
        }
        settled
    }

    /// A missing file is not a reset: it is written again. So is one that something stands in
    /// place of, once that is out of the way.
    fn restore_kv(
        &mut self,
        in_the_way: bool,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let path = self.views.kv_path.display().to_string();
        if in_the_way {
            report
                .notices
                .push(format!("{path} is not a regular file; move it away"));
            return Ok(());
        }
        self.views.stats.remove(&View::Kv);
        self.put_view(View::Kv, Some(self.state.ram.to_file()))?;
        report.notices.push(format!(
            "{path} was missing and was written again; to empty RAM, use `ram delete`"
        ));
        let reason = "it was missing".to_owned();
        let restored = ViewRestored {
            path,
            reason,
            kept_as: None,
        };
        self.commit(own_draft("edit", vec![Event::ViewRestored(restored)], now))?;
        Ok(())
    }

    fn judge_kv(
        &mut self,
        bytes: &[u8],
        base: &BTreeMap<String, Value>,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let parsed = strict_json::parse(bytes).map_err(|problem| {
            format!(
                "line {}, column {}: {}",
                problem.line, problem.column, problem.message
            )
        });
        let entries = parsed.and_then(|value| {
            entries_of(value).ok_or_else(|| "it is not a JSON object".to_owned())
        });
        let entries = match entries {
            Ok(entries) => entries,
            Err(reason) => return self.refuse_kv(Some(bytes), &reason, now, report),
        };
        let mut differing = difference(base, &entries);
        let suspect = std::mem::take(&mut self.edits.kv_suspect);
        if let Some(from) = self
            .edits
            .unclean
            .as_ref()
            .filter(|_| suspect)
            .map(|unclean| unclean.from)
        {
            let known = self.values_since(from)?;
            differing.retain(|key, value| {
                let value = value.as_ref().map(Value::to_string);
                !known.get(key).is_some_and(|values| values.contains(&value))
            });
        }
        match self.approve_kv(&differing) {
            Ok(changes) if changes.is_empty() => {
                self.put_view(View::Kv, Some(self.state.ram.to_file()))
            }
            Ok(changes) => {
                report.notices.push(format!(
                    "taken in from {}: {}",
                    self.views.kv_path.display(),
                    {
                        let keys: Vec<&str> = differing.keys().map(String::as_str).collect();
                        keys.join(", ")
                    }
                ));
                report.edited.ram_keys.extend(differing.into_keys());
                self.commit(user_draft(changes, now))?;
                // Also when nothing but the form differs: the file is ours again.
                self.put_view(View::Kv, Some(self.state.ram.to_file()))
            }
            Err(refusal) => self.refuse_kv(Some(bytes), &refusal.message, now, report),
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

    /// Keeps the broken text beside the file and writes the good state back.
    fn refuse_kv(
        &mut self,
        bytes: Option<&[u8]>,
        reason: &str,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let path = self.views.kv_path.clone();
        let failed = |error| Error::file("keep", &path, error);
        let kept = if let Some(bytes) = bytes {
            quarantine::keep_beside(self.disk.as_mut(), &path, bytes, now)?
        } else {
            // Too large to be read: it is moved, not copied.
            let kept = path.with_extension(format!("json.broken-{}", quarantine::stamp(now)));
            self.disk.rename_new(&path, &kept).map_err(failed)?;
            self.views.stats.remove(&View::Kv);
            kept
        };
        self.put_view(View::Kv, Some(self.state.ram.to_file()))?;
        let refused = EditRefused {
            path: path.display().to_string(),
            kept_as: kept.display().to_string(),
            reason: reason.to_owned(),
        };
        report.notices.push(format!(
            "the edit of {} could not be taken in ({reason}); it is kept as {}",
            refused.path, refused.kept_as
        ));
        self.commit(own_draft("edit", vec![Event::EditRefused(refused)], now))?;
        Ok(())
    }

    fn ram_entries(&self) -> BTreeMap<String, Value> {
        self.state
            .ram
            .entries()
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect()
    }

    /// For each key, every value (or absence) that it had since the checkpoint.
    fn values_since(
        &mut self,
        from: Place,
    ) -> Result<BTreeMap<String, BTreeSet<Option<String>>>, Error> {
        let mut known: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
        let mut remember = |ram: &Ram| {
            for (key, value) in ram.entries() {
                known
                    .entry(key.to_owned())
                    .or_default()
                    .insert(Some(value.to_string()));
            }
        };
        let mut state = match super::checkpoint::read(self.disk.as_mut())? {
            Ok(Some(mut checkpoint)) => checkpoint.state(),
            Ok(None) | Err(_) => crate::core::journal::State::empty(),
        };
        remember(&state.ram);
        let mut absent: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
        scan::scan(self.disk.as_mut(), from, &mut |commit, _| {
            for event in &commit.draft.events {
                if let Event::Change(change) = event
                    && let Change::RamSet(set) = change.get()
                    && state.ram.get(&set.key).is_none()
                {
                    absent.entry(set.key.clone()).or_default().insert(None);
                }
            }
            state.apply_commit(commit);
            remember(&state.ram);
        })?;
        for (key, values) in absent {
            known.entry(key).or_default().extend(values);
        }
        Ok(known)
    }
}

/// A commit by the person.
pub(super) fn user_draft(changes: Vec<Approved<Change>>, now: Timestamp) -> Draft {
    Draft {
        ts: now,
        actor: Actor {
            actor_type: ActorType::User,
        },
        cause: Cause::plain("edit"),
        events: changes.into_iter().map(Event::Change).collect(),
    }
}

/// The members of a JSON object.
fn entries_of(value: Value) -> Option<BTreeMap<String, Value>> {
    let Value::Object(members) = value else {
        return None;
    };
    Some(members.into_iter().collect())
}

/// What `edited` changes: a new value, or `None` for a key that is gone.
fn difference(
    base: &BTreeMap<String, Value>,
    edited: &BTreeMap<String, Value>,
) -> BTreeMap<String, Option<Value>> {
    let changed = edited
        .iter()
        .filter(|(key, value)| base.get(*key) != Some(value));
    let gone = base.keys().filter(|key| !edited.contains_key(*key));
    let changed = changed.map(|(key, value)| (key.clone(), Some(value.clone())));
    changed.chain(gone.map(|key| (key.clone(), None))).collect()
}
