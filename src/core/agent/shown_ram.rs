//! The part of RAM that a prompt shows.
//! A request is worked on by itself: keys that a model made for another run stay in RAM, where a
//! search finds them, but prompts leave them out. Keys of a person are always shown.

use super::WorkingMemory;
use super::executor::{archived_lines, archived_list_chars};
use crate::core::journal::State;
use crate::core::memory::MemoryPolicy;
use crate::core::memory::directory::ARCHIVED;
use crate::ids::RunId;

/// Returns the keys and texts of RAM that a prompt of a run shows.
/// They are in the order of [`crate::core::memory::Ram::rendered`]. Without a request, these are
/// all keys.
pub fn shown_ram(
    state: &State,
    working: &WorkingMemory,
    run: Option<RunId>,
    request: Option<&str>,
    memory: &MemoryPolicy,
) -> Vec<(String, String)> {
    let mut shown = working.ram.rendered();
    if request.is_none() {
        return shown;
    }
    let list = shown.iter_mut().find(|(key, _)| key == ARCHIVED);
    let keys: Vec<&str> = working.keys.archived().collect();
    let listed = keys
        .iter()
        .copied()
        .filter(|key| is_listed(working, key, run));
    let listed: Vec<&str> = listed.collect();
    if let Some((_, lines)) = list.filter(|_| listed.len() < keys.len()) {
        *lines = archived_lines(&state.storage, &listed, archived_list_chars(memory));
    }
    shown.retain(|(key, text)| match key.as_str() {
        ARCHIVED => !text.is_empty(),
        other => is_listed(working, other, run),
    });
    shown
}

/// Returns whether a key belongs to a person or to the current run.
fn is_listed(working: &WorkingMemory, key: &str, run: Option<RunId>) -> bool {
    let maker = working.keys.maker(key);
    maker.is_none() || maker == run
}
