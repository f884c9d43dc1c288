//! The limits of names in the trees of the tools: words in a name, names in a directory.

use super::Refusal;
use crate::core::memory::{MemoryPolicy, StorePath};
use crate::failure::Code;
use serde_json::Value;

/// Checks the new names on the path to a place.
///
/// # Errors
/// `LIMIT_EXCEEDED` with the limit that is exceeded.
pub(in crate::core) fn tree_path(
    policy: &MemoryPolicy,
    path: &StorePath,
    is_there: impl Fn(&StorePath) -> bool,
) -> Result<(), Refusal> {
    let mut place = Some(path.clone());
    while let Some(here) = place.filter(|here| !is_there(here)) {
        if let Some(name) = here.name() {
            check_name(policy, name)?;
        }
        place = here.parent();
    }
    Ok(())
}

/// Checks the names that a value at a place adds: the new ones on its path, and those inside it.
/// `names_at` returns the number of names at a place, or `None` if nothing is there. The roots hold
/// any number.
///
/// # Errors
/// `LIMIT_EXCEEDED` with the limit that is exceeded.
pub(in crate::core) fn tree_names(
    policy: &MemoryPolicy,
    path: &StorePath,
    value: &Value,
    names_at: impl Fn(&StorePath) -> Option<usize>,
) -> Result<(), Refusal> {
    tree_path(policy, path, |place| names_at(place).is_some())?;
    let mut place = path.clone();
    while names_at(&place).is_none()
        && let Some(parent) = place.parent()
    {
        if !parent.is_root()
            && let Some(names) = names_at(&parent)
        {
            check_count(policy, names + 1)?;
        }
        place = parent;
    }
    check_value(policy, value)
}

fn check_value(policy: &MemoryPolicy, value: &Value) -> Result<(), Refusal> {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(members) => {
                check_count(policy, members.len())?;
                for (name, member) in members {
                    check_name(policy, name)?;
                    rest.push(member);
                }
            }
            Value::Array(items) => rest.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    Ok(())
}

fn check_count(policy: &MemoryPolicy, count: usize) -> Result<(), Refusal> {
    let max = policy.children_max;
    if count > max {
        let message = format!("a directory holds at most {max} names; use another one below it");
        return Err(Refusal::new(Code::LimitExceeded, message));
    }
    Ok(())
}

fn check_name(policy: &MemoryPolicy, name: &str) -> Result<(), Refusal> {
    let max = policy.key_token_max;
    if words_in(name) > max {
        let message = format!("a name has at most {max} words; shorten the longest one");
        return Err(Refusal::new(Code::LimitExceeded, message));
    }
    Ok(())
}

/// Returns the number of words in a name.
/// A word ends at `_`, `-`, `.`, a blank, and before a capital that follows a small letter or a
/// digit.
fn words_in(name: &str) -> usize {
    let mut words = 0;
    let mut before = None;
    for character in name.chars() {
        let is_letter = |c: char| !matches!(c, '_' | '-' | '.') && !c.is_whitespace();
        let continues = before
            .filter(|c| is_letter(*c))
            .is_some_and(|before| !character.is_uppercase() || before.is_uppercase());
        if is_letter(character) && !continues {
            words += 1;
        }
        before = Some(character);
    }
    words
}
