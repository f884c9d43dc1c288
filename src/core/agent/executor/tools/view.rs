//! The trees as paths show them: RAM with its computed parts, and `/storage`.
//! Only reads; `overlay` writes.

use super::{Executor, ls};
use crate::core::agent::ActionResult;
pub(super) use crate::core::agent::result::ACTION_RESULT;
use crate::core::memory::ram::{TODO, USER_DATA};
use crate::core::memory::storage::Node;
use crate::core::memory::{Ram, Storage, StorePath, Tree};
use crate::core::notes::composed;
use crate::limits::DIRECTORY_SHOWN_BYTES_MAX;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The computed directory of facts about the agent.
pub(super) const SYSTEM_INFO: &str = "system_info";

/// Returns the initial value of `user_data`.
pub(super) fn empty_user_data() -> Value {
    json!({ TODO: {} })
}

/// Returns the node at a place of the given trees, without the computed parts.
pub(super) fn stands(ram: &Ram, storage: &Storage, path: &StorePath) -> Option<Node> {
    match (path.tree(), path.parts().split_first()) {
        (Tree::Storage, None) => Some(Node::Directory(storage.root().clone())),
        (Tree::Storage, Some(_)) => storage.get(path.parts()).cloned(),
        (Tree::WorkingMemory, None) => Some(Node::from(Value::Object(members_of(ram)))),
        (Tree::WorkingMemory, Some((key, rest))) => {
            let whole = ram.get(key).cloned();
            let whole = whole.or_else(|| (key == USER_DATA).then(empty_user_data))?;
            below(Node::from(whole), rest)
        }
    }
}

/// Returns a path in the spelling in which it is stored.
/// A name as it was `written` has priority, then as the path has it, then one of equal composed
/// form.
pub(super) fn as_stored(
    ram: &Ram,
    storage: &Storage,
    path: &StorePath,
    written: &str,
) -> StorePath {
    // ASCII text has only one spelling.
    if written.is_ascii() {
        return path.clone();
    }
    let written = written.trim_matches(' ').split('/').skip(2);
    let mut stored = StorePath::root(path.tree());
    for (part, written) in path.parts().iter().zip(written) {
        let above = stands(ram, storage, &stored);
        let spelled = above
            .as_ref()
            .and_then(Node::as_directory)
            .and_then(|names| {
                let exact = [written, part]
                    .into_iter()
                    .find(|name| names.get(name).is_some());
                let alike = || names.entries().find(|(name, _)| composed(name) == *part);
                exact.or_else(|| alike().map(|(name, _)| name))
            });
        let name = spelled.unwrap_or(part).to_owned();
        stored = stored.join([name]);
    }
    stored
}

fn members_of(ram: &Ram) -> Map<String, Value> {
    let mut members = Map::from_iter([(USER_DATA.to_owned(), empty_user_data())]);
    members.extend(
        ram.entries()
            .map(|(key, value)| (key.to_owned(), value.clone())),
    );
    members
}

fn below(node: Node, names: &[String]) -> Option<Node> {
    names.iter().try_fold(node, |node, name| {
        let directory = node.as_directory()?;
        directory.get(name).cloned()
    })
}

/// Returns the present node at a place, computed parts included.
pub(in crate::core::agent::executor) fn look(
    executor: &Executor<'_>,
    path: &StorePath,
) -> Option<Node> {
    let Some((name, rest)) = path.parts().split_first().filter(|_| is_computed(path)) else {
        let node = stands(executor.overlay.ram(), executor.overlay.storage(), path)?;
        return Some(if path.is_root() && path.tree() == Tree::WorkingMemory {
            with_computed(executor, &node)
        } else {
            node
        });
    };
    let whole = match name.as_str() {
        ACTION_RESULT => results_shown(executor),
        _ => system_info(executor),
    };
    below(Node::from(whole), rest)
}

/// Returns the text of the present node at a place.
pub(in crate::core::agent::executor) fn text_at(
    executor: &Executor<'_>,
    path: &StorePath,
) -> Option<String> {
    look(executor, path).as_ref().map(text_of)
}

fn with_computed(executor: &Executor<'_>, node: &Node) -> Node {
    let mut whole = node.to_value();
    whole[ACTION_RESULT] = results_shown(executor);
    whole[SYSTEM_INFO] = system_info(executor);
    Node::from(whole)
}

/// Returns the results that this iteration's prompt showed, or all that are kept.
fn results_shown(executor: &Executor<'_>) -> Value {
    let log = &executor.context.working.result_log;
    let shown = u64::try_from(executor.context.working.results.len()).unwrap_or(u64::MAX);
    let gone = if executor.context.memory.auto_cleanup {
        log.last().saturating_sub(shown)
    } else {
        0
    };
    let numbers = log.kept().map(|(number, _)| number);
    // The log keeps only the last of many results; the prompt had them all.
    let in_prompt = log.last().saturating_sub(shown) + 1..=log.last();
    let numbers: BTreeSet<u64> = numbers.chain(in_prompt).collect();
    let there = numbers.into_iter().filter(|number| *number > gone);
    let there = there.filter_map(|number| Some((number, result_of(executor, number)?)));
    let members = there.map(|(number, result)| {
        // A result is plain data, which can always be written as JSON.
        let value = serde_json::to_value(result).unwrap_or_default();
        (format!("_{number}"), value)
    });
    Value::Object(members.collect())
}

/// Returns the result of a number, kept or shown in this iteration's prompt.
pub(in crate::core::agent::executor) fn result_of<'e>(
    executor: &'e Executor<'_>,
    number: u64,
) -> Option<&'e ActionResult> {
    let log = &executor.context.working.result_log;
    let in_prompt = || {
        let from_end = usize::try_from(log.last().checked_sub(number)?).ok()?;
        executor.context.working.results.iter().rev().nth(from_end)
    };
    let is_there = !executor.overlay.results_removed.contains(&number);
    log.get(number).or_else(in_prompt).filter(|_| is_there)
}

fn system_info(executor: &Executor<'_>) -> Value {
    json!({
        "now": executor.context.now,
        "loop": executor.context.run.loop_count + 1,
        "state": executor.context.ran_in,
        "usage": { "characters": executor.overlay.ram().characters() },
        "limits": {
            "characters": executor.context.memory.working_memory_character_max,
            "key_tokens": executor.context.memory.key_token_max,
            "children": executor.context.memory.children_max,
        },
        "provider": { "kind": executor.context.run.provider, "model": executor.context.run.model },
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Returns the number of the result at a place.
pub(in crate::core::agent::executor) fn result_at(path: &StorePath) -> Option<u64> {
    match (path.tree(), path.parts()) {
        (Tree::WorkingMemory, [folder, name]) if folder == ACTION_RESULT => {
            name.strip_prefix('_')?.parse().ok()
        }
        _ => None,
    }
}

/// Returns whether a place lies in the computed part of the working memory.
pub(super) fn is_computed(path: &StorePath) -> bool {
    let first = path.parts().first().map(String::as_str);
    path.tree() == Tree::WorkingMemory && matches!(first, Some(ACTION_RESULT | SYSTEM_INFO))
}

/// Returns a node as text: text as it is, everything else as JSON.
/// A directory that is too large becomes its list.
fn text_of(node: &Node) -> String {
    match node {
        Node::File(value) => value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned),
        Node::Directory(directory) if node.bytes() > DIRECTORY_SHOWN_BYTES_MAX => {
            let list = ls::list(directory);
            format!("too large to be shown whole; it holds:\n{list}")
        }
        // Values can always be written as JSON.
        Node::Directory(_) => serde_json::to_string(node).unwrap_or_default(),
    }
}
