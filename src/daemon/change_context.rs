//! What a change by a person is decided upon: the state, the configuration and the guard; and what is
//! decided. Holds no logic: whoever is handed a desk says what is to change.

use crate::config::Config;
use crate::core::guard::{Approved, Guard};
use crate::core::journal::{Cause, Change, Event, State};
use crate::failure::Failure;
use crate::time::Timestamp;

/// What a change is decided upon.
#[derive(Debug)]
pub struct ChangeContext<'a> {
    /// The state, hand edits included.
    pub state: &'a State,
    /// The configuration in force.
    pub config: &'a Config,
    /// Whoever must be asked.
    pub guard: Guard<'a>,
    /// Now.
    pub now: Timestamp,
}

/// The facts of one commit by a person.
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

/// Says what is to change, or why nothing may.
pub type Decide =
    Box<dyn FnOnce(&mut ChangeContext<'_>) -> Result<DraftParts, Failure> + Send + 'static>;
