//! The undo of commits: each place gets its earlier content back.
//! If a place was written since, a three-way merge decides. All or nothing. Nothing is erased: an
//! undo is a new change, approved like any other, and can itself be undone.

use super::agent::{archived_lines, archived_list_chars};
use super::guard::{Approved, Guard, Refusal, note_put_back};
use super::journal::event::{RamDeleted, RamSet, StorageDeleted, StorageSet};
use super::journal::{Change, State};
use super::memory::directory::{ARCHIVED, is_kept};
use super::memory::path::ARCHIVE;
use super::memory::ram::{
    CONTEXT, PLAN, REQUIRED_KEYS, STATE, STEPS, TASK, THINK_LOG, USER_REQUEST, text_of,
};
use super::memory::{MemoryPolicy, Ram, Storage, StorePath};
use super::merge;
use super::notes::{Note, Notes};
use crate::failure::Code;
use crate::ids::NoteId;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A place that a change writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeTarget {
    Ram { key: String },
    Storage { path: StorePath },
    Note { id: NoteId },
}

impl ChangeTarget {
    /// Returns the place that a change writes.
    pub fn of(change: &Change) -> Self {
        match change {
            Change::RamSet(RamSet { key, .. }) | Change::RamDeleted(RamDeleted { key }) => {
                Self::Ram { key: key.clone() }
            }
            Change::StorageSet(StorageSet { path, .. })
            | Change::StorageDeleted(StorageDeleted { path }) => {
                Self::Storage { path: path.clone() }
            }
            Change::NoteCreated(written)
            | Change::NoteUpdated(written)
            | Change::NoteDeleted(written) => Self::Note {
                id: written.note.id,
            },
        }
    }

    /// Returns whether the other place is this one or inside it.
    fn contains(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Storage { path: one }, Self::Storage { path: other }) => one.contains(other),
            _ => self == other,
        }
    }

    /// Returns whether writing one place can change the value of the other.
    fn touches(&self, other: &Self) -> bool {
        self.contains(other) || other.contains(self)
    }
}

impl fmt::Display for ChangeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ram { key } => f.write_str(key),
            Self::Storage { path } => path.fmt(f),
            Self::Note { id } => id.fmt(f),
        }
    }
}

/// The content of a place.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetContent {
    Nothing,
    Value(Value),
    Note(Box<Note>),
}

impl TargetContent {
    fn value(value: Option<Value>) -> Self {
        value.map_or(Self::Nothing, Self::Value)
    }

    pub fn note(note: Option<&Note>) -> Self {
        note.map_or(Self::Nothing, |note| Self::Note(Box::new(note.clone())))
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Note(one), Self::Note(other)) => merge::is_same_note(one, other),
            _ => self == other,
        }
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self) -> Option<Self> {
        if ours.is_same(theirs) {
            return Some(theirs.clone());
        }
        if base.is_same(theirs) {
            return Some(ours.clone());
        }
        match (base, ours, theirs) {
            (Self::Value(base), Self::Value(ours), Self::Value(theirs)) => {
                merge::value(base, ours, theirs).map(Self::Value)
            }
            // The object that was created goes; members that were added since stay.
            (Self::Value(base), Self::Nothing, Self::Value(theirs)) if base.is_object() => {
                let nothing = Value::Object(Map::new());
                let merged = merge::value(base, &nothing, theirs)?;
                Some(Self::value(Some(merged).filter(|left| *left != nothing)))
            }
            (Self::Note(base), Self::Note(ours), Self::Note(theirs)) => {
                let merged = merge::note(base, ours, theirs)?;
                Some(Self::Note(Box::new(merged)))
            }
            _ => None,
        }
    }

    /// Returns the content of a place in these trees and notes.
    pub fn held(place: &ChangeTarget, ram: &Ram, storage: &Storage, notes: &Notes) -> Self {
        match place {
            ChangeTarget::Ram { key } => Self::value(ram.get(key).cloned()),
            ChangeTarget::Storage { path } => Self::value(storage.value(path.parts())),
            ChangeTarget::Note { id } => Self::note(notes.get(*id)),
        }
    }

    /// Returns the content as text for a person.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Value(value) => Some(text_of(value)),
            Self::Note(note) => Some(format!("{}\n\n{}", note.title, note.value)),
        }
    }
}

