//! `search`: the places below a scope whose path or text holds every word, with the beginning of what
//! stands there.

use super::super::{Done, Refused};
use super::view::{is_computed, preview, text_of};
use super::{Bench, nothing_at, told};
use crate::core::memory::StorePath;
use crate::core::memory::storage::{Directory, Node};
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS, SEARCH_TERMS_MAX};

pub(super) fn run(bench: &Bench<'_>, scope: &StorePath, query: &str) -> Result<Done, Refused> {
    let node = bench.look(scope).ok_or_else(|| nothing_at(scope))?;
    let lower = query.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().take(SEARCH_TERMS_MAX).collect();
    let hits: Vec<(StorePath, &Node)> = match &node {
        Node::File(_) => vec![(scope.clone(), &node)],
        Node::Directory(directory) => places(scope, directory),
    };
    let hits: Vec<_> = hits
        .into_iter()
        .filter(|(path, node)| holds(&words, path, node))
        .collect();
    let shown = hits.iter().take(SEARCH_HITS_MAX);
    let mut lines: Vec<String> = shown
        .map(|(path, node)| format!("{path}: {}", preview(node, SEARCH_PREVIEW_CHARS)))
        .collect();
    let left_out = hits.len().saturating_sub(SEARCH_HITS_MAX);
    if left_out > 0 {
        lines.push(format!("... ({left_out} more; say it with more words)"));
    }
    if lines.is_empty() {
        lines.push("nothing found".to_owned());
    }
    Ok(told(lines.join("\n")))
}

/// Every place below a scope, but nothing computed unless it was asked for.
fn places<'n>(scope: &StorePath, directory: &'n Directory) -> Vec<(StorePath, &'n Node)> {
    let all = directory.leaves().map(|(names, node)| {
        let names = names.into_iter().map(str::to_owned);
        (scope.join(names), node)
    });
    all.filter(|(path, _)| !scope.is_root() || !is_computed(path))
        .collect()
}

fn holds(words: &[&str], path: &StorePath, node: &Node) -> bool {
    let path = path.to_string().to_lowercase();
    let mut rest = words
        .iter()
        .filter(|word| !path.contains(**word))
        .peekable();
    if rest.peek().is_none() {
        return true;
    }
    let text = text_of(node, usize::MAX).to_lowercase();
    rest.all(|word| text.contains(*word))
}
