//! The context in which a person's change is decided, and the draft that results. Holds no logic.

use crate::config::Config;
use crate::core::guard::{Approved, Edited, Guard};
use crate::core::journal::{Actor, ActorType, Cause, Change, Draft, Event, State};
use crate::failure::Failure;
use crate::time::Timestamp;
use std::collections::BTreeSet;

/// The context of a change by a person.
#[derive(Debug)]
pub struct ChangeContext<'a> {
    /// The state, hand edits included.
    pub state: &'a State,
    /// The configuration in force.
    pub config: &'a Config,
    /// The guard, which approves each change.
    pub guard: Guard<'a>,
    /// The current time.
    pub now: Timestamp,
}

/// The edits made while a person's change is decided: none.
static NOTHING: Edited = Edited {
    ram_keys: BTreeSet::new(),
    notes: BTreeSet::new(),
};

impl<'a> ChangeContext<'a> {
    /// Makes the context of a change to a state.
    pub fn new(state: &'a State, config: &'a Config, now: Timestamp) -> Self {
        Self {
            state,
            config,
            guard: Guard::for_user(&config.scope, &NOTHING),
            now,
        }
    }
}

/// The cause and the events of one commit by a person.
#[derive(Debug)]
pub struct DraftParts {
    /// The cause of the commit.
    pub cause: Cause,
    /// The events, in order; without any there is no commit.
    pub events: Vec<Event>,
}

impl DraftParts {
    /// Makes the parts of a draft from changes and their cause.
    pub fn of(cause: &Cause, changes: Vec<Approved<Change>>) -> Self {
        Self {
            cause: cause.clone(),
            events: changes.into_iter().map(Event::Change).collect(),
        }
    }

    /// Returns the draft of the commit.
    pub fn draft(self, now: Timestamp) -> Draft {
        Draft {
            ts: now,
            actor: Actor {
                actor_type: ActorType::User,
            },
            cause: self.cause,
            events: self.events,
        }
    }
}

/// A function that decides a change, or says why it is refused.
pub type Decide =
    Box<dyn FnOnce(&mut ChangeContext<'_>) -> Result<DraftParts, Failure> + Send + 'static>;
