//! RAM instructions in the executor. The person's request in `context` is never the model's to change.

use super::{Done, Executor, Refused};
use crate::core::guard::{Approved, Guard};
use crate::core::journal::Change;
use crate::core::memory::directory::is_kept;
use crate::core::memory::ram::{CONTEXT, PLAN, STEPS, THINK_LOG, value_from_text, with_request};
use crate::core::memory::{Tree, kept_as_text};
use serde_json::{Value, json};

impl Executor<'_> {
    pub(super) fn ram_add(&mut self, key: &str, text: &str) -> Result<Done, Refused> {
        if is_kept(key) {
            return Ok(Done::ignored());
        }
        let adds = key == STEPS && self.wrote.steps;
        if !adds {
            self.check_not_truncated(Tree::WorkingMemory, &[key.to_owned()], text)?;
        }
        let value = match key {
            // Small models write each step in an instruction of its own.
            STEPS if adds => self.more_steps(value_from_text(key, text)),
            _ => self.typed(key, text),
        };
        let characters_max = self.memory.working_memory_character_max;
        let change = self.guard.ram_set(&self.ram, key, value, characters_max)?;
        self.wrote.think_log |= key == THINK_LOG;
        self.take_ram(key, change);
        Ok(Done::feedback(kept_as_text(key, text)))
    }

    /// The value that a text means for a key.
    pub(super) fn typed(&self, key: &str, text: &str) -> Value {
        match key {
            // What is going to be cut must not be refused for its length.
            THINK_LOG => Value::from(first_chars(text, self.memory.think_log_max_chars)),
            CONTEXT => with_request(value_from_text(key, text), self.ram.request()),
            _ => value_from_text(key, text),
        }
    }

    /// The steps that this reply has stored so far, and then those of these that are new.
    fn more_steps(&self, steps: Value) -> Value {
        let mut all = self.ram.steps().to_vec();
        if let Value::Array(mut more) = steps {
            more.retain(|step| !all.contains(step));
            all.extend(more);
        }
        Value::from(all)
    }

    pub(super) fn ram_delete(&mut self, key: &str) -> Result<Done, Refused> {
        if is_kept(key) {
            return Ok(Done::ignored());
        }
        let mut change = self.guard.ram_delete(key)?;
        if key == CONTEXT && self.ram.request().is_some() {
            let rest = with_request(json!({}), self.ram.request());
            change = Guard::ram_own(CONTEXT, rest);
        }
        self.take_ram(key, change);
        Ok(Done::default())
    }

    /// A change that the program makes for itself; it is nothing that the run has to show.
    pub(in crate::core::agent) fn write_own(&mut self, key: &str, value: Value) {
        let change = Guard::ram_own(key, value);
        if self.put(&change) {
            self.changes.push(change);
        }
    }

    pub(super) fn take_ram(&mut self, key: &str, change: Approved<Change>) {
        self.wrote.steps |= key == STEPS;
        if !self.put(&change) && !self.is_made_anew(change.get()) {
            return;
        }
        // A plan is no work done; that there is one keeps the run going.
        match key {
            THINK_LOG => {}
            PLAN | STEPS => self.progress.note_step(),
            _ => self.note_change(),
        }
        self.changes.push(change);
    }

    /// Returns whether a change says again, for this run, what was made in another one.
    fn is_made_anew(&self, change: &Change) -> bool {
        let Change::RamSet(set) = change else {
            return false;
        };
        let maker = self.state.keys.maker(&set.key);
        maker.is_some_and(|maker| maker != self.run.run_id)
    }

    /// Puts a change into RAM as it would be; tells whether that makes a difference.
    fn put(&mut self, change: &Approved<Change>) -> bool {
        match change.get() {
            Change::RamSet(set) if self.ram.get(&set.key) == Some(&set.value) => false,
            Change::RamSet(set) => {
                self.ram.set(set.key.clone(), set.value.clone());
                true
            }
            Change::RamDeleted(deleted) => {
                let before = self.ram.get(&deleted.key).cloned();
                self.ram.delete(&deleted.key);
                self.ram.get(&deleted.key) != before.as_ref()
            }
            Change::StorageSet(_)
            | Change::StorageDeleted(_)
            | Change::NoteCreated(_)
            | Change::NoteUpdated(_)
            | Change::NoteDeleted(_) => false,
        }
    }
}

/// The first `chars` characters.
pub(in crate::core::agent) fn first_chars(text: &str, chars: usize) -> &str {
    match text.char_indices().nth(chars) {
        Some((at, _)) => text.get(..at).unwrap_or_default(),
        None => text,
    }
}
