//! `get`: shows the value of a place, as far as it fits in a prompt.

use super::super::{Done, Refused};
use super::view::text_at;
use super::{Executor, Tool, feedback, nothing_at};
use crate::core::memory::StorePath;
use crate::core::prompt::TextPage;
use crate::core::protocol::ToolArgument;
use crate::limits::TOOL_TEXT_CHARS_MAX;

pub(super) const TOOL: Tool = Tool {
    name: "get",
    takes: ToolArgument::Nothing,
    is_look: true,
    sample: "<actions><action><kind>get</kind><target_path>/storage/tea</target_path></action></actions>",
    run: |executor, path, _| run(executor, path),
};

fn run(executor: &Executor<'_>, path: &StorePath) -> Result<Done, Refused> {
    let text = text_at(executor, path).ok_or_else(|| nothing_at(path))?;
    let (page, shown) = TextPage::of(&text, &path.to_string(), 0, TOOL_TEXT_CHARS_MAX);
    Ok(Done {
        page: Some(page),
        ..feedback(shown)
    })
}
