//! The demonstration on a scratch folder.

use super::context::Context;
use super::output::Answer;
use crate::failure::{Code, Failure};

/// Shows the main job.
pub(super) fn run(_context: &Context, _recorded: bool) -> Result<Answer, Failure> {
    Err(Failure::new(
        Code::Internal,
        "the demonstration is not built",
    ))
}
