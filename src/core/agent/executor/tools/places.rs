//! Writes to places of both trees for the tools.
//! Places are checked first, so that of two faults of a call the earlier one is reported: its form,
//! its places, the new value, the present value.

use super::super::Refused;
use super::view::{self, ACTION_RESULT, SYSTEM_INFO, empty_user_data, stands};
use super::{Executor, nothing_at};
use crate::core::guard::{Refusal, check_not_kept, tree_names, tree_path};
use crate::core::journal::Change;
use crate::core::memory::ram::{CONTEXT, REQUIRED_KEYS, USER_DATA, USER_REQUEST, with_request};
use crate::core::memory::storage::{Directory, Node};
use crate::core::memory::{StorePath, Tree};
use crate::failure::Code;
use serde_json::{Value, json};

/// Puts a value in a place that [`check_target`] has checked.
pub(super) fn put(
    executor: &mut Executor<'_>,
    path: &StorePath,
    value: Value,
) -> Result<(), Refused> {
    check_writable(path)?;
    let names_at = |path: &StorePath| {
        let node = standing(executor, path)?;
        Some(node.as_directory().map_or(0, Directory::len))
    };
    tree_names(executor.context.memory, path, &value, names_at)?;
    match path.tree() {
        Tree::Storage => executor.overlay.storage_set(path, value)?,
        Tree::WorkingMemory => put_in_ram(executor, path, Some(value))?,
    }
    Ok(())
}

/// Removes the value of a place, with everything below it.
pub(super) fn remove(executor: &mut Executor<'_>, path: &StorePath) -> Result<(), Refused> {
    check_source(path)?;
    if standing(executor, path).is_none() {
        return Err(nothing_at(path));
    }
    match (path.tree(), path.parts()) {
        (Tree::Storage, _) => executor.overlay.storage_delete(path)?,
        (Tree::WorkingMemory, [key]) => executor.overlay.ram_delete(key)?,
        (Tree::WorkingMemory, _) => put_in_ram(executor, path, None)?,
    }
    Ok(())
}

/// Moves a value from one place to another, or does nothing.
pub(super) fn transfer(
    executor: &mut Executor<'_>,
    source: &StorePath,
    target: &StorePath,
    value: Value,
) -> Result<(), Refused> {
    let before = executor.overlay.changes.len();
    executor.all_or_nothing(|executor| {
        remove(executor, source)?;
        put(executor, target, value)
    })?;
    let made = executor.overlay.changes.get_mut(before..);
    // Writes go first: the directory forgets a key that is in no layer.
    made.unwrap_or_default().sort_by_key(|change| {
        matches!(
            change.get(),
            Change::RamDeleted(_) | Change::StorageDeleted(_)
        )
    });
    Ok(())
}

/// Returns the node at a place, without computed parts.
fn standing(executor: &Executor<'_>, path: &StorePath) -> Option<Node> {
    stands(executor.overlay.ram(), executor.overlay.storage(), path)
}

/// Sets the RAM key of a place, with a value put there or removed.
fn put_in_ram(
    executor: &mut Executor<'_>,
    path: &StorePath,
    value: Option<Value>,
) -> Result<(), Refusal> {
    let (key, value) = ram_with(executor, path, value)?;
    let overlay = &mut executor.overlay;
    overlay.ram_set(&key, value, executor.context.memory)
}

/// Returns the RAM key of a place, and its value after `value` is put there or removed.
fn ram_with(
    executor: &Executor<'_>,
    path: &StorePath,
    value: Option<Value>,
) -> Result<(String, Value), Refusal> {
    let ram = executor.overlay.ram();
    let blocked = || {
        let message = format!("{path} leads through a value, not a directory");
        Refusal::new(Code::PathInvalid, message)
    };
    let [key, rest @ ..] = path.parts() else {
        return Err(blocked());
    };
    let Some((name, parents)) = rest.split_last() else {
        return Ok((key.clone(), value.unwrap_or_default()));
    };
    let fresh = || match key.as_str() {
        USER_DATA => empty_user_data(),
        _ => json!({}),
    };
    let mut whole = ram.get(key).cloned().unwrap_or_else(fresh);
    let mut members = whole.as_object_mut().ok_or_else(blocked)?;
    for parent in parents {
        let inner = members.entry(parent.clone()).or_insert_with(|| json!({}));
        members = inner.as_object_mut().ok_or_else(blocked)?;
    }
    match value {
        Some(value) => drop(members.insert(name.clone(), value)),
        None => drop(members.remove(name)),
    }
    if key == CONTEXT {
        whole = with_request(whole, ram.request());
    }
    Ok((key.clone(), whole))
}

/// Checks that a place may be written, whatever the value and whatever is there now.
pub(super) fn check_target(executor: &Executor<'_>, path: &StorePath) -> Result<(), Refusal> {
    check_writable(path)?;
    let there = |place: &StorePath| standing(executor, place);
    let mut above = path.parent();
    while let Some(place) = above.filter(|place| !place.is_root()) {
        if there(&place).is_some_and(|node| node.as_directory().is_none()) {
            let message = format!("{place} is a value, not a directory");
            return Err(Refusal::new(Code::PathInvalid, message));
        }
        above = place.parent();
    }
    tree_path(executor.context.memory, path, |place| {
        there(place).is_some()
    })
}

/// Checks that a place may be removed, whether or not it exists.
pub(super) fn check_source(path: &StorePath) -> Result<(), Refusal> {
    check_writable(path)?;
    if is_required(path) {
        let message = format!("{path} always exists; it can be set, not removed or moved");
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    Ok(())
}

/// Returns whether a place is a key that always exists.
fn is_required(path: &StorePath) -> bool {
    match (path.tree(), path.parts()) {
        (Tree::WorkingMemory, [key]) => REQUIRED_KEYS.contains(&key.as_str()),
        _ => false,
    }
}

/// Refuses to write roots, computed places, the program's own keys and the person's request.
fn check_writable(path: &StorePath) -> Result<(), Refusal> {
    let refused = |message: String| Err(Refusal::new(Code::PathInvalid, message));
    if path.is_root() {
        return refused("a root is not written or removed; name a place below it".to_owned());
    }
    if view::is_computed(path) {
        return refused(format!("{ACTION_RESULT} and {SYSTEM_INFO} are only read"));
    }
    let parts = path.parts();
    if let (Tree::WorkingMemory, Some(key)) = (path.tree(), parts.first()) {
        check_not_kept(key)?;
    }
    if path.tree() == Tree::WorkingMemory
        && parts.starts_with(&[CONTEXT.into(), USER_REQUEST.into()])
    {
        return refused("the request is the person's".to_owned());
    }
    Ok(())
}
