//! The context in which a change by a person is decided: the state, the configuration and the guard; and
//! the parts of the draft that the decision returns. Holds no logic.

use crate::config::Config;
use crate::core::guard::{Approved, Guard};
use crate::core::journal::{Cause, Change, Event, State};
use crate::failure::Failure;
use crate::time::Timestamp;

/// The context of a change by a person.
#[derive(Debug)]
pub struct ChangeContext<'a> {
    /// The state, hand edits included.
    pub state: &'a State,
    /// The configuration in force.
    pub config: &'a Config,
    /// Approves each change.
    pub guard: Guard<'a>,
    /// Now.
    pub now: Timestamp,
}

/// The cause and the events of one commit by a person.
#[derive(Debug)]
pub struct DraftParts {
    /// What it is because of.
    pub cause: Cause,
    /// The facts, in order; without any there is no commit.
    pub events: Vec<Event>,
}

impl DraftParts {
    /// Changes, and what they are because of.
    pub fn of(cause: &Cause, changes: Vec<Approved<Change>>) -> Self {
        Self {
            cause: cause.clone(),
            events: changes.into_iter().map(Event::Change).collect(),
        }
    }
}

/// Decides a change, or says why it is refused.
pub type Decide =
    Box<dyn FnOnce(&mut ChangeContext<'_>) -> Result<DraftParts, Failure> + Send + 'static>;
