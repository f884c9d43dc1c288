//! `ls`: lists a directory, one name on a line.
//! A name that ends in `/` is a directory.

use super::super::lookup::LIST;
use super::super::{Done, Refused};
use super::view::look;
use super::{Executor, Tool, feedback, nothing_at};
use crate::core::memory::StorePath;
use crate::core::memory::storage::{Directory, Node};
use crate::core::prompt::TextPage;
use crate::core::protocol::ToolArgument;
use crate::limits::TOOL_TEXT_CHARS_MAX;

pub(super) const TOOL: Tool = Tool {
    name: "ls",
    takes: ToolArgument::Nothing,
    is_look: true,
    sample: "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>",
    run: |executor, path, _| run(executor, path),
};

fn run(executor: &Executor<'_>, path: &StorePath) -> Result<Done, Refused> {
    let node = look(executor, path).ok_or_else(|| nothing_at(path))?;
    Ok(match &node {
        Node::Directory(directory) if directory.is_empty() => feedback("empty directory"),
        Node::Directory(directory) => {
            let asked = format!("{LIST} {path}");
            let (page, shown) = TextPage::of(&list(directory), &asked, 0, TOOL_TEXT_CHARS_MAX);
            Done {
                page: Some(page),
                ..feedback(shown)
            }
        }
        Node::File(_) => feedback(format!("{} is a file", path.name().unwrap_or_default())),
    })
}

/// Returns the entries of a directory, one name on a line.
pub(in crate::core::agent::executor) fn list(directory: &Directory) -> String {
    let lines = directory.entries().map(|(name, node)| match node {
        Node::Directory(_) => format!("{name}/"),
        Node::File(_) => name.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
