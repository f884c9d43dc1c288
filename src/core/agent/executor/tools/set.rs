//! `set`: puts a value in a place, whatever stood there, and creates its parents.

use super::super::ram::typed;
use super::super::{Done, Refused};
use super::places::{check_target, put};
use super::{Executor, Tool, feedback, feedback_for};
use crate::core::memory::ram::{REQUIRED_KEYS, THINK_LOG};
use crate::core::memory::{StorePath, Tree, kept_as_text, structure_in};
use crate::core::protocol::ToolArgument;
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    name: "set",
    takes: ToolArgument::Content,
    is_look: false,
    sample: "<actions><action><kind>set</kind><target_path>/storage/tea</target_path><content>It is in the tin.</content></action></actions>",
    run,
};

fn run(executor: &mut Executor<'_>, path: &StorePath, content: &str) -> Result<Done, Refused> {
    let key = match (path.tree(), path.parts()) {
        (Tree::WorkingMemory, [key]) => Some(key.as_str()),
        _ => None,
    };
    check_target(executor, path)?;
    let overlay = &executor.overlay;
    overlay.check_not_truncated(path.tree(), path.parts(), content)?;
    let value = match key {
        Some(key) if REQUIRED_KEYS.contains(&key) => typed(executor, key, content),
        Some(_) | None => value_of(content),
    };
    put(executor, path, value)?;
    executor.overlay.wrote.think_log |= key == Some(THINK_LOG);
    match kept_as_text(key.unwrap_or_default(), content) {
        Some(why) => Ok(feedback(why)),
        None => Ok(feedback_for(path, "stored")),
    }
}

/// Returns JSON if the text is JSON that would be written back unchanged, else the text.
fn value_of(content: &str) -> Value {
    let scalar = || match serde_json::from_str(content) {
        Ok(Value::Number(number)) if number.to_string() != content => None,
        Ok(Value::Array(_) | Value::Object(_)) | Err(_) => None,
        Ok(value) => Some(value),
    };
    let value = structure_in(content).or_else(scalar);
    value.unwrap_or_else(|| Value::from(content))
}
