//! The iterations of a run, each with the state that it was decided upon: the whole journal, replayed.
//! Never writes.

use super::disk::Disk;
use super::error::Error;
use super::journal::Head;
use super::journal_range::{first_of, read_range};
use super::scan;
use crate::core::journal::{Commit, State};
use crate::ids::RunId;

/// Shows each iteration of a run with the state before its commit. Gives whether that could be done:
/// a journal whose beginning is retired does not tell the states.
pub fn each_iteration(
    disk: &mut dyn Disk,
    run_id: RunId,
    show: &mut dyn FnMut(&State, &Commit),
) -> Result<bool, Error> {
    read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        if first.head != Head::START {
            return Ok(false);
        }
        let mut state = State::empty();
        scan::scan(disk, first.place(), &mut |commit, _| {
            let cause = &commit.draft.cause;
            if cause.run_id == Some(run_id) && cause.iteration.is_some() {
                show(&state, commit);
            }
            state.apply_commit(commit);
        })?;
        Ok(true)
    })
}
