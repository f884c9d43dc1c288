//! The working copy of an iteration: both trees, the notes, the changes and the progress.
//! Each write records the value that it replaces, so that a rollback to a savepoint needs no copy
//! of a tree.

use crate::core::agent::WorkingMemory;
use crate::core::guard::{Approved, Guard, Refusal, check_not_truncated, ram_own};
use crate::core::journal::{Change, State};
use crate::core::memory::directory::{KeyNoted, tags_in};
use crate::core::memory::ram::{PLAN, STEPS, THINK_LOG, text_of};
use crate::core::memory::storage::Node;
use crate::core::memory::{KeyDirectory, MemoryPolicy, Ram, Storage, StorePath, Tree};
use crate::core::notes::{Note, Notes};
use crate::core::review::Proposal;
use crate::core::run::{Answer, Progress, Run};
use crate::ids::{NoteId, RunId};
use serde_json::Value;
use std::collections::BTreeMap;

/// The working copy of an iteration.
#[derive(Debug)]
pub(in crate::core::agent) struct Overlay<'a> {
    before: BeforeReply<'a>,
    /// The checks, and how much of their limits is used up.
    pub(super) guard: Guard<'a>,
    ram: Ram,
    storage: Storage,
    /// Notes that this reply wrote, or `None` where it deleted one.
    notes: BTreeMap<NoteId, Option<Note>>,
    /// The changes that take effect, in order.
    pub(in crate::core::agent) changes: Vec<Approved<Change>>,
    /// The proposals that wait for a person.
    pub(in crate::core::agent) proposals: Vec<Proposal>,
    /// The tags and related keys that the reply gives to keys.
    pub(in crate::core::agent) noted: BTreeMap<String, KeyNoted>,
    /// Answers to the person's questions.
    pub(in crate::core::agent) answers: Vec<Answer>,
    /// Numbers of older results that are removed.
    pub(in crate::core::agent) results_removed: Vec<u64>,
    /// The progress of the run.
    pub(in crate::core::agent) progress: Progress,
    /// The parts that the model wrote itself.
    pub(in crate::core::agent) wrote: Wrote,
    /// Whether anything but `think_log` was changed.
    pub(super) has_changed: bool,
    /// The values that the writes replaced, in order.
    replaced: Vec<Replaced>,
}

/// What was there before the reply.
#[derive(Clone, Copy, Debug)]
struct BeforeReply<'a> {
    notes: &'a Notes,
    /// The directory of the keys in RAM.
    keys: &'a KeyDirectory,
    run_id: RunId,
}

/// The parts that the model wrote itself in this reply.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::core::agent) struct Wrote {
    /// Whether it wrote `think_log`.
    pub(in crate::core::agent) think_log: bool,
    /// Whether it wrote `steps`, by any instruction.
    pub(in crate::core::agent) steps: bool,
    /// Whether it wrote a note or finished a step in another way.
    pub(in crate::core::agent) record: bool,
}

/// A value that a write replaced; `None` if there was none.
#[derive(Debug)]
enum Replaced {
    Ram(String, Option<Value>),
    Storage(Vec<String>, Option<Node>),
    Note(NoteId, Option<Note>),
    /// A note that was not written before.
    Unwritten(NoteId),
    Noted(String, Option<KeyNoted>),
}

/// A point to which an overlay can be rolled back.
pub(super) struct Savepoint<'a> {
    guard: Guard<'a>,
    changes: usize,
    proposals: usize,
    answers: usize,
    results_removed: usize,
    progress: Progress,
    wrote: Wrote,
    has_changed: bool,
    replaced: usize,
}

