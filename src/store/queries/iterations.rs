//! The iterations of a run, each with the state that it was decided upon: the whole journal, replayed.
//! Never writes.

use crate::core::journal::{Commit, State};
use crate::ids::RunId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;

/// Shows each iteration of a run with the state before its commit. Gives whether that could be done:
/// a journal whose beginning is retired does not tell the states.
pub fn each_iteration(
    disk: &mut dyn Disk,
    run_id: RunId,
    show: &mut dyn FnMut(&State, &Commit),
) -> Result<bool, Error> {
    reader::read(disk, &mut |journal| {
        if !journal.is_complete() {
            return Ok(false);
        }
        let mut state = State::empty();
        journal.each_commit(&mut |commit| {
            let cause = &commit.draft.cause;
            if cause.run_id == Some(run_id) && cause.iteration.is_some() {
                show(&state, commit);
            }
            state.apply_commit(commit);
        })?;
        Ok(true)
    })
}
