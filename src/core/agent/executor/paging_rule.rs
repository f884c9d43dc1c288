//! Paging by rule: what leaves RAM where the model did not see to it, and in which order. What was not used
//! for longest goes first. Moves nothing itself; that is `paging`'s.

use super::archive_list::archived_list_chars;
use super::paging::movable_of;
use super::{Executor, Refused};
use crate::core::agent::LoopState;
use crate::core::journal::Change;
use crate::core::memory::StorePath;
use crate::core::memory::directory::{PIN, is_own, member_of};
use crate::core::memory::ram::{CONTEXT, USER_DATA, USER_REQUEST, text_in};
use crate::failure::Code;
use crate::limits::{CONTEXT_UNUSED_LOOPS, PAGED_TO_PERCENT, RAM_HARD_FACTOR};
use serde_json::Value;
use std::collections::BTreeSet;

/// About how many characters the list of archived keys has beside a key and its words: ` (123 characters): `.
const ARCHIVED_HEAD_CHARS: usize = 18;

/// Something in RAM that may leave it.
struct Candidate {
    key: String,
    /// About how much of the prompt it takes.
    characters: usize,
    last_use: u64,
    /// So short that the list of archived keys would say more of it.
    is_short: bool,
    /// Of what was used at the same time members of `context` go last.
    of_context: bool,
}