impl<'a> Overlay<'a> {
    pub(super) fn new(
        base: &'a State,
        working: &'a WorkingMemory,
        run: &Run,
        guard: Guard<'a>,
    ) -> Self {
        Self {
            before: BeforeReply {
                notes: &base.notes,
                keys: &working.keys,
                run_id: run.run_id,
            },
            guard,
            ram: working.ram.clone(),
            storage: base.storage.clone(),
            notes: BTreeMap::new(),
            changes: Vec::new(),
            proposals: Vec::new(),
            noted: BTreeMap::new(),
            answers: Vec::new(),
            results_removed: Vec::new(),
            progress: run.progress.clone(),
            wrote: Wrote::default(),
            has_changed: false,
            replaced: Vec::new(),
        }
    }

    /// Returns a savepoint for [`Overlay::rollback`].
    pub(super) fn savepoint(&self) -> Savepoint<'a> {
        Savepoint {
            guard: self.guard.clone(),
            changes: self.changes.len(),
            proposals: self.proposals.len(),
            answers: self.answers.len(),
            results_removed: self.results_removed.len(),
            progress: self.progress.clone(),
            wrote: self.wrote,
            has_changed: self.has_changed,
            replaced: self.replaced.len(),
        }
    }

    /// Takes back everything since a savepoint, the use of limits included.
    pub(super) fn rollback(&mut self, savepoint: Savepoint<'a>) {
        while self.replaced.len() > savepoint.replaced
            && let Some(replaced) = self.replaced.pop()
        {
            self.put_back(replaced);
        }
        self.guard = savepoint.guard;
        self.changes.truncate(savepoint.changes);
        self.proposals.truncate(savepoint.proposals);
        self.answers.truncate(savepoint.answers);
        self.results_removed.truncate(savepoint.results_removed);
        self.progress = savepoint.progress;
        self.wrote = savepoint.wrote;
        self.has_changed = savepoint.has_changed;
    }

    fn put_back(&mut self, replaced: Replaced) {
        match replaced {
            Replaced::Ram(key, Some(value)) => self.ram.set(key, value),
            Replaced::Ram(key, None) => self.ram.delete(&key),
            Replaced::Storage(parts, Some(node)) => self.storage.set(&parts, node.to_value()),
            Replaced::Storage(parts, None) => self.storage.remove(&parts),
            Replaced::Note(id, note) => drop(self.notes.insert(id, note)),
            Replaced::Unwritten(id) => drop(self.notes.remove(&id)),
            Replaced::Noted(key, Some(noted)) => drop(self.noted.insert(key, noted)),
            Replaced::Noted(key, None) => drop(self.noted.remove(&key)),
        }
    }

    /// Returns RAM as it would be now.
    pub(in crate::core::agent) const fn ram(&self) -> &Ram {
        &self.ram
    }

    /// Returns `/storage` as it would be now.
    pub(super) const fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Sets a key of RAM.
    pub(super) fn ram_set(
        &mut self,
        key: &str,
        value: Value,
        policy: &MemoryPolicy,
    ) -> Result<(), Refusal> {
        let max = policy.working_memory_character_max;
        let change = self.guard.ram_set(&self.ram, key, value, max)?;
        self.take(change);
        Ok(())
    }

    /// Removes a key from RAM.
    pub(super) fn ram_delete(&mut self, key: &str) -> Result<(), Refusal> {
        let change = self.guard.ram_delete(key)?;
        self.take(change);
        Ok(())
    }

    /// Puts a value in a place of `/storage`.
    pub(super) fn storage_set(&mut self, path: &StorePath, value: Value) -> Result<(), Refusal> {
        let change = self.guard.storage_set(&self.storage, path, value)?;
        self.take(change);
        Ok(())
    }

    /// Removes the value of a place, with everything below it.
    pub(super) fn storage_delete(&mut self, path: &StorePath) -> Result<(), Refusal> {
        let change = self.guard.storage_delete(&self.storage, path)?;
        self.take(change);
        Ok(())
    }

    /// Applies an approved change by the model.
    /// A change that makes no difference is not recorded.
    pub(super) fn take(&mut self, change: Approved<Change>) {
        let is_change = self.apply(change.get());
        let key = match change.get() {
            Change::RamSet(set) => Some(&set.key),
            Change::RamDeleted(deleted) => Some(&deleted.key),
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => {
                self.wrote.record = true;
                None
            }
            Change::StorageSet(_) | Change::StorageDeleted(_) => None,
        };
        self.wrote.steps |= key.is_some_and(|key| key == STEPS);
        if !is_change && !self.is_made_anew(change.get()) {
            return;
        }
        match key.map(String::as_str) {
            Some(THINK_LOG) => {}
            // A plan is no change, but it keeps the run going.
            Some(PLAN | STEPS) => self.progress.note_step(),
            Some(_) | None => self.note_change(),
        }
        self.changes.push(change);
    }

    /// Applies a change that the program makes for itself and that is no progress of the run.
    pub(super) fn take_own(&mut self, change: Approved<Change>) {
        if self.apply(change.get()) {
            self.changes.push(change);
        }
    }

    /// Sets a key of RAM for the program itself.
    pub(in crate::core::agent) fn write_own(&mut self, key: &str, value: Value) {
        self.take_own(ram_own(key, value));
    }

    /// Records a change as progress of the run.
    pub(super) const fn note_change(&mut self) {
        self.has_changed = true;
        self.progress.note_change();
    }

    /// Returns whether a change sets a key that another run made, which this run then takes over.
    fn is_made_anew(&self, change: &Change) -> bool {
        let Change::RamSet(set) = change else {
            return false;
        };
        let maker = self.before.keys.maker(&set.key);
        maker.is_some_and(|maker| maker != self.before.run_id)
    }

    /// Applies a change, and returns whether it makes a difference.
    fn apply(&mut self, change: &Change) -> bool {
        let replaced = match change {
            Change::RamSet(set) if self.ram.get(&set.key) == Some(&set.value) => return false,
            Change::RamSet(set) => {
                let before = self.ram.get(&set.key).cloned();
                self.ram.put(&set.key, &set.value);
                Replaced::Ram(set.key.clone(), before)
            }
            Change::RamDeleted(deleted) => {
                let before = self.ram.get(&deleted.key).cloned();
                self.ram.delete(&deleted.key);
                if self.ram.get(&deleted.key) == before.as_ref() {
                    return false;
                }
                Replaced::Ram(deleted.key.clone(), before)
            }
            Change::StorageSet(set) => {
                let parts = set.path.parts();
                if self.storage.value(parts).as_ref() == Some(&set.value) {
                    return false;
                }
                let first = first_written(&self.storage, parts);
                let before = self.storage.get(first).cloned();
                self.storage.set(parts, set.value.clone());
                Replaced::Storage(first.to_vec(), before)
            }
            Change::StorageDeleted(deleted) => {
                let parts = deleted.path.parts();
                let before = self.storage.get(parts).cloned();
                self.storage.remove(parts);
                Replaced::Storage(parts.to_vec(), before)
            }
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                self.put_note(written.note.id, Some(written.note.clone()))
            }
            Change::NoteDeleted(written) => self.put_note(written.note.id, None),
        };
        self.replaced.push(replaced);
        true
    }

    fn put_note(&mut self, id: NoteId, note: Option<Note>) -> Replaced {
        let before = self.notes.insert(id, note);
        before.map_or(Replaced::Unwritten(id), |before| Replaced::Note(id, before))
    }

    /// Refuses a text that is a truncated copy of the present value of a place.
    /// `think_log` is exempt: it is always short.
    pub(super) fn check_not_truncated(
        &self,
        tree: Tree,
        parts: &[String],
        text: &str,
    ) -> Result<(), Refusal> {
        check_not_truncated(text, || match (tree, parts) {
            (Tree::Storage, _) => self.storage.value(parts).as_ref().map(text_of),
            (Tree::WorkingMemory, [key, below @ ..]) if key != THINK_LOG => {
                let mut names = below.iter();
                let value = names.try_fold(self.ram.get(key)?, |value, name| value.get(name))?;
                Some(text_of(value))
            }
            (Tree::WorkingMemory, _) => None,
        })
    }

    /// Returns the tags and relations of a key, to be changed.
    /// They begin as they are known, or with the tags in its name.
    pub(super) fn noted_of(&mut self, key: &str) -> &mut KeyNoted {
        let before = self.noted.get(key).cloned();
        self.replaced.push(Replaced::Noted(key.to_owned(), before));
        let known = self.before.keys.get(key);
        self.noted
            .entry(key.to_owned())
            .or_insert_with(|| KeyNoted {
                tags: known.map_or_else(|| tags_in(key), |it| it.tags.clone()),
                related: known.map(|it| it.related.clone()).unwrap_or_default(),
            })
    }

    /// Returns the notes that this reply wrote.
    pub(in crate::core::agent) fn written(&self) -> impl Iterator<Item = &Note> + Clone {
        self.notes.values().flatten()
    }

    /// Returns whether this reply wrote or deleted a note.
    pub(super) fn has_written(&self, id: NoteId) -> bool {
        self.notes.contains_key(&id)
    }

    /// Returns a note, as this reply has left it.
    pub(super) fn note(&self, id: NoteId) -> Option<&Note> {
        match self.notes.get(&id) {
            Some(written) => written.as_ref(),
            None => self.before.notes.get(id),
        }
    }

    /// Returns all notes, as this reply has left them.
    pub(super) fn notes(&self) -> impl Iterator<Item = &Note> + Clone {
        let stored = self.before.notes.iter();
        let untouched = stored.filter(|note| !self.has_written(note.id));
        untouched.chain(self.written())
    }

    /// Returns a note that the agent may read.
    pub(super) fn readable_note(&self, id: NoteId) -> Option<&Note> {
        self.note(id)
            .filter(|note| self.guard.reads(note.workspace_id))
    }

    /// Returns the notes that the agent may read.
    pub(super) fn readable_notes(&self) -> impl Iterator<Item = &Note> + Clone {
        self.notes()
            .filter(|note| self.guard.reads(note.workspace_id))
    }
}

