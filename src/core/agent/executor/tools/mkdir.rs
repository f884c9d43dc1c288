//! `mkdir`: creates a directory and its parents.
//! An existing directory stays as it is.

use super::super::{Done, Refused};
use super::places::{check_target, put};
use super::view::look;
use super::{Executor, Tool, feedback_for};
use crate::core::guard::Refusal;
use crate::core::memory::StorePath;
use crate::core::protocol::ToolArgument;
use crate::failure::Code;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "mkdir",
    takes: ToolArgument::Nothing,
    is_look: false,
    sample: "<actions><action><kind>mkdir</kind><target_path>/storage/tea</target_path></action></actions>",
    run: |executor, path, _| run(executor, path),
};

fn run(executor: &mut Executor<'_>, path: &StorePath) -> Result<Done, Refused> {
    let there = look(executor, path);
    if there.as_ref().is_some_and(|it| it.as_directory().is_some()) {
        return Ok(feedback_for(path, "exists already"));
    }
    check_target(executor, path)?;
    if there.is_some() {
        let message = format!("a value stands at {path}");
        return Err(Refusal::new(Code::TargetExists, message).into());
    }
    put(executor, path, json!({}))?;
    Ok(feedback_for(path, "made"))
}
