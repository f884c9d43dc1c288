//! Paging by rule: which keys leave RAM without the model, and in which order.
//! The least recently used go first. `paging` moves them.

use super::archive_list::archived_list_chars;
use super::paging::{archive_key, list_archived};
use super::{Executor, Refused};
use crate::core::agent::LoopState;
use crate::core::journal::Change;
use crate::core::memory::directory::{PIN, is_own, member_of};
use crate::core::memory::ram::{CONTEXT, USER_DATA, USER_REQUEST, text_in};
use crate::failure::Code;
use crate::limits::{CONTEXT_UNUSED_LOOPS, PAGED_TO_PERCENT, RAM_HARD_FACTOR};
use serde_json::Value;
use std::collections::BTreeSet;

/// The approximate length of ` (123 characters): ` in the list of archived keys, in characters.
const ARCHIVED_HEAD_CHARS: usize = 18;

/// A key of RAM that may leave it.
struct Candidate {
    key: String,
    /// Its approximate length in the prompt, in characters.
    characters: usize,
    last_use: u64,
    /// Whether it is so short that its line in the list of archived keys would be longer.
    is_short: bool,
    /// Whether it is a member of `context`.
    /// Members go last among keys of equal use.
    of_context: bool,
}

/// Archives a key if the guard allows it, and returns whether it did.
/// That is no progress of the run.
fn archive_by_rule(executor: &mut Executor<'_>, key: &str) -> bool {
    let (progress, has_changed) = (
        executor.overlay.progress.clone(),
        executor.overlay.has_changed,
    );
    let archived = executor.all_or_nothing(|executor| archive_key(executor, key));
    (executor.overlay.progress, executor.overlay.has_changed) = (progress, has_changed);
    archived.is_ok()
}

/// Pages out unused keys, and more if the model's paging left too much or RAM is far too full.
/// The next prompt must fit its window, whoever filled RAM.
/// Private RAM has no archive, and ends with its run.
pub(in crate::core::agent) fn page_by_rule(executor: &mut Executor<'_>) {
    if executor.context.run.has_private_ram() {
        return;
    }
    page_out_unused(executor);
    let is_left = executor.context.ran_in == LoopState::Paging
        && executor.overlay.ram().characters() > paged_to(executor);
    if is_left || is_far_too_full(executor) {
        page_out(executor, paged_to(executor));
    }
    list_archived(executor);
}

/// Pages out at once if an instruction was refused because RAM is far too full.
/// Returns whether it did.
pub(super) fn makes_room_after(executor: &mut Executor<'_>, refused: &Refused) -> bool {
    let is_private = executor.context.run.has_private_ram();
    let is_in_the_way =
        !is_private && refused.refusal.code == Code::LimitExceeded && is_far_too_full(executor);
    if is_in_the_way {
        page_out(executor, paged_to(executor));
    }
    is_in_the_way
}

fn is_far_too_full(executor: &Executor<'_>) -> bool {
    let max = executor.context.memory.working_memory_character_max;
    executor.overlay.ram().characters() > max.saturating_mul(RAM_HARD_FACTOR)
}

/// Returns the number of characters to which RAM is paged out.
const fn paged_to(executor: &Executor<'_>) -> usize {
    let max = executor.context.memory.working_memory_character_max;
    max / 100 * PAGED_TO_PERCENT + max % 100 * PAGED_TO_PERCENT / 100
}

/// Pages out the least recently used keys, until RAM has at most `characters` characters.
/// Keys that are too short to make room go last.
fn page_out(executor: &mut Executor<'_>, characters: usize) {
    let room = archived_list_chars(executor.context.memory);
    let mut candidates = candidates(executor);
    candidates.sort_by(|one, other| {
        let short_order = one.is_short.cmp(&other.is_short);
        let use_order = one.last_use.cmp(&other.last_use);
        let group = one.of_context.cmp(&other.of_context);
        let size_order = other.characters.cmp(&one.characters);
        short_order.then(use_order).then(group).then(size_order)
    });
    let mut left = executor.overlay.ram().characters();
    let mut candidates = candidates.into_iter().peekable();
    while candidates.peek().is_some() && left + room > characters {
        // Sizes are subtracted first: rendering RAM for each key would take quadratic time.
        while left + room > characters
            && let Some(candidate) = candidates.next()
        {
            if archive_by_rule(executor, &candidate.key) {
                left = left.saturating_sub(candidate.characters);
            }
        }
        left = executor.overlay.ram().characters();
    }
}

