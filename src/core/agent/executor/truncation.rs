//! Refuses to replace a value of the two trees by a truncated copy of it, in whatever dialect.

use super::{Executor, Refused};
use crate::core::guard;
use crate::core::memory::Tree;
use crate::core::memory::ram::{THINK_LOG, text_of};
use serde_json::Value;

/// Checks the text that is to stand in a place. `think_log` is always short.
pub(super) fn check_not_truncated(
    executor: &Executor<'_>,
    tree: Tree,
    parts: &[String],
    text: &str,
) -> Result<(), Refused> {
    let present = || match (tree, parts) {
        (Tree::Storage, _) => executor.overlay.storage().value(parts),
        (Tree::WorkingMemory, [key, below @ ..]) if key != THINK_LOG => {
            let value = executor.overlay.ram().get(key);
            let within = |value: &Value| {
                let mut names = below.iter();
                names
                    .try_fold(value, |value, name| value.get(name))
                    .cloned()
            };
            value.and_then(within)
        }
        (Tree::WorkingMemory, _) => None,
    };
    Ok(guard::check_not_truncated(text, || {
        Some(text_of(&present()?))
    })?)
}
