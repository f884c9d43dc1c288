//! `search`: lists the places below a scope that match a query, best first.
//! Each has the part of its text that contains the words. Queries work as in every other search.

use super::super::lookup::find_leaves;
use super::super::{Done, Refused};
use super::view::{is_computed, look};
use super::{Executor, Tool, feedback, nothing_at};
use crate::core::memory::storage::Node;
use crate::core::memory::{StorePath, Tree, text_of_leaf};
use crate::core::notes::{Matcher, Query};
use crate::core::prompt::TextPage;
use crate::core::protocol::ToolArgument;
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use std::cmp::Reverse;

/// The number of places to find: one more than is shown, to know whether there are more.
const ASKED_FOR: usize = SEARCH_HITS_MAX + 1;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    takes: ToolArgument::Words,
    is_look: true,
    sample: "<actions><action><kind>search</kind><target_path>/storage</target_path><content>tea</content></action></actions>",
    run: |executor, scope, words| run(executor, scope, words),
};

fn run(executor: &Executor<'_>, scope: &StorePath, query: &str) -> Result<Done, Refused> {
    let node = look(executor, scope).ok_or_else(|| nothing_at(scope))?;
    let query = Query::parse(query);
    let mut lines = match scope.tree() {
        Tree::Storage => {
            let leaves = find_leaves(executor, scope.parts(), &query, ASKED_FOR);
            let lines = leaves
                .iter()
                .map(|leaf| line(&leaf.path(), &leaf.text(), &query));
            lines.collect()
        }
        Tree::WorkingMemory => found_in_ram(scope, &node, &query),
    };
    if lines.len() > SEARCH_HITS_MAX {
        lines.truncate(SEARCH_HITS_MAX);
        lines.push("... (there are more; say it with more words)".to_owned());
    }
    if lines.is_empty() {
        lines.push("nothing found".to_owned());
    }
    Ok(feedback(lines.join("\n")))
}

/// Returns the places in RAM that match.
/// RAM is small, so each place is checked.
fn found_in_ram(scope: &StorePath, node: &Node, query: &Query) -> Vec<String> {
    let mut matcher = Matcher::new(query);
    let found = places(scope, node).into_iter().filter_map(|(path, node)| {
        let text = text_of_leaf(node);
        let score = matcher.score_text(&path.to_string(), &text)?;
        Some((Reverse(score), path, text))
    });
    let mut found: Vec<_> = found.collect();
    found.sort();
    let best = found.iter().take(ASKED_FOR);
    best.map(|(_, path, text)| line(path, text, query))
        .collect()
}

/// Returns every place below a scope.
/// Computed places count only if the scope names them.
fn places<'n>(scope: &StorePath, node: &'n Node) -> Vec<(StorePath, &'n Node)> {
    let Some(directory) = node.as_directory() else {
        return vec![(scope.clone(), node)];
    };
    let all = directory.leaves().map(|(names, node)| {
        let names = names.into_iter().map(str::to_owned);
        (scope.join(names), node)
    });
    all.filter(|(path, _)| !scope.is_root() || !is_computed(path))
        .collect()
}

/// Returns a place and the shown part of its text, on one line.
fn line(path: &StorePath, text: &str, query: &Query) -> String {
    let places = query.places(text);
    let (_, shown) = TextPage::around(text, &path.to_string(), &places, SEARCH_PREVIEW_CHARS);
    let words: Vec<&str> = shown.split_whitespace().collect();
    format!("{path}: {}", words.join(" "))
}