/// Pages out keys that were not used for [`CONTEXT_UNUSED_LOOPS`] loops.
fn page_out_unused(executor: &mut Executor<'_>) {
    let horizon = (executor.context.working.keys.loops + 1).saturating_sub(CONTEXT_UNUSED_LOOPS);
    if horizon == 0 {
        return;
    }
    let mut unused = candidates(executor);
    unused.retain(|candidate| {
        let is_known = executor.context.working.keys.get(&candidate.key).is_some();
        is_known && !candidate.of_context && candidate.last_use < horizon
    });
    for candidate in unused {
        // A refused key stays, and is tried again in the next iteration.
        archive_by_rule(executor, &candidate.key);
    }
}

/// Returns the keys that may leave RAM.
/// Excluded are the program's own and pinned keys, those that a person edited meanwhile,
/// `user_data` and the request.
fn candidates(executor: &Executor<'_>) -> Vec<Candidate> {
    let written: BTreeSet<&str> = executor
        .overlay
        .changes
        .iter()
        .filter_map(|change| {
            let Change::RamSet(set) = change.get() else {
                return None;
            };
            Some(set.key.as_str())
        })
        .collect();
    let keys = &executor.context.working.keys;
    let candidate = |key: String, value: &Value, of_context: bool| {
        let is_used = if of_context {
            member_of(&key).is_some_and(|name| is_member_new(executor, name, value))
        } else {
            written.contains(key.as_str())
        };
        let last_use = if is_used || executor.overlay.noted.contains_key(&key) {
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
    let is_pinned = |key: &str| match executor.overlay.noted.get(key) {
        Some(noted) => noted.tags.contains(PIN),
        None => keys.is_pinned(key),
    };
    let is_free = |key: &str| !is_own(key) && key != USER_DATA && !is_pinned(key);
    let may_go = |key: &str| is_free(key) && !executor.overlay.guard.is_edited(key);
    let own = executor
        .overlay
        .ram()
        .entries()
        .filter(|(key, _)| may_go(key));
    let own = own.map(|(key, value)| candidate(key.to_owned(), value, false));
    let context = executor.overlay.ram().context();
    let members = context.into_iter().flatten().filter(|(name, _)| {
        let key = format!("{CONTEXT}.{name}");
        *name != USER_REQUEST && !is_pinned(&key) && !executor.overlay.guard.is_edited(CONTEXT)
    });
    let members = members.map(|(name, value)| candidate(format!("{CONTEXT}.{name}"), value, true));
    own.chain(members).collect()
}

/// Records which members of `context` this reply or a person has written.
/// The journal holds `context` as one value, without its members.
pub(in crate::core::agent) fn note_context(executor: &mut Executor<'_>) {
    let context = executor.overlay.ram().context();
    let members = context.into_iter().flatten();
    let used = members.filter_map(|(name, value)| {
        let is_used = *name != USER_REQUEST && is_member_new(executor, name, value);
        is_used.then(|| format!("{CONTEXT}.{name}"))
    });
    let used: Vec<String> = used.collect();
    for key in used {
        executor.overlay.noted_of(&key);
    }
}

/// Returns whether a member of `context` changed in this reply, or is not known yet.
fn is_member_new(executor: &Executor<'_>, name: &str, value: &Value) -> bool {
    let before = executor
        .context
        .working
        .ram
        .get(CONTEXT)
        .and_then(|it| it.get(name));
    let keys = &executor.context.working.keys;
    let is_known = || keys.get(&format!("{CONTEXT}.{name}")).is_some();
    before != Some(value) || !is_known()
}