impl Executor<'_> {
    /// The same by rule: as a whole or not at all, and whether it was done.
    fn archive_by_rule(&mut self, key: &str) -> bool {
        let of_context = movable_of(key).filter(|_| self.ram.get(key).is_none());
        let leaves = of_context.map_or(key, |_| CONTEXT);
        if self.guard.ram_delete(leaves).is_err() {
            return false;
        }
        if self.storage.has(StorePath::archive(key).parts()) {
            return self
                .all_or_nothing(|executor| executor.archive(key))
                .is_ok();
        }
        // The value is put down by one step, and nothing after it can fail. To keep what was there before
        // would have the whole archive copied for each key.
        self.archive(key).is_ok()
    }

    /// The daemon's own work: nothing that the run has to show.
    pub(super) fn quietly(&mut self, work: impl FnOnce(&mut Self)) {
        let (progress, has_changed) = (self.progress.clone(), self.has_changed);
        work(self);
        (self.progress, self.has_changed) = (progress, has_changed);
    }

    /// What the model's own paging did not do, what nobody used for long, and what cannot wait. The next
    /// prompt has to fit its window, whoever filled RAM.
    pub(in crate::core::agent) fn page_by_rule(&mut self) {
        self.page_out_unused();
        let is_left = self.ran_in == LoopState::Paging && self.ram.characters() > self.paged_to();
        if is_left || self.is_far_too_full() {
            self.page_out(self.paged_to());
        }
        self.list_archived();
    }

    /// Makes room for what has none because of what a person filled RAM with: what would leave it after this
    /// reply leaves it at once.
    pub(super) fn makes_room_after(&mut self, refused: &Refused) -> bool {
        let is_in_the_way = refused.refusal.code == Code::LimitExceeded && self.is_far_too_full();
        if is_in_the_way {
            self.page_out(self.paged_to());
        }
        is_in_the_way
    }

    fn is_far_too_full(&self) -> bool {
        let max = self.memory.working_memory_character_max;
        self.ram.characters() > max.saturating_mul(RAM_HARD_FACTOR)
    }

    /// Characters that RAM is paged out to.
    const fn paged_to(&self) -> usize {
        let max = self.memory.working_memory_character_max;
        max / 100 * PAGED_TO_PERCENT + max % 100 * PAGED_TO_PERCENT / 100
    }

    /// Pages out by rule what was not used for longest, until RAM has at most so many characters. What is so
    /// short that RAM gains nothing by it goes where nothing else is left.
    fn page_out(&mut self, characters: usize) {
        let room = archived_list_chars(self.memory);
        let mut candidates = self.candidates();
        candidates.sort_by(|one, other| {
            let short_order = one.is_short.cmp(&other.is_short);
            let use_order = one.last_use.cmp(&other.last_use);
            let group = one.of_context.cmp(&other.of_context);
            let size_order = other.characters.cmp(&one.characters);
            short_order.then(use_order).then(group).then(size_order)
        });
        self.quietly(|executor| {
            let mut left = executor.ram.characters();
            let mut candidates = candidates.into_iter().peekable();
            while candidates.peek().is_some() && left + room > characters {
                // By the sizes first; rendering all of RAM for each key would take its square.
                while left + room > characters
                    && let Some(candidate) = candidates.next()
                {
                    if executor.archive_by_rule(&candidate.key) {
                        left = left.saturating_sub(candidate.characters);
                    }
                }
                left = executor.ram.characters();
            }
        });
    }

    /// Pages out what nobody used for so long that it is not part of the work any more.
    fn page_out_unused(&mut self) {
        let horizon = (self.state.keys.loops + 1).saturating_sub(CONTEXT_UNUSED_LOOPS);
        if horizon == 0 {
            return;
        }
        let mut unused = self.candidates();
        unused.retain(|candidate| {
            let is_known = self.state.keys.get(&candidate.key).is_some();
            is_known && !candidate.of_context && candidate.last_use < horizon
        });
        self.quietly(|executor| {
            for candidate in unused {
                // What is refused stays, and is looked at again in the next iteration.
                executor.archive_by_rule(&candidate.key);
            }
        });
    }

    /// What may leave RAM: nothing of the program's own, nothing pinned, nothing that a person edited
    /// meanwhile, not what the person has to do, and of `context` never the request.
    fn candidates(&self) -> Vec<Candidate> {
        let written: BTreeSet<&str> = self
            .changes
            .iter()
            .filter_map(|change| {
                let Change::RamSet(set) = change.get() else {
                    return None;
                };
                Some(set.key.as_str())
            })
            .collect();
        let keys = &self.state.keys;
        let candidate = |key: String, value: &Value, of_context: bool| {
            let is_used = if of_context {
                member_of(&key).is_some_and(|name| self.is_member_new(name, value))
            } else {
                written.contains(key.as_str())
            };
            let last_use = if is_used || self.noted.contains_key(&key) {
                keys.loops + 1
            } else {
                keys.get(&key).map_or(0, |entry| entry.last_use)
            };
            let text = text_in(value).chars().count();
            Candidate {
                characters: key.chars().count() + text + 3,
                key,
                last_use,
                is_short: text <= ARCHIVED_HEAD_CHARS,
                of_context,
            }
        };
        let is_pinned = |key: &str| match self.noted.get(key) {
            Some(noted) => noted.tags.contains(PIN),
            None => keys.is_pinned(key),
        };
        let is_free = |key: &str| !is_own(key) && key != USER_DATA && !is_pinned(key);
        let may_go = |key: &str| is_free(key) && !self.guard.is_edited(key);
        let own = self.ram.entries().filter(|(key, _)| may_go(key));
        let own = own.map(|(key, value)| candidate(key.to_owned(), value, false));
        let context = self.ram.get(CONTEXT).and_then(Value::as_object);
        let members = context.into_iter().flatten().filter(|(name, _)| {
            let key = format!("{CONTEXT}.{name}");
            *name != USER_REQUEST && !is_pinned(&key) && !self.guard.is_edited(CONTEXT)
        });
        let members =
            members.map(|(name, value)| candidate(format!("{CONTEXT}.{name}"), value, true));
        own.chain(members).collect()
    }

    /// Notes which members of `context` were used: those that this reply wrote, and those that a person
    /// wrote since. `context` is one value in the journal, which says nothing of its members.
    pub(in crate::core::agent) fn note_context(&mut self) {
        let context = self.ram.get(CONTEXT).and_then(Value::as_object);
        let members = context.into_iter().flatten();
        let used = members.filter_map(|(name, value)| {
            let is_used = *name != USER_REQUEST && self.is_member_new(name, value);
            is_used.then(|| format!("{CONTEXT}.{name}"))
        });
        let used: Vec<String> = used.collect();
        for key in used {
            self.noted_of(&key);
        }
    }

    /// Whether a member of `context` is not what it was before this reply, or nothing is known of it yet.
    fn is_member_new(&self, name: &str, value: &Value) -> bool {
        let before = self.state.ram.get(CONTEXT).and_then(|it| it.get(name));
        let is_known = || self.state.keys.get(&format!("{CONTEXT}.{name}")).is_some();
        before != Some(value) || !is_known()
    }
}
