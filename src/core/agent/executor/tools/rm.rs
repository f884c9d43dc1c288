//! `rm`: removes the value of a place, with everything below it.
//! Of the computed parts, only a numbered result can be removed.

use super::super::{Done, Refused};
use super::places::remove;
use super::view::{look, result_at};
use super::{Executor, Tool, feedback_for, nothing_at};
use crate::core::memory::StorePath;
use crate::core::protocol::ToolArgument;

pub(super) const TOOL: Tool = Tool {
    name: "rm",
    takes: ToolArgument::Nothing,
    is_look: false,
    sample: "<actions><action><kind>rm</kind><target_path>/storage/old_tea</target_path></action></actions>",
    run: |executor, path, _| run(executor, path),
};

fn run(executor: &mut Executor<'_>, path: &StorePath) -> Result<Done, Refused> {
    if let Some(number) = result_at(path) {
        look(executor, path).ok_or_else(|| nothing_at(path))?;
        executor.overlay.results_removed.push(number);
        return Ok(Done::default());
    }
    remove(executor, path)?;
    Ok(feedback_for(path, "removed"))
}
