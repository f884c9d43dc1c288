//! `ls`: lists a directory, a name a line; a name that ends in `/` is a directory itself.

use super::super::{Done, Refused};
use super::{Bench, Tool, nothing_at, told};
use crate::core::memory::StorePath;
use crate::core::memory::storage::{Directory, Node};
use crate::core::protocol::Takes;
use crate::limits::LIST_ENTRIES_MAX;

pub(super) const TOOL: Tool = Tool {
    name: "ls",
    takes: Takes::Nothing,
    is_look: true,
    sample: "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>",
    run: |bench, path, _| run(bench, path),
};

fn run(bench: &Bench<'_>, path: &StorePath) -> Result<Done, Refused> {
    let node = bench.look(path).ok_or_else(|| nothing_at(path))?;
    Ok(told(match &node {
        Node::Directory(directory) if directory.is_empty() => "empty directory".to_owned(),
        Node::Directory(directory) => list(directory),
        Node::File(_) => format!("{} is a file", path.name().unwrap_or_default()),
    }))
}

/// The entries of a directory, as many as there is room for.
pub(super) fn list(directory: &Directory) -> String {
    let shown = directory.entries().take(LIST_ENTRIES_MAX);
    let mut lines: Vec<String> = shown
        .map(|(name, node)| match node {
            Node::Directory(_) => format!("{name}/"),
            Node::File(_) => name.to_owned(),
        })
        .collect();
    let left_out = directory.len().saturating_sub(LIST_ENTRIES_MAX);
    if left_out > 0 {
        lines.push(format!("... ({left_out} more; look for one with search)"));
    }
    lines.join("\n")
}
