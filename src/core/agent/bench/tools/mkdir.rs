//! `mkdir`: makes a directory and those above it. One that is there already stays as it is.

use super::super::{Done, Refused};
use super::trial::Trial;
use super::{Bench, Tool, told_of};
use crate::core::guard::Refusal;
use crate::core::memory::StorePath;
use crate::core::protocol::Takes;
use crate::failure::Code;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "mkdir",
    takes: Takes::Nothing,
    is_look: false,
    sample: "<actions><action><kind>mkdir</kind><target_path>/storage/tea</target_path></action></actions>",
    run: |bench, path, _| run(bench, path),
};

fn run(bench: &mut Bench<'_>, path: &StorePath) -> Result<Done, Refused> {
    let there = bench.look(path);
    if there.as_ref().is_some_and(|it| it.as_directory().is_some()) {
        return Ok(told_of(path, "exists already"));
    }
    bench.check_target(path)?;
    if there.is_some() {
        let message = format!("a value stands at {path}");
        return Err(Refusal::new(Code::TargetExists, message).into());
    }
    let mut trial = Trial::new(bench);
    trial.put(path, json!({}))?;
    trial.keep();
    Ok(told_of(path, "made"))
}