/// A change to be undone.
#[derive(Clone, Debug, PartialEq)]
pub struct UndoStep {
    /// Whether earlier iterations of its run are not undone.
    /// The work that the run had left then stays closed.
    pub is_of_part: bool,
    pub place: ChangeTarget,
    pub before: TargetContent,
    pub after: TargetContent,
}

/// A place that cannot be restored, because something else was written there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict {
    #[serde(flatten)]
    pub place: ChangeTarget,
    /// The content to be restored; absent for nothing.
    pub wanted: Option<String>,
    /// The present content; absent for nothing.
    pub present: Option<String>,
}

/// The result of an undo.
#[derive(Debug, Default)]
pub struct UndoPlan {
    /// The changes to commit; empty if there are conflicts.
    pub changes: Vec<Approved<Change>>,
    /// The loop's own keys that were written since: the later value stays.
    pub kept: BTreeSet<String>,
    pub conflicts: Vec<Conflict>,
}

/// Undoes changes, which are in the order of their commits.
/// `newest` has the last forms of deleted notes.
///
/// # Errors
/// The refusals of the guard, if the restored content is not allowed.
pub fn take_back(
    state: &State,
    steps: &[UndoStep],
    newest: &BTreeMap<NoteId, Note>,
    guard: &mut Guard<'_>,
    memory: &MemoryPolicy,
    now: Timestamp,
) -> Result<UndoPlan, Refusal> {
    let mut copy = WorkingCopy::of(state);
    let mut taken = UndoPlan::default();
    let steps = steps.iter().filter(|step| !is_closed(step));
    let steps: Vec<UndoStep> = steps.cloned().collect();
    if is_back(&copy, &steps) {
        return Ok(taken);
    }
    for stretch in joined_steps(&steps).iter().rev() {
        let present = copy.held(&stretch.place);
        let before = reopening_nothing(stretch);
        match TargetContent::merged(&stretch.after, &before, &present) {
            Some(merged) => copy.put(&stretch.place, merged),
            None => match &stretch.place {
                // Every run writes these keys, so a later write is no conflict.
                ChangeTarget::Ram { key } if REQUIRED_KEYS.contains(&key.as_str()) => {
                    taken.kept.insert(key.clone());
                }
                place @ (ChangeTarget::Ram { .. }
                | ChangeTarget::Storage { .. }
                | ChangeTarget::Note { .. }) => {
                    taken.conflicts.push(Conflict {
                        place: place.clone(),
                        wanted: stretch.before.text(),
                        present: present.text(),
                    });
                }
            },
        }
    }
    if taken.conflicts.is_empty() {
        copy.list_archived(archived_list_chars(memory));
        taken.changes = copy.changes(newest, guard, now)?;
    }
    Ok(taken)
}

/// Returns whether everything is as it was before the steps.
/// Then they were undone already, or had no effect.
fn is_back(copy: &WorkingCopy<'_>, steps: &[UndoStep]) -> bool {
    let mut firsts: Vec<UndoStep> = Vec::new();
    for step in steps {
        if firsts.iter().any(|first| first.place.contains(&step.place)) {
            continue;
        }
        let mut first = step.clone();
        if let (ChangeTarget::Storage { path }, TargetContent::Value(value)) =
            (&step.place, &step.before)
        {
            // Values that earlier steps wrote inside this place were not there at first.
            let mut tree = Storage::default();
            tree.set(path.parts(), value.clone());
            for inner in firsts.iter().filter(|it| step.place.contains(&it.place)) {
                put_stored(&mut tree, &inner.place, &inner.before);
            }
            first.before = TargetContent::value(tree.value(path.parts()));
        }
        firsts.push(first);
    }
    let mut firsts = firsts.iter();
    firsts.all(|first| {
        let [present, before] = [copy.held(&first.place), first.before.clone()]
            .map(|held| without_requests(&first.place, held));
        present.is_same(&before)
    })
}

fn put_stored(tree: &mut Storage, place: &ChangeTarget, held: &TargetContent) {
    let ChangeTarget::Storage { path } = place else {
        return;
    };
    match held {
        TargetContent::Value(value) => tree.set(path.parts(), value.clone()),
        TargetContent::Nothing | TargetContent::Note(_) => tree.remove(path.parts()),
    }
}

/// Joins steps on one place that no other write separates.
fn joined_steps(steps: &[UndoStep]) -> Vec<UndoStep> {
    let mut joined_steps: Vec<UndoStep> = Vec::new();
    for step in steps {
        let mut earlier = joined_steps.iter_mut().rev();
        let last = earlier.find(|known| known.place.touches(&step.place));
        match last {
            Some(last) if last.place == step.place && last.after.is_same(&step.before) => {
                last.after = step.after.clone();
            }
            Some(_) | None => joined_steps.push(step.clone()),
        }
    }
    joined_steps
}

