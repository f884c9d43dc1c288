//! The list of archived keys in RAM.
//! Writes nothing: the caller commits the change.

use super::first_chars;
use crate::core::guard::{Approved, ram_own, ram_own_deleted};
use crate::core::journal::{Change, State};
use crate::core::memory::directory::ARCHIVED;
use crate::core::memory::ram::text_of;
use crate::core::memory::{MemoryPolicy, Storage, StorePath};
use crate::limits::{ARCHIVED_LINE_CHARS, ARCHIVED_LIST_SHARE};
use serde_json::Value;

/// Returns the maximum length of the list of archived keys, in characters.
pub(in crate::core) const fn archived_list_chars(memory: &MemoryPolicy) -> usize {
    memory.working_memory_character_max / ARCHIVED_LIST_SHARE
}

/// Returns the change of the list when a place of `/storage` is removed.
/// `None` if the list does not change.
pub fn archive_list_without(
    state: &State,
    gone: &StorePath,
    memory: &MemoryPolicy,
) -> Option<Approved<Change>> {
    if !gone.is_in_archive() {
        return None;
    }
    let mut storage = state.storage.clone();
    storage.remove(gone.parts());
    let is_left = |key: &&str| storage.has(StorePath::archive(key).parts());
    let keys: Vec<&str> = state.main.keys.archived().filter(is_left).collect();
    if keys.is_empty() {
        let listed = state.main.ram.get(ARCHIVED);
        return listed.map(|_| ram_own_deleted(ARCHIVED));
    }
    let lines = archived_lines(&storage, &keys, archived_list_chars(memory));
    Some(ram_own(ARCHIVED, Value::from(lines)))
}

/// Returns the list of archived keys, within `room` characters.
/// Half of it holds a line for each of the first keys; then come names alone, then the number of
/// the others.
pub(in crate::core) fn archived_lines(storage: &Storage, keys: &[&str], room: usize) -> String {
    let (mut lines, mut names) = (Vec::new(), Vec::new());
    let (mut for_lines, mut for_names) = (room / 2, room - room / 2);
    for key in keys {
        let value = storage.value(StorePath::archive(key).parts());
        let line = line_of(key, &value.unwrap_or_default());
        let (in_line, in_name) = (line.chars().count() + 1, key.chars().count() + 2);
        if names.is_empty() && in_line <= for_lines {
            for_lines -= in_line;
            lines.push(line);
        } else if in_name <= for_names {
            for_names -= in_name;
            names.push(*key);
        } else {
            break;
        }
    }
    let more = keys.len() - lines.len() - names.len();
    if !names.is_empty() {
        lines.push(names.join(", "));
    }
    if more > 0 {
        lines.push(format!("and {more} more: record_search archived lists all"));
    }
    lines.join("\n")
}

/// Returns the line `key (12 characters): the first words`.
fn line_of(key: &str, value: &Value) -> String {
    let text = text_of(value);
    let head = format!("{key} ({} characters): ", text.chars().count());
    let room = ARCHIVED_LINE_CHARS.saturating_sub(head.chars().count());
    let words = text
        .split_whitespace()
        .take(room)
        .collect::<Vec<_>>()
        .join(" ");
    let line = head + first_chars(&words, room);
    line.trim_end()
        .trim_end_matches(':')
        .replace(['\n', '\r'], " ")
}
