//! RAM instructions in the executor.
//! The model never changes the person's request in `context`.

use super::{Done, Executor, Refused};
use crate::core::guard::ram_own;
use crate::core::memory::directory::is_kept;
use crate::core::memory::ram::{CONTEXT, STEPS, THINK_LOG, value_from_text, with_request};
use crate::core::memory::{Tree, kept_as_text};
use serde_json::{Value, json};

pub(super) fn ram_add(executor: &mut Executor<'_>, key: &str, text: &str) -> Result<Done, Refused> {
    if is_kept(key) {
        return Ok(Done::ignored());
    }
    let adds = key == STEPS && executor.overlay.wrote.steps;
    if !adds {
        let overlay = &executor.overlay;
        overlay.check_not_truncated(Tree::WorkingMemory, &[key.to_owned()], text)?;
    }
    let value = match key {
        // Small models write each step in an instruction of its own.
        STEPS if adds => more_steps(executor, value_from_text(key, text)),
        _ => typed(executor, key, text),
    };
    let overlay = &mut executor.overlay;
    overlay.ram_set(key, value, executor.context.memory)?;
    overlay.wrote.think_log |= key == THINK_LOG;
    Ok(Done::feedback(kept_as_text(key, text)))
}

/// Returns the value of a text for a key.
pub(super) fn typed(executor: &Executor<'_>, key: &str, text: &str) -> Value {
    match key {
        // The text is cut first, so that it is not refused for its length.
        THINK_LOG => Value::from(first_chars(
            text,
            executor.context.memory.think_log_max_chars,
        )),
        CONTEXT => with_request(value_from_text(key, text), executor.overlay.ram().request()),
        _ => value_from_text(key, text),
    }
}

/// Returns the steps that this reply has stored so far, then the new ones.
fn more_steps(executor: &Executor<'_>, steps: Value) -> Value {
    let mut all = executor.overlay.ram().steps().to_vec();
    if let Value::Array(mut more) = steps {
        more.retain(|step| !all.contains(step));
        all.extend(more);
    }
    Value::from(all)
}

pub(super) fn ram_delete(executor: &mut Executor<'_>, key: &str) -> Result<Done, Refused> {
    if is_kept(key) {
        return Ok(Done::ignored());
    }
    let mut change = executor.overlay.guard.ram_delete(key)?;
    if key == CONTEXT && executor.overlay.ram().request().is_some() {
        let rest = with_request(json!({}), executor.overlay.ram().request());
        change = ram_own(CONTEXT, rest);
    }
    executor.overlay.take(change);
    Ok(Done::default())
}

/// Returns the first `chars` characters.
pub(in crate::core::agent) fn first_chars(text: &str, chars: usize) -> &str {
    match text.char_indices().nth(chars) {
        Some((at, _)) => text.get(..at).unwrap_or_default(),
        None => text,
    }
}
