//! `rm`: takes away what stands in a place, with everything below it. A numbered result can be removed
//! too, though nothing else of the computed part.

use super::super::{Done, Refused};
use super::trial::Trial;
use super::view::result_at;
use super::{Bench, Tool, nothing_at, told_of};
use crate::core::memory::StorePath;
use crate::core::protocol::Takes;

pub(super) const TOOL: Tool = Tool {
    name: "rm",
    takes: Takes::Nothing,
    is_look: false,
    sample: "<actions><action><kind>rm</kind><target_path>/storage/old_tea</target_path></action></actions>",
    run: |bench, path, _| run(bench, path),
};

fn run(bench: &mut Bench<'_>, path: &StorePath) -> Result<Done, Refused> {
    if let Some(number) = result_at(path) {
        bench.look(path).ok_or_else(|| nothing_at(path))?;
        bench.results_removed.push(number);
        return Ok(Done::default());
    }
    let mut trial = Trial::new(bench);
    trial.remove(path)?;
    trial.keep();
    Ok(told_of(path, "removed"))
}
