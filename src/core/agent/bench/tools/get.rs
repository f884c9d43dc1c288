//! `get`: shows what stands in a place, as far as a prompt has room for it.

use super::super::{Done, Refused};
use super::view::text_of;
use super::{Bench, Tool, ls, nothing_at, told};
use crate::core::memory::StorePath;
use crate::core::protocol::Takes;
use crate::limits::{DIRECTORY_SHOWN_BYTES_MAX, TOOL_TEXT_CHARS_MAX};

pub(super) const TOOL: Tool = Tool {
    name: "get",
    takes: Takes::Nothing,
    is_look: true,
    sample: "<actions><action><kind>get</kind><target_path>/storage/tea</target_path></action></actions>",
    run: |bench, path, _| run(bench, path),
};

fn run(bench: &Bench<'_>, path: &StorePath) -> Result<Done, Refused> {
    let node = bench.look(path).ok_or_else(|| nothing_at(path))?;
    if let Some(directory) = node.as_directory()
        && node.bytes() > DIRECTORY_SHOWN_BYTES_MAX
    {
        let list = ls::list(directory);
        return Ok(told(format!(
            "too large to be shown whole; it holds:\n{list}"
        )));
    }
    Ok(told(text_of(&node, TOOL_TEXT_CHARS_MAX)))
}
