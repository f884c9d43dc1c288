//! `get`: shows what stands in a place, as far as a prompt has room for it.

use super::super::{Done, Refused};
use super::view::text_of;
use super::{Bench, ls, nothing_at, told};
use crate::core::memory::StorePath;
use crate::limits::{DIRECTORY_SHOWN_BYTES_MAX, TOOL_TEXT_CHARS_MAX};

pub(super) fn run(bench: &Bench<'_>, path: &StorePath) -> Result<Done, Refused> {
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