/// The trees and notes as they would be.
struct WorkingCopy<'a> {
    state: &'a State,
    ram: Ram,
    storage: Storage,
    notes: BTreeMap<NoteId, TargetContent>,
    /// Places in `/storage` that were written, in order.
    stored: Vec<StorePath>,
    keys: BTreeSet<String>,
}

impl<'a> WorkingCopy<'a> {
    fn of(state: &'a State) -> Self {
        Self {
            state,
            ram: state.main.ram.clone(),
            storage: state.storage.clone(),
            notes: BTreeMap::new(),
            stored: Vec::new(),
            keys: BTreeSet::new(),
        }
    }

    fn held(&self, place: &ChangeTarget) -> TargetContent {
        if let ChangeTarget::Note { id } = place
            && let Some(held) = self.notes.get(id)
        {
            return held.clone();
        }
        TargetContent::held(place, &self.ram, &self.storage, &self.state.notes)
    }

    fn put(&mut self, place: &ChangeTarget, held: TargetContent) {
        match (place, held) {
            (ChangeTarget::Ram { key }, held) => {
                match held {
                    TargetContent::Value(value) => self.ram.set(key.clone(), value),
                    TargetContent::Nothing | TargetContent::Note(_) => self.ram.delete(key),
                }
                self.keys.insert(key.clone());
            }
            (ChangeTarget::Storage { path }, held) => {
                put_stored(&mut self.storage, place, &held);
                self.stored.push(path.clone());
            }
            (ChangeTarget::Note { id }, held) => drop(self.notes.insert(*id, held)),
        }
    }

    /// Updates the list of archived keys, if the archive was written.
    /// The list has room for `room` characters.
    fn list_archived(&mut self, room: usize) {
        if !self.stored.iter().any(StorePath::is_in_archive) {
            return;
        }
        let archive = self.storage.value(&[ARCHIVE.to_owned()]);
        let names = archive.as_ref().and_then(Value::as_object);
        let before: Vec<&str> = self.state.main.keys.archived().collect();
        let mut keys: Vec<&str> = names
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect();
        // Restored keys come first.
        keys.sort_by_key(|key| before.iter().position(|known| known == key));
        let list = (!keys.is_empty()).then(|| archived_lines(&self.storage, &keys, room));
        let list = TargetContent::value(list.map(Value::from));
        let key = ARCHIVED.to_owned();
        self.put(&ChangeTarget::Ram { key }, list);
    }

    /// Returns the changes that turn the state into this copy.
    fn changes(
        &self,
        newest: &BTreeMap<NoteId, Note>,
        guard: &mut Guard<'_>,
        now: Timestamp,
    ) -> Result<Vec<Approved<Change>>, Refusal> {
        let mut changes = Vec::new();
        for key in &self.keys {
            let present = self.state.main.ram.get(key);
            match self.ram.get(key) {
                wanted if wanted == present => {}
                Some(value) => {
                    let value = value.clone();
                    changes.push(guard.ram_set(&self.state.main.ram, key, value, usize::MAX)?);
                }
                None => changes.push(guard.ram_delete(key)?),
            }
        }
        let mut storage = self.state.storage.clone();
        for path in &self.stored {
            let wanted = self.storage.value(path.parts());
            if wanted == storage.value(path.parts()) {
                continue;
            }
            if let Some(value) = wanted {
                changes.push(guard.storage_set(&storage, path, value.clone())?);
                storage.set(path.parts(), value);
            } else {
                changes.push(guard.storage_delete(&storage, path)?);
                storage.remove(path.parts());
            }
        }
        for (id, held) in &self.notes {
            let present = self.state.notes.get(*id);
            match (held, present) {
                (TargetContent::Note(wanted), Some(present))
                    if merge::is_same_note(wanted, present) => {}
                (TargetContent::Note(wanted), _) => {
                    let last = present.or_else(|| newest.get(id)).ok_or_else(gone)?;
                    changes.push(note_put_back(guard, last, wanted, now)?);
                }
                (TargetContent::Nothing | TargetContent::Value(_), Some(present)) => {
                    changes.push(guard.note_delete(present, None, now)?);
                }
                (TargetContent::Nothing | TargetContent::Value(_), None) => {}
            }
        }
        Ok(changes)
    }
}

