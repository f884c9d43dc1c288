//! `mv`: moves the value of a place to a free place, also from one tree into the other.

use super::super::{Done, Refused};
use super::places::{check_source, check_target, transfer};
use super::view::look;
use super::{Executor, Tool, feedback, nothing_at, place_of};
use crate::core::guard::{Refusal, fits_ram};
use crate::core::memory::{StorePath, Tree};
use crate::core::protocol::ToolArgument;
use crate::failure::Code;

pub(super) const TOOL: Tool = Tool {
    name: "mv",
    takes: ToolArgument::Source,
    is_look: false,
    sample: "<actions><action><kind>mv</kind><source_path>/working_memory/tea</source_path><target_path>/storage/tea</target_path></action></actions>",
    run: |executor, target, source| run(executor, &place_of(executor, source)?, target),
};

fn run(
    executor: &mut Executor<'_>,
    source: &StorePath,
    target: &StorePath,
) -> Result<Done, Refused> {
    check_source(source)?;
    check_target(executor, target)?;
    if source.contains(target) {
        let message = format!("{source} cannot be moved into itself");
        return Err(Refusal::new(Code::PathInvalid, message).into());
    }
    if look(executor, target).is_some() {
        let message = format!("something stands at {target} already; name a free place");
        return Err(Refusal::new(Code::TargetExists, message).into());
    }
    let node = look(executor, source).ok_or_else(|| nothing_at(source))?;
    let value = node.to_value();
    if let (Tree::Storage, Tree::WorkingMemory, Some(key)) =
        (source.tree(), target.tree(), target.name())
    {
        let path = source.to_string();
        let asked = source.archived_key().unwrap_or(&path);
        let characters_max = executor.context.memory.working_memory_character_max;
        fits_ram(executor.overlay.ram(), key, &value, characters_max, asked)?;
    }
    transfer(executor, source, target, value)?;
    let both = [source.tree(), target.tree()];
    if both == [Tree::WorkingMemory, Tree::WorkingMemory] {
        return Ok(Done::default());
    }
    Ok(feedback(format!("moved to {target}")))
}