/// Returns the topmost place that a write to a place creates or replaces.
fn first_written<'p>(storage: &Storage, parts: &'p [String]) -> &'p [String] {
    let ways = (1..parts.len()).filter_map(|length| parts.get(..length));
    let mut made = ways.filter(|way| storage.directory(way).is_none());
    made.next().unwrap_or(parts)
}

#[cfg(test)]
mod tests {
    use super::{Overlay, Savepoint};
    use crate::core::guard::{EditedItems, Guard, NewNote, NoteEdit, Scope};
    use crate::core::journal::State;
    use crate::core::memory::{MemoryPolicy, StorePath};
    use crate::core::run::{Answer, Run, Trigger};
    use crate::ids::{EventId, NoteId, RunId, WorkspaceId};
    use crate::time::Timestamp;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use uuid::Uuid;

    const HOME: WorkspaceId = WorkspaceId(Uuid::nil());
    const NOW: Timestamp = Timestamp::from_millis(0);
    const KEYS: [&str; 5] = ["steps", "plan", "think_log", "tea", "context"];
    const PLACES: [&str; 5] = ["a", "a/b", "a/b/c", "a/d", "e"];

    /// A write, as numbers for its sort, its place and its value.
    type Write = (u8, usize, u8);

    fn with_overlay(test: impl FnOnce(Overlay<'_>)) {
        let scope = Scope {
            workspace_id: HOME,
            can_read_workspaces: Vec::new(),
            cross_workspace_writes: false,
            allowed_note_kinds: vec!["note".to_owned()],
            max_notes_per_loop: 4,
            max_edits_per_loop: 4,
        };
        let event = EventId("e".to_owned());
        let run = Run::queued(RunId::derive(HOME, &event), event, Trigger::Manual, NOW);
        let edited = EditedItems::default();
        let mut state = State::empty();
        state.main.ram.set("tea".to_owned(), json!("green"));
        state.storage.set(&["a".to_owned()], json!({"b": {"c": 1}}));
        let guard = Guard::for_run(&scope, run.run_id, &edited);
        test(Overlay::new(&state, &state.main, &run, guard));
    }

    fn value_of(number: u8) -> Value {
        match number {
            0 => json!("green"),
            1 => json!({}),
            2 => json!({"c": 1, "f": {"g": 2}}),
            _ => json!([number]),
        }
    }

    /// Makes a write, unless the guard refuses it.
    fn write(overlay: &mut Overlay<'_>, (sort, place, value): Write) {
        let key = KEYS[place % KEYS.len()];
        let parts = PLACES[place % PLACES.len()].split('/').map(str::to_owned);
        let path = StorePath::storage(parts);
        let id = NoteId(Uuid::from_u128(place as u128));
        let title = Some(format!("Note {value}"));
        let known = overlay.note(id).cloned();
        match (sort, known) {
            (0, _) => drop(overlay.ram_set(key, value_of(value), &MemoryPolicy::sample())),
            (1, _) => drop(overlay.ram_delete(key)),
            (2, _) => drop(overlay.storage_set(&path, value_of(value))),
            (3, _) => drop(overlay.storage_delete(&path)),
            (4, _) => drop(overlay.noted_of(key).tags.insert(format!("t{value}"))),
            (5, _) => overlay.results_removed.push(u64::from(value)),
            (6, _) => overlay.answers.push(Answer {
                text: key.to_owned(),
                found: true,
                sources: Vec::new(),
            }),
            (7, Some(note)) => {
                let gone = overlay.guard.note_delete(&note, None, NOW);
                if let Ok(change) = gone {
                    overlay.take(change);
                }
            }
            (_, Some(note)) => {
                let edit = NoteEdit {
                    title,
                    ..NoteEdit::default()
                };
                let changed = overlay.guard.note_update(&note, None, edit, NOW);
                if let Ok(change) = changed {
                    overlay.take(change);
                }
            }
            (_, None) => {
                let new = NewNote {
                    workspace_id: None,
                    kind: None,
                    title,
                    keywords: Vec::new(),
                    value: key.to_owned(),
                    links: Vec::new(),
                };
                let made = overlay.guard.note_create(new, id, NOW);
                if let Ok(change) = made {
                    overlay.take(change);
                }
            }
        }
    }

    #[test]
    fn what_is_rolled_back_leaves_nothing_behind() {
        with_overlay(|mut overlay| {
            let fresh = format!("{overlay:?}");
            let savepoint = overlay.savepoint();
            for (sort, place) in (0..9).flat_map(|sort| (0..5).map(move |place| (sort, place))) {
                write(&mut overlay, (sort, place, 2));
            }
            assert!(overlay.changes.len() > 8 && overlay.has_changed);
            assert_eq!(overlay.written().count(), 4, "{overlay:?}");
            overlay.rollback(savepoint);
            assert_eq!(format!("{overlay:?}"), fresh);
        });
    }

    fn writes() -> impl Strategy<Value = Vec<Write>> {
        prop::collection::vec((0..9_u8, 0..5_usize, 0..5_u8), 0..20)
    }

    proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn savepoints_nest(first in writes(), second in writes(), third in writes()) {
                with_overlay(|mut overlay| {
                    let mut marks: Vec<(Savepoint<'_>, String)> = Vec::new();
                    for writes in [first, second, third] {
                        let shown = format!("{overlay:?}");
                        marks.push((overlay.savepoint(), shown));
                        for it in writes {
     write(&mut overlay, it);
    }
                    }
                    while let Some((savepoint, shown)) = marks.pop() {
                        overlay.rollback(savepoint);
                        assert_eq!(format!("{overlay:?}"), shown);
                    }
                });
            }
        }
}
