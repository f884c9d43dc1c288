//! The iterations of a run, each with the state before it, by a replay of the whole journal.
//! Never writes.

use crate::core::journal::{Commit, State};
use crate::ids::RunId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;

/// Passes each iteration of a run to `show` with the state before its commit.
/// Returns `false` if the beginning of the journal is retired, so that the states are unknown.
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