fn gone() -> Refusal {
    Refusal::new(Code::RecordNotFound, "the last form of a note is not known")
}

// Values that an undo never restores: state, requests, tasks, and the rest of a run's plan. A run
// would otherwise repeat the work that was just undone.

/// The members of `context` that open a run.
const WISHES: [&str; 2] = [USER_REQUEST, TASK];

/// The keys that hold the pending work of a run.
const OF_RUN: [&str; 3] = [PLAN, STEPS, THINK_LOG];

/// Returns whether an undo skips a change.
/// It skips keys that only the program writes, and values with which the loop would continue the
/// run.
fn is_closed(step: &UndoStep) -> bool {
    let ChangeTarget::Ram { key } = &step.place else {
        return false;
    };
    is_kept(key) || key == STATE || step.is_of_part && OF_RUN.contains(&key.as_str())
}

/// Returns the value before a change, without a request or task that the change took away.
fn reopening_nothing(step: &UndoStep) -> TargetContent {
    let (Some(before), Some(after)) = (context(step, &step.before), context(step, &step.after))
    else {
        return step.before.clone();
    };
    let mut before = before.clone();
    for name in WISHES {
        // An earlier request or task is not restored; one that is there since stays.
        let cleared = before.remove(name).is_some();
        if let Some(request) = after.get(name).filter(|_| cleared) {
            before.insert(name.to_owned(), request.clone());
        }
    }
    TargetContent::Value(Value::Object(before))
}

/// Removes requests and tasks from the value of `context`; leaves other places as they are.
fn without_requests(place: &ChangeTarget, mut held: TargetContent) -> TargetContent {
    if let TargetContent::Value(Value::Object(members)) = &mut held
        && is_context(place)
    {
        for name in WISHES {
            members.remove(name);
        }
    }
    held
}

fn context<'a>(step: &UndoStep, held: &'a TargetContent) -> Option<&'a Map<String, Value>> {
    match held {
        TargetContent::Value(Value::Object(members)) if is_context(&step.place) => Some(members),
        TargetContent::Nothing | TargetContent::Value(_) | TargetContent::Note(_) => None,
    }
}

fn is_context(place: &ChangeTarget) -> bool {
    matches!(place, ChangeTarget::Ram { key } if key == CONTEXT)
}

#[cfg(test)]
mod tests {
    use super::{ChangeTarget, TargetContent, UndoStep, is_closed, reopening_nothing};
    use serde_json::{Value, json};

    fn step(key: &str, before: Value, after: Value) -> UndoStep {
        UndoStep {
            is_of_part: false,
            place: ChangeTarget::Ram {
                key: key.to_owned(),
            },
            before: TargetContent::Value(before),
            after: TargetContent::Value(after),
        }
    }

    #[test]
    fn a_request_or_a_task_goes_and_never_comes_back() {
        for (before, after, again) in [
            (json!({"user_request": "x"}), json!({}), json!({})),
            (
                json!({"task": "x", "a": 1}),
                json!({"a": 2}),
                json!({"a": 1}),
            ),
            // Another request replaced it.
            (
                json!({"user_request": "x", "a": 1}),
                json!({"user_request": "y"}),
                json!({"user_request": "y", "a": 1}),
            ),
            // The run wrote it.
            (json!({"a": 1}), json!({"task": "x"}), json!({"a": 1})),
            (json!("odd"), json!({}), json!("odd")),
        ] {
            let of_context = step("context", before.clone(), after.clone());
            assert_eq!(reopening_nothing(&of_context), TargetContent::Value(again));
            // Under any other key they are plain text.
            let other = step("mood", before.clone(), after);
            assert_eq!(reopening_nothing(&other), TargetContent::Value(before));
        }
    }

    #[test]
    fn the_loop_stays_where_it_is_and_half_a_run_has_nothing_left_to_do() {
        for (key, of_whole, of_part) in [
            ("state", true, true),
            ("metrics", true, true),
            ("steps", false, true),
            ("plan", false, true),
            ("think_log", false, true),
            ("context", false, false),
            ("mood", false, false),
        ] {
            let whole = step(key, json!("a"), json!("b"));
            let part = UndoStep {
                is_of_part: true,
                ..whole.clone()
            };
            assert_eq!(
                (is_closed(&whole), is_closed(&part)),
                (of_whole, of_part),
                "{key}"
            );
        }
    }
}
